// SPDX-License-Identifier: MIT
#include "view/fiber_joins.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

constexpr uint16_t kCut = FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED;

// What is inside a piece is cut where the piece is cut.
bool is_outermost(const LaneRows& rows, const flamelet_span& span) {
  return span.parent == FLAMELET_NO_PARENT || (rows.spans[span.parent].flags & kCut) == 0;
}

}  // namespace

void FiberJoins::add_pieces(const Lane& lane, const Array<Block>& blocks, float row_px) {
  for (uint32_t i = lane.layout.first_block; i < lane.layout.first_block + lane.layout.block_count; ++i) {
    const Block& block = blocks[i];
    if (block.merged()) continue;
    const flamelet_span& span = lane.rows.spans[block.first];
    if ((span.flags & kCut) == 0 || !is_outermost(lane.rows, span)) continue;
    const float y = lane.y + (static_cast<float>(block.depth) + 0.5f) * row_px;
    pieces_.push({span.id, span.begin_ns, (span.flags & FLAMELET_SPAN_RESUMED) != 0,
                  (span.flags & FLAMELET_SPAN_SUSPENDED) != 0, block.x0, block.x1, y});
  }
}

void FiberJoins::find(const Array<Lane>& lanes, const Array<Block>& blocks, float row_px) {
  pieces_.clear();
  joins_.clear();
  for (const Lane& lane : lanes)
    if (lane.content == LaneContent::kSpans && lane.kind == FLAMELET_LANE_THREAD && lane.height > 0 && !lane.folded)
      add_pieces(lane, blocks, row_px);
  std::sort(pieces_.begin(), pieces_.end(),
            [](const Piece& a, const Piece& b) { return a.id != b.id ? a.id < b.id : a.begin_ns < b.begin_ns; });
  for (uint32_t i = 1; i < pieces_.count; ++i) {
    const Piece& from = pieces_[i - 1];
    const Piece& to = pieces_[i];
    if (from.id == to.id && from.suspended && to.resumed) joins_.push({from.x1, from.y, to.x0, to.y});
  }
}

}  // namespace flamelet::ui
