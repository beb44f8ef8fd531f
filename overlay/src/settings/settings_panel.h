// SPDX-License-Identifier: MIT
//
// settings_panel.h: the panel with all settings, over the right side of the page. It is drawn from the table of settings.
#ifndef FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H
#define FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H

#include "draw/widgets.h"
#include "flamelet/overlay.h"
#include "flamelet/recorder.h"
#include "settings/settings.h"

namespace flamelet::ui {

struct Choice;
struct PageContext;

struct SettingsPanel;

// Limit rows: the limits of the overlay, its capture and the recorder, with what is used of each. One table, from which
// the panel of settings draws them. A test compares it with OverlayConfig and the structs of numbers.

struct Fill {
  uint64_t used = 0, limit = 0;
};

// What the rows are read from.
struct LimitSources {
  const PageContext& o;
  const OverlayConfig& limits;
  flamelet_capture_stats capture;
  flamelet_stats recorder;
};

enum class LimitOf : uint32_t { kOverlay, kCapture, kRecorder };

struct LimitRow {
  LimitOf of;
  const char* name;  // of the member that has it: of OverlayConfig, flamelet_capture_stats or flamelet_stats
  const char* label;
  Fill (*read)(const LimitSources& sources);
  bool bytes = false;
};

constexpr uint32_t kMostLimits = 24;
extern const LimitRow kLimitTable[];
extern const uint32_t kLimitCount;

// As they were a quarter of a second ago at most: numbers that change with every frame cannot be read.
struct ToldFills {
  Fill fills[kMostLimits];
  double next_s = 0;  // ImGui time
};

void show_limit_rows(const PageContext& o, SettingsPanel& panel, float label_width);

// Panel rows: every row of the panel of settings that arrows reach, in one numbering: first those of kSettingTable, then
// the buttons, then the categories.

struct Content;

struct DrawContext;

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
void note_panel_row(Frame& frame, SettingsPanel& panel, uint32_t row, float control_x, float y);
// A button with a row of its own, at the cursor.
bool panel_button(Frame& frame, SettingsPanel& panel, PanelButton button, const char* id, const char* text,
                  const char* tooltip);
void press_panel_button(Choice& choice, SettingsPanel& panel, PanelButton button);

void show_category_rows(DrawContext& o, SettingsPanel& panel, float label_width);
void set_category(Content& content, uint32_t row, bool flip, bool on);

class JsonObject;

struct SettingsPanel {
  bool open = false;
  uint32_t row = 0;        // what arrows and Enter are about (settings_panel.h)
  int choosing = -1;       // the setting whose key is the next one that is pressed; -1 = none
  int choosing_since = 0;  // ImGui's number of a frame: the key that began it does not count
  int typing = -1;         // the setting whose number is typed; -1 = none
  double typed = 0;        // what stands in its field
  bool bring_row = false;  // scrolls it into sight
  OverlayConfig limits;    // only its numbers: they stand since the overlay was created
  ToldFills told;

  bool choosing_key() const { return choosing >= 0; }
};

void toggle_settings_panel(SettingsPanel& panel);
// After the page, so that it lies over it.
void show_settings_panel(PageContext& o, SettingsPanel& panel, float top, float bottom);

// One row up or down; one step less or more; what Enter does.
void move_setting_row(const Content& content, SettingsPanel& panel, int by);
void step_setting(Content& content, Choice& choice, SettingsPanel& panel, int by);
void press_setting(Content& content, Choice& choice, SettingsPanel& panel);

void write_settings_panel_state(const Content& content, const Settings& settings, const SettingsPanel& panel,
                                JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SETTINGS_PANEL_H
