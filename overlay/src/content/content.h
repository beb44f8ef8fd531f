// SPDX-License-Identifier: MIT
//
// content.h: what the overlay shows, and what is known of it.
#ifndef FLAMELET_OVERLAY_SRC_CONTENT_H
#define FLAMELET_OVERLAY_SRC_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#include "bars/activity.h"
#include "bars/frame_bars.h"
#include "bars/hitches.h"
#include "content/gpu_frames.h"
#include "content/numbers.h"
#include "content/point_history.h"
#include "content/range_statistics.h"
#include "counters/counter_layout.h"
#include "draw/scope_styles.h"
#include "hud/hud_numbers.h"
#include "lanes/span_store.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

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
  HudNumbers hud;
  FrameHistory history;
  Activity activity;  // in place of the history, where there are no frames
  Hitches hitches;
  bool compact_lanes = false;  // in the next frame that draws them, as tall as what is shown needs
};

inline bool has_flight(const Content& content) {
  return content.hitches.flight != nullptr;
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CONTENT_H
