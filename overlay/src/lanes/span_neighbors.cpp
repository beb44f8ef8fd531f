// SPDX-License-Identifier: MIT
#include "lanes/span_neighbors.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

int64_t duration_of(const LaneSpan& span) {
  return span.end_ns - span.begin_ns;
}

// The place of a span in LaneRows::order.
uint32_t place_in_row(const LaneRows& lane, uint32_t span) {
  const uint32_t depth = lane.spans.depth(span);
  const uint32_t* begin = lane.order + lane.row_begin[depth];
  const uint32_t* end = lane.order + lane.row_begin[depth + 1];
  const uint32_t* found = std::lower_bound(begin, end, span);  // pre-order: indices rise with the time
  return static_cast<uint32_t>(found - lane.order);
}

}  // namespace

uint32_t find_same_span(const LaneRows& lane, const flamelet_span& span) {
  if (span.depth >= lane.row_count) return lane.span_count;
  const uint32_t* begin = lane.order + lane.row_begin[span.depth];
  const uint32_t* end = lane.order + lane.row_begin[span.depth + 1];
  const uint32_t* found = std::lower_bound(
      begin, end, span.begin_ns, [&](uint32_t i, int64_t begin_ns) { return lane.spans.begin_ns(i) < begin_ns; });
  for (; found != end && lane.spans.begin_ns(*found) == span.begin_ns; ++found)
    if (lane.spans.end_ns(*found) == span.end_ns && lane.spans[*found].name == span.name) return *found;
  return lane.span_count;
}

uint32_t parent_of(const LaneRows& lane, uint32_t span) {
  const uint32_t depth = lane.spans.depth(span);
  if (depth == 0) return lane.span_count;
  // The last one of the row above that begins before it in pre-order.
  const uint32_t* begin = lane.order + lane.row_begin[depth - 1];
  const uint32_t* end = lane.order + lane.row_begin[depth];
  const uint32_t* after = std::lower_bound(begin, end, span);
  return after == begin ? lane.span_count : after[-1];
}

uint32_t longest_child(const LaneRows& lane, uint32_t span) {
  uint32_t longest = lane.span_count;
  const PlaceRange children = children_of(lane, span);
  for (uint32_t place = children.first; place < children.end; ++place) {
    const uint32_t i = lane.order[place];
    if (longest == lane.span_count || lane.spans.duration_ns(i) > lane.spans.duration_ns(longest)) longest = i;
  }
  return longest;
}

uint32_t along_row(const LaneRows& lane, uint32_t span, int by) {
  const uint32_t depth = lane.spans.depth(span);
  const int64_t place = int64_t{place_in_row(lane, span)} + by;
  if (place < lane.row_begin[depth] || place >= lane.row_begin[depth + 1]) return lane.span_count;
  return lane.order[place];
}

uint32_t nearest_root(const LaneRows& lane, int64_t time_ns) {
  if (lane.row_count == 0) return lane.span_count;
  const uint32_t* begin = lane.order + lane.row_begin[0];
  const uint32_t* end = lane.order + lane.row_begin[1];
  const uint32_t* after =
      std::lower_bound(begin, end, time_ns, [&](uint32_t i, int64_t at_ns) { return lane.spans.begin_ns(i) <= at_ns; });
  if (after == begin) return *after;
  if (after == end || lane.spans.end_ns(after[-1]) > time_ns) return after[-1];
  return lane.spans.begin_ns(*after) - time_ns < time_ns - lane.spans.end_ns(after[-1]) ? *after : after[-1];
}

LengthIn length_in(const LaneSpan& span, TimeWindow window) {
  const int64_t inside_ns = std::min(span.end_ns, window.end_ns) - std::max(span.begin_ns, window.begin_ns);
  return {inside_ns >= duration_of(span) / 2, duration_of(span)};
}

uint32_t longest_in(const LaneRows& lane, TimeWindow window) {
  uint32_t longest = lane.span_count;
  LengthIn most = {};
  for (uint32_t i = 0; i < lane.span_count; ++i) {
    const LaneSpan span = lane.spans[i];
    if (span.end_ns <= window.begin_ns || span.begin_ns >= window.end_ns) continue;
    const LengthIn length = length_in(span, window);
    if (longest != lane.span_count && !(length > most)) continue;
    longest = i;
    most = length;
  }
  return longest;
}

}  // namespace flamelet::ui
