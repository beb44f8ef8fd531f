// SPDX-License-Identifier: MIT
#include "lanes/fiber_joins.h"

namespace flamelet::ui {

namespace {

// The part between 0 and `width`. False if there is none.
bool cut(FiberJoin* join, float width) {
  if (join->x1 < 0 || join->x0 > width) return false;
  const float slope = join->x1 > join->x0 ? (join->y1 - join->y0) / (join->x1 - join->x0) : 0;
  if (join->x0 < 0) *join = {0, join->y0 - join->x0 * slope, join->x1, join->y1};
  if (join->x1 > width) *join = {join->x0, join->y0, width, join->y1 - (join->x1 - width) * slope};
  return true;
}

}  // namespace

void FiberJoins::lay_out(const SpanStore& store, View view, float width_px, float row_px) {
  const Array<Lane>& lanes = store.lanes();
  const Array<FiberPiece>& pieces = store.fiber_pieces();
  joins_.clear();
  const auto x = [&](int64_t time_ns) {
    return static_cast<float>(x_at(view, static_cast<double>(time_ns), static_cast<double>(width_px)));
  };
  // Below the row, so that no label is crossed out.
  const auto y = [&](const Lane& lane, const FiberPiece& piece) {
    return lane.place(static_cast<float>(lane.folded ? 1 : piece.depth + 1) * row_px);
  };
  for (uint32_t i = 1; i < pieces.count; ++i) {
    const FiberPiece& from = pieces[i - 1];
    const FiberPiece& to = pieces[i];
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
