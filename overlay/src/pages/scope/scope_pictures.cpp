// SPDX-License-Identifier: MIT
//
// The pictures of the page Scope: how long its calls took, and how long it took in each frame.
#include <algorithm>

#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/scope/scope_page.h"

namespace flamelet::ui {

namespace {

constexpr float kPictureBarPx = 6;

// The rectangle inside of a picture's frame, and the lines of text above and below it.
struct Plot {
  float x0, x1, top, bottom;
  float title_y, axis_y;
  float names_y = 0;  // of the marks, above the bars; 0: there is no room for names
};

Plot make_plot(const Frame& frame, PictureRect at) {
  const float pad = scaled(frame, 6), line = frame.metrics.size + scaled(frame, 3);
  return {at.x + pad,
          at.x + at.width - pad,
          at.y + line + scaled(frame, 3),
          at.y + at.height - line,
          at.y + scaled(frame, 2),
          at.y + at.height - line + scaled(frame, 1)};
}

Plot make_histogram_plot(const Frame& frame, PictureRect at) {
  Plot plot = make_plot(frame, at);
  const float line = frame.metrics.size + scaled(frame, 3);
  if (plot.bottom - plot.top < 2 * line) return plot;
  plot.names_y = plot.top;
  plot.top += line;
  return plot;
}

float whole(double value) {
  return static_cast<float>(static_cast<int>(value));
}

// The scope's own colour, unless that is too faint on the canvas, as that of waiting scopes is.
Rgb picture_fill(Overlay& o) {
  constexpr float kLeastGraphicContrast = 3;  // WCAG 2.1, success criterion 1.4.11
  const Rgb fill = o.styles.of(o.selection.scope.key).fill;
  return contrast(fill, color::kCanvas) >= kLeastGraphicContrast ? fill : Rgb{color::kTextDim};
}

float x_of(const Plot& plot, const DurationAxis& axis, int64_t ns) {
  return whole(static_cast<double>(plot.x0) + axis.share_of(ns) * static_cast<double>(plot.x1 - plot.x0));
}

// A line down the bars. Its name stands above them, where no bar and no other line crosses it, unless a name stands there
// already.
void draw_marker(Frame& frame, Canvas& canvas, const Plot& plot, float x, const char* label, Rgb ink,
                 float* free_from) {
  canvas.rect(x, plot.top, x + 1, plot.bottom, ink, 200);
  const float width = canvas.width(label);
  const float at = x + scaled(frame, 3);
  if (plot.names_y == 0 || at < *free_from || at + width > plot.x1) return;
  canvas.text(at, plot.names_y, ink, label);
  *free_from = at + width + scaled(frame, 4);
}

// A drag chooses a range of durations, a click the bar under it.
void handle_histogram_mouse(ScopePage& v, const Plot& plot, bool hovered) {
  const float mouse = ImGui::GetIO().MousePos.x;
  const double share = static_cast<double>((mouse - plot.x0) / std::max(plot.x1 - plot.x0, 1.0f));
  const DurationAxis& axis = v.summary.axis();
  if (hovered && ImGui::IsMouseClicked(0)) {
    v.dragging = true;
    v.drag_from = share;
  }
  if (!v.dragging) return;
  const double bars = v.summary.bar_count();
  const auto bar_of = [&](double at) { return whole(std::min(std::max(at, 0.0) * bars, bars - 1)); };
  const double first = static_cast<double>(bar_of(std::min(v.drag_from, share)));
  const double last = static_cast<double>(bar_of(std::max(v.drag_from, share)));
  v.chosen.least_ns = axis.at(first / bars);
  v.chosen.most_ns = axis.at((last + 1) / bars);
  // Where two bars meet, the time belongs to the upper one.
  if (last + 1 < bars) v.chosen.most_ns = std::max(v.chosen.most_ns - 1, v.chosen.least_ns);
  if (!ImGui::IsMouseDown(0)) v.dragging = false;
}

void show_histogram_tooltip(Frame& frame, ScopePage& v, uint32_t bar) {
  if (!begin_tooltip(frame)) return;
  const ScopeSummary& summary = v.summary;
  const double bars = summary.bar_count();
  FixedText<96> text;
  text.add_grouped(summary.bar(bar)).add(summary.bar(bar) == 1 ? " call of " : " calls of ");
  text.add_time(summary.axis().at(bar / bars)).add(" - ").add_time(summary.axis().at((bar + 1) / bars));
  ImGui::TextUnformatted(text.c_str());
  ImGui::EndTooltip();
}

void draw_histogram(Overlay& o, ScopePage& v, Canvas& canvas, const Plot& plot, uint32_t hovered_bar) {
  const ScopeSummary& summary = v.summary;
  const DurationAxis& axis = summary.axis();
  const double bars = summary.bar_count();
  const float height = plot.bottom - plot.top;
  const Rgb fill = picture_fill(o);
  if (v.chosen.any()) {
    const float x0 = x_of(plot, axis, v.chosen.least_ns), x1 = x_of(plot, axis, v.chosen.most_ns);
    canvas.rect(x0, plot.top, std::max(x1, x0 + 2), plot.bottom, color::kControlOn, 120);
    canvas.rect(x0, plot.bottom, std::max(x1, x0 + 2), plot.bottom + scaled(o, 2), color::kSelect);
  }
  for (uint32_t i = 0; i < summary.bar_count(); ++i) {
    if (summary.bar(i) == 0) continue;
    const float x0 = whole(static_cast<double>(plot.x0) + i / bars * static_cast<double>(plot.x1 - plot.x0));
    const float x1 = whole(static_cast<double>(plot.x0) + (i + 1) / bars * static_cast<double>(plot.x1 - plot.x0));
    // A single call is seen, too.
    const float bar = std::max(whole(static_cast<double>(height) * summary.bar(i) / summary.most_in_a_bar()), 2.0f);
    canvas.rect(x0, plot.bottom - bar, std::max(x1 - 1, x0 + 1), plot.bottom,
                i == hovered_bar ? mix(fill, color::kSelect, 0.45f) : fill);
  }
}

void draw_histogram_marks(Overlay& o, ScopePage& v, Canvas& canvas, const Plot& plot) {
  const ScopeFigures& figures = v.summary.figures();
  const DurationAxis& axis = v.summary.axis();
  float free_from = plot.x0;
  draw_marker(o, canvas, plot, x_of(plot, axis, figures.median_ns), "median", color::kTextMid, &free_from);
  draw_marker(o, canvas, plot, x_of(plot, axis, figures.p95_ns), "p95", color::kTextMid, &free_from);
  draw_marker(o, canvas, plot, x_of(plot, axis, figures.p99_ns), "p99", color::kTextMid, &free_from);
  // The selected call: a triangle that points at its time.
  const SelectedSpan& selected = o.selection.span;
  if (selected.valid) {
    const float x = x_of(plot, axis, selected.span.end_ns - selected.span.begin_ns), size = scaled(o, 5);
    canvas.triangle(x - size, plot.bottom, x + size, plot.bottom, x, plot.bottom - 2 * size, color::kSelect);
  }
  FixedText<32> least, middle, most;
  least.add_time(axis.at(0));
  most.add_time(axis.at(1));
  canvas.text(plot.x0, plot.axis_y, color::kTextDim, least.view());
  canvas.text_right(plot.x1, plot.axis_y, color::kTextDim, most.view());
  middle.add_time(axis.at(0.5));
  if (plot.x1 - plot.x0 > canvas.width("000.00 ms") * 4)
    canvas.text_center(plot.x0, plot.x1, plot.axis_y, color::kTextDim, middle.view());
}

// ---- Frame by frame -------------------------------------------------------------------------------------------------

bool has_mark(const ScopePage& v, uint32_t sum) {
  return v.shown_marks != 0 && v.sums.newest_mark(sum) >= v.shown_marks;
}

void update_graph(Overlay& o, ScopePage& v, const Plot& plot) {
  flamelet_frame_info oldest;
  if (!flamelet_capture_frame(o.capture, 0, &oldest)) return;
  const float bar_px = std::max(1.0f, scaled(o, o.settings.bar_px));
  const uint32_t most = frames_that_fit(whole(static_cast<double>(plot.x1 - plot.x0)), bar_px, 1);
  v.sums.update(v.frames, oldest.index, std::max(most, 1u));
}

void layout_graph(Overlay& o, ScopePage& v, const Plot& plot) {
  FrameBarsInput input;
  input.width_px = whole(static_cast<double>(plot.x1 - plot.x0));
  input.height_px = std::max(plot.bottom - plot.top, 1.0f);
  input.bar_px = std::max(1.0f, scaled(o, o.settings.bar_px));
  const int64_t budget_ns = selected_budget_ns(o);
  input.budget_ns = budget_ns;
  input.range_ns = std::max(v.sums.longest_ns(), budget_ns + budget_ns / 5);
  layout_frame_bars(input, v.sums.bars(), &v.graph_bars);
}

// What a bar is about: where there was no room for all, the oldest have none.
uint32_t sum_of_bar(const ScopePage& v, uint32_t bar) {
  return v.sums.bars().count - v.graph_bars.count + bar;
}
const FrameSum& sum_of(const ScopePage& v, uint32_t bar) {
  return v.sums.bars()[sum_of_bar(v, bar)];
}

void draw_graph(Overlay& o, ScopePage& v, Canvas& canvas, const Plot& plot, uint32_t hovered) {
  const FrameRange shown = o.timeline.shown();
  const Rgb own = picture_fill(o);
  for (uint32_t i = 0; i < v.graph_bars.count; ++i) {
    const Bar& bar = v.graph_bars[i];
    const FrameSum& sum = sum_of(v, i);
    const bool lit = i == hovered || (sum.longest >= shown.first && sum.longest <= shown.last && shown.valid);
    const Rgb fill = bar.verdict == FrameVerdict::kGood ? own : Rgb{color::kFrameOver};
    if (sum.longest_ns > 0)
      canvas.rect(plot.x0 + bar.x0, plot.bottom - bar.height, plot.x0 + bar.x1, plot.bottom,
                  lit ? mix(fill, color::kSelect, 0.55f) : fill);
    if (lit) canvas.rect(plot.x0 + bar.x0, plot.bottom, plot.x0 + bar.x1, plot.bottom + scaled(o, 2), color::kSelect);
    // A call in the chosen range: a tick at the top.
    if (has_mark(v, sum_of_bar(v, i))) {
      canvas.rect(plot.x0 + bar.x0, plot.top, plot.x0 + bar.x1, plot.top + scaled(o, 3), color::kAccent);
      canvas.rect(plot.x0 + bar.x0, plot.top, plot.x0 + bar.x0 + 1, plot.bottom, color::kAccent, 110);
    }
  }
}

// What is over the budget also reaches over this line.
void draw_budget(Overlay& o, ScopePage& v, Canvas& canvas, const Plot& plot) {
  const int64_t budget_ns = selected_budget_ns(o);
  if (budget_ns == 0) return;
  const int64_t range_ns = std::max(v.sums.longest_ns(), budget_ns + budget_ns / 5);
  const double share = static_cast<double>(budget_ns) / static_cast<double>(range_ns);
  const float y = plot.bottom - whole(share * static_cast<double>(plot.bottom - plot.top));
  canvas.rect(plot.x0, y, plot.x1, y + 1, color::kBudget);
}

void show_graph_tooltip(Overlay& o, ScopePage& v, const FrameSum& sum) {
  if (!begin_tooltip(o)) return;
  const ScopeFrame* frame = v.frames.find(sum.longest);
  const float column = text_width(o.metrics, "longest of  ") + scaled(o, 8);
  FixedText<64> text;
  tooltip_row("frame", text.add('#').add_grouped(sum.longest).view(), column);
  text.clear();
  tooltip_row("time", text.add_time(sum.longest_ns).view(), column);
  text.clear();
  if (frame != nullptr) tooltip_row("calls", text.add_grouped(frame->calls).view(), column);
  text.clear();
  if (sum.count > 1) tooltip_row("longest of", text.add_unsigned(sum.count).add(" frames").view(), column);
  ImGui::EndTooltip();
}

}  // namespace

void show_scope_histogram(Overlay& o, ScopePage& v, PictureRect at) {
  o.notes.note_place("scope_histogram", at.x, at.y, at.width, at.height);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y, at.x + at.width, at.y + at.height, color::kCanvas);
  const Plot plot = make_histogram_plot(o, at);
  canvas.text_fit(plot.x0, plot.title_y, plot.x1 - plot.x0, color::kTextDim, "how long its calls took");
  if (plot.bottom - plot.top < 8 || plot.x1 - plot.x0 < 8) return;
  v.bars_fit =
      std::min(static_cast<uint32_t>((plot.x1 - plot.x0) / scaled(o, kPictureBarPx)) + 1, ScopeSummary::kMostBars);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y));
  ImGui::InvisibleButton("##histogram", ImVec2(at.width, at.height));
  const bool hovered = ImGui::IsItemHovered();
  if (v.summary.figures().count == 0) {
    canvas.text_center(at.x, at.x + at.width, (plot.top + plot.bottom - o.metrics.size) * 0.5f, color::kTextDim,
                       v.instances.reading() || v.summary.busy() ? "reading" : "no calls here");
    return;
  }
  handle_histogram_mouse(v, plot, hovered);
  const double bars = v.summary.bar_count();
  const double share = static_cast<double>((ImGui::GetIO().MousePos.x - plot.x0) / (plot.x1 - plot.x0));
  const uint32_t hovered_bar = hovered && share >= 0 && share < 1 ? static_cast<uint32_t>(share * bars) : UINT32_MAX;
  draw_histogram(o, v, canvas, plot, hovered_bar);
  draw_histogram_marks(o, v, canvas, plot);
  if (hovered_bar < v.summary.bar_count()) show_histogram_tooltip(o, v, hovered_bar);
}

void show_scope_graph(Overlay& o, ScopePage& v, PictureRect at) {
  o.notes.note_place("scope_graph", at.x, at.y, at.width, at.height);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y, at.x + at.width, at.y + at.height, color::kCanvas);
  const Plot plot = make_plot(o, at);
  update_graph(o, v, plot);
  FixedText<64> most;
  most.add("top: ").add_time(v.sums.longest_ns());
  const float room = plot.x1 - plot.x0 - canvas.width(most.view()) - scaled(o, 8);
  const std::string_view title = v.frames.reading() ? "its time in each frame, reading" : "its time in each frame";
  canvas.text_fit(plot.x0, plot.title_y, room, color::kTextDim, canvas.width(title) <= room ? title : "by frame");
  if (room > 0) canvas.text_right(plot.x1, plot.title_y, color::kTextDim, most.view());
  if (plot.bottom - plot.top < 8 || plot.x1 - plot.x0 < 8) return;
  layout_graph(o, v, plot);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y));
  ImGui::InvisibleButton("##graph", ImVec2(at.width, at.height));
  const uint32_t hovered =
      ImGui::IsItemHovered() ? find_bar(v.graph_bars, ImGui::GetIO().MousePos.x - plot.x0) : v.graph_bars.count;
  draw_graph(o, v, canvas, plot, hovered);
  draw_budget(o, v, canvas, plot);
  if (v.graph_bars.empty()) return;
  FixedText<32> first, last;
  first.add('#').add_grouped(sum_of(v, 0).first);
  last.add('#').add_grouped(v.sums.bars()[v.sums.bars().count - 1].last);
  canvas.text_right(plot.x1, plot.axis_y, color::kTextDim, last.view());
  if (plot.x1 - plot.x0 > canvas.width(first.view()) * 3)
    canvas.text(plot.x0 + v.graph_bars[0].x0, plot.axis_y, color::kTextDim, first.view());
  if (hovered >= v.graph_bars.count) return;
  const FrameSum& sum = sum_of(v, hovered);
  show_graph_tooltip(o, v, sum);
  const uint64_t index = sum.longest;
  if (ImGui::IsMouseClicked(0)) show_frames(o, index, index);
}

}  // namespace flamelet::ui
