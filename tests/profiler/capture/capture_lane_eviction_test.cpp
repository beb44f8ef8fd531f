// SPDX-License-Identifier: MIT
//
// More threads and fibers than a capture has lanes for.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/capture_file.h"
#include "support/capture.h"
#include "support/loaded.h"
#include "support/recording.h"
#include "support/string_io.h"

namespace capture_lane_eviction_test {

namespace {

using recorder_test::Capture;
using recorder_test::Captured;
using recorder_test::ManualClock;
using recorder_test::Recording;
using recorder_test::stats;

constexpr uint32_t kLeastLanes = 2 * FLAMELET_MAX_TRACKS;

// One after the other, each with three events; and a frame for each hundred. Their names are "thread 1" and so on, unless
// something else records before or meanwhile.
void record_threads(uint32_t count) {
  for (uint32_t i = 1; i <= count; ++i) {
    std::thread([] {
      flamelet_end(flamelet_begin("job", "", nullptr));
      flamelet_instant("done", "", nullptr);
    }).join();
    if (i % 100 == 0) flamelet_frame();
  }
}

// "fiber 1" and so on, one after the other. Only as many names are known as there are places for fibers.
void record_fibers(uint32_t count) {
  for (uint32_t i = 1; i <= count; ++i) {
    const uint32_t fiber = flamelet_fiber_create(("fiber " + std::to_string(i)).c_str());
    REQUIRE(fiber != 0);
    flamelet_fiber_switch(0, fiber);
    flamelet_end(flamelet_begin("task", "", nullptr));
    flamelet_fiber_switch(fiber, 0);
    flamelet_fiber_destroy(fiber);
  }
}

flamelet_config recorder_config(uint32_t pages, uint32_t max_fibers = 0) {
  flamelet_config config = recorder_test::small_config();
  config.max_tracks = 16;
  config.max_fibers = max_fibers;
  config.max_strings = 16384;
  config.string_bytes = size_t{1} << 20;
  recorder_test::keep_pages(&config, pages);
  return config;
}

flamelet_capture_config capture_config(uint32_t max_tracks) {
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{64} << 20;
  config.max_tracks = max_tracks;
  return config;
}

bool has_lane(const Capture& capture, const std::string& name) {
  for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i)
    if (capture.lane_name(i) == name) return true;
  return false;
}

void check_sums(const Capture& capture) {
  const flamelet_capture_stats sums = capture.stats();
  CHECK(sums.events_read + sums.events_lost == stats().events_recorded);
  uint64_t held = 0;
  for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i) {
    const flamelet_lane_info info = recorder_test::lane_of(capture, i);
    held += info.events_held;
  }
  CHECK(sums.events_held == held);
}

}  // namespace

TEST_CASE("lanes: with as many threads as places all are there; with one more the oldest goes, counted") {
  for (const uint32_t more : {0u, 1u}) {
    CAPTURE(more);
    Recording recording(recorder_config(1000));
    record_threads(kLeastLanes + more);
    Capture capture(capture_config(kLeastLanes), Captured::kNow);
    CHECK(flamelet_capture_lane_count(capture) == kLeastLanes);
    CHECK(has_lane(capture, "thread 1") == (more == 0));
    CHECK(has_lane(capture, "thread 2"));
    CHECK(capture.tree(capture.lane("thread " + std::to_string(kLeastLanes + more))) == "job");
    CHECK(capture.stats().events_evicted == 3 * more);
    CHECK(capture.stats().events_lost == 0);
    CHECK(capture.stats().names_missing == 0);
    check_sums(capture);
  }
}

TEST_CASE("lanes: of 10,000 threads the newest are kept, and the frames of the others are flagged") {
  ManualClock clock;
  Recording recording(recorder_test::with_clock(recorder_config(10100), &clock));
  record_threads(10000);
  Capture capture(capture_config(1000), Captured::kNow);
  CHECK(flamelet_capture_lane_count(capture) == 1000);
  for (const uint32_t kept : {9001u, 9500u, 10000u})
    CHECK(capture.tree(capture.lane("thread " + std::to_string(kept))) == "job");
  CHECK_FALSE(has_lane(capture, "thread 9000"));
  CHECK(capture.stats().events_evicted == 3 * 9000);
  check_sums(capture);
  // Frame i has the threads 100 i + 1 to 100 i + 100.
  size_t flagged = 0;
  for (const flamelet_frame_info& frame : capture.frames()) {
    flagged += (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
    CHECK(((frame.flags & FLAMELET_FRAME_LOSSY) != 0) == (frame.index < 90));
  }
  CHECK(flagged == 90);
}

TEST_CASE("lanes: of 10,000 threads and 5,000 fibers in one session, a default capture has all that the ring holds") {
  ManualClock clock;
  flamelet_config config = recorder_test::with_clock(flamelet_config_default(), &clock);
  config.budget_bytes = size_t{32} << 20;
  config.max_fibers = 64;
  Recording recording(config);
  flamelet_set_thread_name("Main");
  for (uint32_t i = 0; i < 100; ++i) {
    record_threads(100);
    record_fibers(50);
  }
  Capture capture(flamelet_capture_config_default(), Captured::kNow);
  const flamelet_capture_stats sums = capture.stats();
  CHECK(sums.events_evicted == 0);
  CHECK(sums.names_missing == 0);
  CHECK(sums.events_lost != 0);
  CHECK(sums.pages_held > 6500);
  check_sums(capture);
  // Each thread that is left is whole, and they are the newest.
  uint32_t threads = 0, fibers = 0, oldest = UINT32_MAX;
  flamelet_lane_info info;
  for (size_t i = 0; flamelet_capture_lane(capture, i, &info); ++i) {
    if (capture.lane_name(i) == "Main" || info.events_held == 0) continue;
    REQUIRE(info.kind == FLAMELET_LANE_THREAD);
    CHECK(info.events_held == 3);
    CHECK(info.events_lost == 0);
    ++threads;
    if (info.id < oldest) oldest = info.id;
  }
  for (size_t i = 0; flamelet_capture_lane(capture, i, &info); ++i) fibers += info.kind == FLAMELET_LANE_FIBER;
  CHECK(threads > 6000);
  CHECK(threads == 10001 - oldest + 1);  // Main is thread 1
  CHECK(fibers > 3000);                  // those whose events are in the ring
  CHECK(capture.tree(capture.lane("thread 10001")) == "job");
  // The frames that lost something are those before the oldest page.
  flamelet_frame_info frame;
  bool was_whole = false;
  for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i) {
    const bool lossy = (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
    CHECK_FALSE((lossy && was_whole));
    was_whole = was_whole || !lossy;
  }
  CHECK(was_whole);
}

TEST_CASE("lanes: a thread that is alive keeps its lane while thousands come and go") {
  Recording recording(recorder_config(3000));
  flamelet_set_thread_name("Main");
  flamelet_end(flamelet_begin("early", "", nullptr));
  record_threads(2000);
  flamelet_end(flamelet_begin("late", "", nullptr));
  Capture capture(capture_config(1));  // as many as there can be threads, all the same
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(has_lane(capture, "Main"));
  CHECK(has_lane(capture, "thread 2001"));
  check_sums(capture);
}

TEST_CASE("lanes: a thread whose lane went to another and which comes again in the same update is not counted twice") {
  Recording recording(recorder_config(3000));
  std::thread long_one([] {
    for (int i = 0; i < 200; ++i) flamelet_end(flamelet_begin("first page", "", nullptr));
    record_threads(2 * kLeastLanes);
    for (int i = 0; i < 200; ++i) flamelet_end(flamelet_begin("second page", "", nullptr));
  });
  long_one.join();
  Capture capture(capture_config(kLeastLanes), Captured::kNow);
  CHECK(capture.stats().events_evicted != 0);
  check_sums(capture);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  check_sums(capture);
}

TEST_CASE("lanes: what ended threads lost to the ring is counted, and flags the frames before the oldest page") {
  ManualClock clock;
  Recording recording(recorder_test::with_clock(recorder_config(400), &clock));
  record_threads(2001);
  Capture capture(Captured::kNow);
  CHECK(capture.stats().events_lost > 1000);
  check_sums(capture);
  CHECK(capture.tree(capture.lane("thread 2001")) == "job");
  flamelet_frame_info frame;
  size_t whole = 0;
  REQUIRE(flamelet_capture_frame_count(capture) == 20);
  for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i) {
    const bool lossy = (frame.flags & FLAMELET_FRAME_LOSSY) != 0;
    if (i < 15) CHECK(lossy);
    whole += !lossy;
  }
  CHECK(whole >= 2);
}

TEST_CASE("lanes: of 5,000 short fibers the newest have lanes, and threads come before them") {
  Recording recording(recorder_config(2000, 8));
  flamelet_set_thread_name("Main");
  record_fibers(5000);
  record_threads(20);
  Capture capture(capture_config(kLeastLanes), Captured::kNow);
  CHECK(flamelet_capture_lane_count(capture) == kLeastLanes);
  CHECK(has_lane(capture, "Main"));
  for (const uint32_t i : {2u, 21u}) CHECK(capture.tree(capture.lane("thread " + std::to_string(i))) == "job");
  CHECK(capture.stats().names_missing == 5000 + 21 - kLeastLanes);  // the fibers without a lane
  CHECK(capture.stats().events_evicted == 0);
  CHECK(capture.spans(capture.lane("Main")).size() == 5000);
  // The last fibers of the table still have their names; each lane holds its scope.
  uint32_t fibers = 0;
  flamelet_lane_info info;
  for (size_t i = 0; flamelet_capture_lane(capture, i, &info); ++i) {
    if (info.kind != FLAMELET_LANE_FIBER) continue;
    ++fibers;
    CHECK(capture.tree(i) == "task");
  }
  CHECK(fibers == kLeastLanes - 21);
  CHECK(has_lane(capture, "fiber 5000"));
  check_sums(capture);
}

TEST_CASE("lanes: with as many fibers as places all are there; with one more the oldest goes") {
  for (const uint32_t more : {0u, 1u}) {
    CAPTURE(more);
    Recording recording(recorder_config(1000, 1500));
    record_fibers(kLeastLanes - 1 + more);  // and the thread
    Capture capture(capture_config(kLeastLanes), Captured::kNow);
    CHECK(flamelet_capture_lane_count(capture) == kLeastLanes);
    CHECK(has_lane(capture, "fiber 1") == (more == 0));
    CHECK(has_lane(capture, "fiber 2"));
    CHECK(has_lane(capture, "fiber " + std::to_string(kLeastLanes - 1 + more)));
  }
}

TEST_CASE(
    "lanes: fibers that live are left out where there is no place, counted, and a thread takes the place of one") {
  Recording recording(recorder_config(1000, 1000));
  std::vector<uint32_t> fibers;
  for (uint32_t i = 0; i < 1000; ++i) {
    fibers.push_back(flamelet_fiber_create("alive"));
    flamelet_fiber_switch(0, fibers.back());
    flamelet_end(flamelet_begin("task", "", nullptr));
    flamelet_fiber_switch(fibers.back(), 0);
  }
  record_threads(3);
  Capture capture(capture_config(kLeastLanes), Captured::kNow);
  CHECK(capture.stats().names_missing != 0);
  for (const uint32_t i : {2u, 4u}) CHECK(capture.tree(capture.lane("thread " + std::to_string(i))) == "job");
  check_sums(capture);
}

TEST_CASE("a capture's default follows the ring: nothing of a full one is evicted") {
  flamelet_config config = recorder_config(20000);
  config.max_sites = 20000;
  config.max_strings = 40000;
  config.string_bytes = size_t{4} << 20;
  recorder_test::keep_pages(&config, 20000);
  Recording recording(config);
  flamelet_id next = flamelet_begin("scope", "", nullptr);
  for (uint32_t i = 0; i < 20500 * 504; ++i) next = flamelet_next(next, "scope", "");
  flamelet_end(next);
  Capture capture(flamelet_capture_config_default(), Captured::kNow);
  CHECK(capture.stats().events_evicted == 0);
  CHECK(capture.stats().pages_held > 19000);
  CHECK(capture.stats().budget_bytes > size_t{16} << 20);
  check_sums(capture);
}

TEST_CASE("a capture's default has room for every name of the recorder that runs") {
  flamelet_config config = recorder_config(100);
  config.max_strings = 50000;
  config.string_bytes = size_t{4} << 20;
  recorder_test::keep_pages(&config, 100);
  Recording recording(config);
  for (uint32_t i = 0; i < 45000; ++i)
    flamelet_instant("i", "", flamelet_intern(("a rather long object name " + std::to_string(i)).c_str()));
  Capture capture(flamelet_capture_config_default(), Captured::kNow);
  CHECK(capture.stats().names_missing == 0);
}

TEST_CASE("a file that was cut from a capture has the counts of what it holds") {
  ManualClock clock;
  Recording recording(recorder_test::with_clock(recorder_config(200), &clock));
  for (int frame = 0; frame < 100; ++frame) {
    for (int i = 0; i < 250; ++i) flamelet_end(flamelet_begin("scope", "", nullptr));
    flamelet_frame();
  }
  Capture whole(Captured::kNow);
  const flamelet_frame_info frame = recorder_test::frame_of(whole, flamelet_capture_find_frame(whole, 50));
  std::string bytes;
  REQUIRE(flamelet_capture_save_to(whole, frame.begin_ns, frame.end_ns, sink_to(&bytes)) == FLAMELET_OK);
  const recorder_test::Loaded cut(bytes);
  REQUIRE(cut.result == FLAMELET_OK);
  const flamelet_capture_stats sums = recorder_test::stats_of(cut);
  CHECK(sums.events_held > 400);
  CHECK(sums.events_held < 2000);
  CHECK(sums.events_read == sums.events_held + flamelet_capture_frame_count(cut));
  CHECK(sums.events_lost == 0);
  CHECK(sums.events_evicted == 0);
  const flamelet_lane_info info = recorder_test::lane_of(cut, 0);
  CHECK(info.events_read == sums.events_held);
  CHECK(info.events_lost == 0);
}

}  // namespace capture_lane_eviction_test
