// SPDX-License-Identifier: MIT
//
// frame_costs.h: what each routine cost in one frame: the time of all its blocks in it. A block inside one of the same
// name counts with that.
#ifndef FLAMELET_TOOLS_FRAME_COSTS_H
#define FLAMELET_TOOLS_FRAME_COSTS_H

#include <cstdint>
#include <vector>

#include "log_reader.h"

namespace flamelet::tools {

struct RoutineCost {
  uint32_t name;
  uint64_t block_count;
  int64_t cost_ns;   // stops at INT64_MAX, like every sum here
  int64_t begin_ns;  // of its first block
  int64_t end_ns;    // of its last one
};

class FrameCosts {
 public:
  // One entry for each routine of the frame, those around others first. Valid until the next call.
  // Blocks without times are given some: one frame stands behind the other, and what ran inside a block stands at its
  // end, without gaps.
  const std::vector<RoutineCost>& of(const LogFrame& frame);

 private:
  struct Open {
    uint32_t name;
    uint32_t depth;
    int64_t free_until_ns;  // where the next block without times inside it ends, going backwards
  };

  std::vector<RoutineCost> costs_;
  std::vector<uint32_t> entry_;  // by name: place in costs_ + 1; 0 = not in this frame
  std::vector<uint32_t> open_;   // by name: how often it is on the path
  std::vector<Open> path_;       // from the outermost block to the one that is added
  int64_t frames_end_ns_ = 0;    // of the frames without times so far
};

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_FRAME_COSTS_H
