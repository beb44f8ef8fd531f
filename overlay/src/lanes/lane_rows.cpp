// SPDX-License-Identifier: MIT
#include "lanes/lane_rows.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

// 73 years on either side of 0: differences of two times never overflow.
constexpr int64_t kTimeLimitNs = INT64_MAX / 4;
constexpr uint32_t kDepthLimit = UINT16_MAX;

}  // namespace

LaneRows build_rows(flamelet_span* spans, uint32_t count, uint32_t* order, uint32_t* row_begin) {
  // The parent of span i is the nearest span before it whose subtree has not ended: span i - 1 or one of its ancestors.
  // Nothing that a capture answers changes here; everything else is squeezed between its left neighbour's end and its
  // parent's end.
  uint32_t open = FLAMELET_NO_PARENT;
  uint32_t rows = 0;
  int64_t earliest_ns = -kTimeLimitNs;
  for (uint32_t i = 0; i < count; ++i) {
    flamelet_span& span = spans[i];
    while (open != FLAMELET_NO_PARENT && spans[open].subtree_end <= i) {
      earliest_ns = spans[open].end_ns;
      open = spans[open].parent;
    }
    uint32_t last_end = count;
    int64_t latest_ns = kTimeLimitNs;
    span.depth = 0;
    if (open != FLAMELET_NO_PARENT) {
      last_end = spans[open].subtree_end;
      latest_ns = spans[open].end_ns;
      span.depth = static_cast<uint16_t>(std::min(spans[open].depth + 1u, kDepthLimit));
    }
    span.parent = open;
    span.subtree_end = std::min(std::max(span.subtree_end, i + 1), last_end);
    span.begin_ns = std::min(std::max(span.begin_ns, earliest_ns), latest_ns);
    span.end_ns = std::min(std::max(span.end_ns, span.begin_ns), latest_ns);
    earliest_ns = span.begin_ns;
    rows = std::max(rows, span.depth + 1u);
    open = i;
  }

  // A counting sort by depth: row_begin[d] counts row d, then says where it begins, then, filled, where it ends.
  for (uint32_t d = 0; d <= rows; ++d) row_begin[d] = 0;
  for (uint32_t i = 0; i < count; ++i) ++row_begin[spans[i].depth];
  uint32_t position = 0;
  for (uint32_t d = 0; d <= rows; ++d) {
    const uint32_t size = row_begin[d];
    row_begin[d] = position;
    position += size;
  }
  for (uint32_t i = 0; i < count; ++i) order[row_begin[spans[i].depth]++] = i;
  for (uint32_t d = rows; d > 0; --d) row_begin[d] = row_begin[d - 1];
  row_begin[0] = 0;

  LaneRows lane;
  lane.spans = spans;
  lane.span_count = count;
  lane.order = order;
  lane.row_begin = row_begin;
  lane.row_count = rows;
  return lane;
}

uint32_t count_in_window(const LaneRows& lane, uint32_t first, uint32_t end, TimeWindow window) {
  if (first >= end || window.begin_ns >= window.end_ns) return 0;
  const flamelet_span* spans = lane.spans;
  const flamelet_span* begun = std::partition_point(
      spans + first, spans + end, [&](const flamelet_span& span) { return span.begin_ns < window.end_ns; });
  const flamelet_span* early = std::partition_point(
      spans + first, begun, [&](const flamelet_span& span) { return span.begin_ns <= window.begin_ns; });
  // Of those that began before the window, the ones that reach into it contain its first instant, and so each other:
  // they are the last one of them or its ancestors.
  uint32_t reaching = 0;
  if (early != spans + first) {
    uint32_t i = static_cast<uint32_t>(early - spans) - 1;
    while (i != FLAMELET_NO_PARENT && i >= first) {
      if (spans[i].end_ns > window.begin_ns) ++reaching;
      i = spans[i].parent;
    }
  }
  return static_cast<uint32_t>(begun - early) + reaching;
}

uint32_t find_span(const LaneRows& lane, int64_t time_ns, uint32_t depth) {
  if (depth >= lane.row_count) return lane.span_count;
  const uint32_t* begin = lane.order + lane.row_begin[depth];
  const uint32_t* end = lane.order + lane.row_begin[depth + 1];
  const uint32_t* next =
      std::partition_point(begin, end, [&](uint32_t i) { return lane.spans[i].begin_ns <= time_ns; });
  if (next == begin || lane.spans[next[-1]].end_ns <= time_ns) return lane.span_count;
  return next[-1];
}

uint32_t find_span_beginning(const LaneRows& lane, int64_t begin_ns, uint32_t depth) {
  if (depth >= lane.row_count) return lane.span_count;
  const uint32_t* begin = lane.order + lane.row_begin[depth];
  const uint32_t* end = lane.order + lane.row_begin[depth + 1];
  const uint32_t* found =
      std::partition_point(begin, end, [&](uint32_t i) { return lane.spans[i].begin_ns < begin_ns; });
  return found != end && lane.spans[*found].begin_ns == begin_ns ? *found : lane.span_count;
}

}  // namespace flamelet::ui
