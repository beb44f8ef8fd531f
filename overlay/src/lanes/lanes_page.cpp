// SPDX-License-Identifier: MIT
//
// The ruler, and below it a scrolling child window with a gutter for the labels and the canvas beside it.
#include "lanes/lanes_page.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/widgets.h"
#include "flamelet/detail/hash.h"
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
constexpr uint32_t kMostBlocks = 7500;
static_assert((kMostBlocks + kMostCharacters) * 4 < 56000, "leaves room for the states of threads");

// What the blocks depend on.
LayoutKey layout_key(const Overlay& o, float width) {
  LayoutKey key;
  key.spans = o.store.generation();
  key.window = window_of(o.timeline.view());
  key.width_px = width;
  key.merge_limit_px = kMergeLimitPx * o.unit;
  key.lanes = kFnvStart;
  for (const Lane& lane : o.store.lanes()) {
    const uint64_t state = uint64_t{lane.capture_lane} << 2 | (lane.folded ? 2u : 0u) | (lane.hidden ? 1u : 0u);
    key.lanes = fnv_next(key.lanes, state);
  }
  return key;
}

// Most frames show what the frame before showed: their blocks are the same.
void layout_blocks(Overlay& o, LanesPage& page, float width) {
  const LayoutKey key = layout_key(o, width);
  if (key == page.canvas.laid_out) return;
  page.canvas.laid_out = key;
  LaneLayoutInput input;
  input.window = key.window;
  input.width_px = key.width_px;
  input.merge_limit_px = key.merge_limit_px;
  OverlayStats& stats = o.numbers.stats;
  for (int attempt = 0; attempt < 12; ++attempt, input.merge_limit_px *= 2) {
    page.canvas.blocks.clear();
    stats.zones_drawn = stats.zones_merged = 0;
    page.canvas.intervals_drawn = page.canvas.intervals_merged = 0;
    bool complete = true;
    for (Lane& lane : o.store.lanes()) {
      lane.layout = LaneLayout();
      if (lane.hidden) continue;
      input.most_rows = lane.folded ? 1 : UINT32_MAX;
      lane.layout = layout_lane(lane.rows, input, &page.canvas.blocks);
      complete = complete && lane.layout.complete;
      if (lane.folded) continue;
      const bool intervals = lane.content == LaneContent::kIntervals;
      (intervals ? page.canvas.intervals_drawn : stats.zones_drawn) += lane.layout.zones_drawn;
      (intervals ? page.canvas.intervals_merged : stats.zones_merged) += lane.layout.zones_merged;
    }
    stats.merge_limit_px = input.merge_limit_px;
    if (complete && page.canvas.blocks.count <= kMostBlocks) break;
  }
  stats.zones_in_view = stats.zones_drawn + stats.zones_merged;
  stats.zones_left_out = o.store.left_out();
}

void layout_lanes(Overlay& o, LanesPage& page, float width) {
  layout_blocks(o, page, width);
  lay_out_processors(o, page);
  place_lanes(o, page);
}

void add_hovered(const Content& content, const LanesPage& page, JsonObject* json) {
  const Hover& hover = page.mouse.hover;
  if (hover.block < page.canvas.blocks.count && hover.lane < content.store.lanes().count) {
    const Block& block = page.canvas.blocks[hover.block];
    const LaneRows& rows = content.store.lanes()[hover.lane].rows;
    if (block.first < rows.span_count) {
      json->add("hovered_name", view_of(flamelet_capture_string(content.capture, rows.spans[block.first].name)));
      json->add("hovered_zones", block.zones);
      return;
    }
  }
  json->add_null("hovered_name");
  json->add("hovered_zones", 0u);
}

}  // namespace

LanesPage& lanes_of(Shell& shell) {
  return shell.pages.get<LanesPage>();
}
const LanesPage& lanes_of(const Shell& shell) {
  return shell.pages.get<LanesPage>();
}

void LanesPage::carve(Carver* carver, const OverlayConfig& config) {
  carver->take(&canvas.blocks, 16384);
  carver->take(&canvas.critical_line, 1024);
  counters.carve(carver, config.max_counters);
  states.carve(carver);
  flows.carve(carver);
  fibers.carve(carver);
}

void LanesPage::reset(Overlay&) {
  counters.clear();
  states.clear();
  mouse.hover.leave_lanes();
  mouse.submitter = Submitter();
  canvas.blocks.clear();
  canvas.laid_out = LayoutKey();
  flows.clear();
}

float gutter_width(const Frame& frame) {
  return scaled(frame, 132);
}

void LanesPage::draw(Overlay& o, float height) {
  LanesPage& page = lanes_of(o);
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
  page.canvas.x = content.x + gutter_width(o);
  move_canvas(o, page, child.y, child.y + child_height, content.y);
  page.canvas.width = std::max(width, 1.0f);
  const float content_height = std::max(page.canvas.height, 1.0f);
  ImGui::InvisibleButton(
      "##lanes", ImVec2(full_width - ImGui::GetStyle().ScrollbarSize, std::max(content_height, child_height)),
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  page.mouse.hover.canvas = ImGui::IsItemHovered();
  if (page.canvas.scroll_rows != 0) ImGui::SetScrollY(ImGui::GetScrollY() + page.canvas.scroll_rows * row_height(o));
  page.canvas.scroll_rows = 0;
  handle_lane_mouse(o, page, content.y, ImGui::IsItemActive());

  update_spans(o);
  const int64_t start_ns = steady_ns();
  layout_lanes(o, page, page.canvas.width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int vertices_before = list->VtxBuffer.Size;
  draw_lanes(o, page, content.x, content.y, child.y, child.y + child_height);
  page.canvas.compact = false;
  o.numbers.stats.canvas_vertices = static_cast<uint32_t>(list->VtxBuffer.Size - vertices_before);
  o.numbers.stats.canvas_commands = static_cast<uint32_t>(list->CmdBuffer.Size);
  o.numbers.stats.lanes_ns = steady_ns() - start_ns;
  show_lane_menu(o, page);
  ImGui::EndChild();

  draw_ruler(o, page, at.x, at.y, ruler_height);
  show_lane_tooltip(o, page);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  update_statistics(o);  // the mouse may have chosen something
}

void LanesPage::write_state(const Overlay& o, JsonObject* json) const {
  const LanesPage& page = lanes_of(o);
  add_hovered(o, page, json);
  json->add_number("canvas_left_px", static_cast<double>(page.canvas.x));
  json->add_number("canvas_top_px", static_cast<double>(page.canvas.y));
  json->add_number("canvas_width_px", static_cast<double>(page.canvas.width));
  // The lanes in sight, with their places on the screen.
  static constexpr const char* kKinds[] = {"thread", "gpu", "external", "fiber"};
  static constexpr const char* kContents[] = {"", "processors", "interval", "counter"};
  uint32_t counts[4] = {}, gpu_lanes = 0;
  JsonList list = json->add_list("lane_list");
  for (const Lane& lane : o.store.lanes()) {
    if (!(lane.height > 0)) continue;
    const bool spans = lane.content == LaneContent::kSpans;
    ++counts[static_cast<uint32_t>(lane.content)];
    if (lane.kind == FLAMELET_LANE_GPU) ++gpu_lanes;
    JsonObject item = list.add_object();
    item.add("lane", lane.name);
    item.add("kind",
             spans ? kKinds[static_cast<uint32_t>(lane.kind) & 3] : kContents[static_cast<uint32_t>(lane.content)]);
    item.add_number("top_px", static_cast<double>(page.canvas.y + lane.y));
    item.add_number("height_px", static_cast<double>(lane.height));
    item.add("folded", lane.folded);
    item.add("pinned", lane.pinned);
    item.add("stays", lane.stays);
    item.add("zones", lane.layout.zones_drawn + lane.layout.zones_merged);
    item.close();
  }
  list.close();
  write_places_state(o, page, json);
  json->add("lanes_hidden", o.lane_choices.hidden_count());
  json->add("lanes", counts[0]);
  json->add("gpu_lanes", gpu_lanes);
  json->add("interval_lanes", counts[2]);
  json->add("counter_lanes", counts[3]);
  json->add("processors", counts[1] != 0 ? page.states.processor_count : 0u);
  write_intervals_state(o, page, json);
  write_counters_state(o, page, json);
  json->add("fiber_joins", page.fibers.joins().count);
  json->add("flow_arrows", page.flows.arrow_count());
  json->add("flows_begun", page.flows.counts().begun);
  json->add("flows_ended", page.flows.counts().ended);
  json->add("flows_open", page.flows.counts().open);
  json->add("flows_without_begin", page.flows.counts().missing_begins);
  json->add("critical_path", o.settings.critical_path);
  json->add("critical_line_rects", page.canvas.critical_line.count);
}

}  // namespace flamelet::ui
