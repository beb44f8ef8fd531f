// SPDX-License-Identifier: MIT
//
// Every limit: N works, N + 1 is counted and corrupts nothing.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "record/track.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE("recorder: max_tracks threads record; one more is counted, event by event") {
  flamelet_config config = small_config();
  config.max_tracks = 3;
  Recording recording(config);
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
    flamelet_config config = small_config();
    config.max_tracks = 1 + has_track;
    Recording recording(config);
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
  flamelet_config config = small_config();
  config.max_tracks = FLAMELET_MAX_TRACKS;
  keep_pages(&config, 8);
  Recording recording(config);
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
  flamelet_config config = small_config();
  config.max_strings = 16;
  Recording recording(config);
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

TEST_CASE("recorder: max_fibers fibers exist; one more is counted, and a place that was given back is good again") {
  flamelet_config config = small_config();
  config.max_fibers = 3;
  keep_pages(&config, 64);
  Recording recording(config);
  const uint32_t a = flamelet_fiber_create("a"), b = flamelet_fiber_create("b"), c = flamelet_fiber_create("c");
  CHECK(a != 0);
  CHECK(b != 0);
  CHECK(c != 0);
  CHECK(flamelet_fiber_create("d") == 0);
  CHECK(stats().dropped_fiber == 1);
  flamelet_fiber_destroy(b);
  const uint32_t d = flamelet_fiber_create("d");
  CHECK(d != 0);
  CHECK(d != b);
  CHECK(stats().dropped_fiber == 1);
}

TEST_CASE("recorder: without fibers in the config none can be created") {
  Recording recording;
  CHECK(flamelet_fiber_create("a") == 0);
  CHECK(stats().dropped_fiber == 1);
  flamelet_fiber_switch(0, 1);
  CHECK(stats().fiber_misuse == 1);
}

TEST_CASE("recorder: FLAMELET_MAX_DEPTH scopes can be open; deeper ones are dropped in pairs, and counted") {
  on_each_clock([](EventLog& log) {
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
    CHECK(stats().extra_ends == 0);
    CHECK(stats().missing_ends == 0);
  });
}

TEST_CASE("recorder: max_submit_events of one submit are taken; the rest is counted") {
  flamelet_config config = small_config();
  config.max_submit_events = 4;
  Recording recording(config);
  const uint32_t track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
  CHECK(flamelet_track_calibrate(track, 0, flamelet_now_ticks()) == FLAMELET_OK);
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

// ---- Answers -----------------------------------------------------------------------------------------------------
