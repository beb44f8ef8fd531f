// SPDX-License-Identifier: MIT
//
// Where the overlay's window stands in the program's.
#include <algorithm>

#include "draw/widgets.h"
#include "imgui.h"
#include "shell/overlay_state.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

constexpr float kLeastViewportPx = 64;
constexpr float kWindowShare = 0.72f;  // of the viewport's height, at first

// A smaller viewport is one that is being minimised.
bool usable(const ImGuiViewport& viewport) {
  return viewport.WorkSize.x >= kLeastViewportPx && viewport.WorkSize.y >= kLeastViewportPx;
}

// When the program's window changes its size, the overlay keeps its share of it: ImGui would leave it as it was, with its
// right side out of sight. And from an edge or full screen it comes `back` to where it was. Called before the overlay's
// window begins; false if there is nothing to do.
bool restore_place(const Shell& shell, const ImGuiViewport& viewport, bool back) {
  const ImVec2 now = viewport.WorkSize;
  const WindowPlace& last = shell.window.free_place;
  if (!last.inside || !usable(viewport)) return false;
  if (!back && now.x == last.viewport_width && now.y == last.viewport_height) return false;
  const float x = now.x / last.viewport_width;
  const float y = now.y / last.viewport_height;
  const auto whole = [](float value) { return static_cast<float>(static_cast<int>(value + 0.5f)); };
  ImGui::SetNextWindowPos(ImVec2(viewport.WorkPos.x + whole(last.x * x), viewport.WorkPos.y + whole(last.y * y)));
  ImGui::SetNextWindowSize(ImVec2(whole(last.width * x), whole(last.height * y)));
  return true;
}

// At the top or the bottom, or over all of the viewport.
void place_at_edge(const Overlay& o, const ImGuiViewport& viewport, WindowPlaceChoice choice) {
  const float least = 8 * row_height(o);
  const float wanted = static_cast<float>(static_cast<int>(viewport.WorkSize.y * o.settings.place_percent * 0.01f));
  const float height = choice == WindowPlaceChoice::kFullScreen
                           ? viewport.WorkSize.y
                           : std::min(std::max(wanted, least), viewport.WorkSize.y);
  const float y = choice == WindowPlaceChoice::kBottom ? viewport.WorkSize.y - height : 0;
  ImGui::SetNextWindowPos(ImVec2(viewport.WorkPos.x, viewport.WorkPos.y + y));
  ImGui::SetNextWindowSize(ImVec2(viewport.WorkSize.x, height));
}

}  // namespace

void place_window(Overlay& o) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const WindowPlaceChoice choice = static_cast<WindowPlaceChoice>(o.settings.place);
#ifdef IMGUI_HAS_VIEWPORT
  if (choice == WindowPlaceChoice::kOwnWindow) {
    ImGuiWindowClass own;
    own.ViewportFlagsOverrideSet = ImGuiViewportFlags_NoAutoMerge;
    ImGui::SetNextWindowClass(&own);
  }
#endif
  const bool back = o.window.at_edge;
  o.window.at_edge = usable(viewport) && choice != WindowPlaceChoice::kFree && choice != WindowPlaceChoice::kOwnWindow;
  if (o.window.at_edge) return place_at_edge(o, viewport, choice);
  if (restore_place(o, viewport, back)) return;
  const float height = static_cast<float>(static_cast<int>(viewport.WorkSize.y * kWindowShare));
  const ImGuiCond when = back ? ImGuiCond_Always : ImGuiCond_FirstUseEver;
  ImGui::SetNextWindowPos(viewport.WorkPos, when);
  ImGui::SetNextWindowSize(ImVec2(viewport.WorkSize.x, height), when);
}

// A window that is docked, or outside of the main viewport, goes its own ways.
void remember_place(Shell& shell) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  WindowPlace& place = shell.window.place;
  if (!usable(viewport)) return;
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  place.viewport_width = viewport.WorkSize.x;
  place.viewport_height = viewport.WorkSize.y;
  place.x = at.x - viewport.WorkPos.x;
  place.y = at.y - viewport.WorkPos.y;
  place.width = size.x;
  place.height = size.y;
#ifdef IMGUI_HAS_DOCK
  place.inside = !ImGui::IsWindowDocked() && ImGui::GetWindowViewport() == &viewport;
#else
  place.inside = true;
#endif
  if (!shell.window.at_edge) shell.window.free_place = place;
}

void drag_edge(Overlay& o) {
  const WindowPlaceChoice choice = static_cast<WindowPlaceChoice>(o.settings.place);
  const bool top = choice == WindowPlaceChoice::kTop;
  if (!top && choice != WindowPlaceChoice::kBottom) return;
  const ImVec2 content = ImGui::GetCursorScreenPos();
  const ImVec2 at = ImGui::GetWindowPos();
  const float thick = scaled(o, 5);
  ImGui::SetCursorScreenPos(ImVec2(at.x, top ? at.y + ImGui::GetWindowSize().y - thick : at.y));
  ImGui::InvisibleButton("##edge", ImVec2(std::max(ImGui::GetWindowSize().x, 1.0f), thick));
  const float moved = ImGui::GetIO().MouseDelta.y * (top ? 1.0f : -1.0f);
  if (ImGui::IsItemActive() && moved != 0 && o.window.place.viewport_height > 0) {
    const float percent = o.settings.place_percent + moved / o.window.place.viewport_height * 100;
    o.settings.set(&Settings::place_percent, std::min(std::max(percent, kLeastPlacePercent), 100.0f));
  }
  if (ImGui::IsItemActive() || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  ImGui::SetCursorScreenPos(content);
}

}  // namespace flamelet::ui
