// SPDX-License-Identifier: MIT
#include "lanes/lanes_page.h"

#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/hash.h"
#include "imgui.h"
#include "pages/pages.h"
#include "pages/why/why_page.h"
#include "shell/state_text.h"

namespace flamelet::ui {

// ---- lane places

namespace {

constexpr float kMostStay = 2.0f / 3;  // of the window, that lanes which stay at the top may take

bool lane_shown(const Choice& choice, const Lane& lane) {
  if (lane.hidden || lane.left_out != 0) return !lane.hidden;
  if (!lane.seen && lane.rows.row_count == 0) return false;
  if (!has_blocks(lane.content)) return true;  // a counter always has a value
  return !choice.settings.hide_empty || lane.layout.block_count != 0;
}

// The end of the last outermost span that was read.
int64_t newest_of(const Lane& lane) {
  if (lane.rows.row_count == 0) return lane.newest_ns;
  const uint32_t last = lane.rows.order[lane.rows.row_begin[1] - 1];
  return std::max(lane.newest_ns, lane.rows.spans[last].end_ns);
}

bool quiet(const Lane& lane, int64_t view_begin_ns) {
  return lane.content == LaneContent::kSpans && lane.layout.block_count == 0 && !lane.pinned && lane.left_out == 0 &&
         newest_of(lane) < view_begin_ns - QuietLanes::kQuietNs;
}

// Left and right edge of what the lane has in view; 0, 0 if that is nothing.
struct Extent {
  float left = 0, right = 0;
};
Extent extent_of(const LanesPage& page, const Lane& lane) {
  Extent extent;
  for (uint32_t i = 0; i < lane.layout.block_count; ++i) {
    const Block& block = page.canvas.blocks[lane.layout.first_block + i];
    if (block.depth != 0) break;  // blocks stand by depth, and nothing is wider than what is around it
    if (i == 0) extent.left = block.x0;
    extent.right = std::max(extent.right, block.x1);
  }
  return extent;
}

// Into the first row of lanes with this name in which it covers nothing; UINT32_MAX: it leads a row of its own. Lanes of
// one name come in the order of their begins, so it is enough to know where each row ends.
uint32_t find_row(Content& content, uint32_t index, Extent extent) {
  Array<Lane>& lanes = content.store.lanes();
  for (uint32_t i = 0; i < index; ++i) {
    const Lane& leader = lanes[i];
    if (!(leader.height > 0) || leader.leader != i || leader.content != LaneContent::kSpans) continue;
    if (leader.kind != lanes[index].kind || leader.name != lanes[index].name) continue;
    if (extent.right <= extent.left || extent.left >= leader.row_end_px) return i;
  }
  return UINT32_MAX;
}

// One row below the other. Pinned lanes come first, and stay at the top as far as they leave room for others. Returns where
// the lanes end.
float stack_rows(Content& content, const Frame& frame, LanesPage& page) {
  Array<Lane>& lanes = content.store.lanes();
  const float scrolled = page.canvas.scrolled();
  const float most_stay = (page.canvas.bottom - page.canvas.top) * kMostStay;
  float y = lane_gap(frame) + scaled(frame, 1);
  page.canvas.covered = 0;
  for (uint32_t i = 0; i < lanes.count; ++i) {
    Lane& lane = lanes[i];
    if (!(lane.height > 0)) continue;
    const Lane& leader = lanes[lane.leader];
    if (lane.leader != i) {
      lane.y = leader.y;
      lane.height = leader.height;
      lane.stays = leader.stays;
    } else {
      lane.y = y;
      y += lane.height + lane_gap(frame);
      lane.stays = lane.pinned && y <= most_stay;
      if (lane.stays) lane.y += scrolled;
      if (lane.stays && scrolled > 0) page.canvas.covered = y;
    }
    lane.covered_to = lane.stays || !(page.canvas.covered > 0) ? 0 : scrolled + page.canvas.covered;
  }
  return y;
}

}  // namespace

void move_canvas(Content& content, LanesPage& page, float top, float bottom, float content_y) {
  const float before = page.canvas.scrolled();
  page.canvas.top = top;
  page.canvas.bottom = bottom;
  page.canvas.y = content_y;
  for (Lane& lane : content.store.lanes())
    if (lane.stays) lane.y += page.canvas.scrolled() - before;
}

void place_lanes(DrawContext& o, LanesPage& page) {
  Array<Lane>& lanes = o.store.lanes();
  const int64_t begin_ns = window_of(o.timeline.view()).begin_ns;
  QuietLanes& silent = page.canvas.quiet;
  silent.count = 0;
  // What is only looked at leaves no trace.
  const bool remembers = !o.timeline.previewing();
  for (Lane& lane : lanes) {
    if (remembers) lane.newest_ns = newest_of(lane);
    if (remembers) lane.seen = lane.seen || lane.rows.row_count != 0;
    if (lane_shown(o, lane) && quiet(lane, begin_ns)) ++silent.count;
  }
  if (silent.count < QuietLanes::kLeast || !o.settings.fold_quiet) silent.count = 0;
  const bool fold_quiet = silent.count != 0 && !silent.unfolded;

  // Which row each lane is in, and how high that row has to be.
  for (uint32_t i = 0; i < lanes.count; ++i) {
    Lane& lane = lanes[i];
    lane.height = 0;
    lane.leader = i;
    lane.merged = 1;
    if (!lane_shown(o, lane) || (fold_quiet && quiet(lane, begin_ns))) continue;
    const uint32_t row_count = lane.content == LaneContent::kCounters     ? counter_lane_rows(o, lane)
                               : lane.content == LaneContent::kProcessors ? page.states.processor_count
                                                                          : lane.layout.row_count;
    if (remembers) lane.tallest = o.compact_lanes ? row_count : std::max(lane.tallest, row_count);
    const uint32_t rows = lane.folded ? 1 : std::max({lane.tallest, row_count, 1u});
    lane.height = static_cast<float>(rows) * row_height(o);
    if (!o.settings.merge_lanes || lane.content != LaneContent::kSpans) continue;
    const Extent extent = extent_of(page, lane);
    lane.row_end_px = extent.right;
    const uint32_t leader = find_row(o, i, extent);
    if (leader == UINT32_MAX) continue;
    lane.leader = leader;
    lane.folded = lanes[leader].folded;
    lanes[leader].merged += 1;
    lanes[leader].row_end_px = std::max(lanes[leader].row_end_px, extent.right);
    lanes[leader].height = std::max(lanes[leader].height, lane.height);
  }

  float y = stack_rows(o, o, page);
  silent.y = y;
  if (silent.count != 0) y += row_height(o) + lane_gap(o);
  page.canvas.height = y;
}

void draw_quiet_line(Frame& frame, LanesPage& page, Canvas& canvas, float x, float y) {
  const QuietLanes& silent = page.canvas.quiet;
  if (silent.count == 0) return;
  FixedText<64> text;
  text.add(silent.unfolded ? "fold " : "").add_unsigned(silent.count).add(" quiet lanes");
  canvas.text_fit(x + scaled(frame, 21), y + silent.y + scaled(frame, 1), gutter_width(frame) - scaled(frame, 27),
                  color::kTextDim, text.view());
}

bool is_covered(const LanesPage& page, float y) {
  return y < page.canvas.scrolled() + page.canvas.covered;
}

bool on_quiet_line(const Frame& frame, const LanesPage& page, float y) {
  const QuietLanes& silent = page.canvas.quiet;
  return silent.count != 0 && !is_covered(page, y) && y >= silent.y && y < silent.y + row_height(frame);
}

void write_places_state(const Content& content, const LanesPage& page, JsonObject* json) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < content.store.lanes().count; ++i)
    rows += content.store.lanes()[i].height > 0 && content.store.lanes()[i].leader == i;
  json->add("lane_rows", rows);
  json->add("quiet_lanes", page.canvas.quiet.count);
  json->add_number("quiet_y_px", static_cast<double>(page.canvas.y + page.canvas.quiet.y));
}

// The ruler, and below it a scrolling child window with a gutter for the labels and the canvas beside it.

namespace {

constexpr float kRulerHeight = 17;

// ImGui's indices are 16 bits wide by default, so one draw list stays below 65,536 vertices: this many rectangles, and
// the rest is for texts and lines.
constexpr uint32_t kMostBlocks = 7500;
static_assert((kMostBlocks + kMostCharacters) * 4 < 56000, "leaves room for the states of threads");

// What the blocks depend on.
LayoutKey layout_key(const Content& content, const Frame& frame, float width) {
  LayoutKey key;
  key.spans = content.store.generation();
  key.window = window_of(content.timeline.view());
  key.width_px = width;
  key.merge_limit_px = kMergeLimitPx * frame.unit;
  key.lanes = kFnvStart;
  for (const Lane& lane : content.store.lanes()) {
    const uint64_t state = uint64_t{lane.capture_lane} << 2 | (lane.folded ? 2u : 0u) | (lane.hidden ? 1u : 0u);
    key.lanes = fnv_next(key.lanes, state);
  }
  return key;
}

// Most frames show what the frame before showed: their blocks are the same.
void layout_blocks(Content& content, const Frame& frame, LanesPage& page, float width) {
  const LayoutKey key = layout_key(content, frame, width);
  if (key == page.canvas.laid_out) return;
  page.canvas.laid_out = key;
  LaneLayoutInput input;
  input.window = key.window;
  input.width_px = key.width_px;
  input.merge_limit_px = key.merge_limit_px;
  OverlayStats& stats = content.numbers.stats;
  for (int attempt = 0; attempt < 12; ++attempt, input.merge_limit_px *= 2) {
    page.canvas.blocks.clear();
    stats.zones_drawn = stats.zones_merged = 0;
    page.canvas.intervals_drawn = page.canvas.intervals_merged = 0;
    bool complete = true;
    for (Lane& lane : content.store.lanes()) {
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
  stats.zones_left_out = content.store.left_out();
}

void layout_lanes(DrawContext& o, LanesPage& page, float width) {
  layout_blocks(o, o, page, width);
  lay_out_processors(o, o, page);
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

LanesPage& lanes_of(PageContext& o) {
  return o.pages.get<LanesPage>();
}
const LanesPage& lanes_of(const PageContext& o) {
  return o.pages.get<LanesPage>();
}

void LanesPage::carve(Carver* carver, const OverlayConfig& config) {
  carver->take(&canvas.blocks, 16384);
  carver->take(&canvas.critical_line, 1024);
  counters.carve(carver, config.max_counters);
  states.carve(carver);
  flows.carve(carver);
  fibers.carve(carver);
}

void LanesPage::reset(PageContext&) {
  counters.clear();
  states.clear();
  mouse.hover.leave_lanes();
  mouse.submitter = Submitter();
  canvas.blocks.clear();
  canvas.laid_out = LayoutKey();
  flows.clear();
}

void LanesPage::draw(PageContext& o, float height) {
  LanesPage& page = lanes_of(o);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  const float ruler_height = scaled(o, kRulerHeight);
  const float child_height = height - ruler_height;
  if (child_height < row_height(o)) return update_statistics(o, o);

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
  draw_lanes(o, why_of(o), page, content.x, content.y, child.y, child.y + child_height);
  o.compact_lanes = false;
  o.numbers.stats.canvas_vertices = static_cast<uint32_t>(list->VtxBuffer.Size - vertices_before);
  o.numbers.stats.canvas_commands = static_cast<uint32_t>(list->CmdBuffer.Size);
  o.numbers.stats.lanes_ns = steady_ns() - start_ns;
  show_lane_menu(o, page);
  ImGui::EndChild();

  draw_ruler(o, o, page, at.x, at.y, ruler_height);
  show_lane_tooltip(o, o, page);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  update_statistics(o, o);  // the mouse may have chosen something
}

void LanesPage::write_state(const PageContext& o, JsonObject* json) const {
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
  write_intervals_state(o, o, page, json);
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
