// SPDX-License-Identifier: MIT
//
// widgets.h: distances, and the few controls that the overlay draws itself.
#ifndef FLAMELET_OVERLAY_SRC_WIDGETS_H
#define FLAMELET_OVERLAY_SRC_WIDGETS_H

#include "draw/canvas.h"
#include "draw/frame.h"

namespace flamelet::ui {

// Whole pixels for a distance at font scale 1.
inline float scaled(const Frame& frame, float px) {
  return static_cast<float>(static_cast<int>(px * frame.unit + 0.5f));
}

// The height of a row of a lane or of the flame graph. Inline: it is asked for each block.
inline float row_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 4);
}

inline float control_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 6);
}

enum class Icon { kNone, kPause, kPlay, kLeft, kRight, kClose, kSettings };

// A button of the toolbar at the cursor, in the current window. `width` 0 = as wide as its text. True when pressed.
bool tool_button(const Frame& frame, const char* id, Icon icon, std::string_view text, bool on, float width,
                 const char* tooltip);

// The flags of a page's child window: no window of its own, and no input while the overlay is read-only.
ImGuiWindowFlags page_child_flags(const Frame& frame);

// A name in a tooltip, with its colour. It is cut: a name of a kilobyte must not fill the screen.
constexpr float kMostNamePx = 420;
void name_line(const Frame& frame, std::string_view name, Rgb fill);

// ImGui::BeginTooltip(), but not where it would cover the help page. If true, EndTooltip() follows.
bool begin_tooltip(const Frame& frame);

// A text of several lines, which break at spaces: not behind the point in a number, as ImGui would. A word that is too long
// for a line is broken by ImGui.
void show_lines(const Frame& frame, std::string_view text, float width);

// One line of a tooltip: the label on the left, the value in a column of its own.
void tooltip_row(const char* label, std::string_view value, float column_x);

inline ImVec4 to_vec4(Rgb rgb, float alpha = 1) {
  return ImVec4(static_cast<float>(rgb >> 16 & 0xFF) / 255, static_cast<float>(rgb >> 8 & 0xFF) / 255,
                static_cast<float>(rgb & 0xFF) / 255, alpha);
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WIDGETS_H
