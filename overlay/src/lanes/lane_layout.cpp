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
    siblings(0, lane_.row_begin[0], lane_.row_begin[1]);
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
        const uint32_t subtree_end = lane_.spans[parent].subtree_end;
        if ((*blocks_)[from].merged() || subtree_end == parent + 1) continue;
        position = gallop(position, row_end, [&](uint32_t i) { return lane_.order[i] <= parent; });
        const uint32_t first = position;
        position = gallop(position, row_end, [&](uint32_t i) { return lane_.order[i] < subtree_end; });
        siblings(static_cast<uint16_t>(depth), first, position);
      }
    }
    layout_.block_count = blocks_->count - layout_.first_block;
    return layout_;
  }

 private:
  LaneLayout run_rows() {
    for (uint32_t row = 0; row < row_limit_ && layout_.complete; ++row) {
      const uint32_t before = blocks_->count;
      siblings(static_cast<uint16_t>(row), lane_.row_begin[row], lane_.row_begin[row + 1]);
      if (blocks_->count != before) layout_.row_count = row + 1;
    }
    layout_.block_count = blocks_->count - layout_.first_block;
    return layout_;
  }

  const flamelet_span& span(uint32_t position) const { return lane_.spans[lane_.order[position]]; }
  bool narrow(const flamelet_span& s) const { return s.end_ns - s.begin_ns < limit_ns_; }
  float x(int64_t time_ns) const {
    const double px = (static_cast<double>(time_ns) - static_cast<double>(window_.begin_ns)) * px_per_ns_;
    return static_cast<float>(std::min(std::max(px, 0.0), width_px_));
  }

  // Lays out spans [first, end) of a row: children of one parent.
  void siblings(uint16_t depth, uint32_t first, uint32_t end) {
    uint32_t i = gallop(first, end, [&](uint32_t p) { return span(p).end_ns <= window_.begin_ns; });
    while (i < end && span(i).begin_ns < window_.end_ns && layout_.complete) {
      const uint32_t next = narrow(span(i)) ? end_of_run(i, end) : i + 1;
      emit(depth, i, next);
      i = next;
    }
  }

  // `first` is narrow. Returns the position after the last span that merges with it.
  uint32_t end_of_run(uint32_t first, uint32_t end) const {
    uint32_t last = first;
    uint32_t stride = 1;  // how far ahead the search looks: about as many spans as the merge limit holds
    for (;;) {
      if (span(last).end_ns >= window_.end_ns) return last + 1;
      // Whatever begins within the limit after this begin follows closely, and is narrow if another one follows it.
      const int64_t reach_ns = std::min(span(last).begin_ns + limit_ns_, window_.end_ns);
      while (stride > 1 && !(end - last > stride && span(last + stride).begin_ns < reach_ns)) stride /= 2;
      const uint32_t next = last + stride;
      if (next == end || !narrow(span(next)) || span(next).begin_ns >= window_.end_ns) return next;
      if (span(next).begin_ns >= reach_ns && span(next).begin_ns - span(last).end_ns >= limit_ns_) return next;
      last = next;
      stride *= 2;
    }
  }

  void emit(uint16_t depth, uint32_t first, uint32_t next) {
    const uint32_t first_span = lane_.order[first];
    const flamelet_span& last = span(next - 1);
    const flamelet_span& head = lane_.spans[first_span];
    Block block;
    block.first = first_span;
    block.depth = depth;
    block.flags = 0;
    block.zones = 1;
    block.end = first_span + 1;
    if (next - first > 1 || narrow(head)) {
      block.end = last.subtree_end;
      const bool inside = head.begin_ns > window_.begin_ns && last.end_ns < window_.end_ns;
      block.zones = inside ? block.end - first_span : count_in_window(lane_, first_span, block.end, window_);
    }
    if (head.begin_ns < window_.begin_ns) block.flags |= kBlockCutLeft;
    if (last.end_ns > window_.end_ns) block.flags |= kBlockCutRight;
    block.x0 = x(head.begin_ns);
    block.x1 = std::max(x(last.end_ns), block.x0 + kLeastWidthPx);
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
