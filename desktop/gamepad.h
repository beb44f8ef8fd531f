// SPDX-License-Identifier: MIT
//
// gamepad.h: the first gamepad that has the usual buttons. Dear ImGui's backends read one by the numbers of its driver in old
// versions and in browsers, so that buttons get mixed up; here they have names. Main thread.
#pragma once

namespace flamelet::desktop {

// By the places of an Xbox pad's.
enum GamepadButton {
  kPadA,
  kPadB,
  kPadX,
  kPadY,
  kPadL1,
  kPadR1,
  kPadL2,
  kPadR2,
  kPadBack,
  kPadStart,
  kPadL3,
  kPadR3,
  kPadUp,
  kPadDown,
  kPadLeft,
  kPadRight,
  kPadButtonCount
};

struct Gamepad {
  bool down[kPadButtonCount] = {};
  float left_x = 0, left_y = 0, right_x = 0, right_y = 0;  // -1 to 1; right and down are positive
};

// False if there is none. While GLFW runs (gl_window.cpp, browser/gl_window.cpp).
bool read_gamepad(Gamepad* pad);
// Tells ImGui of the pad, or that there is none. Between the backend's NewFrame and ImGui::NewFrame().
void put_gamepad(const Gamepad* pad);

}  // namespace flamelet::desktop
