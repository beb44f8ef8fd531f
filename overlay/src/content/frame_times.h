// SPDX-License-Identifier: MIT
//
// frame_times.h: how long scopes took in one frame on all lanes together, as budgets are held against it.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_TIMES_H
#define FLAMELET_OVERLAY_SRC_FRAME_TIMES_H

#include "flamelet/budgets.h"
#include "lanes/lane_rows.h"

namespace flamelet::ui {

constexpr uint32_t kZonesALane = 16;  // what asking a lane costs that has no span in the window
constexpr size_t kAllLanes = SIZE_MAX;

// Adds the times of a frame to times[0 .. slots - 1]. slot_of(span, gpu) says where a span belongs; `slots` = nowhere.
// `scratch` is overwritten. `only`: a lane of the capture, or all of them. Returns how much work it was, in spans.
template <typename SlotOf>
uint64_t add_frame_times(const flamelet_capture* capture, TimeWindow frame, Array<flamelet_span>* scratch,
                         flamelet_scope_time* times, uint32_t slots, const SlotOf& slot_of, size_t only = kAllLanes) {
  struct Asked {
    const SlotOf& slot_of;
    bool gpu;
  } asked = {slot_of, false};
  flamelet_scope_times to = {};
  to.times = times;
  to.count = slots;
  to.user = &asked;
  to.slot_of = [](void* user, const flamelet_span* span) -> uint32_t {
    const Asked& self = *static_cast<const Asked*>(user);
    return self.slot_of(*span, self.gpu);
  };
  to.spans = scratch->data;
  to.capacity = scratch->capacity;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    if (only != kAllLanes && lane != only) continue;
    // A fiber's spans stand on the lanes of its threads, too.
    if (!flamelet_capture_lane(capture, lane, &info) || info.kind == FLAMELET_LANE_FIBER) continue;
    asked.gpu = info.kind == FLAMELET_LANE_GPU;
    flamelet_scope_times_add(&to, capture, lane, frame.begin_ns, frame.end_ns);
    to.spans_read += kZonesALane;
  }
  return to.spans_read;
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_TIMES_H
