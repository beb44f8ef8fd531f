// SPDX-License-Identifier: MIT
//
// The ruler, and below it a scrolling child window with a gutter for the labels and the canvas beside it.
#include "lanes/lanes_page.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "lanes/interval_details.h"
#include "lanes/lane_parts.h"
#include "lanes/lane_places.h"
#include "shell/json.h"
#include "shell/update.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

constexpr float kRulerHeight = 17;

// ImGui's indices are 16 bits wide by default, so one draw list stays below 65,536 vertices: this many rectangles, and
// the rest is for texts and lines.
constexpr uint32_t kMostBlocks = 9000;
static_assert(kMostBlocks * 4 < 40000, "leaves room for the labels");

// What the blocks depend on.
LayoutKey layout_key(const Overlay& o, float width) {
  LayoutKey key;
  key.spans = o.store.generation();
  key.window = window_of(o.timeline.view());
  key.width_px = width;
  key.merge_limit_px = kMergeLimitPx * o.unit;
  key.lanes = 14695981039346656037ull;  // FNV-1a
  for (const Lane& lane : o.store.lanes()) {
    const uint64_t state = uint64_t{lane.capture_lane} << 2 | (lane.folded ? 2u : 0u) | (lane.hidden ? 1u : 0u);
    key.lanes = (key.lanes ^ state) * 1099511628211ull;
  }
  return key;
}

// Most frames show what the frame before showed: their blocks are the same.
void layout_blocks(Overlay& o, float width) {
  const LayoutKey key = layout_key(o, width);
  if (key == o.canvas.laid_out) return;
  o.canvas.laid_out = key;
  LaneLayoutInput input;
  input.window = key.window;
  input.width_px = key.width_px;
  input.merge_limit_px = key.merge_limit_px;
  OverlayStats& stats = o.numbers.stats;
  for (int attempt = 0; attempt < 12; ++attempt, input.merge_limit_px *= 2) {
    o.canvas.blocks.clear();
    stats.zones_drawn = stats.zones_merged = 0;
    o.canvas.intervals_drawn = o.canvas.intervals_merged = 0;
    bool complete = true;
    for (Lane& lane : o.store.lanes()) {
      lane.layout = LaneLayout();
      if (lane.hidden) continue;
      input.most_rows = lane.folded ? 1 : UINT32_MAX;
      lane.layout = layout_lane(lane.rows, input, &o.canvas.blocks);
      complete = complete && lane.layout.complete;
      if (lane.folded) continue;
      const bool intervals = lane.content == LaneContent::kIntervals;
      (intervals ? o.canvas.intervals_drawn : stats.zones_drawn) += lane.layout.zones_drawn;
      (intervals ? o.canvas.intervals_merged : stats.zones_merged) += lane.layout.zones_merged;
    }
    stats.merge_limit_px = input.merge_limit_px;
    if (complete && o.canvas.blocks.count <= kMostBlocks) break;
  }
  stats.zones_in_view = stats.zones_drawn + stats.zones_merged;
  stats.zones_left_out = o.store.left_out();
}

void layout_lanes(Overlay& o, float width) {
  layout_blocks(o, width);
  place_lanes(o);
}

}  // namespace

float gutter_width(const Overlay& o) {
  return scaled(o, 132);
}

void draw_lanes_page(Overlay& o, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  const float ruler_height = scaled(o, kRulerHeight);
  const float child_height = height - ruler_height;
  if (child_height < row_height(o)) return update_statistics(o);

  // The wheel zooms, so the child must neither scroll with it nor hand it to the window around it.
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ruler_height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("##canvas", ImVec2(full_width, child_height), false,
                    ImGuiWindowFlags_NoScrollWithMouse | page_child_flags(o));
  ImGui::PopStyleVar();
  const ImVec2 child = ImGui::GetWindowPos();
  const ImVec2 content = ImGui::GetCursorScreenPos();  // scrolls
  // Always leave room for the scrollbar: when it comes and goes, the time axis must not move.
  const float width = full_width - gutter_width(o) - ImGui::GetStyle().ScrollbarSize;
  o.canvas.x = content.x + gutter_width(o);
  move_canvas(o, child.y, child.y + child_height, content.y);
  o.canvas.width = std::max(width, 1.0f);
  const float content_height = std::max(o.canvas.height, 1.0f);
  ImGui::InvisibleButton(
      "##lanes", ImVec2(full_width - ImGui::GetStyle().ScrollbarSize, std::max(content_height, child_height)),
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  o.mouse.hover.canvas = ImGui::IsItemHovered();
  if (o.canvas.scroll_rows != 0) ImGui::SetScrollY(ImGui::GetScrollY() + o.canvas.scroll_rows * row_height(o));
  o.canvas.scroll_rows = 0;
  handle_lane_mouse(o, content.y, ImGui::IsItemActive());

  update_spans(o);
  const int64_t start_ns = steady_ns();
  layout_lanes(o, o.canvas.width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int vertices_before = list->VtxBuffer.Size;
  draw_lanes(o, content.x, content.y, child.y, child.y + child_height);
  o.canvas.compact = false;
  o.numbers.stats.canvas_vertices = static_cast<uint32_t>(list->VtxBuffer.Size - vertices_before);
  o.numbers.stats.canvas_commands = static_cast<uint32_t>(list->CmdBuffer.Size);
  o.numbers.stats.lanes_ns = steady_ns() - start_ns;
  show_lane_menu(o);
  ImGui::EndChild();

  draw_ruler(o, at.x, at.y, ruler_height);
  show_lane_tooltip(o);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  update_statistics(o);  // the mouse may have chosen something
}

// The lanes in sight, with their places on the screen.
void write_lanes_state(const Overlay& o, JsonObject* json) {
  static constexpr const char* kKinds[] = {"thread", "gpu", "external", "fiber"};
  uint32_t lanes = 0, gpu_lanes = 0, interval_lanes = 0, counter_lanes = 0;
  JsonList list = json->add_list("lane_list");
  for (const Lane& lane : o.store.lanes()) {
    if (!(lane.height > 0)) continue;
    const bool spans = lane.content == LaneContent::kSpans;
    ++(spans ? lanes : lane.content == LaneContent::kIntervals ? interval_lanes : counter_lanes);
    if (lane.kind == FLAMELET_LANE_GPU) ++gpu_lanes;
    JsonObject item = list.add_object();
    item.add("lane", lane.name);
    item.add("kind", spans                                     ? kKinds[static_cast<uint32_t>(lane.kind) & 3]
                     : lane.content == LaneContent::kIntervals ? "interval"
                                                               : "counter");
    item.add_number("top_px", static_cast<double>(o.canvas.y + lane.y));
    item.add_number("height_px", static_cast<double>(lane.height));
    item.add("folded", lane.folded);
    item.add("pinned", lane.pinned);
    item.add("stays", lane.stays);
    item.add("zones", lane.layout.zones_drawn + lane.layout.zones_merged);
    item.close();
  }
  list.close();
  write_places_state(o, json);
  json->add("frame_numbers", o.canvas.frame_numbers);
  json->add_number("last_frame_number_px", static_cast<double>(o.canvas.last_frame_number));
  json->add("lanes_hidden", o.lane_choices.hidden_count());
  json->add("lanes", lanes);
  json->add("gpu_lanes", gpu_lanes);
  json->add("interval_lanes", interval_lanes);
  json->add("counter_lanes", counter_lanes);
  write_intervals_state(o, json);
  write_counters_state(o, json);
  json->add("fiber_joins", o.fibers.joins().count);
  json->add("flow_arrows", o.flows.arrow_count());
  json->add("flows_begun", o.flows.counts().begun);
  json->add("flows_ended", o.flows.counts().ended);
  json->add("flows_open", o.flows.counts().open);
  json->add("flows_without_begin", o.flows.counts().missing_begins);
  json->add("critical_path", o.settings.critical_path);
  json->add("critical_line_rects", o.canvas.critical_line.count);
  json->add("run_line_rects", o.canvas.run_line_rects);
}

}  // namespace flamelet::ui
