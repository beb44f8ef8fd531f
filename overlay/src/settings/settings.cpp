// SPDX-License-Identifier: MIT
//
// The table of settings, and the settings as text: one `name=value` a line, so that a newer version can read an older
// one's text and the reverse.
#include "settings/settings.h"

#include "draw/text.h"
#include "draw/theme.h"
#include "draw/widgets.h"
#include "flamelet/overlay.h"
#include "input/input_compat.h"
#include "pages/scope/scope_figures.h"
#include "shell/overlay_state.h"

namespace flamelet {

using namespace ui;

namespace ui {

namespace {

constexpr Setting flag(const char* name, const char* group, const char* label, bool Settings::*member,
                       const char* help = nullptr, bool (*offered)(const Content&) = nullptr) {
  Setting setting = {name, label, group, help, SettingKind::kFlag, member};
  setting.offered = offered;
  return setting;
}

constexpr SettingPreset kBudgets[] = {
    {"30 Hz", 33333333}, {"60 Hz", 16666667}, {"90 Hz", 11111111}, {"120 Hz", 8333333}, {"144 Hz", 6944444}};

constexpr Setting budget() {
  Setting setting = {"budget_ns",
                     "frame budget",
                     "Frames",
                     "the line in the frame bars; a frame over it has another colour",
                     SettingKind::kNumber,
                     &Settings::budget_ns,
                     1e5,
                     1e9,
                     1e5,
                     1e6,
                     2,
                     " ms"};
  setting.presets = kBudgets;
  setting.preset_count = sizeof kBudgets / sizeof kBudgets[0];
  return setting;
}

constexpr Setting key(const char* name, const char* group, const char* label, int Settings::*member,
                      const char* (*key_name)(int), const char* help) {
  Setting setting = {name, label, group, help, SettingKind::kKey, member};
  setting.key_name = key_name;
  setting.least = -1;
  setting.most = 1 << 20;
  return setting;
}

// `unit` and `suffix`: the panel shows value / unit, such as nanoseconds as "ms".
constexpr Setting number(const char* name, const char* group, const char* label, SettingMember member, double least,
                         double most, double step, double unit = 1, const char* suffix = "", int decimals = 0,
                         const char* help = nullptr) {
  Setting setting = {name, label, group, help, SettingKind::kNumber, member, least, most, step, unit, decimals, suffix};
  return setting;
}

constexpr Setting choice(const char* name, const char* group, const char* label, int Settings::*member,
                         const char* const* value_texts, uint32_t count, const char* help = nullptr) {
  Setting setting = {name, label, group, help, SettingKind::kChoice, member};
  setting.most = count - 1;
  setting.value_texts = value_texts;
  return setting;
}

// The overlay's own window is that of a game.
bool has_window(const Content& content) {
  return content.own != nullptr || !content.standing;
}

constexpr Setting of_window(Setting setting) {
  setting.offered = has_window;
  return setting;
}

constexpr const char* kThemes[kThemeCount] = {"dark", "light", "high contrast"};
constexpr const char* kPalettes[kPaletteCount] = {"all eyes", "deuteranopia", "protanopia", "tritanopia"};
constexpr SettingPreset kTextSizes[] = {{"75", 75}, {"100", 100}, {"125", 125}, {"150", 150}, {"200", 200}};

constexpr Setting text_size() {
  Setting setting = {"text_percent",
                     "text size",
                     "Look",
                     "of the program's own text size",
                     SettingKind::kNumber,
                     &Settings::text_percent,
                     50,
                     300,
                     5};
  setting.suffix = " %";
  setting.presets = kTextSizes;
  setting.preset_count = sizeof kTextSizes / sizeof kTextSizes[0];
  return setting;
}

constexpr const char* kCorners[] = {"top left", "top right", "bottom left", "bottom right"};
constexpr const char* kPlaces[] = {"free", "top", "bottom", "full screen", "own window"};
constexpr const char* kScopeGroups[kGroupByCount] = {"callers", "callees", "objects", "threads"};

}  // namespace

const Setting kSettingTable[] = {
    budget(),
    number("bar_px", "Frames", "width of a frame bar", &Settings::bar_px, 1, 16, 1, 1, " px"),
    flag("pause_on_hitch", "Frames", "pause on a hitch", &Settings::pause_on_hitch,
         "when the flight recorder keeps one", has_flight),
    flag("hide_empty", "Lanes", "hide empty lanes", &Settings::hide_empty, "lanes without a scope in view"),
    flag("objects_apart", "Lanes", "objects of a scope apart", &Settings::objects_apart,
         "in the table, and where a scope is selected"),
    flag("merge_lanes", "Lanes", "lanes of one name in one row", &Settings::merge_lanes,
         "where they do not overlap in view"),
    flag("fold_quiet", "Lanes", "fold quiet lanes into one line", &Settings::fold_quiet,
         "lanes that have been silent for a second, if there are four or more"),
    flag("critical_path", "Lanes", "critical path over the lanes", &Settings::critical_path),
    flag("show_details", "Page", "details below the page", &Settings::show_details),
    flag("why_always", "Page", "Why line for every frame", &Settings::why_always,
         "off: only for frames over the budget"),
    of_window(choice("place", "Look", "window", &Settings::place, kPlaces, kWindowPlaceCount,
                     "free: where it was dragged to; drag its edge for another height")),
    of_window(number("place_percent", "Look", "its height", &Settings::place_percent, double{kLeastPlacePercent}, 100,
                     4, 1, " %", 0, "at the top or the bottom, of the program's window")),
    choice("theme", "Look", "theme", &Settings::theme, kThemes, kThemeCount, nullptr),
    choice("palette", "Look", "scope colours for", &Settings::palette, kPalettes, kPaletteCount,
           "each colour differs from the others for these eyes"),
    text_size(),
    choice("hud_corner", "HUD", "corner", &Settings::hud_corner, kCorners, 4),
    number("hud_percent", "HUD", "size", &Settings::hud_percent, 50, 300, 10, 1, " %", 0, "of the text size"),
    number("hud_opacity", "HUD", "opacity", &Settings::hud_opacity, 0, 100, 5, 1, " %"),
    flag("hud_graphs", "HUD", "graphs of pinned scopes", &Settings::hud_graphs),
    flag("hud_counters", "HUD", "counters", &Settings::hud_counters, "the newest values, where there is room"),
    flag("hud_clicks", "HUD", "takes clicks", &Settings::hud_clicks,
         "a click on a row opens the overlay there; the game does not get it"),
    flag("scope_history", "Scope", "whole history on the page Scope", &Settings::scope_history,
         "off: the shown frames, or the measured time"),
    flag("scope_log_axis", "Scope", "log axis of its histogram", &Settings::scope_log_axis),
    choice("scope_group", "Scope", "its table", &Settings::scope_group, kScopeGroups, kGroupByCount),
    key("toggle_key", "Keys", "mode key", &Settings::toggle_key, mode_key_name, "off, HUD, read-only, active"),
    key("save_key", "Keys", "save key", &Settings::save_key, save_key_name, "saves the last seconds, in every mode"),
    key("peek_key", "Keys", "peek key", &Settings::peek_key, held_key_name, "the overlay is active while it is held"),
    flag("pad_chord", "Keys", "gamepad L1+R1+Y: mode", &Settings::pad_chord, "off, HUD, read-only, active"),
    number("save_ns", "Keys", "what it saves", &Settings::save_ns, 1e6, 1e15, 1e9, 1e9, " s", 1),
};
const uint32_t kSettingCount = sizeof kSettingTable / sizeof kSettingTable[0];

double SettingMember::get(const Settings& settings) const {
  switch (type_) {
    case Type::kBool:
      return settings.*bool_ ? 1 : 0;
    case Type::kInt:
      return settings.*int_;
    case Type::kInt64:
      return static_cast<double>(settings.*int64_);
    case Type::kFloat:
      return static_cast<double>(settings.*float_);
  }
  return 0;
}

void SettingMember::set(Settings* settings, double value) const {
  switch (type_) {
    case Type::kBool:
      settings->*bool_ = value != 0;
      break;
    case Type::kInt:
      settings->*int_ = static_cast<int>(value);
      break;
    case Type::kInt64:
      settings->*int64_ = static_cast<int64_t>(value);
      break;
    case Type::kFloat:
      settings->*float_ = static_cast<float>(value);
      break;
  }
}

bool change_setting(const Setting& setting, Settings* settings, double value) {
  if (!(value >= setting.least && value <= setting.most)) return false;
  setting.member.set(settings, value);
  return true;
}

}  // namespace ui

namespace {

void add_setting_names(TextWriter* problem) {
  problem->add("the settings are ");
  for (uint32_t i = 0; i < kSettingCount; ++i) problem->add(kSettingTable[i].name).add(", ");
  problem->add("page");
}

void add_setting_values(const Setting& setting, TextWriter* problem) {
  problem->add(setting.name).add(" is ");
  if (setting.kind == SettingKind::kFlag) {
    problem->add("0 or 1");
  } else if (setting.kind == SettingKind::kChoice) {
    for (uint32_t i = 0; i <= static_cast<uint32_t>(setting.most); ++i)
      problem->add(i != 0 ? ", " : "").add_unsigned(i).add(" (").add(setting.value_texts[i]).add(')');
  } else {
    problem->add("a number from ").add_signed(static_cast<int64_t>(setting.least));
    problem->add(" to ").add_signed(static_cast<int64_t>(setting.most));
  }
}

// False: it changes nothing, and the problem is what is wrong with it.
bool take_line(PageContext& o, std::string_view line, TextWriter* problem) {
  if (line.empty()) return true;
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    problem->add(line).add(" has no value: NAME=VALUE is expected; ");
    add_setting_names(problem);
    return false;
  }
  std::string_view name = line.substr(0, equals);
  if (name == "pause_on_kept") name = "pause_on_hitch";  // its old name
  const std::string_view value = line.substr(equals + 1);
  problem->add(line).add(": ");
  if (name == "page") {
    problem->add("there is no such page; the pages are ");
    for (uint32_t i = 0; i < kPageCount; ++i) problem->add(i != 0 ? ", " : "").add(kPages[i].name);
    return o.pages.open(value);
  }
  if (name == "lane") {
    const bool taken = o.lane_choices.read(value);
    if (taken) o.lane_choices.arrange(&o.store.lanes());
    return taken;
  }
  if (name == "counter") return o.points.counters().read_choice(value);
  if (name == "watch") {
    o.watched.read(value);
    return true;
  }
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    if (name != kSettingTable[i].name) continue;
    add_setting_values(kSettingTable[i], problem);
    double number = 0;
    return read_number(value, &number) && change_setting(kSettingTable[i], &o.settings, number);
  }
  problem->add("there is no such setting; ");
  add_setting_names(problem);
  return false;
}

}  // namespace

size_t overlay_save_settings(const Overlay* overlay, char* text, size_t capacity) {
  TextWriter writer(text, capacity);
  if (overlay == nullptr) return 0;
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    const Setting& setting = kSettingTable[i];
    const double value = setting.member.get(overlay->settings);
    writer.add(setting.name).add('=');
    if (setting.member.fractional() && value != static_cast<double>(static_cast<int64_t>(value)))
      writer.add_fixed(value, 3);
    else
      writer.add_signed(static_cast<int64_t>(value));
    writer.add('\n');
  }
  overlay->watched.write(&writer);
  overlay->lane_choices.write(&writer);
  overlay->points.counters().choices().write(&writer);
  writer.add("page=").add(overlay->pages.row().name).add('\n');
  const size_t wanted = writer.wanted();
  if (wanted >= capacity) writer.clear();
  return wanted;
}

bool overlay_load_settings(Overlay* overlay, const char* text, size_t size, char* problem, size_t capacity) {
  if (problem != nullptr && capacity != 0) *problem = 0;
  if (overlay == nullptr || text == nullptr) return false;
  bool all = true;
  std::string_view rest(text, size);
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    FixedText<1024> why;
    if (take_line(*overlay, line, &why)) continue;
    if (all) TextWriter(problem, capacity).add(why.view());
    all = false;
  }
  return all;
}

}  // namespace flamelet
