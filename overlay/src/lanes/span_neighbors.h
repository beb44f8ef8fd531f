// SPDX-License-Identifier: MIT
//
// span_neighbors.h: from one span of a lane to its neighbours, as indices of LaneRows::spans. span_count = there is none.
#ifndef FLAMELET_OVERLAY_SRC_SPAN_NEIGHBORS_H
#define FLAMELET_OVERLAY_SRC_SPAN_NEIGHBORS_H

#include "lanes/lane_rows.h"

namespace flamelet::ui {

// The span with these times at this depth.
uint32_t find_same_span(const LaneRows& lane, const flamelet_span& span);
uint32_t parent_of(const LaneRows& lane, uint32_t span);
// The longest of its children.
uint32_t longest_child(const LaneRows& lane, uint32_t span);
// `by` places along its row, whoever the parents are.
uint32_t along_row(const LaneRows& lane, uint32_t span, int by);
// The outermost span nearest to this time.
uint32_t nearest_root(const LaneRows& lane, int64_t time_ns);
// How long a span is: one that lies mostly in the window goes before one that only reaches into it, such as a background
// job that takes seconds.
struct LengthIn {
  bool mostly;
  int64_t ns;

  bool operator>(const LengthIn& other) const { return mostly != other.mostly ? mostly : ns > other.ns; }
};
LengthIn length_in(const LaneSpan& span, TimeWindow window);
// The longest by that, of those that overlap the window.
uint32_t longest_in(const LaneRows& lane, TimeWindow window);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SPAN_NEIGHBORS_H
