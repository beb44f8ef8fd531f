// SPDX-License-Identifier: MIT
#include "settings/settings_panel.h"

#include <string.h>

#include <algorithm>

#include "draw/number_field.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/input_compat.h"
#include "settings/panel_rows.h"
#include "shell/json.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

constexpr float kPanelWidth = 500;
constexpr float kLabelWidth = 235;

bool offered(const Overlay& o, const Setting& setting) {
  return setting.offered == nullptr || setting.offered(o);
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

void show_presets(Overlay& o, const Setting& setting) {
  const double value = setting.member.get(o.settings);
  for (uint32_t i = 0; i < setting.preset_count; ++i) {
    const SettingPreset& preset = setting.presets[i];
    if (i != 0) next_value_button(o, value_button_width(o, preset.label));
    ImGui::PushID(static_cast<int>(i));
    const bool on = value > preset.value * 0.995 && value < preset.value * 1.005;
    if (tool_button(o, "##preset", Icon::kNone, preset.label, on, 0, nullptr)) change_value(o, setting, preset.value);
    ImGui::PopID();
  }
}

// What is typed counts once the field is left: half of a number would be another value.
void show_number(Overlay& o, const Setting& setting, uint32_t index) {
  SettingsPanel& panel = o.panel;
  const bool typing = panel.typing == static_cast<int>(index);
  double shown = typing ? panel.typed : setting.member.get(o.settings) / setting.unit;
  ImGui::SetNextItemWidth(scaled(o, 130));
  const double step = setting.step / setting.unit;
  const bool changed = number_field("##value", &shown, step, setting.decimals);
  if (ImGui::IsItemActive() && ImGui::GetIO().WantTextInput) {
    panel.typing = static_cast<int>(index);
    panel.typed = shown;
  } else if (changed || typing) {
    change_value(o, setting, shown * setting.unit);
    if (typing) panel.typing = -1;
  }
  ImGui::SameLine();
  ImGui::TextUnformatted(setting.suffix);
}

void show_choices(Overlay& o, const Setting& setting) {
  const int value = static_cast<int>(setting.member.get(o.settings));
  for (int i = 0; i <= static_cast<int>(setting.most); ++i) {
    const float width = value_button_width(o, setting.value_texts[i]);
    if (i != 0) next_value_button(o, width);
    ImGui::PushID(i);
    if (tool_button(o, "##choice", Icon::kNone, setting.value_texts[i], i == value, width, nullptr))
      change_value(o, setting, static_cast<double>(i));
    ImGui::PopID();
  }
}

void choose_key(Shell& shell, int setting) {
  shell.panel.choosing = setting;
  shell.panel.choosing_since = ImGui::GetFrameCount();
}

void show_key(Overlay& o, const Setting& setting, uint32_t index) {
  SettingsPanel& panel = o.panel;
  const bool choosing = panel.choosing == static_cast<int>(index);
  const int value = static_cast<int>(setting.member.get(o.settings));
  const char* name = choosing ? "press a key ..." : setting.key_name(value);
  if (tool_button(o, "##key", Icon::kNone, name, choosing, 0, "then press the key; Escape leaves it as it is"))
    choose_key(o, choosing ? -1 : static_cast<int>(index));
  if (!choosing || panel.choosing_since == ImGui::GetFrameCount()) return;
  if (pad_pressed(Pad::kB)) panel.choosing = -1;
  const int key = find_pressed_key();
  if (key == 0) return;
  if (!key_pressed(Key::kEscape)) change_value(o, setting, key);
  panel.choosing = -1;
}

void show_control(Overlay& o, const Setting& setting, uint32_t index) {
  switch (setting.kind) {
    case SettingKind::kFlag: {
      const bool on = setting.member.get(o.settings) != 0;
      if (tool_button(o, "##flag", Icon::kNone, on ? "on" : "off", on, scaled(o, 40), setting.help))
        change_value(o, setting, on ? 0 : 1);
      break;
    }
    case SettingKind::kNumber:
      show_number(o, setting, index);
      break;
    case SettingKind::kChoice:
      show_choices(o, setting);
      break;
    case SettingKind::kKey:
      show_key(o, setting, index);
      break;
  }
}

void show_row(Overlay& o, uint32_t index) {
  const Setting& setting = kSettingTable[index];
  const bool chosen = o.panel.row == index;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (chosen) canvas.rect(at.x - scaled(o, 8), at.y, at.x - scaled(o, 5), at.y + control_height(o), color::kAccent);
  note_panel_row(o, index, ImGui::GetWindowPos().x + scaled(o, kLabelWidth), at.y);
  canvas.text_fit(at.x, at.y + scaled(o, 3), scaled(o, kLabelWidth - 14), color::kText, setting.label);
  ImGui::SetCursorPosX(scaled(o, kLabelWidth));
  ImGui::PushID(static_cast<int>(index));
  show_control(o, setting, index);
  if (setting.preset_count != 0) {
    ImGui::SetCursorPosX(scaled(o, kLabelWidth));
    show_presets(o, setting);
  }
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && ImGui::GetIO().MousePos.y >= at.y &&
                       ImGui::GetIO().MousePos.y < ImGui::GetCursorScreenPos().y;
  if (hovered && ImGui::IsMouseClicked(0)) o.panel.row = index;
  const bool over_label = ImGui::GetIO().MousePos.x < at.x + scaled(o, kLabelWidth - 14);
  if (hovered && over_label && setting.help != nullptr && begin_tooltip(o)) {
    ImGui::TextUnformatted(setting.help);
    ImGui::EndTooltip();
  }
  ImGui::PopID();
}

void show_rows(Overlay& o) {
  const char* group = "";
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    if (!offered(o, kSettingTable[i])) continue;
    if (strcmp(group, kSettingTable[i].group) != 0) {
      group = kSettingTable[i].group;
      ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kAccent));
      ImGui::TextUnformatted(group);
      ImGui::PopStyleColor();
    }
    show_row(o, i);
  }
}

}  // namespace

void toggle_settings_panel(Overlay& o) {
  o.panel.open = !o.panel.open;
  o.panel.choosing = o.panel.typing = -1;
}

void show_settings_panel(Overlay& o, float top, float bottom) {
  SettingsPanel& panel = o.panel;
  if (!panel.open) return;
  const float width = std::min(scaled(o, kPanelWidth), o.window.content_width);
  ImGui::SetCursorScreenPos(ImVec2(o.window.content_x + o.window.content_width - width, top));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec4(color::kPanel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(scaled(o, 12), scaled(o, 8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);  // without one, ImGui leaves out the padding
  ImGui::BeginChild("##settings_panel", ImVec2(width, std::max(bottom - top, 1.0f)), true, page_child_flags(o));
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  show_rows(o);
  if (panel_button(o, PanelButton::kReset, "##defaults", "Reset all settings", "to what the program began with"))
    press_panel_button(o, PanelButton::kReset);
  ImGui::SameLine(0, scaled(o, 4));
  if (panel_button(o, PanelButton::kClose, "##close", "Close", nullptr)) press_panel_button(o, PanelButton::kClose);
  show_category_rows(o, scaled(o, kLabelWidth));
  show_limit_rows(o, scaled(o, kLabelWidth));
  ImGui::EndChild();
}

void move_setting_row(Overlay& o, int by) {
  SettingsPanel& panel = o.panel;
  const uint32_t count = panel_row_count(o);
  const uint32_t before = std::min(panel.row, count - 1);
  panel.row = before;
  do {
    panel.row = (panel.row + count + static_cast<uint32_t>(by)) % count;
  } while (panel.row < kSettingCount && !offered(o, kSettingTable[panel.row]) && panel.row != before);
  panel.bring_row = true;
}

void step_setting(Overlay& o, int by) {
  const uint32_t row = o.panel.row;
  if (row >= row_of_category(0)) return set_category(o, row, false, by > 0);
  if (row >= kSettingCount) return move_setting_row(o, by);  // buttons stand beside each other
  const Setting& setting = kSettingTable[row];
  if (setting.kind == SettingKind::kKey) return;
  const double step = setting.kind == SettingKind::kNumber ? setting.step : 1;
  change_value(o, setting, setting.member.get(o.settings) + by * step);
}

void press_setting(Overlay& o) {
  const uint32_t row = o.panel.row;
  if (row >= row_of_category(0)) return set_category(o, row, true, false);
  if (row >= kSettingCount) return press_panel_button(o, static_cast<PanelButton>(row - kSettingCount));
  const Setting& setting = kSettingTable[row];
  const double value = setting.member.get(o.settings);
  if (setting.kind == SettingKind::kKey)
    choose_key(o, static_cast<int>(row));
  else
    change_value(o, setting, value >= setting.most ? setting.least : value + setting.step);
}

namespace {

void write_row_name(const Overlay& o, TextWriter* name) {
  static constexpr const char* kButtons[kPanelButtons] = {"reset", "close", "all categories", "no category"};
  const uint32_t row = o.panel.row;
  if (row < kSettingCount) {
    name->add(kSettingTable[row].name);
  } else if (row < row_of_category(0)) {
    name->add(kButtons[row - kSettingCount]);
  } else {
    Categories categories;
    read_categories(o, &categories);
    const uint32_t i = row - row_of_category(0);
    name->add("category ").add(i < categories.count ? categories.list[i].name : "");
  }
}

}  // namespace

void write_settings_panel_state(const Overlay& o, JsonObject* json) {
  json->add("settings_open", o.panel.open);
  FixedText<128> row;
  write_row_name(o, &row);
  json->add("setting", row.view());
  json->add("choosing_key", o.panel.choosing_key());
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    FixedText<64> name;
    json->add_number(name.add("set_").add(kSettingTable[i].name).view(), kSettingTable[i].member.get(o.settings));
  }
}

}  // namespace flamelet::ui
