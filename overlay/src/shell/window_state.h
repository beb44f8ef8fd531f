// SPDX-License-Identifier: MIT
//
// window_state.h: how the overlay stands in the program: its mode, who has the input, where its window is.
#ifndef FLAMELET_OVERLAY_SRC_WINDOW_STATE_H
#define FLAMELET_OVERLAY_SRC_WINDOW_STATE_H

#include "flamelet/overlay.h"
#include "imgui.h"

namespace flamelet::ui {

// Where the overlay's window stands, as the user wants it.
enum class WindowPlaceChoice : int { kFree, kTop, kBottom, kFullScreen, kOwnWindow };
#ifdef IMGUI_HAS_VIEWPORT
constexpr uint32_t kWindowPlaceCount = 5;  // a window of the system, where the program's ImGui has them
#else
constexpr uint32_t kWindowPlaceCount = 4;
#endif

// Where the overlay's window was in the last frame, relative to the main viewport.
struct WindowPlace {
  bool inside = false;  // it was there, and the program's layout has no say in it
  float viewport_width = 0, viewport_height = 0;
  float x = 0, y = 0, width = 0, height = 0;
};

struct WindowState {
  OverlayMode mode = OverlayMode::kOff;
  bool own = false;    // overlay_show() or overlay_window() draws the window
  bool focus = false;  // in the next frame: it has just become active
  bool help_open = false;
  uint32_t help_row = 0;               // in kActionTable: what arrows and Enter are about
  bool bring_help_row = false;         // scrolls it into sight
  uint32_t help_pressed = UINT32_MAX;  // to be done in the next frame
  bool open_file_menu = false;         // in this frame
  bool peeking = false;                // active only while a key is held
  OverlayMode mode_before_peek = OverlayMode::kOff;
  uint32_t menu_row = UINT32_MAX;  // of the open menu, which arrows and Enter are about
  uint32_t menu_items = 0;         // in this frame
  uint32_t menu_items_before = 0;
  bool menu_accept = false;
  int menu_frame = -2;  // ImGui's number of the last frame with a menu in it
  WindowPlace place;
  WindowPlace free_place;                                 // the last one that was neither at an edge nor full screen
  bool at_edge = false;                                   // or full screen, in the last frame
  int place_before_full = 0;                              // a WindowPlaceChoice
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
