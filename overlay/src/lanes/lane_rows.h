// SPDX-License-Identifier: MIT
//
// lane_rows.h: the spans of one lane, findable by depth and time. Spans come in pre-order (parents before children, by
// begin time) with the index that ends their subtree; here they are also kept in rows by depth. Within a row spans do
// not overlap, so both their begins and their ends rise, and a binary search finds the first visible one.
//
// Windows are half open, [begin, end), and a span is in the window if it ends after `begin` and begins before `end`.
// That holds for spans of zero length too, so a child is never in a window that its parent is not in.
#ifndef FLAMELET_OVERLAY_SRC_LANE_ROWS_H
#define FLAMELET_OVERLAY_SRC_LANE_ROWS_H

#include "content/memory.h"
#include "flamelet/capture.h"

namespace flamelet::ui {

struct TimeWindow {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;

  bool operator==(const TimeWindow& other) const { return begin_ns == other.begin_ns && end_ns == other.end_ns; }
  bool operator!=(const TimeWindow& other) const { return !(*this == other); }
};

struct LaneRows {
  const flamelet_span* spans = nullptr;
  uint32_t span_count = 0;
  uint32_t* order = nullptr;      // span_count span indices: row after row, by begin time within a row
  uint32_t* row_begin = nullptr;  // row_count + 1 positions in `order`
  uint32_t row_count = 0;
  bool independent = false;  // the spans stand row by row, and those of one row are not inside those above it
};

// Makes the spans safe to walk, whatever they are: ends that lie before their begins, subtrees that reach out of the
// array, depths that skip a level and begins that go backwards are put right. `order` has room for `count` values,
// `row_begin` for count + 1; what it needs is row_count + 1.
LaneRows build_rows(flamelet_span* spans, uint32_t count, uint32_t* order, uint32_t* row_begin);

// How many spans of the subtrees that begin in [first, end) are in the window. Logarithmic, and linear in the depth.
// [first, end) must hold whole subtrees.
uint32_t count_in_window(const LaneRows& lane, uint32_t first, uint32_t end, TimeWindow window);

// The index of the span that is at this time and depth; span_count if there is none.
uint32_t find_span(const LaneRows& lane, int64_t time_ns, uint32_t depth);

// The index of the span with exactly this begin and depth; span_count if there is none.
uint32_t find_span_beginning(const LaneRows& lane, int64_t begin_ns, uint32_t depth);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_ROWS_H
