// SPDX-License-Identifier: MIT
#include <string.h>
#include <algorithm>
#include <iterator>

#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/text.h"
#include "flamelet/overlay.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/calls_view.h"
#include "shell/overlay_state.h"

namespace flamelet {

// What the overlay shows, as JSON.

using namespace ui;

namespace {

std::string_view name_of(const Content& content, uint32_t name) {
  return view_of(flamelet_capture_string(content.capture, name));
}

void add_selection(const Content& content, const Choice& choice, JsonObject* json) {
  const SelectedSpan& span = choice.selection.span;
  const auto& scope = choice.selection.scope;
  json->add_if(span.valid, "selected_name", name_of(content, span.span.name));
  json->add_if(span.valid, "selected_begin_ns", span.span.begin_ns);
  json->add_if(span.valid, "selected_end_ns", span.span.end_ns);
  json->add_if(scope.valid, "scope_name", name_of(content, scope.key.name));
}

void add_frames(const Content& content, JsonObject* json) {
  const View view = content.timeline.view();
  json->add("paused", content.timeline.paused());
  json->add("previewing", content.timeline.previewing());
  json->add_number("view_begin_ns", view.begin_ns);
  json->add_number("view_end_ns", view.end_ns);
  json->add("fitted", content.timeline.fitted());
  const FrameRange shown = content.timeline.shown();
  json->add_if(shown.valid, "first_frame", shown.first);
  json->add_if(shown.valid, "last_frame", shown.last);
}

void add_files(const PageContext& o, const CaptureFiles& files, JsonObject* json) {
  json->add("live_game", o.live());
  json->add_if(o.standing, "capture_title", std::string_view(o.title));
  static constexpr const char* kDialogs[] = {"none", "save frames", "save all", "open"};
  json->add("file_dialog", kDialogs[static_cast<uint32_t>(files.dialog) & 3]);
  float x, y;
  file_button_place(o, &x, &y);
  json->add_number("file_button_x_px", static_cast<double>(x));
  json->add_number("file_button_y_px", static_cast<double>(y));
  json->add("file_path", std::string_view(files.path));
  json->add("file_busy", files.job.task() != FileTask::kNone);
  json->add("file_notice", o.status.text());
  json->add("capture_frames", uint64_t{flamelet_capture_frame_count(o.capture)});
}

void add_places(const PageContext& o, JsonObject* json) {
  JsonList pages = json->add_list("page_buttons");
  for (uint32_t i = 0; i < kPageCount; ++i) {
    float x, y;
    page_button_place(o, i, &x, &y);
    JsonObject button = pages.add_object();
    button.add("button", kPages[i].name);
    button.add_number("x_px", static_cast<double>(x));
    button.add_number("y_px", static_cast<double>(y));
    button.close();
  }
  pages.close();
  json->add("bars_scroll", o.history.scroll);
  json->add("row", o.rows.row);
  json->add("marked_button", o.rows.button);
  json->add_number("bars_left_px", static_cast<double>(o.history.x));
  json->add_number("bars_top_px", static_cast<double>(o.history.y));
  json->add_number("bars_width_px", static_cast<double>(o.history.width));
  json->add_number("bars_height_px", static_cast<double>(o.history.height));
  json->add_number("row_height_px", static_cast<double>(row_height(o)));
}

void add_hitches(const Content& content, JsonObject* json) {
  const Hitches& hitches = content.hitches;
  JsonList list = json->add_list("hitches");
  for (const HitchBar& bar : hitches.bars) {
    const flamelet_flight_info& info = hitches.list[bar.position];
    JsonObject item = list.add_object();
    item.add("hitch", info.id);
    item.add("hitch_frame", info.frame.index);
    item.add("hitch_ns", info.frame.end_ns - info.frame.begin_ns);
    item.add("hitch_cause", flamelet_flight_cause_name(info.cause));
    item.add("hitch_text", std::string_view(info.text));
    item.add("hitch_in_file", (info.flags & FLAMELET_FLIGHT_WRITTEN) != 0);
    item.add("hitch_file_removed", (info.flags & FLAMELET_FLIGHT_FILE_REMOVED) != 0);
    item.add_number("hitch_x_px", static_cast<double>(hitches.x + (bar.x0 + bar.x1) * 0.5f));
    item.close();
  }
  list.close();
  json->add("hitch_shown", hitches.shown);
  flamelet_flight_over over[kOverRows];
  const size_t over_count = scopes_over_budget(content, over);
  JsonList over_list = json->add_list("over_budget");
  for (size_t i = 0; i < over_count; ++i) {
    JsonObject item = over_list.add_object();
    item.add("over_scope", std::string_view(over[i].scope));
    item.add_number("over_ms", static_cast<double>(over[i].took_ns) * 1e-6);
    item.add_number("over_budget_ms", static_cast<double>(over[i].budget_ns) * 1e-6);
    item.close();
  }
  over_list.close();
  json->add("hitch_hovered", hitches.hovered);
  std::string_view said;
  for (const Hitches::Sentence& sentence : hitches.sentences)
    if (sentence.id == hitches.hovered && hitches.hovered != 0) said = sentence.text;
  json->add("hitch_sentence", said);
  json->add("hitch_explaining", hitches.reason.id() != 0);
}

void add_hud(const Content& content, const Choice& choice, JsonObject* json) {
  static constexpr const char* kBottlenecks[] = {"", "cpu", "gpu", "vsync", "balanced", "waits"};
  const HudNumbers& hud = content.hud;
  json->add("hud_bottleneck", kBottlenecks[static_cast<uint32_t>(hud.bottleneck.found())]);
  json->add("hud_worst_frame", hud.has_worst ? hud.worst.index : 0);
  json->add("pins", choice.watched.pin_count());
  JsonList pins = json->add_list("hud_pins");
  for (uint32_t i = 0; i < hud.row_count && i < choice.watched.pin_count(); ++i) {
    JsonObject pin = pins.add_object();
    pin.add("pin_name", std::string_view(choice.watched.pinned(i).name));
    pin.add("pin_on_gpu", choice.watched.pinned(i).on_gpu);
    pin.add("pin_ns", hud.rows[i].time_ns);
    pin.add("pin_budget_ns", hud.rows[i].budget_ns);
    pin.add("pin_over", hud.rows[i].over);
    pin.close();
  }
  pins.close();
}

void add_numbers(const Content& content, JsonObject* json) {
  const OverlayStats& stats = content.numbers.stats;
  json->add("zones_in_view", stats.zones_in_view);
  json->add("zones_drawn", stats.zones_drawn);
  json->add("zones_merged", stats.zones_merged);
  json->add("lanes_left_out", content.store.lanes_left_out());
  json->add("zones_left_out", stats.zones_left_out);
  json->add("canvas_commands", stats.canvas_commands);
  json->add("canvas_vertices", stats.canvas_vertices);
  json->add("dropped", content.numbers.dropped);
  json->add("lost", content.numbers.lost);
  json->add("overwritten_while_paused", content.standing ? 0 : content.numbers.unread);
  json->add("scopes_by_macro", stats.scopes[FLAMELET_SCOPE_KIND_MACRO]);
  json->add("scopes_with_text", stats.scopes[FLAMELET_SCOPE_KIND_WITH_TEXT]);
  json->add("scopes_by_call", stats.scopes[FLAMELET_SCOPE_KIND_BY_CALL]);
  json->add("scopes_by_call_with_text", stats.scopes[FLAMELET_SCOPE_KIND_BY_CALL_WITH_TEXT]);
  json->add_number("recording_ns", stats.recording_ns);
}

void add_notes(const Notes& notes, JsonObject* json) {
  for (const Notes::Note& note : notes) {
    if (note.is_count) {
      json->add(note.name, note.count);
      continue;
    }
    const auto add = [&](const char* what, float px) {
      FixedText<64> field;
      json->add_number(field.add(note.name).add(what).view(), static_cast<double>(px));
    };
    add("_x_px", note.x);
    add("_y_px", note.y);
    if (!(note.width > 0)) continue;
    add("_width_px", note.width);
    add("_height_px", note.height);
  }
}

// Where the user is, as the part of a web address behind its "#":
//   page=lanes&path=1&frame=12&scope=Physics%3A%3Astep&at=1234567&view=1200000-1300000&measured=1200000-1250000&filter=ai
// `kind`: of waits for a lock, which are two scopes of one name: lock, or shared%20lock. `path`: the critical path is drawn. `whole`: the page is about the whole history. `frame`, `view` and `measured` may be ranges, with - or .. in them; `at` is the begin of the selected span. Times are
// nanoseconds of the capture.

constexpr size_t kMostName = 480;  // of a longer one the rest is left out

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c != 0 && strchr("-_.~", c));
}

void add_text(const char* field, std::string_view text, TextWriter* link) {
  link->add(field);
  for (const char c : text.substr(0, kMostName)) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (stands_for_itself(c))
      link->add(c);
    else
      link->add('%').add("0123456789ABCDEF"[byte >> 4]).add("0123456789ABCDEF"[byte & 15]);
  }
}

// What add_text() wrote, without its field.
std::string_view read_text(std::string_view text, char (&to)[kMostName]) {
  size_t size = 0;
  for (size_t i = 0; i < text.size() && size < kMostName; ++i) {
    const bool coded =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    to[size++] = coded ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return std::string_view(to, size);
}

// Takes a number off the front; it may be negative.
bool take_number(std::string_view* text, int64_t* number) {
  const bool negative = !text->empty() && text->front() == '-';
  if (negative) text->remove_prefix(1);
  if (text->empty() || text->front() < '0' || text->front() > '9') return false;
  uint64_t value = 0;
  while (!text->empty() && text->front() >= '0' && text->front() <= '9') {
    if (value > uint64_t{INT64_MAX} / 10 - 1) return false;
    value = value * 10 + static_cast<uint64_t>(text->front() - '0');
    text->remove_prefix(1);
  }
  *number = negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
  return true;
}

// "7", "7-9" or "7..9".
bool read_range(std::string_view text, int64_t* first, int64_t* last) {
  if (!take_number(&text, first)) return false;
  *last = *first;
  if (text.empty()) return true;
  const bool dots = text.substr(0, 2) == "..";
  if (!dots && text.front() != '-') return false;
  text.remove_prefix(dots ? 2 : 1);
  return take_number(&text, last) && text.empty() && *last >= *first;
}

// The value of a field, whose name ends with "="; false if it is not there.
bool find_field(std::string_view link, std::string_view name, std::string_view* value) {
  while (!link.empty()) {
    const size_t end = std::min(link.find('&'), link.size());
    const std::string_view field = link.substr(0, end);
    link.remove_prefix(std::min(end + 1, link.size()));
    if (field.substr(0, name.size()) != name) continue;
    *value = field.substr(name.size());
    return true;
  }
  return false;
}

// Takes the first part off whose name a link does not have; false if there is none.
bool take_unknown(std::string_view* link, std::string_view* part) {
  constexpr std::string_view kNames[] = {
      "page=", "filter=", "path=", "whole=", "frame=", "scope=", "kind=", "at=", "view=", "measured="};
  while (!link->empty()) {
    *part = link->substr(0, link->find('&'));
    link->remove_prefix(std::min(part->size() + 1, link->size()));
    const bool known = std::any_of(std::begin(kNames), std::end(kNames),
                                   [&](std::string_view name) { return part->substr(0, name.size()) == name; });
    if (!known && !part->empty()) return true;
  }
  return false;
}

}  // namespace

size_t overlay_write_state(const Overlay* overlay, char* text, size_t capacity) {
  TextWriter writer(text, capacity);
  if (overlay == nullptr) return 0;
  const Overlay& o = *overlay;
  static constexpr const char* kModes[] = {"off", "hud", "read-only", "active"};
  JsonObject json(&writer, "\n  ");
  json.add("mode", kModes[static_cast<uint32_t>(o.window.mode) & 3]);
  json.add("page", o.pages.row().name);
  add_frames(o, &json);
  add_files(o, o.files, &json);
  json.add("frame_bars", o.history.bars.count);
  const FilterSum sum = o.filter.active() ? o.statistics.filter_sum() : FilterSum();
  const FilterSum gpu_sum = o.filter.active() ? o.statistics.gpu_filter_sum() : FilterSum();
  json.add("filter", std::string_view(o.filter.text));
  json.add("filter_count", sum.count);
  json.add("filter_total_ns", sum.total_ns);
  json.add("filter_gpu_count", gpu_sum.count);
  json.add("filter_gpu_total_ns", gpu_sum.total_ns);
  add_selection(o, o, &json);
  json.add("measured_ns", o.selection.measured_ns());
  json.add_number("window_y_px", static_cast<double>(o.window.place.y));
  json.add_number("window_height_px", static_cast<double>(o.window.place.height));
  json.add("help_open", o.window.help_open);
  json.add("gamepad_enabled", gamepad_enabled());
  json.add("menu_open", o.menu.open());
  write_settings_panel_state(o, o.settings, o.panel, &json);
  add_places(o, &json);
  add_hitches(o, &json);
  add_hud(o, o, &json);
  add_numbers(o, &json);
  for (uint32_t i = 0; i < kPageCount; ++i) o.pages[i].write_state(o, &json);
  add_notes(o.notes, &json);
  json.close();
  writer.add('\n');
  const size_t wanted = writer.wanted();
  if (wanted >= capacity) writer.clear();
  return wanted;
}

namespace ui {

size_t write_link(const PageContext& o, char* text, size_t capacity) {
  TextWriter link(text, capacity);
  link.add("page=").add(o.pages.row().name);
  if (o.settings.critical_path) link.add("&path=1");
  const bool calls = o.pages.shows("tree") || o.pages.shows("flame");
  if (calls ? calls_of(o).whole_history : o.pages.shows("scope") && o.settings.scope_history) link.add("&whole=1");
  const FrameRange frames = o.timeline.selected();
  if (frames.valid) {
    link.add("&frame=").add_unsigned(frames.first);
    if (frames.last != frames.first) link.add('-').add_unsigned(frames.last);
  }
  if (o.selection.scope.valid) {
    const flamelet_string name = flamelet_capture_string(o.capture, o.selection.scope.key.name);
    add_text("&scope=", {name.text, name.size}, &link);
    const std::string_view kind = kind_of(o, o.selection.scope.key);
    if (!kind.empty()) add_text("&kind=", kind, &link);
    if (o.selection.span.valid) link.add("&at=").add_signed(o.selection.span.span.begin_ns);
  }
  if (!o.timeline.fitted()) {
    const TimeWindow view = window_of(o.timeline.view());
    link.add("&view=").add_signed(view.begin_ns).add('-').add_signed(view.end_ns);
  }
  if (o.selection.measures())
    link.add("&measured=").add_signed(o.selection.measured.begin_ns).add('-').add_signed(o.selection.measured.end_ns);
  if (o.filter.active()) add_text("&filter=", o.filter.text, &link);
  const size_t wanted = link.wanted();
  if (wanted >= capacity) link.clear();
  return wanted;
}

void copy_link(const PageContext& o, const OverlayHost& host) {
  char link[2048];  // enough, says overlay.h
  write_link(o, link, sizeof link);
  host.copy_link(host.user, link);
}

}  // namespace ui

size_t overlay_write_link(const Overlay* overlay, char* text, size_t capacity) {
  if (overlay != nullptr) return write_link(*overlay, text, capacity);
  TextWriter(text, capacity).clear();
  return 0;
}

bool overlay_open_link(Overlay* overlay, const char* text, char* problem, size_t capacity) {
  TextWriter why(problem, capacity);
  why.clear();
  if (overlay == nullptr || text == nullptr) return false;
  Overlay& o = *overlay;
  const Hold hold(o);
  std::string_view link(text), value;
  if (!link.empty() && link.front() == '#') link.remove_prefix(1);
  char name[kMostName];
  int64_t first, last;
  bool all = true;
  const auto check = [&](bool good, const char* field, std::string_view what) {
    if (!good) why.add(all ? "" : "; ").add(field).add(value).add(what);
    all &= good;
  };
  constexpr const char* kNoRange = ": this is no number and no range, such as 7 or 7-9";
  constexpr const char* kNotHere = ": this is not in the capture";
  if (find_field(link, "page=", &value))
    check(o.pages.open(read_text(value, name)), "page=", ": there is no such page");
  if (find_field(link, "filter=", &value)) o.filter.set(read_text(value, name));
  if (find_field(link, "path=", &value)) o.settings.critical_path = value == "1";
  if (find_field(link, "whole=", &value)) {
    if (o.pages.shows("scope")) o.settings.scope_history = value == "1";
    CallsView& calls = calls_of(o);
    if (!o.pages.shows("scope") && calls.whole_history != (value == "1")) {
      calls.whole_history = !calls.whole_history;
      calls.refresh.stale = true;
    }
  }
  if (find_field(link, "frame=", &value)) {
    const bool good = read_range(value, &first, &last) && first >= 0;
    check(good, "frame=", kNoRange);
    if (good) check(show_frames(o, o, static_cast<uint64_t>(first), static_cast<uint64_t>(last)), "frame=", kNotHere);
  }
  if (find_field(link, "scope=", &value)) {
    char kind[kMostName];
    std::string_view at, kind_text;
    find_field(link, "kind=", &kind_text);
    const std::string_view text_of_scope = read_text(value, name);
    const ScopeName scope(text_of_scope.empty() ? kNoName : text_of_scope, read_text(kind_text, kind));
    const bool exact =
        find_field(link, "at=", &at) && read_range(at, &first, &last) && select_by_begin(o, o, scope, first);
    if (!exact && !select_by_name(o, o, scope)) {
      FixedText<96> where;
      uint64_t nearest;
      if (find_nearest_frame(o, scope, &nearest))
        where.add(": this begins in no shown frame, the nearest is frame=").add_unsigned(nearest);
      else
        where.add(kNotHere);
      check(false, "scope=", where.view());
    }
  }
  for (const char* const field : {"view=", "measured="}) {
    if (!find_field(link, field, &value)) continue;
    const bool good = read_range(value, &first, &last) && last > first;
    if (good && *field == 'v') o.timeline.set_view(view_of({first, last}), true);
    if (good && *field == 'm') o.selection.measured = {first, last};
    check(good, field, ": this is no range of nanoseconds, such as 1200000-1300000");
  }
  while (take_unknown(&link, &value)) check(false, "", ": a link has no such part");
  return all;
}

}  // namespace flamelet
