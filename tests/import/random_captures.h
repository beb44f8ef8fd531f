// SPDX-License-Identifier: MIT
//
// random_captures.h: captures of anything, in odd places, by seed: recorded ones and ones that were put together.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/building.h"
#include "support/captured_recording.h"

inline std::string random_name(std::mt19937& random) {
  static const std::string kNames[] = {"Update",
                                       "quote \" and \\",
                                       "tab\tline\nend",
                                       "\xC3\xA4\xE2\x82\xAC",
                                       "bad \xFF",
                                       "bad \xFE",
                                       "cut \xE2\x82",
                                       "zero \x01\x1F\x7F",
                                       "",
                                       "surrogate \xED\xA0\x80"};
  switch (random() % 12) {
    case 0:
      return std::string(1, '\0') + "nul";
    case 1:
      return "name " + std::to_string(random() % 100);
    default:
      return kNames[random() % (sizeof kNames / sizeof *kNames)];
  }
}

inline double random_value(std::mt19937& random) {
  static const double kValues[] = {0.0,
                                   -0.0,
                                   1.0 / 3,
                                   1e300,
                                   -5e-324,
                                   123456789012345680.0,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::nan("")};
  return kValues[random() % (sizeof kValues / sizeof *kValues)];
}

// Whatever the recorder takes, also what it should not be given.
class RandomRecording : public recorder_test::CapturedRecording {
 public:
  // Some clocks tick several times in a nanosecond.
  explicit RandomRecording(uint32_t seed) : CapturedRecording("Main", seed % 2 == 0 ? 1e9 : 3.1e9), random_(seed) {
    recorder_test::now_ns = random_() % 1000000;
    for (uint32_t& fiber : fibers_) fiber = flamelet_fiber_create(text());
    queue_ = flamelet_track_create("queue", FLAMELET_TRACK_GPU, 1e9);
  }
  void step() {
    recorder_test::now_ns += random_() % 3 == 0 ? 0 : random_() % 2000;
    switch (random_() % 17) {
      case 0:
      case 1:
      case 2:
      case 3:
        open_.push_back(flamelet_begin(text(), text(), random_() % 4 == 0 ? text() : nullptr));
        return;
      case 4:
      case 5:
      case 6:
        if (open_.empty()) return;
        flamelet_end(open_.back());
        return open_.pop_back();
      case 7:
        if (open_.empty()) return;  // with others inside of it
        flamelet_end(open_[random_() % open_.size()]);
        return;
      case 8:
        return flamelet_instant(text(), text(), random_() % 2 == 0 ? text() : nullptr);
      case 9:
        return flamelet_counter(text(), text(), random_value(random_));
      case 10:
        return flamelet_frame();
      case 13:
        return flamelet_frame_named(text());
      case 14:
        return flamelet_flow_begin(random_() % 4 == 0 ? UINT64_MAX - random_() % 3 : random_() % 6);
      case 15:
        return flamelet_flow_end(random_() % 4 == 0 ? UINT64_MAX - random_() % 3 : random_() % 6);
      case 11: {
        const uint32_t to = random_() % 2 == 0 ? 0 : fibers_[random_() % 3];
        flamelet_fiber_switch(fiber_, to);
        fiber_ = to;
        return;
      }
      case 12:
        if (random_() % 2 == 0 || started_.empty()) {
          started_.push_back(flamelet_interval_begin(text(), text(), random_() % 2 == 0 ? text() : nullptr));
        } else {
          flamelet_interval_end(started_[random_() % started_.size()]);
        }
        return;
      default:
        return submit();
    }
  }

 private:
  const char* text() { return flamelet_intern(random_name(random_).c_str()); }
  void submit() {
    flamelet_event events[2] = {};
    events[0].type = 'B';
    events[1].type = 'E';
    events[0].time_ticks = recorder_test::now_ns + random_() % 3000;
    events[1].time_ticks = events[0].time_ticks + random_() % 3 * (random_() % 2000);
    events[0].id = events[1].id = ++submitted_;
    events[0].name = text();
    flamelet_submit(queue_, events, 2);
  }

  std::mt19937 random_;
  std::vector<flamelet_id> open_, started_;
  uint32_t fibers_[3] = {};
  uint32_t fiber_ = 0;
  uint32_t queue_ = 0;
  uint64_t submitted_ = 0;
};

// A capture with everything that a capture can hold, in odd places: times that collide, names that are no text, flags.
inline flamelet_capture* random_capture(uint32_t seed, recorder_test::Building* building) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  flamelet_capture_builder* const builder = building->builder;
  const auto string = [&](const std::string& text) { return building->string(text); };
  if (below(4) != 0) flamelet_capture_builder_set_origin(builder, 1700000000000000000u + random());
  std::vector<uint32_t> sites, texts = {0, string("object"), string("b\xFFyte"), string(std::string("nul\0nul", 7))};
  constexpr const char* kNames[] = {"site", "another", "b\xFEyte", "b\xFFyte"};
  for (uint32_t i = 0; i < 6; ++i)
    sites.push_back(flamelet_capture_builder_site(
        builder, string(kNames[below(4)]), below(2) == 0 ? 0 : string("category"), below(2) == 0 ? 0 : string("a.cpp"),
        below(2) == 0 ? 0 : string("f()"), below(3), below(2) * 0xAB12));
  std::vector<uint32_t> lanes, threads, thread_lanes;
  const uint32_t lane_count = 1 + below(5);
  for (uint32_t i = 0; i < lane_count; ++i) {
    const auto kind = static_cast<flamelet_lane_kind>(below(4));
    const uint32_t id = 10 + i;
    lanes.push_back(
        flamelet_capture_builder_span_lane(builder, kind, id, string("lane " + std::to_string(below(3))), true));
    if (kind == FLAMELET_LANE_THREAD) threads.push_back(id);
    if (kind == FLAMELET_LANE_THREAD) thread_lanes.push_back(lanes.back());
    // Spans that nest: each begins in the one around it, often with it, and ends in it.
    std::vector<int64_t> ends;
    int64_t now_ns = static_cast<int64_t>(below(100)) - 50;
    std::vector<flamelet_span> spans;
    for (uint32_t n = below(40); n != 0; --n) {
      while (!ends.empty() && (ends.back() <= now_ns || below(4) == 0)) {
        now_ns = std::max(now_ns, ends.back());
        ends.pop_back();
      }
      flamelet_span span = {};
      span.begin_ns = now_ns += below(3) * below(20);
      span.end_ns = span.begin_ns + below(4) * static_cast<int64_t>(below(50));
      if (!ends.empty()) {
        span.begin_ns = now_ns = std::min(now_ns, ends.back());
        span.end_ns = std::clamp(span.end_ns, span.begin_ns, ends.back());
      }
      span.depth = span.begin_ns == span.end_ns ? static_cast<uint16_t>(ends.size()) : uint16_t{FLAMELET_DEPTH_UNKNOWN};
      span.site = sites[below(6)];
      span.name = below(3) == 0 ? string("dynamic " + std::to_string(below(3))) : 0;
      span.object = texts[below(4)];
      span.id = below(3);
      constexpr uint16_t kFlags[] = {0, 0, FLAMELET_SPAN_MISSING_END, FLAMELET_SPAN_MISSING_BEGIN,
                                     FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED};
      span.flags = kFlags[below(5)];
      ends.push_back(span.end_ns);
      spans.push_back(span);
    }
    for (const flamelet_span& span : spans) flamelet_capture_builder_span(builder, lanes.back(), &span);
    for (uint32_t n = below(10); n != 0; --n) {
      const int64_t time_ns = below(200);
      if (below(2) == 0) {
        flamelet_capture_builder_instant(builder, lanes.back(), time_ns, sites[below(6)],
                                         below(2) == 0 ? 0 : string("dynamic"), texts[below(4)]);
      } else {
        constexpr double kValues[] = {0, -0.0, 1.5, HUGE_VAL, -HUGE_VAL};
        const uint32_t value = below(6);
        flamelet_capture_builder_counter(builder, lanes.back(), time_ns, sites[below(6)],
                                         value == 5 ? std::nan("") : kValues[value]);
      }
    }
  }
  const auto thread = [&] {
    return threads.empty() || below(4) == 0 ? 999 : threads[below(static_cast<uint32_t>(threads.size()))];
  };
  for (uint32_t n = below(20), id = 1; n != 0; --n, ++id) {
    const int64_t begin_ns = below(20) * 10;
    flamelet_capture_builder_interval(builder, below(5) == 0 ? 0 : thread(), begin_ns, below(5) == 0 ? 0 : thread(),
                                      begin_ns + below(5) * 10, id, sites[below(6)], 0, texts[below(4)]);
  }
  int64_t frame_ns = -20;
  for (uint32_t n = below(6), i = 0; n != 0; --n, ++i) {
    const int64_t begin_ns = frame_ns;
    frame_ns += 1 + below(50);
    flamelet_capture_builder_mark_frames(builder, lanes[below(lane_count)]);
    flamelet_capture_builder_frame(builder, 100 + i * 2, begin_ns, frame_ns, below(8));
    for (const uint32_t lane : thread_lanes)
      if (flamelet_thread_time time = {}; below(2) == 0) {
        time.known = below(32);
        time.ran_ns = below(1000);
        time.ready_ns = below(1000);
        time.switches = below(9);
        time.major_faults = below(9);
        time.minor_faults = below(9);
        flamelet_capture_builder_thread_time(builder, 100 + i * 2, lane, &time);
      }
  }
  for (uint32_t n = below(20); n != 0; --n)
    flamelet_capture_builder_flow(builder, lanes[below(lane_count)], static_cast<int64_t>(below(200)) - 20, below(5),
                                  below(2) == 0);
  for (uint32_t n = below(12); n != 0; --n) {
    const int64_t begin_ns = below(20) * 10;
    flamelet_capture_builder_named_frame(builder, texts[below(4)], 1 + below(30), begin_ns, begin_ns + below(50),
                                         below(4));
  }
  return building->finish();
}
