// SPDX-License-Identifier: MIT
#include "lanes/flow_arrows.h"

#include <algorithm>

namespace flamelet::ui {

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

}  // namespace

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

}  // namespace flamelet::ui
