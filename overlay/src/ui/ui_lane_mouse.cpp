// SPDX-License-Identifier: MIT
//
// The mouse over the lanes. What lies under it is looked up in the blocks of the frame before: those are what the user
// saw when moving it there.
#include <math.h>

#include <algorithm>

#include "imgui.h"
#include "ui/actions.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace flamelet::ui {

namespace {

constexpr float kSlackPx = 3;  // narrow blocks are found from this far away
constexpr float kClickPx = 4;  // a button that moved no further is a click
constexpr double kWheelZoom = 1.25;

// The instant nearest to this pixel; UINT32_MAX if none is near.
uint32_t find_instant(const Overlay& o, const Lane& lane, float x) {
  const double width = static_cast<double>(o.canvas_width);
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
  o.hover.lane = UINT32_MAX;
  o.hover.block = UINT32_MAX;
  o.hover.instant = UINT32_MAX;
  if (!o.hover.canvas) return;
  o.hover.time_ns = static_cast<int64_t>(
      time_at(o.timeline.view(), static_cast<double>(mouse_x - o.canvas_x), static_cast<double>(o.canvas_width)));
  const Array<Lane>& lanes = o.store.lanes();
  for (uint32_t i = 0; i < lanes.count; ++i) {
    const Lane& lane = lanes[i];
    const float inside = mouse_y - y - lane.y;
    if (!(lane.height > 0) || inside < -lane_gap(o) || inside >= lane.height) continue;
    o.hover.lane = i;
    if (mouse_x < o.canvas_x) return;
    if (inside < 0) {
      o.hover.instant = find_instant(o, lane, mouse_x - o.canvas_x);
      return;
    }
    const uint32_t depth = static_cast<uint32_t>(inside / row_height(o));
    const uint32_t block = find_block(o.blocks, lane.layout, depth, mouse_x - o.canvas_x, kSlackPx * o.unit);
    if (block < o.blocks.count) o.hover.block = block;
    return;
  }
}

void handle_wheel(Overlay& o, bool over_gutter) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!o.hover.canvas || io.MouseWheel == 0) return;
  if (over_gutter) {
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseWheel * row_height(o) * 3);
    return;
  }
  const double strength = io.KeyCtrl ? 0.25 : io.KeyShift ? 3 : 1;  // fine, coarse
  const double factor = pow(kWheelZoom, -static_cast<double>(io.MouseWheel) * strength);
  o.timeline.set_view(zoom_view(o.timeline.view(), static_cast<double>(o.hover.time_ns), factor, o.timeline.limits()),
                      false);
}

// The span under the mouse; NULL if there is none. A merged block is taken for its first span.
const flamelet_span* hovered_span(const Overlay& o, const Lane** lane) {
  if (o.hover.block >= o.blocks.count) return nullptr;
  *lane = &o.store.lanes()[o.hover.lane];
  return &(*lane)->rows.spans[o.blocks[o.hover.block].first];
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
  o.menu_span = SelectedSpan();
  o.menu_lane_id = 0;
  if (o.hover.lane < o.store.lanes().count) {
    lane = &o.store.lanes()[o.hover.lane];
    o.menu_lane_kind = lane->kind;
    o.menu_lane_id = lane->id;
  }
  if (span != nullptr) o.menu_span = {true, lane->kind, lane->id, *span};
  o.open_menu = true;
}

void handle_click(Overlay& o, int button, bool over_gutter) {
  const Lane* lane = nullptr;
  const flamelet_span* span = hovered_span(o, &lane);
  if (button == 1 || (button == 0 && ImGui::GetIO().KeyCtrl)) {
    open_menu(o);
  } else if (over_gutter) {
    if (o.hover.lane < o.store.lanes().count) {
      Lane& folded = o.store.lanes()[o.hover.lane];
      folded.folded = !folded.folded;
    }
  } else if (button == 2) {
    if (span != nullptr) zoom_to(o, window_of_block(*lane, o.blocks[o.hover.block]));
  } else if (span != nullptr && !o.blocks[o.hover.block].merged()) {
    o.measure_begin_ns = o.measure_end_ns = 0;
    select_span(o, *lane, o.blocks[o.hover.block].first);
  } else if (span == nullptr) {
    select_nothing(o);
  }
}

void handle_double_click(Overlay& o, bool over_gutter) {
  if (over_gutter) return;
  const Lane* lane = nullptr;
  if (hovered_span(o, &lane) != nullptr) {
    zoom_to(o, window_of_block(*lane, o.blocks[o.hover.block]));
  } else {
    show_whole_frame(o);
  }
}

void press(Overlay& o, int button) {
  const ImGuiIO& io = ImGui::GetIO();
  o.drag = Drag::kPressed;
  o.drag_button = button;
  o.drag_moved = false;
  o.drag_x = io.MousePos.x;
  o.drag_y = io.MousePos.y;
  o.drag_view = o.timeline.view();
  o.drag_scroll = ImGui::GetScrollY();
}

void drag(Overlay& o, bool over_gutter) {
  const ImGuiIO& io = ImGui::GetIO();
  const float dx = io.MousePos.x - o.drag_x;
  const float dy = io.MousePos.y - o.drag_y;
  if (!o.drag_moved && fabsf(dx) < kClickPx * o.unit && fabsf(dy) < kClickPx * o.unit) return;
  if (!o.drag_moved) {
    o.drag_moved = true;
    const bool pan = o.drag_button != 0 || io.KeyShift || over_gutter;
    o.drag = pan ? Drag::kPan : Drag::kMeasure;
    if (pan)
      o.timeline.remember_view();
    else
      freeze(o);
  }
  const double width = static_cast<double>(o.canvas_width);
  if (o.drag == Drag::kPan) {
    const double by_ns = -static_cast<double>(dx) / width * o.drag_view.duration_ns();
    o.timeline.set_view(pan_view(o.drag_view, by_ns, o.timeline.limits()), false);
    ImGui::SetScrollY(o.drag_scroll - dy);
  } else if (o.drag == Drag::kMeasure) {
    const View view = o.timeline.view();
    const double a = time_at(view, static_cast<double>(o.drag_x - o.canvas_x), width);
    const double b = time_at(view, static_cast<double>(io.MousePos.x - o.canvas_x), width);
    o.measure_begin_ns = static_cast<int64_t>(std::max(std::min(a, b), view.begin_ns));
    o.measure_end_ns = static_cast<int64_t>(std::min(std::max(a, b), view.end_ns));
  }
}

}  // namespace

void handle_lane_mouse(Overlay& o, float x, float y, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  (void)x;
  find_hovered(o, io.MousePos.x, io.MousePos.y, y);
  const bool over_gutter = io.MousePos.x < o.canvas_x;
  handle_wheel(o, over_gutter);
  if (o.hover.canvas && ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl && !io.KeyShift) {
    handle_double_click(o, over_gutter);
    o.drag = Drag::kNone;
    return;
  }
  for (int button = 0; button < 3; ++button)
    if (o.hover.canvas && o.drag == Drag::kNone && ImGui::IsMouseClicked(button)) press(o, button);
  if (o.drag == Drag::kNone) return;
  if (active || ImGui::IsMouseDown(o.drag_button)) drag(o, o.drag_x < o.canvas_x);
  if (!ImGui::IsMouseReleased(o.drag_button) && ImGui::IsMouseDown(o.drag_button)) return;
  if (o.drag == Drag::kPressed) handle_click(o, o.drag_button, over_gutter);
  if (o.drag == Drag::kMeasure && o.measure_end_ns > o.measure_begin_ns) o.open_measure_menu = true;
  o.drag = Drag::kNone;
}

}  // namespace flamelet::ui
