// SPDX-License-Identifier: MIT
#include "pages/scope/scope_page.h"

#include <algorithm>

#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/lanes_page.h"
#include "lanes/thread_states.h"
#include "pages/pages.h"
#include "pages/table/table_page.h"

namespace flamelet::ui {

// A line of choices and a line of figures; below them the histogram, the time frame by frame, and the groups.

namespace {

constexpr float kLeastNamePx = 90;
constexpr float kLeastPicturePx = 40;
constexpr float kLeastRowsForColumns = 9;  // in a lower page the two pictures stand beside each other
constexpr float kWideEnoughPx = 520;       // for the groups beside the pictures

enum Column : uint32_t { kTotal, kCount, kMean, kLongest };
constexpr TableColumn kColumns[] = {{kCount, "calls", "000,000", 1},
                                    {kTotal, "total", "000.00 ms", 0},
                                    {kMean, "mean", "000.00 ms", 3},
                                    {kLongest, "max", "000.00 ms", 2}};
constexpr uint32_t kColumnCount = sizeof kColumns / sizeof kColumns[0];

struct GroupKind {
  const char* button;
  const char* of_one;  // in the table's header
  const char* tooltip;
  const char* empty;
};
// In the order of GroupBy.
constexpr GroupKind kGroupKinds[kGroupByCount] = {
    {"callers", "called by", "the scopes that called it", "no calls"},
    {"callees", "calls", "the scopes that it called", "it called nothing"},
    {"objects", "object", "its calls by the objects that they named", "no calls"},
    {"threads", "thread", "its calls by thread or GPU queue", "no calls"},
};

std::string_view calls_object_name(const Content& content, uint32_t object) {
  return object == 0 ? "(no object)" : view_of(flamelet_capture_string(content.capture, object));
}

std::string_view calls_lane_name(const Content& content, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(content.capture, lane, &info) ? view_of(info.name) : "(gone)";
}

// What the figures are about.
void add_range(const Content& content, const Choice& choice, const ScopePage& v, TextWriter* text) {
  const FrameRange frames = v.figured.valid ? v.figured : content.timeline.shown();
  const bool is_all = v.instances.complete() || v.instances.reading();
  if (!is_all) text->add("the newest ");
  if (choice.settings.scope_history) {
    text->add(is_all ? "in all that is kept" : "of all that is kept");
  } else if (choice.selection.measures()) {
    text->add("in the measured time");
  } else if (frames.valid) {
    text->add(frames.first == frames.last ? "in frame #" : "in frames #").add_grouped(frames.first);
    if (frames.first != frames.last) text->add(" - #").add_grouped(frames.last);
  } else {
    text->add(content.standing ? "in the capture" : "in the newest time");
  }
  if (v.instances.reading()) text->add(", reading");
}

// "of Shadow map", "on Worker 1": the chosen calls.
void add_calls_name(const Content& content, const ScopePage& v, TextWriter* text) {
  const CallChoice calls = v.calls;
  if (calls.of == CallChoice::Of::kObject)
    text->add(calls.id != 0 ? "of " : "without an object")
        .add(calls.id != 0 ? calls_object_name(content, calls.id) : "");
  if (calls.of == CallChoice::Of::kThread) text->add("on ").add(calls_lane_name(content, calls.id));
}

void show_calls(PageContext& o, ScopePage& v, ButtonLine& bar) {
  if (v.calls.all()) return;
  const bool object = v.calls.of == CallChoice::Of::kObject;
  bar.gap();
  if (bar.button("##all_calls", object ? "all objects" : "all threads", false,
                 "the calls of all of them again: Esc, or a click on the chosen row"))
    choose_calls(o, CallChoice());
}

void show_chosen(PageContext& o, ScopePage& v, ButtonLine& bar) {
  if (!v.chosen.any()) return;
  bar.gap();
  if (bar.button("##previous", "<", false, "the call before in the chosen range: ,")) step_chosen_call(o, -1);
  if (bar.button("##next", ">", false, "the next call in the chosen range: .")) step_chosen_call(o, 1);
  if (bar.button("##clear", "clear", false, "forget the range")) v.chosen = DurationRange();
}

void tell_chosen(const ScopePage& v, ButtonLine& bar) {
  if (!v.chosen.any()) return;
  bar.gap();
  FixedText<128> text;
  text.add_grouped(v.summary.chosen_count()).add(v.summary.chosen_count() == 1 ? " call of " : " calls of ");
  text.add_time(v.summary.chosen().least_ns).add(" - ").add_time(v.summary.chosen().most_ns);
  text.add(" in ").add_unsigned(v.marked_frames).add(v.marked_frames == 1 ? " frame" : " frames");
  bar.text(color::kAccent, text.view());
}

// Pinning, and the budget.
void show_watch(Content& content, Choice& choice, ScopePage& v, ButtonLine& bar) {
  if (!choice.selection.scope.valid) return;
  const std::string_view name = content.styles.of(choice.selection.scope.key).name;
  const bool on_gpu = choice.selection.scope.on_gpu;
  const bool pinned = choice.watched.is_pinned(name, on_gpu);
  bar.gap();
  if (!WatchedScopes::can_watch(name)) {
    bar.text(color::kTextDim,
             content.has_game() ? "its name is too long for a pin or a budget" : "its name is too long for a budget");
    return;
  }
  const bool room = pinned || choice.watched.pin_count() < WatchedScopes::kMostPins;
  if (content.has_game() &&
      bar.button("##pin", pinned ? "pinned" : "pin", pinned,
                 room ? "a row of its own in the HUD: X" : "the HUD has no room for a ninth scope"))
    pin_selected_scope(content, choice);
  bar.gap();
  if (!v.typing) v.typed_ms = static_cast<double>(choice.watched.budget_of(name, on_gpu)) * 1e-6;
  const bool typed = bar.number("##budget", "budget ms", &v.typed_ms, v.typed_ms > 0 && v.typed_ms < 0.01 ? 6 : 2,
                                "in a frame; 0 = none of yours", v.focus_budget);
  v.focus_budget = false;
  v.typing = ImGui::IsItemActive();
  if (typed && v.typed_ms >= 0 && v.typed_ms < 1e6 &&
      choice.watched.set_budget(name, on_gpu, static_cast<int64_t>(v.typed_ms * 1e6 + 0.5)))
    choice.settings.changed = true;
}

void show_bar(PageContext& o, ScopePage& v) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ButtonLine bar(o);
  if (bar.history(o.settings.scope_history, o.selection.measures(), o.timeline.shown().valid,
                  "the calls in the shown frames or the measured time, or in all that is kept: H"))
    o.settings.flip(&Settings::scope_history);
  bar.gap();
  if (bar.button("##log", "log axis", o.settings.scope_log_axis, "the histogram's times: L"))
    o.settings.flip(&Settings::scope_log_axis);
  show_calls(o, v, bar);
  show_chosen(o, v, bar);
  show_watch(o, o, v, bar);
  // Without room for these: they are settings, too.
  bar.gap();
  for (uint32_t i = 0; i < kGroupByCount; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (bar.button("##group", kGroupKinds[i].button, static_cast<uint32_t>(o.settings.scope_group) == i,
                   kGroupKinds[i].tooltip))
      o.settings.set(&Settings::scope_group, static_cast<int>(i));
    ImGui::PopID();
  }
  tell_chosen(v, bar);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + bar_height(o)));
}

void add_figures(const ScopeFigures& figures, ValueLine* line) {
  const struct {
    const char* label;
    int64_t ns;
  } values[] = {{"median", figures.median_ns}, {"p95", figures.p95_ns}, {"p99", figures.p99_ns},
                {"p99.9", figures.p999_ns},    {"max", figures.max_ns}, {"mean", figures.mean_ns},
                {"min", figures.min_ns}};
  for (const auto& value : values) line->add_time(value.label, value.ns);
}

void draw_figures(DrawContext& o, ScopePage& v, Canvas& canvas, float x, float y, float right) {
  const ScopeFigures& figures = v.summary.figures();
  const ScopeStyle& style = o.styles.of(o.selection.scope.key);
  const float left = x;
  x += draw_swatch(o, canvas, x, y, style.fill) + scaled(o, 6);
  x += canvas.text_fit(x, y, (right - left) * 0.3f, color::kText, style.name) + o.metrics.of(' ');
  if (!v.calls.all()) {
    FixedText<160> only;
    add_calls_name(o, v, &only);
    x += canvas.text_fit(x, y, (right - x) * 0.3f, color::kAccent, only.view()) + o.metrics.of(' ');
  }
  x += o.metrics.of(' ');
  ValueLine line(o, canvas, x, y, right);
  FixedText<48> count, range;
  add_range(o, o, v, &range);
  line.add(range.view(), count.add_grouped(figures.count).add('x').view());
  if (figures.count == 1) return line.add_time("time", figures.max_ns);
  if (figures.count != 0) add_figures(figures, &line);
  line.add_time("total", figures.total_ns);  // without calls: a part of one that began before
}

// Of one frame: what is usual.
bool draw_frame_figures(DrawContext& o, const ScopePage& v, Canvas& canvas, float x, float y, float right) {
  const FrameRange frames = o.timeline.shown();
  const ScopeFigures& figures = v.summary.frame_figures();
  if (v.history || o.selection.measures() || !frames.valid || frames.first != frames.last || figures.count < 2)
    return false;
  ValueLine line(o, canvas, x, y, right);
  FixedText<48> count;
  line.add("in each of", count.add_grouped(figures.count).add(" frames").view());
  add_figures(figures, &line);
  return true;
}

// The same time by what the threads did, where that is known.
bool draw_states(DrawContext& frame, const ScopePage& v, Canvas& canvas, float x, float y, float right) {
  const ScopeFigures& figures = v.summary.figures();
  if (!knows_states(figures.states)) return false;
  ValueLine line(frame, canvas, x, y, right);
  for (const uint32_t kind : kStatesInOrder) {
    FixedText<48> text;
    text.add_time(figures.states.ns[kind]).add("  ");
    text.add_percent(static_cast<double>(figures.states.ns[kind]) /
                     static_cast<double>(std::max<int64_t>(figures.total_ns, 1)));
    if (kind != FLAMELET_STATE_UNKNOWN || figures.states.ns[kind] != 0) line.add(state_name(kind), text.view());
  }
  return true;
}

std::string_view group_name(Content& content, GroupBy group_by, uint64_t id, Rgb* fill) {
  *fill = color::kWait;
  if (group_by == GroupBy::kObject) return calls_object_name(content, static_cast<uint32_t>(id));
  if (group_by == GroupBy::kThread) return calls_lane_name(content, static_cast<uint32_t>(id));
  if (id == ScopeInstance::kNoCaller) return "(outermost)";
  const ScopeStyle& style = content.styles.of(key_of_bits(id));
  *fill = style.fill;
  return style.name;
}

// Another row has the same name: "id 12", as `flamelet info` lists the lanes.
void add_lane_id(const Content& content, const ScopeGroups& groups, uint32_t lane, TextWriter* text) {
  flamelet_lane_info info;
  const std::string_view name = calls_lane_name(content, lane);
  for (uint32_t i = 0; i < groups.count(); ++i) {
    const uint32_t other = static_cast<uint32_t>(groups[i].id);
    if (other == lane || calls_lane_name(content, other) != name) continue;
    if (flamelet_capture_lane(content.capture, lane, &info)) text->add("id ").add_unsigned(info.id);
    return;
  }
}

// The groups, and behind them the calls that have none.
uint32_t group_rows(const ScopeGroups& groups) {
  return groups.count() + (groups.others().count != 0 ? 1 : 0);
}

void draw_group(Content& content, const Frame& frame, ScopePage& v, Canvas& canvas, const TableLayout& layout,
                uint32_t i, float y) {
  const ScopeSummary& summary = v.summary;
  const bool others = i == summary.groups().count();
  const ScopeGroup& group = others ? summary.groups().others() : summary.groups()[i];
  const float text_y = y + scaled(frame, 2);
  Rgb fill = color::kWait;
  const std::string_view name = others ? "all others" : group_name(content, summary.grouped_by(), group.id, &fill);
  float x = layout.left + draw_swatch(frame, canvas, layout.left, text_y, fill) + scaled(frame, 7);
  const float right = layout.name_right - scaled(frame, 6);
  x += canvas.text_fit(x, text_y, right - x, others ? color::kTextDim : color::kText, name) + scaled(frame, 8);
  FixedText<32> lane;
  if (!others && summary.grouped_by() == GroupBy::kThread)
    add_lane_id(content, summary.groups(), static_cast<uint32_t>(group.id), &lane);
  canvas.text_fit(x, text_y, right - x, color::kTextDim, lane.view());
  const bool is_scope = summary.grouped_by() == GroupBy::kCaller || summary.grouped_by() == GroupBy::kCallee;
  if (!others && is_scope && group.id != ScopeInstance::kNoCaller)
    draw_scope_place(content, canvas, x, right, text_y, key_of_bits(group.id), false);
  const int64_t most_ns = summary.groups()[0].total_ns;
  draw_cells(canvas, layout, text_y, [&](uint32_t column, TextWriter& text, Rgb&) {
    const uint32_t id = kColumns[column].id;
    if (id == kCount)
      text.add_grouped(group.count);
    else if (id == kMean && group.count == 0)
      text.add("-");
    else
      text.add_time(id == kTotal  ? group.total_ns
                    : id == kMean ? mean_of(group.durations_ns, group.count)
                                  : group.longest_ns);
    if (id == kTotal && most_ns > 0)
      draw_value_bar(frame, canvas, layout, column, static_cast<double>(group.total_ns) / static_cast<double>(most_ns),
                     y, color::kTableBar);
  });
}

// The choice that a row of this kind stands for; all calls if it stands for none.
CallChoice choice_of(GroupBy group_by, uint64_t id) {
  if (group_by == GroupBy::kObject) return {CallChoice::Of::kObject, static_cast<uint32_t>(id)};
  if (group_by == GroupBy::kThread) return {CallChoice::Of::kThread, static_cast<uint32_t>(id)};
  return CallChoice();
}

// A scope: goes there. An object or a thread: its calls alone, or all of them again.
void open_group(PageContext& o, ScopePage& v, GroupBy group_by, uint64_t id) {
  const CallChoice choice = choice_of(group_by, id);
  if (!choice.all())
    choose_calls(o, choice == v.calls ? CallChoice() : choice);
  else if (id != ScopeInstance::kNoCaller)
    o.selection.select_scope({key_of_bits(id), 0, v.on_gpu});
}

void show_groups(PageContext& o, ScopePage& v, ImVec2 at, float width, float height) {
  const ScopeSummary& summary = v.summary;
  const GroupBy group_by = summary.grouped_by();
  const GroupKind& kind = kGroupKinds[static_cast<uint32_t>(group_by)];
  const ScopeGroups& groups = summary.groups();
  const float row = row_height(o);
  const float header = table_header_height(o);
  const TableLayout layout = layout_table(o, kColumns, kColumnCount, at.x, width, kLeastNamePx);
  draw_table_header(o, layout, at, width, kind.of_one);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const auto chosen = [&](uint32_t i) {
    const CallChoice choice = i < groups.count() ? choice_of(group_by, groups[i].id) : CallChoice();
    return !choice.all() && choice == v.calls;
  };
  const uint32_t hovered = scrolling_rows(
      o, "##groups", width, height - header, group_rows(groups), kind.empty,
      [&](Canvas& canvas, uint32_t i, float y) {
        if (i == o.rows.row) draw_row_background(canvas, at.x, width, y, row, chosen(i), true, false);
        draw_group(o, o, v, canvas, layout, i, y);
      },
      chosen, no_row);
  const bool pressed = o.rows.opened || (!o.rows.chosen && ImGui::IsMouseClicked(0));
  if (hovered < groups.count() && pressed) open_group(o, v, group_by, groups[hovered].id);
}

constexpr float kPictureBarPx = 6;

// The rectangle inside of a picture's frame, and the lines of text above and below it.
struct Plot {
  float x0, x1, top, bottom;
  float title_y, axis_y;
  float names_y = 0;  // of the marks, above the bars; 0: there is no room for names
};

// A picture on the screen.
struct PictureRect {
  float x = 0, y = 0, width = 0, height = 0;
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

// A drag chooses a range of durations, a click the bar under it.
void handle_histogram_mouse(ScopePage& v, const Plot& plot, bool hovered) {
  const float mouse = ImGui::GetIO().MousePos.x;
  const double share = static_cast<double>((mouse - plot.x0) / std::max(plot.x1 - plot.x0, 1.0f));
  const DurationAxis& axis = v.summary.axis();
  if (hovered && ImGui::IsMouseClicked(0)) {
    v.dragging = true;
    v.drag_from = share;
  }
  v.dragging = v.dragging && (ImGui::IsMouseDown(0) || ImGui::IsMouseReleased(0));
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

// The last bar stands for all that took longer than the axis reaches.
bool is_folded(const ScopeSummary& summary, uint32_t bar) {
  return summary.axis().folds() && bar + 1 == summary.bar_count();
}

// All calls took the same where the axis has no length: then the bar in the middle is all of them.
void show_histogram_tooltip(Frame& frame, ScopePage& v, uint32_t bar) {
  if (!begin_tooltip(frame)) return;
  const ScopeSummary& summary = v.summary;
  const double bars = summary.bar_count();
  FixedText<96> text;
  text.add_grouped(summary.bar(bar)).add(summary.bar(bar) == 1 ? " call " : " calls ");
  const int64_t from_ns = summary.axis().at(bar / bars), to_ns = summary.axis().at((bar + 1) / bars);
  if (is_folded(summary, bar))
    text.add("above ").add_time(from_ns - 1).add(", the longest ").add_time(to_ns);
  else if (text.add("of ").add_time(from_ns, to_ns - from_ns); to_ns != from_ns)
    text.add(" - ").add_time(to_ns, to_ns - from_ns);
  ImGui::TextUnformatted(text.c_str());
  ImGui::EndTooltip();
}

// The scope's own colour, unless that is too faint on the canvas, as that of waiting scopes is.
Rgb picture_fill(Content& content, Choice& choice) {
  constexpr float kLeastGraphicContrast = 3;  // WCAG 2.1, success criterion 1.4.11
  const Rgb fill = content.styles.of(choice.selection.scope.key).fill;
  return contrast(fill, color::kCanvas) >= kLeastGraphicContrast ? fill : Rgb{color::kTextDim};
}

float x_of(const Plot& plot, const DurationAxis& axis, int64_t ns) {
  return whole(static_cast<double>(plot.x0) + axis.share_of(ns) * static_cast<double>(plot.x1 - plot.x0));
}

void draw_histogram(DrawContext& o, ScopePage& v, Canvas& canvas, const Plot& plot, uint32_t hovered_bar) {
  const ScopeSummary& summary = v.summary;
  const DurationAxis& axis = summary.axis();
  const double bars = summary.bar_count();
  const float height = plot.bottom - plot.top;
  const Rgb fill = picture_fill(o, o);
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
                i == hovered_bar        ? mix(fill, color::kSelect, 0.45f)
                : is_folded(summary, i) ? Rgb{color::kTextMid}
                                        : fill);
  }
}

// A line down the bars. Its name stands above them, where no bar and no other line crosses it, unless a name stands there
// already.
void draw_marker(Frame& frame, Canvas& canvas, const Plot& plot, float x, const char* label, Rgb ink,
                 float* free_from) {
  canvas.rect(x, plot.top, x + 1, plot.bottom, ink, 200);
  const float width = canvas.width(label);
  float at = x + scaled(frame, 3);
  if (at + width > plot.x1) at = x - scaled(frame, 3) - width;
  if (plot.names_y == 0 || at < *free_from) return;
  canvas.text(at, plot.names_y, ink, label);
  *free_from = at + width + scaled(frame, 4);
}

void draw_histogram_marks(const Choice& choice, Frame& frame, ScopePage& v, Canvas& canvas, const Plot& plot) {
  const ScopeFigures& figures = v.summary.figures();
  const DurationAxis& axis = v.summary.axis();
  float free_from = plot.x0;
  draw_marker(frame, canvas, plot, x_of(plot, axis, figures.median_ns), "median", color::kTextMid, &free_from);
  draw_marker(frame, canvas, plot, x_of(plot, axis, figures.p95_ns), "p95", color::kTextMid, &free_from);
  draw_marker(frame, canvas, plot, x_of(plot, axis, figures.p99_ns), "p99", color::kTextMid, &free_from);
  // The selected call: a triangle that points at its time.
  const SelectedSpan& selected = choice.selection.span;
  if (selected.valid) {
    const float x = x_of(plot, axis, selected.span.end_ns - selected.span.begin_ns), size = scaled(frame, 5);
    canvas.triangle(x - size, plot.bottom, x + size, plot.bottom, x, plot.bottom - 2 * size, color::kSelect);
  }
  FixedText<32> least, middle, most;
  const int64_t end_ns = axis.folds() ? axis.folds_above() : axis.at(1);
  const int64_t apart_ns = (end_ns - axis.at(0)) / 4;  // the middle is rounded, too
  least.add_time(axis.at(0), apart_ns);
  if (axis.folds()) most.add_grouped(v.summary.bar(v.summary.bar_count() - 1)).add(" above ");
  most.add_time(end_ns, apart_ns);
  middle.add_time(axis.at(0.5), apart_ns);
  const bool one_time = axis.at(0) == axis.at(1);  // it stands in the middle
  if (!one_time) {
    canvas.text(plot.x0, plot.axis_y, color::kTextDim, least.view());
    canvas.text_right(plot.x1, plot.axis_y, axis.folds() ? color::kTextMid : color::kTextDim, most.view());
  }
  if (one_time ||
      plot.x1 - plot.x0 > std::max(canvas.width("000.00 ms"), canvas.width(middle.view())) * (axis.folds() ? 6 : 4))
    canvas.text_center(plot.x0, plot.x1, plot.axis_y, color::kTextDim, middle.view());
}

// Its pictures (scope_page.cpp), each in a rectangle on the screen.
void show_scope_histogram(DrawContext& o, ScopePage& v, PictureRect at) {
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
  draw_histogram_marks(o, o, v, canvas, plot);
  const bool one_time = v.summary.axis().at(0) == v.summary.axis().at(1);
  if (hovered_bar < v.summary.bar_count() && (!one_time || v.summary.bar(hovered_bar) != 0))
    show_histogram_tooltip(o, v, hovered_bar);
}

void update_graph(const DrawContext& o, ScopePage& v, const Plot& plot) {
  flamelet_frame_info oldest;
  // The figures leave the start out, too.
  if (!flamelet_capture_frame(o.capture, has_start(o.capture) ? 1 : 0, &oldest)) return;
  const float bar_px = std::max(1.0f, scaled(o, o.settings.bar_px));
  const uint32_t most = frames_that_fit(whole(static_cast<double>(plot.x1 - plot.x0)), bar_px, 1);
  v.sums.update(v.frames, oldest.index, std::max(most, 1u));
}

// The selected scope's budget in a frame; 0 = none.
int64_t selected_budget_ns(Content& content, Choice& choice) {
  return choice.watched.budget_of(content.styles.of(choice.selection.scope.key).name, choice.selection.scope.on_gpu);
}

void layout_graph(DrawContext& o, ScopePage& v, const Plot& plot) {
  FrameBarsInput input;
  input.width_px = whole(static_cast<double>(plot.x1 - plot.x0));
  input.height_px = std::max(plot.bottom - plot.top, 1.0f);
  input.bar_px = std::max(1.0f, scaled(o, o.settings.bar_px));
  const int64_t budget_ns = selected_budget_ns(o, o);
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

bool has_mark(const ScopePage& v, uint32_t sum) {
  return v.shown_marks != 0 && v.sums.newest_mark(sum) >= v.shown_marks;
}

void draw_graph(DrawContext& o, ScopePage& v, Canvas& canvas, const Plot& plot, uint32_t hovered) {
  const FrameRange shown = o.timeline.shown();
  const Rgb own = picture_fill(o, o);
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
void draw_budget(Content& content, Choice& choice, ScopePage& v, Canvas& canvas, const Plot& plot) {
  const int64_t budget_ns = selected_budget_ns(content, choice);
  if (budget_ns == 0) return;
  const int64_t range_ns = std::max(v.sums.longest_ns(), budget_ns + budget_ns / 5);
  const double share = static_cast<double>(budget_ns) / static_cast<double>(range_ns);
  const float y = plot.bottom - whole(share * static_cast<double>(plot.bottom - plot.top));
  canvas.rect(plot.x0, y, plot.x1, y + 1, color::kBudget);
}

void show_graph_tooltip(const Frame& drawn, ScopePage& v, const FrameSum& sum) {
  if (!begin_tooltip(drawn)) return;
  const ScopeFrame* frame = v.frames.find(sum.longest);
  const float column = text_width(drawn.metrics, "longest of") + scaled(drawn, 18);
  FixedText<64> text;
  tooltip_row("frame", text.add('#').add_grouped(sum.longest), column);
  tooltip_row("time", text.add_time(sum.longest_ns), column);
  if (frame != nullptr) tooltip_row("calls", text.add_grouped(frame->calls), column);
  if (sum.count > 1) tooltip_row("longest of", text.add_unsigned(sum.count).add(" frames"), column);
  ImGui::EndTooltip();
}

void show_scope_graph(DrawContext& o, ScopePage& v, PictureRect at) {
  o.notes.note_place("scope_graph", at.x, at.y, at.width, at.height);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y, at.x + at.width, at.y + at.height, color::kCanvas);
  const Plot plot = make_plot(o, at);
  update_graph(o, v, plot);
  FixedText<64> most;
  most.add("top: ").add_time(v.sums.longest_ns());
  const float room = plot.x1 - plot.x0 - canvas.width(most.view()) - scaled(o, 8);
  const uint64_t frames = v.sums.frames_a_bar();
  FixedText<96> title, short_title;
  title.add("its time in each frame");
  short_title.add("by frame");
  if (frames > 1) title.add(": ").add_unsigned(frames).add(" frames a bar, the longest");
  if (frames > 1) short_title.add(", ").add_unsigned(frames).add(" a bar");
  title.add(v.frames.reading() ? ", reading" : v.frames.leaves_out() ? "; older frames not counted" : "");
  canvas.text_fit(plot.x0, plot.title_y, room, color::kTextDim,
                  canvas.width(title.view()) <= room ? title.view() : short_title.view());
  if (room > 0 && v.sums.frame_count() != 0) canvas.text_right(plot.x1, plot.title_y, color::kTextDim, most.view());
  if (plot.bottom - plot.top < 8 || plot.x1 - plot.x0 < 8) return;
  layout_graph(o, v, plot);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y));
  ImGui::InvisibleButton("##graph", ImVec2(at.width, at.height));
  const uint32_t hovered =
      ImGui::IsItemHovered() ? find_bar(v.graph_bars, ImGui::GetIO().MousePos.x - plot.x0) : v.graph_bars.count;
  draw_graph(o, v, canvas, plot, hovered);
  draw_budget(o, o, v, canvas, plot);
  if (flamelet_capture_frame_count(o.capture) == 0)
    canvas.text_center(at.x, at.x + at.width, (plot.top + plot.bottom - o.metrics.size) * 0.5f, color::kTextDim,
                       "no frames");
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
  if (ImGui::IsMouseClicked(0)) show_frames(o, o, index, index);
}

void show_pictures(PageContext& o, ScopePage& v, ImVec2 at, float width, float height) {
  const float gap = scaled(o, 6);
  const float groups = width >= scaled(o, kWideEnoughPx) ? whole(width * 0.38f) : 0;
  const float left = width - (groups > 0 ? groups + gap : 0);
  if (groups > 0) show_groups(o, v, ImVec2(at.x + left + gap, at.y), groups, height);
  if (!v.history && v.summary.figures().count <= 1 && v.sums.frame_count() > 1) {
    show_scope_graph(o, v, {at.x, at.y, left, height});  // how long one call took is in the figures
  } else if (height >= kLeastRowsForColumns * row_height(o)) {
    const float half = whole((height - gap) * 0.5f);
    show_scope_histogram(o, v, {at.x, at.y, left, half});
    show_scope_graph(o, v, {at.x, at.y + half + gap, left, height - half - gap});
  } else {
    const float half = whole((left - gap) * 0.5f);
    show_scope_histogram(o, v, {at.x, at.y, half, height});
    show_scope_graph(o, v, {at.x + half + gap, at.y, left - half - gap, height});
  }
}

constexpr uint32_t kCallsPerFrame = 8192;

// Beside a standing capture there is no game whose frames could be late.
uint32_t zones_per_frame(const Content& content) {
  return (content.standing ? 8 : 1) * Refresh::kZonesPerFrame;
}

void read_instances(Content& content, const Choice& choice, ScopePage& v, double now_s) {
  const TimeWindow range = wanted_range(content, choice, choice.settings.scope_history);
  const bool other = v.history != choice.settings.scope_history;
  const uint64_t version = flamelet_capture_version(content.capture);
  if (other || v.refresh.due(range != v.asked, version, content.timeline.paused(), v.instances.reading(), now_s,
                             content.timeline.shown().valid)) {
    // The whole history is read once, and then what is new.
    if (choice.settings.scope_history && !other && !v.refresh.stale)
      v.instances.extend(range.end_ns);
    else
      v.instances.begin(content.capture, choice.selection.scope.key, range,
                        choice.settings.scope_history && content.live(), v.calls, v.on_gpu);
    v.history = choice.settings.scope_history;
    v.asked = range;
    v.asked_frames = content.timeline.shown();
    v.refresh.begin(version, now_s);
  }
  v.instances.step(&content.statistics.scratch(), zones_per_frame(content));
}

void begin_summary(const Settings& settings, ScopePage& v, double now_s) {
  SummaryChoice choice;
  choice.group_by = static_cast<GroupBy>(settings.scope_group);
  choice.log_axis = settings.scope_log_axis;
  choice.bars = v.bars_fit;
  choice.chosen = v.chosen;
  choice.calls = v.calls;
  // Calls in frames that were not read yet marked nothing.
  const bool frames_came = v.summed_early && v.chosen.any() && !v.frames.reading();
  const bool chose = frames_came || !(choice == v.summary.choice());
  const bool read = v.instances.version() != v.summary.version();
  if (!chose && !(read && (!v.instances.reading() || now_s >= v.next_summary_s))) return;
  v.next_summary_s = now_s + Refresh::kSeconds;
  v.summary.begin(choice, v.instances);
  v.summed_early = v.frames.reading();
  v.frames_marked = 0;
  ++v.marks;
}

// For the page that shows it.
void update_scope_view(Content& content, const Choice& choice, ScopePage& v) {
  const SelectedScope& scope = choice.selection.scope;
  if (!scope.valid) {
    if (v.begun) v.forget();
    return;
  }
  const CaptureTime time(content.numbers);
  const double now_s = ImGui::GetTime();
  if (!v.begun || v.frames.scope() != scope.key || v.object != scope.object || v.on_gpu != scope.on_gpu) {
    v.forget();
    v.object = scope.object;
    v.on_gpu = scope.on_gpu;
    if (scope.object != 0) v.calls = {CallChoice::Of::kObject, scope.object};
    v.frames.begin(content.capture, scope.key, v.calls, v.on_gpu);
    v.begun = true;
  }
  v.frames.step(&content.statistics.scratch(), zones_per_frame(content),
                content.standing ? UINT64_MAX : content.gpu.newest_frame());
  // The calls must not change while they are summed up.
  if (!v.summary.busy()) {
    const bool all = content.timeline.paused() && !v.frames.reading();
    if (v.frames.version() != v.summary.frames_version() && (all || Refresh::is_over(v.next_frame_figures_s, now_s))) {
      v.summary.sum_frames(v.frames, has_start(content.capture) ? 1 : 0);
      v.next_frame_figures_s = now_s + Refresh::kSeconds;
    }
    read_instances(content, choice, v, now_s);
    begin_summary(choice.settings, v, now_s);
  }
  const auto mark = [&](const ScopeInstance& instance) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(content.capture, flamelet_capture_frame_at(content.capture, instance.begin_ns), &frame))
      return;
    if (v.frames.mark(frame.index, v.marks)) ++v.frames_marked;
    v.sums.mark(frame.index, v.marks);
  };
  const auto add_states = [&](const ScopeInstance& instance, flamelet_state_times* sums) {
    if (!content.store.has_states()) return false;
    flamelet_state_times times;
    flamelet_capture_state_times(content.capture, instance.lane, instance.begin_ns, instance.end_ns, &times);
    for (uint32_t kind = 0; kind < FLAMELET_STATE_COUNT; ++kind) sums->ns[kind] += times.ns[kind];
    return true;
  };
  const bool fresh = v.summary.step(v.instances, kCallsPerFrame, mark, add_states);
  if (!fresh) return;
  v.shown_marks = v.marks;
  v.figured = v.asked_frames;
  v.marked_frames = v.frames_marked;
}

}  // namespace

bool ScopePage::reading(const PageContext& o) const {
  return o.pages.shows("scope") && (instances.reading() || frames.reading() || summary.busy());
}

void ScopePage::draw(PageContext& o, float height) {
  update_scope_view(o, o, *this);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  show_bar(o, *this);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = o.metrics.size + scaled(o, 5);
  float rest = height - bar_height(o) - line;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  std::string_view nothing, shorter;
  TimeWindow extent;
  if (has_no_scopes(o) || (o.standing && !flamelet_capture_extent(o.capture, &extent.begin_ns, &extent.end_ns))) {
    nothing = shorter = "There are no scopes.";
  } else if (!o.selection.scope.valid) {
    nothing = "Enter selects the longest scope in view, a click one in the lanes, the table or the tree.";
    shorter = "Enter selects a scope.";
  } else if (summary.figures().count == 0 && selected_interval(o, o) != nullptr) {
    nothing = "This is an interval: this page has the calls of scopes, and none is called so.";
    shorter = "An interval has no calls.";
  }
  if (!nothing.empty()) {
    canvas.text_center(at.x, at.x + width, at.y + row_height(o), color::kTextDim,
                       canvas.width(nothing) <= width ? nothing : shorter);
    return;
  }
  if (rest >= 0) draw_figures(o, *this, canvas, at.x + scaled(o, 8), at.y + scaled(o, 1), at.x + width - scaled(o, 8));
  for (const auto& draw_line : {draw_frame_figures, draw_states})
    if (rest >= 2 * line &&
        draw_line(o, *this, canvas, at.x + scaled(o, 8), begin.y + height - rest, at.x + width - scaled(o, 8)))
      rest -= line;
  if (rest >= scaled(o, kLeastPicturePx))
    show_pictures(o, *this, ImVec2(at.x, begin.y + height - rest), width, rest);
  else if (rest >= line)
    canvas.text_fit(at.x + scaled(o, 8), begin.y + height - rest, width - scaled(o, 16), color::kTextDim,
                    "too low for its pictures and lists");
}

void ScopePage::write_state(const PageContext& o, JsonObject* json) const {
  const ScopeFigures& figures = summary.figures();
  json->add("scope_reading", instances.reading() || frames.reading() || summary.busy());
  json->add("scope_history", history);
  json->add("scope_complete", instances.complete());
  json->add("scope_calls", figures.count);
  json->add("scope_total_ns", figures.total_ns);
  json->add("scope_median_ns", figures.median_ns);
  json->add("scope_p999_ns", figures.p999_ns);
  json->add("scope_max_ns", figures.max_ns);
  json->add("scope_running_ns", figures.states.ns[FLAMELET_STATE_RUNNING]);
  json->add("scope_taken_off_ns", figures.states.ns[FLAMELET_STATE_TAKEN_OFF]);
  json->add("scope_asleep_ns", figures.states.ns[FLAMELET_STATE_ASLEEP]);
  json->add("scope_bars", summary.bar_count());
  json->add("scope_log_axis", summary.axis().log());
  json->add("scope_chosen", summary.chosen_count());
  json->add("scope_marked_frames", marked_frames);
  json->add("scope_grouped_by", kGroupKinds[static_cast<uint32_t>(summary.grouped_by())].button);
  json->add("scope_groups", summary.groups().count());
  json->add("scope_calls_without_group", summary.groups().others().count);
  FixedText<160> calls_name;
  add_calls_name(o, *this, &calls_name);
  json->add("scope_calls_of", calls.all() ? std::string_view("all") : calls_name.view());
  json->add("scope_graph_frames", sums.frame_count());
}

void ScopePage::carve(Carver* carver, const OverlayConfig& config) {
  instances.carve(carver, config.max_spans / 24);
  summary.carve(carver);
  frames.carve(carver, config.max_frames);
  sums.carve(carver);
  carver->take(&graph_bars, ScopeGraph::kMostBars);
}

void ScopePage::forget() {
  instances.clear();
  summary.clear();
  frames.clear();
  sums.clear();
  begun = false;
  object = 0;
  on_gpu = false;
  calls = CallChoice();
  asked = TimeWindow();
  asked_frames = figured = FrameRange();
  refresh = Refresh();
  next_summary_s = next_frame_figures_s = 0;
  marks = shown_marks = frames_marked = marked_frames = 0;
  summed_early = false;
  chosen = DurationRange();
  dragging = false;
  graph_bars.clear();
}

void pin_selected_scope(Content& content, Choice& choice) {
  if (!choice.selection.scope.valid) return;
  const std::string_view name = content.styles.of(choice.selection.scope.key).name;
  const bool on_gpu = choice.selection.scope.on_gpu;
  if (choice.watched.pin(name, on_gpu, !choice.watched.is_pinned(name, on_gpu))) choice.settings.changed = true;
}

void choose_calls(PageContext& o, CallChoice calls) {
  ScopePage& v = o.pages.get<ScopePage>();
  if (!v.begun || v.calls == calls) return;
  v.calls = calls;
  v.frames.begin(o.capture, o.selection.scope.key, calls, v.on_gpu);
  v.refresh.stale = true;
}

bool step_chosen_call(PageContext& o, int direction) {
  ScopePage& v = o.pages.get<ScopePage>();
  if (!v.chosen.any()) return false;
  const SelectedSpan& selected = o.selection.span;
  const bool known = selected.valid && key_of(selected.span) == v.instances.scope();
  const int64_t from_ns = known ? selected.span.begin_ns : direction > 0 ? INT64_MIN : INT64_MAX;
  SummaryChoice wanted;
  wanted.chosen = v.chosen;
  wanted.calls = v.calls;
  const ScopeInstance* found = nullptr;
  for (uint32_t i = 0; i < v.instances.count(); ++i) {
    const ScopeInstance& call = v.instances[i];
    if (!ScopeSummary::is_chosen(wanted, call) || !v.calls.contains(call.lane, call.object)) continue;
    if (direction > 0 ? call.begin_ns <= from_ns : call.begin_ns >= from_ns) continue;
    const bool nearer =
        found == nullptr || (direction > 0 ? call.begin_ns < found->begin_ns : call.begin_ns > found->begin_ns);
    if (nearer) found = &call;
  }
  if (found == nullptr) return true;
  const ScopeInstance call = *found;
  const TimeWindow measured = o.selection.measured;
  go_to_span(o, o, call.lane, {call.begin_ns, call.end_ns}, v.instances.scope().name);
  // What was measured stays: the histogram is about it.
  if (call.begin_ns >= measured.begin_ns && call.begin_ns < measured.end_ns) o.selection.measured = measured;
  return true;
}

}  // namespace flamelet::ui
