// SPDX-License-Identifier: MIT
//
// overlay_state.h: an overlay is four things: its content and what the user chose (content.h), the frame being drawn
// (canvas.h), and the shell around its pages, which is here. A function takes those that it needs. What needs the first three
// takes a DrawContext; what also opens pages, or says something, takes a PageContext (pages.h). The pages remember the rest
// themselves.
#ifndef FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
#define FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H

#include <stddef.h>

#include "draw/text.h"
#include "draw/widgets.h"
#include "files/capture_files.h"
#include "flamelet/overlay.h"
#include "flamelet/recorder.h"
#include "imgui.h"
#include "input/input_compat.h"
#include "input/touch_gestures.h"
#include "pages/pages.h"
#include "settings/settings.h"

// The panel with all settings, over the right side of the page. It is drawn from the table of settings.

namespace flamelet::ui {

// Limit rows: the limits of the overlay, its capture and the recorder, with what is used of each. One table, from which
// the panel of settings draws them. A test compares it with OverlayConfig and the structs of numbers.

struct Fill {
  uint64_t used = 0, limit = 0;
};

// What the rows are read from.
struct LimitSources {
  const PageContext& o;
  const OverlayConfig& limits;
  flamelet_capture_stats capture;
  flamelet_stats recorder;
};

enum class LimitOf : uint32_t { kOverlay, kCapture, kRecorder };

struct LimitRow {
  LimitOf of;
  const char* name;  // of the member that has it: of OverlayConfig, flamelet_capture_stats or flamelet_stats
  const char* label;
  Fill (*read)(const LimitSources& sources);
  bool bytes = false;
};

constexpr uint32_t kMostLimits = 24;
extern const LimitRow kLimitTable[];
extern const uint32_t kLimitCount;

// As they were a quarter of a second ago at most: numbers that change with every frame cannot be read.
struct ToldFills {
  Fill fills[kMostLimits];
  double next_s = 0;  // ImGui time
};

// Panel rows: every row of the panel of settings that arrows reach, in one numbering: first those of kSettingTable, then
// the buttons, then the categories.

// The last two stand over the categories, and are there with them.
enum class PanelButton : uint32_t { kReset, kClose, kAllCategories, kNoCategory };
constexpr uint32_t kPanelButtons = 4;

// The categories of this process's recorder, sorted by name.
struct Categories {
  flamelet_category list[FLAMELET_MAX_CATEGORIES];
  uint32_t count = 0;
};
// Empty where the capture is not the live game's.
void read_categories(const Content& content, Categories* categories);

inline uint32_t row_of(PanelButton button) {
  return kSettingCount + static_cast<uint32_t>(button);
}
inline uint32_t row_of_category(uint32_t category) {
  return kSettingCount + kPanelButtons + category;
}
uint32_t panel_row_count(const Content& content);

struct SettingsPanel {
  bool open = false;
  uint32_t row = 0;        // what arrows and Enter are about
  int choosing = -1;       // the setting whose key is the next one that is pressed; -1 = none
  int choosing_since = 0;  // ImGui's number of a frame: the key that began it does not count
  int typing = -1;         // the setting whose number is typed; -1 = none
  double typed = 0;        // what stands in its field
  bool bring_row = false;  // scrolls it into sight
  bool resets = false;     // all settings, at the next press of that button: it asks once
  OverlayConfig limits;    // only its numbers: they stand since the overlay was created
  ToldFills told;

  bool choosing_key() const { return choosing >= 0; }
};

void toggle_settings_panel(SettingsPanel& panel);
// After the page, so that it lies over it.
void show_settings_panel(PageContext& o, SettingsPanel& panel, float top, float bottom);

// One row up or down; one step less or more; what Enter does.
void move_setting_row(const Content& content, SettingsPanel& panel, int by);
void step_setting(Content& content, Choice& choice, SettingsPanel& panel, int by);
void press_setting(Content& content, Choice& choice, SettingsPanel& panel);

void write_settings_panel_state(const Content& content, const Settings& settings, const SettingsPanel& panel,
                                JsonObject* json);

// Overlay memory: the one block of an overlay. The overlay lies at its start, its tables behind it, and its own capture
// takes the rest.

struct OverlayMemory {
  static constexpr size_t kAlignment = FLAMELET_PAGE_BYTES;  // what a capture asks for

  flamelet_allocator allocator = {};
  void* block = nullptr;
  size_t block_bytes = 0;
  char* rest = nullptr;  // what the tables leave of the block, until the capture takes it
  size_t rest_bytes = 0;

  // For the overlay's own capture. The capture itself lies in the rest of the block. What it asks for later, to be saved,
  // comes from the program's allocator, on whichever thread saves it.
  flamelet_allocator capture_allocator();
};

// Window state: how the overlay stands in the program: its mode, who has the input, where its window is.

// Where the overlay's window stands, as the user wants it.
enum class WindowPlaceChoice : int { kFree, kTop, kBottom, kFullScreen, kOwnWindow };
#ifdef IMGUI_HAS_VIEWPORT
constexpr uint32_t kWindowPlaceCount = 5;  // a window of the system, where the program's ImGui has them
#else
constexpr uint32_t kWindowPlaceCount = 4;
#endif

// Where the overlay's window was in the last frame, relative to the main viewport.
struct WindowPlace {
  bool inside = false;  // it was there, and the program's layout has no say in it
  float viewport_width = 0, viewport_height = 0;
  float x = 0, y = 0, width = 0, height = 0;
};

struct WindowState {
  OverlayMode mode = OverlayMode::kOff;
  bool own = false;    // overlay_show() or overlay_window() draws the window
  bool focus = false;  // in the next frame: it has just become active
  bool help_open = false;
  uint32_t help_row = 0;               // in kActionTable: what arrows and Enter are about
  bool bring_help_row = false;         // scrolls it into sight
  uint32_t help_pressed = UINT32_MAX;  // to be done in the next frame
  bool open_file_menu = false;         // in this frame
  bool peeking = false;                // active only while a key is held
  OverlayMode mode_before_peek = OverlayMode::kOff;
  WindowPlace place;
  WindowPlace free_place;     // the last one that was neither at an edge nor full screen
  bool at_edge = false;       // or full screen, in the last frame
  int place_before_full = 0;  // a WindowPlaceChoice

  bool active() const { return own && mode == OverlayMode::kActive; }
  void set_mode(OverlayMode wanted) {
    if (wanted > OverlayMode::kActive) wanted = OverlayMode::kOff;
    focus = wanted == OverlayMode::kActive && mode != wanted;
    mode = wanted;
  }
};

// What the bumpers of a gamepad did before.
struct PadState {
  bool left_down = false, right_down = false;
  bool bumper_used = false;  // for something else than a step
};

struct Shell {
  OverlayMemory memory;
  WindowState window;
  SettingsPanel panel;
  CaptureFiles files;
  PadState pad;
  TouchGestures touch;
};

}  // namespace flamelet::ui

namespace flamelet {

struct Overlay : ui::PageContext, ui::Shell {};

}  // namespace flamelet

namespace flamelet::ui {

void set_mode(PageContext& o, WindowState& window, OverlayMode mode);
void cycle_mode(PageContext& o, WindowState& window);

// What happens before anything is drawn: the capture takes in what is new, the timeline follows it, and the
// spans around the view are read when the ones at hand do not do. While nothing moves, nothing is read.

// What the program shares must not move while it is looked at, or read by the thread that saves it. In every call that may
// pause, go on or save: the program may update the capture right after it.
class Hold {
 public:
  explicit Hold(Overlay& o) : o_(o) {}
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Overlay& o_;
};

// Something that is shown is still being read, a piece in each frame.
bool is_reading(const PageContext& o, const CaptureFiles& files);

// The parts of the window around its pages, from top to bottom. Each draws at the cursor of the current ImGui window and
// handles the mouse over itself.

void show_toolbar(Overlay& o);
// The middle of the button "File" on the screen.
void file_button_place(const PageContext& o, float* x, float* y);
// The middle of a page's button.
void page_button_place(const PageContext& o, uint32_t page, float* x, float* y);
// Then the shown page, and below it:
void show_details(PageContext& o, const WindowState& window);
void show_truth_line(PageContext& content, const CaptureFiles& files);

void show_help(Choice& choice, Frame& frame, WindowState& state);

float details_height(const Settings& settings, const Frame& frame);

// Keyboard and gamepad in an active overlay; and what works in every mode.
void handle_keys(Overlay& o);
void handle_mode_keys(Overlay& o);
// What two fingers did over the lanes.
void handle_touch(PageContext& o, TouchGestures& touch);

// Every action, with the keys, the gamepad's button, and the gestures of mouse and fingers that do it.
// Keys and gamepad run it from here, and the help page lists it, so help is never wrong. A row of the help page is also a button that runs its action: so whatever a gesture does, a click does too.
//
// To add an action: a row in kActionTable[] (action_table.cpp), and a test of its gestures in gestures_test.cpp. A test
// fails until there is one for each gesture.

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

#endif  // FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
