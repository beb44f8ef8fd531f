// SPDX-License-Identifier: MIT
//
// input_compat.h: the keyboard, over all the versions of ImGui. 1.87 named every key; 1.86 names a few, numbers the
// others as the backend does, and passes typed characters on. Nothing else in the overlay knows about that.
#ifndef FLAMELET_OVERLAY_SRC_INPUT_COMPAT_H
#define FLAMELET_OVERLAY_SRC_INPUT_COMPAT_H

namespace flamelet::ui {

enum class Key {
  kSpace,
  kLeft,
  kRight,
  kUp,
  kDown,
  kTab,
  kBackspace,
  kEscape,
  kHome,
  kEnter,
  // From here on typed characters will do.
  kPeriod,
  kComma,
  kSlash,
  kQuestion,
  kZero,
  kPlus,
  kMinus,
  kCount
};

// Pressed in this frame, auto-repeat included if `repeat`.
bool key_pressed(Key key, bool repeat = false);
// A small letter or a digit, without Ctrl.
bool character_pressed(char c, bool repeat = false);
bool find_shortcut_pressed();  // Ctrl+F
bool escape_held();

// The program's mode key: an ImGuiKey, or in 1.86 an index of io.KeysDown. 0 = the default, F1; negative = none.
bool mode_key_pressed(int key);
// The key that saves, in the same way; the default is F2.
bool save_key_pressed(int key);
// Any key that went down in this frame, for the user to choose one; 0 = none.
int find_pressed_key();
// What to call them; never NULL.
const char* mode_key_name(int key);
const char* save_key_name(int key);

// Tells the program, for the next frame, that the overlay uses the keyboard.
void claim_keyboard();

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_INPUT_COMPAT_H
