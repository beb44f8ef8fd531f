// SPDX-License-Identifier: MIT
//
// panel_rows.h: every row of the panel of settings that arrows reach, in one numbering: first those of kSettingTable, then
// the buttons, then the categories.
#ifndef FLAMELET_OVERLAY_SRC_PANEL_ROWS_H
#define FLAMELET_OVERLAY_SRC_PANEL_ROWS_H

#include "draw/widgets.h"
#include "flamelet/recorder.h"
#include "settings/settings.h"

namespace flamelet::ui {

struct Content;

// The last two stand over the categories, and are there with them.
enum class PanelButton : uint32_t { kReset, kClose, kAllCategories, kNoCategory };
constexpr uint32_t kPanelButtons = 4;

// The categories of this process's recorder, sorted by name.
struct Categories {
  flamelet_category list[FLAMELET_MAX_CATEGORIES];
  uint32_t count = 0;
};
// Empty where the capture is not the live game's.
void read_categories(const Content& content, Categories* categories);

inline uint32_t row_of(PanelButton button) {
  return kSettingCount + static_cast<uint32_t>(button);
}
inline uint32_t row_of_category(uint32_t category) {
  return kSettingCount + kPanelButtons + category;
}
uint32_t panel_row_count(const Content& content);

// Where the control of a row stands on the screen. If it is the chosen row, the panel is told, and scrolls there.
void note_panel_row(Overlay& o, uint32_t row, float control_x, float y);
// A button with a row of its own, at the cursor.
bool panel_button(Overlay& o, PanelButton button, const char* id, const char* text, const char* tooltip);
void press_panel_button(Overlay& o, PanelButton button);

void show_category_rows(Overlay& o, float label_width);
void set_category(Content& content, uint32_t row, bool flip, bool on);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PANEL_ROWS_H
