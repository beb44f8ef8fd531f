// SPDX-License-Identifier: MIT
#include "pages/calls_view.h"

#include <string.h>
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/compare/compare_page.h"
#include "pages/pages.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

namespace {

// True when there are new paths.
bool read_user_tree(Content& content, CallsView& v, double now_s) {
  if (!v.refresh.stale && (content.timeline.paused() || !Refresh::is_over(v.refresh.next_s, now_s))) return false;
  v.refresh.begin(0, now_s);
  v.tree.read(v.shown_user()->calls, nullptr);
  return true;
}

bool read_capture(const Content& content, const Choice& choice, CallsView& v, double now_s) {
  const TimeWindow range = wanted_range(content, choice, v.whole_history);
  const TimeWindow have = v.range.range();
  const uint64_t version = flamelet_capture_version(content.capture);
  if (v.refresh.due(range != have, version, content.timeline.paused(), v.range.reading(), now_s,
                    content.timeline.shown().valid)) {
    // The whole history is read once; then only what is new. What is evicted meanwhile stays in.
    const bool grows = v.whole_history && !v.refresh.stale && have.end_ns > have.begin_ns;
    if (grows)
      v.range.extend(range.end_ns);
    else
      v.range.begin(content.capture, range,
                    FLAMELET_LANE_BIT(v.source == kSourceGpu ? FLAMELET_LANE_GPU : FLAMELET_LANE_THREAD),
                    v.keep_recursion);
    v.refresh.begin(version, now_s);
  }
  if (!v.range.step(Refresh::kZonesPerFrame)) return false;
  v.tree.read(v.range.calls(), v.range.scopes());
  return true;
}

void find_neighbours(CallsView& v, uint32_t id) {
  v.neighbours_of = id;
  v.callers.clear();
  v.callees.clear();
  v.callers_found = v.callees_found = 0;
  v.selected = {};
  if (id == 0) return;
  flamelet_call_tree* calls = v.shown_user() != nullptr ? v.shown_user()->calls : v.range.calls();
  v.selected = flamelet_call_tree_sequence(calls, &id, 1);
  v.callers_found =
      flamelet_call_tree_incoming(calls, &id, 1, FLAMELET_CALL_ORDER_OVERALL, v.callers.data, v.callers.capacity);
  v.callees_found =
      flamelet_call_tree_outgoing(calls, &id, 1, FLAMELET_CALL_ORDER_OVERALL, v.callees.data, v.callees.capacity);
  v.callers.count = static_cast<uint32_t>(std::min<size_t>(v.callers_found, v.callers.capacity));
  v.callees.count = static_cast<uint32_t>(std::min<size_t>(v.callees_found, v.callees.capacity));
}

// The line above the pages Tree and Flame: which calls are shown, and how.

void show_sources(CallsView& v, ButtonLine& bar) {
  if (bar.button("##cpu", "CPU", v.source == kSourceCpu, "calls on the threads")) v.show_source(kSourceCpu);
  if (bar.button("##gpu", "GPU", v.source == kSourceGpu, "passes on the GPU queues")) v.show_source(kSourceGpu);
  for (uint32_t i = 0; i < v.user_count; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (bar.button("##user", v.user[i].name, v.source == kFirstUser + i, "a call tree of the program's own"))
      v.show_source(kFirstUser + i);
    ImGui::PopID();
  }
}

// Beside the rows stand the callers and the callees of the selected block.

constexpr float kLeastPathNamePx = 160;
constexpr float kLeastNeighbourPx = 90;

constexpr uint32_t kTreeTotal = static_cast<uint32_t>(PathColumn::kTotal);
constexpr uint32_t kTreeSelf = static_cast<uint32_t>(PathColumn::kSelf);
constexpr uint32_t kTreeCalls = static_cast<uint32_t>(PathColumn::kCalls);
constexpr TableColumn kTreeColumns[] = {{kTreeTotal, "total", "0,000.00 ms", 0},
                                        {kTreeSelf, "self", "0,000.00 ms", 1},
                                        {kTreeCalls, "calls", "00,000,000", 2}};
constexpr uint32_t kTreeColumnCount = sizeof kTreeColumns / sizeof kTreeColumns[0];

uint64_t value_of(const PathNode& node, uint32_t column) {
  return column == kTreeTotal ? node.total : column == kTreeSelf ? node.self : node.calls;
}

double share_of(uint64_t part, uint64_t whole) {
  return whole != 0 ? std::min(static_cast<double>(part) / static_cast<double>(whole), 1.0) : 0;
}

// A time in nanoseconds or the samples themselves: what brightness goes by.
int64_t samples_ns(const CallsView& v, uint64_t samples) {
  const UserTree* user = v.shown_user();
  const double ns = user != nullptr && user->samples_per_second > 0
                        ? static_cast<double>(samples) * 1e9 / user->samples_per_second
                        : static_cast<double>(samples);
  return ns < 9e18 ? static_cast<int64_t>(ns) : INT64_MAX;
}

// Samples as a time, or as the number that they are.
void add_samples(const CallsView& v, uint64_t samples, TextWriter* text) {
  const UserTree* user = v.shown_user();
  if (user != nullptr && !(user->samples_per_second > 0))
    text->add_grouped(samples);
  else
    text->add_time(samples_ns(v, samples));
}

void add_value(const CallsView& v, uint32_t column, uint64_t value, TextWriter* text) {
  if (column == kTreeCalls)
    text->add_grouped(value);
  else
    add_samples(v, value, text);
}

float indent(const Frame& frame, uint32_t depth) {
  // Deep rows stay in sight: from here on they stand below each other.
  return scaled(frame, 12) * static_cast<float>(std::min(depth, 24u));
}

void draw_tree_row(DrawContext& o, CallsView& v, Canvas& canvas, const TableLayout& layout, uint32_t index, float y) {
  const PathTree& tree = v.tree;
  const PathNode& node = tree.nodes()[index];
  const PathLook look = path_look(o, o, node);
  const float text_y = y + scaled(o, 2);
  float x = layout.left + indent(o, node.depth);
  const float middle = text_y + whole(o.metrics.size * 0.5f);
  if (tree.has_children(index)) draw_arrow(o, canvas, x + scaled(o, 4), middle, tree.is_open(node));
  x += scaled(o, 13);
  x += (x + scaled(o, 9) < layout.name_right ? draw_swatch(o, canvas, x, text_y, look.fill) : 0) + scaled(o, 7);
  const bool dimmed = o.filter.active() && !look.matches;
  FixedText<32> depth;
  if (node.depth > 24)
    x += canvas.text(x, text_y, color::kTextDim, depth.add('+').add_unsigned(node.depth - 24).view()) + scaled(o, 6);
  x += canvas.text_fit(x, text_y, layout.name_right - x - scaled(o, 10), dimmed ? color::kDimmedText : color::kText,
                       look.name);
  FixedText<16> percent;
  percent.add_percent(share_of(node.total, tree.total()));
  x += scaled(o, 10);
  if (x + canvas.width(percent.view()) <= layout.name_right - scaled(o, 6))
    canvas.text(x, text_y, color::kTextDim, percent.view());
  const uint32_t hot = v.heat_by_self ? 1 : 0;
  const uint64_t most = v.heat_by_self ? tree.most_self() : tree.most_total();
  if (layout.shows(hot)) {
    // As long and as red as the value is large.
    const double share = share_of(value_of(node, kTreeColumns[hot].id), most);
    draw_value_bar(o, canvas, layout, hot, share, y, mix(color::kTableBar, color::kHeat, static_cast<float>(share)));
  }
  draw_cells(canvas, layout, text_y, [&](uint32_t i, TextWriter& text, Rgb& ink) {
    add_value(v, kTreeColumns[i].id, value_of(node, kTreeColumns[i].id), &text);
    ink = i == hot ? color::kText : color::kTextMid;
  });
}

// True where a click opens and closes the row.
bool over_arrow(const Frame& frame, const TableLayout& layout, const PathNode& node) {
  const float x = ImGui::GetIO().MousePos.x - layout.left - indent(frame, node.depth);
  return x >= -scaled(frame, 4) && x < scaled(frame, 13);
}

void show_paths(DrawContext& o, CallsView& v, ImVec2 at, float width, float height) {
  PathTree& tree = v.tree;
  const float header = table_header_height(o);
  const TableLayout layout = layout_table(o, kTreeColumns, kTreeColumnCount, at.x, width, kLeastPathNamePx);
  TableSort sort = {static_cast<uint32_t>(tree.column()), tree.descending()};
  if (show_table_header(o, layout, at, width, static_cast<uint32_t>(PathColumn::kPath), "call path", &sort))
    tree.sort_by(static_cast<PathColumn>(sort.column), sort.descending);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const uint32_t count = tree.rows().count;
  const char* empty = v.range.reading() ? "reading" : "no calls here";
  const auto chosen = [&](uint32_t i) { return is_selected(o, v, tree.nodes()[tree.rows()[i]]); };
  const auto draw = [&](Canvas& canvas, uint32_t i, float y) {
    draw_tree_row(o, v, canvas, layout, tree.rows()[i], y);
  };
  const uint32_t hovered = scrolling_rows(o, "##paths", width, height - header, count, empty, draw, chosen);
  if (hovered == count) return;
  const PathNode node = tree.nodes()[tree.rows()[hovered]];
  const bool arrow = !o.rows.chosen && !o.rows.opened && over_arrow(o, layout, node);
  if (ImGui::IsMouseReleased(1)) o.filter.set(path_look(o, o, node).name);
  if (row_chosen(o) && !arrow) select_block(o, v, node.id);
  if ((ImGui::IsMouseClicked(0) && arrow) || (row_opened(o) && !arrow)) tree.toggle(node);
}

// One of the two lists. A click on a row goes there.
void show_neighbours(DrawContext& o, CallsView& v, const char* id, const char* label,
                     const Array<flamelet_call_totals>& list, size_t found, ImVec2 at, float width, float height) {
  const float header = table_header_height(o);
  const TableLayout layout = layout_table(o, kTreeColumns, kTreeColumnCount, at.x, width, kLeastNeighbourPx);
  FixedText<64> title;
  title.add(label);
  if (found > list.count) title.add(": ").add_grouped(list.count).add(" of ").add_grouped(found);
  draw_table_header(o, layout, at, width, title.c_str());
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const auto draw = [&](Canvas& canvas, uint32_t i, float y) {
    const flamelet_call_totals& totals = list[i];
    const PathLook look = path_look(o, o, v, totals.id);
    const float text_y = y + scaled(o, 2);
    const float x = layout.left + draw_swatch(o, canvas, layout.left, text_y, look.fill) + scaled(o, 7);
    canvas.text_fit(x, text_y, layout.name_right - x - scaled(o, 6), color::kText, look.name);
    const uint64_t values[] = {totals.overall_samples, totals.self_samples, totals.calls};
    draw_cells(canvas, layout, text_y, [&](uint32_t column, TextWriter& text, Rgb&) {
      add_value(v, kTreeColumns[column].id, values[column], &text);
    });
  };
  const uint32_t hovered = scrolling_rows(o, id, width, height - header, list.count, "", draw, no_row);
  if (hovered < list.count && ImGui::IsMouseClicked(0)) select_block(o, v, list[hovered].id);
}

// It looks like the lanes: the same colours and labels, and merged blocks are lower and have their count.

constexpr uint32_t kMostOutlines = 200;
constexpr uint32_t kMostListed = 3;  // names in the tooltip of a merged block

Rgb block_fill(Content& content, const Choice& choice, CallsView& v, const FlameBlock& block, Rgb* ink) {
  if (block.merged()) {
    *ink = color::kMergedText;
    if (!choice.filter.active()) return color::kMerged;
    const uint32_t end = block.first + std::min(block.paths, kMostExaminedPaths);
    for (uint32_t i = block.first; i < end; ++i) {
      if (!path_look(content, choice, v.tree.nodes()[i]).matches) continue;
      *ink = ink_on(color::kMergedMatch);
      return color::kMergedMatch;
    }
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  const PathLook look = path_look(content, choice, v.tree.nodes()[block.first]);
  if (choice.filter.active() && !look.matches) {
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  *ink = look.ink;
  return look.fill;
}

// Returns the characters drawn.
uint32_t draw_label(DrawContext& o, CallsView& v, Canvas& canvas, const FlameBlock& block, const Edges& x, float top,
                    Rgb ink) {
  const float pad = scaled(o, 4);
  if (x.right - x.left < pad * 2 + o.metrics.size) return 0;
  const float text_y = top + scaled(o, 1);
  if (block.merged()) {
    FixedText<32> count;
    count.add('x').add_grouped(block.paths);
    if (canvas.width(count.view()) > x.right - x.left - pad) return 0;
    canvas.text_center(x.left, x.right, text_y, ink, count.view());
    return static_cast<uint32_t>(count.view().size());
  }
  const PathNode& node = v.tree.nodes()[block.first];
  SeenText seen;
  const std::string_view name = seen_text(path_look(o, o, node).name, &seen);
  const float left = x.left + pad, right = x.right - pad;
  const TextFit fit = fit_text(o.metrics, name, right - left);
  canvas.draw_fit(left, text_y, ink, name, fit);
  if (fit.elided) return fit.bytes;
  FixedText<32> value;
  add_samples(v, node.total, &value);
  const float gap = o.metrics.of(' ') * 2;
  if (left + fit.width + gap + canvas.width(value.view()) > right) return fit.bytes;
  canvas.text(left + fit.width + gap, text_y, ink, value.view());
  return fit.bytes + static_cast<uint32_t>(value.view().size());
}

// As in the lanes. The blocks stand in the order of the tree, so the left neighbour is the last one of the same depth.
class NeighbourColors {
 public:
  void add(Content& content, const Choice& choice, const CallsView& v, const FlameBlock& block, Rgb fill) {
    if (block.depth >= kMostDepth || choice.filter.active() || v.shown_user() != nullptr) return;
    Left& left = left_[block.depth];
    if (left.block != nullptr && left.fill == fill && !left.block->merged() && !block.merged()) {
      const PathNode& a = v.tree.nodes()[left.block->first];
      const PathNode& b = v.tree.nodes()[block.first];
      if (a.scope.name != b.scope.name) content.styles.separate(a.scope, b.scope);
    }
    left = {&block, fill};
  }

 private:
  static constexpr uint32_t kMostDepth = 64;
  struct Left {
    const FlameBlock* block = nullptr;
    Rgb fill = 0;
  };
  Left left_[kMostDepth];
};

void draw_blocks(DrawContext& o, CallsView& v, Canvas& canvas, ImVec2 content, float clip_top, float clip_bottom,
                 uint32_t hovered) {
  const float row = row_height(o);
  const float inset = whole(row * 0.16f);
  uint32_t characters = 0, outlines = 0;
  NeighbourColors neighbours;
  for (uint32_t i = 0; i < v.blocks.count; ++i) {
    const FlameBlock& block = v.blocks[i];
    const float top = content.y + static_cast<float>(block.depth) * row;
    if (top >= clip_bottom || top + row <= clip_top) continue;
    const Edges x = edges(content.x, block.x0, block.x1);
    Rgb ink;
    const Rgb fill = block_fill(o, o, v, block, &ink);
    neighbours.add(o, o, v, block, fill);
    const float shrink = block.merged() ? inset : 0;
    canvas.rect(x.left, top + shrink, x.right, top + row - 1 - shrink, fill);
    if (characters < kMostCharacters) characters += draw_label(o, v, canvas, block, x, top, ink);
    const bool selected = !block.merged() && is_selected(o, v, v.tree.nodes()[block.first]);
    if ((selected && outlines++ < kMostOutlines) || i == hovered)
      canvas.outline(x.left, top, x.right, top + row - 1, selected ? color::kSelect : color::kHover,
                     selected ? std::max(2.0f, scaled(o, 2)) : 1);
  }
}

uint32_t find_block(const Frame& frame, const CallsView& v, float x, float y) {
  const float row = row_height(frame);
  for (uint32_t i = 0; i < v.blocks.count; ++i) {
    const FlameBlock& block = v.blocks[i];
    const float top = static_cast<float>(block.depth) * row;
    if (y >= top && y < top + row && x >= block.x0 && x < std::max(block.x1, block.x0 + 1)) return i;
  }
  return v.blocks.count;
}

void show_single(DrawContext& o, CallsView& v, const PathNode& node) {
  const float column = text_width(o.metrics, "of all paths") + scaled(o, 18);
  {
    const PathLook look = path_look(o, o, node);
    name_line(o, look.name, look.fill);
  }
  if (node.text == nullptr) site_line(o.capture, o, node.scope.site);
  FixedText<256> text;
  const auto samples_row = [&](const char* label, uint64_t samples) {
    add_samples(v, samples, &text);
    tooltip_row(label, text, column);
  };
  samples_row("total", node.total);
  samples_row("self", node.self);
  tooltip_row("calls", text.add_grouped(node.calls), column);
  if (node.calls > 1)
    samples_row("a call", static_cast<uint64_t>(mean_of(static_cast<int64_t>(node.total), node.calls)));
  text.add_percent(static_cast<double>(node.total) / static_cast<double>(std::max<uint64_t>(v.tree.total(), 1)));
  tooltip_row("of all paths", text, column);
}

void show_merged(DrawContext& o, CallsView& v, const FlameBlock& block) {
  FixedText<64> text;
  text.add_grouped(block.paths).add(" paths too narrow to draw");
  ImGui::TextUnformatted(text.c_str());
  ImGui::Dummy(ImVec2(0, scaled(o, 1)));
  const Array<PathNode>& nodes = v.tree.nodes();
  // Those with the most time of their own.
  uint32_t top[kMostListed];
  uint32_t count = 0;
  const uint32_t end = block.first + std::min(block.paths, kMostExaminedPaths);
  for (uint32_t i = block.first; i < end; ++i) {
    uint32_t place = count;
    while (place > 0 && nodes[top[place - 1]].self < nodes[i].self) --place;
    if (place == kMostListed) continue;
    count = std::min(count + 1, kMostListed);
    for (uint32_t j = count - 1; j > place; --j) top[j] = top[j - 1];
    top[place] = i;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const PathLook look = path_look(o, o, nodes[top[i]]);
    name_line(o, look.name, look.fill);
    ImGui::SameLine(0, scaled(o, 12));
    text.clear();
    text.add("self ");
    add_samples(v, nodes[top[i]].self, &text);
    text.add("  ").add_grouped(nodes[top[i]].calls).add('x');
    colored_text(color::kTextMid, text.view());
  }
}

void handle_flame_mouse(Content& content, Choice& choice, CallsView& v, uint32_t hovered) {
  if (hovered == v.blocks.count) {
    if (ImGui::IsMouseDoubleClicked(0)) v.zoom_key = 0;
    return;
  }
  const FlameBlock& block = v.blocks[hovered];
  const PathNode& node = v.tree.nodes()[block.first];
  if (ImGui::IsMouseClicked(0) && !block.merged()) select_block(choice, v, node.id);
  if (ImGui::IsMouseReleased(1) && !block.merged()) choice.filter.set(path_look(content, choice, node).name);
  // Into it; and back out on what fills the width already.
  if (ImGui::IsMouseDoubleClicked(0)) v.zoom_key = v.zoom_key == node.key ? 0 : node.key;
}

// What the paths are read from, with a refresh of its own: four times a second, and not while the overlay is paused.
void update_calls(PageContext& o, CallsView& v) {
  if (o.pages.get<ComparePage>().paths.reading()) return;  // with this view's reader
  const CaptureTime time(o.numbers);
  const double now_s = ImGui::GetTime();
  const bool fresh = v.shown_user() != nullptr ? read_user_tree(o, v, now_s) : read_capture(o, o, v, now_s);
  const uint32_t id = v.shown_user() != nullptr ? v.selected_id
                      : o.selection.scope.valid ? flamelet_span_tree_find(v.range.scopes(), o.selection.scope.key.site,
                                                                          o.selection.scope.key.name)
                                                : 0;
  if (fresh || id != v.neighbours_of) find_neighbours(v, id);
}

// The line of choices above both pages.
void show_calls_bar(PageContext& o, CallsView& v, bool tree) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ButtonLine bar(o);
  show_sources(v, bar);
  bar.gap();
  if (v.shown_user() == nullptr) {
    if (bar.history(v.whole_history, o.selection.measures(), o.timeline.shown().valid,
                    "the frames that are shown or the measured time, or all that is kept and what comes after")) {
      v.whole_history = !v.whole_history;
      v.refresh.stale = true;
    }
    if (bar.button("##fold", "fold recursion", !v.keep_recursion, "a > b > a > b as a > b: R")) fold_recursion(o);
    bar.gap();
  }
  if (tree) {
    if (bar.button("##heat", v.heat_by_self ? "heat: self" : "heat: total", false, "which column has the colours"))
      v.heat_by_self = !v.heat_by_self;
    if (bar.button("##open", "open all", false, nullptr)) v.tree.open_to(UINT32_MAX);
    if (bar.button("##close", "close all", false, nullptr)) v.tree.open_to(0);
    bar.gap();
  }
  FixedText<96> text;
  text.add_grouped(v.tree.nodes().count).add(v.tree.nodes().count == 1 ? " path, " : " paths, ");
  add_samples(v, v.tree.total(), &text);
  bar.text(color::kTextDim, text.view());
  if (v.shown_user() == nullptr && v.range.left_out() != 0)
    no_room_text(bar, v.range.left_out());
  else if (!v.tree.complete())
    bar.text(color::kFrameOver, "more than the memory holds");
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + bar_height(o)));
}

// Page::draw_details() of both pages. The selected block of a program's call tree, on all of its paths.
bool draw_calls_details(DrawContext& o, CallsView& v, float x, float y, float right, float line_height) {
  const UserTree* tree = v.shown_user();
  if (tree == nullptr || v.selected_id == 0) return false;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  const PathLook look = path_look(o, o, v, v.selected_id);
  float at = x + draw_swatch(o, canvas, x, y, look.fill) + scaled(o, 7);
  at += canvas.text_fit(at, y, (right - x) * 0.6f, color::kText, look.name) + 2 * o.metrics.of(' ');
  canvas.text_fit(at, y, right - at, color::kTextDim, tree->name);

  ValueLine line(o, canvas, x, y + line_height, right);
  const auto add = [&](const char* label, uint64_t samples) {
    FixedText<32> text;
    add_samples(v, samples, &text);
    line.add(label, text.view(), color::kText, canvas.width("00.00 ms"));
  };
  add("total", v.selected.overall_samples);
  add("self", v.selected.self_samples);
  FixedText<32> calls;
  line.add("calls", calls.add_grouped(v.selected.calls).view());
  return true;
}

}  // namespace

void CallsView::carve(Carver* carver, const OverlayConfig& config) {
  range.carve(carver, config.max_paths, config.max_scopes, config.max_lanes);
  tree.carve(carver, config.max_paths);
  carver->take(&callers, kMostNeighbours);
  carver->take(&callees, kMostNeighbours);
  carver->take(&blocks, kMostBlocks);
  carver->take(&edges, config.max_paths);
}

void CallsView::forget_paths() {
  tree.clear();
  callers.clear();
  callees.clear();
  callers_found = callees_found = 0;
  selected = {};
  neighbours_of = 0;
  blocks.clear();
  refresh.stale = true;
}

void CallsView::reset() {
  forget_paths();
  selected_id = 0;
  zoom_key = 0;
  flame = FlameLayout();
}

void CallsView::show_source(uint32_t wanted) {
  if (source == wanted) return;
  source = wanted;
  reset();
}

CallsView& calls_of(PageContext& o) {
  return o.pages.get<TreePage>().calls;
}
const CallsView& calls_of(const PageContext& o) {
  return o.pages.get<TreePage>().calls;
}

void fold_recursion(PageContext& o) {
  CallsView& v = calls_of(o);
  // A tree of the program's own folds or does not: its owner said so when it was made.
  if (v.shown_user() != nullptr) return;
  v.keep_recursion = !v.keep_recursion;
  v.refresh.stale = true;
}

PathLook path_look(Content& content, const Choice& choice, const char* text, ScopeKey scope) {
  if (text != nullptr) {
    const Rgb fill = content.styles.colors().of(text);
    return {text, fill, ink_on(fill), matches(text, choice.filter.text)};
  }
  const ScopeStyle& style = content.styles.of(scope);
  return {style.name, style.fill, style.ink, style.matches};
}

PathLook path_look(Content& content, const Choice& choice, const CallsView& v, uint32_t id) {
  if (id == FLAMELET_CALL_ROOT) return {"(nothing: outermost)", color::kWait, ink_on(color::kWait), true};
  if (const UserTree* user = v.shown_user())
    return path_look(content, choice, flamelet_call_tree_name(user->calls, id), {});
  ScopeKey scope;
  flamelet_span_tree_scope(v.range.scopes(), id, &scope.site, &scope.name);
  return path_look(content, choice, nullptr, scope);
}

bool is_selected(const Choice& choice, const CallsView& v, const PathNode& node) {
  return node.text != nullptr ? node.id == v.selected_id : choice.selection.scope.is(node.scope);
}

void select_block(Choice& choice, CallsView& v, uint32_t id) {
  if (id == FLAMELET_CALL_ROOT) return;
  if (v.shown_user() != nullptr) {
    v.selected_id = id;
    return;
  }
  ScopeKey scope;
  if (flamelet_span_tree_scope(v.range.scopes(), id, &scope.site, &scope.name))
    choice.selection.select_scope({scope, 0, v.source == kSourceGpu});
}

bool set_user_tree(PageContext& o, std::string_view name, flamelet_call_tree* calls, double samples_per_second) {
  CallsView& v = calls_of(o);
  name = name.substr(0, sizeof v.user[0].name - 1);
  uint32_t place = 0;
  while (place < v.user_count && name != v.user[place].name) ++place;
  if (calls == nullptr) {
    if (place == v.user_count) return false;
    // What is shown stays what it was, or is the CPU's if that is the tree that goes.
    if (v.source == kFirstUser + place) {
      v.show_source(kSourceCpu);
    } else if (v.source > kFirstUser + place) {
      --v.source;
    }
    --v.user_count;
    for (uint32_t i = place; i < v.user_count; ++i) v.user[i] = v.user[i + 1];
    return true;
  }
  if (place == kOverlayMaxTrees) return false;
  UserTree& tree = v.user[place];
  if (place == v.user_count) {
    ++v.user_count;
    tree = UserTree();
    memcpy(tree.name, name.data(), name.size());
  }
  if (tree.calls != calls && v.source == kFirstUser + place) v.reset();
  tree.calls = calls;
  tree.samples_per_second = samples_per_second;
  return true;
}

void no_room_text(ButtonLine& bar, uint64_t calls) {
  FixedText<96> text;
  text.add("no room for ").add_grouped(calls).add(calls == 1 ? " call" : " calls").add(": counted at the callers");
  bar.text(color::kFrameOver, text.view());
}

bool TreePage::reading(const PageContext& o) const {
  return calls.range.reading() && (o.pages.shows("flame") || o.pages.shows("tree"));
}

void TreePage::draw(PageContext& o, float height) {
  CallsView& v = calls;
  update_calls(o, v);
  const float full_width = ImGui::GetContentRegionAvail().x;
  show_calls_bar(o, v, true);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float rest = height - bar_height(o);
  if (rest >= row_height(o) * 3) {
    const float gap = scaled(o, 6);
    const float side = v.neighbours_of != 0 && full_width > scaled(o, 620) ? whole(full_width * 0.36f) : 0;
    show_paths(o, v, at, full_width - (side > 0 ? side + gap : 0), rest);
    if (side > 0) {
      const float half = whole((rest - gap) * 0.5f);
      const float x = at.x + full_width - side;
      show_neighbours(o, v, "##callers", "called by", v.callers, v.callers_found, ImVec2(x, at.y), side, half);
      show_neighbours(o, v, "##callees", "calls", v.callees, v.callees_found, ImVec2(x, at.y + half + gap), side, half);
    }
  }
}

bool TreePage::draw_details(PageContext& o, float x, float y, float right, float line_height) {
  return draw_calls_details(o, calls_of(o), x, y, right, line_height);
}

void TreePage::write_state(const PageContext&, JsonObject* json) const {
  const CallsView& v = calls;
  const UserTree* user = v.shown_user();
  json->add("tree_source", user != nullptr ? user->name : v.source == kSourceGpu ? "GPU" : "CPU");
  json->add("tree_sources", kFirstUser + v.user_count);
  json->add("tree_whole_history", v.whole_history);
  json->add("tree_folds_recursion", !v.keep_recursion);
  json->add("tree_paths", v.tree.nodes().count);
  json->add("tree_rows", v.tree.rows().count);
  json->add("tree_total", v.tree.total());
  json->add("tree_complete", v.tree.complete() && (user != nullptr || v.range.left_out() == 0));
  json->add("tree_selected_calls", v.selected.calls);
  json->add("tree_selected_total", v.selected.overall_samples);
  json->add("tree_selected_self", v.selected.self_samples);
  json->add("tree_callers", v.callers.count);
  json->add("tree_callees", v.callees.count);
  json->add("tree_callers_found", uint64_t{v.callers_found});
  json->add("tree_callees_found", uint64_t{v.callees_found});
}

void FlamePage::draw(PageContext& o, float height) {
  CallsView& v = calls_of(o);
  update_calls(o, v);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  show_calls_bar(o, v, false);
  const float rest = height - bar_height(o);
  o.notes.note_place("flame", begin.x, begin.y + bar_height(o));
  const float row = row_height(o);
  if (rest >= row * 2) {
    begin_bare_child(o, "##flame", ImVec2(full_width, rest));
    const ImVec2 child = ImGui::GetWindowPos();
    const ImVec2 content = ImGui::GetCursorScreenPos();
    const float width = std::max(full_width - ImGui::GetStyle().ScrollbarSize, 1.0f);
    uint32_t zoom = UINT32_MAX;
    if (v.zoom_key != 0) zoom = find_path(v.tree.nodes(), v.zoom_key);
    if (zoom < v.tree.nodes().count && v.tree.nodes()[zoom].total == 0) zoom = UINT32_MAX;
    float limit_px = kMergeLimitPx * o.unit;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt, limit_px *= 2) {
      v.flame = layout_flame(v.tree.nodes(), v.tree.total(), zoom, width, limit_px, &v.edges, &v.blocks);
      if (v.flame.complete) break;
    }
    ImGui::InvisibleButton("##all", ImVec2(width, std::max(row * static_cast<float>(v.flame.rows), rest)));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = ImGui::IsItemHovered();
    const uint32_t hovered = inside ? find_block(o, v, mouse.x - content.x, mouse.y - content.y) : v.blocks.count;
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    canvas.rect(child.x, child.y, child.x + full_width, child.y + rest, color::kCanvas);
    draw_blocks(o, v, canvas, content, child.y, child.y + rest, hovered);
    if (v.blocks.empty())
      canvas.text_center(child.x, child.x + full_width, child.y + row * 2, color::kTextDim,
                         v.range.reading() ? "reading" : "no calls here that took time");
    ImGui::EndChild();
    if (hovered < v.blocks.count && begin_tooltip(o)) {
      if (v.blocks[hovered].merged())
        show_merged(o, v, v.blocks[hovered]);
      else
        show_single(o, v, v.tree.nodes()[v.blocks[hovered].first]);
      ImGui::EndTooltip();
    }
    if (inside) handle_flame_mouse(o, o, v, hovered);
  }
}

bool FlamePage::draw_details(PageContext& o, float x, float y, float right, float line_height) {
  return draw_calls_details(o, calls_of(o), x, y, right, line_height);
}

void FlamePage::write_state(const PageContext& o, JsonObject* json) const {
  const CallsView& v = calls_of(o);
  const FlameLayout& flame = v.flame;
  json->add("flame_rows", flame.rows);
  json->add("flame_drawn", flame.paths_drawn);
  json->add("flame_merged", flame.paths_merged);
  json->add("flame_zoomed", v.zoom_key != 0);
}

}  // namespace flamelet::ui
