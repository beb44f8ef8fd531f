// SPDX-License-Identifier: MIT
#include "lanes/fiber_joins.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

constexpr uint16_t kCut = FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED;

// What is inside a piece is cut where the piece is cut.
bool is_outermost(const LaneRows& rows, const flamelet_span& span) {
  return span.parent == FLAMELET_NO_PARENT || (rows.spans[span.parent].flags & kCut) == 0;
}

// The part between 0 and `width`. False if there is none.
bool cut(FiberJoin* join, float width) {
  if (join->x1 < 0 || join->x0 > width) return false;
  const float slope = join->x1 > join->x0 ? (join->y1 - join->y0) / (join->x1 - join->x0) : 0;
  if (join->x0 < 0) *join = {0, join->y0 - join->x0 * slope, join->x1, join->y1};
  if (join->x1 > width) *join = {join->x0, join->y0, width, join->y1 - (join->x1 - width) * slope};
  return true;
}

}  // namespace

void FiberJoins::read(const Array<Lane>& lanes, uint64_t generation) {
  if (generation == generation_) return;
  generation_ = generation;
  pieces_.clear();
  // Without fibers no span has to be looked at.
  if (std::none_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.kind == FLAMELET_LANE_FIBER; }))
    return;
  for (const Lane& lane : lanes) {
    if (lane.content != LaneContent::kSpans || lane.kind != FLAMELET_LANE_THREAD) continue;
    for (uint32_t i = 0; i < lane.rows.span_count; ++i) {
      const flamelet_span& span = lane.rows.spans[i];
      if ((span.flags & kCut) != 0 && is_outermost(lane.rows, span))
        pieces_.push({span.id, span.begin_ns, span.end_ns, lane.capture_lane, span.depth, span.flags});
    }
  }
  std::sort(pieces_.begin(), pieces_.end(),
            [](const Piece& a, const Piece& b) { return a.id != b.id ? a.id < b.id : a.begin_ns < b.begin_ns; });
}

void FiberJoins::lay_out(const Array<Lane>& lanes, View view, float width_px, float row_px) {
  joins_.clear();
  const auto x = [&](int64_t time_ns) {
    return static_cast<float>(x_at(view, static_cast<double>(time_ns), static_cast<double>(width_px)));
  };
  // Below the row, so that no label is crossed out.
  const auto y = [&](const Lane& lane, const Piece& piece) {
    return lane.place(static_cast<float>(lane.folded ? 1 : piece.depth + 1) * row_px);
  };
  for (uint32_t i = 1; i < pieces_.count; ++i) {
    const Piece& from = pieces_[i - 1];
    const Piece& to = pieces_[i];
    if (from.id != to.id || (from.flags & FLAMELET_SPAN_SUSPENDED) == 0 || (to.flags & FLAMELET_SPAN_RESUMED) == 0)
      continue;
    FiberJoin join = {x(from.end_ns), 0, x(to.begin_ns), 0};
    if (join.x1 < 0 || join.x0 > width_px) continue;
    const Lane* from_lane = find_shown_lane(lanes, from.capture_lane);
    const Lane* to_lane = find_shown_lane(lanes, to.capture_lane);
    if (from_lane == nullptr || to_lane == nullptr) continue;
    join.y0 = y(*from_lane, from);
    join.y1 = y(*to_lane, to);
    if (cut(&join, width_px) && !joins_.push(join)) return joins_.clear();
  }
}

}  // namespace flamelet::ui
