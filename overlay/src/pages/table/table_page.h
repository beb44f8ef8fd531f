// SPDX-License-Identifier: MIT
//
// table_page.h: what the tables of the overlay have in common. They are drawn by hand: rows are of one height, so only
// those in sight are touched, and columns of numbers are aligned at their right edge, header included, which ImGui's
// tables do not do.
#ifndef FLAMELET_OVERLAY_SRC_TABLE_PAGE_H
#define FLAMELET_OVERLAY_SRC_TABLE_PAGE_H

#include <algorithm>

#include "draw/widgets.h"
#include "pages/pages.h"

namespace flamelet::ui {

struct TableColumn {
  uint32_t id;  // what the page calls it
  const char* label;
  const char* widest;  // its width, by what it may hold
  uint32_t rank;       // where there is no room for all, those with the highest are left out
};

// Right edges of the number columns; the name takes what is left of the first one.
struct TableLayout {
  static constexpr uint32_t kMostColumns = 8;

  const TableColumn* columns;
  uint32_t count;
  float left, name_right;
  float edges[kMostColumns];
  uint32_t ranks;  // columns of a lower rank are shown; the name always is

  bool shows(uint32_t column) const { return columns[column].rank < ranks; }
};

// Ranks are 0, 1, 2 … each once.
TableLayout layout_table(const Frame& frame, const TableColumn* columns, uint32_t count, float x, float width,
                         float least_name_px);

// How a table is sorted.
struct TableSort {
  uint32_t column;
  bool descending;
};

float table_header_height(const Frame& frame);

// The header's surface, with a label for each column. The name's has this id and label.
void draw_table_header(Frame& frame, const TableLayout& layout, ImVec2 at, float width, const char* name_label);
// The same as buttons. True when one was pressed, and *sort is how the table is to be sorted then.
bool show_table_header(Frame& frame, const TableLayout& layout, ImVec2 at, float width, uint32_t name_id,
                       const char* name_label, TableSort* sort);

// Behind a row.
void draw_row_background(Canvas& canvas, float x, float width, float y, float row, bool chosen, bool hovered, bool odd);
// The colour of a scope before its name. Returns what it takes.
float draw_swatch(const Frame& frame, Canvas& canvas, float x, float text_y, Rgb fill);
// A value as a length, behind its number.
void draw_value_bar(const Frame& frame, Canvas& canvas, const TableLayout& layout, uint32_t column, double share,
                    float y, Rgb fill);

// The numbers of a row: `write(column, text, ink)` for each column that is shown.
template <typename Write>
void draw_cells(Canvas& canvas, const TableLayout& layout, float text_y, Write write) {
  for (uint32_t column = 0; column < layout.count; ++column) {
    if (!layout.shows(column)) continue;
    FixedText<48> text;
    Rgb ink = color::kTextMid;
    write(column, text, ink);
    canvas.text_right(layout.edges[column], text_y, ink, text.view());
  }
}

// Behind a scope's name: what tells it from others of that name. "GPU", its file and line, and its category, each only whole.
void draw_scope_place(const Content& content, Canvas& canvas, float x, float right, float text_y, ScopeKey scope,
                      bool on_gpu);

// What stands in place of rows, in as many lines as it needs.
void draw_empty(const Frame& frame, Canvas& canvas, float x, float y, float width, float height, std::string_view text);

inline bool no_row(uint32_t) {
  return false;
}

// A list of `count` rows at the cursor that scrolls; `draw(canvas, i, y)` for those in sight. Without rows it says `empty`.
// Returns the hovered row, or `count`. Keys go on from the row that is marked, or begin with the row `start`.
template <typename Draw, typename IsChosen, typename IsMarked>
uint32_t scrolling_rows(Frame& frame, const char* id, float width, float height, uint32_t count, const char* empty,
                        Draw draw, IsChosen is_chosen, IsMarked is_marked, uint32_t start = 0) {
  const float row = row_height(frame), x = ImGui::GetCursorScreenPos().x;
  begin_bare_child(frame, id, ImVec2(width, height));
  const ImVec2 content = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("##all", ImVec2(std::max(width - ImGui::GetStyle().ScrollbarSize, 1.0f),
                                         std::max(row * static_cast<float>(count), height)));
  const float mouse_row = (ImGui::GetIO().MousePos.y - content.y) / row;
  const uint32_t hovered = ImGui::IsItemHovered() && mouse_row >= 0 && mouse_row < static_cast<float>(count)
                               ? static_cast<uint32_t>(mouse_row)
                               : count;
  const bool by_key = frame.rows.begin_list(count, is_marked, start);
  if (by_key) {
    const float top = row * static_cast<float>(frame.rows.row);
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top + row > ImGui::GetScrollY() + height) ImGui::SetScrollY(top + row - height);
  }
  const uint32_t first = std::min(static_cast<uint32_t>(ImGui::GetScrollY() / row), count);
  const uint32_t last = std::min(count, first + static_cast<uint32_t>(height / row) + 2);
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  for (uint32_t i = first; i < last; ++i) {
    const float y = content.y + static_cast<float>(i) * row;
    draw_row_background(canvas, x, width, y, row, is_chosen(i), i == hovered, i % 2 != 0);
    draw(canvas, i, y);
  }
  if (count == 0) draw_empty(frame, canvas, content.x, content.y, width, height, empty);
  ImGui::EndChild();
  if (hovered != count && ImGui::IsMouseClicked(0)) frame.rows.row = hovered;
  return by_key ? frame.rows.row : hovered;
}

template <typename Draw, typename IsChosen>
uint32_t scrolling_rows(Frame& frame, const char* id, float width, float height, uint32_t count, const char* empty,
                        Draw draw, IsChosen is_chosen) {
  return scrolling_rows(frame, id, width, height, count, empty, draw, is_chosen, is_chosen);
}

// Whether the row that a list returned was chosen, or opened: by a click and a double-click, or by keys.
inline bool row_chosen(const Frame& frame) {
  return frame.rows.chosen || (!frame.rows.opened && ImGui::IsMouseClicked(0));
}
inline bool row_opened(const Frame& frame) {
  return frame.rows.opened || (!frame.rows.chosen && ImGui::IsMouseDoubleClicked(0));
}

// The page Table: the statistics, a row for each scope.

struct TablePage : Page {
  void draw(PageContext& o, float height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TABLE_PAGE_H
