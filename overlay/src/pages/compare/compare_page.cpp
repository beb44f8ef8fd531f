// SPDX-License-Identifier: MIT
//
// The flame graph stands above the table; where there is no room for both, a button chooses one.
#include "pages/compare/compare_page.h"

#include <math.h>
#include <string.h>

#include <algorithm>

#include "draw/button_line.h"
#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/value_line.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/table/table_parts.h"
#include "shell/json.h"
#include "shell/update.h"

namespace flamelet::ui {

namespace {

constexpr float kLeastComparedNamePx = 150;
constexpr float kLeastRowsForBoth = 13;

TableColumn column_of(CompareColumn column, const char* label, const char* widest, uint32_t rank) {
  return {static_cast<uint32_t>(column), label, widest, rank};
}

// What B-A is of stands in its header.
constexpr const char* kChangeLabels[] = {"self B-A", "total B-A", "calls B-A"};
const TableColumn kCompareColumns[] = {column_of(CompareColumn::kChange, "", "+0,000.00 ms", 0),
                                       column_of(CompareColumn::kPercent, "change", "+00000.0%", 1),
                                       column_of(CompareColumn::kSelfA, "self A", "0000.00 ms", 2),
                                       column_of(CompareColumn::kSelfB, "self B", "0000.00 ms", 3),
                                       column_of(CompareColumn::kTotalA, "total A", "0000.00 ms", 4),
                                       column_of(CompareColumn::kTotalB, "total B", "0000.00 ms", 5),
                                       column_of(CompareColumn::kCallsA, "calls A", "00,000.0", 6),
                                       column_of(CompareColumn::kCallsB, "calls B", "00,000.0", 7)};
constexpr uint32_t kCompareColumnCount = sizeof kCompareColumns / sizeof kCompareColumns[0];

// "Simulate > Plan paths", as much of its end as fits after its first scope's beginning.
void add_path(const ComparedPaths& paths, uint32_t number, TextWriter* text) {
  constexpr uint32_t kMost = 32;
  uint32_t scopes[kMost];
  uint32_t count = 0;
  for (; number != 0 && count < kMost; number = paths.path(number).parent) scopes[count++] = number;
  while (count-- != 0) {
    text->add(paths.path(scopes[count]).name);
    if (count != 0) text->add('/');
  }
}

void add_percent_change(const ComparedPaths& paths, const flamelet_compared_path& path, TextWriter* text) {
  const double ratio = paths.ratio_of(path);
  if (!path.side[0].is_there) {
    text->add("new");
  } else if (!path.side[1].is_there) {
    text->add("gone");
  } else if (isfinite(ratio)) {
    if (ratio > 0) text->add('+');
    text->add_fixed(std::min(ratio * 100, 99999.9), 1).add('%');
  }
}

void draw_compare_row(Frame& frame, ComparePage& compare, Canvas& canvas, const TableLayout& layout, uint32_t number,
                      float y) {
  const ComparedPaths& paths = compare.paths;
  const flamelet_compared_path path = paths.path(number);
  const double change = paths.change_of(path);
  const double share = paths.most_change() > 0 ? change / paths.most_change() : 0;
  const float text_y = y + scaled(frame, 2);
  const float right = layout.name_right - scaled(frame, 6);
  float x = layout.left + draw_swatch(frame, canvas, layout.left, text_y, change_fill(share)) + scaled(frame, 7);
  x += canvas.text_fit(x, text_y, right - x, color::kText, path.name) + 2 * frame.metrics.of(' ');
  FixedText<256> callers;
  if (path.parent != 0) add_path(paths, path.parent, &callers);
  if (x < right) canvas.text_fit(x, text_y, right - x, color::kTextDim, callers.view());
  for (uint32_t i = 0; i < kCompareColumnCount; ++i) {
    if (!layout.shows(i)) continue;
    FixedText<48> text;
    Rgb ink = color::kTextMid;
    const auto column = static_cast<CompareColumn>(kCompareColumns[i].id);
    const bool is_b =
        column == CompareColumn::kSelfB || column == CompareColumn::kTotalB || column == CompareColumn::kCallsB;
    const flamelet_compare_figures& figures = path.side[is_b ? 1 : 0];
    if (column == CompareColumn::kChange) {
      draw_value_bar(frame, canvas, layout, i, fabs(share), y, mix(color::kCanvas, change_fill(share), 0.35f));
      add_change(paths, change, &text);
      ink = color::kText;
    } else if (column == CompareColumn::kPercent) {
      add_percent_change(paths, path, &text);
    } else if (!figures.is_there) {
      text.add('-');
    } else if (column == CompareColumn::kCallsA || column == CompareColumn::kCallsB) {
      text.add_fixed(figures.calls, paths.side(is_b ? 1 : 0).frame_count > 1 ? 1 : 0);
    } else {
      const bool total = column == CompareColumn::kTotalA || column == CompareColumn::kTotalB;
      text.add_time(static_cast<int64_t>(total ? figures.total : figures.self));
    }
    canvas.text_right(layout.edges[i], text_y, ink, text.view());
  }
}

void show_in_lanes(Overlay& o, ComparePage& compare) {
  if (compare.selected == ComparedPaths::kNone) return;
  if (select_by_name(o, compare.paths.path(compare.selected).name)) zoom_to_selection(o);
  o.pages.open("lanes");
}

void show_table(Overlay& o, ComparePage& compare, ImVec2 at, float width, float height) {
  ComparedPaths& paths = compare.paths;
  const float row = table_row_height(o);
  const float header = table_header_height(o);
  TableColumn columns[kCompareColumnCount];
  std::copy(kCompareColumns, kCompareColumns + kCompareColumnCount, columns);
  columns[0].label = kChangeLabels[static_cast<uint32_t>(paths.by())];
  const TableLayout layout = layout_table(o, columns, kCompareColumnCount, at.x, width, kLeastComparedNamePx);
  TableSort sort = {static_cast<uint32_t>(paths.column()), paths.descending()};
  if (show_table_header(o, layout, at, width, static_cast<uint32_t>(CompareColumn::kPath), "call path", &sort))
    paths.sort_by(static_cast<CompareColumn>(sort.column), sort.descending);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  o.notes.note_place("compare_rows", at.x, at.y + header);
  const uint32_t count = paths.rows().count;
  const uint32_t hovered =
      scrolling_rows(o, "##compared", width, height - header, count, "nothing was called",
                     [&](Canvas& canvas, uint32_t i, float y, bool hot) {
                       const uint32_t number = paths.rows()[i];
                       draw_row_background(canvas, at.x, width, y, row, number == compare.selected, hot, i % 2 != 0);
                       draw_compare_row(o, compare, canvas, layout, number, y);
                     });
  if (hovered >= count) return;
  if (row_chosen(o)) compare.selected = paths.rows()[hovered];
  if (row_opened(o)) show_in_lanes(o, compare);
}

// "A  this run #120 - #130, mean 16.70 ms"; without the capture's title where both sides are of one.
void add_side(const ComparedPaths& paths, uint32_t number, TextWriter* text) {
  const ComparedSide& side = paths.side(number);
  text->add(number == 0 ? "A  " : "B  ");
  if (!side.is_set) {
    text->add("not set");
    return;
  }
  if (strcmp(side.title, paths.side(1 - number).title) != 0) text->add(side.title).add(' ');
  if (side.frames.valid) text->add('#').add_grouped(side.frames.first);
  if (side.frames.valid && side.frame_count > 1) text->add(" - #").add_grouped(side.frames.last).add(", mean");
  text->add(' ').add_time(side.duration_ns / static_cast<int64_t>(side.frame_count));
}

float compare_bar_height(const Frame& frame) {
  return control_height(frame) + scaled(frame, 5);
}

void show_bar(Overlay& o, ComparePage& compare, bool both_fit) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ComparedPaths& paths = compare.paths;
  ButtonLine bar(o);
  const bool is_b = paths.side(0).is_set && !paths.side(1).is_set;
  if (bar.button("##set", is_b ? "Set B" : "Set A", false, "the shown frames, or the measured time: B"))
    set_compared_side(o);
  if (bar.button("##clear", "Clear", false, "forget both")) compare.clear();
  if (!both_fit && bar.button("##flame", "Flame", compare.prefer_flame, "the flame graph or the table"))
    compare.prefer_flame = !compare.prefer_flame;
  if (compare.selected != ComparedPaths::kNone &&
      bar.button("##lanes", "Show in lanes", false, "the longest one there: double-click"))
    show_in_lanes(o, compare);
  bar.gap();
  if (paths.left_out() != 0) bar.text(color::kFrameOver, "more paths than the memory holds");
  FixedText<160> a, b;
  add_side(paths, 0, &a);
  add_side(paths, 1, &b);
  bar.text(color::kTextMid, a.view());
  bar.text(color::kTextMid, b.view());
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + compare_bar_height(o)));
}

void show_comparison(Overlay& o, ComparePage& compare, ImVec2 at, float width, float height, bool both) {
  const float gap = scaled(o, 4);
  if (both) {
    // As high as it was in the last frame needs.
    const float rows = compare.flame_rows != 0 ? static_cast<float>(compare.flame_rows + 1) : height;
    const float flame = static_cast<float>(static_cast<int>(std::min(height * 0.4f, rows * row_height(o))));
    show_compared_flame(o, compare, at.x, at.y, width, flame);
    at.y += flame + gap;
    height -= flame + gap;
  } else if (compare.prefer_flame) {
    show_compared_flame(o, compare, at.x, at.y, width, height);
    return;
  }
  const bool histogram =
      compare.selected != ComparedPaths::kNone && width > scaled(o, 560) && height > 7 * row_height(o);
  const float side = histogram ? static_cast<float>(static_cast<int>(width * 0.27f)) : 0;
  show_table(o, compare, at, width - (histogram ? side + gap : 0), height);
  if (!histogram) return;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  draw_compared_histogram(o, compare, canvas, at.x + width - side, at.y, side, height);
}

}  // namespace

void ComparePage::draw(Overlay& o, float height) {
  update_spans(o);
  update_statistics(o);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float rest = height - compare_bar_height(o);
  const bool both = rest >= kLeastRowsForBoth * row_height(o);
  show_bar(o, *this, both);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (rest >= table_row_height(o) * 3) {
    if (paths.complete()) {
      show_comparison(o, *this, at, width, rest, both);
    } else {
      Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
      const char* hint = paths.reading()        ? "reading"
                         : paths.side(0).is_set ? "Choose the frames of B, also of another capture, and press B."
                                                : "Choose the frames of A, and press B.";
      canvas.text_center(at.x, at.x + width, at.y + row_height(o), color::kTextDim, hint);
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height));
}

bool ComparePage::draw_details(Overlay& o, float x, float y, float right, float line_height) {
  if (!paths.complete() || selected >= paths.path_count()) return false;
  const flamelet_compared_path path = paths.path(selected);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  FixedText<512> text;
  add_path(paths, selected, &text);
  canvas.text_fit(x, y, right - x, color::kText, text.view());
  ValueLine line(o, canvas, x, y + line_height, right);
  line.add_time("self A", static_cast<int64_t>(path.side[0].self));
  line.add_time("B", static_cast<int64_t>(path.side[1].self));
  line.add_time("total A", static_cast<int64_t>(path.side[0].total));
  line.add_time("B", static_cast<int64_t>(path.side[1].total));
  FixedText<32> calls_a, calls_b, percent;
  const auto decimals = [&](uint32_t side) { return paths.side(side).frame_count > 1 ? 1 : 0; };
  line.add("calls A", calls_a.add_fixed(path.side[0].calls, decimals(0)).view());
  line.add("B", calls_b.add_fixed(path.side[1].calls, decimals(1)).view());
  add_percent_change(paths, path, &percent);
  line.add("change", percent.view());
  return true;
}

void ComparePage::write_state(const Overlay&, JsonObject* json) const {
  json->add("compare_a", paths.side(0).is_set);
  json->add("compare_b", paths.side(1).is_set);
  json->add("compare_reading", paths.reading());
  json->add("compare_paths", paths.complete() ? paths.path_count() - 1 : 0);
  const bool any = selected != ComparedPaths::kNone;
  json->add("compare_selected", any ? paths.path(selected).name : "");
  json->add_number("compare_change", any ? paths.change_of(paths.path(selected)) : 0);
}

}  // namespace flamelet::ui
