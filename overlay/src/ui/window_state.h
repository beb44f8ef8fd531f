// SPDX-License-Identifier: MIT
//
// window_state.h: how the overlay stands in the program: its mode, who has the input, where its window is.
#ifndef FLAMELET_OVERLAY_SRC_WINDOW_STATE_H
#define FLAMELET_OVERLAY_SRC_WINDOW_STATE_H

#include "flamelet/overlay.h"

namespace flamelet::ui {

// Where the overlay's window was in the last frame, relative to the main viewport.
struct WindowPlace {
  bool inside = false;  // it was there, and the program's layout has no say in it
  float viewport_width = 0, viewport_height = 0;
  float x = 0, y = 0, width = 0, height = 0;
};

struct WindowState {
  OverlayMode mode = OverlayMode::kOff;
  bool own = false;           // overlay_show() or overlay_window() draws the window: Escape may leave it
  bool takes_input = true;    // false in a read-only overlay
  bool keeps_escape = false;  // until the key that left the active mode is released
  bool focus = false;         // in the next frame: it has just become active
  bool help_open = false;
  int menu_frame = -2;  // ImGui's number of the last frame with a menu in it
  WindowPlace place;
  float content_x = 0, content_y = 0, content_width = 0;  // on the screen

  bool active() const { return own && mode == OverlayMode::kActive; }
  bool menu_open(int frame) const { return menu_frame + 1 >= frame; }
  void set_mode(OverlayMode wanted) {
    if (wanted > OverlayMode::kActive) wanted = OverlayMode::kOff;
    focus = wanted == OverlayMode::kActive && mode != wanted;
    mode = wanted;
  }
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WINDOW_STATE_H
