// SPDX-License-Identifier: MIT
//
// A line of choices and a line of figures; below them the histogram, the time frame by frame, and the groups.
#include "pages/scope/scope_page.h"

#include <algorithm>

#include "draw/button_line.h"
#include "draw/value_line.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/thread_states.h"
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

float scope_bar_height(const Frame& frame) {
  return control_height(frame) + scaled(frame, 5);
}

std::string_view calls_object_name(const Content& content, uint32_t object) {
  return object == 0 ? "(no object)" : view_of(flamelet_capture_string(content.capture, object));
}

std::string_view calls_lane_name(const Content& content, uint32_t lane) {
  flamelet_lane_info info;
  return flamelet_capture_lane(content.capture, lane, &info) ? view_of(info.name) : "(gone)";
}

// What the figures are about.
void add_range(const Overlay& o, const ScopePage& v, TextWriter* text) {
  const FrameRange frames = o.timeline.shown();
  if (o.settings.scope_history) {
    text->add(v.instances.complete() ? "in all that is kept" : "the newest of all that is kept");
  } else if (o.selection.measures()) {
    text->add("in the measured time");
  } else if (frames.valid) {
    text->add(frames.first == frames.last ? "in frame #" : "in frames #").add_grouped(frames.first);
    if (frames.first != frames.last) text->add(" - #").add_grouped(frames.last);
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

void show_calls(Overlay& o, ScopePage& v, ButtonLine& bar) {
  if (v.calls.all()) return;
  const bool object = v.calls.of == CallChoice::Of::kObject;
  bar.gap();
  if (bar.button("##all_calls", object ? "all objects" : "all threads", false,
                 "the calls of all of them again: Esc, or a click on the chosen row"))
    choose_calls(o, CallChoice());
}

void show_chosen(Overlay& o, ScopePage& v, ButtonLine& bar) {
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
void show_watch(Overlay& o, ScopePage& v, ButtonLine& bar) {
  if (!o.selection.scope.valid) return;
  const std::string_view name = o.styles.of(o.selection.scope.key).name;
  const bool on_gpu = o.selection.scope.on_gpu;
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
      bar.number("##budget", "budget ms", &v.typed_ms, 2, "in a frame; 0 = none of yours", v.focus_budget);
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

void show_bar(Overlay& o, ScopePage& v) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ButtonLine bar(o);
  show_range(o, bar);
  bar.gap();
  if (bar.button("##log", "log axis", o.settings.scope_log_axis, "the histogram's times: L"))
    o.settings.flip(&Settings::scope_log_axis);
  show_calls(o, v, bar);
  show_chosen(o, v, bar);
  show_watch(o, v, bar);
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
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + scope_bar_height(o)));
}

void draw_figures(Overlay& o, ScopePage& v, Canvas& canvas, float x, float y, float right) {
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
  add_range(o, v, &range);
  line.add(range.view(), count.add_grouped(figures.count).add('x').view());
  const struct {
    const char* label;
    int64_t ns;
  } values[] = {{"median", figures.median_ns}, {"p95", figures.p95_ns},    {"p99", figures.p99_ns},
                {"p99.9", figures.p999_ns},    {"max", figures.max_ns},    {"mean", figures.mean_ns},
                {"min", figures.min_ns},       {"total", figures.total_ns}};
  for (const auto& value : values) line.add_time(value.label, value.ns);
}

// The same time by what the threads did, where that is known.
bool draw_states(const Overlay& o, const ScopePage& v, Canvas& canvas, float x, float y, float right) {
  const ScopeFigures& figures = v.summary.figures();
  if (!knows_states(figures.states)) return false;
  ValueLine line(o, canvas, x, y, right);
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
  const ScopeStyle& style = content.styles.of({static_cast<uint32_t>(id >> 32), static_cast<uint32_t>(id)});
  *fill = style.fill;
  return style.name;
}

// The groups, and behind them the calls that have none.
uint32_t group_rows(const ScopeGroups& groups) {
  return groups.count() + (groups.others().count != 0 ? 1 : 0);
}

void draw_group(Overlay& o, ScopePage& v, Canvas& canvas, const TableLayout& layout, uint32_t i, float y) {
  const ScopeSummary& summary = v.summary;
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
void open_group(Overlay& o, ScopePage& v, GroupBy group_by, uint64_t id) {
  const CallChoice choice = choice_of(group_by, id);
  if (!choice.all())
    choose_calls(o, choice == v.calls ? CallChoice() : choice);
  else if (id != ScopeInstance::kNoCaller)
    o.selection.select_scope({{static_cast<uint32_t>(id >> 32), static_cast<uint32_t>(id)}, 0, v.on_gpu});
}

void show_groups(Overlay& o, ScopePage& v, ImVec2 at, float width, float height) {
  const ScopeSummary& summary = v.summary;
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
    return !choice.all() && choice == v.calls;
  };
  const uint32_t hovered =
      scrolling_rows(o, "##groups", width, height - header, group_rows(groups), kind.empty,
                     [&](Canvas& canvas, uint32_t i, float y, bool hot) {
                       draw_row_background(canvas, at.x, width, y, row, chosen(i), hot || i == o.rows.row, i % 2 != 0);
                       draw_group(o, v, canvas, layout, i, y);
                     });
  const bool pressed = o.rows.opened || (!o.rows.chosen && ImGui::IsMouseClicked(0));
  if (hovered < groups.count() && pressed) open_group(o, v, group_by, groups[hovered].id);
}

void show_pictures(Overlay& o, ScopePage& v, ImVec2 at, float width, float height) {
  const float gap = scaled(o, 6);
  const float groups = width >= scaled(o, kWideEnoughPx) ? static_cast<float>(static_cast<int>(width * 0.38f)) : 0;
  const float left = width - (groups > 0 ? groups + gap : 0);
  if (groups > 0) show_groups(o, v, ImVec2(at.x + left + gap, at.y), groups, height);
  if (height >= kLeastRowsForColumns * row_height(o)) {
    const float half = static_cast<float>(static_cast<int>((height - gap) * 0.5f));
    show_scope_histogram(o, v, {at.x, at.y, left, half});
    show_scope_graph(o, v, {at.x, at.y + half + gap, left, height - half - gap});
  } else {
    const float half = static_cast<float>(static_cast<int>((left - gap) * 0.5f));
    show_scope_histogram(o, v, {at.x, at.y, half, height});
    show_scope_graph(o, v, {at.x + half + gap, at.y, left - half - gap, height});
  }
}

}  // namespace

bool ScopePage::reading(const Overlay& o) const {
  return o.pages.shows("scope") && (instances.reading() || frames.reading() || summary.busy());
}

void ScopePage::draw(Overlay& o, float height) {
  update_spans(o);
  update_statistics(o);
  update_scope_view(o, *this);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  show_bar(o, *this);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = o.metrics.size + scaled(o, 5);
  float rest = height - scope_bar_height(o) - line;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  if (!o.selection.scope.valid)
    canvas.text_center(at.x, at.x + width, at.y + row_height(o), color::kTextDim,
                       "Select a scope in the lanes, the table or the tree.");
  else if (rest >= 0)
    draw_figures(o, *this, canvas, at.x + scaled(o, 8), at.y + scaled(o, 1), at.x + width - scaled(o, 8));
  if (o.selection.scope.valid && rest >= line &&
      draw_states(o, *this, canvas, at.x + scaled(o, 8), at.y + line, at.x + width - scaled(o, 8)))
    rest -= line;
  if (o.selection.scope.valid && rest >= scaled(o, kLeastPicturePx))
    show_pictures(o, *this, ImVec2(at.x, begin.y + height - rest), width, rest);
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height));
}

void ScopePage::write_state(const Overlay& o, JsonObject* json) const {
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

}  // namespace flamelet::ui
