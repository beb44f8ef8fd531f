// SPDX-License-Identifier: MIT
//
// overlay_state.h: everything that an overlay remembers from one frame to the next: one member for each owner.
#ifndef FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
#define FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H

#include "bars/frame_history.h"
#include "bars/hitches.h"
#include "content/filter.h"
#include "content/gpu_frames.h"
#include "content/range_statistics.h"
#include "content/reading_pace.h"
#include "content/scope_costs.h"
#include "counters/counter_lanes.h"
#include "draw/scope_styles.h"
#include "draw/text_fit.h"
#include "draw/theme.h"
#include "files/capture_files.h"
#include "hud/hud_numbers.h"
#include "input/row_cursor.h"
#include "input/touch_gestures.h"
#include "lanes/critical_line.h"
#include "lanes/fiber_joins.h"
#include "lanes/flow_arrows.h"
#include "lanes/lane_choices.h"
#include "lanes/lane_mouse.h"
#include "lanes/lane_places.h"
#include "lanes/span_store.h"
#include "lanes/timeline.h"
#include "pages/calls_view.h"
#include "pages/compare/compare.h"
#include "pages/messages/messages_page.h"
#include "pages/scope/scope_view.h"
#include "pages/why/why.h"
#include "settings/settings.h"
#include "settings/settings_panel.h"
#include "shell/numbers.h"
#include "shell/overlay_memory.h"
#include "shell/pages.h"
#include "shell/selection.h"
#include "shell/window_state.h"

namespace flamelet::ui {

// How far the capture has been taken in.
struct Reading {
  uint64_t session = 0;           // tells one run of the recorder from the next
  uint64_t store_version = 0;     // capture version of the last read of the spans
  double next_s = 0;              // ImGui time of the next step along, while live
  int frame = -1;                 // ImGui's number of the frame of the last update
  uint64_t points_version = 0;    // capture version of the last round through the points
  int64_t piece_ns = 16000000;    // of them, read in one step
  uint32_t counters_version = 0;  // of the counters that have lanes
};

// What the lanes' blocks were laid out for.
struct LayoutKey {
  uint64_t spans = UINT64_MAX;  // SpanStore::generation()
  uint64_t lanes = 0;           // a hash of which are shown, and how
  TimeWindow window;
  float width_px = 0, merge_limit_px = 0;

  bool operator==(const LayoutKey& other) const {
    return spans == other.spans && lanes == other.lanes && window == other.window && width_px == other.width_px &&
           merge_limit_px == other.merge_limit_px;
  }
};

// The lanes' geometry, of the frame being drawn.
struct LaneCanvas {
  float scrolled() const { return top - y; }

  Array<Block> blocks;
  LayoutKey laid_out;
  Array<LineRect> critical_line;
  uint32_t run_line_rects = 0;    // parts of the lines that say how long threads ran
  float x = 0, y = 0, width = 0;  // where the time axis lies on the screen; y is that of the content, which scrolls
  float height = 0;               // of all lanes together
  float top = 0, bottom = 0;      // of the window in which they scroll, on the screen
  float covered = 0;              // of that window, by lanes that stay while the others scroll
  bool compact = false;           // makes the lanes as tall as what is shown needs
  uint32_t intervals_drawn = 0;   // drawn + merged = in view
  uint32_t intervals_merged = 0;
  uint32_t frame_numbers = 0;  // on the ruler
  float last_frame_number = 0;
  QuietLanes quiet;
  float scroll_rows = 0;  // keys or a stick scroll the lanes by so many rows in this frame
};

// What the bumpers of a gamepad did before.
struct PadState {
  bool left_down = false, right_down = false;
  bool bumper_used = false;  // for something else than a step
};

}  // namespace flamelet::ui

namespace flamelet {

struct Overlay {
  ui::OverlayMemory memory;
  ui::WindowState window;
  ui::Settings settings;
  ui::Settings initial_settings;  // what "reset" gives back
  ui::SettingsPanel panel;
  ui::ShownPage page;
  ui::FontMetrics metrics;
  float unit = 1;  // pixels per pixel of a 13 px font
  ui::Theme theme = {};

  // What is shown, and what is known of it.
  const flamelet_capture* capture = nullptr;
  ui::CaptureFiles files;
  ui::Reading reading;
  ui::Timeline timeline;
  ui::SpanStore store;
  ui::CounterSeries series;
  ui::PointHistory points;
  ui::ScopeStyles styles;
  ui::GpuFrames gpu;
  ui::FlowArrows flows;
  ui::FiberJoins fibers;
  ui::RangeStatistics statistics;
  ui::ReadingPace statistics_pace;
  ui::CallsView calls;
  ui::CompareView compare;
  ui::ScopeView scope;
  ui::WatchedScopes watched;
  ui::HudNumbers hud;
  ui::MessagesView messages;
  ui::ScopeCosts costs;
  ui::ReadingPace costs_pace;
  ui::Numbers numbers;
  ui::Why why;
  ui::Hitches hitches;

  // What the user chose and does.
  ui::Filter filter;
  ui::Selection selection;
  ui::LaneMouse mouse;
  ui::FrameHistory history;
  ui::LaneChoices lane_choices;
  ui::RowCursor rows;
  ui::PadState pad;
  ui::TouchGestures touch;
  ui::LaneCanvas canvas;
  ui::CounterCanvas counter_canvas;

  // It shows the overlay's own capture, which is updated.
  bool live() const { return files.own != nullptr && capture == files.own; }
};

namespace ui {
inline bool has_flight(const Overlay& o) {
  return o.hitches.flight != nullptr;
}
}  // namespace ui

}  // namespace flamelet

#endif  // FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
