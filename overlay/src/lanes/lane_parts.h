// SPDX-License-Identifier: MIT
//
// lane_parts.h: the parts of the page Lanes. (x, y) is where the content begins, which scrolls.
#ifndef FLAMELET_OVERLAY_SRC_LANE_PARTS_H
#define FLAMELET_OVERLAY_SRC_LANE_PARTS_H

#include "draw/widgets.h"
#include "flamelet/capture.h"
#include "lanes/lane_choices.h"
#include "lanes/lanes_page.h"

namespace flamelet::ui {

class Why;

inline float lane_gap(const Frame& frame) {
  return scaled(frame, 6);
}

// A colour that the user chose: LaneChoice::color.
inline Rgb lane_color(uint8_t chosen) {
  return theme().scopes[(chosen - 1u) * (kScopeColorCount / LaneChoices::kColors)];
}

// Only what lies between clip_top and clip_bottom.
void draw_lanes(DrawContext& o, const Why& why, LanesPage& page, float x, float y, float clip_top, float clip_bottom);
// Lines at the ruler's ticks, at the frames' borders and at the budget, behind the blocks.
void draw_grid(const DrawContext& o, const LanesPage& page, Canvas& canvas, float top, float bottom);
// The time that the user measures, over all else.
void draw_measured_time(const DrawContext& o, const LanesPage& page, Canvas& canvas, float top, float bottom);
// The triangle before a lane's label. (x, top) is the label's row.
void draw_fold_arrow(const Frame& frame, Canvas& canvas, const Lane& lane, float x, float top);
// The height of the critical path's line, which lies at the bottom of a row.
inline float critical_thickness(const Frame& frame) {
  return scaled(frame, 2);
}
// The frame's critical path, if it is wanted and known. `y` is where the lanes' content begins.
void draw_critical_path(const DrawContext& o, const Why& why, LanesPage& page, Canvas& canvas, float y);
// From piece to piece of the scopes of fibers.
void draw_fiber_joins(const Content& content, const Frame& frame, LanesPage& page, Canvas& canvas, float y);
// Arrows of the flows in the scope under the mouse, or else in the selected one; and then their heads, over the labels.
void draw_flow_lines(DrawContext& o, LanesPage& page, Canvas& canvas, float y);
void draw_flow_ends(const Frame& frame, const LanesPage& page, Canvas& canvas, float y);
// When the selected message was.
void draw_selected_message(DrawContext& o, LanesPage& page, Canvas& canvas, float y, float clip_top, float clip_bottom);
void draw_ruler(const Content& content, Frame& frame, LanesPage& page, float x, float y, float height);
void handle_lane_mouse(PageContext& o, LanesPage& page, float y, bool active);
void show_lane_tooltip(Content& content, Frame& frame, LanesPage& page);
void show_lane_menu(PageContext& o, LanesPage& page);

// What is said of an interval: in its tooltip, in the details below the page, in the state.

void show_interval(Content& content, const Frame& frame, const LaneRows& rows, uint32_t index);
// The tooltip of the lane's label.
void show_interval_lane(Frame& frame, const Lane& lane);
// NULL if none is selected.
const flamelet_interval* selected_interval(const Content& content, const Choice& choice);
void add_interval_values(const Content& content, const flamelet_interval& interval, ValueLine* line);
void write_intervals_state(const Content& content, const Choice& choice, const LanesPage& page, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_PARTS_H
