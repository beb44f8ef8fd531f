// SPDX-License-Identifier: MIT
//
// The Tree page: every call path is a row below its caller's. Beside it, the callers and the callees of the selected
// block. As in the table, rows are of one height, and only those in sight are touched.
#include <algorithm>

#include "imgui.h"
#include "ui/actions.h"
#include "ui/canvas.h"
#include "ui/ui.h"
#include "ui/update.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

constexpr Rgb kHeat = 0x7A2F22;  // the hottest; dark enough for the numbers on it

struct Column {
  PathColumn id;
  const char* label;
  const char* widest;
};
constexpr Column kColumns[] = {{PathColumn::kTotal, "total", "0,000.00 ms"},
                               {PathColumn::kSelf, "self", "0,000.00 ms"},
                               {PathColumn::kCalls, "calls", "00,000,000"}};
constexpr uint32_t kColumnCount = sizeof kColumns / sizeof kColumns[0];

// Right edges of the number columns; the name takes what is left of the first one.
struct Layout {
  float left, right;
  float name_right;
  float edges[kColumnCount];
  uint32_t shown;  // columns; the last ones go first where there is no room
};

Layout layout_columns(const Overlay& o, float x, float width, float least_name) {
  Layout layout = {};
  layout.left = x + scaled(o, 8);
  layout.right = x + width - ImGui::GetStyle().ScrollbarSize - scaled(o, 8);
  const float gap = scaled(o, 14);
  float columns = 0;
  for (layout.shown = 0; layout.shown < kColumnCount; ++layout.shown) {
    const float column = text_width(o.metrics, kColumns[layout.shown].widest) + gap;
    if (layout.right - layout.left - columns - column < least_name) break;
    columns += column;
  }
  float edge = layout.right;
  for (uint32_t i = layout.shown; i-- > 0;) {
    layout.edges[i] = edge;
    edge -= text_width(o.metrics, kColumns[i].widest) + gap;
  }
  layout.name_right = edge;
  return layout;
}

uint64_t value_of(const PathNode& node, PathColumn column) {
  return column == PathColumn::kTotal ? node.total : column == PathColumn::kSelf ? node.self : node.calls;
}

double share_of(uint64_t part, uint64_t whole) {
  return whole != 0 ? std::min(static_cast<double>(part) / static_cast<double>(whole), 1.0) : 0;
}

void add_value(const Overlay& o, PathColumn column, uint64_t value, TextWriter* text) {
  if (column == PathColumn::kCalls)
    text->add_grouped(value);
  else
    add_samples(o, value, text);
}

void show_header(Overlay& o, Canvas& canvas, const Layout& layout, float y, float height) {
  const float text_y = y + scaled(o, 2);
  PathTree& tree = o.calls.tree;
  const auto header = [&](PathColumn id, const char* label, float x0, float x1, bool right) {
    ImGui::SetCursorScreenPos(ImVec2(x0, y));
    ImGui::PushID(static_cast<int>(id));
    const bool pressed = ImGui::InvisibleButton("##path_column", ImVec2(std::max(x1 - x0, 1.0f), height));
    ImGui::PopID();
    const bool sorted = tree.column() == id;
    if (pressed) tree.sort_by(id, sorted ? !tree.descending() : id != PathColumn::kPath);
    const Rgb ink = sorted ? color::kAccent : ImGui::IsItemHovered() ? color::kText : color::kTextDim;
    const float width = canvas.width(label);
    const float label_x = right ? x1 - width : x0;
    canvas.text(label_x, text_y, ink, label);
    if (!sorted) return;
    const float size = scaled(o, 3);
    const float arrow = right ? label_x - scaled(o, 8) : label_x + width + scaled(o, 8);
    const float middle = text_y + static_cast<float>(static_cast<int>(o.metrics.size * 0.5f));
    const float tip = tree.descending() ? size : -size;
    canvas.triangle(arrow - size, middle - tip * 0.7f, arrow + size, middle - tip * 0.7f, arrow, middle + tip * 0.9f,
                    ink);
  };
  header(PathColumn::kPath, "call path", layout.left, layout.name_right, false);
  for (uint32_t i = 0; i < layout.shown; ++i)
    header(kColumns[i].id, kColumns[i].label, layout.edges[i] - canvas.width(kColumns[i].widest), layout.edges[i],
           true);
}

// The column that heat goes by: as long and as red as the value is large.
void draw_heat(Overlay& o, Canvas& canvas, const Layout& layout, uint32_t column, double share, float y, float row) {
  const float pad = scaled(o, 4);
  const float width = canvas.width(kColumns[column].widest) + 2 * pad;
  const float length = static_cast<float>(static_cast<int>(static_cast<double>(width) * share));
  const float right = layout.edges[column] + pad;
  canvas.rect(right - length, y + 1, right, y + row - 1, mix(color::kTableBar, kHeat, static_cast<float>(share)));
}

float indent(const Overlay& o, uint32_t depth) {
  // Deep rows stay in sight: from here on they stand below each other.
  return scaled(o, 12) * static_cast<float>(std::min(depth, 24u));
}

void draw_row(Overlay& o, Canvas& canvas, const Layout& layout, uint32_t index, float y, float row) {
  const PathTree& tree = o.calls.tree;
  const PathNode& node = tree.nodes()[index];
  const PathLook look = path_look(o, node);
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
  const float swatch = scaled(o, 9);
  const float swatch_y = text_y + static_cast<float>(static_cast<int>((o.metrics.size - swatch) * 0.5f));
  if (x + swatch < layout.name_right) canvas.rect(x, swatch_y, x + swatch, swatch_y + swatch, look.fill);
  x += swatch + scaled(o, 7);
  const bool dimmed = o.filter[0] != 0 && !look.matches;
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
  const uint32_t hot = o.calls.heat_by_self ? 1 : 0;
  const uint64_t most = o.calls.heat_by_self ? tree.most_self() : tree.most_total();
  if (hot < layout.shown) draw_heat(o, canvas, layout, hot, share_of(value_of(node, kColumns[hot].id), most), y, row);
  for (uint32_t i = 0; i < layout.shown; ++i) {
    FixedText<32> text;
    add_value(o, kColumns[i].id, value_of(node, kColumns[i].id), &text);
    canvas.text_right(layout.edges[i], text_y, i == hot ? color::kText : color::kTextMid, text.view());
  }
}

// A list that scrolls, of `count` rows; `draw(i, y, hovered)` for those in sight. Returns the hovered row, or `count`.
template <typename Draw>
uint32_t scrolling_rows(Overlay& o, const char* id, float width, float height, float row, uint32_t count, Draw draw) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild(id, ImVec2(width, height), false,
                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove | (o.takes_input ? 0 : ImGuiWindowFlags_NoInputs));
  ImGui::PopStyleVar();
  const ImVec2 content = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("##all", ImVec2(std::max(width - ImGui::GetStyle().ScrollbarSize, 1.0f),
                                         std::max(row * static_cast<float>(count), height)));
  const float mouse_row = (ImGui::GetIO().MousePos.y - content.y) / row;
  const uint32_t hovered = ImGui::IsItemHovered() && mouse_row >= 0 && mouse_row < static_cast<float>(count)
                               ? static_cast<uint32_t>(mouse_row)
                               : count;
  const uint32_t first = std::min(static_cast<uint32_t>(ImGui::GetScrollY() / row), count);
  const uint32_t last = std::min(count, first + static_cast<uint32_t>(height / row) + 2);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  for (uint32_t i = first; i < last; ++i) draw(canvas, i, content.y + static_cast<float>(i) * row, i == hovered);
  ImGui::EndChild();
  return hovered;
}

void draw_background(Canvas& canvas, float x, float width, float y, float row, bool chosen, bool hovered, bool odd) {
  if (!chosen && !hovered && !odd) return;
  canvas.rect(x, y, x + width, y + row,
              chosen    ? mix(color::kControlOn, color::kCanvas, 0.45f)
              : hovered ? color::kControl
                        : color::kStripe);
}

// True where a click opens and closes the row.
bool over_arrow(const Overlay& o, const Layout& layout, const PathNode& node) {
  const float x = ImGui::GetIO().MousePos.x - layout.left - indent(o, node.depth);
  return x >= -scaled(o, 4) && x < scaled(o, 13);
}

void show_paths(Overlay& o, ImVec2 at, float width, float height) {
  PathTree& tree = o.calls.tree;
  const float row = o.metrics.size + scaled(o, 4);
  const float header = row + scaled(o, 2);
  const Layout layout = layout_columns(o, at.x, width, scaled(o, 160));
  {
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    canvas.rect(at.x, at.y, at.x + width, at.y + header - 1, color::kPanel);
    show_header(o, canvas, layout, at.y, header);
    if (tree.rows().empty())
      canvas.text_center(at.x, at.x + width, at.y + header + row * 2, color::kTextDim,
                         o.calls.range.reading() ? "reading" : "no calls here");
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const uint32_t hovered = scrolling_rows(
      o, "##paths", width, height - header, row, tree.rows().count, [&](Canvas& canvas, uint32_t i, float y, bool hot) {
        const uint32_t index = tree.rows()[i];
        draw_background(canvas, at.x, width, y, row, is_selected(o, tree.nodes()[index]), hot, i % 2);
        draw_row(o, canvas, layout, index, y, row);
      });
  if (hovered == tree.rows().count) return;
  const uint32_t index = tree.rows()[hovered];
  const PathNode node = tree.nodes()[index];
  const bool arrow = over_arrow(o, layout, node);
  if (ImGui::IsMouseReleased(1)) set_filter(o, path_look(o, node).name);
  if (ImGui::IsMouseClicked(0) && !arrow) select_block(o, node.id);
  if ((ImGui::IsMouseClicked(0) && arrow) || (ImGui::IsMouseDoubleClicked(0) && !arrow)) tree.toggle(node);
}

// One of the two lists. A click on a row goes there.
void show_neighbours(Overlay& o, const char* id, std::string_view title, const Array<flamelet_call_totals>& list,
                     ImVec2 at, float width, float height) {
  const float row = o.metrics.size + scaled(o, 4);
  const float header = row + scaled(o, 2);
  const Layout layout = layout_columns(o, at.x, width, scaled(o, 90));
  {
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    canvas.rect(at.x, at.y, at.x + width, at.y + header - 1, color::kPanel);
    canvas.text_fit(layout.left, at.y + scaled(o, 2), layout.name_right - layout.left, color::kTextDim, title);
    for (uint32_t i = 0; i < layout.shown; ++i)
      canvas.text_right(layout.edges[i], at.y + scaled(o, 2), color::kTextDim, kColumns[i].label);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const uint32_t hovered = scrolling_rows(
      o, id, width, height - header, row, list.count, [&](Canvas& canvas, uint32_t i, float y, bool hot) {
        const flamelet_call_totals& totals = list[i];
        draw_background(canvas, at.x, width, y, row, false, hot, i % 2);
        const PathLook look = path_look(o, totals.id);
        const float swatch = scaled(o, 9);
        const float swatch_y =
            y + scaled(o, 2) + static_cast<float>(static_cast<int>((o.metrics.size - swatch) * 0.5f));
        canvas.rect(layout.left, swatch_y, layout.left + swatch, swatch_y + swatch, look.fill);
        const float x = layout.left + swatch + scaled(o, 7);
        canvas.text_fit(x, y + scaled(o, 2), layout.name_right - x - scaled(o, 6), color::kText, look.name);
        const uint64_t values[] = {totals.overall_samples, totals.self_samples, totals.calls};
        for (uint32_t column = 0; column < layout.shown; ++column) {
          FixedText<32> text;
          add_value(o, kColumns[column].id, values[column], &text);
          canvas.text_right(layout.edges[column], y + scaled(o, 2), color::kTextMid, text.view());
        }
      });
  if (hovered < list.count && ImGui::IsMouseClicked(0)) select_block(o, list[hovered].id);
}

}  // namespace

void show_tree(Overlay& o, float height) {
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  const float bar = show_calls_bar(o);
  const float row = o.metrics.size + scaled(o, 4);
  const ImVec2 at(begin.x, begin.y + bar);
  const float rest = height - bar;
  if (rest >= row * 3) {
    const float gap = scaled(o, 6);
    const float side = o.calls.neighbours_of != 0 && full_width > scaled(o, 620)
                           ? static_cast<float>(static_cast<int>(full_width * 0.36f))
                           : 0;
    show_paths(o, at, full_width - (side > 0 ? side + gap : 0), rest);
    if (side > 0) {
      const float half = static_cast<float>(static_cast<int>((rest - gap) * 0.5f));
      const float x = at.x + full_width - side;
      show_neighbours(o, "##callers", "called by", o.calls.callers, ImVec2(x, at.y), side, half);
      show_neighbours(o, "##callees", "calls", o.calls.callees, ImVec2(x, at.y + half + gap), side, half);
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height));
}

}  // namespace flamelet::ui
