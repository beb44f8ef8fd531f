// SPDX-License-Identifier: MIT
//
// frame_times.h: how long scopes took in one frame: the part of each that lies in the frame, on all lanes together. Of
// nested calls of one scope the outermost counts. It is what budgets are held against (flamelet/budgets.h).
#ifndef FLAMELET_OVERLAY_SRC_FRAME_TIMES_H
#define FLAMELET_OVERLAY_SRC_FRAME_TIMES_H

#include <algorithm>

#include "lanes/lane_rows.h"

namespace flamelet::ui {

struct FrameTime {
  int64_t time_ns = 0;
  uint32_t calls = 0;  // that began in the frame
  uint32_t until = 0;  // scratch: where the outermost call's subtree ends
};

constexpr uint32_t kZonesALane = 16;  // what asking a lane costs that has no span in the window

namespace detail {

template <typename SlotOf>
uint64_t add_lane_times(const flamelet_capture* capture, size_t lane, bool gpu, TimeWindow window,
                        Array<flamelet_span>* scratch, FrameTime* times, uint32_t slots, const SlotOf& slot_of) {
  size_t found = 0;
  flamelet_capture_read_spans(capture, lane, window.begin_ns, window.end_ns, scratch->data, scratch->capacity, &found);
  if (found > scratch->capacity && window.end_ns - window.begin_ns > 1) {
    const int64_t middle_ns = window.begin_ns + (window.end_ns - window.begin_ns) / 2;
    return found + add_lane_times(capture, lane, gpu, {window.begin_ns, middle_ns}, scratch, times, slots, slot_of) +
           add_lane_times(capture, lane, gpu, {middle_ns, window.end_ns}, scratch, times, slots, slot_of);
  }
  const uint32_t count = static_cast<uint32_t>(std::min<size_t>(found, scratch->capacity));
  for (uint32_t i = 0; i < slots; ++i) times[i].until = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const flamelet_span& span = (*scratch)[i];
    const uint32_t slot = slot_of(span, gpu);
    if (slot >= slots) continue;
    FrameTime& time = times[slot];
    if (span.begin_ns >= window.begin_ns) ++time.calls;
    if (i < time.until) continue;
    time.until = span.subtree_end;
    time.time_ns +=
        std::max<int64_t>(std::min(span.end_ns, window.end_ns) - std::max(span.begin_ns, window.begin_ns), 0);
  }
  return found;
}

}  // namespace detail

constexpr size_t kAllLanes = SIZE_MAX;

// Adds the times of a frame to times[0 .. slots - 1]. slot_of(span, gpu) says where a span belongs; `slots` = nowhere.
// `scratch` is overwritten. `only`: a lane of the capture, or all of them. Returns how much work it was, in spans.
template <typename SlotOf>
uint64_t add_frame_times(const flamelet_capture* capture, TimeWindow frame, Array<flamelet_span>* scratch,
                         FrameTime* times, uint32_t slots, const SlotOf& slot_of, size_t only = kAllLanes) {
  const size_t lanes = flamelet_capture_lane_count(capture);
  uint64_t zones = 0;
  for (size_t lane = 0; lane < lanes; ++lane) {
    flamelet_lane_info info;
    if (only != kAllLanes && lane != only) continue;
    // A fiber's spans stand on the lanes of its threads, too.
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind == FLAMELET_LANE_FIBER) continue;
    zones += kZonesALane + detail::add_lane_times(capture, lane, info.kind == FLAMELET_LANE_GPU, frame, scratch, times,
                                                  slots, slot_of);
  }
  return zones;
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_TIMES_H
