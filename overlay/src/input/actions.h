// SPDX-License-Identifier: MIT
//
// actions.h: what the user can do, whatever triggers it: the mouse, a key, a menu.
#ifndef FLAMELET_OVERLAY_SRC_ACTIONS_H
#define FLAMELET_OVERLAY_SRC_ACTIONS_H

#include <string_view>

#include "draw/text.h"
#include "input/input_compat.h"
#include "shell/overlay_state.h"

// Action table: every action, with the keys, the gamepad's button, and the gestures of mouse and fingers that do it.
// Keys and gamepad run it from here (actions.cpp), and the help page lists it (help.cpp), so help is never wrong. A row of the
// help page is also a button that runs its action: so whatever a gesture does, a click does too.
//
// To add an action: a row in kActionTable[] (actions.cpp), and a test of its gestures in gestures_test.cpp. A test
// fails until there is one for each gesture.

namespace flamelet::ui {

struct Choice;
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

void set_mode(PageContext& o, WindowState& window, OverlayMode mode);
void cycle_mode(PageContext& o, WindowState& window);
void toggle_pause(Content& content, Choice& choice);
// Pauses where something was chosen that would otherwise run away.
void freeze(Content& content);
bool step_frame(Content& content, Choice& choice, int64_t by);
// Pauses on these frames, with the lanes as tall as these need them.
bool show_frames(Content& content, Choice& choice, uint64_t first, uint64_t last);
void show_whole_frame(Content& content);

// One frame more (+1) or less (-1) at the end of those that are shown.
void extend_frames(Content& content, Choice& choice, int by);
void widen_bars(Content& content, Settings& settings, int by);
// Towards older frames.
void scroll_bars(Content& content, int64_t by);

// `span` is an index into the lane's spans.
void select_span(Content& content, Choice& choice, const Lane& lane, uint32_t span);
void zoom_to(Content& content, TimeWindow target);
void zoom_by(Content& content, double factor);  // around the middle
void pan_by(Content& content, double share);    // of the view
void zoom_to_selection(Content& content, const Choice& choice);

// The next (+1) or previous (-1) span of the selected scope on the same lane, anywhere in the capture.
void select_next_instance(PageContext& o, int direction);
// The longest span of the selected scope, on any lane, anywhere in the capture.
void select_worst_instance(Content& content, Choice& choice);

// Selects it, and brings its frame and its time into sight. Pauses.
void select_and_show(Content& content, Choice& choice, const SelectedSpan& found);

// The longest span of this name in the shown frames.
bool select_by_name(Content& content, Choice& choice, std::string_view name);
// The longest span of this name that begins then, anywhere in the capture.
bool select_by_begin(Content& content, Choice& choice, std::string_view name, int64_t begin_ns);

// The span with these times and this name on a lane of the capture. The shown frame stays, also if the span began before.
bool select_span_at(Content& content, Choice& choice, uint32_t capture_lane, TimeWindow times, uint32_t name);

// The same, and brings it into sight, with its frame.
bool go_to_span(Content& content, Choice& choice, uint32_t capture_lane, TimeWindow times, uint32_t name);

// A selected span's own time is its time without those children that were read with it. Once, reads them all.
void complete_selected_span(Content& content, Choice& choice);

// One step back: what is open, then the filter, then the selection. It never gives the mouse to the game: the step too many
// would, and the next turn of the wheel were the game's.
void escape(PageContext& o, SettingsPanel& panel, WindowState& window);

// The lane of the store with this id; NULL if it is not there.
Lane* find_lane(Content& content, flamelet_lane_kind kind, uint32_t id);

void copy_span_text(Content& content, const SelectedSpan& selected);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_ACTIONS_H
