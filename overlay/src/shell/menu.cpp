// SPDX-License-Identifier: MIT
#include "shell/menu.h"

#include "draw/widgets.h"
#include "imgui.h"

namespace flamelet::ui {

bool begin_menu(Overlay& o, const char* id, MenuPlace place) {
  if (place == MenuPlace::kBelowItem)
    ImGui::SetNextWindowPos(ImGui::GetItemRectMax(), ImGuiCond_Appearing, ImVec2(1, 0));
  if (!ImGui::BeginPopup(id)) return false;
  WindowState& window = o.window;
  if (ImGui::IsWindowAppearing()) window.menu_row = UINT32_MAX;
  window.menu_frame = ImGui::GetFrameCount();
  window.menu_items_before = window.menu_items;
  window.menu_items = 0;
  const ListKeys keys = read_list_keys();
  window.menu_accept = keys.accept && !ImGui::IsWindowAppearing();
  const uint32_t count = window.menu_items_before;
  if (keys.vertical != 0 && count != 0)
    window.menu_row = window.menu_row == UINT32_MAX
                          ? (keys.vertical > 0 ? 0 : count - 1)
                          : (window.menu_row + count + static_cast<uint32_t>(keys.vertical)) % count;
  if (!o.takes_input || keys.close) ImGui::CloseCurrentPopup();
  return true;
}

bool menu_item(Overlay& o, const char* label, const char* shortcut, bool selected, bool enabled) {
  const bool chosen = enabled && o.window.menu_items++ == o.window.menu_row;
  if (chosen) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    canvas.rect(at.x - scaled(o, 4), at.y - scaled(o, 1), at.x + ImGui::GetContentRegionAvail().x + scaled(o, 4),
                at.y + o.metrics.size + scaled(o, 2), color::kControlHot);
  }
  const bool pressed = ImGui::MenuItem(label, shortcut, selected, enabled);
  if (!chosen || !o.window.menu_accept) return pressed;
  ImGui::CloseCurrentPopup();
  return true;
}

}  // namespace flamelet::ui
