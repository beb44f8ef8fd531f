// SPDX-License-Identifier: MIT
#include "lanes/connections.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

struct Point {
  double x, y;
};

// The part of the line between 0 and `width`. False if there is none.
bool cut(Point* a, Point* b, double width) {
  if ((a->x < 0 && b->x < 0) || (a->x > width && b->x > width)) return false;
  const Point from = *a, to = *b;
  const auto move = [&](Point* end, double x) {
    *end = {x, from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x)};
  };
  for (Point* end : {a, b}) {
    if (end->x < 0)
      move(end, 0);
    else if (end->x > width)
      move(end, width);
  }
  return true;
}

// The part between 0 and `width`. False if there is none.
bool cut(FiberJoin* join, float width) {
  if (join->x1 < 0 || join->x0 > width) return false;
  const float slope = join->x1 > join->x0 ? (join->y1 - join->y0) / (join->x1 - join->x0) : 0;
  if (join->x0 < 0) *join = {0, join->y0 - join->x0 * slope, join->x1, join->y1, join->to};
  if (join->x1 > width) *join = {join->x0, join->y0, width, join->y1 - (join->x1 - width) * slope, join->to};
  return true;
}

}  // namespace

void FlowArrows::carve(Carver* carver) {
  carver->take(&piece_, kFlowsAPiece);
  carver->take(&arrows_, kMostArrows);
  carver->take(&lines_, kMostArrows);
}

void FlowArrows::clear() {
  target_ = Target();
  arrows_.clear();
  lines_.clear();
  counts_ = FlowCounts();
  left_out_ = 0;
}

void FlowArrows::choose(const flamelet_capture* capture, TimeWindow window, uint64_t generation, uint32_t capture_lane,
                        TimeWindow scope) {
  if (target_.generation == generation && target_.window == window && target_.capture_lane == capture_lane &&
      target_.scope == scope)
    return;
  clear();
  target_ = {generation, window, capture_lane, scope};
  flamelet_flow_cursor cursor;
  flamelet_flow_cursor_start(&cursor, capture, window.begin_ns, window.end_ns, piece_.data, piece_.capacity);
  while (flamelet_flow_cursor_next(&cursor)) add_piece(cursor.flows, cursor.count);
  counts_.complete = cursor.result == FLAMELET_OK;
}

bool FlowArrows::inside(const flamelet_flow& flow) const {
  return flow.lane == target_.capture_lane && flow.time_ns >= target_.scope.begin_ns &&
         flow.time_ns <= target_.scope.end_ns;
}

void FlowArrows::add(const flamelet_flow* begin, const flamelet_flow* end) {
  Arrow arrow = {};
  if (begin != nullptr) arrow.begin = {true, begin->lane, begin->time_ns};
  if (end != nullptr) arrow.end = {true, end->lane, end->time_ns};
  if (!arrows_.push(arrow)) ++left_out_;
}

void FlowArrows::add_piece(const flamelet_flow* flows, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const flamelet_flow& flow = flows[i];
    const bool is_end = (flow.flags & FLAMELET_FLOW_IS_END) != 0;
    const flamelet_flow* begin = flow.begin != FLAMELET_NO_PARENT ? &flows[flow.begin] : nullptr;
    if (!inside(flow) && !(is_end && begin != nullptr && inside(*begin))) continue;
    if (inside(flow)) ++(is_end ? counts_.ended : counts_.begun);
    if (is_end) {
      if (begin == nullptr) ++counts_.missing_begins;
      add(begin, &flow);
    } else if ((flow.flags & FLAMELET_FLOW_OPEN) != 0) {
      ++counts_.open;
      if ((flow.flags & FLAMELET_FLOW_BEGUN_AGAIN) != 0) ++counts_.begun_again;
      add(&flow, nullptr);
    }
  }
}

void FlowArrows::lay_out(View view, float width_px, float row_px, const Array<Lane>& lanes) {
  lines_.clear();
  const double width = static_cast<double>(width_px);
  const double row = static_cast<double>(row_px);
  // The upper edge of the scope's row, and the lower one.
  const auto place = [&](const End& end, Point* top, double* bottom) {
    const Lane* lane = find_shown_lane(lanes, end.lane);
    if (lane == nullptr) return false;
    const float inside = static_cast<float>(innermost_row(*lane, end.time_ns)) * row_px;
    *top = {x_at(view, static_cast<double>(end.time_ns), width), static_cast<double>(lane->place(inside))};
    *bottom = static_cast<double>(lane->place(inside + row_px));
    return true;
  };
  for (const Arrow& arrow : arrows_) {
    Point begin = {}, end = {};
    double below_begin = 0, below_end = 0;
    if (arrow.begin.known && !place(arrow.begin, &begin, &below_begin)) continue;
    if (arrow.end.known && !place(arrow.end, &end, &below_end)) continue;
    if (arrow.begin.known && arrow.end.known) {
      // From edge to edge; within one row below it.
      const double rise = begin.y - end.y;
      if (rise <= 0) begin.y = below_begin;
      if (rise >= 0) end.y = below_end;
    }
    // As long as a row is high, where the other end is not known.
    if (!arrow.begin.known) begin = {end.x - row, end.y - row * 0.5};
    if (!arrow.end.known) end = {begin.x + row, begin.y - row * 0.5};
    const bool begin_in_view = begin.x >= 0 && begin.x <= width;
    const bool end_in_view = end.x >= 0 && end.x <= width;
    if (!cut(&begin, &end, width)) continue;
    lines_.push({static_cast<float>(begin.x), static_cast<float>(begin.y), static_cast<float>(end.x),
                 static_cast<float>(end.y), arrow.begin.known && begin_in_view, arrow.end.known && end_in_view,
                 !arrow.begin.known || !arrow.end.known});
  }
}

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
    FiberJoin join = {x(from.end_ns), 0, x(to.begin_ns), 0, i};
    if (join.x1 < 0 || join.x0 > width_px) continue;
    const Lane* from_lane = find_shown_lane(lanes, from.capture_lane);
    const Lane* to_lane = find_shown_lane(lanes, to.capture_lane);
    if (from_lane == nullptr || to_lane == nullptr) continue;
    join.y0 = y(*from_lane, from);
    join.y1 = y(*to_lane, to);
    if (cut(&join, width_px) && !joins_.push(join)) return joins_.clear();
  }
}

const FiberJoin* FiberJoins::find(float x, float y, float slack_px) const {
  for (const FiberJoin& join : joins_) {
    const float dx = join.x1 - join.x0, dy = join.y1 - join.y0, length = dx * dx + dy * dy;
    const float along = length > 0 ? ((x - join.x0) * dx + (y - join.y0) * dy) / length : 0;
    const float share = std::min(std::max(along, 0.0f), 1.0f);
    const float away_x = join.x0 + share * dx - x, away_y = join.y0 + share * dy - y;
    if (away_x * away_x + away_y * away_y <= slack_px * slack_px) return &join;
  }
  return nullptr;
}

bool lay_out_critical_line(const CriticalLineInput& input, const Array<Lane>& lanes, Array<LineRect>* rects) {
  rects->clear();
  const TimeWindow window = window_of(input.view);
  const flamelet_piece* const end = input.pieces + input.piece_count;
  const flamelet_piece* piece = std::partition_point(
      input.pieces, end, [&](const flamelet_piece& before) { return before.end_ns <= window.begin_ns; });
  const auto x_of = [&](int64_t time_ns) {
    const double width = static_cast<double>(input.width_px);
    return static_cast<float>(std::min(std::max(x_at(input.view, static_cast<double>(time_ns), width), 0.0), width));
  };
  bool connected = false;
  bool complete = true;
  float y_before = 0;
  while (piece != end && piece->begin_ns < window.end_ns) {
    const float x0 = x_of(piece->begin_ns);
    const flamelet_piece* shown = piece;
    float x1 = x0;
    for (; piece != end && piece->begin_ns < window.end_ns && x1 - x0 < input.least_px; ++piece) {
      // A longer piece begins a run of its own.
      if (x1 > x0 && x_of(piece->end_ns) - x_of(piece->begin_ns) >= input.least_px) break;
      if (piece->end_ns - piece->begin_ns > shown->end_ns - shown->begin_ns) shown = piece;
      x1 = x_of(piece->end_ns);
    }
    const Lane* lane = find_shown_lane(lanes, shown->lane);
    if (lane == nullptr) {
      connected = false;
      continue;
    }
    const uint32_t row = innermost_row(*lane, std::max(shown->begin_ns, window.begin_ns));
    const float y = lane->place(static_cast<float>(row + 1) * input.row_px - input.thickness_px);
    const float step = std::min(x0, input.width_px - input.thickness_px);
    if (connected && y != y_before)
      complete &= rects->push(
          {step, std::min(y, y_before), step + input.thickness_px, std::max(y, y_before) + input.thickness_px});
    complete &=
        rects->push({x0, y, std::min(std::max(x1, x0 + input.thickness_px), input.width_px), y + input.thickness_px});
    connected = true;
    y_before = y;
  }
  return complete;
}

}  // namespace flamelet::ui
