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

// Where the user is, in a text that leads back there (overlay_write_link, overlay_open_link).

// Gives the link to the program, which has OverlayHost::copy_link.
void copy_link(Overlay& o);

// Menus that also keys and a gamepad reach.

// Arrows, Enter and Escape, or the gamepad's, for menus and lists.
struct ListKeys {
  int vertical = 0, horizontal = 0;
  bool accept = false, close = false;
};
ListKeys read_list_keys();

// ImGui::BeginPopup() for a menu: Escape closes it, and nothing else while it is open; so does the overlay's giving the
// input back to the game. Popups of ImGui close at Escape only where the program has keyboard navigation on.
// It opens at the mouse, or below the item before it, in line with its right edge.
enum class MenuPlace { kMouse, kBelowItem };
bool begin_menu(Overlay& o, const char* id, MenuPlace place);
// ImGui::MenuItem() in such a menu: arrows and Enter, or a gamepad, reach it, too.
bool menu_item(Overlay& o, const char* label, const char* shortcut = nullptr, bool selected = false,
               bool enabled = true);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WINDOW_PARTS_H
