// SPDX-License-Identifier: MIT
#include "pages/table/table_page.h"

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"

namespace flamelet::ui {

namespace {

// Columns that have no room are between the name and the first number.
void draw_left_out(const Frame& frame, Canvas& canvas, const TableLayout& layout, float y) {
  if (layout.ranks < layout.count)
    canvas.text_right(layout.name_right, y + scaled(frame, 2), color::kTextDim, frame.metrics.ellipsis);
}

// One label of the header, and the arrow if the table is sorted by it.
void draw_label(const Frame& frame, Canvas& canvas, const char* label, float x0, float x1, float y, bool right, Rgb ink,
                const TableSort* sorted) {
  const float text_y = y + scaled(frame, 2);
  const float width = canvas.width(label);
  const float x = right ? x1 - width : x0;
  canvas.text_fit(x, text_y, right ? width : x1 - x0, ink, label);
  if (sorted == nullptr) return;
  const float size = scaled(frame, 3);
  const float arrow = right ? x - scaled(frame, 8) : x + width + scaled(frame, 8);
  const float middle = text_y + whole(frame.metrics.size * 0.5f);
  const float tip = sorted->descending ? size : -size;
  canvas.triangle(arrow - size, middle - tip * 0.7f, arrow + size, middle - tip * 0.7f, arrow, middle + tip * 0.9f,
                  ink);
}

constexpr TableColumn kTableColumns[] = {
    {FLAMELET_COLUMN_COUNT, "count", "0,000,000", 2}, {FLAMELET_COLUMN_TOTAL, "total", "0000.00 ms", 1},
    {FLAMELET_COLUMN_SELF, "self", "0000.00 ms", 0},  {FLAMELET_COLUMN_MIN, "min", "000.00 ms", 7},
    {FLAMELET_COLUMN_MEAN, "mean", "000.00 ms", 6},   {FLAMELET_COLUMN_MEDIAN, "median", "000.00 ms", 4},
    {FLAMELET_COLUMN_P95, "p95", "000.00 ms", 5},     {FLAMELET_COLUMN_MAX, "max", "000.00 ms", 3},
};
constexpr float kLeastScopeNamePx = 160;
constexpr uint32_t kTableColumnCount = sizeof kTableColumns / sizeof kTableColumns[0];

// Milliseconds stand out from microseconds, and those from nanoseconds: the eye finds the big ones by brightness.
Rgb time_color(int64_t ns) {
  return ns >= 999950 ? color::kText : ns >= 1000 ? color::kTextMid : color::kTextDim;
}

void draw_table_row(Content& content, const Frame& frame, Canvas& canvas, const TableLayout& layout,
                    const flamelet_scope_statistics& row, float y, int64_t longest_ns) {
  const ScopePart part = content.statistics.part(row);
  const ScopeStyle& style = content.styles.of(part.key);
  const float text_y = y + scaled(frame, 2);
  float x = layout.left;
  x += draw_swatch(frame, canvas, x, text_y, style.fill) + scaled(frame, 7);
  x += canvas.text_fit(x, text_y, layout.name_right - x - scaled(frame, 10), color::kText, style.name) +
       scaled(frame, 12);
  if (part.object != 0) {
    const std::string_view object = view_of(flamelet_capture_string(content.capture, part.object));
    x += canvas.text_fit(x, text_y, layout.name_right - x - scaled(frame, 10), color::kInstant, object) +
         scaled(frame, 12);
  }
  if (row.count == 0)
    x += canvas.text_fit(x, text_y, layout.name_right - x - scaled(frame, 10), color::kTextDim, "began before") +
         scaled(frame, 12);
  draw_scope_place(content, canvas, x, layout.name_right - scaled(frame, 10), text_y, part.key, part.on_gpu);
  draw_cells(canvas, layout, text_y, [&](uint32_t i, TextWriter& text, Rgb& ink) {
    const auto column = static_cast<flamelet_statistics_column>(kTableColumns[i].id);
    const bool is_sum = column == FLAMELET_COLUMN_TOTAL || column == FLAMELET_COLUMN_SELF;
    if (column == FLAMELET_COLUMN_COUNT) {
      text.add_grouped(row.count);
    } else if (!is_sum && row.sample_count == 0) {
      text.add('-');  // there are only pieces of calls
    } else {
      const int64_t ns = flamelet_statistics_value(&row, column);
      text.add_time(ns);
      ink = time_color(ns);
    }
    // The sorted column also as a length, behind the number.
    if (column == content.statistics.column() && column != FLAMELET_COLUMN_COUNT && longest_ns > 0) {
      const double share =
          static_cast<double>(flamelet_statistics_value(&row, column)) / static_cast<double>(longest_ns);
      draw_value_bar(frame, canvas, layout, i, share, y, color::kTableBar);
    }
  });
}

// A click on a row selects its scope, a double-click shows the longest of its calls that are counted here, the right
// button filters.
void handle_table_mouse(PageContext& o, uint32_t hovered) {
  const ScopePart part = o.statistics.part(o.statistics.row(hovered));
  if (row_chosen(o)) o.selection.select_scope(part);
  if (ImGui::IsMouseReleased(1)) o.filter.set(o.styles.of(part.key).name);
  if (!row_opened(o)) return;
  select_worst_shown(o, o);
  zoom_to_selection(o, o);
  o.pages.open("lanes");
}

void show_rows(PageContext& o, const TableLayout& layout, ImVec2 at, float width, float height) {
  const uint32_t count = o.statistics.row_count();
  int64_t longest_ns = 0;
  if (count != 0)
    longest_ns = std::max(flamelet_statistics_value(&o.statistics.row(0), o.statistics.column()),
                          flamelet_statistics_value(&o.statistics.row(count - 1), o.statistics.column()));
  ImGui::SetCursorScreenPos(at);
  FixedText<256> empty, off;
  empty.add(o.filter.active()        ? "no scope here matches the filter"
            : o.selection.measures() ? "no scopes in the measured time"
                                     : "no scopes in the shown frames");
  add_switched_off(o, &off);
  if (!off.view().empty()) empty.add("; not recorded: ").add(off.view());
  const auto chosen = [&](uint32_t i) {
    return o.selection.scope.valid && o.selection.scope.part() == o.statistics.part(o.statistics.row(i));
  };
  const auto draw = [&](Canvas& canvas, uint32_t i, float y) {
    draw_table_row(o, o, canvas, layout, o.statistics.row(i), y, longest_ns);
  };
  const uint32_t hovered = scrolling_rows(o, "##rows", width, height, count, empty.c_str(), draw, chosen);
  if (hovered < count) handle_table_mouse(o, hovered);
}

}  // namespace

TableLayout layout_table(const Frame& frame, const TableColumn* columns, uint32_t count, float x, float width,
                         float least_name_px) {
  TableLayout layout = {};
  layout.columns = columns;
  layout.count = count;
  layout.left = x + scaled(frame, 8);
  const float right = x + width - ImGui::GetStyle().ScrollbarSize - scaled(frame, 8);
  const float gap = scaled(frame, 14);
  float room = right - layout.left - scaled(frame, least_name_px);
  for (layout.ranks = 0; layout.ranks < count; ++layout.ranks) {
    const TableColumn* next =
        std::find_if(columns, columns + count, [&](const TableColumn& column) { return column.rank == layout.ranks; });
    room -= text_width(frame.metrics, next->widest) + gap;
    if (room < 0) break;
  }
  layout.name_right = right;
  for (uint32_t i = count; i-- > 0;) {
    if (!layout.shows(i)) continue;
    layout.edges[i] = layout.name_right;
    layout.name_right -= text_width(frame.metrics, columns[i].widest) + gap;
  }
  return layout;
}

float table_header_height(const Frame& frame) {
  return row_height(frame) + scaled(frame, 2);
}

void draw_table_header(Frame& frame, const TableLayout& layout, ImVec2 at, float width, const char* name_label) {
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  canvas.rect(at.x, at.y, at.x + width, at.y + table_header_height(frame) - 1, color::kPanel);
  draw_label(frame, canvas, name_label, layout.left, layout.name_right, at.y, false, color::kTextDim, nullptr);
  draw_left_out(frame, canvas, layout, at.y);
  for (uint32_t i = 0; i < layout.count; ++i)
    if (layout.shows(i))
      draw_label(frame, canvas, layout.columns[i].label, 0, layout.edges[i], at.y, true, color::kTextDim, nullptr);
}

bool show_table_header(Frame& frame, const TableLayout& layout, ImVec2 at, float width, uint32_t name_id,
                       const char* name_label, TableSort* sort) {
  const TableSort now = *sort;
  bool chosen = false;
  const bool next = frame.rows.next_column;
  frame.rows.next_column = false;
  bool after = false;  // the sorted column
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  canvas.rect(at.x, at.y, at.x + width, at.y + table_header_height(frame) - 1, color::kPanel);
  const auto header = [&](uint32_t id, const char* label, float x0, float x1, bool right) {
    ImGui::SetCursorScreenPos(ImVec2(x0, at.y));
    ImGui::PushID(static_cast<int>(id));
    const bool by_mouse =
        ImGui::InvisibleButton("##column", ImVec2(std::max(x1 - x0, 1.0f), table_header_height(frame)));
    ImGui::PopID();
    const bool sorted = now.column == id;
    const bool pressed = by_mouse || (next && after);
    after = sorted;
    // Numbers begin with the largest, names with the first.
    if (pressed) *sort = {id, sorted ? !now.descending : right};
    chosen = chosen || pressed;
    const Rgb ink = sorted ? color::kAccent : ImGui::IsItemHovered() ? color::kText : color::kTextDim;
    draw_label(frame, canvas, label, x0, x1, at.y, right, ink, sorted ? &now : nullptr);
  };
  header(name_id, name_label, layout.left, layout.name_right, false);
  draw_left_out(frame, canvas, layout, at.y);
  for (uint32_t i = 0; i < layout.count; ++i) {
    if (!layout.shows(i)) continue;
    const TableColumn& column = layout.columns[i];
    header(column.id, column.label, layout.edges[i] - canvas.width(column.widest), layout.edges[i], true);
  }
  if (next && !chosen) {  // after the last one comes the first
    *sort = {name_id, false};
    chosen = true;
  }
  return chosen;
}

void draw_row_background(Canvas& canvas, float x, float width, float y, float row, bool chosen, bool hovered,
                         bool odd) {
  if (!chosen && !hovered && !odd) return;
  canvas.rect(x, y, x + width, y + row, chosen ? color::kRowChosen : hovered ? color::kControl : color::kStripe);
}

float draw_swatch(const Frame& frame, Canvas& canvas, float x, float text_y, Rgb fill) {
  const float size = scaled(frame, 9);
  const float y = text_y + whole((frame.metrics.size - size) * 0.5f);
  canvas.rect(x, y, x + size, y + size, fill);
  return size;
}

void draw_scope_place(const Content& content, Canvas& canvas, float x, float right, float text_y, ScopeKey scope,
                      bool on_gpu) {
  flamelet_site_info site;
  flamelet_capture_site(content.capture, scope.site, &site);
  std::string_view file = view_of(site.file);
  const size_t slash = file.find_last_of("/\\");
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  FixedText<128> place;
  if (!file.empty()) place.add(file).add_line(site.line);
  for (const std::string_view text :
       {std::string_view(on_gpu ? "GPU" : ""), place.view(), kind_of(content, scope), view_of(site.category)}) {
    if (text.empty() || x + canvas.width(text) > right) continue;
    x += canvas.text_fit(x, text_y, right - x, color::kTextDim, text) + canvas.font().of(' ') * 2;
  }
}

void draw_value_bar(const Frame& frame, Canvas& canvas, const TableLayout& layout, uint32_t column, double share,
                    float y, Rgb fill) {
  const float pad = scaled(frame, 4);
  const float width = canvas.width(layout.columns[column].widest) + 2 * pad;
  const double part = std::min(std::max(share, 0.0), 1.0);
  const float length = whole(static_cast<double>(width) * part);
  const float right = layout.edges[column] + pad;
  canvas.rect(right - length, y + 1, right, y + row_height(frame) - 1, fill);
}

void draw_empty(const Frame& frame, Canvas& canvas, float x, float y, float width, float height,
                std::string_view text) {
  const float row = row_height(frame);
  y += std::min(row * 2, std::max(height * 0.5f - row, 0.0f));
  for (; !text.empty(); y += row) {
    size_t end = text.size();
    for (size_t space = end; text_width(frame.metrics, text.substr(0, end)) > width;) {
      space = text.rfind(' ', space - 1);
      if (space == std::string_view::npos || space == 0) break;
      end = space;
    }
    canvas.text_center(x, x + width, y, color::kTextDim, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void TablePage::draw(PageContext& o, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float header = table_header_height(o);
  if (height >= header + row_height(o)) {
    const TableLayout layout = layout_table(o, kTableColumns, kTableColumnCount, at.x, width, kLeastScopeNamePx);
    TableSort sort = {static_cast<uint32_t>(o.statistics.column()), o.statistics.descending()};
    FixedText<64> title;
    title.add(o.selection.measures() ? "scope, whole calls in the measured time" : "scope");
    if (o.statistics.left_out() != 0) title.add(" (no room for ").add_grouped(o.statistics.left_out()).add(" calls)");
    if (show_table_header(o, layout, at, width, FLAMELET_COLUMN_NAME, title.c_str(), &sort))
      o.statistics.sort_by(static_cast<flamelet_statistics_column>(sort.column), sort.descending);
    show_rows(o, layout, ImVec2(at.x, at.y + header), width, height - header);
  }
}

void TablePage::write_state(const PageContext& o, JsonObject* json) const {
  json->add("table_rows", o.statistics.row_count());
  json->add("table_calls_left_out", o.statistics.left_out());
  json->add("table_column", uint64_t{static_cast<uint32_t>(o.statistics.column())});
}

}  // namespace flamelet::ui
