// SPDX-License-Identifier: MIT
//
// A capture of the real recorder, through the public functions only.
#include "flamelet/capture.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "flamelet/recorder.h"
#include "support/capture.h"
#include "support/counting_allocator.h"
#include "support/recording.h"

namespace capture_test {

namespace {

using recorder_test::Capture;
using recorder_test::CountingAllocator;
using Recording = recorder_test::TickingRecording;

}  // namespace

TEST_CASE_FIXTURE(CountingAllocator, "a capture takes one block within its budget and gives it back") {
  flamelet_capture_config config = recorder_test::small_capture_config();
  config.allocator = get();
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  {
    Recording recording;
    for (int i = 0; i < 5000; ++i) flamelet_instant("i", "", nullptr);
    CHECK(flamelet_capture_update(capture) == FLAMELET_OK);
    CHECK(flamelet_capture_count_points(capture, 0, INT64_MIN, INT64_MAX) == 5000);
  }
  flamelet_capture_destroy(capture);
  flamelet_capture_destroy(nullptr);
  CHECK(allocations == 1);
  CHECK(frees == 1);
  CHECK(bytes <= config.budget_bytes);
  CHECK(bytes > config.budget_bytes - 2 * FLAMELET_PAGE_BYTES);
  CHECK(freed_bytes == bytes);
}

TEST_CASE("the least memory works, and one byte less says so") {
  flamelet_capture_config config = recorder_test::small_capture_config();
  const size_t least = flamelet_capture_memory_required(&config);
  REQUIRE(least > 0);
  flamelet_capture* capture = nullptr;
  config.budget_bytes = least - 1;
  CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(capture == nullptr);
  config.budget_bytes = least;
  REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  flamelet_capture_destroy(capture);
}

TEST_CASE_FIXTURE(CountingAllocator, "a capture without memory is an error and not a crash") {
  blocks_left = 0;
  flamelet_capture_config config = recorder_test::small_capture_config();
  config.allocator = get();
  flamelet_capture* capture = nullptr;
  CHECK(flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(capture == nullptr);
  CHECK(frees == 0);
}

TEST_CASE("a config that was not made, or has a limit out of range, is refused") {
  flamelet_capture* capture = nullptr;
  flamelet_capture_config zero = {};
  CHECK(flamelet_capture_create(&zero, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_capture_create(nullptr, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT);
  const flamelet_capture_config good = recorder_test::small_capture_config();
  CHECK(flamelet_capture_create(&good, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  const auto refuses = [&](void (*change)(flamelet_capture_config*)) {
    flamelet_capture_config config = recorder_test::small_capture_config();
    change(&config);
    return flamelet_capture_memory_required(&config) == 0 &&
           flamelet_capture_create(&config, &capture) == FLAMELET_ERROR_INVALID_ARGUMENT;
  };
  CHECK(refuses([](flamelet_capture_config* config) { config->max_tracks = UINT32_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_frames = 0; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_sites = FLAMELET_MAX_SITES + 2; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->string_bytes = SIZE_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_fiber_runs = UINT32_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) { config->max_intervals = UINT32_MAX; }));
  CHECK(refuses([](flamelet_capture_config* config) {
    config->allocator.allocate = [](void*, size_t, size_t) -> void* { return nullptr; };
  }));
}

TEST_CASE("every function accepts NULL and positions out of range") {
  Capture capture;
  flamelet_span span;
  flamelet_point point;
  flamelet_interval interval;
  flamelet_frame_info frame;
  flamelet_lane_info lane;
  flamelet_site_info site;
  flamelet_capture_stats stats;
  int64_t begin, end;
  for (flamelet_capture* at : {static_cast<flamelet_capture*>(nullptr), static_cast<flamelet_capture*>(capture)}) {
    CHECK(flamelet_capture_frame_count(at) == 0);
    CHECK_FALSE(flamelet_capture_frame(at, 0, &frame));
    CHECK_FALSE(flamelet_capture_frame(at, 0, nullptr));
    CHECK(flamelet_capture_find_frame(at, 0) == SIZE_MAX);
    CHECK(flamelet_capture_frame_at(at, 0) == SIZE_MAX);
    CHECK_FALSE(flamelet_capture_extent(at, &begin, &end));
    CHECK_FALSE(flamelet_capture_extent(at, nullptr, nullptr));
    CHECK(flamelet_capture_lane_count(at) == 0);
    CHECK_FALSE(flamelet_capture_lane(at, 0, &lane));
    CHECK(std::string(lane.name.text) == "(unknown)");
    CHECK_FALSE(flamelet_capture_lane(at, 0, nullptr));
    flamelet_capture_read_spans(at, 0, 0, 1, &span, 1, nullptr);
    CHECK(flamelet_capture_count_spans(at, 0, 0, 1) == 0);
    flamelet_capture_read_points(at, 0, 0, 1, &point, 1, nullptr);
    CHECK(flamelet_capture_count_points(at, 0, 0, 1) == 0);
    CHECK(flamelet_capture_read_intervals(at, 0, 1, &interval, 1) == 0);
    CHECK_FALSE(flamelet_capture_site(at, 5, &site));
    CHECK(std::string(site.file.text) == "(unknown)");
    CHECK_FALSE(flamelet_capture_site(at, 5, nullptr));
    CHECK(std::string(flamelet_capture_string(at, UINT32_MAX).text) == "(unknown)");
    CHECK(flamelet_capture_site_count(at) == 0);
    CHECK(flamelet_capture_clock(at).kind == FLAMELET_CLOCK_NONE);
    flamelet_capture_get_stats(at, &stats);
    CHECK(stats.events_read == 0);
    flamelet_capture_get_stats(at, nullptr);
  }
  CHECK(flamelet_capture_version(nullptr) == 0);
  CHECK(flamelet_capture_update(nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_FIXTURE(Recording, "what was recorded comes out with its names") {
  Capture capture;
  flamelet_set_thread_name("main");
  const flamelet_id outer = flamelet_begin("outer", "game", nullptr);
  const flamelet_id inner = flamelet_begin("inner", "game", flamelet_intern("player"));
  flamelet_next(inner, "second", "game");
  flamelet_counter("draws", "", 12.5);
  flamelet_end(outer);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);

  const size_t lane = capture.lane("main");
  CHECK(capture.tree(lane) == "outer(inner second)");
  const std::vector<flamelet_span> spans = capture.spans(lane);
  CHECK(spans[0].id == outer);
  CHECK(spans[1].id == inner);
  CHECK(capture.string(spans[1].object) == "player");
  CHECK(spans[2].flags == FLAMELET_SPAN_MISSING_END);
  CHECK(spans[1].end_ns == spans[2].begin_ns);
  const flamelet_site_info site = recorder_test::site_of(capture, spans[0].site);
  CHECK(std::string(site.name.text) == "outer");
  CHECK(std::string(site.category.text) == "game");
  const std::vector<flamelet_point> points = recorder_test::read_points(capture, lane);
  REQUIRE(points.size() == 1);
  CHECK(capture.string(points[0].name) == "draws");
  CHECK(points[0].value == 12.5);
  CHECK(flamelet_capture_clock(capture).kind == FLAMELET_CLOCK_INJECTED);
  CHECK(capture.stats().missing_ends == 1);
}

TEST_CASE_FIXTURE(Recording, "frames run from mark to mark, the first from the start") {
  Capture capture;
  for (int i = 0; i < 3; ++i) {
    flamelet_end(flamelet_begin("work", "", nullptr));
    flamelet_frame();
  }
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  REQUIRE(flamelet_capture_frame_count(capture) == 3);
  flamelet_frame_info frames[3];
  for (size_t i = 0; i < 3; ++i) REQUIRE(flamelet_capture_frame(capture, i, &frames[i]));
  CHECK(frames[0].index == 0);
  CHECK((frames[0].flags & FLAMELET_FRAME_PARTIAL) != 0);
  CHECK(frames[1].flags == 0);
  CHECK(frames[1].begin_ns == frames[0].end_ns);
  CHECK(frames[2].begin_ns == frames[1].end_ns);
  for (const flamelet_frame_info& frame : frames) {
    CHECK(flamelet_capture_count_spans(capture, 0, frame.begin_ns, frame.end_ns) == 1);
    CHECK(flamelet_capture_frame_at(capture, frame.begin_ns) == frame.index);
    CHECK(flamelet_capture_frame_at(capture, frame.end_ns - 1) == frame.index);
  }
}

TEST_CASE("a capture stays readable after the recorder stopped, and begins anew with the next one") {
  Capture capture;
  CHECK(flamelet_capture_update(capture) == FLAMELET_ERROR_NOT_INITIALIZED);
  {
    Recording recording;
    flamelet_end(flamelet_begin("first", "", nullptr));
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  }
  const uint64_t version = flamelet_capture_version(capture);
  CHECK(flamelet_capture_update(capture) == FLAMELET_ERROR_NOT_INITIALIZED);
  CHECK(flamelet_capture_version(capture) == version);
  CHECK(capture.tree(0) == "first");
  Recording recording;
  flamelet_end(flamelet_begin("second", "", nullptr));
  flamelet_frame();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.tree(0) == "second");
  CHECK(flamelet_capture_lane_count(capture) == 1);
  CHECK(flamelet_capture_frame_count(capture) == 1);
}

TEST_CASE_FIXTURE(Recording, "while a capture is held, an update copies nothing; then comes what the ring still has") {
  Capture capture;
  flamelet_instant("first", "", nullptr);
  capture.update();
  flamelet_capture_hold(capture, true);
  CHECK(flamelet_capture_is_held(capture));
  flamelet_instant("second", "", nullptr);
  const uint64_t version = flamelet_capture_version(capture);
  CHECK(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(flamelet_capture_version(capture) == version);
  CHECK(flamelet_capture_count_points(capture, 0, INT64_MIN, INT64_MAX) == 1);
  flamelet_capture_hold(capture, false);
  capture.update();
  CHECK(flamelet_capture_count_points(capture, 0, INT64_MIN, INT64_MAX) == 2);
}

TEST_CASE_FIXTURE(Recording, "the version changes with the content and only with it") {
  Capture capture;
  flamelet_end(flamelet_begin("a", "", nullptr));
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  uint64_t version = flamelet_capture_version(capture);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(flamelet_capture_version(capture) == version);
  const auto changes = [&](void (*act)()) {
    act();
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    const uint64_t before = version;
    version = flamelet_capture_version(capture);
    return version != before;
  };
  CHECK(changes([] { flamelet_instant("b", "", nullptr); }));
  CHECK(changes([] { flamelet_set_thread_name("renamed"); }));
  CHECK(changes([] { flamelet_frame(); }));
  CHECK_FALSE(changes([] {}));
}

TEST_CASE_FIXTURE(
    Recording,
    "intervals that start at the same tick, of one site or of many, on one thread or on some, are told apart") {
  Capture capture;
  clock.step = 0;
  std::vector<flamelet_id> started;
  const auto start = [&started] {
    for (int i = 0; i < 10; ++i) started.push_back(flamelet_interval_begin("load", "io", nullptr));
    // Sites with ids of few bits, and of more than the number of an interval takes.
    for (int i = 0; i < 300; ++i)
      started.push_back(flamelet_interval_begin(("load " + std::to_string(i)).c_str(), "io", nullptr));
  };
  start();
  for (int i = 0; i < 12; ++i) std::thread(start).join();
  for (size_t i = 0; i < started.size(); i += 2) flamelet_interval_end(started[i]);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const std::vector<flamelet_interval> found = recorder_test::read_intervals(capture);
  REQUIRE(found.size() == started.size());
  for (size_t i = 0; i < started.size(); ++i) {
    size_t same = 0;
    for (const flamelet_interval& interval : found) {
      if (interval.id != started[i]) continue;
      ++same;
      CHECK(interval.flags == (i % 2 == 0 ? 0 : FLAMELET_SPAN_OPEN));
      CHECK((interval.begin_track == flamelet_thread_id()) == (i < 310));
    }
    CHECK(same == 1);
  }
  const flamelet_capture_stats stats = recorder_test::stats_of(capture);
  CHECK(stats.extra_ends == 0);
  CHECK(stats.bad_words == 0);
}

}  // namespace capture_test
