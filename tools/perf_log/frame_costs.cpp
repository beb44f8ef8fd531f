// SPDX-License-Identifier: MIT
#include "frame_costs.h"

#include <algorithm>
#include <limits>

namespace flamelet::tools {
namespace {

int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

}  // namespace

const std::vector<RoutineCost>& FrameCosts::of(const LogFrame& frame) {
  for (const RoutineCost& cost : costs_) entry_[cost.name] = 0;
  costs_.clear();
  for (const Open& open : path_) --open_[open.name];
  path_.clear();

  // What the frame took, for blocks without times: its outermost blocks.
  uint32_t outermost = LogLine::kMaxDepth + 1;
  int64_t frame_ns = 0;
  for (const LogBlock& block : frame.blocks) {
    if (block.has_times || block.depth > outermost) continue;
    if (block.depth < outermost) frame_ns = 0;
    outermost = block.depth;
    frame_ns = sum(frame_ns, block.duration_ns);
  }
  frames_end_ns_ = sum(frames_end_ns_, frame_ns);
  int64_t free_until_ns = frames_end_ns_;

  // Backwards, blocks come before what ran inside them, so the path to a block is known. Where the blocks around one are
  // not in the file, the path has holes.
  for (size_t i = frame.blocks.size(); i-- > 0;) {
    const LogBlock& block = frame.blocks[i];
    while (!path_.empty() && path_.back().depth >= block.depth) {
      --open_[path_.back().name];
      path_.pop_back();
    }
    int64_t begin_ns = block.begin_ns;
    int64_t end_ns = block.end_ns;
    if (!block.has_times) {
      int64_t& end = path_.empty() ? free_until_ns : path_.back().free_until_ns;
      end_ns = end;
      begin_ns = end_ns - std::min(block.duration_ns, end_ns);
      end = begin_ns;
    }
    if (entry_.size() <= block.name) {
      entry_.resize(block.name + 1);
      open_.resize(block.name + 1);
    }
    if (entry_[block.name] == 0) {
      costs_.push_back({block.name, 0, 0, begin_ns, end_ns});
      entry_[block.name] = static_cast<uint32_t>(costs_.size());
    }
    RoutineCost& cost = costs_[entry_[block.name] - 1];
    ++cost.block_count;
    cost.begin_ns = std::min(cost.begin_ns, begin_ns);
    cost.end_ns = std::max(cost.end_ns, end_ns);
    if (open_[block.name]++ == 0) cost.cost_ns = sum(cost.cost_ns, block.duration_ns);
    path_.push_back({block.name, block.depth, end_ns});
  }
  return costs_;
}

}  // namespace flamelet::tools
