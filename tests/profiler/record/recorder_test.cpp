// SPDX-License-Identifier: MIT
//
// Starting and stopping, memory, configs that are refused, and what is told of a session.
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "platform/engine_memory.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "record/track.h"
#include "rounds.h"
#include "support/counting_allocator.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

struct Heap : CountingAllocator {
  flamelet_config in(const flamelet_config& config) { return with(config, &flamelet_config::allocator, get()); }
};

}  // namespace

// ---- Start and stop ----------------------------------------------------------------------------------------------

TEST_CASE("recorder: without a config it starts with the default one") {
  REQUIRE(flamelet_init(nullptr) == FLAMELET_OK);
  CHECK(recorder_test::stats().budget_bytes == flamelet_config_default().budget_bytes);
  CHECK(flamelet_init(nullptr) == FLAMELET_ERROR_ALREADY_INITIALIZED);
  CHECK(flamelet_shutdown() == FLAMELET_OK);
}

TEST_CASE("recorder: every call before the first init is a no-op that answers so") {
  CHECK_FALSE(flamelet_enabled());
  CHECK(flamelet_begin("a", "", nullptr) == 0);
  CHECK(flamelet_next(0, "a", "") == 0);
  CHECK(flamelet_interval_begin("a", "", nullptr) == 0);
  flamelet_end(0);
  flamelet_end(12345);
  flamelet_end_top();
  flamelet_interval_end(12345);
  flamelet_instant("a", "", nullptr);
  flamelet_counter("a", "", 1);
  flamelet_frame();
  flamelet_set_enabled(true);
  flamelet_set_thread_name("a");
  flamelet_set_track_name(1, "a");
  flamelet_fiber_switch(0, 1);
  flamelet_fiber_destroy(1);
  flamelet_track_destroy(1);
  { FLAMELET_SCOPE("a"); }
  CHECK(std::strcmp(flamelet_intern("a"), "") == 0);
  CHECK(flamelet_thread_id() == 0);
  CHECK(flamelet_fiber_create("a") == 0);
  CHECK(flamelet_track_create("a", FLAMELET_TRACK_GPU, 1e9) == 0);
  CHECK(flamelet_track_calibrate(1, 0, 0) == FLAMELET_ERROR_NOT_INITIALIZED);
  flamelet_event event = {};
  event.type = 'I';
  CHECK(flamelet_submit(1, &event, 1) == 0);
  CHECK(flamelet_now_ticks() == 0);
  CHECK(flamelet_clock_info().kind == FLAMELET_CLOCK_NONE);
  CHECK(flamelet_measure_scope_ns(FLAMELET_SCOPE_KIND_MACRO) == 0);
  CHECK(flamelet_shutdown() == FLAMELET_ERROR_NOT_INITIALIZED);
  const flamelet_stats now = stats();
  CHECK(now.events_recorded == 0);
  CHECK(now.budget_bytes == 0);
  CHECK_FALSE(flamelet_enabled());
}

TEST_CASE("recorder: every call after shutdown is a no-op again") {
  flamelet_id open = 0;
  {
    Recording recording;
    open = flamelet_begin("open", "", nullptr);
    CHECK(open != 0);
    CHECK(flamelet_enabled());
  }
  CHECK_FALSE(flamelet_enabled());
  flamelet_end(open);
  CHECK(flamelet_begin("a", "", nullptr) == 0);
  { FLAMELET_SCOPE("a"); }
  flamelet_frame();
  CHECK(flamelet_thread_id() == 0);
  CHECK(flamelet_now_ticks() == 0);
  CHECK(stats().events_recorded == 0);
  CHECK(flamelet_shutdown() == FLAMELET_ERROR_NOT_INITIALIZED);
}

TEST_CASE_FIXTURE(Recording, "recorder: a second init is refused and changes nothing") {
  const flamelet_stats before = stats();
  Heap heap;
  flamelet_config other = heap.in(small_config(200));
  CHECK(flamelet_init(&other) == FLAMELET_ERROR_ALREADY_INITIALIZED);
  CHECK(heap.allocations == 0);
  CHECK(stats().budget_bytes == before.budget_bytes);
  CHECK(flamelet_begin("still runs", "", nullptr) != 0);
}

TEST_CASE("recorder: a session starts with nothing of the one before") {
  for_each_clock([](const flamelet_config& config) {
    for (int round = 0; round < 5; ++round) {
      Recording recording(config);
      CHECK(stats().events_recorded == 1);  // frame 0
      EventLog log;
      const flamelet_id id = flamelet_begin("a", "", nullptr);
      CHECK(flamelet_thread_id() == 1);
      FLAMELET_SCOPE("b");
      CHECK(own_events(&log) == "+a +b");
      if (round % 2 == 0) flamelet_end(id);
      const flamelet_stats now = stats();
      CHECK(now.frames == 0);
      CHECK(dropped(now) == 0);
      CHECK(now.extra_ends == 0);
      CHECK(now.tracks_live == 1);
    }
  });
}

TEST_CASE("recorder: an end of an earlier session's scope is an extra end of this one") {
  for_each_clock([](const flamelet_config& config) {
    flamelet_id old = 0;
    {
      Recording recording(config);
      old = flamelet_begin("old", "", nullptr);
    }
    Recording recording(config);
    flamelet_end(old);
    CHECK(stats().extra_ends == 1);
    EventLog log;
    CHECK(own_events(&log) == "");
  });
}

// ---- Memory ------------------------------------------------------------------------------------------------------

TEST_CASE("recorder: init takes the budget in one allocation, shutdown gives it back in one free") {
  Heap heap;
  flamelet_config config = heap.in(small_config());
  {
    Recording recording(config);
    CHECK(heap.allocations == 1);
    CHECK(heap.bytes == config.budget_bytes);
    CHECK(stats().budget_bytes == config.budget_bytes);
    for (int i = 0; i < 10000; ++i) {
      FLAMELET_SCOPE("work");
      flamelet_intern(std::to_string(i % 100).c_str());
    }
    flamelet_frame();
    CHECK(heap.allocations == 1);
    CHECK(heap.frees == 0);
  }
  CHECK(heap.allocations == 1);
  CHECK(heap.frees == 1);
  CHECK(heap.freed_bytes == heap.bytes);
}

TEST_CASE("recorder: the allocator's NULL is an error, and init works later") {
  Heap heap;
  flamelet_config config = heap.in(small_config());
  heap.blocks_left = 0;
  CHECK(flamelet_init(&config) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK_FALSE(flamelet_enabled());
  CHECK(flamelet_begin("a", "", nullptr) == 0);
  CHECK(flamelet_shutdown() == FLAMELET_ERROR_NOT_INITIALIZED);
  heap.blocks_left = SIZE_MAX;
  Recording recording(config);
  CHECK(flamelet_begin("a", "", nullptr) != 0);
  CHECK(heap.frees == 0);
}

TEST_CASE("recorder: memory that is not aligned as asked is given back and refused") {
  Heap heap;
  heap.misaligns = true;
  flamelet_config config = heap.in(small_config());
  CHECK(flamelet_init(&config) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(heap.allocations == 1);
  CHECK(heap.frees == 1);
  CHECK_FALSE(flamelet_enabled());
}

TEST_CASE("recorder: exactly the least budget works, for any limits; one byte less does not") {
  for (uint32_t variant = 0; variant < 32; ++variant) {
    CAPTURE(variant);
    Heap heap;
    flamelet_config config = heap.in(flamelet_config_default());
    config.max_tracks = (variant & 1) != 0 ? 1 : 17;
    config.max_fibers = (variant & 2) != 0 ? 0 : 3;
    config.max_sites = (variant & 4) != 0 ? 1 : 1001;
    config.max_strings = (variant & 8) != 0 ? 16 : 999;
    config.string_bytes = (variant & 16) != 0 ? 1024 : 4567;
    config.max_submit_events = (variant & 1) != 0 ? 2 : 77;
    config.max_submit_open = (variant & 8) != 0 ? 0 : 5;
    const size_t least = flamelet_memory_required(&config);
    REQUIRE(least > 0);
    // The user may ask for the states of threads, too.
    const flamelet_config with_states = with(config, &flamelet_config::thread_states, true);
    CHECK(flamelet_memory_required(&with_states) == least);
    config.budget_bytes = least - 1;
    CHECK(flamelet_init(&config) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
    CHECK(heap.allocations == 0);
    for (size_t more : {size_t{0}, size_t{1}, size_t{FLAMELET_PAGE_BYTES - 1}, size_t{FLAMELET_PAGE_BYTES},
                        size_t{FLAMELET_PAGE_BYTES + 8}, size_t{100000}}) {
      config.budget_bytes = least + more;
      Recording recording(config);
      const flamelet_stats now = stats();
      CHECK(now.page_count >= config.max_tracks + 2);
      CHECK(now.page_bytes_total == size_t{now.page_count} * FLAMELET_PAGE_BYTES);
      CHECK(now.page_bytes_total < config.budget_bytes);
      // Nothing overlaps: what is written to one table does not show in another. A sanitizer sees what passes the end.
      EventLog log;
      for (uint32_t i = 0; i < rounds(3000); ++i) {
        FLAMELET_SCOPE("work");
        FLAMELET_INSTANT_OBJECT("object", std::to_string(i).c_str());
        if (i % 100 == 99) CHECK(log.read());
      }
      CHECK(log.read());
      CHECK(log.problem() == "");
    }
  }
}

TEST_CASE("recorder: what is beyond the least budget becomes pages") {
  flamelet_config config = small_config(0);
  config.budget_bytes = flamelet_memory_required(&config);
  uint32_t least_pages = 0;
  {
    Recording recording(config);
    least_pages = stats().page_count;
  }
  config.budget_bytes += 100 * (FLAMELET_PAGE_BYTES + 8) + 512;
  Recording recording(config);
  CHECK(stats().page_count >= least_pages + 99);
  CHECK(stats().page_count <= least_pages + 100);
}

TEST_CASE("recorder: an invalid config is refused before any memory is taken") {
  Heap heap;
  const flamelet_config good = heap.in(small_config());
  REQUIRE(flamelet_memory_required(&good) > 0);
  CHECK(flamelet_memory_required(nullptr) == 0);
  std::vector<flamelet_config> bad(22, good);
  size_t n = 0;
  bad[n++].cookie = 0;
  bad[n++].max_tracks = 0;
  bad[n++].max_tracks = FLAMELET_MAX_TRACKS + 1;
  bad[n++].max_sites = 0;
  bad[n++].max_sites = FLAMELET_MAX_SITES + 1;
  bad[n++].max_strings = 15;
  bad[n++].max_strings = flamelet::kMaxStringId + 1;
  bad[n++].string_bytes = 1023;
  bad[n++].string_bytes = SIZE_MAX;
  bad[n].ring_path = "/dev/null/is no folder";
  bad[n++].budget_bytes = SIZE_MAX;  // with the file's header that would be very little
  bad[n++].budget_bytes = flamelet::kMostBytes + 1;
  bad[n++].max_fibers = 65537;
  bad[n++].max_submit_events = 0;
  bad[n++].max_submit_events = (1u << 24) + 1;
  bad[n++].max_submit_open = (1u << 14) + 1;
  bad[n++].allocator.free = nullptr;
  bad[n++].allocator.allocate = nullptr;
  for (double rate :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    bad[n].clock = ManualClock::read;
    bad[n++].clock_ticks_per_second = rate;
  }
  REQUIRE(n == bad.size());
  for (size_t i = 0; i < n; ++i) {
    CAPTURE(i);
    CHECK(flamelet_memory_required(&bad[i]) == 0);
    CHECK(flamelet_init(&bad[i]) == FLAMELET_ERROR_INVALID_ARGUMENT);
  }
  flamelet_config unset;
  std::memset(&unset, 0xA5, sizeof(unset));
  CHECK(flamelet_init(&unset) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(heap.allocations == 0);
}

TEST_CASE("recorder: the limits' largest values have a size") {
  flamelet_config config = flamelet_config_default();
  config.max_tracks = FLAMELET_MAX_TRACKS;
  config.max_sites = FLAMELET_MAX_SITES;
  config.max_strings = flamelet::kMaxStringId;
  // With less, all of them together fit into a size_t of 32 bits.
  config.string_bytes = sizeof(size_t) > 4 ? flamelet::kMostBytes - 1 : flamelet::kMostBytes / 2;
  config.max_fibers = 65536;
  config.max_submit_events = 1u << 24;
  config.max_submit_open = 1u << 14;
  const size_t least = flamelet_memory_required(&config);
  CHECK(least > config.string_bytes);
  CHECK(least < config.string_bytes + (size_t{1} << 30));
}

// ---- Switching ---------------------------------------------------------------------------------------------------

TEST_CASE("recorder: every result has a sentence, and so has any other number") {
  for (int i = -1; i < 40; ++i) {
    const char* message = flamelet_result_message(i);
    REQUIRE(message != nullptr);
    CHECK(std::strlen(message) >= 2);
    for (int other = 0; other < i && i <= FLAMELET_ERROR_NO_GPU_TIMESTAMPS; ++other)
      CHECK(std::strcmp(message, flamelet_result_message(other)) != 0);
  }
}

TEST_CASE("recorder: stats name the clock and the limits") {
  for_each_clock([](const flamelet_config& config) {
    Recording recording(config);
    const flamelet_stats now = stats();
    if (config.clock != nullptr) {
      CHECK(now.clock == FLAMELET_CLOCK_INJECTED);
    } else if (config.force_os_clock) {
      CHECK(now.clock == FLAMELET_CLOCK_OS);
    } else {
      CHECK(now.clock != FLAMELET_CLOCK_NONE);
    }
    CHECK(now.clock == flamelet_clock_info().kind);
    CHECK(now.tracks_limit == config.max_tracks);
    CHECK(now.sites_limit == config.max_sites);
    CHECK(now.strings_limit == config.max_strings);
    CHECK(now.string_bytes_limit >= config.string_bytes);
    flamelet_get_stats(nullptr);
  });
}

// ---- Recording switched on and off --------------------------------------------------------------------------------

TEST_CASE("recorder: start_disabled records nothing until it is enabled") {
  for_each_clock([](flamelet_config config) {
    config.start_disabled = true;
    Recording recording(config);
    CHECK_FALSE(flamelet_enabled());
    CHECK_FALSE(stats().enabled);
    { FLAMELET_SCOPE("before"); }
    FLAMELET_INSTANT("before");
    CHECK(flamelet_begin("before", "", nullptr) == 0);
    CHECK(flamelet_thread_id() == 0);
    CHECK(stats().tracks_live == 0);
    flamelet_set_enabled(true);
    CHECK(flamelet_enabled());
    { FLAMELET_SCOPE("after"); }
    EventLog log;
    CHECK(own_events(&log) == "+after -");
    CHECK(dropped(stats()) == 0);
  });
}

TEST_CASE_FIXTURE(LoggedRecording,
                  "recorder: a frame in which the flag changed is partial; setting it to what it is changes nothing") {
  flamelet_frame();
  flamelet_set_enabled(true);
  flamelet_frame();
  log.read();
  CHECK(log.text(flamelet::kFrameTrack) == "#0 #1* #2");
  flamelet_set_enabled(false);
  flamelet_frame();
  flamelet_set_enabled(true);
  flamelet_frame();
  flamelet_frame();
  log.read();
  CHECK(log.text(flamelet::kFrameTrack) == "#0 #1* #2 #3* #4* #5");
}

// ---- Every limit: N works, N + 1 is counted and corrupts nothing --------------------------------------------------

TEST_CASE("recorder: max_tracks threads record; one more is counted, event by event") {
  Recording recording(with(small_config(), &flamelet_config::max_tracks, 3));
  CHECK(flamelet_thread_id() == 1);
  CHECK(flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9) == 2);
  CHECK(flamelet_track_create("server", FLAMELET_TRACK_EXTERNAL, 1e9) == 3);
  CHECK(stats().tracks_live == 3);
  CHECK(stats().dropped_no_track == 0);
  CHECK(flamelet_track_create("too many", FLAMELET_TRACK_EXTERNAL, 1e9) == 0);
  CHECK(stats().dropped_no_track == 1);
  CHECK(stats().tracks_live == 3);
  flamelet_track_destroy(3);
  uint32_t id = 0;
  std::thread([&id] { id = flamelet_thread_id(); }).join();
  CHECK(id == 4);
}

TEST_CASE("recorder: on a thread without a track each event that would be there is counted, and nothing else") {
  struct Row {
    const char* what;
    uint64_t events;
    void (*record)();
  };
  const Row rows[] = {
      {"macro", 2, [] { FLAMELET_SCOPE("a"); }},
      {"macro, next", 3,
       [] {
         FLAMELET_BEGIN(scope, "a");
         FLAMELET_NEXT(scope, "b");
       }},
      {"macro, instant", 1, [] { FLAMELET_INSTANT("a"); }},
      {"site", 2, [] { flamelet_site_end(flamelet_site_begin(flamelet_site_create("a", "", "", 0, "", 0))); }},
      {"begin, end", 2, [] { flamelet_end(flamelet_begin("a", "", nullptr)); }},
      {"begin, end_top", 2,
       [] {
         flamelet_begin("a", "", nullptr);
         flamelet_end_top();
       }},
      {"begin, next, end", 3, [] { flamelet_end(flamelet_next(flamelet_begin("a", "", nullptr), "b", "")); }},
      {"next, end", 2, [] { flamelet_end(flamelet_next(0, "a", "")); }},
      {"instant", 1, [] { flamelet_instant("a", "", nullptr); }},
      {"counter", 1, [] { flamelet_counter("a", "", 1); }},
      {"interval", 2, [] { flamelet_interval_end(flamelet_interval_begin("a", "", nullptr)); }},
      {"flow", 1, [] { flamelet_flow_begin(1); }},
      {"a thread's name", 0, [] { flamelet_set_thread_name("a"); }},
      {"a thread's number", 0, [] { CHECK(flamelet_thread_id() == 0); }},
  };
  for (const uint32_t has_track : {0u, 1u}) {
    Recording recording(with(small_config(), &flamelet_config::max_tracks, 1 + has_track));
    FLAMELET_INSTANT("this thread has a track");
    for (const Row& row : rows) {
      CAPTURE(row.what);
      if (has_track != 0 && row.events == 0) continue;
      const flamelet_stats before = stats();
      std::thread(row.record).join();
      CHECK(stats().dropped_no_track - before.dropped_no_track == (has_track != 0 ? 0 : row.events));
      CHECK(stats().events_recorded - before.events_recorded == (has_track != 0 ? row.events : 0));
      CHECK(stats().extra_ends == 0);
    }
  }
}

TEST_CASE("recorder: all FLAMELET_MAX_TRACKS tracks can be live") {
  Recording recording(with_tracks(FLAMELET_MAX_TRACKS, 8));
  uint32_t free_slots = 0;  // a thread that recorded in an earlier session keeps its slot, for its next event
  for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot)
    free_slots += flamelet::tracks[slot].state.load_relaxed() == flamelet::kTrackFree ? 1u : 0u;
  for (uint32_t i = 1; i <= free_slots; ++i) REQUIRE(flamelet_track_create("track", FLAMELET_TRACK_EXTERNAL, 1e9) == i);
  CHECK(flamelet_track_create("track", FLAMELET_TRACK_EXTERNAL, 1e9) == 0);
  CHECK(stats().dropped_no_track == 1);
  std::thread([] { CHECK(flamelet_begin("no track left", "", nullptr) == 0); }).join();
  CHECK(stats().dropped_no_track == 3);
}

TEST_CASE("recorder: max_sites sites have their names; later ones share the overflow's, and are counted") {
  flamelet_config config = small_config();
  config.max_sites = 4;  // one of them is the overflow, one is kept for macros
  Recording recording(config);
  EventLog log;
  const char* names[] = {"a", "b", "c", "d", "e"};
  for (const char* name : names) flamelet_end(flamelet_begin(name, "", nullptr));
  flamelet_end(flamelet_begin("c", "", nullptr));
  { FLAMELET_SCOPE("macro"); }
  { FLAMELET_SCOPE("one macro too many"); }
  CHECK(own_events(&log) == "+a - +b - +(overflow) - +(overflow) - +(overflow) - +(overflow) - +macro - +(overflow) -");
  CHECK(stats().sites_used == 4);
  CHECK(stats().sites_overflowed >= 3);
}

TEST_CASE("recorder: names of calls and sites made at run time leave room for macros and threads") {
  flamelet_config config = small_config();
  config.max_sites = config.max_strings = 64;
  for (const bool by_site : {false, true}) {
    CAPTURE(by_site);
    Recording recording(config);
    for (int i = 0; i < 64; ++i) {
      const std::string name = "name " + std::to_string(i);
      flamelet_end(by_site ? flamelet_site_begin(flamelet_site_create(name.c_str(), nullptr, nullptr, 0, "", 0))
                           : flamelet_begin(name.c_str(), "", nullptr));
    }
    const flamelet_stats before = stats();
    CHECK(before.sites_used == 48);
    CHECK(before.sites_overflowed > 0);
    EventLog log;
    { FLAMELET_SCOPE("static"); }
    flamelet_set_thread_name("late");
    const std::string events = own_events(&log), last = " +static -";
    CHECK(events.substr(events.size() - last.size()) == last);
    CHECK(stats().sites_overflowed == before.sites_overflowed);
    CHECK(stats().strings_overflowed == before.strings_overflowed);
  }
}

TEST_CASE("recorder: interned text leaves room for the names of sites and threads") {
  flamelet_config config = small_config();
  config.max_strings = 64;
  config.string_bytes = 4096;
  for (const size_t size : {0u, 100u}) {  // full by number, or by bytes
    CAPTURE(size);
    Recording recording(config);
    EventLog log;
    const std::string filler(size, '.');
    for (int i = 0; i < 100; ++i) flamelet_intern((filler + std::to_string(i)).c_str());
    CHECK(stats().strings_overflowed > 30);
    flamelet_set_thread_name("thread");
    const uint64_t overflowed = stats().strings_overflowed;
    { FLAMELET_SCOPE("scope"); }
    flamelet_end(flamelet_begin("by name", "other", nullptr));
    CHECK(own_events(&log) == "+scope - +by name -");
    CHECK(stats().strings_overflowed == overflowed);
  }
}

TEST_CASE(
    "recorder: three quarters of max_strings are kept of interned text; later ones share the overflow's, and are "
    "counted") {
  Recording recording(with(small_config(), &flamelet_config::max_strings, 16));
  std::vector<const char*> kept;
  for (int i = 0; stats().strings_used < 12; ++i) {  // a quarter is kept for sites and threads
    kept.push_back(flamelet_intern(std::to_string(i).c_str()));
    REQUIRE(kept.back() == std::to_string(i));
  }
  CHECK(stats().strings_overflowed == 0);
  const char* overflow = flamelet_intern("one too many");
  CHECK(std::strcmp(overflow, "(overflow)") == 0);
  CHECK(flamelet_intern("another") == overflow);
  CHECK(stats().strings_overflowed == 2);
  for (size_t i = 0; i < kept.size(); ++i) CHECK(flamelet_intern(std::to_string(i).c_str()) == kept[i]);
  CHECK(stats().strings_overflowed == 2);
}

TEST_CASE("recorder: string_bytes of text are kept, and more is counted") {
  flamelet_config config = small_config();
  config.string_bytes = 1364;  // of which a quarter is kept
  Recording recording(config);
  const std::string half(400, 'x');
  CHECK(flamelet_intern(half.c_str()) == half);
  CHECK(flamelet_intern((half + "1").c_str()) == half + "1");
  CHECK(std::strcmp(flamelet_intern((half + "2").c_str()), "(overflow)") == 0);
  CHECK(stats().strings_overflowed == 1);
  CHECK(stats().string_bytes_used <= stats().string_bytes_limit);
  CHECK(std::strcmp(flamelet_intern("small"), "small") == 0);
}

TEST_CASE_FIXTURE(Recording, "recorder: without fibers in the config none can be created") {
  CHECK(flamelet_fiber_create("a") == 0);
  CHECK(stats().dropped_fiber == 1);
  flamelet_fiber_switch(0, 1);
  CHECK(stats().fiber_misuse == 1);
}

TEST_CASE_ON_EACH_CLOCK(
    "recorder: FLAMELET_MAX_DEPTH scopes can be open; deeper ones are dropped in pairs, and counted") {
  std::vector<flamelet_id> ids;
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 5; ++i) ids.push_back(flamelet_begin("deep", "", nullptr));
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) CHECK(ids[i] != 0);
  for (uint32_t i = FLAMELET_MAX_DEPTH; i < ids.size(); ++i) CHECK(ids[i] == 0);
  CHECK(stats().dropped_depth == 5);
  {
    FLAMELET_SCOPE("macro, too deep");
    CHECK(stats().dropped_depth == 6);
  }
  FLAMELET_INSTANT("a point needs no depth");
  while (!ids.empty()) {
    flamelet_end(ids.back());
    ids.pop_back();
  }
  CHECK(log.read_problem() == "");
  const TrackState& track = log.track(flamelet_thread_id());
  CHECK(track.read == 2 * FLAMELET_MAX_DEPTH + 1);
  CHECK(track.open.empty());
  CHECK(stats().missing_ends + stats().extra_ends == 0);
}

TEST_CASE("recorder: max_submit_events of one submit are taken; the rest is counted") {
  Recording recording(with(small_config(), &flamelet_config::max_submit_events, 4));
  const uint32_t track = calibrated_track();
  flamelet_event events[5] = {};
  for (flamelet_event& event : events) {
    event.type = 'I';
    event.name = "point";
  }
  CHECK(flamelet_submit(track, events, 4) == 4);
  CHECK(stats().dropped_submit == 0);
  CHECK(flamelet_submit(track, events, 5) == 4);
  CHECK(stats().dropped_submit == 1);
}

TEST_CASE("recorder: the limits' smallest values are taken, and one event a submit still makes a scope") {
  flamelet_config config = small_config();
  config.max_tracks = config.max_sites = config.max_submit_events = 1;
  config.max_strings = 16;
  config.string_bytes = 1024;
  config.max_fibers = config.max_submit_open = 0;
  CHECK(flamelet_memory_required(&config) != 0);
  Recording recording(
      with(with(small_config(), &flamelet_config::max_submit_events, 1), &flamelet_config::max_submit_open, 1));
  const uint32_t track = calibrated_track();
  flamelet_event event = {};
  event.id = 7;
  event.name = "pass";
  for (const char type : {'B', 'E'}) {
    event.type = type;
    CHECK(flamelet_submit(track, &event, 1) == 1);
  }
  CHECK(stats().dropped_submit == 0);
  CHECK(stats().submit_waiting == 0);
}
