// SPDX-License-Identifier: MIT
//
// The statistics table. Drawn by hand: rows are of one height, so only those in sight are touched, and columns of
// numbers are aligned at their right edge, header included, which ImGui's tables do not do.
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

struct Column {
  flamelet_statistics_column id;
  const char* label;
  const char* widest;  // its width, by what it may hold
  uint32_t rank;       // where there is no room for all, those with the highest are left out
};

constexpr Column kColumns[] = {
    {FLAMELET_COLUMN_COUNT, "count", "0,000,000", 2}, {FLAMELET_COLUMN_TOTAL, "total", "0000.00 ms", 1},
    {FLAMELET_COLUMN_SELF, "self", "0000.00 ms", 0},  {FLAMELET_COLUMN_MIN, "min", "000.00 ms", 7},
    {FLAMELET_COLUMN_MEAN, "mean", "000.00 ms", 6},   {FLAMELET_COLUMN_MEDIAN, "median", "000.00 ms", 4},
    {FLAMELET_COLUMN_P95, "p95", "000.00 ms", 5},     {FLAMELET_COLUMN_MAX, "max", "000.00 ms", 3},
};
constexpr float kLeastNamePx = 160;
constexpr uint32_t kColumnCount = sizeof kColumns / sizeof kColumns[0];

// Right edges of the number columns; the name takes what is left of the first one.
struct TableLayout {
  float left, right;
  float name_right;
  float edges[kColumnCount];
  uint32_t ranks;  // columns of a lower rank are shown; the name always is

  bool shows(uint32_t column) const { return kColumns[column].rank < ranks; }
};

TableLayout layout_columns(const Overlay& o, float x, float width) {
  TableLayout layout = {};
  layout.left = x + scaled(o, 8);
  layout.right = x + width - ImGui::GetStyle().ScrollbarSize - scaled(o, 8);
  const float gap = scaled(o, 14);
  float room = layout.right - layout.left - scaled(o, kLeastNamePx);
  for (layout.ranks = 0; layout.ranks < kColumnCount; ++layout.ranks) {
    const Column* next = std::find_if(kColumns, kColumns + kColumnCount,
                                      [&](const Column& column) { return column.rank == layout.ranks; });
    room -= text_width(o.metrics, next->widest) + gap;
    if (room < 0) break;
  }
  layout.name_right = layout.right;
  for (uint32_t i = kColumnCount; i-- > 0;) {
    if (!layout.shows(i)) continue;
    layout.edges[i] = layout.name_right;
    layout.name_right -= text_width(o.metrics, kColumns[i].widest) + gap;
  }
  return layout;
}

int64_t value_ns(const flamelet_scope_statistics& row, flamelet_statistics_column column) {
  switch (column) {
    case FLAMELET_COLUMN_TOTAL:
      return row.total_ns;
    case FLAMELET_COLUMN_SELF:
      return row.self_ns;
    case FLAMELET_COLUMN_MIN:
      return row.duration.min_ns;
    case FLAMELET_COLUMN_MEAN:
      return row.duration.mean_ns;
    case FLAMELET_COLUMN_MEDIAN:
      return row.duration.median_ns;
    case FLAMELET_COLUMN_P95:
      return row.duration.p95_ns;
    case FLAMELET_COLUMN_P99:
      return row.duration.p99_ns;
    case FLAMELET_COLUMN_MAX:
      return row.duration.max_ns;
    default:
      return 0;
  }
}

// Milliseconds stand out from microseconds, and those from nanoseconds: the eye finds the big ones by brightness.
Rgb time_color(int64_t ns) {
  return ns >= 999950 ? color::kText : ns >= 1000 ? color::kTextMid : color::kTextDim;
}

void show_header(Overlay& o, Canvas& canvas, const TableLayout& layout, float y, float height) {
  const float text_y = y + scaled(o, 2);
  const auto header = [&](flamelet_statistics_column id, const char* label, float x0, float x1, bool right) {
    ImGui::SetCursorScreenPos(ImVec2(x0, y));
    ImGui::PushID(static_cast<int>(id));
    const bool pressed = ImGui::InvisibleButton("##column", ImVec2(x1 - x0, height));
    ImGui::PopID();
    const bool sorted = o.statistics.column() == id;
    if (pressed) o.statistics.sort_by(id, sorted ? !o.statistics.descending() : id != FLAMELET_COLUMN_NAME);
    const Rgb ink = sorted ? color::kAccent : ImGui::IsItemHovered() ? color::kText : color::kTextDim;
    const float label_width = canvas.width(label);
    const float label_x = right ? x1 - label_width : x0;
    canvas.text(label_x, text_y, ink, label);
    if (!sorted) return;
    const float size = scaled(o, 3);
    const float arrow = right ? label_x - scaled(o, 8) : label_x + label_width + scaled(o, 8);
    const float middle = text_y + static_cast<float>(static_cast<int>(o.metrics.size * 0.5f));
    const float tip = o.statistics.descending() ? size : -size;
    canvas.triangle(arrow - size, middle - tip * 0.7f, arrow + size, middle - tip * 0.7f, arrow, middle + tip * 0.9f,
                    ink);
  };
  header(FLAMELET_COLUMN_NAME, "scope", layout.left, layout.name_right, false);
  for (uint32_t i = 0; i < kColumnCount; ++i) {
    if (!layout.shows(i)) continue;
    const float left = layout.edges[i] - canvas.width(kColumns[i].widest);
    header(kColumns[i].id, kColumns[i].label, left, layout.edges[i], true);
  }
}

void draw_row(Overlay& o, Canvas& canvas, const TableLayout& layout, const flamelet_scope_statistics& row, float y,
              int64_t longest_ns) {
  const ScopeLook& look = o.looks.look(row.site, row.name);
  const float text_y = y + scaled(o, 2);
  const float swatch = scaled(o, 9);
  const float swatch_y = text_y + static_cast<float>(static_cast<int>((o.metrics.size - swatch) * 0.5f));
  canvas.rect(layout.left, swatch_y, layout.left + swatch, swatch_y + swatch, look.fill);
  float x = layout.left + swatch + scaled(o, 7);
  x += canvas.text_fit(x, text_y, layout.name_right - x - scaled(o, 10), color::kText, look.name) + scaled(o, 12);
  // The file, behind the name and only whole.
  flamelet_site_info site;
  flamelet_capture_site(o.capture, row.site, &site);
  std::string_view file = view_of(site.file);
  const size_t slash = file.find_last_of("/\\");
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  FixedText<128> place;
  if (o.statistics.on_gpu(row.site)) place.add("GPU");
  if (!file.empty()) place.add(file).add(':').add_unsigned(site.line);
  if (x + canvas.width(place.view()) <= layout.name_right - scaled(o, 10))
    canvas.text(x, text_y, color::kTextDim, place.view());
  for (uint32_t i = 0; i < kColumnCount; ++i) {
    if (!layout.shows(i)) continue;
    FixedText<32> text;
    Rgb ink = color::kTextMid;
    if (kColumns[i].id == FLAMELET_COLUMN_COUNT) {
      text.add_grouped(row.count);
    } else {
      const int64_t ns = value_ns(row, kColumns[i].id);
      text.add_time(ns);
      ink = time_color(ns);
    }
    // The sorted column also as a length, behind the number.
    if (kColumns[i].id == o.statistics.column() && kColumns[i].id != FLAMELET_COLUMN_COUNT && longest_ns > 0) {
      const double share = static_cast<double>(value_ns(row, kColumns[i].id)) / static_cast<double>(longest_ns);
      const float pad = scaled(o, 4);
      const float column = canvas.width(kColumns[i].widest) + 2 * pad;
      const float length = static_cast<float>(static_cast<int>(column * std::min(std::max(share, 0.0), 1.0)));
      const float right = layout.edges[i] + pad;
      canvas.rect(right - length, y + 1, right, y + o.metrics.size + scaled(o, 3), color::kTableBar);
    }
    canvas.text_right(layout.edges[i], text_y, ink, text.view());
  }
}

}  // namespace

void show_table(Overlay& o, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  const float row = o.metrics.size + scaled(o, 4);
  const float header = row + scaled(o, 2);
  if (height < header + row) return;
  const TableLayout layout = layout_columns(o, at.x, full_width);
  {
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    canvas.rect(at.x, at.y, at.x + full_width, at.y + header - 1, color::kPanel);
    show_header(o, canvas, layout, at.y, header);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("##rows", ImVec2(full_width, height - header), false,
                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove | (o.takes_input ? 0 : ImGuiWindowFlags_NoInputs));
  ImGui::PopStyleVar();
  const ImVec2 content = ImGui::GetCursorScreenPos();
  const float content_width = full_width - ImGui::GetStyle().ScrollbarSize;
  const uint32_t count = o.statistics.row_count();
  ImGui::InvisibleButton(
      "##all_rows", ImVec2(std::max(content_width, 1.0f), std::max(row * static_cast<float>(count), height - header)));
  const float mouse_row = (ImGui::GetIO().MousePos.y - content.y) / row;
  const uint32_t hovered = ImGui::IsItemHovered() && mouse_row >= 0 && mouse_row < static_cast<float>(count)
                               ? static_cast<uint32_t>(mouse_row)
                               : count;
  if (hovered < count && ImGui::IsMouseClicked(0)) {
    o.selected = SelectedSpan();
    o.scope = {true, o.statistics.row(hovered).site, o.statistics.row(hovered).name};
  }
  if (hovered < count && ImGui::IsMouseDoubleClicked(0)) {
    select_worst_instance(o);
    zoom_to_selection(o);
    o.tab = Tab::kLanes;
  }
  if (hovered < count && ImGui::IsMouseReleased(1))
    set_filter(o, o.looks.look(o.statistics.row(hovered).site, o.statistics.row(hovered).name).name);

  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  int64_t longest_ns = 0;
  if (count != 0)
    longest_ns = std::max(value_ns(o.statistics.row(0), o.statistics.column()),
                          value_ns(o.statistics.row(count - 1), o.statistics.column()));
  const uint32_t first = static_cast<uint32_t>(ImGui::GetScrollY() / row);
  const uint32_t last = std::min(count, first + static_cast<uint32_t>((height - header) / row) + 2);
  for (uint32_t i = std::min(first, count); i < last; ++i) {
    const flamelet_scope_statistics& statistics = o.statistics.row(i);
    const float y = content.y + static_cast<float>(i) * row;
    const bool chosen = o.scope.is(statistics.site, statistics.name);
    if (chosen || i == hovered || i % 2 != 0)
      canvas.rect(content.x, y, content.x + full_width, y + row,
                  chosen         ? mix(color::kControlOn, color::kCanvas, 0.45f)
                  : i == hovered ? color::kControl
                                 : color::kStripe);
    draw_row(o, canvas, layout, statistics, y, longest_ns);
  }
  if (count == 0)
    canvas.text_center(at.x, at.x + full_width, at.y + header + row * 2, color::kTextDim,
                       o.filter[0] != 0 ? "no scope here matches the filter" : "no scopes in the shown frames");
  ImGui::EndChild();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

}  // namespace flamelet::ui
