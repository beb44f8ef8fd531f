// SPDX-License-Identifier: MIT
//
// The rows of the panel that are no settings: its buttons, and which categories are recorded. Those act on the recorder of
// this process.
#include "settings/panel_rows.h"

#include <string.h>

#include <algorithm>

#include "imgui.h"
#include "settings/settings_panel.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

void read_categories(const Content& content, Categories* categories) {
  categories->count =
      content.live() ? std::min(flamelet_categories(categories->list, FLAMELET_MAX_CATEGORIES), FLAMELET_MAX_CATEGORIES)
                     : 0;
  std::sort(categories->list, categories->list + categories->count,
            [](const flamelet_category& a, const flamelet_category& b) { return strcmp(a.name, b.name) < 0; });
}

uint32_t panel_row_count(const Content& content) {
  Categories categories;
  read_categories(content, &categories);
  return categories.count != 0 ? row_of_category(categories.count) : row_of(PanelButton::kClose) + 1;
}

void note_panel_row(Overlay& o, uint32_t row, float control_x, float y) {
  SettingsPanel& panel = o.panel;
  if (panel.row != row) return;
  if (panel.bring_row) ImGui::SetScrollHereY();
  panel.bring_row = false;
  o.notes.note_place("setting", control_x + scaled(o, 12), y + control_height(o) * 0.5f);
}

bool panel_button(Overlay& o, PanelButton button, const char* id, const char* text, const char* tooltip) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = tool_button(o, id, Icon::kNone, text, false, 0, tooltip);
  const uint32_t row = row_of(button);
  if (pressed) o.panel.row = row;
  if (o.panel.row == row)
    Canvas(ImGui::GetWindowDrawList(), o.metrics)
        .outline(at.x, at.y, ImGui::GetItemRectMax().x, at.y + control_height(o), color::kAccent);
  note_panel_row(o, row, at.x, at.y);
  return pressed;
}

void press_panel_button(Overlay& o, PanelButton button) {
  switch (button) {
    case PanelButton::kReset:
      o.settings = o.initial_settings;
      o.settings.changed = true;
      break;
    case PanelButton::kClose:
      toggle_settings_panel(o);
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

// What a loaded capture lacks because its category was off.
static void show_categories_off(Content& content) {
  const flamelet_string off = flamelet_capture_categories_off(content.capture);
  if (off.size == 0) return;
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kAccent));
  ImGui::TextUnformatted("Categories that were off, all the time or a part of it");
  ImGui::PopStyleColor();
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(off.text, off.text + off.size);
  ImGui::PopTextWrapPos();
}

void show_category_rows(Overlay& o, float label_width) {
  Categories categories;
  read_categories(o, &categories);
  if (!o.live()) show_categories_off(o);
  if (categories.count == 0) return;
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kAccent));
  ImGui::TextUnformatted("Categories that are recorded");
  ImGui::PopStyleColor();
  ImGui::SameLine(label_width);
  if (panel_button(o, PanelButton::kAllCategories, "##all", "all", nullptr))
    press_panel_button(o, PanelButton::kAllCategories);
  ImGui::SameLine(0, scaled(o, 2));
  if (panel_button(o, PanelButton::kNoCategory, "##none", "none", "also those that come later"))
    press_panel_button(o, PanelButton::kNoCategory);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  for (uint32_t i = 0; i < categories.count; ++i) {
    const flamelet_category& category = categories.list[i];
    const char* name = *category.name != 0 ? category.name : "(no category)";
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const uint32_t row = row_of_category(i);
    if (o.panel.row == row)
      canvas.rect(at.x - scaled(o, 8), at.y, at.x - scaled(o, 5), at.y + control_height(o), color::kAccent);
    canvas.text_fit(at.x, at.y + scaled(o, 3), label_width - scaled(o, 14), color::kText, name);
    ImGui::SetCursorPosX(label_width);
    ImGui::PushID(category.name);
    if (tool_button(o, "##category", Icon::kNone, category.enabled ? "on" : "off", category.enabled, scaled(o, 40),
                    nullptr)) {
      o.panel.row = row;
      flamelet_category_set_enabled(category.name, !category.enabled);
    }
    ImGui::PopID();
    const float control_x = ImGui::GetWindowPos().x + label_width;
    note_panel_row(o, row, control_x, at.y);
    if (i + 1 == categories.count)
      o.notes.note_place("last_category", control_x + scaled(o, 12), at.y + control_height(o) * 0.5f);
  }
}

}  // namespace flamelet::ui
