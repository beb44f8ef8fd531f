// SPDX-License-Identifier: MIT
//
// settings_panel.h: the panel with all settings, over the right side of the page. It is drawn from the table of settings.
#ifndef FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H
#define FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H

#include <stdint.h>

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

class JsonObject;

// Of OverlayConfig, which stand since the overlay was created.
struct Limits {
  uint32_t spans = 0, lanes = 0, scopes = 0, paths = 0, frames = 0;
};

struct SettingsPanel {
  bool open = false;
  uint32_t row = 0;                          // in kSettingTable: what arrows and Enter are about
  int choosing = -1;                         // the setting whose key is the next one that is pressed; -1 = none
  bool bring_row = false;                    // scrolls it into sight
  float x = 0, y = 0;                        // of the row's control on the screen
  float categories_x = 0, categories_y = 0;  // of the last category's button; 0 = there is none
  Limits limits;

  bool choosing_key() const { return choosing >= 0; }
};

void toggle_settings_panel(Overlay& o);
// After the page, so that it lies over it.
void show_settings_panel(Overlay& o, float top, float bottom);
void show_category_rows(Overlay& o, float label_width);

// One row up or down; one step less or more; what Enter does.
void move_setting_row(Overlay& o, int by);
void step_setting(Overlay& o, int by);
void press_setting(Overlay& o);

void write_settings_panel_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H
