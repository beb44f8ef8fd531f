// SPDX-License-Identifier: MIT
//
// main_lane.cpp: which thread marks the frames. The mark says so. In files from before it did, and in traces of other
// programs, it is guessed: that thread's outermost scopes fill a frame and end before its mark, while those of other
// threads cross it.
#include <algorithm>

#include "explain_data.h"

namespace flamelet::explain {
namespace {

constexpr size_t kFrames = 16;  // that are looked at

// Time in outermost scopes inside the frame, less that in those which cross its borders.
int64_t inside_ns(const LaneSpans& lane, const flamelet_frame_info& frame) {
  int64_t sum_ns = 0;
  for (uint32_t i = 0; i < lane.count; i = lane.spans[i].subtree_end) {
    const flamelet_span& span = lane.spans[i];
    const int64_t begin_ns = std::max(span.begin_ns, frame.begin_ns), end_ns = std::min(span.end_ns, frame.end_ns);
    const bool crosses = span.begin_ns < frame.begin_ns || span.end_ns > frame.end_ns;
    sum_ns += crosses ? begin_ns - end_ns : end_ns - begin_ns;
  }
  return sum_ns;
}

bool is_there(const flamelet_capture* capture, uint32_t id, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(capture, lane, &info) && info.kind == FLAMELET_LANE_THREAD && info.id == id;
}

uint32_t guess(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  FrameLanes& lanes = explain->lanes;
  uint32_t best = kNoIndex;
  int64_t most_ns = 0;
  const size_t lane_count = std::min<size_t>(flamelet_capture_lane_count(capture), explain->config.max_lanes);
  for (uint32_t lane = 0; lane < lane_count; ++lane) {
    int64_t sum_ns = 0;
    for (size_t i = position < kFrames ? 0 : position - kFrames; i <= position; ++i) {
      flamelet_frame_info frame;
      if (!flamelet_capture_frame(capture, i, &frame) || frame.end_ns - frame.begin_ns > kLongestFrame) continue;
      lanes.start(capture, frame.begin_ns, frame.end_ns);
      flamelet_lane_info info;
      flamelet_capture_lane(capture, lane, &info);
      if (info.kind == FLAMELET_LANE_THREAD) sum_ns += inside_ns(lanes.lane(lane), frame);
    }
    if (sum_ns <= most_ns) continue;
    most_ns = sum_ns;
    best = lane;
  }
  return best;
}

// With scopes that cross every border there is no inside; then the first thread that has any scope.
uint32_t first_with_scopes(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position, &frame)) return kNoIndex;
  explain->lanes.start(capture, frame.begin_ns, frame.end_ns);
  for (uint32_t lane = 0; lane < explain->lanes.lane_count(); ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(capture, lane, &info);
    if (info.kind == FLAMELET_LANE_THREAD && explain->lanes.lane(lane).count != 0) return lane;
  }
  return kNoIndex;
}

}  // namespace

uint32_t find_main_lane(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  const size_t lanes = std::min<size_t>(flamelet_capture_lane_count(capture), explain->config.max_lanes);
  if (explain->config.main_lane != FLAMELET_EXPLAIN_GUESS_LANE)
    return explain->config.main_lane < lanes ? explain->config.main_lane : kNoIndex;
  flamelet_frame_info frame;
  if (flamelet_capture_frame(capture, position, &frame) && frame.thread != 0)
    for (uint32_t lane = 0; lane < lanes; ++lane)
      if (is_there(capture, frame.thread, lane)) return lane;
  for (uint32_t lane = 0; explain->knows_main && lane < lanes; ++lane)
    if (is_there(capture, explain->main_id, lane)) return lane;
  uint32_t lane = guess(explain, capture, position);
  if (lane == kNoIndex) lane = first_with_scopes(explain, capture, position);
  if (lane == kNoIndex) return kNoIndex;
  flamelet_lane_info info;
  flamelet_capture_lane(capture, lane, &info);
  explain->knows_main = true;
  explain->main_id = info.id;
  return lane;
}

}  // namespace flamelet::explain
