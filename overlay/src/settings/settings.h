// SPDX-License-Identifier: MIT
//
// settings.h: what the user can set. All of it stands in one table (settings.cpp): overlay_save_settings(),
// overlay_load_settings() and the panel read nothing else.
//
// To add a setting: a member of Settings with its default, and a row in kSettingTable[]. It is then saved, loaded, shown in
// the panel, reached by keys and gamepad, and reset. If OverlayConfig has it too, overlay_create() copies it.
#ifndef FLAMELET_OVERLAY_SRC_SETTINGS_H
#define FLAMELET_OVERLAY_SRC_SETTINGS_H

#include <stdint.h>
#include <charconv>
#include <string_view>

namespace flamelet::ui {

// Saved name: names that the settings save as text, in arrays with a closing 0.

// One line, without a 0 in it, that fits into so many bytes. Others could not be read back, or not be found again.
inline bool can_be_saved(std::string_view name, size_t bytes) {
  return !name.empty() && name.size() < bytes &&
         name.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos;
}

// "12," off the front.
template <typename Number>
bool take_field(std::string_view* text, Number* number) {
  const size_t comma = text->find(',');
  if (comma == std::string_view::npos) return false;
  const std::from_chars_result result = std::from_chars(text->data(), text->data() + comma, *number);
  if (result.ec != std::errc() || result.ptr != text->data() + comma) return false;
  text->remove_prefix(comma + 1);
  return true;
}

struct Content;

struct Settings {
  // Keys: an ImGuiKey, or in 1.86 an index of io.KeysDown; 0 = the default, negative = none.
  int toggle_key = 0;
  int save_key = 0;
  int peek_key = 0;       // here 0 is none, too
  bool pad_chord = true;  // L1+R1+Y of a gamepad switches the mode
  int64_t budget_ns = 0;
  int64_t save_ns = 5000000000;  // how much the save key saves
  int place = 0;                 // a WindowPlaceChoice
  float place_percent = 72;      // its height at the top or the bottom, of the program's window
  float bar_px = 5;              // from one frame bar to the next, at font scale 1
  bool hide_empty = false;       // lanes without a span in view
  bool objects_apart = false;    // the objects of a scope, in the table and where a scope is selected
  bool show_details = true;      // the strip below the lanes
  bool why_always = false;       // the Why row also for frames within the budget
  bool merge_lanes = false;      // lanes of one name that do not overlap in view stand in one row
  bool fold_quiet = true;        // lanes that have been silent for long are one line
  bool critical_path = false;    // over the lanes
  int theme = 0;                 // a ThemeName
  int palette = 0;               // a Palette
  int text_percent = 100;        // of the program's own text size
  bool pause_on_hitch = false;   // when the flight recorder keeps a frame
  int hud_corner = 1;            // bit 0: right, bit 1: bottom
  int hud_percent = 100;         // size of its text
  int hud_opacity = 92;          // of its background, in percent
  bool hud_graphs = true;        // of pinned scopes
  bool hud_counters = true;      // newest values
  bool hud_clicks = false;       // the HUD takes the mouse: a click on a row opens the overlay there
  bool scope_history = false;    // the page Scope is about all that is kept, and not the shown frames
  bool scope_log_axis = false;   // of its histogram
  int scope_group = 0;           // a GroupBy

  bool changed = false;  // by the user, since the program asked

  template <typename T>
  void set(T Settings::*which, T value) {
    this->*which = value;
    changed = true;
  }
  void flip(bool Settings::*which) { set(which, !(this->*which)); }
};

enum class SettingKind : uint8_t {
  kFlag,    // on or off
  kNumber,  // from `least` to `most`, by `step`
  kChoice,  // one of `choices`; the number is its place
  kKey,     // a key that the user presses
};

constexpr float kLeastPlacePercent = 10;

// The member that a row is about, whatever its type.
class SettingMember {
 public:
  constexpr SettingMember(bool Settings::*member) : type_(Type::kBool), bool_(member) {}
  constexpr SettingMember(int Settings::*member) : type_(Type::kInt), int_(member) {}
  constexpr SettingMember(int64_t Settings::*member) : type_(Type::kInt64), int64_(member) {}
  constexpr SettingMember(float Settings::*member) : type_(Type::kFloat), float_(member) {}

  bool fractional() const { return type_ == Type::kFloat; }
  double get(const Settings& settings) const;
  void set(Settings* settings, double value) const;

 private:
  enum class Type : uint8_t { kBool, kInt, kInt64, kFloat };

  Type type_;
  union {
    bool Settings::*bool_;
    int Settings::*int_;
    int64_t Settings::*int64_;
    float Settings::*float_;
  };
};

// A value that the panel offers with one click.
struct SettingPreset {
  const char* label;
  double value;
};

struct Setting {
  const char* name;   // in the saved text: it never changes
  const char* label;  // in the panel
  const char* group;  // its heading there; rows of a group stand together
  const char* help;   // its tooltip; NULL = none
  SettingKind kind;
  SettingMember member;
  // The range of the value as it is saved. The panel shows value / unit, with `decimals` and `suffix`.
  double least = 0, most = 1, step = 1;
  double unit = 1;
  int decimals = 0;
  const char* suffix = "";
  const char* const* value_texts = nullptr;  // most + 1 of them
  const SettingPreset* presets = nullptr;
  uint32_t preset_count = 0;
  const char* (*key_name)(int key) = nullptr;  // of a kKey: never NULL
  // False: not in the panel, because the program lacks what it is about. NULL = always.
  bool (*offered)(const Content& content) = nullptr;
};

extern const Setting kSettingTable[];
extern const uint32_t kSettingCount;

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SETTINGS_H
