// SPDX-License-Identifier: MIT
#include "shell/overlay_state.h"

#include <math.h>
#include <string.h>
#include <algorithm>

#include "bars/hitches.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "files/capture_files.h"
#include "flamelet/overlay.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/lanes_page.h"
#include "pages/calls_view.h"
#include "pages/compare/compare_page.h"
#include "pages/scope/scope_page.h"

namespace flamelet::ui {

namespace {

bool on_lanes(const PageContext& o) {
  return o.pages.shows("lanes");
}
bool on_calls(const PageContext& o) {
  return o.pages.shows("flame") || o.pages.shows("tree");
}
bool on_scope(const PageContext& o) {
  return o.pages.shows("scope");
}

// Keys whose part of the overlay is not here, as in `flamelet view`: they say so.

bool says_instead(PageContext& o, bool says, const char* text) {
  if (says) o.status.say(Speaker::kKeys).add(text);
  return says;
}

void pause_or_say(PageContext& o) {
  const char* const why = o.has_game() ? "this is a file: Live goes back to the game"
                                       : "there is nothing to pause: this is no running game";
  if (!says_instead(o, o.standing, why)) toggle_pause(o, o);
}

void pin_or_say(PageContext& o) {
  if (!says_instead(o, !o.has_game(), "there is no HUD to pin to: this is no running game")) pin_selected_scope(o, o);
}

// Without a flight recorder nothing is a hitch, and frames over the budget take their place.
void step_hitch_or_slow_frame(PageContext& o, CaptureFiles& files, Settings& settings, int by) {
  if (!o.hitches.list.empty()) return step_hitch(o, files, by);
  if (step_over_budget(o, o, settings.budget_ns, by) || says_instead(o, lacks_frames(o), "there are no frames")) return;
  o.status.say(Speaker::kKeys).add(by < 0 ? "no frame before" : "no frame after").add(" this one is over the budget");
}

void flip_full_screen(PageContext& o, Settings& settings, WindowState& window) {
  if (says_instead(o, !window.own, "this window is the program's: the overlay cannot move it")) return;
  const int full = static_cast<int>(WindowPlaceChoice::kFullScreen), now = settings.place;
  settings.set(&Settings::place, now == full ? window.place_before_full : full);
  if (now != full) window.place_before_full = now;
}

// One step back: what is open, then the filter, then the selection. It never gives the mouse to the game: the step too many
// would, and the next turn of the wheel were the game's.
void escape(PageContext& o, SettingsPanel& panel, WindowState& window) {
  o.status.take_back(Speaker::kKeys);
  if (window.help_open) {
    window.help_open = false;
  } else if (panel.open) {
    toggle_settings_panel(panel);
  } else if (lanes_of(o).mouse.menu.shows_measured()) {
    o.selection.forget_measured();
  } else if (o.filter.active()) {
    o.filter.set({});
  } else if (o.pages.shows("scope") && o.pages.get<ScopePage>().chosen.any()) {
    o.pages.get<ScopePage>().chosen = DurationRange();
  } else if (o.pages.shows("scope") && !o.pages.get<ScopePage>().calls.all()) {
    choose_calls(o, CallChoice());
  } else if (o.selection.measures()) {
    o.selection.forget_measured();
  } else if (o.selection.any()) {
    o.selection.clear();
  }
}

constexpr Chord key(char c) {
  return {key_of(c), 0};
}

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

// Keyboard and gamepad, from the table of actions.

constexpr double kStickPan = 1.2;   // of the view, a second, at full tilt
constexpr double kStickZoom = 2.5;  // powers of e a second
constexpr float kStickScroll = 24;  // rows a second
constexpr float kStickDeadZone = 0.1f;

// A bumper steps when it is released, unless both were down: that is the begin of the chord that switches the mode.
bool bumper_released(PadState* pad, Pad button) {
  const bool left = button == Pad::kL1;
  bool* was_down = left ? &pad->left_down : &pad->right_down;
  const bool down = pad_down(button);
  const bool released = *was_down && !down && !pad->bumper_used;
  *was_down = down;
  return released;
}

bool pad_acts(PadState* pad, const Action& action) {
  if (action.pad == Pad::kNone || action.pad >= Pad::kModeChord) return false;
  if (action.pad == Pad::kL1 || action.pad == Pad::kR1) return bumper_released(pad, action.pad);
  if (pad_down(Pad::kL1) && pad_down(Pad::kR1)) return false;
  return pad_pressed(action.pad, action.repeats);
}

// Arrows and Enter, or what a gamepad has for them.
bool is_row_key(Chord chord) {
  return chord == Chord{Key::kUp} || chord == Chord{Key::kDown} || chord == Chord{Key::kEnter};
}
bool is_side_key(Chord chord) {
  return chord == Chord{Key::kLeft} || chord == Chord{Key::kRight};
}
bool is_row_button(Pad pad) {
  return pad == Pad::kUp || pad == Pad::kDown || pad == Pad::kA;
}
bool is_side_button(Pad pad) {
  return pad == Pad::kLeft || pad == Pad::kRight;
}

// The page has a list: arrows and Enter are about its rows, and not what other actions do with them.
bool page_has_rows(const PageContext& o) {
  return o.rows.here();
}

// `list`: the help page or the panel is open, and has these keys; else the page's rows may have them.
bool acts(Overlay& o, const Action& action, bool list) {
  if (action.run == nullptr || action.key_setting != nullptr) return false;
  if (action.when != nullptr && !action.when(o)) return false;
  const bool not_rows = list || (page_has_rows(o) && action.when != page_has_rows);
  for (const Chord chord : action.chords)
    if (!(not_rows && is_row_key(chord)) && !(list && is_side_key(chord)) && chord_pressed(chord, action.repeats))
      return true;
  const bool taken = (not_rows && is_row_button(action.pad)) || (list && is_side_button(action.pad));
  return !taken && pad_acts(&o.pad, action);
}

void handle_sticks(PageContext& o, PadState& pad) {
  const PadSticks sticks = pad_sticks();
  const double dt = static_cast<double>(std::min(ImGui::GetIO().DeltaTime, 0.1f));
  if (fabsf(sticks.left_x) > kStickDeadZone) pan_by(o, static_cast<double>(sticks.left_x) * kStickPan * dt);
  if (fabsf(sticks.left_y) > kStickDeadZone)
    lanes_of(o).canvas.scroll_rows -= sticks.left_y * kStickScroll * static_cast<float>(dt);
  if (fabsf(sticks.right_y) <= kStickDeadZone) return;
  zoom_by(o, exp(-static_cast<double>(sticks.right_y) * kStickZoom * dt));
  if (pad_down(Pad::kL1)) pad.bumper_used = true;
}

using Gestures = FixedText<128>;

void move_help_row(const Choice& choice, WindowState& window, int by) {
  Gestures gestures;
  const uint32_t before = window.help_row;
  do {
    window.help_row = (window.help_row + kActionCount + static_cast<uint32_t>(by)) % kActionCount;
    gestures.clear();
    if (kActionTable[window.help_row].effect != nullptr &&
        (window.own || kActionTable[window.help_row].key_setting == nullptr))
      write_gestures(choice, window.help_row, Device::kKeys, &gestures);
  } while (window.help_row != before && (gestures.view().empty() || kActionTable[window.help_row].run == nullptr));
  window.bring_help_row = true;
}

void handle_list(PageContext& o, SettingsPanel& panel, WindowState& window) {
  const ListKeys keys = read_list_keys();
  if (window.help_open) {
    if (keys.vertical != 0) move_help_row(o, window, keys.vertical);
    if (keys.accept) window.help_pressed = window.help_row;
    return;
  }
  if (keys.vertical != 0) move_setting_row(o, panel, keys.vertical);
  if (keys.horizontal != 0) step_setting(o, o, panel, keys.horizontal);
  if (keys.accept) press_setting(o, o, panel);
}

const char* title_of(Device device) {
  static constexpr const char* kTitles[kDeviceCount] = {"Keys", "Mouse", "Gamepad", "Touch"};
  if (device == Device::kGamepad && !gamepad_enabled()) return "Gamepad (off: the program has not enabled it)";
  return kTitles[static_cast<uint32_t>(device)];
}

constexpr const char* kHint = "A click on a line does it; with the right button, its second half.";

float line_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 3);
}

// Calls visit(action, gestures) for the lines of a device. The keys that go from mode to mode are read only where the window is
// the overlay's own.
template <typename Visit>
void for_each_line(const Choice& choice, const WindowState& window, Device device, Visit visit) {
  for (uint32_t action = 0; action < kActionCount; action = row_end(action)) {
    if (!window.own && kActionTable[action].key_setting != nullptr) continue;
    Gestures gestures;
    write_gestures(choice, action, device, &gestures);
    if (!gestures.view().empty()) visit(action, gestures.view());
  }
}

struct ListSize {
  float input_width = 0, width = 0, height = 0;
};

ListSize measure_list(const Choice& choice, const Frame& frame, const WindowState& window, Device device) {
  ListSize size;
  float effect_width = 0;
  size.height = line_height(frame) + scaled(frame, 2);
  for_each_line(choice, window, device, [&](uint32_t action, std::string_view gestures) {
    size.input_width = std::max(size.input_width, text_width(frame.metrics, gestures));
    effect_width = std::max(effect_width, text_width(frame.metrics, kActionTable[action].effect));
    size.height += line_height(frame);
  });
  size.input_width += scaled(frame, 14);
  size.width = std::max(size.input_width + effect_width, text_width(frame.metrics, title_of(device)));
  return size;
}

// The lists in two columns, where there is room, or one below the other: keys first, then the others.
struct HelpLayout {
  ListSize lists[kDeviceCount];
  float x[kDeviceCount], y[kDeviceCount];
  float width = 0, height = 0;
};

HelpLayout layout_help(const Choice& choice, const Frame& frame, const WindowState& window, float room) {
  HelpLayout layout;
  const float gap = scaled(frame, 26);
  float side_width = 0;
  for (uint32_t i = 0; i < kDeviceCount; ++i) {
    layout.lists[i] = measure_list(choice, frame, window, static_cast<Device>(i));
    if (i != 0) side_width = std::max(side_width, layout.lists[i].width);
  }
  const bool beside = layout.lists[0].width + gap + side_width <= room;
  const float top = line_height(frame) + scaled(frame, 4);  // below the hint
  float bottom = top;
  for (uint32_t i = 0; i < kDeviceCount; ++i) {
    if (beside && i == 1) {
      layout.height = bottom;
      bottom = top;
    }
    layout.x[i] = beside && i != 0 ? layout.lists[0].width + gap : 0;
    layout.y[i] = bottom;
    bottom += layout.lists[i].height + scaled(frame, 8);
    layout.width = std::max(layout.width, layout.x[i] + layout.lists[i].width);
  }
  layout.width = std::max(layout.width, text_width(frame.metrics, kHint));
  layout.height = std::max(layout.height, bottom);
  return layout;
}

// True if the mouse is over one of its lines.
bool show_list(const Choice& choice, const Frame& frame, WindowState& window, Canvas& canvas, const HelpLayout& layout,
               uint32_t list, ImVec2 at, float right) {
  const float line = line_height(frame);
  const float x = at.x + layout.x[list];
  float y = at.y + layout.y[list];
  const float effect_x = x + layout.lists[list].input_width;
  const float end_x = list == 0 ? x + layout.lists[0].width + scaled(frame, 6) : right;
  canvas.text(x, y, color::kAccent, title_of(static_cast<Device>(list)));
  y += line + scaled(frame, 2);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool here = ImGui::IsWindowHovered() && mouse.x >= x && mouse.x < end_x;
  bool hovered = false;
  for_each_line(choice, window, static_cast<Device>(list), [&](uint32_t action, std::string_view gestures) {
    const bool can = kActionTable[action].run != nullptr;
    const bool hot = here && mouse.y >= y && mouse.y < y + line;
    if (can && (hot || (list == 0 && window.help_row == action)))
      canvas.rect(x - scaled(frame, 4), y - scaled(frame, 1), end_x, y + line - scaled(frame, 1), color::kControlHot);
    if (list == 0 && window.help_row == action && window.bring_help_row) {
      const float in_window = y - ImGui::GetWindowPos().y;
      if (in_window < line || in_window + 2 * line > ImGui::GetWindowHeight()) ImGui::SetScrollFromPosY(in_window);
      window.bring_help_row = false;
    }
    canvas.text(x, y, color::kText, gestures);
    canvas.text_fit(effect_x, y, right - effect_x, color::kTextMid, kActionTable[action].effect);
    y += line;
    hovered = hovered || hot;
    if (hot && text_width(frame.metrics, kActionTable[action].effect) > right - effect_x) {
      ImGui::BeginTooltip();
      ImGui::TextUnformatted(kActionTable[action].effect);
      ImGui::EndTooltip();
    }
    if (!hot || !can) return;
    const uint32_t second = std::min(action + 1, row_end(action) - 1);
    if (ImGui::IsMouseClicked(0)) window.help_pressed = action;
    if (ImGui::IsMouseClicked(1)) window.help_pressed = second;
  });
  return hovered;
}

// What the line that was pressed in the frame before says.
// The page closes first, so that what is done can be seen.
void press_help_line(Overlay& o) {
  const Action& action = kActionTable[o.window.help_pressed];
  o.window.help_pressed = UINT32_MAX;
  o.window.help_open = false;
  if (action.run != nullptr && (action.when == nullptr || action.when(o))) action.run(o);
}

}  // namespace

// clang-format off
const Action kActionTable[] = {
    // What is shown.
    {"mode", "off, HUD, read-only, active", [](Overlay& o) { cycle_mode(o, o.window); },
     {}, Pad::kModeChord, nullptr, nullptr, false, nullptr, "toggle_key"},
    {"pause_everywhere", "HUD, read-only: pause, resume", [](Overlay& o) { pause_or_resume(o, o.files); },
     {{Key::kNone, kCtrl}}, Pad::kNone, "click on Resume in the HUD", "tap on Resume in the HUD", false, nullptr, "toggle_key"},
    {"peek", "the overlay while it is held", nullptr, {}, Pad::kNone, nullptr, nullptr, false, nullptr, "peek_key"},
    {"pause", "pause, resume", [](Overlay& o) { pause_or_say(o); }, {{Key::kSpace}}, Pad::kY},
    {"escape", "clear the filter, then the selection", [](Overlay& o) { escape(o, o.panel, o.window); },
     {{Key::kEscape}}, Pad::kB},
    {"help", "this page; click on a line of it to do it",
     [](Overlay& o) { o.window.help_open = !o.window.help_open; }, {{Key::kQuestion}}, Pad::kBack},
    {"settings", "settings", [](Overlay& o) { toggle_settings_panel(o.panel); }, {key('o')}},
    {"full_screen", "full screen, and back", [](Overlay& o) { flip_full_screen(o, o.settings, o.window); }, {key('y')}},
    {"file", "menu File", [](Overlay& o) { o.window.open_file_menu = true; }, {key('e')}},
    {"filter", "filter: dims the rest, sums the matches", [](Overlay& o) { o.filter.focus = true; },
     {{Key::kSlash}, {key_of('f'), kCtrl}}},
    {"save", "save the last seconds", [](Overlay& o) { save_last_seconds(o, o.files); },
     {}, Pad::kNone, nullptr, nullptr, false, nullptr, "save_key"},

    // Frames.
    {"previous_frame", "previous, next frame", [](Overlay& o) { step_frame(o, o, -1); },
     {{Key::kLeft}}, Pad::kL1, nullptr, nullptr, true},
    {"next_frame", nullptr, [](Overlay& o) { step_frame(o, o, 1); }, {{Key::kRight}}, Pad::kR1, nullptr, nullptr, true},
    {"previous_hitch", "previous, next hitch, or frame over budget",
     [](Overlay& o) { step_hitch_or_slow_frame(o, o.files, o.settings, -1); },
     {{Key::kLeft, kShift}}, Pad::kNone, "click on a flag at the left", nullptr, true},
    {"next_hitch", nullptr, [](Overlay& o) { step_hitch_or_slow_frame(o, o.files, o.settings, 1); },
     {{Key::kRight, kShift}}, Pad::kNone, nullptr, nullptr, true},
    {"preview", "look at a frame", nullptr, {}, Pad::kNone, "over the frame bars"},
    {"keep", "keep that frame", nullptr, {}, Pad::kNone, "click on the bars", "tap on the bars"},
    {"fewer_frames", "fewer, more frames at one time", [](Overlay& o) { extend_frames(o, o, -1); },
     {{Key::kLeft, kCtrl | kShift}}, Pad::kNone, "drag over the bars, Shift+click on the bars", "drag over the bars", true},
    {"more_frames", nullptr, [](Overlay& o) { extend_frames(o, o, 1); },
     {{Key::kRight, kCtrl | kShift}}, Pad::kNone, nullptr, nullptr, true},
    {"wider_bars", "wider, narrower bars", [](Overlay& o) { widen_bars(o, o.settings, 1); },
     {key('k')}, Pad::kNone, "wheel over the bars", nullptr, true},
    {"narrower_bars", nullptr, [](Overlay& o) { widen_bars(o, o.settings, -1); },
     {key('j')}, Pad::kNone, nullptr, nullptr, true},
    {"older_bars", "scroll the bars to older, newer frames", [](Overlay& o) { scroll_bars(o, 10); },
     {{Key::kPageUp, kShift}}, Pad::kNone, "Shift+wheel over the bars, drag below them", nullptr, true},
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
    {"scroll_up", "scroll the lanes", [](Overlay& o) { lanes_of(o).canvas.scroll_rows += -5; },
     {{Key::kPageUp}}, Pad::kLeftStickY, "wheel over the labels", nullptr, true, on_lanes},
    {"scroll_down", nullptr, [](Overlay& o) { lanes_of(o).canvas.scroll_rows += 5; },
     {{Key::kPageDown}}, Pad::kNone, nullptr, nullptr, true, on_lanes},
    {"whole_frame", "whole frame", [](Overlay& o) { show_whole_frame(o); },
     {{Key::kZero}, {Key::kHome}}, Pad::kL3, "double-click beside a scope"},
    {"zoom_to", "zoom to a scope", [](Overlay& o) { zoom_to_selection(o, o); },
     {key('f')}, Pad::kNone, "double-click, middle click", "double tap"},
    {"back", "back to the previous view", [](Overlay& o) { o.timeline.back(); },
     {{Key::kBackspace}}, Pad::kNone, nullptr, nullptr, true},
    {"measure", "measure: the selected scope, or a stretch", [](Overlay& o) { measure_selection(o, o); },
     {key('n')}, Pad::kNone, "drag"},

    // Scopes and lanes.
    {"select_at", "select the scope there; beside scopes: none", nullptr, {}, Pad::kNone, "click", "tap"},
    {"select", "select the longest in view; again: zoom", [](Overlay& o) { select_or_zoom(o, o); },
     {{Key::kEnter}}, Pad::kA},
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
    {"worst", "its longest instance", [](Overlay& o) { select_worst_instance(o, o); }, {{Key::kTab}}, Pad::kR3},
    {"menu", "menu of a scope or lane", [](Overlay& o) { open_selection_menu(o); },
     {key('m')}, Pad::kStart, "right click, Ctrl+click", "long press"},
    {"fold", "fold the lane", [](Overlay& o) { fold_selected_lane(o); }, {key('g')}, Pad::kNone, "click on a label"},
    {"pin", "pin the scope to the HUD, or unpin it", [](Overlay& o) { pin_or_say(o); }, {key('x')}, Pad::kX},
    {"lane_up", "move the lane up, down", [](Overlay& o) { move_selected_lane(o, -1); },
     {{Key::kUp, kShift}}, Pad::kNone, "drag of a label", nullptr, true, on_lanes},
    {"lane_down", nullptr, [](Overlay& o) { move_selected_lane(o, 1); },
     {{Key::kDown, kShift}}, Pad::kNone, nullptr, nullptr, true, on_lanes},
    {"show_lanes", "show hidden lanes again", [](Overlay& o) { show_hidden_lanes(o, o); }, {key('z')}},
    {"hide_empty", "hide empty lanes", [](Overlay& o) { o.settings.flip(&Settings::hide_empty); }, {key('v')}},
    {"critical_path", "the frame's critical path over the lanes",
     [](Overlay& o) { o.settings.flip(&Settings::critical_path); }, {key('p')}},
    {"compare", "compare: these frames are A, the next ones B", [](Overlay& o) { set_compared_side(o); }, {key('b')}},

    // Pages.
    {"page", "a page, in the order of the buttons", nullptr},
    {"next_page", "the next, previous page", [](Overlay& o) { o.pages.turn(1); }, {key('t')}, Pad::kR2},
    {"previous_page", nullptr, [](Overlay& o) { o.pages.turn(-1); }, {{key_of('t'), kShift}}, Pad::kL2},
    {"row_up", "row above, below; what Enter does: open it", [](Overlay& o) { o.rows.step += -1; },
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
     [](Overlay& o) { o.settings.flip(&Settings::scope_history); },
     {key('h')}, Pad::kNone, nullptr, nullptr, false, on_scope},
    {"scope_log_axis", "Scope: the histogram's logarithmic axis",
     [](Overlay& o) { o.settings.flip(&Settings::scope_log_axis); },
     {key('l')}, Pad::kNone, nullptr, nullptr, false, on_scope},
    {"scope_calls", "Scope: choose calls, or a frame", nullptr, {}, Pad::kNone,
     "drag over the histogram, click on its graph"},
    {"scope_part", "Scope: calls of one object or thread", nullptr, {}, Pad::kNone, "click on a row of the list"},
    {"message_frame", "Messages: its frame on the lanes", nullptr, {}, Pad::kNone, "click on a message"},
    {"fold_recursion", "Tree, Flame: fold recursion, or keep it", [](Overlay& o) { fold_recursion(o); },
     {key('r')}, Pad::kNone, nullptr, nullptr, false, on_calls},
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

void handle_keys(Overlay& o) {
  o.rows.begin_frame(o.pages.index());
  if (!o.takes_input) return;
  const bool menu_open = o.menu.open();
  const bool here = ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) ||
                    ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || o.window.help_open || menu_open;
  // An active overlay has the keys wherever the mouse is, unless another window of ImGui has the focus.
  if (!here && !(o.window.active() && !ImGui::IsWindowFocused(ImGuiFocusedFlags_AnyWindow))) return;
  claim_keyboard();
  // A text field gets the keys, and so does a menu; and the key that is being chosen must not also act. The menu that opens by
  // itself takes no more than it needs, and any other key closes it.
  LaneMenu& menu = lanes_of(o).mouse.menu;
  const bool measured = menu_open && menu.shows_measured();
  if (ImGui::IsAnyItemActive() || o.panel.choosing_key()) return;
  if (menu_open && !measured) return;
  if (o.files.dialog != FileDialog::kNone || o.filter.wants_keys()) return;
  const bool both = pad_down(Pad::kL1) && pad_down(Pad::kR1);
  o.pad.bumper_used = both || (o.pad.bumper_used && (o.pad.left_down || o.pad.right_down));
  handle_sticks(o, o.pad);
  if (o.window.help_pressed != UINT32_MAX) press_help_line(o);
  o.filter.early.begin();
  const bool list = o.window.help_open || o.panel.open;
  if (list && !measured) handle_list(o, o.panel, o.window);
  for (uint32_t i = 0; i < kActionCount; ++i) {
    if (!acts(o, kActionTable[i], list || measured)) continue;
    kActionTable[i].run(o);
    menu.close_measured = measured;
  }
  for (uint32_t i = 0; i < kPageCount; ++i) {
    if (!key_pressed(key_of(kPages[i].key))) continue;
    o.pages.open(i);
    menu.close_measured = measured;
  }
}

void handle_mode_keys(Overlay& o) {
  // What was begun in an active overlay ends with that.
  if (o.window.mode != OverlayMode::kActive) {
    o.panel.choosing = -1;
    o.pad = PadState();
  }
  // A text field gets the keys that it has a use for, and the key that is being chosen must not also act.
  const bool choosing = o.panel.choosing_key(), in_text = ImGui::GetIO().WantTextInput;
  const auto acts = [&](int key) { return !choosing && (!in_text || acts_while_typing(key)); };
  const bool chord = o.settings.pad_chord && pad_down(Pad::kL1) && pad_down(Pad::kR1) && pad_pressed(Pad::kY);
  const bool key = acts(o.settings.toggle_key) && mode_key_pressed(o.settings.toggle_key);
  if (key && ImGui::GetIO().KeyCtrl && o.window.mode != OverlayMode::kOff)
    pause_or_resume(o, o.files);
  else if (chord || key)
    cycle_mode(o, o.window);
  if (acts(o.settings.save_key) && save_key_pressed(o.settings.save_key)) save_last_seconds(o, o.files);
  WindowState& window = o.window;
  const bool held = !choosing && setting_key_held(o.settings.peek_key);
  if (held && acts(o.settings.peek_key) && !window.peeking && window.mode != OverlayMode::kActive) {
    window.peeking = true;
    window.mode_before_peek = window.mode;
    set_mode(o, o.window, OverlayMode::kActive);
  } else if (!held && window.peeking) {
    window.peeking = false;
    if (window.mode == OverlayMode::kActive) set_mode(o, o.window, window.mode_before_peek);
  }
}

void handle_touch(PageContext& o, TouchGestures& touch) {
  const bool lanes = o.pages.shows("lanes") && o.takes_input;
  TouchArea area;
  const LaneCanvas& canvas = lanes_of(o).canvas;
  if (lanes) area = {canvas.x, canvas.top, canvas.width, canvas.bottom - canvas.top};
  touch.set_scale(o.unit, area);
  const Pinch pinch = touch.take_pinch();
  if (!pinch.any || !lanes) return;
  const double width = static_cast<double>(canvas.width);
  const View view = o.timeline.view();
  const double at_ns = time_at(view, static_cast<double>(pinch.x - pinch.moved_x - canvas.x), width);
  const View zoomed = zoom_view(view, at_ns, pinch.factor, o.timeline.limits());
  const double by_ns = -static_cast<double>(pinch.moved_x) / width * zoomed.duration_ns();
  o.timeline.set_view_in_run(pan_view(zoomed, by_ns, o.timeline.limits()), Timeline::Run::kZoom, ImGui::GetTime());
}

void show_help(Choice& choice, Frame& frame, WindowState& state) {
  if (!state.help_open) return;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float pad = scaled(frame, 14);
  const float scrollbar_width = ImGui::GetStyle().ScrollbarSize;
  const HelpLayout layout = layout_help(choice, frame, state, viewport->WorkSize.x - 2 * pad - scrollbar_width);
  const float height = std::min(layout.height + 2 * pad, viewport->WorkSize.y);
  const float scrollbar = height < layout.height + 2 * pad ? scrollbar_width : 0;
  const float width = std::min(layout.width + 2 * pad + scrollbar, viewport->WorkSize.x);
  // Over the middle of the overlay, as far as the viewport allows.
  const ImVec2 window = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const auto place = [](float middle, float length, float begin, float room) {
    return static_cast<float>(
        static_cast<int>(std::min(std::max(middle - length * 0.5f, begin), begin + room - length)));
  };
  ImGui::SetNextWindowPos(ImVec2(place(window.x + size.x * 0.5f, width, viewport->WorkPos.x, viewport->WorkSize.x),
                                 place(window.y + size.y * 0.5f, height, viewport->WorkPos.y, viewport->WorkSize.y)));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::SetNextWindowFocus();
  ImGui::SetNextWindowBgAlpha(1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  if (ImGui::Begin("##flamelet_help", nullptr,
                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();  // scrolls
    const float right = ImGui::GetWindowPos().x + width - scrollbar - scaled(frame, 4);
    Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
    canvas.text_fit(at.x, at.y, right - at.x, color::kTextDim, kHint);
    bool over_line = false;
    for (uint32_t i = 0; i < kDeviceCount; ++i)
      over_line = show_list(choice, frame, state, canvas, layout, i, at, right) || over_line;
    ImGui::Dummy(ImVec2(1, layout.height));
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0) && !over_line && !ImGui::IsAnyItemActive())
      state.help_open = false;
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace flamelet::ui

namespace flamelet {

using namespace ui;

void overlay_touch(Overlay* overlay, uint64_t finger, TouchPhase phase, float x, float y) {
  if (overlay == nullptr || phase > TouchPhase::kCancelled) return;
  overlay->touch.touch(finger, static_cast<TouchGestures::Phase>(phase), x, y, ImGui::GetTime());
}

void overlay_apply_touch(Overlay* overlay) {
  TouchMouse mouse;
  if (overlay == nullptr || !overlay->touch.next_frame(ImGui::GetTime(), &mouse)) return;
  if (mouse.present)
    put_mouse(mouse.x, mouse.y);
  else
    put_mouse_nowhere();
  for (int button = 0; button < 2; ++button) put_mouse_button(button, mouse.down[button]);
}

}  // namespace flamelet
