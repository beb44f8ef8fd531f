// SPDX-License-Identifier: MIT
//
// The keyboard.
#include <algorithm>

#include "imgui.h"
#include "ui/actions.h"
#include "ui/canvas.h"
#include "ui/input_compat.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace flamelet::ui {

void handle_keys(Overlay& o) {
  if (!o.window.takes_input) return;
  const bool menu_open = o.window.menu_open(ImGui::GetFrameCount());
  const bool here = ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) ||
                    ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || o.window.help_open || menu_open;
  // An active overlay has the keys wherever the mouse is, unless another window of ImGui has the focus.
  if (!here && !(o.window.active() && !ImGui::IsWindowFocused(ImGuiFocusedFlags_AnyWindow))) return;
  claim_keyboard();
  // A text field gets the keys, and so does a menu; and the key that is being chosen must not also act.
  if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive() || o.panel.choosing_key() || menu_open) return;
  if (o.files.dialog != FileDialog::kNone) return;
  if (key_pressed(Key::kSpace)) toggle_pause(o);
  const int steps = static_cast<int>(key_pressed(Key::kRight, true)) - static_cast<int>(key_pressed(Key::kLeft, true));
  if (steps != 0 && ImGui::GetIO().KeyShift)
    step_spike(o, steps);
  else if (steps != 0)
    step_frame(o, steps);
  if (character_pressed('w', true) || key_pressed(Key::kUp, true) || key_pressed(Key::kPlus, true)) zoom_by(o, 0.8);
  if (character_pressed('s', true) || key_pressed(Key::kDown, true) || key_pressed(Key::kMinus, true)) zoom_by(o, 1.25);
  if (character_pressed('a', true)) pan_by(o, -0.15);
  if (character_pressed('d', true)) pan_by(o, 0.15);
  if (key_pressed(Key::kZero) || key_pressed(Key::kHome)) show_whole_frame(o);
  if (key_pressed(Key::kBackspace, true)) o.timeline.back();
  if (character_pressed('f')) zoom_to_selection(o);
  if (key_pressed(Key::kPeriod, true)) select_next_instance(o, 1);
  if (key_pressed(Key::kComma, true)) select_next_instance(o, -1);
  if (key_pressed(Key::kTab)) select_worst_instance(o);
  if (key_pressed(Key::kSlash) || find_shortcut_pressed()) o.filter.focus = true;
  if (key_pressed(Key::kQuestion)) o.window.help_open = !o.window.help_open;
  if (character_pressed('t')) o.page.turn();
  for (uint32_t i = 0; i < kPageCount; ++i)
    if (character_pressed(kPages[i].key)) o.page.open(i);
  if (o.page->keys != nullptr) o.page->keys(o);
  if (character_pressed('v')) o.settings.set(&Settings::hide_empty, !o.settings.hide_empty);
  if (character_pressed('b')) set_compared_side(o);
  if (character_pressed('p')) o.settings.set(&Settings::critical_path, !o.settings.critical_path);
  if (key_pressed(Key::kEscape)) escape(o);
}

}  // namespace flamelet::ui
