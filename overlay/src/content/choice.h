// SPDX-License-Identifier: MIT
//
// choice.h: what the user chose, wherever it is shown.
#ifndef FLAMELET_OVERLAY_SRC_CHOICE_H
#define FLAMELET_OVERLAY_SRC_CHOICE_H

#include <stdint.h>

#include "content/filter.h"
#include "content/range_statistics.h"
#include "hud/watched_scopes.h"
#include "lanes/lane_choices.h"
#include "lanes/viewport.h"
#include "settings/settings.h"

namespace flamelet::ui {

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CHOICE_H
