// SPDX-License-Identifier: MIT
//
// action_table.h: every action, with the keys, the gamepad's button, and the gestures of mouse and fingers that do it.
// Keys and gamepad run it from here, and the help page lists it, so help is never wrong. A row of the help page is also a button that runs its action: so whatever a gesture does, a click does too.
//
// To add an action: a row in kActionTable[] (action_table.cpp), and a test of its gestures in gestures_test.cpp. A test
// fails until there is one for each gesture.
#ifndef FLAMELET_OVERLAY_SRC_ACTION_TABLE_H
#define FLAMELET_OVERLAY_SRC_ACTION_TABLE_H

#include "draw/text.h"
#include "input/input_compat.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

constexpr uint32_t kMostChords = 3;

struct Action {
  const char* name;  // for tests and docs
  // What it does, as help says it. NULL: the other half of the row before, which says it of both ("zoom in, out").
  const char* effect;
  // NULL: where the gesture happens matters, so only the mouse or a finger does it.
  void (*run)(Overlay& o);
  Chord chords[kMostChords] = {};
  Pad pad = Pad::kNone;
  const char* mouse = nullptr;  // gestures, separated by ", "
  const char* touch = nullptr;
  bool repeats = false;                          // while the key is held
  bool (*when)(const PageContext& o) = nullptr;  // NULL = always
  const char* key_setting = nullptr;             // its key is a setting (Setting::name), and works in every mode
};

// The page has a list: arrows and Enter are about its rows, and not what other actions do with them.
bool page_has_rows(const PageContext& o);

extern const Action kActionTable[];
extern const uint32_t kActionCount;

// The devices of the help page.
enum class Device : uint32_t { kKeys, kMouse, kGamepad, kTouch };
constexpr uint32_t kDeviceCount = 4;

// How a device does a row of the help page: the gestures of the action and its other half. Empty: it does not.
void write_gestures(const Choice& choice, uint32_t action, Device device, TextWriter* text);
// The action and its other half: [action, end).
uint32_t row_end(uint32_t action);

// Whether the program lets ImGui's backend read one.
bool gamepad_enabled();

void write_chord(Chord chord, TextWriter* text);
const char* pad_name(Pad pad);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_ACTION_TABLE_H
