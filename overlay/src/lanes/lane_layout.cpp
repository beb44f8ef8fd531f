// SPDX-License-Identifier: MIT
#include "lanes/lane_layout.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

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
  while (first < low) {
    const uint32_t middle = first + (low - first) / 2;
    if (before(middle))
      first = middle + 1;
    else
      low = middle;
  }
  return first;
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

  // Of the span at a place of the order.
  int64_t begin_ns(uint32_t place) const { return lane_.spans.begin_ns(lane_.order[place]); }
  int64_t end_ns(uint32_t place) const { return lane_.spans.end_ns(lane_.order[place]); }
  bool narrow(uint32_t place) const { return lane_.spans.duration_ns(lane_.order[place]) < limit_ns_; }
  float x(int64_t time_ns) const {
    const double px = (static_cast<double>(time_ns) - static_cast<double>(window_.begin_ns)) * px_per_ns_;
    return static_cast<float>(std::min(std::max(px, 0.0), width_px_));
  }

  // Lays out spans [first, end) of a row: children of one parent, whose subtree ends at `parent_end`.
  void siblings(uint16_t depth, uint32_t first, uint32_t end, uint32_t parent_end) {
    uint32_t i = gallop(first, end, [&](uint32_t p) { return end_ns(p) <= window_.begin_ns; });
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

}  // namespace

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
