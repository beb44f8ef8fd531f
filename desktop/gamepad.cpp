// SPDX-License-Identifier: MIT
#include "desktop/gamepad.h"

#include <imgui.h>

#include <algorithm>

namespace flamelet::desktop {

namespace {

constexpr float kDeadZone = 0.25f;  // a stick at rest is never exactly in the middle

// How far a stick is pushed into one of its directions.
float push(float axis, float sign) {
  return std::clamp((axis * sign - kDeadZone) / (1 - kDeadZone), 0.0f, 1.0f);
}

#if IMGUI_VERSION_NUM >= 18700

constexpr ImGuiKey kKeys[kPadButtonCount] = {
    ImGuiKey_GamepadFaceDown, ImGuiKey_GamepadFaceRight, ImGuiKey_GamepadFaceLeft, ImGuiKey_GamepadFaceUp,
    ImGuiKey_GamepadL1,       ImGuiKey_GamepadR1,        ImGuiKey_GamepadL2,       ImGuiKey_GamepadR2,
    ImGuiKey_GamepadBack,     ImGuiKey_GamepadStart,     ImGuiKey_GamepadL3,       ImGuiKey_GamepadR3,
    ImGuiKey_GamepadDpadUp,   ImGuiKey_GamepadDpadDown,  ImGuiKey_GamepadDpadLeft, ImGuiKey_GamepadDpadRight};

void tell(const Gamepad& pad) {
  ImGuiIO& io = ImGui::GetIO();
  for (int i = 0; i < kPadButtonCount; ++i) io.AddKeyEvent(kKeys[i], pad.down[i]);
  const auto stick = [&](ImGuiKey key, float axis, float sign) {
    io.AddKeyAnalogEvent(key, push(axis, sign) > 0.1f, push(axis, sign));
  };
  stick(ImGuiKey_GamepadLStickLeft, pad.left_x, -1);
  stick(ImGuiKey_GamepadLStickRight, pad.left_x, 1);
  stick(ImGuiKey_GamepadLStickUp, pad.left_y, -1);
  stick(ImGuiKey_GamepadLStickDown, pad.left_y, 1);
  stick(ImGuiKey_GamepadRStickLeft, pad.right_x, -1);
  stick(ImGuiKey_GamepadRStickRight, pad.right_x, 1);
  stick(ImGuiKey_GamepadRStickUp, pad.right_y, -1);
  stick(ImGuiKey_GamepadRStickDown, pad.right_y, 1);
}

#else  // 1.86 knows fewer

void tell(const Gamepad& pad) {
  float* inputs = ImGui::GetIO().NavInputs;
  std::fill(inputs, inputs + ImGuiNavInput_COUNT, 0.0f);
  const auto button = [&](ImGuiNavInput_ input, GamepadButton which) {
    if (pad.down[which]) inputs[input] = 1;
  };
  button(ImGuiNavInput_Activate, kPadA);
  button(ImGuiNavInput_Cancel, kPadB);
  button(ImGuiNavInput_Menu, kPadX);
  button(ImGuiNavInput_Input, kPadY);
  button(ImGuiNavInput_FocusPrev, kPadL1);
  button(ImGuiNavInput_TweakSlow, kPadL1);
  button(ImGuiNavInput_FocusNext, kPadR1);
  button(ImGuiNavInput_TweakFast, kPadR1);
  button(ImGuiNavInput_DpadUp, kPadUp);
  button(ImGuiNavInput_DpadDown, kPadDown);
  button(ImGuiNavInput_DpadLeft, kPadLeft);
  button(ImGuiNavInput_DpadRight, kPadRight);
  inputs[ImGuiNavInput_LStickLeft] = push(pad.left_x, -1);
  inputs[ImGuiNavInput_LStickRight] = push(pad.left_x, 1);
  inputs[ImGuiNavInput_LStickUp] = push(pad.left_y, -1);
  inputs[ImGuiNavInput_LStickDown] = push(pad.left_y, 1);
}

#endif

}  // namespace

void put_gamepad(const Gamepad* pad) {
  ImGuiIO& io = ImGui::GetIO();
  if (pad != nullptr)
    io.BackendFlags |= ImGuiBackendFlags_HasGamepad;
  else
    io.BackendFlags &= ~ImGuiBackendFlags_HasGamepad;
  tell(pad != nullptr ? *pad : Gamepad());
}

}  // namespace flamelet::desktop
