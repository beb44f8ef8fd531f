// SPDX-License-Identifier: MIT
//
// The table of settings, and the settings as text: one `name=value` a line, so that a newer version can read an older
// one's text and the reverse.
#include "settings/settings.h"

#include <string.h>
#include <algorithm>
#include <utility>

#include "content/range_statistics.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "draw/widgets.h"
#include "flamelet/overlay.h"
#include "imgui.h"
#include "imgui_internal.h"  // ClearActiveID
#include "input/input_compat.h"
#include "pages/calls_view.h"
#include "pages/pages.h"
#include "pages/scope/scope_figures.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

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

// The overlay's own window, the HUD, and the keys that work in every mode are beside a game.
bool has_game(const Content& content) {
  return content.has_game();
}

constexpr Setting of_game(Setting setting) {
  setting.offered = has_game;
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

using Sources = const LimitSources&;

constexpr const char* kLimitTitles[] = {"Limits of the overlay", "Limits of its capture", "Limits of the recorder"};

// The paths of the pages Tree and Flame.
Fill read_paths(Sources s) {
  flamelet_call_tree_stats paths = {};
  if (const flamelet_call_tree* calls = calls_of(s.o).range.calls()) flamelet_call_tree_get_stats(calls, &paths);
  return {paths.nodes_used, s.limits.max_paths};
}

void read_fills(const PageContext& o, SettingsPanel& panel) {
  ToldFills& told = panel.told;
  const double now_s = ImGui::GetTime();
  if (!Refresh::is_over(told.next_s, now_s)) return;
  told.next_s = now_s + Refresh::kSeconds;
  LimitSources sources = {o, panel.limits, {}, {}};
  flamelet_capture_get_stats(o.capture, &sources.capture);
  flamelet_get_stats(&sources.recorder);
  for (uint32_t i = 0; i < kLimitCount; ++i) told.fills[i] = kLimitTable[i].read(sources);
}

void add_fill(const LimitRow& row, Fill fill, TextWriter* text) {
  if (row.bytes)
    text->add_bytes(fill.used).add(" of ").add_bytes(fill.limit);
  else
    text->add_grouped(fill.used).add(" of ").add_grouped(fill.limit);
}

// What a loaded capture lacks because its category was off.
void show_categories_off(Content& content) {
  const flamelet_string off = flamelet_capture_categories_off(content.capture);
  if (off.size == 0) return;
  colored_text(color::kAccent, "Categories that were off, all the time or a part of it");
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(off.text, off.text + off.size);
  ImGui::PopTextWrapPos();
}

constexpr float kPanelWidth = 500;
constexpr float kLabelWidth = 235;

bool offered(const Content& content, const Setting& setting) {
  return setting.offered == nullptr || setting.offered(content);
}

// Takes the value if it is in the range. False if not.
bool change_setting(const Setting& setting, Settings* settings, double value) {
  if (!(value >= setting.least && value <= setting.most)) return false;
  setting.member.set(settings, value);
  return true;
}

void change_value(Choice& choice, const Setting& setting, double value) {
  if (change_setting(setting, &choice.settings, std::min(std::max(value, setting.least), setting.most)))
    choice.settings.changed = true;
}

// Beside the button before it, or, where there is no room, below it.
void next_value_button(Frame& frame, float width) {
  ImGui::SameLine(0, scaled(frame, 2));
  if (ImGui::GetContentRegionAvail().x >= width) return;
  ImGui::NewLine();
  ImGui::SetCursorPosX(scaled(frame, kLabelWidth));
}

float value_button_width(const Frame& frame, const char* label) {
  return text_width(frame.metrics, label) + scaled(frame, 14);
}

void show_presets(Choice& choice, Frame& frame, const Setting& setting) {
  const double value = setting.member.get(choice.settings);
  for (uint32_t i = 0; i < setting.preset_count; ++i) {
    const SettingPreset& preset = setting.presets[i];
    if (i != 0) next_value_button(frame, value_button_width(frame, preset.label));
    ImGui::PushID(static_cast<int>(i));
    const bool on = value > preset.value * 0.995 && value < preset.value * 1.005;
    if (tool_button(frame, "##preset", Icon::kNone, preset.label, on, 0, nullptr))
      change_value(choice, setting, preset.value);
    ImGui::PopID();
  }
}

// What is typed counts once the field is left: half of a number would be another value.
void show_number(Choice& choice, const Frame& frame, SettingsPanel& panel, const Setting& setting, uint32_t index) {
  const bool typing = panel.typing == static_cast<int>(index);
  double shown = typing ? panel.typed : setting.member.get(choice.settings) / setting.unit;
  ImGui::SetNextItemWidth(scaled(frame, 130));
  const double step = setting.step / setting.unit;
  const bool changed = number_field("##value", &shown, step, setting.decimals);
  if (ImGui::IsItemActive() && ImGui::GetIO().WantTextInput) {
    if (panel.typing >= 0 && !typing) {  // which was left for this one after it was drawn
      const Setting& left = kSettingTable[panel.typing];
      change_value(choice, left, panel.typed * left.unit);
    }
    panel.typing = static_cast<int>(index);
    panel.typed = shown;
    if (key_pressed(Key::kTab)) ImGui::ClearActiveID();  // where no other field takes it
  } else if (changed || typing) {
    change_value(choice, setting, shown * setting.unit);
    if (typing) panel.typing = -1;
  }
  ImGui::SameLine();
  ImGui::TextUnformatted(setting.suffix);
}

void show_choices(Choice& choice, Frame& frame, const Setting& setting) {
  const int value = static_cast<int>(setting.member.get(choice.settings));
  for (int i = 0; i <= static_cast<int>(setting.most); ++i) {
    const float width = value_button_width(frame, setting.value_texts[i]);
    if (i != 0) next_value_button(frame, width);
    ImGui::PushID(i);
    if (tool_button(frame, "##choice", Icon::kNone, setting.value_texts[i], i == value, width, nullptr))
      change_value(choice, setting, static_cast<double>(i));
    ImGui::PopID();
  }
}

void choose_key(SettingsPanel& panel, int setting) {
  panel.choosing = setting;
  panel.choosing_since = ImGui::GetFrameCount();
}

void show_key(Choice& choice, const Frame& frame, SettingsPanel& panel, const Setting& setting, uint32_t index) {
  const bool choosing = panel.choosing == static_cast<int>(index);
  const int value = static_cast<int>(setting.member.get(choice.settings));
  const char* name = choosing ? "press a key ..." : setting.key_name(value);
  if (tool_button(frame, "##key", Icon::kNone, name, choosing, 0, "then press the key; Escape leaves it as it is"))
    choose_key(panel, choosing ? -1 : static_cast<int>(index));
  if (!choosing || panel.choosing_since == ImGui::GetFrameCount()) return;
  if (pad_pressed(Pad::kB)) panel.choosing = -1;
  const int key = find_pressed_key();
  if (key == 0) return;
  if (!key_pressed(Key::kEscape)) change_value(choice, setting, key);
  panel.choosing = -1;
}

void show_control(Choice& choice, Frame& frame, SettingsPanel& panel, const Setting& setting, uint32_t index) {
  switch (setting.kind) {
    case SettingKind::kFlag: {
      const bool on = setting.member.get(choice.settings) != 0;
      if (tool_button(frame, "##flag", Icon::kNone, on ? "on" : "off", on, scaled(frame, 40), setting.help))
        change_value(choice, setting, on ? 0 : 1);
      break;
    }
    case SettingKind::kNumber:
      show_number(choice, frame, panel, setting, index);
      break;
    case SettingKind::kChoice:
      show_choices(choice, frame, setting);
      break;
    case SettingKind::kKey:
      show_key(choice, frame, panel, setting, index);
      break;
  }
}

// Where the control of a row stands on the screen. If it is the chosen row, the panel is told, and scrolls there.
void note_panel_row(Frame& frame, SettingsPanel& panel, uint32_t row, float control_x, float y) {
  if (panel.row != row) return;
  if (panel.bring_row) ImGui::SetScrollHereY();
  panel.bring_row = false;
  frame.notes.note_place("setting", control_x + scaled(frame, 12), y + control_height(frame) * 0.5f);
}

void show_row(Choice& choice, Frame& frame, SettingsPanel& panel, uint32_t index) {
  const Setting& setting = kSettingTable[index];
  const bool chosen = panel.row == index;
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (chosen)
    canvas.rect(at.x - scaled(frame, 8), at.y, at.x - scaled(frame, 5), at.y + control_height(frame), color::kAccent);
  note_panel_row(frame, panel, index, ImGui::GetWindowPos().x + scaled(frame, kLabelWidth), at.y);
  canvas.text_fit(at.x, at.y + scaled(frame, 3), scaled(frame, kLabelWidth - 14), color::kText, setting.label);
  ImGui::SetCursorPosX(scaled(frame, kLabelWidth));
  ImGui::PushID(static_cast<int>(index));
  show_control(choice, frame, panel, setting, index);
  if (setting.preset_count != 0) {
    ImGui::SetCursorPosX(scaled(frame, kLabelWidth));
    show_presets(choice, frame, setting);
  }
  const bool hovered =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
      ImGui::GetIO().MousePos.y >= at.y && ImGui::GetIO().MousePos.y < ImGui::GetCursorScreenPos().y;
  if (hovered && ImGui::IsMouseClicked(0)) panel.row = index;
  const bool over_label = ImGui::GetIO().MousePos.x < at.x + scaled(frame, kLabelWidth - 14);
  if (hovered && over_label && setting.help != nullptr && frame.tooltips) {
    // Beside the panel, if there is room: there it covers no other setting.
    const float x = ImGui::GetWindowPos().x - scaled(frame, 6);
    if (x - text_width(frame.metrics, setting.help) - scaled(frame, 20) > frame.content_x)
      ImGui::SetNextWindowPos(ImVec2(x, at.y), ImGuiCond_Always, ImVec2(1, 0));
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(setting.help);
    ImGui::EndTooltip();
  }
  ImGui::PopID();
}

void show_rows(DrawContext& o, SettingsPanel& panel) {
  const char* group = "";
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    if (!offered(o, kSettingTable[i])) continue;
    if (strcmp(group, kSettingTable[i].group) != 0) {
      group = kSettingTable[i].group;
      colored_text(color::kAccent, group);
    }
    show_row(o, o, panel, i);
  }
}

void write_row_name(const Content& content, const SettingsPanel& panel, TextWriter* name) {
  static constexpr const char* kButtons[kPanelButtons] = {"reset", "close", "all categories", "no category"};
  const uint32_t row = panel.row;
  if (row < kSettingCount) {
    name->add(kSettingTable[row].name);
  } else if (row < row_of_category(0)) {
    name->add(kButtons[row - kSettingCount]);
  } else {
    Categories categories;
    read_categories(content, &categories);
    const uint32_t i = row - row_of_category(0);
    name->add("category ").add(i < categories.count ? categories.list[i].name : "");
  }
}

void show_limit_rows(const PageContext& o, SettingsPanel& panel, float label_width) {
  read_fills(o, panel);
  const LimitRow* before = nullptr;
  for (uint32_t i = 0; i < kLimitCount; ++i) {
    const LimitRow& row = kLimitTable[i];
    // A file's has the recorder of another process.
    if (row.of == LimitOf::kRecorder && !o.live()) break;
    if (before == nullptr || before->of != row.of)
      colored_text(color::kAccent, kLimitTitles[static_cast<uint32_t>(row.of)]);
    before = &row;
    FixedText<64> text;
    add_fill(row, panel.told.fills[i], &text);
    ImGui::TextDisabled("%s", row.label);
    ImGui::SameLine(label_width);
    ImGui::TextUnformatted(text.c_str());
  }
}

// A button with a row of its own, at the cursor.
bool panel_button(Frame& frame, SettingsPanel& panel, PanelButton button, const char* id, const char* text,
                  const char* tooltip) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = tool_button(frame, id, Icon::kNone, text, false, 0, tooltip);
  const uint32_t row = row_of(button);
  if (pressed) panel.row = row;
  if (panel.row == row)
    Canvas(ImGui::GetWindowDrawList(), frame.metrics)
        .outline(at.x, at.y, ImGui::GetItemRectMax().x, at.y + control_height(frame), color::kAccent);
  note_panel_row(frame, panel, row, at.x, at.y);
  return pressed;
}

void press_panel_button(Choice& choice, SettingsPanel& panel, PanelButton button) {
  switch (button) {
    case PanelButton::kReset:
      if (!std::exchange(panel.resets, !panel.resets)) break;
      choice.settings = choice.initial_settings;
      choice.settings.changed = true;
      break;
    case PanelButton::kClose:
      toggle_settings_panel(panel);
      break;
    case PanelButton::kAllCategories:
    case PanelButton::kNoCategory:
      flamelet_category_set_enabled(nullptr, button == PanelButton::kAllCategories);
      break;
  }
}

void set_category(Content& content, uint32_t row, bool flip, bool on) {
  Categories categories;
  read_categories(content, &categories);
  const uint32_t i = row - row_of_category(0);
  if (i >= categories.count) return;
  flamelet_category_set_enabled(categories.list[i].name, flip ? !categories.list[i].enabled : on);
}

void show_category_rows(DrawContext& o, SettingsPanel& panel, float label_width) {
  Categories categories;
  read_categories(o, &categories);
  if (!o.live()) show_categories_off(o);
  if (categories.count == 0) return;
  colored_text(color::kAccent, "Categories that are recorded");
  ImGui::SameLine(label_width);
  if (panel_button(o, panel, PanelButton::kAllCategories, "##all", "all", nullptr))
    press_panel_button(o, panel, PanelButton::kAllCategories);
  ImGui::SameLine(0, scaled(o, 2));
  if (panel_button(o, panel, PanelButton::kNoCategory, "##none", "none", "also those that come later"))
    press_panel_button(o, panel, PanelButton::kNoCategory);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  for (uint32_t i = 0; i < categories.count; ++i) {
    const flamelet_category& category = categories.list[i];
    const char* name = *category.name != 0 ? category.name : "(no category)";
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const uint32_t row = row_of_category(i);
    if (panel.row == row)
      canvas.rect(at.x - scaled(o, 8), at.y, at.x - scaled(o, 5), at.y + control_height(o), color::kAccent);
    canvas.text_fit(at.x, at.y + scaled(o, 3), label_width - scaled(o, 14), color::kText, name);
    ImGui::SetCursorPosX(label_width);
    ImGui::PushID(category.name);
    if (tool_button(o, "##category", Icon::kNone, category.enabled ? "on" : "off", category.enabled, scaled(o, 40),
                    nullptr)) {
      panel.row = row;
      flamelet_category_set_enabled(category.name, !category.enabled);
    }
    ImGui::PopID();
    const float control_x = ImGui::GetWindowPos().x + label_width;
    note_panel_row(o, panel, row, control_x, at.y);
    if (i + 1 == categories.count)
      o.notes.note_place("last_category", control_x + scaled(o, 12), at.y + control_height(o) * 0.5f);
  }
}

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
         "lanes that have been silent for a second (less in a short file), if there are four or more"),
    flag("critical_path", "Lanes", "critical path over the lanes", &Settings::critical_path),
    flag("show_details", "Page", "details below the page", &Settings::show_details),
    flag("why_always", "Page", "Why line for every frame", &Settings::why_always,
         "off: only for frames over the budget"),
    of_game(choice("place", "Look", "window", &Settings::place, kPlaces, kWindowPlaceCount,
                   "free: where it was dragged to; drag its edge for another height")),
    of_game(number("place_percent", "Look", "its height", &Settings::place_percent, double{kLeastPlacePercent}, 100, 4,
                   1, " %", 0, "at the top or the bottom, of the program's window")),
    choice("theme", "Look", "theme", &Settings::theme, kThemes, kThemeCount, nullptr),
    choice("palette", "Look", "scope colours for", &Settings::palette, kPalettes, kPaletteCount,
           "each colour differs from the others for these eyes"),
    text_size(),
    of_game(choice("hud_corner", "HUD", "corner", &Settings::hud_corner, kCorners, 4)),
    of_game(number("hud_percent", "HUD", "size", &Settings::hud_percent, 50, 300, 10, 1, " %", 0, "of the text size")),
    of_game(number("hud_opacity", "HUD", "opacity", &Settings::hud_opacity, 0, 100, 5, 1, " %")),
    of_game(flag("hud_graphs", "HUD", "graphs of pinned scopes", &Settings::hud_graphs)),
    of_game(flag("hud_counters", "HUD", "counters", &Settings::hud_counters, "the newest values, where there is room")),
    of_game(flag("hud_clicks", "HUD", "takes clicks", &Settings::hud_clicks,
                 "a click on a row opens the overlay there; the game does not get it")),
    flag("scope_history", "Scope", "whole history on the page Scope", &Settings::scope_history,
         "off: the shown frames, or the measured time"),
    flag("scope_log_axis", "Scope", "log axis of its histogram", &Settings::scope_log_axis),
    choice("scope_group", "Scope", "its table", &Settings::scope_group, kScopeGroups, kGroupByCount),
    of_game(key("toggle_key", "Keys", "mode key", &Settings::toggle_key, mode_key_name, "off, HUD, read-only, active")),
    of_game(key("save_key", "Keys", "save key", &Settings::save_key, save_key_name,
                "saves the last seconds, in every mode")),
    of_game(key("peek_key", "Keys", "peek key", &Settings::peek_key, held_key_name,
                "the overlay is active while it is held")),
    of_game(flag("pad_chord", "Keys", "gamepad L1+R1+Y: mode", &Settings::pad_chord, "off, HUD, read-only, active")),
    of_game(number("save_ns", "Keys", "what it saves", &Settings::save_ns, 1e6, 1e15, 1e9, 1e9, " s", 1)),
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

// clang-format off
const LimitRow kLimitTable[] = {
    {LimitOf::kOverlay, "budget_bytes", "memory",
     [](Sources s) { return Fill{s.limits.budget_bytes, s.limits.budget_bytes}; }, true},
    {LimitOf::kOverlay, "max_spans", "scopes in view",
     [](Sources s) { return Fill{s.o.store.span_count(), s.limits.max_spans}; }},
    {LimitOf::kOverlay, "max_lanes", "lanes",
     [](Sources s) { return Fill{s.o.store.lanes().count, s.limits.max_lanes}; }},
    {LimitOf::kOverlay, "max_scopes", "rows of the table",
     [](Sources s) { return Fill{s.o.statistics.row_count(), s.limits.max_scopes}; }},
    {LimitOf::kOverlay, "max_paths", "call paths", read_paths},
    {LimitOf::kOverlay, "max_counters", "counters",
     [](Sources s) { return Fill{s.o.points.counters().count(), s.limits.max_counters}; }},
    {LimitOf::kOverlay, "max_counter_values", "values of counters",
     [](Sources s) { return Fill{s.o.points.value_count(), s.limits.max_counter_values}; }},
    {LimitOf::kOverlay, "max_intervals", "intervals",
     [](Sources s) { return Fill{s.o.store.intervals().count(), s.limits.max_intervals}; }},
    {LimitOf::kOverlay, "max_messages", "messages",
     [](Sources s) { return Fill{s.o.points.messages().count(), s.limits.max_messages}; }},
    {LimitOf::kOverlay, "max_frames", "frames",
     [](Sources s) { return Fill{std::min<uint64_t>(flamelet_capture_frame_count(s.o.capture), s.limits.max_frames), s.limits.max_frames}; }},
    {LimitOf::kCapture, "pages_limit", "pages",
     [](Sources s) { return Fill{s.capture.pages_held, s.capture.pages_limit}; }},
    {LimitOf::kRecorder, "tracks_limit", "threads and other tracks",
     [](Sources s) { return Fill{s.recorder.tracks_live, s.recorder.tracks_limit}; }},
    {LimitOf::kRecorder, "fibers_limit", "fibers",
     [](Sources s) { return Fill{s.recorder.fibers_live, s.recorder.fibers_limit}; }},
    {LimitOf::kRecorder, "submit_waiting_limit", "events that wait on a track",
     [](Sources s) { return Fill{s.recorder.submit_waiting_most, s.recorder.submit_waiting_limit}; }},
    {LimitOf::kRecorder, "frame_sets_limit", "names of frames",
     [](Sources s) { return Fill{s.recorder.frame_sets_used, s.recorder.frame_sets_limit}; }},
    {LimitOf::kRecorder, "categories_limit", "categories",
     [](Sources s) { return Fill{s.recorder.categories_used, s.recorder.categories_limit}; }},
    {LimitOf::kRecorder, "sites_limit", "places in code",
     [](Sources s) { return Fill{s.recorder.sites_used, s.recorder.sites_limit}; }},
    {LimitOf::kRecorder, "strings_limit", "texts",
     [](Sources s) { return Fill{s.recorder.strings_used, s.recorder.strings_limit}; }},
    {LimitOf::kRecorder, "string_bytes_limit", "bytes of texts",
     [](Sources s) { return Fill{s.recorder.string_bytes_used, s.recorder.string_bytes_limit}; }, true},
};
// clang-format on
const uint32_t kLimitCount = sizeof kLimitTable / sizeof kLimitTable[0];
static_assert(sizeof kLimitTable / sizeof kLimitTable[0] <= kMostLimits, "ToldFills has room for all");

// The rows of the panel that are no settings: its buttons, and which categories are recorded. Those act on the recorder of
// this process.

void read_categories(const Content& content, Categories* categories) {
  categories->count =
      content.live() ? std::min(flamelet_categories(categories->list, FLAMELET_MAX_CATEGORIES), FLAMELET_MAX_CATEGORIES)
                     : 0;
  std::sort(categories->list, categories->list + categories->count,
            [](const flamelet_category& a, const flamelet_category& b) { return strcmp(a.name, b.name) < 0; });
}

bool is_switched_off(const Content& content, uint32_t site) {
  flamelet_site_info info;
  if (!content.live() || content.timeline.paused() || !flamelet_capture_site(content.capture, site, &info))
    return false;
  FixedText<256> category;
  return !flamelet_category_enabled(category.add(view_of(info.category)).c_str());
}

void add_switched_off(const Content& content, TextWriter* text) {
  flamelet_category list[FLAMELET_MAX_CATEGORIES];
  if (!content.live()) return;
  const uint32_t count = std::min(flamelet_categories(list, FLAMELET_MAX_CATEGORIES), FLAMELET_MAX_CATEGORIES);
  const flamelet_category* const end =
      std::remove_if(list, list + count, [](const flamelet_category& category) { return category.enabled; });
  const auto off = static_cast<uint32_t>(end - list);
  if (off == 1 && count != 1)
    text->add(*list[0].name != 0 ? list[0].name : "(no category)");
  else if (off != 0 && off == count)
    text->add("all categories");
  else if (off != 0)
    text->add_unsigned(off).add(" categories");
}

uint32_t panel_row_count(const Content& content) {
  Categories categories;
  read_categories(content, &categories);
  return categories.count != 0 ? row_of_category(categories.count) : row_of(PanelButton::kClose) + 1;
}

void toggle_settings_panel(SettingsPanel& panel) {
  panel.open = !panel.open;
  panel.choosing = panel.typing = -1;
  panel.resets = false;
}

void show_settings_panel(PageContext& o, SettingsPanel& panel, float top, float bottom) {
  if (!panel.open) return;
  const float width = std::min(scaled(o, kPanelWidth), o.content_width);
  ImGui::SetCursorScreenPos(ImVec2(o.content_x + o.content_width - width, top));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec4(color::kPanel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(scaled(o, 12), scaled(o, 8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);  // without one, ImGui leaves out the padding
  ImGui::BeginChild("##settings_panel", ImVec2(width, std::max(bottom - top, 1.0f)), true, page_child_flags(o));
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  show_rows(o, panel);
  // Anything else that is done takes the question back.
  if (panel.resets && panel.row != row_of(PanelButton::kReset)) panel.resets = false;
  const char* reset = panel.resets ? "Again: reset all settings" : "Reset all settings";
  if (panel_button(o, panel, PanelButton::kReset, "##defaults", reset, "to what the program began with"))
    press_panel_button(o, panel, PanelButton::kReset);
  ImGui::SameLine(0, scaled(o, 24));
  if (panel_button(o, panel, PanelButton::kClose, "##close", "Close", nullptr))
    press_panel_button(o, panel, PanelButton::kClose);
  show_category_rows(o, panel, scaled(o, kLabelWidth));
  show_limit_rows(o, panel, scaled(o, kLabelWidth));
  ImGui::EndChild();
}

void move_setting_row(const Content& content, SettingsPanel& panel, int by) {
  const uint32_t count = panel_row_count(content);
  const uint32_t before = std::min(panel.row, count - 1);
  panel.row = before;
  do {
    panel.row = (panel.row + count + static_cast<uint32_t>(by)) % count;
  } while (panel.row < kSettingCount && !offered(content, kSettingTable[panel.row]) && panel.row != before);
  panel.bring_row = true;
}

void step_setting(Content& content, Choice& choice, SettingsPanel& panel, int by) {
  const uint32_t row = panel.row;
  if (row >= row_of_category(0)) return set_category(content, row, false, by > 0);
  if (row >= kSettingCount) return move_setting_row(content, panel, by);  // buttons stand beside each other
  const Setting& setting = kSettingTable[row];
  if (setting.kind == SettingKind::kKey) return;
  const double step = setting.kind == SettingKind::kNumber ? setting.step : 1;
  change_value(choice, setting, setting.member.get(choice.settings) + by * step);
}

void press_setting(Content& content, Choice& choice, SettingsPanel& panel) {
  const uint32_t row = panel.row;
  if (row >= row_of_category(0)) return set_category(content, row, true, false);
  if (row >= kSettingCount) return press_panel_button(choice, panel, static_cast<PanelButton>(row - kSettingCount));
  const Setting& setting = kSettingTable[row];
  const double value = setting.member.get(choice.settings);
  if (setting.kind == SettingKind::kKey)
    choose_key(panel, static_cast<int>(row));
  else
    change_value(choice, setting, value >= setting.most ? setting.least : value + setting.step);
}

void write_settings_panel_state(const Content& content, const Settings& settings, const SettingsPanel& panel,
                                JsonObject* json) {
  json->add("settings_open", panel.open);
  FixedText<128> row;
  write_row_name(content, panel, &row);
  json->add("setting", row.view());
  json->add("choosing_key", panel.choosing_key());
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    FixedText<64> name;
    json->add_number(name.add("set_").add(kSettingTable[i].name).view(), kSettingTable[i].member.get(settings));
  }
}

}  // namespace flamelet::ui

namespace flamelet {

using namespace ui;

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
  if (name == "watch") return o.watched.read(value);
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
    if (value < setting.least || value > setting.most) continue;  // of the program, and not read back
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
