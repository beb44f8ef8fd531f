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

enum CompareColumn : uint32_t { kChange, kPercent, kSelfA, kSelfB, kTotalA, kTotalB, kCallsA, kCallsB, kPath };
constexpr TableColumn kCompareColumns[] = {{kChange, "B-A", "+0,000.00 ms", 0},   {kPercent, "change", "+00000.0%", 1},
                                           {kSelfA, "self A", "0000.00 ms", 2},   {kSelfB, "self B", "0000.00 ms", 3},
                                           {kTotalA, "total A", "0000.00 ms", 4}, {kTotalB, "total B", "0000.00 ms", 5},
                                           {kCallsA, "calls A", "00,000.0", 6},   {kCallsB, "calls B", "00,000.0", 7}};
constexpr uint32_t kCompareColumnCount = sizeof kCompareColumns / sizeof kCompareColumns[0];

CompareBy by_of(uint32_t column, CompareBy now) {
  switch (column) {
    case kSelfA:
    case kSelfB:
      return CompareBy::kSelf;
    case kTotalA:
    case kTotalB:
      return CompareBy::kTotal;
    case kCallsA:
    case kCallsB:
      return CompareBy::kCalls;
    default:
      return now;
  }
}

double value_of(const flamelet_compare_figures& figures, CompareBy by) {
  return by == CompareBy::kTotal ? figures.total : by == CompareBy::kCalls ? figures.calls : figures.self;
}

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
  const double a = value_of(path.side[0], paths.by());
  const double change = paths.change_of(path);
  if (!path.side[0].is_there) {
    text->add("new");
  } else if (!path.side[1].is_there) {
    text->add("gone");
  } else if (a > 0) {
    if (change > 0) text->add('+');
    text->add_fixed(std::min(change / a * 100, 99999.9), 1).add('%');
  }
}

void draw_compare_row(Overlay& o, Canvas& canvas, const TableLayout& layout, uint32_t number, float y) {
  const ComparedPaths& paths = o.compare.paths;
  const flamelet_compared_path path = paths.path(number);
  const double change = paths.change_of(path);
  const double share = paths.most_change() > 0 ? change / paths.most_change() : 0;
  const float text_y = y + scaled(o, 2);
  const float right = layout.name_right - scaled(o, 6);
  float x = layout.left + draw_swatch(o, canvas, layout.left, text_y, change_fill(share)) + scaled(o, 7);
  x += canvas.text_fit(x, text_y, right - x, color::kText, path.name) + 2 * o.metrics.of(' ');
  FixedText<256> callers;
  if (path.parent != 0) add_path(paths, path.parent, &callers);
  if (x < right) canvas.text_fit(x, text_y, right - x, color::kTextDim, callers.view());
  for (uint32_t i = 0; i < kCompareColumnCount; ++i) {
    if (!layout.shows(i)) continue;
    FixedText<48> text;
    Rgb ink = color::kTextMid;
    const bool is_b =
        kCompareColumns[i].id == kSelfB || kCompareColumns[i].id == kTotalB || kCompareColumns[i].id == kCallsB;
    const flamelet_compare_figures& figures = path.side[is_b ? 1 : 0];
    if (kCompareColumns[i].id == kChange) {
      draw_value_bar(o, canvas, layout, i, fabs(share), y, mix(color::kCanvas, change_fill(share), 0.35f));
      add_change(o, change, &text);
      ink = color::kText;
    } else if (kCompareColumns[i].id == kPercent) {
      add_percent_change(paths, path, &text);
    } else if (!figures.is_there) {
      text.add('-');
    } else if (kCompareColumns[i].id == kCallsA || kCompareColumns[i].id == kCallsB) {
      text.add_fixed(figures.calls, paths.side(is_b ? 1 : 0).frame_count > 1 ? 1 : 0);
    } else {
      const bool total = kCompareColumns[i].id == kTotalA || kCompareColumns[i].id == kTotalB;
      text.add_time(static_cast<int64_t>(total ? figures.total : figures.self));
    }
    canvas.text_right(layout.edges[i], text_y, ink, text.view());
  }
}

void show_in_lanes(Overlay& o) {
  if (o.compare.selected == ComparedPaths::kNone) return;
  if (select_by_name(o, o.compare.paths.path(o.compare.selected).name)) zoom_to_selection(o);
  o.page.open("lanes");
}

void show_table(Overlay& o, ImVec2 at, float width, float height) {
  ComparedPaths& paths = o.compare.paths;
  const float row = table_row_height(o);
  const float header = table_header_height(o);
  const TableLayout layout = layout_table(o, kCompareColumns, kCompareColumnCount, at.x, width, kLeastComparedNamePx);
  constexpr uint32_t kSorted[] = {kSelfB, kTotalB, kCallsB};
  TableSort sort = {kSorted[static_cast<uint32_t>(paths.by())], true};
  if (show_table_header(o, layout, at, width, kPath, "call path", &sort)) {
    const CompareBy by = by_of(sort.column, paths.by());
    if (by != paths.by()) paths.sort_by(by);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  o.compare.rows_y = at.y + header;
  const uint32_t count = paths.rows().count;
  const uint32_t hovered =
      scrolling_rows(o, "##compared", width, height - header, count, "nothing was called",
                     [&](Canvas& canvas, uint32_t i, float y, bool hot) {
                       const uint32_t number = paths.rows()[i];
                       draw_row_background(canvas, at.x, width, y, row, number == o.compare.selected, hot, i % 2 != 0);
                       draw_compare_row(o, canvas, layout, number, y);
                     });
  if (hovered >= count) return;
  if (row_chosen(o)) o.compare.selected = paths.rows()[hovered];
  if (row_opened(o)) show_in_lanes(o);
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

float compare_bar_height(const Overlay& o) {
  return control_height(o) + scaled(o, 5);
}

void show_bar(Overlay& o, bool both_fit) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ComparedPaths& paths = o.compare.paths;
  ButtonLine bar(o);
  const bool is_b = paths.side(0).is_set && !paths.side(1).is_set;
  if (bar.button("##set", is_b ? "Set B" : "Set A", false, "the shown frames, or the measured time: B"))
    set_compared_side(o);
  if (bar.button("##clear", "Clear", false, "forget both")) clear_compared(o);
  if (!both_fit && bar.button("##flame", "Flame", o.compare.prefer_flame, "the flame graph or the table"))
    o.compare.prefer_flame = !o.compare.prefer_flame;
  if (o.compare.selected != ComparedPaths::kNone &&
      bar.button("##lanes", "Show in lanes", false, "the longest one there: double-click"))
    show_in_lanes(o);
  bar.gap();
  if (paths.left_out() != 0) bar.text(color::kFrameOver, "more paths than the memory holds");
  FixedText<160> a, b;
  add_side(paths, 0, &a);
  add_side(paths, 1, &b);
  bar.text(color::kTextMid, a.view());
  bar.text(color::kTextMid, b.view());
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + compare_bar_height(o)));
}

void show_comparison(Overlay& o, ImVec2 at, float width, float height, bool both) {
  const float gap = scaled(o, 4);
  if (both) {
    // As high as it was in the last frame needs.
    const float rows = o.compare.flame_rows != 0 ? static_cast<float>(o.compare.flame_rows + 1) : height;
    const float flame = static_cast<float>(static_cast<int>(std::min(height * 0.4f, rows * row_height(o))));
    show_compared_flame(o, at.x, at.y, width, flame);
    at.y += flame + gap;
    height -= flame + gap;
  } else if (o.compare.prefer_flame) {
    show_compared_flame(o, at.x, at.y, width, height);
    return;
  }
  const bool histogram =
      o.compare.selected != ComparedPaths::kNone && width > scaled(o, 560) && height > 7 * row_height(o);
  if (!histogram) o.compare.histogram_bins = 0;
  const float side = histogram ? static_cast<float>(static_cast<int>(width * 0.27f)) : 0;
  show_table(o, at, width - (histogram ? side + gap : 0), height);
  if (!histogram) return;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  draw_compared_histogram(o, canvas, at.x + width - side, at.y, side, height);
}

}  // namespace

void draw_compare_page(Overlay& o, float height) {
  update_spans(o);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float rest = height - compare_bar_height(o);
  const bool both = rest >= kLeastRowsForBoth * row_height(o);
  show_bar(o, both);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (rest >= table_row_height(o) * 3) {
    if (o.compare.paths.complete()) {
      show_comparison(o, at, width, rest, both);
    } else {
      Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
      const char* hint = o.compare.paths.reading() ? "reading"
                         : o.compare.paths.side(0).is_set
                             ? "Choose the frames of B, also of another capture, and press B."
                             : "Choose the frames of A, and press B.";
      canvas.text_center(at.x, at.x + width, at.y + row_height(o), color::kTextDim, hint);
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height));
}

bool draw_compare_details(Overlay& o, float x, float y, float right, float line_height) {
  const ComparedPaths& paths = o.compare.paths;
  if (!paths.complete() || o.compare.selected >= paths.path_count()) return false;
  const flamelet_compared_path path = paths.path(o.compare.selected);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  FixedText<512> text;
  add_path(paths, o.compare.selected, &text);
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

void write_compare_state(const Overlay& o, JsonObject* json) {
  const ComparedPaths& paths = o.compare.paths;
  json->add("compare_a", paths.side(0).is_set);
  json->add("compare_b", paths.side(1).is_set);
  json->add("compare_reading", paths.reading());
  json->add("compare_paths", paths.complete() ? paths.path_count() - 1 : 0);
  json->add("compare_flame_blocks", o.compare.flame_blocks);
  json->add("compare_histogram_bins", o.compare.histogram_bins);
  json->add_number("compare_rows_y_px", static_cast<double>(o.compare.rows_y));
  const bool selected = o.compare.selected != ComparedPaths::kNone;
  json->add("compare_selected", selected ? paths.path(o.compare.selected).name : "");
  json->add_number("compare_change", selected ? paths.change_of(paths.path(o.compare.selected)) : 0);
}

}  // namespace flamelet::ui
