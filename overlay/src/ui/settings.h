// SPDX-License-Identifier: MIT
//
// settings.h: what overlay_save_settings() writes, with the shown page.
#ifndef FLAMELET_OVERLAY_SRC_SETTINGS_H
#define FLAMELET_OVERLAY_SRC_SETTINGS_H

#include <stdint.h>

namespace flamelet::ui {

struct Settings {
  int toggle_key = 0;
  int save_key = 0;
  int64_t budget_ns = 0;
  float bar_px = 5;            // from one frame bar to the next, at font scale 1
  bool hide_empty = false;     // lanes without a span in view
  bool show_details = true;    // the strip below the lanes
  bool why_always = false;     // the Why row also for frames within the budget
  bool critical_path = false;  // over the lanes
  bool pause_on_kept = false;  // when the flight recorder keeps a frame

  bool changed = false;       // by the user, since the program asked
  bool choosing_key = false;  // the next key that is pressed becomes the mode key

  template <typename T>
  void set(T Settings::*which, T value) {
    this->*which = value;
    changed = true;
  }
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SETTINGS_H
