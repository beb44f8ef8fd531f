// SPDX-License-Identifier: MIT
//
// Beside the rows stand the callers and the callees of the selected block.
#include "pages/calls_view.h"

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"
#include "pages/table/table_parts.h"
#include "shell/state_text.h"

namespace flamelet::ui {

namespace {

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
  const float middle = text_y + static_cast<float>(static_cast<int>(o.metrics.size * 0.5f));
  if (tree.has_children(index)) {
    const float size = scaled(o, 4);
    const float arrow = x + size;
    if (tree.is_open(node))
      canvas.triangle(arrow - size, middle - size * 0.6f, arrow + size, middle - size * 0.6f, arrow,
                      middle + size * 0.8f, color::kTextDim);
    else
      canvas.triangle(arrow - size * 0.6f, middle - size, arrow + size * 0.8f, middle, arrow - size * 0.6f,
                      middle + size, color::kTextDim);
  }
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
  for (uint32_t i = 0; i < layout.ranks; ++i) {
    FixedText<32> text;
    add_value(v, kTreeColumns[i].id, value_of(node, kTreeColumns[i].id), &text);
    canvas.text_right(layout.edges[i], text_y, i == hot ? color::kText : color::kTextMid, text.view());
  }
}

// True where a click opens and closes the row.
bool over_arrow(const Frame& frame, const TableLayout& layout, const PathNode& node) {
  const float x = ImGui::GetIO().MousePos.x - layout.left - indent(frame, node.depth);
  return x >= -scaled(frame, 4) && x < scaled(frame, 13);
}

void show_paths(DrawContext& o, CallsView& v, ImVec2 at, float width, float height) {
  PathTree& tree = v.tree;
  const float row = table_row_height(o);
  const float header = table_header_height(o);
  const TableLayout layout = layout_table(o, kTreeColumns, kTreeColumnCount, at.x, width, kLeastPathNamePx);
  TableSort sort = {static_cast<uint32_t>(tree.column()), tree.descending()};
  if (show_table_header(o, layout, at, width, static_cast<uint32_t>(PathColumn::kPath), "call path", &sort))
    tree.sort_by(static_cast<PathColumn>(sort.column), sort.descending);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const uint32_t count = tree.rows().count;
  const char* empty = v.range.reading() ? "reading" : "no calls here";
  const uint32_t hovered = scrolling_rows(
      o, "##paths", width, height - header, count, empty, [&](Canvas& canvas, uint32_t i, float y, bool hot) {
        const uint32_t index = tree.rows()[i];
        draw_row_background(canvas, at.x, width, y, row, is_selected(o, v, tree.nodes()[index]), hot, i % 2 != 0);
        draw_tree_row(o, v, canvas, layout, index, y);
      });
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
  const float row = table_row_height(o);
  const float header = table_header_height(o);
  const TableLayout layout = layout_table(o, kTreeColumns, kTreeColumnCount, at.x, width, kLeastNeighbourPx);
  FixedText<64> title;
  title.add(label);
  if (found > list.count) title.add(": ").add_grouped(list.count).add(" of ").add_grouped(found);
  draw_table_header(o, layout, at, width, title.c_str());
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const uint32_t hovered =
      scrolling_rows(o, id, width, height - header, list.count, "", [&](Canvas& canvas, uint32_t i, float y, bool hot) {
        const flamelet_call_totals& totals = list[i];
        draw_row_background(canvas, at.x, width, y, row, false, hot, i % 2 != 0);
        const PathLook look = path_look(o, o, v, totals.id);
        const float text_y = y + scaled(o, 2);
        const float x = layout.left + draw_swatch(o, canvas, layout.left, text_y, look.fill) + scaled(o, 7);
        canvas.text_fit(x, text_y, layout.name_right - x - scaled(o, 6), color::kText, look.name);
        const uint64_t values[] = {totals.overall_samples, totals.self_samples, totals.calls};
        for (uint32_t column = 0; column < layout.ranks; ++column) {
          FixedText<32> text;
          add_value(v, kTreeColumns[column].id, values[column], &text);
          canvas.text_right(layout.edges[column], text_y, color::kTextMid, text.view());
        }
      });
  if (hovered < list.count && ImGui::IsMouseClicked(0)) select_block(o, v, list[hovered].id);
}

}  // namespace

bool TreePage::reading(const PageContext& o) const {
  return calls.range.reading() && (o.pages.shows("flame") || o.pages.shows("tree"));
}

void TreePage::draw(PageContext& o, float height) {
  CallsView& v = calls;
  update_spans(o);
  update_statistics(o, o);
  update_calls(o, v);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  show_calls_bar(o, v, true);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float rest = height - calls_bar_height(o);
  if (rest >= table_row_height(o) * 3) {
    const float gap = scaled(o, 6);
    const float side = v.neighbours_of != 0 && full_width > scaled(o, 620)
                           ? static_cast<float>(static_cast<int>(full_width * 0.36f))
                           : 0;
    show_paths(o, v, at, full_width - (side > 0 ? side + gap : 0), rest);
    if (side > 0) {
      const float half = static_cast<float>(static_cast<int>((rest - gap) * 0.5f));
      const float x = at.x + full_width - side;
      show_neighbours(o, v, "##callers", "called by", v.callers, v.callers_found, ImVec2(x, at.y), side, half);
      show_neighbours(o, v, "##callees", "calls", v.callees, v.callees_found, ImVec2(x, at.y + half + gap), side, half);
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height));
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
  json->add("tree_complete", v.tree.complete());
  json->add("tree_selected_calls", v.selected.calls);
  json->add("tree_selected_total", v.selected.overall_samples);
  json->add("tree_selected_self", v.selected.self_samples);
  json->add("tree_callers", v.callers.count);
  json->add("tree_callees", v.callees.count);
  json->add("tree_callers_found", uint64_t{v.callers_found});
  json->add("tree_callees_found", uint64_t{v.callees_found});
}

}  // namespace flamelet::ui
