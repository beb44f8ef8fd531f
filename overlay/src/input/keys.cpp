// SPDX-License-Identifier: MIT
//
// Keyboard and gamepad, from the table of actions.
#include <math.h>

#include <algorithm>

#include "draw/canvas.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/action_table.h"
#include "input/actions.h"
#include "lanes/lanes_page.h"
#include "shell/menu.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

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

bool pad_acts(Shell& shell, const Action& action) {
  if (action.pad == Pad::kNone || action.pad >= Pad::kModeChord) return false;
  if (action.pad == Pad::kL1 || action.pad == Pad::kR1) return bumper_released(&shell.pad, action.pad);
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

// `list`: the help page or the panel is open, and has these keys; else the page's rows may have them.
bool acts(Overlay& o, const Action& action, bool list) {
  if (action.run == nullptr || action.key_setting != nullptr) return false;
  if (action.when != nullptr && !action.when(o)) return false;
  const bool not_rows = list || (page_has_rows(o) && action.when != page_has_rows);
  for (const Chord chord : action.chords)
    if (!(not_rows && is_row_key(chord)) && !(list && is_side_key(chord)) && chord_pressed(chord, action.repeats))
      return true;
  const bool taken = (not_rows && is_row_button(action.pad)) || (list && is_side_button(action.pad));
  return !taken && pad_acts(o, action);
}

void handle_sticks(Overlay& o) {
  const PadSticks sticks = pad_sticks();
  const double dt = static_cast<double>(std::min(ImGui::GetIO().DeltaTime, 0.1f));
  if (fabsf(sticks.left_x) > kStickDeadZone) pan_by(o, static_cast<double>(sticks.left_x) * kStickPan * dt);
  if (fabsf(sticks.left_y) > kStickDeadZone)
    lanes_of(o).canvas.scroll_rows -= sticks.left_y * kStickScroll * static_cast<float>(dt);
  if (fabsf(sticks.right_y) <= kStickDeadZone) return;
  zoom_by(o, exp(-static_cast<double>(sticks.right_y) * kStickZoom * dt));
  if (pad_down(Pad::kL1)) o.pad.bumper_used = true;
}

void handle_list(Overlay& o) {
  const ListKeys keys = read_list_keys();
  if (o.window.help_open) {
    if (keys.vertical != 0) move_help_row(o, keys.vertical);
    if (keys.accept) press_help_row(o);
    return;
  }
  if (keys.vertical != 0) move_setting_row(o, keys.vertical);
  if (keys.horizontal != 0) step_setting(o, keys.horizontal);
  if (keys.accept) press_setting(o);
}

}  // namespace

ListKeys read_list_keys() {
  const auto axis = [](Key less, Key more, Pad pad_less, Pad pad_more) {
    return int{key_pressed(more, true) || pad_pressed(pad_more, true)} -
           int{key_pressed(less, true) || pad_pressed(pad_less, true)};
  };
  return {axis(Key::kUp, Key::kDown, Pad::kUp, Pad::kDown), axis(Key::kLeft, Key::kRight, Pad::kLeft, Pad::kRight),
          key_pressed(Key::kEnter) || pad_pressed(Pad::kA), key_pressed(Key::kEscape) || pad_pressed(Pad::kB)};
}

void handle_keys(Overlay& o) {
  o.rows.begin_frame(o.pages.index());
  if (!o.takes_input) return;
  const bool menu_open = o.window.menu_open(ImGui::GetFrameCount());
  const bool here = ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) ||
                    ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || o.window.help_open || menu_open;
  // An active overlay has the keys wherever the mouse is, unless another window of ImGui has the focus.
  if (!here && !(o.window.active() && !ImGui::IsWindowFocused(ImGuiFocusedFlags_AnyWindow))) return;
  claim_keyboard();
  // A text field gets the keys, and so does a menu; and the key that is being chosen must not also act.
  if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive() || o.panel.choosing_key() || menu_open) return;
  if (o.files.dialog != FileDialog::kNone || o.filter.wants_keys()) return;
  const bool both = pad_down(Pad::kL1) && pad_down(Pad::kR1);
  o.pad.bumper_used = both || (o.pad.bumper_used && (o.pad.left_down || o.pad.right_down));
  handle_sticks(o);
  if (o.window.help_pressed != UINT32_MAX) press_help_line(o);
  const bool list = o.window.help_open || o.panel.open;
  if (list) handle_list(o);
  for (uint32_t i = 0; i < kActionCount; ++i)
    if (acts(o, kActionTable[i], list)) kActionTable[i].run(o);
  for (uint32_t i = 0; i < kPageCount; ++i)
    if (key_pressed(key_of(kPages[i].key))) o.pages.open(i);
}

void handle_mode_keys(Overlay& o) {
  // A text field gets the keys that it has a use for, and the key that is being chosen must not also act.
  const bool choosing = o.panel.choosing_key(), in_text = ImGui::GetIO().WantTextInput;
  const auto acts = [&](int key) { return !choosing && (!in_text || acts_while_typing(key)); };
  const bool chord = o.settings.pad_chord && pad_down(Pad::kL1) && pad_down(Pad::kR1) && pad_pressed(Pad::kY);
  const bool key = acts(o.settings.toggle_key) && mode_key_pressed(o.settings.toggle_key);
  if (key && ImGui::GetIO().KeyCtrl && o.window.mode != OverlayMode::kOff)
    toggle_pause(o);
  else if (chord || key)
    overlay_cycle_mode(&o);
  if (acts(o.settings.save_key) && save_key_pressed(o.settings.save_key)) save_last_seconds(o);
  WindowState& window = o.window;
  const bool held = !choosing && setting_key_held(o.settings.peek_key);
  if (held && acts(o.settings.peek_key) && !window.peeking && window.mode != OverlayMode::kActive) {
    window.peeking = true;
    window.mode_before_peek = window.mode;
    set_mode(o, OverlayMode::kActive);
  } else if (!held && window.peeking) {
    window.peeking = false;
    if (window.mode == OverlayMode::kActive) set_mode(o, window.mode_before_peek);
  }
}

}  // namespace flamelet::ui
