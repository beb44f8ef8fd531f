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
uint32_t find_instant(const Overlay& o, const LanesPage& page, const Lane& lane, float x) {
  const double width = static_cast<double>(page.canvas.width);
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

void find_hovered(Overlay& o, LanesPage& page, float mouse_x, float mouse_y, float y) {
  page.mouse.hover.leave_lanes();
  if (!page.mouse.hover.canvas) return;
  page.mouse.hover.time_ns = static_cast<int64_t>(
      time_at(o.timeline.view(), static_cast<double>(mouse_x - page.canvas.x), static_cast<double>(page.canvas.width)));
  const Array<Lane>& lanes = o.store.lanes();
  for (uint32_t i = 0; i < lanes.count; ++i) {
    const Lane& lane = lanes[i];
    const float inside = mouse_y - y - lane.y;
    if (!(lane.height > 0) || inside < -lane_gap(o) || inside >= lane.height) continue;
    if (!lane.stays && is_covered(page, mouse_y - y)) continue;
    if (page.mouse.hover.lane == UINT32_MAX) page.mouse.hover.lane = i;
    if (mouse_x < page.canvas.x) return;
    if (inside < 0) {
      const uint32_t instant = find_instant(o, page, lane, mouse_x - page.canvas.x);
      if (instant == UINT32_MAX && lanes[lane.leader].merged > 1) continue;  // another lane of the row may have one
      page.mouse.hover.lane = i;
      page.mouse.hover.instant = instant;
      page.mouse.hover.above = true;
      return;
    }
    const uint32_t depth = static_cast<uint32_t>(inside / row_height(o));
    const uint32_t block =
        find_block(page.canvas.blocks, lane.layout, depth, mouse_x - page.canvas.x, kSlackPx * o.unit);
    if (block >= page.canvas.blocks.count && lanes[lane.leader].merged > 1) continue;
    if (block < page.canvas.blocks.count) {
      page.mouse.hover.lane = i;
      page.mouse.hover.block = block;
    }
    return;
  }
}

void handle_wheel(Overlay& o, LanesPage& page, bool over_gutter) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!page.mouse.hover.canvas || io.MouseWheel == 0) return;
  if (over_gutter) {
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseWheel * row_height(o) * 3);
    return;
  }
  const double strength = io.KeyCtrl ? 0.25 : io.KeyShift ? 3 : 1;  // fine, coarse
  const double factor = pow(kWheelZoom, -static_cast<double>(io.MouseWheel) * strength);
  o.timeline.set_view(
      zoom_view(o.timeline.view(), static_cast<double>(page.mouse.hover.time_ns), factor, o.timeline.limits()), false);
}

// The block under the mouse; NULL if there is none.
const Block* hovered_block(const Content& content, const LanesPage& page, const Lane** lane) {
  if (page.mouse.hover.block >= page.canvas.blocks.count) return nullptr;
  *lane = &content.store.lanes()[page.mouse.hover.lane];
  return &page.canvas.blocks[page.mouse.hover.block];
}

// What zooming to a block means: the whole run, if it is a merged one.
TimeWindow window_of_block(const Lane& lane, const Block& block) {
  const uint32_t* begin = lane.rows.order + lane.rows.row_begin[block.depth];
  const uint32_t* end = lane.rows.order + lane.rows.row_begin[block.depth + 1];
  const uint32_t last = std::lower_bound(begin, end, block.end)[-1];
  return {lane.rows.spans[block.first].begin_ns, lane.rows.spans[last].end_ns};
}

void open_menu(Content& content, LanesPage& page) {
  const Lane* lane = nullptr;
  const Block* block = hovered_block(content, page, &lane);
  page.mouse.menu.by_key = false;
  page.mouse.menu.span = SelectedSpan();
  page.mouse.menu.lane_id = 0;
  if (page.mouse.hover.lane < content.store.lanes().count) {
    lane = &content.store.lanes()[page.mouse.hover.lane];
    page.mouse.menu.lane_kind = lane->kind;
    page.mouse.menu.lane_id = lane->id;
  }
  // A merged block is taken for its first span.
  if (block != nullptr)
    page.mouse.menu.span = {true, lane->kind, lane->id, content.store.whole_span(content.capture, *lane, block->first)};
  page.mouse.menu.open = true;
}

void handle_click(Overlay& o, LanesPage& page, int button, bool over_gutter) {
  const Lane* lane = nullptr;
  const Block* block = hovered_block(o, page, &lane);
  if (button == 1 || (button == 0 && ImGui::GetIO().KeyCtrl)) {
    open_menu(o, page);
  } else if (over_gutter && on_quiet_line(o, page, ImGui::GetIO().MousePos.y - page.canvas.y)) {
    page.canvas.quiet.unfolded = !page.canvas.quiet.unfolded;
  } else if (over_gutter) {
    if (page.mouse.hover.lane < o.store.lanes().count) {
      Lane& folded = o.store.lanes()[page.mouse.hover.lane];
      folded.folded = !folded.folded;
    }
  } else if (button == 2) {
    if (block != nullptr) zoom_to(o, window_of_block(*lane, *block));
  } else if (block != nullptr && !block->merged()) {
    o.selection.forget_measured();
    select_span(o, *lane, block->first);
  } else if (block == nullptr) {
    o.selection.clear();
  }
}

void handle_double_click(Overlay& o, LanesPage& page, bool over_gutter) {
  if (over_gutter) return;
  const Lane* lane = nullptr;
  if (hovered_block(o, page, &lane) != nullptr) {
    zoom_to(o, window_of_block(*lane, page.canvas.blocks[page.mouse.hover.block]));
  } else {
    show_whole_frame(o);
  }
}

void press(Overlay& o, LanesPage& page, int button) {
  const ImGuiIO& io = ImGui::GetIO();
  page.mouse.drag = {DragKind::kPressed, button, io.MousePos.x, io.MousePos.y, false, o.timeline.view(),
                     ImGui::GetScrollY()};
  if (page.mouse.hover.lane >= o.store.lanes().count) return;
  page.mouse.drag.lane_kind = o.store.lanes()[page.mouse.hover.lane].kind;
  page.mouse.drag.lane_id = o.store.lanes()[page.mouse.hover.lane].id;
}

// The lane whose label is held goes up or down by one place in each frame, until it is under the mouse.
void drag_lane(Overlay& o, LanesPage& page, float y) {
  const Lane* lane = find_lane(o, page.mouse.drag.lane_kind, page.mouse.drag.lane_id);
  if (lane == nullptr || !(lane->height > 0)) return;
  const Lane* beside = nullptr;  // whose middle the mouse has passed
  for (const Lane& other : o.store.lanes()) {
    const float middle = other.y + other.height * 0.5f;
    if (!(other.height > 0) || other.y == lane->y) continue;  // itself, or of its row
    if (other.y > lane->y ? y > middle : y < middle) beside = &other;
  }
  if (beside != nullptr) move_lane(o, *lane, beside->y > lane->y ? 1 : -1);
}

void drag(Overlay& o, LanesPage& page, bool over_gutter) {
  const ImGuiIO& io = ImGui::GetIO();
  const float dx = io.MousePos.x - page.mouse.drag.x;
  const float dy = io.MousePos.y - page.mouse.drag.y;
  if (!page.mouse.drag.moved && fabsf(dx) < kClickPx * o.unit && fabsf(dy) < kClickPx * o.unit) return;
  if (!page.mouse.drag.moved) {
    page.mouse.drag.moved = true;
    const bool pan = page.mouse.drag.button != 0 || io.KeyShift;
    page.mouse.drag.kind = pan ? DragKind::kPan : over_gutter ? DragKind::kMoveLane : DragKind::kMeasure;
    if (pan)
      o.timeline.remember_view();
    else if (!over_gutter)
      freeze(o);
  }
  const double width = static_cast<double>(page.canvas.width);
  if (page.mouse.drag.kind == DragKind::kPan) {
    const double by_ns = -static_cast<double>(dx) / width * page.mouse.drag.view.duration_ns();
    o.timeline.set_view(pan_view(page.mouse.drag.view, by_ns, o.timeline.limits()), false);
    ImGui::SetScrollY(page.mouse.drag.scroll - dy);
  } else if (page.mouse.drag.kind == DragKind::kMoveLane) {
    drag_lane(o, page, io.MousePos.y - page.canvas.y);
  } else if (page.mouse.drag.kind == DragKind::kMeasure) {
    const View view = o.timeline.view();
    const double a = time_at(view, static_cast<double>(page.mouse.drag.x - page.canvas.x), width);
    const double b = time_at(view, static_cast<double>(io.MousePos.x - page.canvas.x), width);
    o.selection.measured.begin_ns = static_cast<int64_t>(std::max(std::min(a, b), view.begin_ns));
    o.selection.measured.end_ns = static_cast<int64_t>(std::min(std::max(a, b), view.end_ns));
  }
}

}  // namespace

void handle_lane_mouse(Overlay& o, LanesPage& page, float y, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  find_hovered(o, page, io.MousePos.x, io.MousePos.y, y);
  const bool over_gutter = io.MousePos.x < page.canvas.x;
  handle_wheel(o, page, over_gutter);
  if (page.mouse.hover.canvas && ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl && !io.KeyShift) {
    handle_double_click(o, page, over_gutter);
    page.mouse.drag.stop();
    return;
  }
  for (int button = 0; button < 3; ++button)
    if (page.mouse.hover.canvas && !page.mouse.drag.active() && ImGui::IsMouseClicked(button)) press(o, page, button);
  if (!page.mouse.drag.active()) return;
  if (active || ImGui::IsMouseDown(page.mouse.drag.button)) drag(o, page, page.mouse.drag.x < page.canvas.x);
  if (!ImGui::IsMouseReleased(page.mouse.drag.button) && ImGui::IsMouseDown(page.mouse.drag.button)) return;
  if (page.mouse.drag.kind == DragKind::kPressed) handle_click(o, page, page.mouse.drag.button, over_gutter);
  if (page.mouse.drag.kind == DragKind::kMeasure && o.selection.measures()) page.mouse.menu.open_measured = true;
  page.mouse.drag.stop();
}

}  // namespace flamelet::ui
