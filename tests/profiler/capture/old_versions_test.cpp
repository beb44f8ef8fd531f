// SPDX-License-Identifier: MIT
//
// Files that earlier versions of the library wrote, and what stands in them. A file is made once, when its version is
// the newest, and never again.
//
// data/version_1.flamelet: the last frames of a small game by a clock that rises 10 ns with each reading. In frame 1 the
// ring was overwritten before it was read; in frame 2 are scopes, an object, a dynamic name, an instant, a counter, a
// missing end and an extra one; an interval goes on to another thread, and so does a fiber in frame 3; recording is
// switched off and on; in frame 4 is the GPU.
// data/version_2.flamelet: two frames of what platform/record_everything.cpp records, by the library of November 2026.
// data/version_3.ring: a ring file of two fibers on one thread, as tests/fuzz/make_seeds.cpp recorded them. There is
// a lane for one of them.
#include <doctest/doctest.h>

#include <string>

#include "flamelet/capture_file.h"
#include "support/read.h"

namespace flamelet {
namespace {

std::string string_of(flamelet_string text) {
  return std::string(text.text, text.size);
}

// A capture's content as lines of text.
class Description {
 public:
  explicit Description(const flamelet_capture* capture) : capture_(capture) {
    for (size_t i = 0; i < flamelet_capture_frame_count(capture); ++i) add_frame(i);
    for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i) add_lane(i);
    add_intervals();
  }
  std::string text;

 private:
  std::string named(uint32_t name, uint32_t site, uint32_t object) const {
    flamelet_site_info info;
    REQUIRE(flamelet_capture_site(capture_, site, &info));
    std::string all = string_of(flamelet_capture_string(capture_, name)) + " in " + string_of(info.category);
    if (object != 0) all += " of " + string_of(flamelet_capture_string(capture_, object));
    return all;
  }
  static std::string times(int64_t begin_ns, int64_t end_ns) {
    return std::to_string(begin_ns) + "-" + std::to_string(end_ns) + " ";
  }
  void add_frame(size_t position) {
    flamelet_frame_info frame;
    REQUIRE(flamelet_capture_frame(capture_, position, &frame));
    text += "frame " + std::to_string(frame.index) + ": " + times(frame.begin_ns, frame.end_ns) + "flags " +
            std::to_string(frame.flags) + "\n";
  }
  void add_lane(size_t lane) {
    const flamelet_lane_info info = recorder_test::lane_of(capture_, lane);
    text += "lane " + string_of(info.name) + ": kind " + std::to_string(info.kind) + ", read " +
            std::to_string(info.events_read) + ", lost " + std::to_string(info.events_lost) + "\n";
    for (const flamelet_span& span : recorder_test::read_spans(capture_, lane)) {
      text += "  " + std::string(2 * size_t{span.depth}, ' ') + times(span.begin_ns, span.end_ns) +
              named(span.name, span.site, span.object);
      if (span.flags != 0) text += ", flags " + std::to_string(span.flags);
      text += "\n";
    }
    size_t fillers = 0;
    for (const flamelet_point& point : recorder_test::read_points(capture_, lane)) {
      const std::string name = string_of(flamelet_capture_string(capture_, point.name));
      if (name == "lost" || name == "filler") {
        ++fillers;
        continue;
      }
      text += "  " + std::to_string(point.time_ns) + " " + named(point.name, point.site, point.object);
      if (point.kind == FLAMELET_POINT_COUNTER) text += " = " + std::to_string(point.value);
      text += "\n";
    }
    if (fillers != 0) text += "  " + std::to_string(fillers) + " fillers\n";
  }
  void add_intervals() {
    flamelet_interval intervals[4];
    const size_t count = flamelet_capture_read_intervals(capture_, INT64_MIN, INT64_MAX, intervals, 4);
    REQUIRE(count <= 4);
    for (size_t i = 0; i < count; ++i) {
      const flamelet_interval& interval = intervals[i];
      text += "interval " + times(interval.begin_ns, interval.end_ns) +
              named(interval.name, interval.site, interval.object) + ", from thread " +
              std::to_string(interval.begin_track) + " to " + std::to_string(interval.end_track) + ", flags " +
              std::to_string(interval.flags) + "\n";
    }
  }

  const flamelet_capture* capture_;
};

constexpr const char* kVersion1 = R"(frame 1: 30-78150 flags 2
frame 2: 78150-78290 flags 0
frame 3: 78290-78400 flags 1
frame 4: 78400-78440 flags 1
lane main: kind 0, read 4787, lost 3013
  40-75940 burst in game
  78160-78260 update in game
    78180-78210 ai in game of troll 7
    78210-78220 path in game
    78230-78250 level 3 in 
      78240-78250 forgotten in game, flags 2
  78310-78320 job in game, flags 32
  78410-78430 draw in render
  78450-78560 still open in game, flags 1
  78190 spawn in game of arrow
  78200 entities in game = 42.500000
  250 fillers
lane script: kind 3, read 0, lost 0
  78310-78360 job in game
lane worker: kind 0, read 6, lost 0
  78330-78350 work in game, flags 32
  78350-78360 job in game, flags 16
  78370-78380 work in game, flags 16
lane GPU: kind 1, read 3, lost 0
  78415-78515 shadow in render
    78460-78515 cut in render, flags 8
  78470 flip in render
interval 78270-78340 load in io of a.png, from thread 1 to 2, flags 0
interval 78280-78560 never finished in io, from thread 1 to 0, flags 1
)";

constexpr const char* kRingVersion3 = R"(lane thread 1: kind 0, read 8, lost 0
  28-35 in the first in seed, flags 32
  42-49 in the second in , flags 32
  49-56 in the first in seed, flags 16
  63-70 in the second in , flags 16
lane first fiber: kind 3, read 0, lost 0
  28-56 in the first in seed
)";

}  // namespace

TEST_CASE("a capture file of version 1 loads with everything that is in it") {
  flamelet_capture* capture = nullptr;
  flamelet_load_report report = {};
  REQUIRE(flamelet_capture_load(nullptr, FLAMELET_CAPTURE_TEST_DATA "/version_1.flamelet", &capture, &report) ==
          FLAMELET_OK);
  CHECK(report.format_version == 1);
  CHECK_FALSE(report.truncated);
  CHECK(report.chunks_damaged + report.chunks_unknown + report.entries_refused + report.pages_refused == 0);
  CHECK(Description(capture).text == kVersion1);

  const flamelet_capture_stats stats = recorder_test::stats_of(capture);
  CHECK(stats.events_read == 4802);
  CHECK(stats.events_lost == 3013);
  CHECK(stats.missing_ends == 1);
  CHECK(stats.extra_ends == 0);
  CHECK(stats.bad_words == 0);
  CHECK(stats.names_missing == 0);
  CHECK(stats.times_clamped == 0);
  const flamelet_clock clock = flamelet_capture_clock(capture);
  CHECK(clock.kind == FLAMELET_CLOCK_INJECTED);
  CHECK(clock.origin_ticks == 1000010);
  CHECK(clock.ticks_per_second == 1e9);
  flamelet_capture_destroy(capture);
}

TEST_CASE("a capture file of version 2 loads with everything that is in it") {
  flamelet_capture* capture = nullptr;
  flamelet_load_report report = {};
  REQUIRE(flamelet_capture_load(nullptr, FLAMELET_CAPTURE_TEST_DATA "/version_2.flamelet", &capture, &report) ==
          FLAMELET_OK);
  CHECK(report.format_version == 2);
  CHECK_FALSE(report.truncated);
  CHECK(report.chunks_damaged + report.chunks_unknown + report.entries_refused + report.pages_refused == 0);
  std::string lanes;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const flamelet_lane_info info = recorder_test::lane_of(capture, lane);
    lanes += string_of(info.name) + " " + std::to_string(recorder_test::read_spans(capture, lane).size()) + " " +
             std::to_string(recorder_test::read_points(capture, lane).size()) + ", ";
  }
  CHECK(lanes == "Main 246 14, Loader 23 0, Worker 69 0, GPU queue 100 0, ");
  CHECK(flamelet_capture_frame_count(capture) == 2);
  CHECK(flamelet_capture_frame_sets(capture, nullptr, 0) == 1);
  flamelet_interval intervals[4];
  CHECK(flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, intervals, 4) == 2);
  CHECK(flamelet_capture_count_flows(capture, INT64_MIN, INT64_MAX) == 35);
  flamelet_capture_destroy(capture);
}

TEST_CASE("a ring file of version 3 is recovered with everything that is in it") {
  flamelet_capture* capture = nullptr;
  flamelet_recover_report report = {};
  REQUIRE(flamelet_capture_recover(nullptr, FLAMELET_CAPTURE_TEST_DATA "/version_3.ring", &capture, &report) ==
          FLAMELET_OK);
  CHECK(report.pages_refused + report.names_refused == 0);
  CHECK(Description(capture).text == kRingVersion3);
  const flamelet_capture_stats stats = recorder_test::stats_of(capture);
  CHECK(stats.events_lost == 0);
  CHECK(stats.bad_words == 0);
  flamelet_capture_destroy(capture);
}

}  // namespace flamelet
