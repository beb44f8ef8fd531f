// SPDX-License-Identifier: MIT
#include "lanes/lane_rows.h"

#include <algorithm>

#include "flamelet/detail/sums.h"

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
  return first_not(first, end, [&](uint32_t i) { return before(spans.begin_ns(i)); });
}

int64_t duration_of(const LaneSpan& span) {
  return span.end_ns - span.begin_ns;
}

// The first place in a row whose span does not begin `before`.
template <typename Before>
uint32_t place_in_row(const LaneRows& lane, uint32_t row, Before before) {
  return first_not(lane.row_begin[row], lane.row_begin[row + 1],
                   [&](uint32_t place) { return before(lane.spans.begin_ns(lane.order[place])); });
}

constexpr float kLeastWidthPx = 1;

// The first position in [first, end) where `before` is false, by doubling steps from `first`: the answer is usually
// close, and this way the cost depends on how close.
template <typename Predicate>
uint32_t gallop(uint32_t first, uint32_t end, Predicate before) {
  uint32_t step = 1;
  uint32_t low = first;
  while (low < end && before(low)) {
    first = low + 1;
    low = end - low > step ? low + step : end;
    step *= 2;
  }
  return first_not(first, low, before);
}

class Builder {
 public:
  Builder(const LaneRows& lane, const LaneLayoutInput& input, Array<Block>* blocks)
      : lane_(lane), blocks_(blocks), window_(input.window), width_px_(static_cast<double>(input.width_px)) {
    const double duration_ns = static_cast<double>(window_.end_ns) - static_cast<double>(window_.begin_ns);
    px_per_ns_ = width_px_ / duration_ns;
    const double limit_ns = static_cast<double>(input.merge_limit_px) / px_per_ns_;
    limit_ns_ = limit_ns < 4e18 ? static_cast<int64_t>(limit_ns) : INT64_MAX / 2;
    row_limit_ = std::min(lane.row_count, input.most_rows);
    layout_.first_block = blocks->count;
  }

  LaneLayout run() {
    if (lane_.independent) return run_rows();
    siblings(0, lane_.row_begin[0], lane_.row_begin[1], lane_.span_count);
    // The blocks of one depth are the queue for the next.
    uint32_t from = layout_.first_block;
    for (uint32_t depth = 1; from < blocks_->count && layout_.complete; ++depth) {
      const uint32_t to = blocks_->count;
      layout_.row_count = depth;
      if (depth == row_limit_) break;
      uint32_t position = lane_.row_begin[depth];
      const uint32_t row_end = lane_.row_begin[depth + 1];
      for (; from < to; ++from) {
        const uint32_t parent = (*blocks_)[from].first;
        const uint32_t subtree_end = (*blocks_)[from].subtree_end;
        if ((*blocks_)[from].merged() || subtree_end == parent + 1) continue;
        position = gallop(position, row_end, [&](uint32_t i) { return lane_.order[i] <= parent; });
        const uint32_t first = position;
        position = gallop(position, row_end, [&](uint32_t i) { return lane_.order[i] < subtree_end; });
        siblings(static_cast<uint16_t>(depth), first, position, subtree_end);
      }
    }
    layout_.block_count = blocks_->count - layout_.first_block;
    return layout_;
  }

 private:
  LaneLayout run_rows() {
    for (uint32_t row = 0; row < row_limit_ && layout_.complete; ++row) {
      const uint32_t before = blocks_->count;
      siblings(static_cast<uint16_t>(row), lane_.row_begin[row], lane_.row_begin[row + 1], 0);
      if (blocks_->count != before) layout_.row_count = row + 1;
    }
    layout_.block_count = blocks_->count - layout_.first_block;
    return layout_;
  }

  // The times of the span at a place of the order.
  int64_t begin_ns(uint32_t place) const { return lane_.spans.begin_ns(lane_.order[place]); }
  int64_t end_ns(uint32_t place) const { return lane_.spans.end_ns(lane_.order[place]); }
  bool narrow(uint32_t place) const { return lane_.spans.duration_ns(lane_.order[place]) < limit_ns_; }
  float x(int64_t time_ns) const {
    const double px = (static_cast<double>(time_ns) - static_cast<double>(window_.begin_ns)) * px_per_ns_;
    return static_cast<float>(std::min(std::max(px, 0.0), width_px_));
  }

  // Lays out spans [first, end) of a row: children of one parent, whose subtree ends at `parent_end`.
  void siblings(uint16_t depth, uint32_t first, uint32_t end, uint32_t parent_end) {
    uint32_t i =
        gallop(first, end, [&](uint32_t p) { return end_ns(p) <= window_.begin_ns && begin_ns(p) < window_.begin_ns; });
    while (i < end && begin_ns(i) < window_.end_ns && layout_.complete) {
      const uint32_t next = narrow(i) ? end_of_run(i, end) : i + 1;
      if (lane_.independent) parent_end = lane_.order[next - 1] + 1;
      emit(depth, i, next, next < end && !lane_.independent ? lane_.order[next] : parent_end);
      i = next;
    }
  }

  // `first` is narrow. Returns the position after the last span that merges with it.
  uint32_t end_of_run(uint32_t first, uint32_t end) const {
    uint32_t last = first;
    uint32_t stride = 1;  // how far ahead the search looks: about as many spans as the merge limit holds
    for (;;) {
      const int64_t last_end_ns = end_ns(last);
      if (last_end_ns >= window_.end_ns) return last + 1;
      // Whatever begins within the limit after this begin follows closely, and is narrow if another one follows it.
      const int64_t reach_ns = std::min(begin_ns(last) + limit_ns_, window_.end_ns);
      while (stride > 1 && !(end - last > stride && begin_ns(last + stride) < reach_ns)) stride /= 2;
      const uint32_t next = last + stride;
      if (next == end || !narrow(next)) return next;
      const int64_t next_ns = begin_ns(next);
      if (next_ns >= window_.end_ns || (next_ns >= reach_ns && next_ns - last_end_ns >= limit_ns_)) return next;
      last = next;
      stride *= 2;
    }
  }

  void emit(uint16_t depth, uint32_t first, uint32_t next, uint32_t subtree_end) {
    const uint32_t first_span = lane_.order[first];
    const int64_t from_ns = begin_ns(first), to_ns = end_ns(next - 1);
    Block block;
    block.first = first_span;
    block.depth = depth;
    block.flags = 0;
    block.zones = 1;
    block.end = first_span + 1;
    block.subtree_end = subtree_end;
    if (next - first > 1 || narrow(first)) {
      block.end = subtree_end;
      const bool inside = from_ns > window_.begin_ns && to_ns < window_.end_ns;
      block.zones = inside ? block.end - first_span : count_in_window(lane_, first_span, block.end, window_);
    }
    if (from_ns < window_.begin_ns) block.flags |= kBlockCutLeft;
    if (to_ns > window_.end_ns) block.flags |= kBlockCutRight;
    block.x0 = x(from_ns);
    block.x1 = std::max(x(to_ns), block.x0 + kLeastWidthPx);
    if (!blocks_->push(block)) {
      layout_.complete = false;
    } else if (block.merged()) {
      layout_.zones_merged += block.zones;
    } else {
      ++layout_.zones_drawn;
    }
  }

  const LaneRows& lane_;
  Array<Block>* blocks_;
  TimeWindow window_;
  double width_px_;
  double px_per_ns_;
  int64_t limit_ns_;
  uint32_t row_limit_;
  LaneLayout layout_;
};

PlaceRange children_of(const LaneRows& lane, uint32_t span) {
  const uint32_t depth = lane.spans.depth(span);
  if (lane.independent || depth + 1 >= lane.row_count) return {0, 0};
  const uint32_t next = place_from(lane, depth, span + 1);
  const uint32_t end = lane.row_begin[depth + 2];
  return {place_from(lane, depth + 1, span + 1),
          next == lane.row_begin[depth + 1] ? end : place_from(lane, depth + 1, lane.order[next])};
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
      partition(lane.spans, first, begun, [&](int64_t begin_ns) { return begin_ns < window.begin_ns; });
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
  const uint32_t next = place_in_row(lane, depth, [&](int64_t begin_ns) { return begin_ns <= time_ns; });
  if (next == lane.row_begin[depth] || lane.spans.end_ns(lane.order[next - 1]) <= time_ns) return lane.span_count;
  return lane.order[next - 1];
}

uint32_t find_span_beginning(const LaneRows& lane, int64_t begin_ns, uint32_t depth) {
  if (depth >= lane.row_count) return lane.span_count;
  const uint32_t place = place_in_row(lane, depth, [&](int64_t other_ns) { return other_ns < begin_ns; });
  const bool found = place != lane.row_begin[depth + 1] && lane.spans.begin_ns(lane.order[place]) == begin_ns;
  return found ? lane.order[place] : lane.span_count;
}

uint32_t find_same_span(const LaneRows& lane, const flamelet_span& span) {
  if (span.depth >= lane.row_count) return lane.span_count;
  const uint32_t* end = lane.order + lane.row_begin[span.depth + 1];
  const uint32_t* found =
      lane.order + place_in_row(lane, span.depth, [&](int64_t begin_ns) { return begin_ns < span.begin_ns; });
  for (; found != end && lane.spans.begin_ns(*found) == span.begin_ns; ++found)
    if (lane.spans.end_ns(*found) == span.end_ns && lane.spans[*found].name == span.name) return *found;
  return lane.span_count;
}

uint32_t parent_of(const LaneRows& lane, uint32_t span) {
  const uint32_t depth = lane.spans.depth(span);
  if (depth == 0) return lane.span_count;
  // The last one of the row above that begins before it in pre-order.
  const uint32_t after = place_from(lane, depth - 1, span);
  return after == lane.row_begin[depth - 1] ? lane.span_count : lane.order[after - 1];
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
  const int64_t place = int64_t{place_from(lane, depth, span)} + by;
  if (place < lane.row_begin[depth] || place >= lane.row_begin[depth + 1]) return lane.span_count;
  return lane.order[place];
}

uint32_t nearest_root(const LaneRows& lane, int64_t time_ns) {
  if (lane.row_count == 0) return lane.span_count;
  const uint32_t* after = lane.order + place_in_row(lane, 0, [&](int64_t begin_ns) { return begin_ns <= time_ns; });
  if (after == lane.order + lane.row_begin[0]) return *after;
  if (after == lane.order + lane.row_begin[1] || lane.spans.end_ns(after[-1]) > time_ns) return after[-1];
  return lane.spans.begin_ns(*after) - time_ns < time_ns - lane.spans.end_ns(after[-1]) ? *after : after[-1];
}

LengthIn length_in(const LaneSpan& span, TimeWindow window) {
  const int64_t inside_ns = std::min(span.end_ns, window.end_ns) - std::max(span.begin_ns, window.begin_ns);
  return {inside_ns >= duration_of(span) / 2, duration_of(span)};
}

LaneLayout layout_lane(const LaneRows& lane, const LaneLayoutInput& input, Array<Block>* blocks) {
  LaneLayout nothing;
  nothing.first_block = blocks->count;
  if (lane.row_count == 0 || input.most_rows == 0 || !(input.width_px > 0) ||
      input.window.end_ns <= input.window.begin_ns)
    return nothing;
  return Builder(lane, input, blocks).run();
}

uint32_t find_block(const Array<Block>& blocks, const LaneLayout& layout, uint32_t depth, float x, float slack_px) {
  const Block* begin = blocks.data + layout.first_block;
  const Block* end = begin + layout.block_count;
  const Block* row = std::partition_point(begin, end, [&](const Block& block) { return block.depth < depth; });
  const Block* row_end = std::partition_point(row, end, [&](const Block& block) { return block.depth == depth; });
  const Block* next = std::partition_point(row, row_end, [&](const Block& block) { return block.x0 <= x; });
  // Narrow blocks are drawn wider than they are, so the right neighbour may be as good an answer as the left one.
  if (next != row && x < next[-1].x1) return static_cast<uint32_t>(next - 1 - blocks.data);
  const float left_gap = next != row ? x - next[-1].x1 : slack_px + 1;
  const float right_gap = next != row_end ? next->x0 - x : slack_px + 1;
  if (left_gap <= slack_px && left_gap <= right_gap) return static_cast<uint32_t>(next - 1 - blocks.data);
  if (right_gap <= slack_px) return static_cast<uint32_t>(next - blocks.data);
  return blocks.count;
}

}  // namespace flamelet::ui
