// SPDX-License-Identifier: MIT
//
// hands.h: keys, gamepad and fingers for a headless ImGui, by the names of the overlay's table of actions.
#pragma once

#include "overlay/headless_imgui.h"
#include "shell/overlay_state.h"

namespace flamelet_tests {

using flamelet::ui::Chord;
using flamelet::ui::Key;
using flamelet::ui::Pad;

inline void set_modifier(uint8_t modifier, bool down) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
  if (modifier == flamelet::ui::kShift) io.KeyShift = down;
  if (modifier == flamelet::ui::kCtrl) io.KeyCtrl = down;
  if (modifier == flamelet::ui::kAlt) io.KeyAlt = down;
#elif IMGUI_VERSION_NUM >= 18900
  io.AddKeyEvent(modifier == flamelet::ui::kShift  ? ImGuiMod_Shift
                 : modifier == flamelet::ui::kCtrl ? ImGuiMod_Ctrl
                                                   : ImGuiMod_Alt,
                 down);
#else
  io.AddKeyEvent(modifier == flamelet::ui::kShift  ? ImGuiKey_ModShift
                 : modifier == flamelet::ui::kCtrl ? ImGuiKey_ModCtrl
                                                   : ImGuiKey_ModAlt,
                 down);
#endif
}

inline void set_modifiers(uint8_t modifiers, bool down) {
  for (const uint8_t modifier : {flamelet::ui::kShift, flamelet::ui::kCtrl, flamelet::ui::kAlt})
    if ((modifiers & modifier) != 0) set_modifier(modifier, down);
}

inline ImGuiKey imgui_key(Key key) {
  static constexpr ImGuiKey kNamed[] = {ImGuiKey_Space,     ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                                        ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,   ImGuiKey_Tab,
                                        ImGuiKey_Backspace, ImGuiKey_Escape,    ImGuiKey_Home,       ImGuiKey_Enter};
  if (key >= Key::kSpace) return kNamed[static_cast<int>(key) - static_cast<int>(Key::kSpace)];
#if IMGUI_VERSION_NUM >= 18700
  const int c = static_cast<int>(key);
  switch (key) {
    case Key::kComma:
      return ImGuiKey_Comma;
    case Key::kMinus:
      return ImGuiKey_Minus;
    case Key::kPeriod:
      return ImGuiKey_Period;
    case Key::kSlash:
    case Key::kQuestion:
      return ImGuiKey_Slash;
    case Key::kPlus:
      return ImGuiKey_Equal;
    default:
      return static_cast<ImGuiKey>(c >= 'a' ? ImGuiKey_A + (c - 'a') : ImGuiKey_0 + (c - '0'));
  }
#else
  return -1;
#endif
}

// False if this version of ImGui cannot be told of the key without a backend.
inline bool set_chord(Chord chord, bool down) {
  const uint8_t modifiers = chord.key == Key::kQuestion ? flamelet::ui::kShift : chord.modifiers;
  if (down) set_modifiers(modifiers, true);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(imgui_key(chord.key), down);
#else
  if (chord.key >= Key::kSpace)
    ImGui::GetIO().KeysDown[imgui_key(chord.key)] = down;
  else if ((chord.modifiers & flamelet::ui::kCtrl) != 0)
    return false;
  else if (down)
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(chord.key));
#endif
  if (!down) set_modifiers(modifiers, false);
  return true;
}

inline bool press_chord(OverlayPlayer* player, Chord chord) {
  if (!set_chord(chord, true)) return false;
  player->frames();
  set_chord(chord, false);
  player->frames(2);
  return true;
}

// ImGui 1.86 has no more than these.
inline bool knows_pad(Pad pad) {
#if IMGUI_VERSION_NUM >= 18700
  return pad != Pad::kNone;
#else
  return pad != Pad::kNone && pad <= Pad::kR1;
#endif
}

// A backend says that there is one; from 1.89 on, ImGui forgets the buttons of one that is not there.
inline void plug_pad() {
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasGamepad;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableGamepad;  // as the docs tell programs
}

inline void set_pad(Pad pad, bool down) {
  plug_pad();
  const int i = static_cast<int>(pad);
#if IMGUI_VERSION_NUM >= 18700
  static constexpr ImGuiKey kKeys[] = {ImGuiKey_None,
                                       ImGuiKey_GamepadFaceDown,
                                       ImGuiKey_GamepadFaceRight,
                                       ImGuiKey_GamepadFaceLeft,
                                       ImGuiKey_GamepadFaceUp,
                                       ImGuiKey_GamepadDpadUp,
                                       ImGuiKey_GamepadDpadDown,
                                       ImGuiKey_GamepadDpadLeft,
                                       ImGuiKey_GamepadDpadRight,
                                       ImGuiKey_GamepadL1,
                                       ImGuiKey_GamepadR1,
                                       ImGuiKey_GamepadL2,
                                       ImGuiKey_GamepadR2,
                                       ImGuiKey_GamepadL3,
                                       ImGuiKey_GamepadR3,
                                       ImGuiKey_GamepadBack,
                                       ImGuiKey_GamepadStart};
  ImGui::GetIO().AddKeyEvent(kKeys[i], down);
#else
  static constexpr int kInputs[] = {-1,
                                    ImGuiNavInput_Activate,
                                    ImGuiNavInput_Cancel,
                                    ImGuiNavInput_Menu,
                                    ImGuiNavInput_Input,
                                    ImGuiNavInput_DpadUp,
                                    ImGuiNavInput_DpadDown,
                                    ImGuiNavInput_DpadLeft,
                                    ImGuiNavInput_DpadRight,
                                    ImGuiNavInput_FocusPrev,
                                    ImGuiNavInput_FocusNext};
  ImGui::GetIO().NavInputs[kInputs[i]] = down ? 1.0f : 0.0f;
#endif
}

// ImGui 1.86 forgets its gamepad after each frame: a backend tells it anew.
inline void pad_frames(OverlayPlayer* player, std::initializer_list<Pad> held, int count = 1) {
  for (int i = 0; i < count; ++i) {
#if IMGUI_VERSION_NUM < 18700
    for (const Pad pad : held) set_pad(pad, true);
#else
    if (i == 0)
      for (const Pad pad : held) set_pad(pad, true);
#endif
    player->frames();
  }
}

inline void press_pad(OverlayPlayer* player, Pad pad) {
  pad_frames(player, {pad});
#if IMGUI_VERSION_NUM >= 18700
  set_pad(pad, false);
#endif
  player->frames(2);
}

// The sticks, for so many frames. Right and up are positive.
inline void push_sticks(OverlayPlayer* player, float left_x, float left_y, float right_y, int count = 10) {
  for (int i = 0; i < count; ++i) {
    ImGuiIO& io = ImGui::GetIO();
    plug_pad();
#if IMGUI_VERSION_NUM >= 18700
    const auto axis = [&](ImGuiKey less, ImGuiKey more, float value) {
      io.AddKeyAnalogEvent(less, value < 0, value < 0 ? -value : 0);
      io.AddKeyAnalogEvent(more, value > 0, value > 0 ? value : 0);
    };
    const bool last = i + 1 == count;
    axis(ImGuiKey_GamepadLStickLeft, ImGuiKey_GamepadLStickRight, last ? 0 : left_x);
    axis(ImGuiKey_GamepadLStickDown, ImGuiKey_GamepadLStickUp, last ? 0 : left_y);
    axis(ImGuiKey_GamepadRStickDown, ImGuiKey_GamepadRStickUp, last ? 0 : right_y);
#else
    const float y = right_y != 0 ? right_y : left_y;
    if (right_y != 0) io.NavInputs[ImGuiNavInput_FocusPrev] = 1;  // the left stick zooms while L1 is held
    io.NavInputs[ImGuiNavInput_LStickLeft] = left_x < 0 ? -left_x : 0;
    io.NavInputs[ImGuiNavInput_LStickRight] = left_x > 0 ? left_x : 0;
    io.NavInputs[ImGuiNavInput_LStickUp] = y > 0 ? y : 0;
    io.NavInputs[ImGuiNavInput_LStickDown] = y < 0 ? -y : 0;
#endif
    player->frames();
  }
  player->frames(2);
}

}  // namespace flamelet_tests
