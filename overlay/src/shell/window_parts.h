// SPDX-License-Identifier: MIT
//
// window_parts.h: the parts of the overlay around its pages, from top to bottom. Each draws at the cursor of the current ImGui window
// and handles the mouse over itself.
#ifndef FLAMELET_OVERLAY_SRC_WINDOW_PARTS_H
#define FLAMELET_OVERLAY_SRC_WINDOW_PARTS_H

#include "shell/overlay_state.h"

namespace flamelet::ui {

// The overlay's window: before it begins, and inside of it.
void place_window(Overlay& o);
void remember_place(Shell& shell);
// At the top or the bottom, the edge of the window drags its height.
void drag_edge(Overlay& o);

void show_toolbar(Overlay& o);
// The middle of the button "File" on the screen.
void file_button_place(const Overlay& o, float* x, float* y);
// The middle of a page's button.
void page_button_place(const Overlay& o, uint32_t page, float* x, float* y);
// What comes with the button "File": a menu, and the dialog for a path.
void show_file_menu(Overlay& o);
// Which capture is shown, if it is not the live game, and what the status line says. Nothing if there is neither.
void show_status_line(Overlay& o);
void show_frame_bars(Overlay& o);
// Then the shown page, and below it:
void show_details(Overlay& o);
void show_truth_line(Overlay& o);

void show_help(Overlay& o);
void show_hud(Overlay& o);

float details_height(const Overlay& o);
float truth_line_height(const Frame& frame);

// The left column: labels of the lanes, numbers of the frame bars.
float gutter_width(const Frame& frame);

// Keyboard and gamepad in an active overlay; and what works in every mode.
void handle_keys(Overlay& o);
void handle_mode_keys(Overlay& o);
// What two fingers did over the lanes.
void handle_touch(Overlay& o);

void move_help_row(Overlay& o, int by);
void press_help_row(Shell& shell);
// What the line that was pressed in the frame before says.
void press_help_line(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WINDOW_PARTS_H
