// SPDX-License-Identifier: MIT
//
// lane_parts.h: the parts of the page Lanes. (x, y) is where the content begins, which scrolls.
#ifndef FLAMELET_OVERLAY_SRC_LANE_PARTS_H
#define FLAMELET_OVERLAY_SRC_LANE_PARTS_H

#include "draw/widgets.h"

namespace flamelet::ui {

inline float lane_gap(const Overlay& o) {
  return scaled(o, 6);
}

// A colour that the user chose: LaneChoice::color.
inline Rgb lane_color(uint8_t chosen) {
  return theme().scopes[(chosen - 1u) * (kScopeColorCount / LaneChoices::kColors)];
}

// Only what lies between clip_top and clip_bottom.
void draw_lanes(Overlay& o, float x, float y, float clip_top, float clip_bottom);
// Lines at the ruler's ticks, at the frames' borders and at the budget, behind the blocks.
void draw_grid(const Overlay& o, Canvas& canvas, float top, float bottom);
// The time that the user measures, over all else.
void draw_measured_time(const Overlay& o, Canvas& canvas, float top, float bottom);
// The triangle before a lane's label. (x, top) is the label's row.
void draw_fold_arrow(const Overlay& o, Canvas& canvas, const Lane& lane, float x, float top);
// Of its line, which lies at the bottom of a row.
inline float critical_thickness(const Overlay& o) {
  return scaled(o, 2);
}
// The frame's critical path, if it is wanted and known. `y` is where the lanes' content begins.
void draw_critical_path(Overlay& o, Canvas& canvas, float y);
// From piece to piece of the scopes of fibers.
void draw_fiber_joins(Overlay& o, Canvas& canvas, float y);
// Arrows of the flows in the scope under the mouse, or else in the selected one; and then their heads, over the labels.
void draw_flow_lines(Overlay& o, Canvas& canvas, float y);
void draw_flow_ends(const Overlay& o, Canvas& canvas, float y);
// Below each thread's lane: how much of each frame it ran, was ready, was blocked.
void draw_run_lines(Overlay& o, Canvas& canvas, float y);
// The same for the chosen frames, as rows of a tooltip.
void show_run_times(Overlay& o, const Lane& lane, float column);
void draw_ruler(Overlay& o, float x, float y, float height);
void handle_lane_mouse(Overlay& o, float y, bool active);
void show_lane_tooltip(Overlay& o);
void show_lane_menu(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_PARTS_H
