// SPDX-License-Identifier: MIT
//
// Where the overlay's window stands in the program's.
#include <algorithm>

#include "imgui.h"
#include "ui/overlay_state.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace flamelet::ui {

namespace {

constexpr float kLeastViewportPx = 64;
constexpr float kWindowShare = 0.72f;  // of the viewport's height, at first

// A smaller viewport is one that is being minimised.
bool usable(const ImGuiViewport& viewport) {
  return viewport.WorkSize.x >= kLeastViewportPx && viewport.WorkSize.y >= kLeastViewportPx;
}

// When the program's window changes its size, the overlay keeps its share of it: ImGui would leave it as it was, with its
// right side out of sight. Called before the overlay's window begins; false if there is nothing to do.
bool follow_viewport(const Overlay& o, const ImGuiViewport& viewport) {
  const ImVec2 now = viewport.WorkSize;
  const WindowPlace& last = o.window.place;
  if (!last.inside || !usable(viewport) || (now.x == last.viewport_width && now.y == last.viewport_height))
    return false;
  const float x = now.x / last.viewport_width;
  const float y = now.y / last.viewport_height;
  const auto whole = [](float value) { return static_cast<float>(static_cast<int>(value + 0.5f)); };
  ImGui::SetNextWindowPos(ImVec2(viewport.WorkPos.x + whole(last.x * x), viewport.WorkPos.y + whole(last.y * y)));
  ImGui::SetNextWindowSize(ImVec2(whole(last.width * x), whole(last.height * y)));
  return true;
}

}  // namespace

namespace {

// At the top or the bottom, or over all of the viewport. The height at the edges is what it was dragged to.
void place_at_edge(const Overlay& o, const ImGuiViewport& viewport, WindowPlaceChoice choice) {
  const float least = 8 * row_height(o);
  const float wanted = o.window.place.inside ? o.window.place.height : viewport.WorkSize.y * kWindowShare;
  const float height = choice == WindowPlaceChoice::kFullScreen
                           ? viewport.WorkSize.y
                           : std::min(std::max(wanted, least), viewport.WorkSize.y);
  const float y = choice == WindowPlaceChoice::kBottom ? viewport.WorkSize.y - height : 0;
  ImGui::SetNextWindowPos(ImVec2(viewport.WorkPos.x, viewport.WorkPos.y + y));
  ImGui::SetNextWindowSize(ImVec2(viewport.WorkSize.x, height));
}

}  // namespace

void place_window(const Overlay& o) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const WindowPlaceChoice choice = static_cast<WindowPlaceChoice>(o.settings.place);
#ifdef IMGUI_HAS_VIEWPORT
  if (choice == WindowPlaceChoice::kOwnWindow) {
    ImGuiWindowClass own;
    own.ViewportFlagsOverrideSet = ImGuiViewportFlags_NoAutoMerge;
    ImGui::SetNextWindowClass(&own);
  }
#endif
  if (usable(viewport) && choice != WindowPlaceChoice::kFree && choice != WindowPlaceChoice::kOwnWindow)
    return place_at_edge(o, viewport, choice);
  if (follow_viewport(o, viewport)) return;
  const float height = static_cast<float>(static_cast<int>(viewport.WorkSize.y * kWindowShare));
  ImGui::SetNextWindowPos(viewport.WorkPos, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSize(ImVec2(viewport.WorkSize.x, height), ImGuiCond_FirstUseEver);
}

// A window that is docked, or outside of the main viewport, goes its own ways.
void remember_place(Overlay& o) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  WindowPlace& place = o.window.place;
  if (!usable(viewport)) return;
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  place.viewport_width = viewport.WorkSize.x;
  place.viewport_height = viewport.WorkSize.y;
  place.x = at.x - viewport.WorkPos.x;
  place.y = at.y - viewport.WorkPos.y;
  place.width = size.x;
  if (o.settings.place != static_cast<int>(WindowPlaceChoice::kFullScreen)) place.height = size.y;
#ifdef IMGUI_HAS_DOCK
  place.inside = !ImGui::IsWindowDocked() && ImGui::GetWindowViewport() == &viewport;
#else
  place.inside = true;
#endif
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
  if (ImGui::IsItemActive()) o.window.place.height += ImGui::GetIO().MouseDelta.y * (top ? 1.0f : -1.0f);
  if (ImGui::IsItemActive() || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  ImGui::SetCursorScreenPos(content);
}

}  // namespace flamelet::ui
