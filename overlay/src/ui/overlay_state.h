// SPDX-License-Identifier: MIT
//
// overlay_state.h: everything that an overlay remembers from one frame to the next. It lies at the start of the one
// block that the overlay allocates; the arrays inside it lie behind it, and the capture behind those.
#ifndef FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
#define FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H

#include "flamelet/overlay.h"
#include "ui/calls_view.h"
#include "ui/capture_files.h"
#include "view/frame_bars.h"
#include "view/gpu_frames.h"
#include "view/range_statistics.h"
#include "view/scope_looks.h"
#include "view/span_store.h"
#include "view/text_fit.h"
#include "view/timeline.h"

namespace flamelet::ui {

// What overlay_save_settings() writes.
struct Settings {
  int toggle_key = 0;
  int64_t budget_ns = 0;
  float bar_px = 5;          // from one frame bar to the next, at font scale 1
  bool hide_empty = false;   // lanes without a span in view
  bool show_details = true;  // the strip below the lanes
};

// One span that the user chose. By its own times, and not by an index: those change with every read.
struct SelectedSpan {
  bool valid = false;
  flamelet_lane_kind lane_kind = FLAMELET_LANE_THREAD;
  uint32_t lane_id = 0;
  flamelet_span span = {};
};

struct SelectedScope {
  bool valid = false;
  uint32_t site = 0;
  uint32_t name = 0;

  bool is(uint32_t other_site, uint32_t other_name) const { return valid && site == other_site && name == other_name; }
};

// What is under the mouse in this frame.
struct Hover {
  uint32_t lane = UINT32_MAX;     // index in SpanStore::lanes(); UINT32_MAX = none
  uint32_t block = UINT32_MAX;    // index in Overlay::blocks; UINT32_MAX = none
  uint32_t instant = UINT32_MAX;  // index among the lane's instants; UINT32_MAX = none
  bool canvas = false;            // the mouse is over the lanes
  bool bars = false;
  int64_t time_ns = 0;
};

// How often a scope ran on a lane in the shown frames, and how long in all: counted when the mouse comes to it, and not
// in every frame that it stays.
struct HoverCount {
  uint64_t generation = 0;  // of the spans
  uint32_t lane = UINT32_MAX;
  uint32_t site = 0;
  uint32_t name = 0;
  TimeWindow shown;
  uint64_t count = 0;
  int64_t total_ns = 0;
};

// Where the overlay's window was in the last frame, relative to the main viewport.
struct WindowPlace {
  bool inside = false;  // it was there, and the program's layout has no say in it
  float viewport_width = 0, viewport_height = 0;
  float x = 0, y = 0, width = 0, height = 0;
};

// The numbers are written in the settings.
enum class Tab : uint32_t { kLanes, kTable, kTree, kFlame };

// What a held mouse button does in the lanes.
enum class Drag : uint32_t { kNone, kPressed, kMeasure, kPan };

}  // namespace flamelet::ui

namespace flamelet {

struct Overlay {
  // Fixed at creation.
  flamelet_allocator allocator = {};
  void* block = nullptr;
  size_t block_bytes = 0;
  char* rest = nullptr;  // what the tables leave of the block, until the capture takes it
  size_t rest_bytes = 0;

  // What is shown.
  const flamelet_capture* capture = nullptr;
  bool live = false;  // it is the overlay's own, and is updated
  ui::CaptureFiles files;

  // Modes and settings.
  OverlayMode mode = OverlayMode::kOff;
  ui::Settings settings;
  bool settings_changed = false;
  bool choosing_key = false;
  ui::Tab tab = ui::Tab::kLanes;
  bool help_open = false;
  bool focus_window = false;  // in the next frame: it has just become active
  bool takes_input = true;    // false in a read-only overlay
  bool keeps_escape = false;  // until the key that left the active mode is released
  ui::WindowPlace window_place;
  bool in_window = false;  // overlay_show() or overlay_window() draws the window: Escape may leave it

  // Of it.
  uint64_t session = 0;  // tells one run of the recorder from the next
  ui::Timeline timeline;
  ui::SpanStore store;
  ui::ScopeLooks looks;
  ui::RangeStatistics statistics;
  ui::GpuFrames gpu;
  ui::CallsView calls;
  uint64_t read_version = 0;  // capture version of the last read of the store
  uint64_t statistics_version = 0;
  bool statistics_stale = true;
  double next_refresh_s = 0;  // ImGui time of the next step along, while live
  double next_statistics_s = 0;
  char filter[128] = {};
  bool focus_filter = false;
  bool filter_stale = false;

  // What the user chose and does.
  ui::SelectedSpan selected;
  ui::SelectedScope scope;  // of the selected span, or the row chosen in the table
  ui::Hover hover;
  ui::HoverCount hover_count;
  ui::Drag drag = ui::Drag::kNone;
  float drag_x = 0, drag_y = 0;  // where the button went down
  int drag_button = 0;
  bool drag_moved = false;  // far enough not to be a click
  ui::View drag_view;       // when it went down
  float drag_scroll = 0;
  bool open_menu = false;  // in this frame
  int menu_frame = -2;     // ImGui's number of the last frame with a menu in it
  bool open_measure_menu = false;
  int64_t measure_begin_ns = 0;  // the measured stretch; empty = none
  int64_t measure_end_ns = 0;
  ui::SelectedSpan menu_span;  // what the context menu is about
  uint32_t menu_lane_id = 0;
  flamelet_lane_kind menu_lane_kind = FLAMELET_LANE_THREAD;
  flamelet_id link_id = 0;  // the GPU span under the mouse, and the CPU scope that submitted it
  bool link_found = false;
  ui::ScopePlace link;
  bool bars_dragging = false;
  uint64_t bars_anchor = 0;    // frame index where the drag began
  uint64_t bars_newest = 0;    // held while the mouse is over the bars, so that they stand still
  bool compact_lanes = false;  // make them as tall as what is shown needs
  uint32_t bars_scroll = 0;    // frames between the right edge and the newest frame

  // Geometry of the frame being drawn.
  ui::FontMetrics metrics;
  float unit = 1;  // pixels per pixel of a 13 px font
  ui::Array<ui::Block> blocks;
  ui::Array<ui::Bar> bars;
  ui::Array<flamelet_frame_info> frames;  // those in the bars
  ui::Array<int64_t> durations;           // scratch for percentiles
  float lanes_height = 0;                 // of all of them together
  float bars_x = 0, bars_y = 0, bars_width = 0, bars_height = 0;
  float canvas_x = 0, canvas_y = 0, canvas_width = 0;  // where the time axis lies on the screen
  float merge_limit_px = 3;

  // Numbers for the truth line, the HUD and overlay_get_stats().
  OverlayStats stats = {};
  int updated_frame = -1;   // ImGui's number of the frame in which the capture was updated last
  int timed_frame = -1;     // the same for the times below
  int64_t draw_ns_now = 0;  // spent in this frame
  int64_t capture_ns_now = 0;
  uint64_t last_events = 0, last_frames = 0;
  flamelet_distribution frame_times = {};
  int64_t hud_frame_ns = 0;
  double next_numbers_s = 0;
  uint64_t dropped = 0, lost = 0, evicted = 0;
  int64_t oldest_ns = 0;  // how far back the capture reaches
};

}  // namespace flamelet

#endif  // FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
