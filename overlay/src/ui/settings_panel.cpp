// SPDX-License-Identifier: MIT
#include "ui/settings_panel.h"

#include <string.h>

#include <algorithm>

#include "imgui.h"
#include "ui/input_compat.h"
#include "ui/json.h"
#include "ui/ui.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

constexpr float kPanelWidth = 500;
constexpr float kLabelWidth = 235;
constexpr const char* kFormats[] = {"%.0f", "%.1f", "%.2f", "%.3f"};

bool offered(const Overlay& o, const Setting& setting) {
  return setting.offered == nullptr || setting.offered(o);
}

void change_value(Overlay& o, const Setting& setting, double value) {
  if (change_setting(setting, &o.settings, std::min(std::max(value, setting.least), setting.most)))
    o.settings.changed = true;
}

// Beside the button before it, or, where there is no room, below it.
void next_value_button(Overlay& o, float width) {
  ImGui::SameLine(0, scaled(o, 2));
  if (ImGui::GetContentRegionAvail().x >= width) return;
  ImGui::NewLine();
  ImGui::SetCursorPosX(scaled(o, kLabelWidth));
}

float value_button_width(const Overlay& o, const char* label) {
  return text_width(o.metrics, label) + scaled(o, 14);
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

void show_number(Overlay& o, const Setting& setting) {
  const double value = setting.member.get(o.settings);
  double shown = value / setting.unit;
  ImGui::SetNextItemWidth(scaled(o, 130));
  const double step = setting.step / setting.unit;
  if (ImGui::InputDouble("##value", &shown, step, 10 * step, kFormats[std::min(std::max(setting.decimals, 0), 3)]))
    change_value(o, setting, shown * setting.unit);
  ImGui::SameLine();
  ImGui::TextUnformatted(setting.suffix);
}

void show_choices(Overlay& o, const Setting& setting) {
  const int value = static_cast<int>(setting.member.get(o.settings));
  for (int i = 0; i <= static_cast<int>(setting.most); ++i) {
    const float width = value_button_width(o, setting.choices[i]);
    if (i != 0) next_value_button(o, width);
    ImGui::PushID(i);
    if (tool_button(o, "##choice", Icon::kNone, setting.choices[i], i == value, width, nullptr))
      change_value(o, setting, static_cast<double>(i));
    ImGui::PopID();
  }
}

void show_key(Overlay& o, const Setting& setting, uint32_t index) {
  SettingsPanel& panel = o.panel;
  const bool choosing = panel.choosing == static_cast<int>(index);
  const int value = static_cast<int>(setting.member.get(o.settings));
  const char* name = choosing ? "press a key ..." : setting.key_name(value);
  if (tool_button(o, "##key", Icon::kNone, name, choosing, 0, "then press the key; Escape leaves it as it is"))
    panel.choosing = choosing ? -1 : static_cast<int>(index);
  if (!choosing) return;
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
      show_number(o, setting);
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
  if (chosen) {
    canvas.rect(at.x - scaled(o, 8), at.y, at.x - scaled(o, 5), at.y + control_height(o), color::kAccent);
    if (o.panel.bring_row) ImGui::SetScrollHereY();
    o.panel.bring_row = false;
    o.panel.x = ImGui::GetWindowPos().x + scaled(o, kLabelWidth) + scaled(o, 12);
    o.panel.y = at.y + control_height(o) * 0.5f;
  }
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

void show_limits(Overlay& o) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kAccent));
  ImGui::TextUnformatted("Limits, set by the program");
  ImGui::PopStyleColor();
  const auto row = [&](const char* label, TextWriter& text) {
    ImGui::TextDisabled("%s", label);
    ImGui::SameLine(scaled(o, kLabelWidth));
    ImGui::TextUnformatted(text.c_str());
    text.clear();
  };
  FixedText<64> text;
  const Limits& limits = o.panel.limits;
  row("memory", text.add_bytes(o.memory.block_bytes));
  row("scopes in view", text.add_grouped(limits.spans));
  row("lanes", text.add_grouped(limits.lanes));
  row("rows of the table", text.add_grouped(limits.scopes));
  row("call paths", text.add_grouped(limits.paths));
  row("frames in the bars", text.add_grouped(limits.frames));
}

}  // namespace

void toggle_settings_panel(Overlay& o) {
  o.panel.open = !o.panel.open;
  o.panel.choosing = -1;
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
  if (tool_button(o, "##defaults", Icon::kNone, "Reset all settings", false, 0, "to what the program began with")) {
    o.settings = o.initial_settings;
    o.settings.changed = true;
  }
  ImGui::SameLine(0, scaled(o, 4));
  if (tool_button(o, "##close", Icon::kNone, "Close", false, 0, nullptr)) toggle_settings_panel(o);
  if (o.live()) show_category_rows(o, scaled(o, kLabelWidth));
  show_limits(o);
  ImGui::EndChild();
}

void move_setting_row(Overlay& o, int by) {
  SettingsPanel& panel = o.panel;
  const uint32_t before = panel.row;
  do {
    panel.row = (panel.row + kSettingCount + static_cast<uint32_t>(by)) % kSettingCount;
  } while (!offered(o, kSettingTable[panel.row]) && panel.row != before);
  panel.bring_row = true;
}

void step_setting(Overlay& o, int by) {
  const Setting& setting = kSettingTable[o.panel.row];
  if (setting.kind == SettingKind::kKey) return;
  const double step = setting.kind == SettingKind::kNumber ? setting.step : 1;
  change_value(o, setting, setting.member.get(o.settings) + by * step);
}

void press_setting(Overlay& o) {
  const Setting& setting = kSettingTable[o.panel.row];
  const double value = setting.member.get(o.settings);
  if (setting.kind == SettingKind::kKey)
    o.panel.choosing = static_cast<int>(o.panel.row);
  else
    change_value(o, setting, value >= setting.most ? setting.least : value + setting.step);
}

void write_settings_panel_state(const Overlay& o, JsonObject* json) {
  json->add("settings_open", o.panel.open);
  json->add("setting", kSettingTable[o.panel.row].name);
  json->add("choosing_key", o.panel.choosing_key());
  json->add_number("setting_x_px", static_cast<double>(o.panel.x));
  json->add_number("setting_y_px", static_cast<double>(o.panel.y));
  json->add_number("last_category_x_px", static_cast<double>(o.panel.categories_x));
  json->add_number("last_category_y_px", static_cast<double>(o.panel.categories_y));
  for (uint32_t i = 0; i < kSettingCount; ++i) {
    FixedText<64> name;
    json->add_number(name.add("set_").add(kSettingTable[i].name).view(), kSettingTable[i].member.get(o.settings));
  }
}

}  // namespace flamelet::ui
