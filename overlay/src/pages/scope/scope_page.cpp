// SPDX-License-Identifier: MIT
//
// A line of choices and a line of figures; below them the histogram, the time frame by frame, and the groups.
#include "pages/scope/scope_page.h"

#include <algorithm>

#include "draw/button_line.h"
#include "draw/value_line.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/table/table_parts.h"
#include "shell/json.h"
#include "shell/update.h"

namespace flamelet::ui {

namespace {

constexpr float kLeastNamePx = 90;
constexpr float kLeastPicturePx = 40;
constexpr float kLeastRowsForColumns = 9;  // in a lower page the two pictures stand beside each other
constexpr float kWideEnoughPx = 520;       // for the groups beside the pictures
constexpr float kWideEnoughForBothPx = 800;

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

float scope_bar_height(const Overlay& o) {
  return control_height(o) + scaled(o, 5);
}

std::string_view calls_object_name(const Overlay& o, uint32_t object) {
  return object == 0 ? "(no object)" : view_of(flamelet_capture_string(o.capture, object));
}

std::string_view calls_lane_name(const Overlay& o, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(o.capture, lane, &info) ? view_of(info.name) : "(gone)";
}

// What the figures are about.
void add_range(const Overlay& o, TextWriter* text) {
  const FrameRange frames = o.timeline.shown();
  if (o.settings.scope_history) {
    text->add(o.scope.instances.complete() ? "in all that is kept" : "the newest of all that is kept");
  } else if (o.selection.measures()) {
    text->add("in the measured time");
  } else if (frames.valid) {
    text->add(frames.first == frames.last ? "in frame #" : "in frames #").add_grouped(frames.first);
    if (frames.first != frames.last) text->add(" - #").add_grouped(frames.last);
  }
  if (o.scope.instances.reading()) text->add(", reading");
}

// "of Shadow map", "on Worker 1": the chosen calls.
void add_calls_name(const Overlay& o, TextWriter* text) {
  const CallChoice calls = o.scope.calls;
  if (calls.of == CallChoice::Of::kObject)
    text->add(calls.id != 0 ? "of " : "without an object").add(calls.id != 0 ? calls_object_name(o, calls.id) : "");
  if (calls.of == CallChoice::Of::kThread) text->add("on ").add(calls_lane_name(o, calls.id));
}

void show_calls(Overlay& o, ButtonLine& bar) {
  if (o.scope.calls.all()) return;
  const bool object = o.scope.calls.of == CallChoice::Of::kObject;
  bar.gap();
  if (bar.button("##all_calls", object ? "all objects" : "all threads", false,
                 "the calls of all of them again: Esc, or a click on the chosen row"))
    choose_calls(o, CallChoice());
}

void show_chosen(Overlay& o, ButtonLine& bar) {
  ScopeView& v = o.scope;
  if (!v.chosen.any()) return;
  bar.gap();
  if (bar.button("##previous", "<", false, "the call before in the chosen range: ,")) step_chosen_call(o, -1);
  if (bar.button("##next", ">", false, "the next call in the chosen range: .")) step_chosen_call(o, 1);
  if (bar.button("##clear", "clear", false, "forget the range")) v.chosen = DurationRange();
}

void tell_chosen(Overlay& o, ButtonLine& bar) {
  const ScopeView& v = o.scope;
  if (!v.chosen.any()) return;
  bar.gap();
  FixedText<128> text;
  text.add_grouped(v.summary.chosen_count()).add(v.summary.chosen_count() == 1 ? " call of " : " calls of ");
  text.add_time(v.summary.chosen().least_ns).add(" - ").add_time(v.summary.chosen().most_ns);
  text.add(" in ").add_unsigned(v.marked_frames).add(v.marked_frames == 1 ? " frame" : " frames");
  bar.text(color::kAccent, text.view());
}

// Pinning, and the budget.
void show_watch(Overlay& o, ButtonLine& bar) {
  if (!o.selection.scope.valid) return;
  ScopeView& v = o.scope;
  const std::string_view name = o.styles.of(o.selection.scope.key).name;
  const bool on_gpu = selected_on_gpu(o);
  const bool pinned = o.watched.is_pinned(name, on_gpu);
  bar.gap();
  if (!WatchedScopes::can_watch(name)) {
    bar.text(color::kTextDim, "its name is too long to be pinned");
    return;
  }
  const bool room = pinned || o.watched.pin_count() < WatchedScopes::kMostPins;
  if (bar.button("##pin", pinned ? "pinned" : "pin", pinned,
                 room ? "a row of its own in the HUD: X" : "the HUD has no room for a ninth scope"))
    pin_selected_scope(o);
  bar.gap();
  if (!v.typing) v.typed_ms = static_cast<double>(o.watched.budget_of(name, on_gpu)) * 1e-6;
  const bool typed =
      bar.number("##budget", "budget ms", &v.typed_ms, "%.2f", "in a frame; 0 = none of yours", v.focus_budget);
  v.focus_budget = false;
  v.typing = ImGui::IsItemActive();
  if (typed && v.typed_ms >= 0 && v.typed_ms < 1e6 &&
      o.watched.set_budget(name, on_gpu, static_cast<int64_t>(v.typed_ms * 1e6 + 0.5)))
    o.settings.changed = true;
}

// Where the calls are from. Both choices are in sight, where there is room.
void show_range(Overlay& o, ButtonLine& bar) {
  const bool history = o.settings.scope_history;
  const char* shown = o.selection.measures() ? "measured time" : "shown frames";
  const char* tooltip = "the calls in the shown frames or the measured time, or in all that is kept: H";
  const bool both = o.window.content_width >= scaled(o, kWideEnoughForBothPx);
  const bool narrower = (both || !history) && bar.button("##shown", shown, both && !history, tooltip);
  const bool wider = (both || history) && bar.button("##history", "whole history", history, tooltip);
  if (both ? (history ? narrower : wider) : (narrower || wider)) o.settings.flip(&Settings::scope_history);
}

void show_bar(Overlay& o) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ButtonLine bar(o);
  show_range(o, bar);
  bar.gap();
  if (bar.button("##log", "log axis", o.settings.scope_log_axis, "the histogram's times: L"))
    o.settings.flip(&Settings::scope_log_axis);
  show_calls(o, bar);
  show_chosen(o, bar);
  show_watch(o, bar);
  // Without room for these: they are settings, too.
  bar.gap();
  for (uint32_t i = 0; i < kGroupByCount; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (bar.button("##group", kGroupKinds[i].button, static_cast<uint32_t>(o.settings.scope_group) == i,
                   kGroupKinds[i].tooltip))
      o.settings.set(&Settings::scope_group, static_cast<int>(i));
    ImGui::PopID();
  }
  tell_chosen(o, bar);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + scope_bar_height(o)));
}

void draw_figures(Overlay& o, Canvas& canvas, float x, float y, float right) {
  const ScopeFigures& figures = o.scope.summary.figures();
  const ScopeStyle& style = o.styles.of(o.selection.scope.key);
  const float left = x;
  x += draw_swatch(o, canvas, x, y, style.fill) + scaled(o, 6);
  x += canvas.text_fit(x, y, (right - left) * 0.3f, color::kText, style.name) + o.metrics.of(' ');
  if (!o.scope.calls.all()) {
    FixedText<160> only;
    add_calls_name(o, &only);
    x += canvas.text_fit(x, y, (right - x) * 0.3f, color::kAccent, only.view()) + o.metrics.of(' ');
  }
  x += o.metrics.of(' ');
  ValueLine line(o, canvas, x, y, right);
  FixedText<48> count, range;
  add_range(o, &range);
  line.add(range.view(), count.add_grouped(figures.count).add('x').view());
  const struct {
    const char* label;
    int64_t ns;
  } values[] = {{"median", figures.median_ns}, {"p95", figures.p95_ns},    {"p99", figures.p99_ns},
                {"p99.9", figures.p999_ns},    {"max", figures.max_ns},    {"mean", figures.mean_ns},
                {"min", figures.min_ns},       {"total", figures.total_ns}};
  for (const auto& value : values) line.add_time(value.label, value.ns);
}

std::string_view group_name(Overlay& o, GroupBy group_by, uint64_t id, Rgb* fill) {
  *fill = color::kWait;
  if (group_by == GroupBy::kObject) return calls_object_name(o, static_cast<uint32_t>(id));
  if (group_by == GroupBy::kThread) return calls_lane_name(o, static_cast<uint32_t>(id));
  if (id == ScopeInstance::kNoCaller) return "(outermost)";
  const ScopeStyle& style = o.styles.of({static_cast<uint32_t>(id >> 32), static_cast<uint32_t>(id)});
  *fill = style.fill;
  return style.name;
}

// The groups, and behind them the calls that have none.
uint32_t group_rows(const ScopeGroups& groups) {
  return groups.count() + (groups.others().count != 0 ? 1 : 0);
}

void draw_group(Overlay& o, Canvas& canvas, const TableLayout& layout, uint32_t i, float y) {
  const ScopeSummary& summary = o.scope.summary;
  const bool others = i == summary.groups().count();
  const ScopeGroup& group = others ? summary.groups().others() : summary.groups()[i];
  const float text_y = y + scaled(o, 2);
  Rgb fill = color::kWait;
  const std::string_view name = others ? "all others" : group_name(o, summary.grouped_by(), group.id, &fill);
  const float x = layout.left + draw_swatch(o, canvas, layout.left, text_y, fill) + scaled(o, 7);
  canvas.text_fit(x, text_y, layout.name_right - x - scaled(o, 6), others ? color::kTextDim : color::kText, name);
  const int64_t most_ns = summary.groups()[0].total_ns;
  for (uint32_t column = 0; column < kColumnCount; ++column) {
    if (!layout.shows(column)) continue;
    FixedText<32> text;
    const uint32_t id = kColumns[column].id;
    if (id == kCount)
      text.add_grouped(group.count);
    else
      text.add_time(id == kTotal  ? group.total_ns
                    : id == kMean ? group.total_ns / static_cast<int64_t>(group.count)
                                  : group.longest_ns);
    if (id == kTotal && most_ns > 0)
      draw_value_bar(o, canvas, layout, column, static_cast<double>(group.total_ns) / static_cast<double>(most_ns), y,
                     color::kTableBar);
    canvas.text_right(layout.edges[column], text_y, color::kTextMid, text.view());
  }
}

// The choice that a row of this kind stands for; all calls if it stands for none.
CallChoice choice_of(GroupBy group_by, uint64_t id) {
  if (group_by == GroupBy::kObject) return {CallChoice::Of::kObject, static_cast<uint32_t>(id)};
  if (group_by == GroupBy::kThread) return {CallChoice::Of::kThread, static_cast<uint32_t>(id)};
  return CallChoice();
}

// A scope: goes there. An object or a thread: its calls alone, or all of them again.
void open_group(Overlay& o, GroupBy group_by, uint64_t id) {
  const CallChoice choice = choice_of(group_by, id);
  if (!choice.all())
    choose_calls(o, choice == o.scope.calls ? CallChoice() : choice);
  else if (id != ScopeInstance::kNoCaller)
    o.selection.select_scope({static_cast<uint32_t>(id >> 32), static_cast<uint32_t>(id)});
}

void show_groups(Overlay& o, ImVec2 at, float width, float height) {
  const ScopeSummary& summary = o.scope.summary;
  const GroupBy group_by = summary.grouped_by();
  const GroupKind& kind = kGroupKinds[static_cast<uint32_t>(group_by)];
  const ScopeGroups& groups = summary.groups();
  const float row = table_row_height(o);
  const float header = table_header_height(o);
  const TableLayout layout = layout_table(o, kColumns, kColumnCount, at.x, width, kLeastNamePx);
  draw_table_header(o, layout, at, width, kind.of_one);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + header));
  const auto chosen = [&](uint32_t i) {
    const CallChoice choice = i < groups.count() ? choice_of(group_by, groups[i].id) : CallChoice();
    return !choice.all() && choice == o.scope.calls;
  };
  const uint32_t hovered =
      scrolling_rows(o, "##groups", width, height - header, group_rows(groups), kind.empty,
                     [&](Canvas& canvas, uint32_t i, float y, bool hot) {
                       draw_row_background(canvas, at.x, width, y, row, chosen(i), hot || i == o.rows.row, i % 2 != 0);
                       draw_group(o, canvas, layout, i, y);
                     });
  const bool pressed = o.rows.opened || (!o.rows.chosen && ImGui::IsMouseClicked(0));
  if (hovered < groups.count() && pressed) open_group(o, group_by, groups[hovered].id);
}

void show_pictures(Overlay& o, ImVec2 at, float width, float height) {
  const float gap = scaled(o, 6);
  const float groups = width >= scaled(o, kWideEnoughPx) ? static_cast<float>(static_cast<int>(width * 0.38f)) : 0;
  const float left = width - (groups > 0 ? groups + gap : 0);
  if (groups > 0) show_groups(o, ImVec2(at.x + left + gap, at.y), groups, height);
  if (height >= kLeastRowsForColumns * row_height(o)) {
    const float half = static_cast<float>(static_cast<int>((height - gap) * 0.5f));
    show_scope_histogram(o, {at.x, at.y, left, half});
    show_scope_graph(o, {at.x, at.y + half + gap, left, height - half - gap});
  } else {
    const float half = static_cast<float>(static_cast<int>((left - gap) * 0.5f));
    show_scope_histogram(o, {at.x, at.y, half, height});
    show_scope_graph(o, {at.x + half + gap, at.y, left - half - gap, height});
  }
}

}  // namespace

void draw_scope_page(Overlay& o, float height) {
  update_spans(o);
  update_statistics(o);
  update_scope_view(o);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  show_bar(o);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = o.metrics.size + scaled(o, 5);
  const float rest = height - scope_bar_height(o) - line;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  if (!o.selection.scope.valid)
    canvas.text_center(at.x, at.x + width, at.y + row_height(o), color::kTextDim,
                       "Select a scope in the lanes, the table or the tree.");
  else if (rest >= 0)
    draw_figures(o, canvas, at.x + scaled(o, 8), at.y + scaled(o, 1), at.x + width - scaled(o, 8));
  o.scope.histogram = o.scope.graph = PictureRect();
  if (o.selection.scope.valid && rest >= scaled(o, kLeastPicturePx))
    show_pictures(o, ImVec2(at.x, at.y + line), width, rest);
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height));
}

void write_scope_state(const Overlay& o, JsonObject* json) {
  const ScopeView& v = o.scope;
  const ScopeFigures& figures = v.summary.figures();
  json->add("scope_reading", v.instances.reading() || v.frames.reading() || v.summary.busy());
  json->add("scope_history", v.history);
  json->add("scope_complete", v.instances.complete());
  json->add("scope_calls", figures.count);
  json->add("scope_total_ns", figures.total_ns);
  json->add("scope_median_ns", figures.median_ns);
  json->add("scope_p999_ns", figures.p999_ns);
  json->add("scope_max_ns", figures.max_ns);
  json->add("scope_bars", v.summary.bar_count());
  json->add("scope_log_axis", v.summary.axis().log());
  json->add("scope_chosen", v.summary.chosen_count());
  json->add("scope_marked_frames", v.marked_frames);
  json->add("scope_grouped_by", kGroupKinds[static_cast<uint32_t>(v.summary.grouped_by())].button);
  json->add("scope_groups", v.summary.groups().count());
  json->add("scope_calls_without_group", v.summary.groups().others().count);
  FixedText<160> calls;
  add_calls_name(o, &calls);
  json->add("scope_calls_of", v.calls.all() ? std::string_view("all") : calls.view());
  json->add("scope_graph_frames", v.sums.frame_count());
  const struct {
    const char *x, *y, *width, *height;
    const PictureRect& at;
  } pictures[] = {{"scope_histogram_x_px", "scope_histogram_y_px", "scope_histogram_width_px",
                   "scope_histogram_height_px", v.histogram},
                  {"scope_graph_x_px", "scope_graph_y_px", "scope_graph_width_px", "scope_graph_height_px", v.graph}};
  for (const auto& picture : pictures) {
    json->add_number(picture.x, static_cast<double>(picture.at.x));
    json->add_number(picture.y, static_cast<double>(picture.at.y));
    json->add_number(picture.width, static_cast<double>(picture.at.width));
    json->add_number(picture.height, static_cast<double>(picture.at.height));
  }
}

}  // namespace flamelet::ui
