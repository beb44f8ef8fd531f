// SPDX-License-Identifier: MIT
//
// content.h: what the overlay shows, and what is known of it.
#ifndef FLAMELET_OVERLAY_SRC_CONTENT_H
#define FLAMELET_OVERLAY_SRC_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#include "bars/frame_bars.h"
#include "bars/hitches.h"
#include "content/filter.h"
#include "content/gpu_frames.h"
#include "content/numbers.h"
#include "content/range_statistics.h"
#include "counters/counter_table.h"
#include "draw/theme.h"
#include "hud/hud.h"
#include "lanes/span_store.h"
#include "lanes/viewport.h"
#include "settings/settings.h"

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
  // Beside a game, with a window and a HUD of its own; not `flamelet view`.
  bool has_game() const { return own != nullptr || !standing; }
  // Of a frame that gpu.waits_for().
  const char* unknown_gpu_time() const { return standing ? "not recorded" : "not known yet"; }

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
  MatchSearch search;
  ScopeCosts costs;
  Refresh costs_refresh;
  Numbers numbers;
  HudNumbers hud;
  FrameHistory history;
  Activity activity;  // in place of the history, where there are no frames
  Hitches hitches;
  bool compact_lanes = false;  // in the next frame that draws them, as tall as what is shown needs
};

// Whether the live game does not record the category of a site, because it was switched off. Not while the view is paused:
// its figures are older. And all that is switched off as text: "town", "3 categories", "all categories", or nothing.
bool is_switched_off(const Content& content, uint32_t site);
void add_switched_off(const Content& content, TextWriter* text);

inline bool has_flight(const Content& content) {
  return content.hitches.flight != nullptr;
}

// What the user chose, wherever it is shown.

// Selection: what the user chose to look at: a span, a scope, a stretch of time.

// By its own times, and not by an index: those change with every read.
struct SelectedSpan {
  bool valid = false;
  flamelet_lane_kind lane_kind = FLAMELET_LANE_THREAD;
  uint32_t lane_id = 0;
  flamelet_span span = {};
  flamelet_state_times states = {};
  int64_t ran_ns = 0;       // on a fiber's lane: without the time in which the fiber did not run
  bool self_known = false;  // its self_ns is that of the whole scope, and states are known: complete_span()
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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CONTENT_H
