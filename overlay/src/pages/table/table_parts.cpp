// SPDX-License-Identifier: MIT
#include "pages/table/table_parts.h"

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
  const float middle = text_y + static_cast<float>(static_cast<int>(frame.metrics.size * 0.5f));
  const float tip = sorted->descending ? size : -size;
  canvas.triangle(arrow - size, middle - tip * 0.7f, arrow + size, middle - tip * 0.7f, arrow, middle + tip * 0.9f,
                  ink);
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

float table_row_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 4);
}

float table_header_height(const Frame& frame) {
  return table_row_height(frame) + scaled(frame, 2);
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
  const float y = text_y + static_cast<float>(static_cast<int>((frame.metrics.size - size) * 0.5f));
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
  for (const std::string_view text : {std::string_view(on_gpu ? "GPU" : ""), place.view(), view_of(site.category)}) {
    if (text.empty() || x + canvas.width(text) > right) continue;
    x += canvas.text(x, text_y, color::kTextDim, text) + canvas.font().of(' ') * 2;
  }
}

void draw_value_bar(const Frame& frame, Canvas& canvas, const TableLayout& layout, uint32_t column, double share,
                    float y, Rgb fill) {
  const float pad = scaled(frame, 4);
  const float width = canvas.width(layout.columns[column].widest) + 2 * pad;
  const double part = std::min(std::max(share, 0.0), 1.0);
  const float length = static_cast<float>(static_cast<int>(static_cast<double>(width) * part));
  const float right = layout.edges[column] + pad;
  canvas.rect(right - length, y + 1, right, y + table_row_height(frame) - 1, fill);
}

}  // namespace flamelet::ui
