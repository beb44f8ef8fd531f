// SPDX-License-Identifier: MIT
#include "pages/table/table_parts.h"

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"
#include "shell/state_text.h"

namespace flamelet::ui {

namespace {

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
  for (uint32_t i = 0; i < kTableColumnCount; ++i) {
    if (!layout.shows(i)) continue;
    FixedText<32> text;
    Rgb ink = color::kTextMid;
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
    canvas.text_right(layout.edges[i], text_y, ink, text.view());
  }
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
  const float row = table_row_height(o);
  const uint32_t count = o.statistics.row_count();
  int64_t longest_ns = 0;
  if (count != 0)
    longest_ns = std::max(flamelet_statistics_value(&o.statistics.row(0), o.statistics.column()),
                          flamelet_statistics_value(&o.statistics.row(count - 1), o.statistics.column()));
  ImGui::SetCursorScreenPos(at);
  const char* empty = o.filter.active() ? "no scope here matches the filter" : "no scopes in the shown frames";
  const uint32_t hovered =
      scrolling_rows(o, "##rows", width, height, count, empty, [&](Canvas& canvas, uint32_t i, float y, bool hot) {
        const flamelet_scope_statistics& statistics = o.statistics.row(i);
        const bool chosen = o.selection.scope.valid && o.selection.scope.part() == o.statistics.part(statistics);
        draw_row_background(canvas, at.x, width, y, row, chosen, hot, i % 2 != 0);
        draw_table_row(o, o, canvas, layout, statistics, y, longest_ns);
      });
  if (hovered < count) handle_table_mouse(o, hovered);
}

}  // namespace

void TablePage::draw(PageContext& o, float height) {
  update_spans(o);
  update_statistics(o, o, true);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float header = table_header_height(o);
  if (height >= header + table_row_height(o)) {
    const TableLayout layout = layout_table(o, kTableColumns, kTableColumnCount, at.x, width, kLeastScopeNamePx);
    TableSort sort = {static_cast<uint32_t>(o.statistics.column()), o.statistics.descending()};
    FixedText<64> title;
    title.add("scope");
    if (o.statistics.left_out() != 0) title.add(" (no room for ").add_grouped(o.statistics.left_out()).add(" calls)");
    if (show_table_header(o, layout, at, width, FLAMELET_COLUMN_NAME, title.c_str(), &sort))
      o.statistics.sort_by(static_cast<flamelet_statistics_column>(sort.column), sort.descending);
    show_rows(o, layout, ImVec2(at.x, at.y + header), width, height - header);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

void TablePage::write_state(const PageContext& o, JsonObject* json) const {
  json->add("table_rows", o.statistics.row_count());
  json->add("table_calls_left_out", o.statistics.left_out());
  json->add("table_column", uint64_t{static_cast<uint32_t>(o.statistics.column())});
}

}  // namespace flamelet::ui
