// SPDX-License-Identifier: MIT
//
// The list of what the mouse and the keys do.
#include <algorithm>

#include "imgui.h"
#include "ui/canvas.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace flamelet::ui {

namespace {

struct HelpRow {
  const char* input;
  const char* effect;
};

constexpr HelpRow kMouse[] = {
    {"click", "select a scope"},
    {"double-click", "zoom to a scope; beside one: whole frame"},
    {"wheel", "zoom at the cursor (Ctrl fine, Shift coarse)"},
    {"wheel on labels", "scroll the lanes"},
    {"right drag, Shift+drag", "pan"},
    {"drag", "measure time; on a histogram, choose calls"},
    {"middle click", "zoom to a scope"},
    {"right click, Ctrl+click", "menu: filter, copy, fold, hide"},
    {"click on a label", "fold the lane"},
    {nullptr, nullptr},
    {"over the frame bars", "look at that frame"},
    {"click, drag on the bars", "keep that frame, or several"},
    {"wheel on the bars", "more or fewer frames (Shift scrolls)"},
    {"bars with a flag, left", "frames that were kept"},
};

constexpr HelpRow kKeys[] = {
    {"Space", "pause, resume"},
    {"Left, Right", "previous, next frame"},
    {"Shift+Left, Right", "previous, next kept frame"},
    {"W S, Up Down", "zoom in, zoom out"},
    {"A D", "pan"},
    {"0, Home", "whole frame"},
    {"F", "zoom to the selected scope"},
    {"Backspace", "back to the previous view"},
    {". ,", "next, previous instance of the scope"},
    {"Tab", "its longest instance"},
    {"/, Ctrl+F", "filter"},
    {"V", "hide empty lanes"},
    {"B", "compare: these frames are A, the next ones B"},
    {"P", "the frame's critical path over the lanes"},
    {"1, 2, 3 ...", "a page, in the order of the buttons"},
    {"T", "the next page"},
    {"F2 by default", "save the last seconds"},
    {"H, L", "scope: whole history, log axis"},
    {"R", "tree: fold recursion, or keep it"},
    {"Esc", "clear filter, then selection; then leave"},
    {"?", "this page"},
};

template <size_t N>
float column_width(const Overlay& o, const HelpRow (&rows)[N], bool inputs) {
  float width = 0;
  for (const HelpRow& row : rows) {
    if (row.input == nullptr) continue;
    const float w = text_width(o.metrics, inputs ? row.input : row.effect);
    if (w > width) width = w;
  }
  return width;
}

float help_line(const Overlay& o) {
  return o.metrics.size + scaled(o, 4);
}

// The width of a list with its title.
template <size_t N>
float list_width(const Overlay& o, const HelpRow (&rows)[N]) {
  return column_width(o, rows, true) + scaled(o, 14) + column_width(o, rows, false);
}
template <size_t N>
float list_height(const Overlay& o, const HelpRow (&rows)[N]) {
  float height = help_line(o) + scaled(o, 2);
  for (const HelpRow& row : rows) height += row.input != nullptr ? help_line(o) : help_line(o) * 0.5f;
  return height;
}

template <size_t N>
void draw_list(Overlay& o, Canvas& canvas, const HelpRow (&rows)[N], const char* title, float x, float y, float right) {
  const float line = help_line(o);
  const float effect_x = x + column_width(o, rows, true) + scaled(o, 14);
  canvas.text(x, y, color::kAccent, title);
  y += line + scaled(o, 2);
  for (const HelpRow& row : rows) {
    if (row.input != nullptr) {
      canvas.text(x, y, color::kText, row.input);
      canvas.text_fit(effect_x, y, right - effect_x, color::kTextMid, row.effect);
      y += line;
    } else {
      y += line * 0.5f;
    }
  }
}

}  // namespace

// The two lists stand beside each other, or, where there is no room for that, one below the other; then they scroll if
// need be.
void show_help(Overlay& o) {
  if (!o.window.help_open) return;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float pad = scaled(o, 14);
  const float gap = scaled(o, 28);
  const float mouse_width = list_width(o, kMouse);
  const float keys_width = list_width(o, kKeys);
  const float mouse_height = list_height(o, kMouse);
  const float keys_height = list_height(o, kKeys);
  const bool beside = mouse_width + gap + keys_width + 2 * pad <= viewport->WorkSize.x;
  const float content_width = beside ? mouse_width + gap + keys_width : std::max(mouse_width, keys_width);
  const float content_height = beside ? std::max(mouse_height, keys_height) : mouse_height + gap + keys_height;
  const float height = std::min(content_height + 2 * pad, viewport->WorkSize.y);
  const float scrollbar = height < content_height + 2 * pad ? ImGui::GetStyle().ScrollbarSize : 0;
  const float width = std::min(content_width + 2 * pad + scrollbar, viewport->WorkSize.x);
  // Over the middle of the overlay, as far as the viewport allows.
  const ImVec2 window = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const auto place = [](float middle, float length, float begin, float room) {
    return static_cast<float>(
        static_cast<int>(std::min(std::max(middle - length * 0.5f, begin), begin + room - length)));
  };
  ImGui::SetNextWindowPos(ImVec2(place(window.x + size.x * 0.5f, width, viewport->WorkPos.x, viewport->WorkSize.x),
                                 place(window.y + size.y * 0.5f, height, viewport->WorkPos.y, viewport->WorkSize.y)));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::SetNextWindowFocus();
  ImGui::SetNextWindowBgAlpha(1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  if (ImGui::Begin("##flamelet_help", nullptr,
                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();  // scrolls
    const float right = ImGui::GetWindowPos().x + width - scrollbar - scaled(o, 4);
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    draw_list(o, canvas, kMouse, "Mouse", at.x, at.y, right);
    if (beside)
      draw_list(o, canvas, kKeys, "Keys", at.x + mouse_width + gap, at.y, right);
    else
      draw_list(o, canvas, kKeys, "Keys", at.x, at.y + mouse_height + gap, right);
    ImGui::Dummy(ImVec2(1, content_height));
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0) && !ImGui::IsAnyItemActive()) o.window.help_open = false;
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace flamelet::ui
