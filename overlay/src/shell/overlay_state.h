// SPDX-License-Identifier: MIT
//
// overlay_state.h: an overlay is four things: its content, what the user chose, the frame being drawn, and the shell around
// its pages. A function takes those that it needs; the pages remember the rest themselves (pages.h).
#ifndef FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
#define FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H

#include <stddef.h>
#include <string_view>

#include "bars/frame_bars.h"
#include "bars/hitches.h"
#include "content/filter.h"
#include "content/gpu_frames.h"
#include "content/point_history.h"
#include "content/range_statistics.h"
#include "counters/counter_layout.h"
#include "draw/frame.h"
#include "draw/scope_styles.h"
#include "draw/text.h"
#include "files/capture_files.h"
#include "flamelet/overlay.h"
#include "flamelet/recorder.h"
#include "hud/hud_numbers.h"
#include "hud/watched_scopes.h"
#include "imgui.h"
#include "input/touch_gestures.h"
#include "lanes/lane_choices.h"
#include "lanes/lane_rows.h"
#include "lanes/span_store.h"
#include "lanes/viewport.h"
#include "settings/settings.h"
#include "settings/settings_panel.h"
#include "shell/numbers.h"
#include "shell/pages.h"

namespace flamelet::ui {

// What the overlay shows, and what is known of it.

// How far the capture has been taken in.
struct Reading {
  uint64_t session = 0;           // tells one run of the recorder from the next
  size_t names_told = 0;          // to OverlayHost::needs_characters
  uint64_t store_version = 0;     // capture version of the last read of the spans
  double next_s = 0;              // ImGui time of the next step along, while live
  int frame = -1;                 // ImGui's number of the frame of the last update
  bool away = false;              // paused or saving: there was none
  uint64_t points_version = 0;    // capture version of the last round through the points
  int64_t piece_ns = 16000000;    // of them, read in one step
  uint32_t counters_version = 0;  // of the counters that have lanes
};

struct Content {
  // It shows the overlay's own capture, which is updated.
  bool live() const { return own != nullptr && capture == own; }

  const flamelet_capture* capture = nullptr;
  flamelet_capture* own = nullptr;  // the overlay's, of the live game; NULL if it was created with another
  bool standing = false;            // what is shown does not change: there is nothing to pause
  char title[256] = {};             // of what is standing
  Reading reading;
  Timeline timeline;
  SpanStore store;
  CounterSeries series;
  PointHistory points;
  ScopeStyles styles;
  GpuFrames gpu;
  RangeStatistics statistics;
  Refresh statistics_refresh;
  ScopeCosts costs;
  Refresh costs_refresh;
  Numbers numbers;
};

// What the user chose, wherever it is shown.

// Selection: what the user chose to look at: a span, a scope, a stretch of time.

// By its own times, and not by an index: those change with every read.
struct SelectedSpan {
  bool valid = false;
  flamelet_lane_kind lane_kind = FLAMELET_LANE_THREAD;
  uint32_t lane_id = 0;
  flamelet_span span = {};
  flamelet_state_times states = {};
  bool self_known = false;  // its self_ns is that of the whole scope, and states are known: complete_selected_span()
};

struct SelectedScope {
  bool valid = false;
  ScopeKey key;
  uint32_t object = 0;  // where objects are apart: this one alone
  bool on_gpu = false;  // its work on the GPU queues, not on the threads

  bool is(ScopeKey other) const { return valid && key == other; }
  template <typename Span>
  bool is(const Span& span, flamelet_lane_kind lane) const {
    return is(key_of(span)) && (object == 0 || object == span.object) && on_gpu == (lane == FLAMELET_LANE_GPU);
  }
  ScopePart part() const { return {key, object, on_gpu}; }
};

// An instant that was chosen on the page Messages.
struct SelectedMessage {
  bool valid = false;
  int64_t time_ns = 0;
  flamelet_lane_kind lane_kind = FLAMELET_LANE_THREAD;
  uint32_t lane_id = 0;
  uint32_t name = 0;
};

struct Selection {
  SelectedMessage message;
  SelectedSpan span;
  SelectedScope scope;         // of that span, or of a row chosen in a table
  bool objects_apart = false;  // a setting
  TimeWindow measured;         // by a drag over the lanes; empty = none

  bool any() const { return scope.valid || measures() || message.valid; }
  bool measures() const { return measured.end_ns > measured.begin_ns; }
  int64_t measured_ns() const { return measured.end_ns - measured.begin_ns; }

  void select(const SelectedSpan& chosen) {
    span = chosen;
    scope = {true, key_of(chosen.span), objects_apart ? chosen.span.object : 0, chosen.lane_kind == FLAMELET_LANE_GPU};
  }
  void select_scope(ScopePart part) {
    span = SelectedSpan();
    scope = {true, part.key, part.object, part.on_gpu};
  }
  void forget_measured() { measured = TimeWindow(); }
  void clear() {
    const bool apart = objects_apart;
    *this = Selection();
    objects_apart = apart;
  }
};

struct Choice {
  Settings settings;
  Settings initial_settings;  // what "reset" gives back
  Filter filter;
  Selection selection;
  LaneChoices lane_choices;
  WatchedScopes watched;
};

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

// From the program's allocator, or the C library's.
void* allocate_block(const flamelet_allocator& allocator, size_t size);
void release_block(const flamelet_allocator& allocator, void* block, size_t size);

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
  uint32_t menu_row = UINT32_MAX;  // of the open menu, which arrows and Enter are about
  uint32_t menu_items = 0;         // in this frame
  uint32_t menu_items_before = 0;
  bool menu_accept = false;
  int menu_frame = -2;  // ImGui's number of the last frame with a menu in it
  WindowPlace place;
  WindowPlace free_place;                                 // the last one that was neither at an edge nor full screen
  bool at_edge = false;                                   // or full screen, in the last frame
  int place_before_full = 0;                              // a WindowPlaceChoice
  float content_x = 0, content_y = 0, content_width = 0;  // on the screen

  bool active() const { return own && mode == OverlayMode::kActive; }
  bool menu_open(int frame) const { return menu_frame + 1 >= frame; }
  void set_mode(OverlayMode wanted) {
    if (wanted > OverlayMode::kActive) wanted = OverlayMode::kOff;
    focus = wanted == OverlayMode::kActive && mode != wanted;
    mode = wanted;
  }
};

// Status line: the one line below the toolbar that says what came of something: what the user did last, or a file.

// Who says something. What one says takes the place of what another said; but each takes back only its own.
enum class Speaker { kNone, kFiles, kCompare, kHitches };

class StatusLine {
 public:
  // Begins a sentence; what the writer gets is shown.
  TextWriter say(Speaker speaker, bool is_bad = false) {
    speaker_ = speaker;
    is_bad_ = is_bad;
    return TextWriter(text_, sizeof text_);
  }
  void take_back(Speaker speaker) {
    if (speaker_ == speaker) clear();
  }
  void clear() {
    text_[0] = 0;
    speaker_ = Speaker::kNone;
  }

  std::string_view text() const { return text_; }  // empty: nothing to say
  bool is_bad() const { return is_bad_; }
  bool is_of(Speaker speaker) const { return speaker_ == speaker; }

 private:
  char text_[384] = {};
  bool is_bad_ = false;
  Speaker speaker_ = Speaker::kNone;
};

// What the bumpers of a gamepad did before.
struct PadState {
  bool left_down = false, right_down = false;
  bool bumper_used = false;  // for something else than a step
};

struct Shell {
  OverlayMemory memory;
  WindowState window;
  Pages pages;
  StatusLine status;
  SettingsPanel panel;
  CaptureFiles files;
  FrameHistory history;
  Hitches hitches;
  HudNumbers hud;
  PadState pad;
  TouchGestures touch;
};

}  // namespace flamelet::ui

namespace flamelet {

struct Overlay : ui::Content, ui::Choice, ui::Frame, ui::Shell {};

namespace ui {
inline bool has_flight(const Overlay& o) {
  return o.hitches.flight != nullptr;
}
}  // namespace ui

}  // namespace flamelet

namespace flamelet::ui {

// What happens before anything is drawn: the capture takes in what is new, the timeline follows it, and the
// spans around the view are read when the ones at hand do not do. While nothing moves, nothing is read.

// At the start of a frame that draws anything, and only once if it draws several things.
void update_capture(Overlay& o);
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
// After the input was handled, because that moves the view.
void update_spans(Overlay& o);
// For the selected scope and the filter; `all_rows`: for a page that shows all scopes.
void update_statistics(Overlay& o, bool all_rows = false);

// What recording the newest of the shown frames cost the game.
void update_costs(Content& content);

// Something that is shown is still being read, a piece in each frame.
bool is_reading(const Overlay& o);

// What a page of figures is about: the measured range or the shown frames; or all that was captured.
TimeWindow wanted_range(const Overlay& o, bool whole_history);

// Another capture, or another session of it: forgets everything that was known of the content.
void reset_content(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
