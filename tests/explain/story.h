// SPDX-License-Identifier: MIT
//
// story.h: usual frames of a few threads, and a last one that is longer, made span by span.
#pragma once

#include <string>

#include "explain/explaining.h"
#include "flamelet/lock.h"
#include "flamelet/scope.h"
#include "support/building.h"

namespace explain_test {

constexpr int64_t kMs = 1000000;
constexpr int64_t kFrame = 10 * kMs;
constexpr int64_t kFrames = 40;  // usual ones, before the one in question

// Frames of 10 ms, and a last one that is longer. The thread Main marks them.
struct Story {
  recorder_test::Building building;
  uint32_t main = lane("Main"), other = lane("Other"), worker = lane("Worker");
  bool is_long_before = false;  // the frame before takes twice as long
  uint64_t flows = 0;
  Explaining explain;
  flamelet_capture* capture = nullptr;
  flamelet_explanation why = {};

  explicit Story(const flamelet_explain_config& config = flamelet_explain_config_default()) : explain(config) {}

  uint32_t lane(const char* name, flamelet_lane_kind kind = FLAMELET_LANE_THREAD) {
    return flamelet_capture_builder_span_lane(building.builder, kind, 0, building.string(name), false);
  }
  void work(uint32_t lane, int64_t begin_ns, int64_t end_ns, const char* name) {
    building.span(lane, begin_ns, end_ns, building.site(name));
  }
  void wait(uint32_t lane, int64_t begin_ns, int64_t end_ns, const char* name) {
    building.span(lane, begin_ns, end_ns, building.site(name, FLAMELET_WAIT_CATEGORY));
  }
  // The site of waits that a lock or a condition recorded by itself.
  uint32_t recorded_wait(const char* name, const char* function = FLAMELET_WAIT_FUNCTION_) {
    return flamelet_capture_builder_site(building.builder, building.string(name),
                                         building.string(FLAMELET_WAIT_CATEGORY), 0, building.string(function), 0, 0);
  }
  void flow(uint32_t from, int64_t from_ns, uint32_t to, int64_t to_ns) {
    flamelet_capture_builder_flow(building.builder, from, from_ns, ++flows, false);
    flamelet_capture_builder_flow(building.builder, to, to_ns, flows, true);
  }
  const flamelet_cause& first_cause(int64_t last_frame_ns) {
    uint64_t index = 0;
    for (int64_t i = 0; i < kFrames; ++i) {
      if (is_long_before && i == kFrames - 1) continue;
      const int64_t took_ns = is_long_before && i == kFrames - 2 ? 2 * kFrame : kFrame;
      flamelet_capture_builder_frame(building.builder, ++index, kFrame * i, kFrame * i + took_ns, 0);
    }
    flamelet_capture_builder_frame(building.builder, ++index, kFrame * kFrames, kFrame * kFrames + last_frame_ns, 0);
    capture = building.finish();
    why = explain.frame(capture, index - 1);
    CHECK((why.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0);
    REQUIRE(why.cause_count != 0);
    return why.causes[0];
  }
  // Tells the times of a thread in a frame, the last one by default.
  void time_of(uint32_t lane, int64_t ran_ns, int64_t ready_ns, uint64_t frame = kFrames + 1) {
    flamelet_thread_time time = {};
    time.known = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
    time.ran_ns = ran_ns;
    time.ready_ns = ready_ns;
    CHECK(flamelet_capture_builder_thread_time(building.builder, frame, lane, &time));
  }
  // The one with this path, or nullptr.
  const flamelet_cause* cause_of(const std::string& text) const {
    for (size_t i = 0; i < why.cause_count; ++i)
      if (path(why.causes[i]) == text) return &why.causes[i];
    return nullptr;
  }
  std::string path(const flamelet_cause& cause) const { return explain.path(capture, cause.path); }
  std::string text() const { return explain.text(capture, why); }
};

}  // namespace explain_test
