// SPDX-License-Identifier: MIT
//
// window_parts.h: the parts of the overlay around its pages, from top to bottom. Each draws at the cursor of the current ImGui window
// and handles the mouse over itself.
#ifndef FLAMELET_OVERLAY_SRC_WINDOW_PARTS_H
#define FLAMELET_OVERLAY_SRC_WINDOW_PARTS_H

#include "shell/overlay_state.h"

namespace flamelet::ui {

// The overlay's window: before it begins, and inside of it.
void place_window(const Settings& settings, const Frame& frame, WindowState& window);
void remember_place(WindowState& window);
// At the top or the bottom, the edge of the window drags its height.
void drag_edge(Settings& settings, const Frame& frame, const WindowState& window);

void show_toolbar(Overlay& o);
// The middle of the button "File" on the screen.
void file_button_place(const PageContext& o, float* x, float* y);
// The middle of a page's button.
void page_button_place(const PageContext& o, uint32_t page, float* x, float* y);
// Which capture is shown, if it is not the live game, and what the status line says. Nothing if there is neither.
void show_status_line(PageContext& o, const CaptureFiles& files);
// Then the shown page, and below it:
void show_details(PageContext& o, const WindowState& window);
void show_truth_line(Content& content, const Frame& frame, const CaptureFiles& files);

void show_help(Choice& choice, Frame& frame, WindowState& state);

float details_height(const Settings& settings, const Frame& frame);
float truth_line_height(const Frame& frame);

// Keyboard and gamepad in an active overlay; and what works in every mode.
void handle_keys(Overlay& o);
void handle_mode_keys(Overlay& o);
// What two fingers did over the lanes.
void handle_touch(PageContext& o, TouchGestures& touch);

void move_help_row(const Choice& choice, WindowState& window, int by);
// What the line that was pressed in the frame before says.
void press_help_line(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WINDOW_PARTS_H
