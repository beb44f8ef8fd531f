// SPDX-License-Identifier: MIT
//
// toolbar.h: menus that also keys and a gamepad reach.
#ifndef FLAMELET_OVERLAY_SRC_TOOLBAR_H
#define FLAMELET_OVERLAY_SRC_TOOLBAR_H

#include "shell/overlay_state.h"

namespace flamelet::ui {

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

#endif  // FLAMELET_OVERLAY_SRC_TOOLBAR_H
