// SPDX-License-Identifier: MIT
//
// The part "Categories" of the settings' panel: which are recorded. It acts on the recorder of this process, and is no
// setting of the overlay's.
#include <string.h>

#include <algorithm>

#include "flamelet/recorder.h"
#include "imgui.h"
#include "ui/settings_panel.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace flamelet::ui {

void show_category_rows(Overlay& o, float label_width) {
  flamelet_category list[FLAMELET_MAX_CATEGORIES];
  const uint32_t count = std::min(flamelet_categories(list, FLAMELET_MAX_CATEGORIES), FLAMELET_MAX_CATEGORIES);
  o.panel.categories_x = o.panel.categories_y = 0;
  if (count == 0) return;
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kAccent));
  ImGui::TextUnformatted("Categories that are recorded");
  ImGui::PopStyleColor();
  ImGui::SameLine(label_width);
  if (tool_button(o, "##all", Icon::kNone, "all", false, 0, nullptr)) flamelet_category_set_enabled(nullptr, true);
  ImGui::SameLine(0, scaled(o, 2));
  if (tool_button(o, "##none", Icon::kNone, "none", false, 0, "also those that come later"))
    flamelet_category_set_enabled(nullptr, false);
  std::sort(list, list + count,
            [](const flamelet_category& a, const flamelet_category& b) { return strcmp(a.name, b.name) < 0; });
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  for (uint32_t i = 0; i < count; ++i) {
    const char* name = *list[i].name != 0 ? list[i].name : "(no category)";
    const ImVec2 at = ImGui::GetCursorScreenPos();
    canvas.text_fit(at.x, at.y + scaled(o, 3), label_width - scaled(o, 14), color::kText, name);
    ImGui::SetCursorPosX(label_width);
    ImGui::PushID(list[i].name);
    const bool on = list[i].enabled;
    if (tool_button(o, "##category", Icon::kNone, on ? "on" : "off", on, scaled(o, 40), nullptr))
      flamelet_category_set_enabled(list[i].name, !on);
    ImGui::PopID();
    o.panel.categories_x = ImGui::GetWindowPos().x + label_width + scaled(o, 12);
    o.panel.categories_y = at.y + control_height(o) * 0.5f;
  }
}

}  // namespace flamelet::ui
