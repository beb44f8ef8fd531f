// SPDX-License-Identifier: MIT
//
// actions.h: what the user can do, whatever triggers it: the mouse, a key, a menu. Keys and buttons: action_table.cpp.
#ifndef FLAMELET_OVERLAY_SRC_ACTIONS_H
#define FLAMELET_OVERLAY_SRC_ACTIONS_H

#include <string_view>

#include "content/content.h"

namespace flamelet::ui {

struct PageContext;

void toggle_pause(Content& content, Choice& choice);
// Pauses where something was chosen that would otherwise run away.
void freeze(Content& content);
bool step_frame(Content& content, Choice& choice, int64_t by);
// Pauses on the next frame over the budget, or with -1 on the one before. False, and nothing is done, if there is none.
bool step_over_budget(Content& content, Choice& choice, int64_t budget_ns, int by);
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
// The longest one in the measured time or the shown frames, by its time there. Other frames are not shown.
void select_worst_shown(Content& content, Choice& choice);

// Selects it, and brings its frame and its time into sight. Pauses.
void select_and_show(Content& content, Choice& choice, const SelectedSpan& found);

// What a lock's waits are, "lock" or "shared lock": two scopes of one name. Empty of other scopes.
std::string_view kind_of(const Content& content, ScopeKey scope);
// As it is shown. An empty kind: whatever it is.
struct ScopeName {
  ScopeName(std::string_view scope_name, std::string_view wait_kind = {}) : name(scope_name), kind(wait_kind) {}
  std::string_view name, kind;
};

// The longest span of this name that begins in the shown frames; if none does, that goes on there.
bool select_by_name(Content& content, Choice& choice, ScopeName name);
// The frame nearest to the shown ones in which a span of this name begins. Reads the whole capture.
bool find_nearest_frame(Content& content, ScopeName name, uint64_t* index);
// The longest span of this name that begins then, anywhere in the capture.
bool select_by_begin(Content& content, Choice& choice, ScopeName name, int64_t begin_ns);

// The span with these times and this name on a lane of the capture. The shown frame stays, also if the span began before.
bool select_span_at(Content& content, Choice& choice, uint32_t capture_lane, TimeWindow times, uint32_t name);

// The same, and brings it into sight, with its frame.
bool go_to_span(Content& content, Choice& choice, uint32_t capture_lane, TimeWindow times, uint32_t name);

// A span's own time is its time without those children that were read with it. Once, reads them all.
void complete_span(Content& content, SelectedSpan& selected);

// The lane of the store with this id; NULL if it is not there.
Lane* find_lane(Content& content, flamelet_lane_kind kind, uint32_t id);

void copy_span_text(Content& content, SelectedSpan selected);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_ACTIONS_H
