// SPDX-License-Identifier: MIT
//
// settings_panel.h: the panel with all settings, over the right side of the page. It is drawn from the table of settings.
#ifndef FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H
#define FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H

#include "settings/limit_rows.h"

namespace flamelet::ui {

class JsonObject;

struct SettingsPanel {
  bool open = false;
  uint32_t row = 0;        // what arrows and Enter are about (panel_rows.h)
  int choosing = -1;       // the setting whose key is the next one that is pressed; -1 = none
  int choosing_since = 0;  // ImGui's number of a frame: the key that began it does not count
  int typing = -1;         // the setting whose number is typed; -1 = none
  double typed = 0;        // what stands in its field
  bool bring_row = false;  // scrolls it into sight
  OverlayConfig limits;    // only its numbers: they stand since the overlay was created
  ToldFills told;

  bool choosing_key() const { return choosing >= 0; }
};

void toggle_settings_panel(Overlay& o);
// After the page, so that it lies over it.
void show_settings_panel(Overlay& o, float top, float bottom);

// One row up or down; one step less or more; what Enter does.
void move_setting_row(Overlay& o, int by);
void step_setting(Overlay& o, int by);
void press_setting(Overlay& o);

void write_settings_panel_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H
