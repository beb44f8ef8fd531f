// SPDX-License-Identifier: MIT
#include "pages/compare/compare_page.h"

#include <math.h>
#include <string.h>
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/calls_view.h"
#include "pages/pages.h"
#include "pages/path_tree.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

// The flame graph stands above the table; where there is no room for both, a button chooses one.

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
                                       column_of(CompareColumn::kCallsA, "calls A", "00,000.00", 6),
                                       column_of(CompareColumn::kCallsB, "calls B", "00,000.00", 7)};
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
    if (ratio >= 9) {  // ten times and more: ×12.3, ×1006
      text->add("\xC3\x97").add_fixed(std::min(ratio + 1, 999999.0), ratio < 99 ? 1 : 0);
      return;
    }
    if (ratio > 0) text->add('+');
    text->add_fixed(ratio * 100, 1).add('%');
  }
}

// The calls of one frame are whole, those of a mean frame and of a second are not.
int calls_decimals(const ComparedPaths& paths, uint32_t side) {
  return paths.per_frame() && paths.side(side).frame_count() == 1 ? 0 : 2;
}

// A frame may have a part of a call that began before it.
void add_calls(const ComparedPaths& paths, const flamelet_compare_figures& figures, uint32_t side, TextWriter* text) {
  if (!figures.is_there)
    text->add('-');
  else if (figures.calls == 0)
    text->add("began before");
  else
    text->add_fixed(figures.calls, calls_decimals(paths, side));
}

// The colour of a change, as a share of the largest one from -1 to 1.
Rgb change_fill(double share) {
  const float strength = static_cast<float>(sqrt(std::min(fabs(share), 1.0)));  // small ones are still seen
  return mix(color::kUnchanged, share < 0 ? color::kFaster : color::kSlower, strength);
}

// "+1.20 ms", or calls where these are compared.
void add_change(const ComparedPaths& paths, double change, TextWriter* text) {
  if (change > 0) text->add('+');
  if (paths.by() == CompareBy::kCalls)
    text->add_fixed(change, fabs(change) < 100 && change != floor(change) ? 1 : 0);
  else
    text->add_time(static_cast<int64_t>(change));
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
  draw_cells(canvas, layout, text_y, [&](uint32_t i, TextWriter& text, Rgb& ink) {
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
      if (figures.calls == 0)
        text.add("before");
      else
        add_calls(paths, figures, is_b ? 1 : 0, &text);
    } else {
      const bool total = column == CompareColumn::kTotalA || column == CompareColumn::kTotalB;
      text.add_time(static_cast<int64_t>(total ? figures.total : figures.self));
    }
  });
}

void show_in_lanes(PageContext& o, ComparePage& compare) {
  if (compare.selected == ComparedPaths::kNone) return;
  if (select_by_name(o, o, std::string_view(compare.paths.path(compare.selected).name))) zoom_to_selection(o, o);
  o.pages.open("lanes");
}

void show_table(PageContext& o, ComparePage& compare, ImVec2 at, float width, float height) {
  ComparedPaths& paths = compare.paths;
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
  const uint32_t hovered = scrolling_rows(
      o, "##compared", width, height - header, count,
      o.filter.active() ? "no scope here matches the filter" : "nothing was called",
      [&](Canvas& canvas, uint32_t i, float y) { draw_compare_row(o, compare, canvas, layout, paths.rows()[i], y); },
      [&](uint32_t i) { return paths.rows()[i] == compare.selected; }, no_row);
  if (hovered >= count) return;
  if (row_chosen(o)) compare.selected = paths.rows()[hovered];
  if (row_opened(o)) show_in_lanes(o, compare);
}

// "A  this run #120 - #130, mean 16.70 ms", "A  trace.json 2.40 s, no frames"; without the capture's title where both sides
// are of one.
void add_side(const ComparedPaths& paths, uint32_t number, TextWriter* text) {
  const ComparedSide& side = paths.side(number);
  text->add(number == 0 ? "A  " : "B  ");
  if (!side.is_set) {
    text->add("not set");
    return;
  }
  if (strcmp(side.title, paths.side(1 - number).title) != 0) text->add(side.title).add(' ');
  if (side.frames.valid) text->add('#').add_grouped(side.frames.first);
  const uint64_t frames = side.frame_count();
  if (frames > 1) text->add(" - #").add_grouped(side.frames.last).add(", mean");
  if (frames == 0 && !side.lacks_frames) text->add("measured");
  text->add(' ').add_time(frames != 0 ? mean_of(side.frames_ns, frames) : side.duration_ns);
  if (side.lacks_frames) text->add(", no frames");
}

void show_bar(PageContext& o, ComparePage& compare, bool both_fit) {
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
  const uint64_t no_room = paths.side(0).left_out + paths.side(1).left_out;
  if (no_room != 0)
    no_room_text(bar, no_room);
  else if (paths.left_out() != 0)
    bar.text(color::kFrameOver, "more paths than the memory holds");
  FixedText<160> a, b;
  add_side(paths, 0, &a);
  add_side(paths, 1, &b);
  if (paths.complete()) bar.text(color::kText, paths.per_frame() ? "per frame" : "per second");
  bar.text(color::kTextMid, a.view());
  bar.text(color::kTextMid, b.view());
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + bar_height(o)));
}

// "Solve +1.20 ms", as far as there is room. Returns the characters drawn.
uint32_t draw_label(Frame& frame, const ComparedPaths& paths, Canvas& canvas, std::string_view name, double change,
                    float x0, float x1, float y, Rgb ink) {
  const float pad = scaled(frame, 4);
  if (x1 - x0 < pad * 2 + frame.metrics.size) return 0;
  SeenText seen;
  name = seen_text(name, &seen);
  const TextFit fit = fit_text(frame.metrics, name, x1 - x0 - 2 * pad);
  canvas.draw_fit(x0 + pad, y, ink, name, fit);
  if (fit.elided) return fit.bytes;
  FixedText<32> text;
  text.add(paths.by() == CompareBy::kSelf ? "self " : paths.by() == CompareBy::kCalls ? "calls " : "");
  add_change(paths, change, &text);
  const float x = x0 + pad + fit.width + 2 * frame.metrics.of(' ');
  if (x + canvas.width(text.view()) > x1 - pad) return fit.bytes;
  canvas.text(x, y, ink, text.view());
  return fit.bytes + static_cast<uint32_t>(text.view().size());
}

double share_of(const ComparedPaths& paths, const flamelet_compared_path& path) {
  return paths.most_change() > 0 ? paths.change_of(path) / paths.most_change() : 0;
}

Rgb block_fill(const ComparedPaths& paths, const FlameBlock& block, const flamelet_compared_path& path,
               std::string_view filter) {
  if (block.merged()) {
    const uint32_t end = block.first + std::min(block.paths, kMostExaminedPaths);
    for (uint32_t i = block.first; i < end && !filter.empty(); ++i)
      if (matches(paths.nodes()[i].text, filter)) return color::kMergedMatch;
    return filter.empty() ? color::kMerged : color::kDimmed;
  }
  return matches(path.name, filter) ? change_fill(share_of(paths, path)) : color::kDimmed;
}

void draw_blocks(Frame& frame, const ComparePage& compare, const Array<FlameBlock>& blocks, Canvas& canvas, float x,
                 float y, float bottom, uint32_t hovered, std::string_view filter) {
  const ComparedPaths& paths = compare.paths;
  const float row = row_height(frame);
  uint32_t characters = 0;
  for (uint32_t i = 0; i < blocks.count; ++i) {
    const FlameBlock& block = blocks[i];
    const float top = y + static_cast<float>(block.depth) * row;
    if (top >= bottom) continue;
    const float x0 = x + whole(block.x0);
    const float x1 = std::max(x + whole(block.x1) - 1, x0 + 1);
    const uint32_t number = paths.nodes()[block.first].id;
    const flamelet_compared_path path = paths.path(number);
    const Rgb fill = block_fill(paths, block, path, filter);
    if (block.merged()) {
      canvas.rect(x0, top + scaled(frame, 2), x1, top + row - 1 - scaled(frame, 2), fill);
      continue;
    }
    canvas.rect(x0, top, x1, top + row - 1, fill);
    const Rgb ink = fill == Rgb{color::kDimmed} ? Rgb{color::kDimmedText} : ink_on(fill);
    if (characters < kMostCharacters)
      characters +=
          draw_label(frame, paths, canvas, path.name, paths.change_of(path), x0, x1, top + scaled(frame, 1), ink);
    if (number == compare.selected)
      canvas.outline(x0, top, x1, top + row - 1, color::kSelect, std::max(2.0f, scaled(frame, 2)));
    else if (i == hovered)
      canvas.outline(x0, top, x1, top + row - 1, color::kHover);
  }
}

void show_tooltip(Frame& frame, const ComparedPaths& paths, const flamelet_compared_path& path) {
  const float column = text_width(frame.metrics, "total") + scaled(frame, 18);
  name_line(frame, path.name, change_fill(share_of(paths, path)));
  FixedText<96> text;
  const auto row = [&](const char* label, double a, double b) {
    tooltip_row(label, text.add_time(static_cast<int64_t>(a)).add(" -> ").add_time(static_cast<int64_t>(b)), column);
  };
  row("self", path.side[0].self, path.side[1].self);
  row("total", path.side[0].total, path.side[1].total);
  add_calls(paths, path.side[0], 0, &text);
  add_calls(paths, path.side[1], 1, &text.add(" -> "));
  tooltip_row("calls", text, column);
  if (!path.side[0].is_there) tooltip_row("", "new in B", column);
}

// The differential flame graph in this rectangle, as wide as B's paths. A click selects.
void show_compared_flame(PageContext& o, ComparePage& compare, float x, float y, float width, float height) {
  const ComparedPaths& paths = compare.paths;
  CallsView& calls = calls_of(o);
  Array<FlameBlock>& blocks = calls.blocks;
  float limit_px = kMergeLimitPx * o.unit;
  FlameLayout layout;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt, limit_px *= 2) {
    layout = layout_flame(paths.nodes(), paths.total(), UINT32_MAX, width, limit_px, &calls.edges, &blocks);
    if (layout.complete) break;
  }
  o.notes.note_count("compare_flame_blocks", blocks.count);
  compare.flame_rows = layout.rows;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  begin_bare_child(o, "##compared_flame", ImVec2(width, height));
  const float row = row_height(o);
  const ImVec2 content = ImGui::GetCursorScreenPos();
  const float inner = std::max(width - ImGui::GetStyle().ScrollbarSize, 1.0f);
  ImGui::InvisibleButton("##all", ImVec2(inner, std::max(row * static_cast<float>(layout.rows), height)));
  const bool inside = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  uint32_t hovered = blocks.count;
  for (uint32_t i = 0; inside && i < blocks.count; ++i) {
    const float top = content.y + static_cast<float>(blocks[i].depth) * row;
    const bool here = mouse.y >= top && mouse.y < top + row && mouse.x >= content.x + blocks[i].x0 &&
                      mouse.x < content.x + std::max(blocks[i].x1, blocks[i].x0 + 1);
    if (here && !blocks[i].merged()) hovered = i;
  }
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  draw_blocks(o, compare, blocks, canvas, content.x, content.y, y + height, hovered, o.filter.text);
  if (blocks.empty()) canvas.text_center(x, x + width, y + row, color::kTextDim, "no calls in B that took time");
  ImGui::EndChild();
  if (hovered == blocks.count) return;
  const uint32_t number = paths.nodes()[blocks[hovered].first].id;
  if (ImGui::IsMouseClicked(0)) compare.selected = number;
  if (!begin_tooltip(o)) return;
  show_tooltip(o, paths, paths.path(number));
  ImGui::EndTooltip();
}

// How long the selected scope's calls took on both sides.
void draw_compared_histogram(Frame& frame, const ComparePage& compare, Canvas& canvas, float x, float y, float width,
                             float height) {
  canvas.rect(x, y, x + width, y + height, color::kPanel);
  const float pad = scaled(frame, 8);
  const float line = frame.metrics.size + scaled(frame, 3);
  const flamelet_compared_path path = compare.paths.path(compare.selected);
  canvas.text_fit(x + pad, y + scaled(frame, 3), width - 2 * pad, color::kText, path.name);
  float legend = x + pad;
  legend += canvas.text(legend, y + scaled(frame, 3) + line, color::kFaster, "A outline") + 2 * frame.metrics.of(' ');
  legend += canvas.text(legend, y + scaled(frame, 3) + line, color::kSlower, "B filled") + 2 * frame.metrics.of(' ');
  canvas.text_fit(legend, y + scaled(frame, 3) + line, x + width - pad - legend, color::kTextDim, "% of calls");
  const ScopeHistogram* histogram = compare.paths.histograms().find(path.name);
  const float top = y + 2 * line + scaled(frame, 10);
  const float bottom = y + height - line - scaled(frame, 4);
  if (histogram == nullptr || bottom - top < scaled(frame, 16)) return;
  uint32_t first = ScopeHistogram::kBins, last = 0;
  double sums[2] = {0, 0}, most = 0;
  for (uint32_t side = 0; side < 2; ++side)
    for (uint32_t bin = 0; bin < ScopeHistogram::kBins; ++bin) {
      if (histogram->calls[side][bin] == 0) continue;
      first = std::min(first, bin);
      last = std::max(last, bin);
      sums[side] += histogram->calls[side][bin];
    }
  if (first > last) return;
  frame.notes.note_count("compare_histogram_bins", last - first + 1);
  const auto share = [&](uint32_t side, uint32_t bin) {
    return sums[side] > 0 ? histogram->calls[side][bin] / sums[side] : 0;
  };
  for (uint32_t bin = first; bin <= last; ++bin) most = std::max({most, share(0, bin), share(1, bin)});
  const float left = x + pad;
  const float step = (width - 2 * pad) / static_cast<float>(last - first + 1);
  const auto bar_top = [&](uint32_t side, uint32_t bin) {
    const double part = share(side, bin) / most;
    return bottom - whole(part * static_cast<double>(bottom - top));
  };
  for (uint32_t bin = first; bin <= last; ++bin) {
    const float x0 = left + step * static_cast<float>(bin - first);
    const float x1 = std::max(x0 + step - 1, x0 + 1);
    if (share(1, bin) > 0) canvas.rect(x0, std::min(bar_top(1, bin), bottom - 1), x1, bottom, color::kSlower);
    if (share(0, bin) > 0)
      canvas.outline(x0, std::min(bar_top(0, bin), bottom - scaled(frame, 2)), x1, bottom, color::kFaster,
                     scaled(frame, 2));
  }
  FixedText<32> least, longest;
  least.add_time(bin_begin_ns(first));
  longest.add_time(bin_begin_ns(std::min(last + 1, ScopeHistogram::kBins - 1)));
  canvas.text(left, bottom + scaled(frame, 2), color::kTextDim, least.view());
  canvas.text_right(x + width - pad, bottom + scaled(frame, 2), color::kTextDim, longest.view());
}

void show_comparison(PageContext& o, ComparePage& compare, ImVec2 at, float width, float height, bool both) {
  const float gap = scaled(o, 4);
  if (both) {
    // As high as it was in the last frame needs.
    const float rows = compare.flame_rows != 0 ? static_cast<float>(compare.flame_rows + 1) : height;
    const float flame = whole(std::min(height * 0.4f, rows * row_height(o)));
    show_compared_flame(o, compare, at.x, at.y, width, flame);
    at.y += flame + gap;
    height -= flame + gap;
  } else if (compare.prefer_flame) {
    show_compared_flame(o, compare, at.x, at.y, width, height);
    return;
  }
  const bool histogram =
      compare.selected != ComparedPaths::kNone && width > scaled(o, 560) && height > 7 * row_height(o);
  const float side = histogram ? whole(width * 0.27f) : 0;
  show_table(o, compare, at, width - (histogram ? side + gap : 0), height);
  if (!histogram) return;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  draw_compared_histogram(o, compare, canvas, at.x + width - side, at.y, side, height);
}

}  // namespace

void ComparePage::draw(PageContext& o, float height) {
  paths.filter_by(o.filter.text);
  const float width = ImGui::GetContentRegionAvail().x;
  const float rest = height - bar_height(o);
  const bool both = rest >= kLeastRowsForBoth * row_height(o);
  show_bar(o, *this, both);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!paths.complete()) {
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    const char* long_hint =
        paths.reading()   ? "reading"
        : lacks_frames(o) ? "There are no frames: B takes all, or the measured time."
        : paths.side(0).is_set
            ? "Choose the frames of B, also of another capture (a click or drag over the bars), and press B."
            : "Choose the frames of A (a click or drag over the bars, or the arrow keys), and press B.";
    const char* hint = canvas.width(long_hint) <= width ? long_hint
                       : paths.side(0).is_set           ? "Choose the frames of B, and press B."
                                                        : "Choose the frames of A, and press B.";
    if (rest >= o.metrics.size)
      canvas.text_center(at.x, at.x + width, at.y + std::min(row_height(o), rest - o.metrics.size), color::kTextDim,
                         hint);
  } else if (rest >= row_height(o) * 3) {
    show_comparison(o, *this, at, width, rest, both);
  }
}

bool ComparePage::draw_details(PageContext& o, float x, float y, float right, float line_height) {
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
  add_calls(paths, path.side[0], 0, &calls_a);
  add_calls(paths, path.side[1], 1, &calls_b);
  line.add("calls A", calls_a.view());
  line.add("B", calls_b.view());
  add_percent_change(paths, path, &percent);
  line.add("change", percent.view());
  return true;
}

void ComparePage::write_state(const PageContext&, JsonObject* json) const {
  json->add("compare_a", paths.side(0).is_set);
  json->add("compare_b", paths.side(1).is_set);
  json->add("compare_reading", paths.reading());
  json->add("compare_per", !paths.complete() ? "" : paths.per_frame() ? "frame" : "second");
  json->add("compare_paths", paths.complete() ? paths.path_count() - 1 : 0);
  const bool any = selected != ComparedPaths::kNone;
  json->add("compare_selected", any ? paths.path(selected).name : "");
  json->add_number("compare_change", any ? paths.change_of(paths.path(selected)) : 0);
}

void set_compared_side(PageContext& o) {
  ComparePage& compare = o.pages.get<ComparePage>();
  CallsView& calls = calls_of(o);
  ComparedPaths& paths = compare.paths;
  if (paths.reading()) return;
  const bool measured = o.selection.measures();
  const TimeWindow range = measured ? o.selection.measured : o.timeline.shown_window();
  const FrameRange frames = measured ? FrameRange() : o.timeline.shown();
  if (!measured && !frames.valid && !lacks_frames(o)) return;
  const bool is_b = paths.side(0).is_set && !paths.side(1).is_set;
  if (!is_b) compare.selected = ComparedPaths::kNone;
  o.timeline.set_paused(true);  // so that what is read stays
  calls.forget_paths();
  paths.set_next(o.capture, range, frames, o.standing ? std::string_view(o.title) : "this run", &calls.range);
  if (is_b) {
    o.status.take_back(Speaker::kCompare);
    o.pages.open("compare");
    return;
  }
  TextWriter notice = o.status.say(Speaker::kCompare);
  notice.add("A: ");
  // It stays in the other tab, or when the live game is back.
  const std::string_view title(o.title);
  if (o.standing) notice.add(title.substr(title.find_last_of("/\\") + 1)).add(", ");
  if (!frames.valid)
    notice.add(measured ? "the measured " : "all ").add_time(range.end_ns - range.begin_ns);
  else
    notice.add(frames.first == frames.last ? "frame #" : "frames #").add_grouped(frames.first);
  if (frames.valid && frames.first != frames.last) notice.add(" - #").add_grouped(frames.last);
  notice.add(". Press B on others, also of another capture, to compare.");
}

void ComparePage::update(PageContext& o) {
  if (!paths.reading()) return;
  const CaptureTime time(o.numbers);
  paths.step(Refresh::kZonesPerFrame, &o.statistics.scratch());
}

}  // namespace flamelet::ui
