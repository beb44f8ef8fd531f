// SPDX-License-Identifier: MIT
#include "input/action_table.h"

#include <string.h>

#include "imgui.h"
#include "input/actions.h"
#include "lanes/lane_keys.h"
#include "lanes/lanes_page.h"
#include "pages/calls_view.h"
#include "pages/compare/compare_page.h"
#include "pages/scope/scope_page.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

bool on_lanes(const Overlay& o) {
  return o.pages.shows("lanes");
}
bool on_calls(const Overlay& o) {
  return o.pages.shows("flame") || o.pages.shows("tree");
}
bool on_scope(const Overlay& o) {
  return o.pages.shows("scope");
}

void flip_full_screen(Overlay& o) {
  const int full = static_cast<int>(WindowPlaceChoice::kFullScreen), now = o.settings.place;
  o.settings.set(&Settings::place, now == full ? o.window.place_before_full : full);
  if (now != full) o.window.place_before_full = now;
}

constexpr Chord key(char c) {
  return {key_of(c), 0};
}

}  // namespace

bool page_has_rows(const Overlay& o) {
  return o.rows.here();
}

// clang-format off
const Action kActionTable[] = {
    // What is shown.
    {"mode", "off, HUD, read-only, active", [](Overlay& o) { overlay_cycle_mode(&o); },
     {}, Pad::kModeChord, nullptr, nullptr, false, nullptr, "toggle_key"},
    {"pause_everywhere", "HUD, read-only: pause, resume", toggle_pause,
     {{Key::kNone, kCtrl}}, Pad::kNone, "click on Resume in the HUD", "tap on Resume in the HUD", false, nullptr, "toggle_key"},
    {"peek", "the overlay while it is held", nullptr, {}, Pad::kNone, nullptr, nullptr, false, nullptr, "peek_key"},
    {"pause", "pause, resume", toggle_pause, {{Key::kSpace}}, Pad::kY},
    {"escape", "clear the filter, then the selection", escape, {{Key::kEscape}}, Pad::kB},
    {"help", "this page; click on a line of it to do it",
     [](Overlay& o) { o.window.help_open = !o.window.help_open; }, {{Key::kQuestion}}, Pad::kBack},
    {"settings", "settings", toggle_settings_panel, {key('o')}},
    {"full_screen", "full screen, and back", flip_full_screen, {key('y')}},
    {"file", "menu File", [](Overlay& o) { o.window.open_file_menu = true; }, {key('e')}},
    {"filter", "filter: dims the rest, sums the matches", [](Overlay& o) { o.filter.focus = true; },
     {{Key::kSlash}, {key_of('f'), kCtrl}}},
    {"save", "save the last seconds", save_last_seconds,
     {}, Pad::kNone, nullptr, nullptr, false, nullptr, "save_key"},

    // Frames.
    {"previous_frame", "previous, next frame", [](Overlay& o) { step_frame(o, -1); },
     {{Key::kLeft}}, Pad::kL1, nullptr, nullptr, true},
    {"next_frame", nullptr, [](Overlay& o) { step_frame(o, 1); }, {{Key::kRight}}, Pad::kR1, nullptr, nullptr, true},
    {"previous_hitch", "previous, next hitch", [](Overlay& o) { step_hitch(o, -1); },
     {{Key::kLeft, kShift}}, Pad::kNone, "click on a flag at the left", nullptr, true, has_flight},
    {"next_hitch", nullptr, [](Overlay& o) { step_hitch(o, 1); },
     {{Key::kRight, kShift}}, Pad::kNone, nullptr, nullptr, true, has_flight},
    {"preview", "look at a frame", nullptr, {}, Pad::kNone, "over the frame bars"},
    {"keep", "keep that frame", nullptr, {}, Pad::kNone, "click on the bars", "tap on the bars"},
    {"fewer_frames", "fewer, more frames at one time", [](Overlay& o) { extend_frames(o, -1); },
     {{Key::kLeft, kCtrl | kShift}}, Pad::kNone, "drag over the bars, Shift+click on the bars", "drag over the bars", true},
    {"more_frames", nullptr, [](Overlay& o) { extend_frames(o, 1); },
     {{Key::kRight, kCtrl | kShift}}, Pad::kNone, nullptr, nullptr, true},
    {"wider_bars", "wider, narrower bars", [](Overlay& o) { widen_bars(o, 1); },
     {key('k')}, Pad::kNone, "wheel over the bars", nullptr, true},
    {"narrower_bars", nullptr, [](Overlay& o) { widen_bars(o, -1); }, {key('j')}, Pad::kNone, nullptr, nullptr, true},
    {"older_bars", "scroll the bars to older, newer frames", [](Overlay& o) { scroll_bars(o, 10); },
     {{Key::kPageUp, kShift}}, Pad::kNone, "Shift+wheel over the bars", nullptr, true},
    {"newer_bars", nullptr, [](Overlay& o) { scroll_bars(o, -10); },
     {{Key::kPageDown, kShift}}, Pad::kNone, nullptr, nullptr, true},

    // The view.
    {"zoom_in", "zoom in, out", [](Overlay& o) { zoom_by(o, 0.8); },
     {key('w'), {Key::kUp}, {Key::kPlus}}, Pad::kRightStick, "wheel, Ctrl+wheel, Shift+wheel", "two fingers", true},
    {"zoom_out", nullptr, [](Overlay& o) { zoom_by(o, 1.25); },
     {key('s'), {Key::kDown}, {Key::kMinus}}, Pad::kNone, nullptr, nullptr, true},
    {"pan_left", "pan", [](Overlay& o) { pan_by(o, -0.15); },
     {key('a')}, Pad::kLeftStickX, "right drag, Shift+drag", "one finger", true},
    {"pan_right", nullptr, [](Overlay& o) { pan_by(o, 0.15); }, {key('d')}, Pad::kNone, nullptr, nullptr, true},
    {"scroll_up", "scroll the lanes", [](Overlay& o) { lanes_of(o).canvas.scroll_rows -= 5; },
     {{Key::kPageUp}}, Pad::kLeftStickY, "wheel over the labels", nullptr, true, on_lanes},
    {"scroll_down", nullptr, [](Overlay& o) { lanes_of(o).canvas.scroll_rows += 5; },
     {{Key::kPageDown}}, Pad::kNone, nullptr, nullptr, true, on_lanes},
    {"whole_frame", "whole frame", show_whole_frame,
     {{Key::kZero}, {Key::kHome}}, Pad::kL3, "double-click beside a scope"},
    {"zoom_to", "zoom to a scope", zoom_to_selection,
     {key('f')}, Pad::kNone, "double-click, middle click", "double tap"},
    {"back", "back to the previous view", [](Overlay& o) { o.timeline.back(); },
     {{Key::kBackspace}}, Pad::kNone, nullptr, nullptr, true},
    {"measure", "measure: the selected scope, or a stretch", measure_selection, {key('n')}, Pad::kNone, "drag"},

    // Scopes and lanes.
    {"select_at", "select the scope there; beside scopes: none", nullptr, {}, Pad::kNone, "click", "tap"},
    {"select", "select the longest in view; again: zoom", select_or_zoom, {{Key::kEnter}}, Pad::kA},
    {"parent", "scope around it, longest scope in it", [](Overlay& o) { select_neighbor(o, Neighbor::kParent); },
     {{Key::kUp, kCtrl}}, Pad::kUp, nullptr, nullptr, true},
    {"child", nullptr, [](Overlay& o) { select_neighbor(o, Neighbor::kChild); },
     {{Key::kDown, kCtrl}}, Pad::kDown, nullptr, nullptr, true},
    {"previous_sibling", "previous, next scope on its row", [](Overlay& o) { select_neighbor(o, Neighbor::kPrevious); },
     {{Key::kLeft, kCtrl}}, Pad::kLeft, nullptr, nullptr, true},
    {"next_sibling", nullptr, [](Overlay& o) { select_neighbor(o, Neighbor::kNext); },
     {{Key::kRight, kCtrl}}, Pad::kRight, nullptr, nullptr, true},
    {"next_instance", "next, previous instance of the scope", [](Overlay& o) { select_next_instance(o, 1); },
     {{Key::kPeriod}}, Pad::kNone, nullptr, nullptr, true},
    {"previous_instance", nullptr, [](Overlay& o) { select_next_instance(o, -1); },
     {{Key::kComma}}, Pad::kNone, nullptr, nullptr, true},
    {"worst", "its longest instance", select_worst_instance, {{Key::kTab}}, Pad::kR3},
    {"menu", "menu of a scope or lane", open_selection_menu,
     {key('m')}, Pad::kStart, "right click, Ctrl+click", "long press"},
    {"fold", "fold the lane", fold_selected_lane, {key('g')}, Pad::kNone, "click on a label"},
    {"pin", "pin the scope to the HUD, or unpin it", pin_selected_scope, {key('x')}, Pad::kX},
    {"lane_up", "move the lane up, down", [](Overlay& o) { move_selected_lane(o, -1); },
     {{Key::kUp, kShift}}, Pad::kNone, "drag of a label", nullptr, true, on_lanes},
    {"lane_down", nullptr, [](Overlay& o) { move_selected_lane(o, 1); },
     {{Key::kDown, kShift}}, Pad::kNone, nullptr, nullptr, true, on_lanes},
    {"show_lanes", "show hidden lanes again", show_hidden_lanes, {key('z')}},
    {"hide_empty", "hide empty lanes", [](Overlay& o) { o.settings.flip(&Settings::hide_empty); }, {key('v')}},
    {"critical_path", "the frame's critical path over the lanes",
     [](Overlay& o) { o.settings.flip(&Settings::critical_path); }, {key('p')}},
    {"compare", "compare: these frames are A, the next ones B", set_compared_side, {key('b')}},

    // Pages.
    {"page", "a page, in the order of the buttons", nullptr},
    {"next_page", "the next, previous page", [](Overlay& o) { o.pages.turn(1); }, {key('t')}, Pad::kR2},
    {"previous_page", nullptr, [](Overlay& o) { o.pages.turn(-1); }, {}, Pad::kL2},
    {"row_up", "row above, below; what Enter does: open it", [](Overlay& o) { o.rows.step -= 1; },
     {{Key::kUp}}, Pad::kUp, nullptr, nullptr, true, page_has_rows},
    {"row_down", nullptr, [](Overlay& o) { o.rows.step += 1; },
     {{Key::kDown}}, Pad::kDown, nullptr, nullptr, true, page_has_rows},
    {"row_open", nullptr, [](Overlay& o) { o.rows.open = true; }, {{Key::kEnter}}, Pad::kA, nullptr, nullptr, false,
     page_has_rows},
    {"sort", "sort by the next column", [](Overlay& o) { o.rows.next_column = true; }, {key('c')}, Pad::kNone, nullptr,
     nullptr, false, page_has_rows},
    {"choice", "mark the page's next button; press it", [](Overlay& o) { o.rows.mark_next(); }, {key('i')}},
    {"choose", nullptr, [](Overlay& o) { o.rows.press = true; }, {key('u')}},
    {"list", "in menus, help and settings: choose", nullptr, {{Key::kUp}, {Key::kDown}, {Key::kEnter}}},
    {"scope_history", "Scope: the whole history, or the shown frames",
     [](Overlay& o) { o.settings.flip(&Settings::scope_history); }, {key('h')}, Pad::kNone, nullptr, nullptr, false, on_scope},
    {"scope_log_axis", "Scope: the histogram's logarithmic axis",
     [](Overlay& o) { o.settings.flip(&Settings::scope_log_axis); }, {key('l')}, Pad::kNone, nullptr, nullptr, false, on_scope},
    {"scope_calls", "Scope: choose calls, or a frame", nullptr, {}, Pad::kNone,
     "drag over the histogram, click on its graph"},
    {"scope_part", "Scope: calls of one object or thread", nullptr, {}, Pad::kNone,
     "click on a row of the list"},
    {"message_frame", "Messages: its frame on the lanes", nullptr, {}, Pad::kNone, "click on a message"},
    {"fold_recursion", "Tree, Flame: fold recursion, or keep it", fold_recursion, {key('r')}, Pad::kNone, nullptr,
     nullptr, false, on_calls},
};
// clang-format on
const uint32_t kActionCount = sizeof kActionTable / sizeof kActionTable[0];

uint32_t row_end(uint32_t action) {
  uint32_t end = action + 1;
  while (end < kActionCount && kActionTable[end].effect == nullptr) ++end;
  return end;
}

bool gamepad_enabled() {
  return ImGui::GetCurrentContext() != nullptr && (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableGamepad) != 0;
}

void write_chord(Chord chord, TextWriter* text) {
  static constexpr const char* kNames[] = {"Space",  "Left", "Right",     "Up",  "Down", "PgUp",
                                           "PgDown", "Tab",  "Backspace", "Esc", "Home", "Enter"};
  if ((chord.modifiers & kCtrl) != 0) text->add("Ctrl+");
  if ((chord.modifiers & kAlt) != 0) text->add("Alt+");
  if ((chord.modifiers & kShift) != 0) text->add("Shift+");
  const char c = static_cast<char>(chord.key);
  if (chord.key >= Key::kSpace)
    text->add(kNames[static_cast<int>(chord.key) - static_cast<int>(Key::kSpace)]);
  else
    text->add(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '=' ? '+' : c);
}

const char* pad_name(Pad pad) {
  static constexpr const char* kNames[] = {
      "",   "A",  "B",  "X",  "Y",    "D-pad up", "D-pad down", "D-pad left", "D-pad right",         "L1",         "R1",
      "L2", "R2", "L3", "R3", "Back", "Start",    "L1+R1+Y",    "left stick", "left stick up, down", "right stick"};
  return kNames[static_cast<size_t>(pad)];
}

namespace {

void write_keys(const Choice& choice, uint32_t first, uint32_t end, TextWriter* text) {
  const auto comma = [&] {
    if (!text->view().empty()) text->add(", ");
  };
  if (kActionTable[first].key_setting != nullptr) {
    std::string_view name = "none";
    for (uint32_t i = 0; i < kSettingCount; ++i)
      if (strcmp(kSettingTable[i].name, kActionTable[first].key_setting) == 0)
        name = kSettingTable[i].key_name(static_cast<int>(kSettingTable[i].member.get(choice.settings)));
    if (name == "none") return;
    if ((kActionTable[first].chords[0].modifiers & kCtrl) != 0) text->add("Ctrl+");
    text->add(name);
    return;
  }
  if (strcmp(kActionTable[first].name, "page") == 0)
    for (uint32_t i = 0; i < kPageCount; ++i) {
      comma();
      write_chord({key_of(kPages[i].key)}, text);
    }
  // The first chords of both halves, then the second ones: "W, S, Up, Down".
  for (uint32_t chord = 0; chord < kMostChords; ++chord)
    for (uint32_t i = first; i < end; ++i) {
      if (kActionTable[i].chords[chord].key == Key::kNone) continue;
      comma();
      write_chord(kActionTable[i].chords[chord], text);
    }
}

}  // namespace

void write_gestures(const Choice& choice, uint32_t action, Device device, TextWriter* text) {
  const uint32_t end = row_end(action);
  if (device == Device::kKeys) return write_keys(choice, action, end, text);
  for (uint32_t i = action; i < end; ++i) {
    const Action& part = kActionTable[i];
    const char* gesture = device == Device::kMouse   ? part.mouse
                          : device == Device::kTouch ? part.touch
                          : part.pad != Pad::kNone   ? pad_name(part.pad)
                                                     : nullptr;
    if (gesture == nullptr) continue;
    if (!text->view().empty()) text->add(", ");
    text->add(gesture);
  }
}

}  // namespace flamelet::ui
