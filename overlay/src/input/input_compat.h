// SPDX-License-Identifier: MIT
//
// input_compat.h: keyboard, gamepad and pointer, over all the versions of ImGui. 1.87 named every key; 1.86 names a few,
// numbers the others as the backend does, passes typed characters on, and has gamepads as io.NavInputs. Nothing else in
// the overlay knows about that.
#ifndef FLAMELET_OVERLAY_SRC_INPUT_COMPAT_H
#define FLAMELET_OVERLAY_SRC_INPUT_COMPAT_H

#include <stdint.h>

namespace flamelet::ui {

// Letters (small), digits and these signs are their ASCII codes; typed characters will do for them.
enum class Key : uint8_t {
  kNone = 0,
  kComma = ',',
  kMinus = '-',
  kPeriod = '.',
  kSlash = '/',
  kZero = '0',
  kPlus = '=',
  kQuestion = '?',
  kSpace = 128,
  kLeft,
  kRight,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kTab,
  kBackspace,
  kEscape,
  kHome,
  kEnter,
};
constexpr Key key_of(char c) {
  return static_cast<Key>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

constexpr uint8_t kShift = 1;
constexpr uint8_t kCtrl = 2;
constexpr uint8_t kAlt = 4;

struct Chord {
  Key key = Key::kNone;
  uint8_t modifiers = 0;

  bool operator==(const Chord& other) const { return key == other.key && modifiers == other.modifiers; }
};

// Pressed in this frame, with just these modifiers at that time; auto-repeat included if `repeat`. With signs Shift does
// not count: keyboards differ. Caps Lock never does.
bool chord_pressed(Chord chord, bool repeat = false);
// The same without modifiers.
bool key_pressed(Key key, bool repeat = false);

// A key of the settings: an ImGuiKey, or in 1.86 an index of io.KeysDown; negative = none. For the program's mode key 0
// is F1, for the key that saves F2; for one that is held 0 is none.
bool mode_key_pressed(int key);
bool save_key_pressed(int key);
bool setting_key_held(int key);
// A text field has no use for it, such as F1: it acts also while the user types. `key` as for the mode key.
bool acts_while_typing(int key);
// Any key that went down in this frame, for the user to choose one; 0 = none.
int find_pressed_key();
// What to call them; never NULL.
const char* mode_key_name(int key);
const char* save_key_name(int key);
const char* held_key_name(int key);

// A gamepad, by the places of its buttons: A is the lowest of the four. ImGui 1.86 knows those up to kR1.
enum class Pad : uint8_t {
  kNone,
  kA,
  kB,
  kX,
  kY,
  kUp,
  kDown,
  kLeft,
  kRight,
  kL1,
  kR1,
  kL2,
  kR2,
  kL3,
  kR3,
  kBack,
  kStart,
  // Names of gestures, which are no buttons:
  kModeChord,
  kLeftStickX,
  kLeftStickY,
  kRightStick,
};
bool pad_pressed(Pad button, bool repeat = false);
bool pad_down(Pad button);
struct PadSticks {
  float left_x = 0, left_y = 0;  // -1 to 1; right and up are positive
  float right_y = 0;
};
// Without a right stick (ImGui 1.86), the left one's second axis is the right one's while L1 is held.
PadSticks pad_sticks();

// The mouse as if it had moved there, or had one more button pressed or released, for touch. Nowhere: after a finger.
void put_mouse(float x, float y);
void put_mouse_nowhere();
void put_mouse_button(int button, bool down);

// What is typed before a text field has the keyboard that it was promised: the field gets it then.
class EarlyText {
 public:
  // `sign`: the key that asks for the field types it.
  explicit EarlyText(char sign) : sign_(sign) {}
  // Before the commands of a frame: what follows the sign is the field's, and no command.
  void begin();
  // In each frame from the promise on, before the field is shown; `has_keyboard`: the field, when this frame began.
  void pass(bool has_keyboard);

 private:
  void hold(int begin);

  static constexpr int kMost = 24;
  uint32_t characters_[kMost];
  int count_ = 0;
  char sign_;
};

// Tells the program, from now to the end of the next frame, that the overlay uses the keyboard.
void claim_keyboard();

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_INPUT_COMPAT_H
