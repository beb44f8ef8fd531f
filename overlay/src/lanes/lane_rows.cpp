// SPDX-License-Identifier: MIT
#include "lanes/lane_rows.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

// 73 years on either side of 0: differences of two times never overflow.
constexpr int64_t kTimeLimitNs = INT64_MAX / 4;

// The first place in a row whose span is not before this one in pre-order.
uint32_t place_from(const LaneRows& lane, uint32_t row, uint32_t span) {
  const uint32_t* order = lane.order;
  return static_cast<uint32_t>(std::lower_bound(order + lane.row_begin[row], order + lane.row_begin[row + 1], span) -
                               order);
}

// The first index in [first, end) of a span that does not begin `before`.
template <typename Before>
uint32_t partition(const LaneSpans& spans, uint32_t first, uint32_t end, Before before) {
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    if (before(spans.begin_ns(middle)))
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

}  // namespace

void SpanTable::carve(Carver* carver, uint32_t max_spans, uint32_t max_far) {
  carver->take(&packed_, max_spans);
  carver->take(&starts_, max_spans / kNeighbours + 1);
  carver->take(&far_, max_far);
}

bool SpanTable::push(const LaneSpan& span) {
  const uint32_t i = packed_.count;
  if (packed_.full()) return false;
  if (i % kNeighbours == 0) starts_.push(span.begin_ns);
  const int64_t begin = span.begin_ns - starts_[i / kNeighbours], duration = span.end_ns - span.begin_ns;
  const bool is_far = begin != static_cast<int32_t>(begin) || duration >= kFar;
  if (is_far && !far_.push({i, span.begin_ns, span.end_ns})) return false;
  Packed& packed = packed_[packed_.count++];
  packed.begin = is_far ? 0 : static_cast<int32_t>(begin);
  packed.duration = is_far ? kFar : static_cast<uint32_t>(duration);
  packed.name = span.name & 0xFFFFFF;
  packed.flags = span.flags;
  packed.object = span.object;
  packed.site = span.site;
  packed.depth = span.depth;
  return true;
}

const SpanTable::Far& SpanTable::far(uint32_t i) const {
  return *std::partition_point(far_.begin(), far_.end(), [i](const Far& other) { return other.span < i; });
}

// Everything that is open deeper than this ends here.
void RowBuilder::close_to(uint32_t depth) {
  if (open_ <= depth) return;
  earliest_ns_ = depth == depth_ ? end_ns_ : spans_.end_ns(order_[depth]);
  open_ = depth;
}

// Nothing that a capture answers changes here; everything else is squeezed between its left neighbour's end and its parent's
// end.
bool RowBuilder::add(const flamelet_span& span) {
  const uint32_t depth = std::min<uint32_t>(span.depth, open_);
  if (count_ == most_spans_ || depth >= most_rows_) return false;
  close_to(depth);
  if (depth == 0)
    latest_ns_ = kTimeLimitNs;
  else if (depth > depth_)
    latest_ns_ = end_ns_;
  else if (depth < depth_)
    latest_ns_ = spans_.end_ns(order_[depth - 1]);
  LaneSpan added;
  added.begin_ns = std::min(std::max(span.begin_ns, earliest_ns_), latest_ns_);
  added.end_ns = std::min(std::max(span.end_ns, added.begin_ns), latest_ns_);
  added.name = span.name;
  added.flags = static_cast<uint8_t>(span.flags);
  added.object = span.object;
  added.site = static_cast<uint16_t>(span.site);
  added.depth = static_cast<uint16_t>(depth);
  if (!table_->push(added)) {
    most_spans_ = count_;  // what is inside it must not come without it
    return false;
  }
  depth_ = depth;
  end_ns_ = added.end_ns;
  earliest_ns_ = added.begin_ns;
  rows_ = std::max(rows_, depth + 1);
  order_[open_++] = count_++;
  return true;
}

LaneRows RowBuilder::finish() {
  // A counting sort by depth: row_begin[d] counts row d, then says where it begins, then, filled, where it ends.
  for (uint32_t d = 0; d <= rows_; ++d) row_begin_[d] = 0;
  for (uint32_t i = 0; i < count_; ++i) ++row_begin_[spans_.depth(i)];
  uint32_t position = 0;
  for (uint32_t d = 0; d <= rows_; ++d) {
    const uint32_t size = row_begin_[d];
    row_begin_[d] = position;
    position += size;
  }
  for (uint32_t i = 0; i < count_; ++i) order_[row_begin_[spans_.depth(i)]++] = i;
  for (uint32_t d = rows_; d > 0; --d) row_begin_[d] = row_begin_[d - 1];
  row_begin_[0] = 0;

  LaneRows lane;
  lane.spans = spans_;
  lane.span_count = count_;
  lane.order = order_;
  lane.row_begin = row_begin_;
  lane.row_count = rows_;
  return lane;
}

uint32_t subtree_end(const LaneRows& lane, uint32_t span) {
  if (lane.independent) return span + 1;
  uint32_t end = lane.span_count;
  for (uint32_t row = 0; row <= lane.spans.depth(span); ++row) {
    const uint32_t place = place_from(lane, row, span + 1);
    if (place != lane.row_begin[row + 1]) end = std::min(end, lane.order[place]);
  }
  return end;
}

PlaceRange children_of(const LaneRows& lane, uint32_t span) {
  const uint32_t depth = lane.spans.depth(span);
  if (lane.independent || depth + 1 >= lane.row_count) return {0, 0};
  const uint32_t next = place_from(lane, depth, span + 1);
  const uint32_t end = lane.row_begin[depth + 2];
  return {place_from(lane, depth + 1, span + 1),
          next == lane.row_begin[depth + 1] ? end : place_from(lane, depth + 1, lane.order[next])};
}

int64_t self_ns_of(const LaneRows& lane, uint32_t span) {
  int64_t self_ns = lane.spans.duration_ns(span);
  const PlaceRange children = children_of(lane, span);
  for (uint32_t place = children.first; place < children.end; ++place)
    self_ns -= lane.spans.duration_ns(lane.order[place]);
  return self_ns;
}

uint32_t count_in_window(const LaneRows& lane, uint32_t first, uint32_t end, TimeWindow window) {
  if (first >= end || window.begin_ns >= window.end_ns) return 0;
  const uint32_t begun = partition(lane.spans, first, end, [&](int64_t begin_ns) { return begin_ns < window.end_ns; });
  const uint32_t early =
      partition(lane.spans, first, begun, [&](int64_t begin_ns) { return begin_ns <= window.begin_ns; });
  // Spans that began before the window and reach into it contain its first instant, and so each other: in each row the last
  // one, down to the first row without one.
  uint32_t reaching = 0;
  for (uint32_t row = lane.spans.depth(first); row < lane.row_count; ++row) {
    const uint32_t after = place_from(lane, row, early);
    if (after == lane.row_begin[row]) break;
    const uint32_t last = lane.order[after - 1];
    if (last < first || lane.spans.end_ns(last) <= window.begin_ns) break;
    ++reaching;
  }
  return begun - early + reaching;
}

uint32_t find_span(const LaneRows& lane, int64_t time_ns, uint32_t depth) {
  if (depth >= lane.row_count) return lane.span_count;
  const uint32_t* begin = lane.order + lane.row_begin[depth];
  const uint32_t* end = lane.order + lane.row_begin[depth + 1];
  const uint32_t* next =
      std::partition_point(begin, end, [&](uint32_t i) { return lane.spans.begin_ns(i) <= time_ns; });
  if (next == begin || lane.spans.end_ns(next[-1]) <= time_ns) return lane.span_count;
  return next[-1];
}

uint32_t find_span_beginning(const LaneRows& lane, int64_t begin_ns, uint32_t depth) {
  if (depth >= lane.row_count) return lane.span_count;
  const uint32_t* begin = lane.order + lane.row_begin[depth];
  const uint32_t* end = lane.order + lane.row_begin[depth + 1];
  const uint32_t* found =
      std::partition_point(begin, end, [&](uint32_t i) { return lane.spans.begin_ns(i) < begin_ns; });
  return found != end && lane.spans.begin_ns(*found) == begin_ns ? *found : lane.span_count;
}

}  // namespace flamelet::ui
