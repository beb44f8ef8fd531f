// SPDX-License-Identifier: MIT
//
// The mouse over the lanes. What lies under it is looked up in the blocks of the frame before: those are what the user
// saw when moving it there.
#include <math.h>

#include <algorithm>

#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/lane_keys.h"
#include "lanes/lane_parts.h"
#include "lanes/lane_places.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

constexpr float kSlackPx = 3;  // narrow blocks are found from this far away
constexpr float kClickPx = 4;  // a button that moved no further is a click
constexpr double kWheelZoom = 1.25;

// The instant nearest to this pixel; UINT32_MAX if none is near.
uint32_t find_instant(const Overlay& o, const Lane& lane, float x) {
  const double width = static_cast<double>(o.canvas.width);
  uint32_t nearest = UINT32_MAX;
  double distance = static_cast<double>(lane_gap(o));
  for (uint32_t i = 0; i < lane.instant_count; ++i) {
    const double at = x_at(o.timeline.view(), static_cast<double>(lane.instants[i].time_ns), width);
    if (fabs(at - static_cast<double>(x)) >= distance) continue;
    distance = fabs(at - static_cast<double>(x));
    nearest = i;
  }
  return nearest;
}

void find_hovered(Overlay& o, float mouse_x, float mouse_y, float y) {
  o.mouse.hover.leave_lanes();
  if (!o.mouse.hover.canvas) return;
  o.mouse.hover.time_ns = static_cast<int64_t>(
      time_at(o.timeline.view(), static_cast<double>(mouse_x - o.canvas.x), static_cast<double>(o.canvas.width)));
  const Array<Lane>& lanes = o.store.lanes();
  for (uint32_t i = 0; i < lanes.count; ++i) {
    const Lane& lane = lanes[i];
    const float inside = mouse_y - y - lane.y;
    if (!(lane.height > 0) || inside < -lane_gap(o) || inside >= lane.height) continue;
    if (!lane.stays && is_covered(o, mouse_y - y)) continue;
    if (o.mouse.hover.lane == UINT32_MAX) o.mouse.hover.lane = i;
    if (mouse_x < o.canvas.x) return;
    if (inside < 0) {
      const uint32_t instant = find_instant(o, lane, mouse_x - o.canvas.x);
      if (instant == UINT32_MAX && lanes[lane.leader].merged > 1) continue;  // another lane of the row may have one
      o.mouse.hover.lane = i;
      o.mouse.hover.instant = instant;
      return;
    }
    const uint32_t depth = static_cast<uint32_t>(inside / row_height(o));
    const uint32_t block = find_block(o.canvas.blocks, lane.layout, depth, mouse_x - o.canvas.x, kSlackPx * o.unit);
    if (block >= o.canvas.blocks.count && lanes[lane.leader].merged > 1) continue;
    if (block < o.canvas.blocks.count) {
      o.mouse.hover.lane = i;
      o.mouse.hover.block = block;
    }
    return;
  }
}

void handle_wheel(Overlay& o, bool over_gutter) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!o.mouse.hover.canvas || io.MouseWheel == 0) return;
  if (over_gutter) {
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseWheel * row_height(o) * 3);
    return;
  }
  const double strength = io.KeyCtrl ? 0.25 : io.KeyShift ? 3 : 1;  // fine, coarse
  const double factor = pow(kWheelZoom, -static_cast<double>(io.MouseWheel) * strength);
  o.timeline.set_view(
      zoom_view(o.timeline.view(), static_cast<double>(o.mouse.hover.time_ns), factor, o.timeline.limits()), false);
}

// The span under the mouse; NULL if there is none. A merged block is taken for its first span.
const flamelet_span* hovered_span(const Overlay& o, const Lane** lane) {
  if (o.mouse.hover.block >= o.canvas.blocks.count) return nullptr;
  *lane = &o.store.lanes()[o.mouse.hover.lane];
  return &(*lane)->rows.spans[o.canvas.blocks[o.mouse.hover.block].first];
}

// What zooming to a block means: the whole run, if it is a merged one.
TimeWindow window_of_block(const Lane& lane, const Block& block) {
  const flamelet_span* spans = lane.rows.spans;
  TimeWindow window = {spans[block.first].begin_ns, spans[block.first].end_ns};
  for (uint32_t i = block.first; i < block.end; i = spans[i].subtree_end)
    window.end_ns = std::max(window.end_ns, spans[i].end_ns);
  return window;
}

void open_menu(Overlay& o) {
  const Lane* lane = nullptr;
  const flamelet_span* span = hovered_span(o, &lane);
  o.mouse.menu.by_key = false;
  o.mouse.menu.span = SelectedSpan();
  o.mouse.menu.lane_id = 0;
  if (o.mouse.hover.lane < o.store.lanes().count) {
    lane = &o.store.lanes()[o.mouse.hover.lane];
    o.mouse.menu.lane_kind = lane->kind;
    o.mouse.menu.lane_id = lane->id;
  }
  if (span != nullptr) o.mouse.menu.span = {true, lane->kind, lane->id, *span};
  o.mouse.menu.open = true;
}

void handle_click(Overlay& o, int button, bool over_gutter) {
  const Lane* lane = nullptr;
  const flamelet_span* span = hovered_span(o, &lane);
  if (button == 1 || (button == 0 && ImGui::GetIO().KeyCtrl)) {
    open_menu(o);
  } else if (over_gutter && on_quiet_line(o, ImGui::GetIO().MousePos.y - o.canvas.y)) {
    o.canvas.quiet.unfolded = !o.canvas.quiet.unfolded;
  } else if (over_gutter) {
    if (o.mouse.hover.lane < o.store.lanes().count) {
      Lane& folded = o.store.lanes()[o.mouse.hover.lane];
      folded.folded = !folded.folded;
    }
  } else if (button == 2) {
    if (span != nullptr) zoom_to(o, window_of_block(*lane, o.canvas.blocks[o.mouse.hover.block]));
  } else if (span != nullptr && !o.canvas.blocks[o.mouse.hover.block].merged()) {
    o.selection.forget_measured();
    select_span(o, *lane, o.canvas.blocks[o.mouse.hover.block].first);
  } else if (span == nullptr) {
    o.selection.clear();
  }
}

void handle_double_click(Overlay& o, bool over_gutter) {
  if (over_gutter) return;
  const Lane* lane = nullptr;
  if (hovered_span(o, &lane) != nullptr) {
    zoom_to(o, window_of_block(*lane, o.canvas.blocks[o.mouse.hover.block]));
  } else {
    show_whole_frame(o);
  }
}

void press(Overlay& o, int button) {
  const ImGuiIO& io = ImGui::GetIO();
  o.mouse.drag = {DragKind::kPressed, button, io.MousePos.x, io.MousePos.y, false, o.timeline.view(),
                  ImGui::GetScrollY()};
  if (o.mouse.hover.lane >= o.store.lanes().count) return;
  o.mouse.drag.lane_kind = o.store.lanes()[o.mouse.hover.lane].kind;
  o.mouse.drag.lane_id = o.store.lanes()[o.mouse.hover.lane].id;
}

// The lane whose label is held goes up or down by one place in each frame, until it is under the mouse.
void drag_lane(Overlay& o, float y) {
  const Lane* lane = find_lane(o, o.mouse.drag.lane_kind, o.mouse.drag.lane_id);
  if (lane == nullptr || !(lane->height > 0)) return;
  const Lane* beside = nullptr;  // whose middle the mouse has passed
  for (const Lane& other : o.store.lanes()) {
    const float middle = other.y + other.height * 0.5f;
    if (!(other.height > 0) || other.y == lane->y) continue;  // itself, or of its row
    if (other.y > lane->y ? y > middle : y < middle) beside = &other;
  }
  if (beside != nullptr) move_lane(o, *lane, beside->y > lane->y ? 1 : -1);
}

void drag(Overlay& o, bool over_gutter) {
  const ImGuiIO& io = ImGui::GetIO();
  const float dx = io.MousePos.x - o.mouse.drag.x;
  const float dy = io.MousePos.y - o.mouse.drag.y;
  if (!o.mouse.drag.moved && fabsf(dx) < kClickPx * o.unit && fabsf(dy) < kClickPx * o.unit) return;
  if (!o.mouse.drag.moved) {
    o.mouse.drag.moved = true;
    const bool pan = o.mouse.drag.button != 0 || io.KeyShift;
    o.mouse.drag.kind = pan ? DragKind::kPan : over_gutter ? DragKind::kMoveLane : DragKind::kMeasure;
    if (pan)
      o.timeline.remember_view();
    else if (!over_gutter)
      freeze(o);
  }
  const double width = static_cast<double>(o.canvas.width);
  if (o.mouse.drag.kind == DragKind::kPan) {
    const double by_ns = -static_cast<double>(dx) / width * o.mouse.drag.view.duration_ns();
    o.timeline.set_view(pan_view(o.mouse.drag.view, by_ns, o.timeline.limits()), false);
    ImGui::SetScrollY(o.mouse.drag.scroll - dy);
  } else if (o.mouse.drag.kind == DragKind::kMoveLane) {
    drag_lane(o, io.MousePos.y - o.canvas.y);
  } else if (o.mouse.drag.kind == DragKind::kMeasure) {
    const View view = o.timeline.view();
    const double a = time_at(view, static_cast<double>(o.mouse.drag.x - o.canvas.x), width);
    const double b = time_at(view, static_cast<double>(io.MousePos.x - o.canvas.x), width);
    o.selection.measured.begin_ns = static_cast<int64_t>(std::max(std::min(a, b), view.begin_ns));
    o.selection.measured.end_ns = static_cast<int64_t>(std::min(std::max(a, b), view.end_ns));
  }
}

}  // namespace

void handle_lane_mouse(Overlay& o, float y, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  find_hovered(o, io.MousePos.x, io.MousePos.y, y);
  const bool over_gutter = io.MousePos.x < o.canvas.x;
  handle_wheel(o, over_gutter);
  if (o.mouse.hover.canvas && ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl && !io.KeyShift) {
    handle_double_click(o, over_gutter);
    o.mouse.drag.stop();
    return;
  }
  for (int button = 0; button < 3; ++button)
    if (o.mouse.hover.canvas && !o.mouse.drag.active() && ImGui::IsMouseClicked(button)) press(o, button);
  if (!o.mouse.drag.active()) return;
  if (active || ImGui::IsMouseDown(o.mouse.drag.button)) drag(o, o.mouse.drag.x < o.canvas.x);
  if (!ImGui::IsMouseReleased(o.mouse.drag.button) && ImGui::IsMouseDown(o.mouse.drag.button)) return;
  if (o.mouse.drag.kind == DragKind::kPressed) handle_click(o, o.mouse.drag.button, over_gutter);
  if (o.mouse.drag.kind == DragKind::kMeasure && o.selection.measures()) o.mouse.menu.open_measured = true;
  o.mouse.drag.stop();
}

}  // namespace flamelet::ui
