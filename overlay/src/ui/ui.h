// SPDX-License-Identifier: MIT
//
// ui.h: the parts of the overlay, from top to bottom. Each draws at the cursor of the current ImGui window and handles
// the mouse over itself.
#ifndef FLAMELET_OVERLAY_SRC_UI_H
#define FLAMELET_OVERLAY_SRC_UI_H

#include "ui/overlay_state.h"

namespace flamelet::ui {

void show_toolbar(Overlay& o);
// What comes with the button "File": its menu, the dialog for a path.
void show_file_menu(Overlay& o);
// Which capture is shown, if it is not the live game, and what came of the last file. Nothing if there is neither.
void show_file_line(Overlay& o);
void show_frame_bars(Overlay& o);
void show_lanes(Overlay& o, float height);
void show_table(Overlay& o, float height);
void show_tree(Overlay& o, float height);
void show_flame(Overlay& o, float height);
// The line of choices above Tree and Flame. Returns its height.
float show_calls_bar(Overlay& o);
void show_details(Overlay& o);
void show_truth_line(Overlay& o);
void show_help(Overlay& o);
void show_hud(Overlay& o);

float details_height(const Overlay& o);
float truth_line_height(const Overlay& o);

// The left column: labels of the lanes, numbers of the frame bars.
float gutter_width(const Overlay& o);

float row_height(const Overlay& o);
float lane_gap(const Overlay& o);

// Parts of the lanes. (x, y) is where the content begins, which scrolls.
void layout_lanes(Overlay& o, float width);
// Only what lies between clip_top and clip_bottom.
void draw_lanes(Overlay& o, float x, float y, float clip_top, float clip_bottom);
void draw_ruler(Overlay& o, float x, float y, float height);
void handle_lane_mouse(Overlay& o, float x, float y, bool active);
void show_lane_tooltip(Overlay& o);
void show_lane_menu(Overlay& o);

void handle_keys(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_UI_H
