// SPDX-License-Identifier: MIT
//
// lane_layout.h: which blocks a lane shows in a window, as plain geometry. A span that is wide enough is a block; its
// children are laid out in the row below. Neighbours that are narrower than the merge limit become one block together,
// with everything inside them, and that block says how many spans it stands for.
//
// What makes it fast: the first visible span is found by binary search; a narrow span takes its whole subtree with it
// in one step; and inside a run of narrow spans the search jumps ahead by the merge limit, so that a million equal
// siblings cost as much as a few hundred.
//
// Invariant: the sum of `zones` over the blocks is the number of spans in the window, exactly, at every zoom.
#ifndef FLAMELET_OVERLAY_SRC_LANE_LAYOUT_H
#define FLAMELET_OVERLAY_SRC_LANE_LAYOUT_H

#include "lanes/lane_rows.h"

namespace flamelet::ui {

constexpr uint16_t kBlockCutLeft = 1;  // the span goes on beyond the window
constexpr uint16_t kBlockCutRight = 2;
constexpr uint16_t kBlockOtherShade = 4;  // set where it is drawn: its neighbour has the same colour

struct Block {
  float x0, x1;          // pixels from the left edge of the canvas, within [0, width]
  uint32_t first;        // span
  uint32_t end;          // span after the last one of a merged block and its subtree; first + 1 for a single span
  uint32_t subtree_end;  // span after the last one inside it, of a single span, too
  uint32_t zones;        // spans of the window that this block stands for; 1 = the span alone
  uint16_t depth;
  uint16_t flags;

  bool merged() const { return zones != 1; }
};

struct LaneLayoutInput {
  TimeWindow window;
  float width_px = 0;
  float merge_limit_px = 3;
  uint32_t most_rows = UINT32_MAX;  // rows below are left out, and not counted
};

struct LaneLayout {
  uint32_t first_block = 0;  // this lane's blocks, by depth, then from left to right
  uint32_t block_count = 0;
  uint32_t row_count = 0;  // rows that have a block
  uint32_t zones_drawn = 0;
  uint32_t zones_merged = 0;
  bool complete = true;  // false: `blocks` was full, and the counts cover only what is in it
};

// Appends the lane's blocks.
LaneLayout layout_lane(const LaneRows& lane, const LaneLayoutInput& input, Array<Block>* blocks);

// The block of this row at pixel x, or within `slack_px` of it; block_count of the array if there is none. Logarithmic.
uint32_t find_block(const Array<Block>& blocks, const LaneLayout& layout, uint32_t depth, float x, float slack_px);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_LAYOUT_H
