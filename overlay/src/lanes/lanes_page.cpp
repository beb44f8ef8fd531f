// SPDX-License-Identifier: MIT
#include "lanes/lanes_page.h"

#include <math.h>
#include <algorithm>

#include "counters/counter_lanes.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/hash.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/lane_rows.h"
#include "pages/pages.h"
#include "pages/scope/scope_page.h"
#include "pages/why/why_page.h"

namespace flamelet::ui {

namespace {

constexpr float kMostStay = 2.0f / 3;  // of the window, that lanes which stay at the top may take

bool lane_shown(const Choice& choice, const Lane& lane) {
  if (lane.hidden || lane.left_out != 0) return !lane.hidden;
  if (!lane.seen && lane.rows.row_count == 0) return false;
  if (!has_blocks(lane.content)) return true;  // a counter always has a value
  return !choice.settings.hide_empty || lane.layout.block_count != 0;
}

// The end of the last outermost span that was in view.
int64_t newest_of(const Lane& lane, int64_t view_end_ns) {
  if (lane.layout.block_count == 0) return lane.newest_ns;
  const uint32_t last = lane.rows.order[lane.rows.row_begin[1] - 1];
  return std::max(lane.newest_ns, std::min(lane.rows.spans[last].end_ns, view_end_ns));
}

// Had nothing in view since then.
bool quiet(const Lane& lane, int64_t since_ns) {
  return lane.content == LaneContent::kSpans && lane.layout.block_count == 0 && !lane.pinned && lane.left_out == 0 &&
         lane.newest_ns < since_ns;
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

// The ruler, and below it a scrolling child window with a gutter for the labels and the canvas beside it.

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
  stats.zones_left_out = content.store.all_left_out();
}

// After the layout of each lane's blocks.
void place_lanes(DrawContext& o, LanesPage& page) {
  Array<Lane>& lanes = o.store.lanes();
  const TimeWindow view = window_of(o.timeline.view()), recorded = o.timeline.recorded();
  const int64_t part_ns = (recorded.end_ns - recorded.begin_ns) / QuietLanes::kPart;
  const int64_t quiet_ns =
      view.begin_ns - (o.standing ? std::min(QuietLanes::kQuietNs, part_ns) : QuietLanes::kQuietNs);
  QuietLanes& silent = page.canvas.quiet;
  silent.count = 0;
  // What is only looked at leaves no trace.
  const bool remembers = !o.timeline.previewing();
  for (Lane& lane : lanes) {
    if (remembers) lane.newest_ns = newest_of(lane, view.end_ns);
    if (remembers) lane.seen = lane.seen || lane.rows.row_count != 0;
    if (lane_shown(o, lane) && quiet(lane, quiet_ns)) ++silent.count;
  }
  if (silent.count < QuietLanes::kLeast || !o.settings.fold_quiet) silent.count = 0;
  const bool fold_quiet = silent.count != 0 && !silent.unfolded;

  // Which row each lane is in, and how high that row has to be.
  for (uint32_t i = 0; i < lanes.count; ++i) {
    Lane& lane = lanes[i];
    lane.height = 0;
    lane.leader = i;
    lane.merged = 1;
    if (!lane_shown(o, lane) || (fold_quiet && quiet(lane, quiet_ns))) continue;
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

void layout_lanes(DrawContext& o, LanesPage& page, float width) {
  layout_blocks(o, o, page, width);
  lay_out_processors(o, o, page);
  place_lanes(o, page);
}

void scroll_to(const LanesPage& page, float y, float height) {
  const float scrolled = page.canvas.scrolled();
  const float below = y + height - scrolled - (page.canvas.bottom - page.canvas.top);
  const float above = y - scrolled - page.canvas.covered;
  if (above < 0 || below > 0) ImGui::SetScrollY(scrolled + (above < 0 ? above : below));
}

// Once all lanes have been laid out, and the window knows how far it scrolls.
void reveal_counter(PageContext& o, LanesPage& page, float content_height) {
  const uint32_t counter = page.canvas.reveal_counter;
  if (counter >= counter_count(o) || content_height != page.canvas.height) return;
  page.canvas.reveal_counter = CounterTable::kNone;
  for (const Lane& lane : o.store.lanes())
    if (lane.content == LaneContent::kCounters && lane.counter == o.points.counters()[counter].lane && !lane.stays)
      scroll_to(page, lane.y, lane.height);
}

// However it was selected, a scope comes into sight once.
void reveal_selection(PageContext& o, LanesPage& page) {
  const SelectedSpan& chosen = o.selection.span;
  const uint64_t which =
      fnv_next(fnv_next(fnv_next(kFnvStart, static_cast<uint64_t>(chosen.span.begin_ns)), uint64_t{chosen.lane_id}),
               uint64_t{chosen.span.depth});
  const Lane* lane = chosen.valid ? find_lane(o, chosen.lane_kind, chosen.lane_id) : nullptr;
  if (lane == nullptr || !(lane->height > 0) || which == page.canvas.revealed) return;
  page.canvas.revealed = which;
  const float row = row_height(o);
  if (!lane->stays) scroll_to(page, lane->y + (lane->folded ? 0.0f : static_cast<float>(chosen.span.depth) * row), row);
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

// The mouse over the lanes. What lies under it is looked up in the blocks of the frame before: those are what the user
// saw when moving it there.

constexpr float kSlackPx = 3;  // narrow blocks are found from this far away
constexpr float kClickPx = 4;  // a button that moved no further is a click
constexpr double kWheelZoom = 1.25;

// The instant nearest to this pixel; UINT32_MAX if none is near.
uint32_t find_instant(const Content& content, const Frame& frame, const LanesPage& page, const Lane& lane, float x) {
  const double width = static_cast<double>(page.canvas.width);
  uint32_t nearest = UINT32_MAX;
  double distance = static_cast<double>(lane_gap(frame));
  for (uint32_t i = 0; i < lane.instant_count; ++i) {
    const double at = x_at(content.timeline.view(), static_cast<double>(lane.instants[i].time_ns), width);
    if (fabs(at - static_cast<double>(x)) >= distance) continue;
    distance = fabs(at - static_cast<double>(x));
    nearest = i;
  }
  return nearest;
}

// True if this is behind lanes that stay at the top, `y` from the top of the canvas's content.
bool is_covered(const LanesPage& page, float y) {
  return y < page.canvas.scrolled() + page.canvas.covered;
}

void find_hovered(const Content& content, const Frame& frame, LanesPage& page, float mouse_x, float mouse_y, float y) {
  page.mouse.hover.leave_lanes();
  if (!page.mouse.hover.canvas) return;
  page.mouse.hover.time_ns = static_cast<int64_t>(time_at(
      content.timeline.view(), static_cast<double>(mouse_x - page.canvas.x), static_cast<double>(page.canvas.width)));
  const Array<Lane>& lanes = content.store.lanes();
  for (uint32_t i = 0; i < lanes.count; ++i) {
    const Lane& lane = lanes[i];
    const float inside = mouse_y - y - lane.y;
    if (!(lane.height > 0) || inside < -lane_gap(frame) || inside >= lane.height) continue;
    if (!lane.stays && is_covered(page, mouse_y - y)) continue;
    if (page.mouse.hover.lane == UINT32_MAX) page.mouse.hover.lane = i;
    if (mouse_x < page.canvas.x) return;
    if (inside < 0) {
      const uint32_t instant = find_instant(content, frame, page, lane, mouse_x - page.canvas.x);
      if (instant == UINT32_MAX && lanes[lane.leader].merged > 1) continue;  // another lane of the row may have one
      page.mouse.hover.lane = i;
      page.mouse.hover.instant = instant;
      page.mouse.hover.above = true;
      return;
    }
    const uint32_t depth = static_cast<uint32_t>(inside / row_height(frame));
    const uint32_t block =
        find_block(page.canvas.blocks, lane.layout, depth, mouse_x - page.canvas.x, kSlackPx * frame.unit);
    if (block >= page.canvas.blocks.count && lanes[lane.leader].merged > 1) continue;
    if (block < page.canvas.blocks.count) {
      page.mouse.hover.lane = i;
      page.mouse.hover.block = block;
    }
    return;
  }
}

void handle_wheel(Content& content, const Frame& frame, LanesPage& page, bool over_gutter) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!page.mouse.hover.canvas || io.MouseWheel == 0) return;
  if (over_gutter) {
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseWheel * row_height(frame) * 3);
    return;
  }
  const double strength = io.KeyCtrl ? 0.25 : io.KeyShift ? 3 : 1;  // fine, coarse
  const double factor = pow(kWheelZoom, -static_cast<double>(io.MouseWheel) * strength);
  content.timeline.set_view_in_run(zoom_view(content.timeline.view(), static_cast<double>(page.mouse.hover.time_ns),
                                             factor, content.timeline.limits()),
                                   Timeline::Run::kZoom, ImGui::GetTime());
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

// True if this is on the line of quiet lanes, `y` from the top of the canvas's content.
bool on_quiet_line(const Frame& frame, const LanesPage& page, float y) {
  const QuietLanes& silent = page.canvas.quiet;
  return silent.count != 0 && !is_covered(page, y) && y >= silent.y && y < silent.y + row_height(frame);
}

void handle_click(DrawContext& o, LanesPage& page, int button, bool over_gutter) {
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
    select_span(o, o, *lane, block->first);
  } else if (block == nullptr) {
    o.selection.clear();
  }
}

void handle_double_click(Content& content, LanesPage& page, bool over_gutter) {
  if (over_gutter) return;
  const Lane* lane = nullptr;
  if (hovered_block(content, page, &lane) != nullptr) {
    zoom_to(content, window_of_block(*lane, page.canvas.blocks[page.mouse.hover.block]));
  } else {
    show_whole_frame(content);
  }
}

void press(const Content& content, LanesPage& page, int button) {
  const ImGuiIO& io = ImGui::GetIO();
  page.mouse.drag = {DragKind::kPressed, button, io.MousePos.x, io.MousePos.y, false, content.timeline.view(),
                     ImGui::GetScrollY()};
  if (page.mouse.hover.lane >= content.store.lanes().count) return;
  page.mouse.drag.lane_kind = content.store.lanes()[page.mouse.hover.lane].kind;
  page.mouse.drag.lane_id = content.store.lanes()[page.mouse.hover.lane].id;
}

// Up (-1) or down (+1), past the next shown one.
void move_lane(PageContext& o, const Lane& lane, int by) {
  LanesPage& page = lanes_of(o);
  Array<Lane>& lanes = o.store.lanes();
  if (!o.lane_choices.move(&lanes, static_cast<uint32_t>(&lane - lanes.data), by)) return;
  page.mouse.hover.leave_lanes();  // its indices are others now
  o.settings.changed = true;
}

// The lane whose label is held goes up or down by one place in each frame, until it is under the mouse.
void drag_lane(PageContext& o, LanesPage& page, float y) {
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

void drag(PageContext& o, LanesPage& page, bool over_gutter) {
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

// The two small menus of the lanes: what to do with a scope or a lane, and what to do with a measured stretch of time.

// What is kept for all lanes of this name.
void show_choices_of_lane(PageContext& o, const Lane& lane) {
  const std::string_view name = lane.name;
  const auto change = [&](auto what) {
    LaneChoice* choice = o.lane_choices.of(name);
    if (choice == nullptr) return;
    what(choice);
    o.settings.changed = true;
    o.lane_choices.arrange(&o.store.lanes());
  };
  const LaneChoice* found = o.lane_choices.find(name);
  const LaneChoice now = found != nullptr ? *found : LaneChoice();
  if (menu_item(o, now.pinned ? "Unpin the lane" : "Pin the lane to the top"))
    return change([](LaneChoice* choice) { choice->pinned = !choice->pinned; });
  if (menu_item(o, "Move the lane up", "Shift+Up")) return move_lane(o, lane, -1);
  if (menu_item(o, "Move the lane down", "Shift+Down")) return move_lane(o, lane, 1);
  if (menu_item(o, "Next colour of the lane"))
    return change([](LaneChoice* choice) {
      choice->color = static_cast<uint8_t>((choice->color + 1) % (LaneChoices::kColors + 1));
    });
  if (menu_item(o, "Hide the lane")) return change([](LaneChoice* choice) { choice->hidden = true; });
}

void show_scope_menu(PageContext& o, LanesPage& page) {
  if (page.mouse.menu.by_key)
    ImGui::SetNextWindowPos(ImVec2(page.mouse.menu.x, page.mouse.menu.y), ImGuiCond_Appearing);
  if (!begin_menu(o, "##scope_menu", MenuPlace::kMouse)) return;
  if (page.mouse.menu.span.valid) {
    const flamelet_span& span = page.mouse.menu.span.span;
    const std::string_view name = view_of(flamelet_capture_string(o.capture, span.name));
    const TextFit fit = fit_text(o.metrics, name, scaled(o, 260));
    FixedText<512> title;
    title.add(name.substr(0, fit.bytes)).add(fit.elided ? o.metrics.ellipsis : "");
    colored_text(color::kTextDim, title.view());
    ImGui::Separator();
    if (menu_item(o, "Zoom to it", "F")) zoom_to(o, {span.begin_ns, span.end_ns});
    if (menu_item(o, "Filter by this name", "/")) o.filter.set(name);
    if (menu_item(o, "Copy as text")) copy_span_text(o, page.mouse.menu.span);
    if (menu_item(o, "All about this scope", "7")) {
      o.selection.select(page.mouse.menu.span);
      o.pages.open("scope");
    }
    const bool on_gpu = page.mouse.menu.span.lane_kind == FLAMELET_LANE_GPU;
    const bool pinned = o.watched.is_pinned(name, on_gpu);
    const bool room = pinned || o.watched.pin_count() < WatchedScopes::kMostPins;
    if (o.has_game() &&
        menu_item(o, pinned ? "Unpin from the HUD" : "Pin to the HUD", "X", false,
                  room && WatchedScopes::can_watch(name)) &&
        o.watched.pin(name, on_gpu, !pinned))
      o.settings.changed = true;
    if (menu_item(o, "Set a budget", nullptr, false, WatchedScopes::can_watch(name))) {
      o.selection.select(page.mouse.menu.span);
      o.pages.open("scope");
      o.pages.get<ScopePage>().focus_budget = true;
    }
    if (menu_item(o, "Worst instance", "Tab")) {
      o.selection.select(page.mouse.menu.span);
      select_worst_instance(o, o);
    }
  }
  Lane* lane = find_lane(o, page.mouse.menu.lane_kind, page.mouse.menu.lane_id);
  if (lane != nullptr) {
    if (page.mouse.menu.span.valid) ImGui::Separator();
    if (menu_item(o, lane->folded ? "Unfold the lane" : "Fold the lane", "G")) lane->folded = !lane->folded;
    if (lane->content == LaneContent::kCounters) show_counter_menu(o, *lane);
    show_choices_of_lane(o, *lane);  // may move it
  }
  if (o.lane_choices.hidden_count() != 0 && menu_item(o, "Show hidden lanes", "Z")) show_hidden_lanes(o, o);
  if (menu_item(o, "Whole frame", "0")) show_whole_frame(o);
  ImGui::EndPopup();
}

void show_measure_menu(PageContext& o, LaneMenu& menu) {
  if (!begin_menu(o, "##measure_menu", MenuPlace::kMouse)) return;
  menu.measured_frame = ImGui::GetFrameCount();
  if (menu.close_measured) ImGui::CloseCurrentPopup();
  FixedText<64> text;
  text.add_time(o.selection.measured_ns());
  ImGui::TextDisabled("measured");
  ImGui::SameLine(0, scaled(o, 8));
  ImGui::TextUnformatted(text.c_str());
  ImGui::Separator();
  const TimeWindow measured = o.selection.measured;
  if (menu_item(o, "Zoom")) {
    freeze(o);
    o.timeline.set_view(view_of(measured), true);
    o.selection.forget_measured();
  }
  if (menu_item(o, "Table")) o.pages.open("table");
  if (menu_item(o, "Clear", "Esc")) o.selection.forget_measured();
  ImGui::EndPopup();
}

void go_to(Content& content, Choice& choice, const Lane& lane, uint32_t span) {
  if (span == lane.rows.span_count) return;
  select_and_show(content, choice, {true, lane.kind, lane.id, content.store.whole_span(content.capture, lane, span)});
}

void select_longest_in_view(Content& content, Choice& choice) {
  const TimeWindow view = window_of(content.timeline.view());
  const Lane* best = nullptr;
  uint32_t longest = 0;
  for (const Lane& lane : content.store.lanes()) {
    if (!(lane.height > 0)) continue;
    const uint32_t span = longest_in(lane.rows, view, [&](const LaneSpan& candidate) {
      return !choice.filter.active() || content.styles.of(key_of(candidate)).matches;
    });
    if (span == lane.rows.span_count) continue;
    if (best != nullptr && !(length_in(lane.rows.spans[span], view) > length_in(best->rows.spans[longest], view)))
      continue;
    best = &lane;
    longest = span;
  }
  if (best != nullptr) go_to(content, choice, *best, longest);
}

// The outermost scope at this time on the next shown lane above (-1) or below (+1) that has one.
void go_to_lane(Content& content, Choice& choice, const Lane& from, int by, int64_t time_ns) {
  const Array<Lane>& lanes = content.store.lanes();
  const Lane* nearest = nullptr;
  for (const Lane& lane : lanes) {
    if (!(lane.height > 0) || lane.rows.span_count == 0 || lane.leader == from.leader) continue;
    if ((lane.leader < from.leader) != (by < 0)) continue;
    // The first of several in one row wins.
    if (nearest == nullptr || (by > 0 ? lane.leader < nearest->leader : lane.leader > nearest->leader)) nearest = &lane;
  }
  if (nearest != nullptr) go_to(content, choice, *nearest, nearest_root(nearest->rows, time_ns));
}

// Takes in where the lanes' window and its content stand now. Lanes that stay at the top go along, so that what was drawn
// last is found where it is.
void move_canvas(Content& content, LanesPage& page, float top, float bottom, float content_y) {
  const float before = page.canvas.scrolled();
  page.canvas.top = top;
  page.canvas.bottom = bottom;
  page.canvas.y = content_y;
  for (Lane& lane : content.store.lanes())
    if (lane.stays) lane.y += page.canvas.scrolled() - before;
}

void write_places_state(const Content& content, const LanesPage& page, JsonObject* json) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < content.store.lanes().count; ++i)
    rows += content.store.lanes()[i].height > 0 && content.store.lanes()[i].leader == i;
  json->add("lane_rows", rows);
  json->add("quiet_lanes", page.canvas.quiet.count);
  json->add_number("quiet_y_px", static_cast<double>(page.canvas.y + page.canvas.quiet.y));
}

void handle_lane_mouse(PageContext& o, LanesPage& page, float y, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  find_hovered(o, o, page, io.MousePos.x, io.MousePos.y, y);
  const bool over_gutter = io.MousePos.x < page.canvas.x;
  handle_wheel(o, o, page, over_gutter);
  if (page.mouse.hover.canvas && ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl && !io.KeyShift) {
    handle_double_click(o, page, over_gutter);
    page.mouse.drag.stop();
    return;
  }
  for (int button = 0; button < 3; ++button)
    if (page.mouse.hover.canvas && !page.mouse.drag.active() && ImGui::IsMouseClicked(button)) press(o, page, button);
  if (!page.mouse.drag.active()) return;
  // It was released on another page.
  if (!ImGui::IsMouseDown(page.mouse.drag.button) && !ImGui::IsMouseReleased(page.mouse.drag.button))
    return page.mouse.drag.stop();
  if (active || ImGui::IsMouseDown(page.mouse.drag.button)) drag(o, page, page.mouse.drag.x < page.canvas.x);
  if (!ImGui::IsMouseReleased(page.mouse.drag.button) && ImGui::IsMouseDown(page.mouse.drag.button)) return;
  if (page.mouse.drag.kind == DragKind::kPressed) handle_click(o, page, page.mouse.drag.button, over_gutter);
  if (page.mouse.drag.kind == DragKind::kMeasure && o.selection.measures()) page.mouse.menu.open_measured = true;
  page.mouse.drag.stop();
}

void show_lane_menu(PageContext& o, LanesPage& page) {
  if (page.mouse.menu.open) ImGui::OpenPopup("##scope_menu");
  if (page.mouse.menu.open_measured) ImGui::OpenPopup("##measure_menu");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(scaled(o, 8), scaled(o, 6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(scaled(o, 12), scaled(o, 4)));
  show_scope_menu(o, page);
  show_measure_menu(o, page.mouse.menu);
  page.mouse.menu.open = page.mouse.menu.open_measured = page.mouse.menu.close_measured = false;
  ImGui::PopStyleVar(2);
}

// The lane of the selection, or else the one under the mouse, or the first; NULL if there is none.
Lane* lane_of_keys(PageContext& o) {
  LanesPage& page = lanes_of(o);
  Array<Lane>& lanes = o.store.lanes();
  if (o.selection.span.valid) {
    Lane* lane = find_lane(o, o.selection.span.lane_kind, o.selection.span.lane_id);
    if (lane != nullptr) return lane;
  }
  if (page.mouse.hover.lane < lanes.count) return &lanes[page.mouse.hover.lane];
  Lane* first = nullptr;
  for (Lane& lane : lanes)
    if (lane.height > 0 && first == nullptr) first = &lane;
  return first;
}

}  // namespace

void draw_quiet_line(Frame& frame, LanesPage& page, Canvas& canvas, float x, float y) {
  const QuietLanes& silent = page.canvas.quiet;
  if (silent.count == 0) return;
  FixedText<64> text;
  text.add(silent.unfolded ? "fold " : "").add_unsigned(silent.count).add(" quiet lanes");
  canvas.text_fit(x + scaled(frame, 21), y + silent.y + scaled(frame, 1), gutter_width(frame) - scaled(frame, 27),
                  color::kTextDim, text.view());
}

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
  mouse.menu = LaneMenu();
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
  begin_bare_child(o, "##canvas", ImVec2(full_width, child_height), ImGuiWindowFlags_NoScrollWithMouse);
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
  reveal_selection(o, page);
  reveal_counter(o, page, content_height);
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

void select_neighbor(PageContext& o, Neighbor direction) {
  update_spans(o);
  const SelectedSpan from = o.selection.span;
  const Lane* lane = from.valid ? find_lane(o, from.lane_kind, from.lane_id) : nullptr;
  const uint32_t span = lane != nullptr ? find_same_span(lane->rows, from.span) : 0;
  if (lane == nullptr || span == lane->rows.span_count) return select_longest_in_view(o, o);
  const int64_t middle_ns = from.span.begin_ns + (from.span.end_ns - from.span.begin_ns) / 2;
  uint32_t to = lane->rows.span_count;
  switch (direction) {
    case Neighbor::kParent:
      to = parent_of(lane->rows, span);
      if (to == lane->rows.span_count) return go_to_lane(o, o, *lane, -1, middle_ns);
      break;
    case Neighbor::kChild:
      to = longest_child(lane->rows, span);
      if (to == lane->rows.span_count) return go_to_lane(o, o, *lane, 1, middle_ns);
      break;
    case Neighbor::kPrevious:
      to = along_row(lane->rows, span, -1);
      break;
    case Neighbor::kNext:
      to = along_row(lane->rows, span, 1);
      break;
  }
  go_to(o, o, *lane, to);
}

void select_or_zoom(Content& content, Choice& choice) {
  if (choice.selection.span.valid)
    zoom_to_selection(content, choice);
  else
    select_longest_in_view(content, choice);
}

void measure_selection(Content& content, Choice& choice) {
  if (choice.selection.measures()) return choice.selection.forget_measured();
  if (!choice.selection.span.valid) return;
  freeze(content);
  choice.selection.measured = {choice.selection.span.span.begin_ns, choice.selection.span.span.end_ns};
}

void open_selection_menu(PageContext& o) {
  LanesPage& page = lanes_of(o);
  o.pages.open("lanes");
  LaneMenu& menu = page.mouse.menu;
  const Lane* lane = lane_of_keys(o);
  if (lane == nullptr) return;
  menu.span = o.selection.span;
  menu.lane_kind = lane->kind;
  menu.lane_id = lane->id;
  menu.open = true;
  menu.by_key = true;
  const double width = static_cast<double>(page.canvas.width);
  const double at =
      menu.span.valid ? x_at(o.timeline.view(), static_cast<double>(menu.span.span.begin_ns), width) : 0.0;
  menu.x = page.canvas.x + static_cast<float>(std::min(std::max(at, 0.0), width));
  menu.y = std::max(page.canvas.y + lane->place(0), page.canvas.top);
}

void move_selected_lane(PageContext& o, int by) {
  const Lane* lane = lane_of_keys(o);
  if (lane != nullptr) move_lane(o, *lane, by);
}

void show_hidden_lanes(Content& content, Choice& choice) {
  if (choice.lane_choices.hidden_count() == 0) return;
  choice.lane_choices.show_all();
  choice.lane_choices.arrange(&content.store.lanes());
  choice.settings.changed = true;
}

void fold_selected_lane(PageContext& o) {
  Lane* lane = lane_of_keys(o);
  if (lane != nullptr) lane->folded = !lane->folded;
}

}  // namespace flamelet::ui
