// SPDX-License-Identifier: MIT
//
// widgets.h: distances, and the few controls that the overlay draws itself.
#ifndef FLAMELET_OVERLAY_SRC_WIDGETS_H
#define FLAMELET_OVERLAY_SRC_WIDGETS_H

#include "draw/canvas.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

// Whole pixels for a distance at font scale 1.
inline float scaled(const Overlay& o, float px) {
  return static_cast<float>(static_cast<int>(px * o.unit + 0.5f));
}

// The height of a row of a lane or of the flame graph. Inline: it is asked for each block.
inline float row_height(const Overlay& o) {
  return o.metrics.size + scaled(o, 4);
}

inline float control_height(const Overlay& o) {
  return o.metrics.size + scaled(o, 6);
}

enum class Icon { kNone, kPause, kPlay, kLeft, kRight, kClose, kSettings };

// A button of the toolbar at the cursor, in the current window. `width` 0 = as wide as its text. True when pressed.
bool tool_button(Overlay& o, const char* id, Icon icon, std::string_view text, bool on, float width,
                 const char* tooltip);

// The flags of a page's child window: no window of its own, and no input while the overlay is read-only.
ImGuiWindowFlags page_child_flags(const Overlay& o);

// A name in a tooltip, with its colour. It is cut: a name of a kilobyte must not fill the screen.
constexpr float kMostNamePx = 420;
void name_line(Overlay& o, std::string_view name, Rgb fill);

// ImGui::BeginPopup() for a menu: Escape closes it, and nothing else while it is open; so does the overlay's giving the
// input back to the game. Popups of ImGui close at Escape only where the program has keyboard navigation on.
// It opens at the mouse, or below the item before it, in line with its right edge.
enum class MenuPlace { kMouse, kBelowItem };
bool begin_menu(Overlay& o, const char* id, MenuPlace place);
// ImGui::MenuItem() in such a menu: arrows and Enter, or a gamepad, reach it, too.
bool menu_item(Overlay& o, const char* label, const char* shortcut = nullptr, bool selected = false,
               bool enabled = true);

// ImGui::BeginTooltip(), but not while the help page is open: a tooltip would cover it. If true, EndTooltip() follows.
bool begin_tooltip(Overlay& o);

// A text of several lines, which break at spaces: not behind the point in a number, as ImGui would. A word that is too long
// for a line is broken by ImGui.
void show_lines(const Overlay& o, std::string_view text, float width);

// One line of a tooltip: the label on the left, the value in a column of its own.
void tooltip_row(const char* label, std::string_view value, float column_x);

inline ImVec4 to_vec4(Rgb rgb, float alpha = 1) {
  return ImVec4(static_cast<float>(rgb >> 16 & 0xFF) / 255, static_cast<float>(rgb >> 8 & 0xFF) / 255,
                static_cast<float>(rgb & 0xFF) / 255, alpha);
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WIDGETS_H
