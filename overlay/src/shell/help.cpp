// SPDX-License-Identifier: MIT
//
// The help page: the table of actions, a list for each device. A click on a line does it.
#include <algorithm>

#include "draw/canvas.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "shell/action_table.h"

namespace flamelet::ui {

namespace {

const char* title_of(Device device) {
  static constexpr const char* kTitles[kDeviceCount] = {"Keys", "Mouse", "Gamepad", "Touch"};
  if (device == Device::kGamepad && !gamepad_enabled()) return "Gamepad (off: the program has not enabled it)";
  return kTitles[static_cast<uint32_t>(device)];
}

constexpr const char* kHint = "A click on a line does it; with the right button, its second half.";

using Gestures = FixedText<128>;

float line_height(const Frame& frame) {
  return frame.metrics.size + scaled(frame, 3);
}

// Calls visit(action, gestures) for the lines of a device. The keys that go from mode to mode are read only where the window is
// the overlay's own.
template <typename Visit>
void for_each_line(const Choice& choice, const WindowState& window, Device device, Visit visit) {
  for (uint32_t action = 0; action < kActionCount; action = row_end(action)) {
    if (!window.own && kActionTable[action].key_setting != nullptr) continue;
    Gestures gestures;
    write_gestures(choice, action, device, &gestures);
    if (!gestures.view().empty()) visit(action, gestures.view());
  }
}

struct ListSize {
  float input_width = 0, width = 0, height = 0;
};

ListSize measure_list(const Choice& choice, const Frame& frame, const WindowState& window, Device device) {
  ListSize size;
  float effect_width = 0;
  size.height = line_height(frame) + scaled(frame, 2);
  for_each_line(choice, window, device, [&](uint32_t action, std::string_view gestures) {
    size.input_width = std::max(size.input_width, text_width(frame.metrics, gestures));
    effect_width = std::max(effect_width, text_width(frame.metrics, kActionTable[action].effect));
    size.height += line_height(frame);
  });
  size.input_width += scaled(frame, 14);
  size.width = std::max(size.input_width + effect_width, text_width(frame.metrics, title_of(device)));
  return size;
}

// The lists in two columns, where there is room, or one below the other: keys first, then the others.
struct HelpLayout {
  ListSize lists[kDeviceCount];
  float x[kDeviceCount], y[kDeviceCount];
  float width = 0, height = 0;
};

HelpLayout layout_help(const Choice& choice, const Frame& frame, const WindowState& window, float room) {
  HelpLayout layout;
  const float gap = scaled(frame, 26);
  float side_width = 0;
  for (uint32_t i = 0; i < kDeviceCount; ++i) {
    layout.lists[i] = measure_list(choice, frame, window, static_cast<Device>(i));
    if (i != 0) side_width = std::max(side_width, layout.lists[i].width);
  }
  const bool beside = layout.lists[0].width + gap + side_width <= room;
  const float top = line_height(frame) + scaled(frame, 4);  // below the hint
  float bottom = top;
  for (uint32_t i = 0; i < kDeviceCount; ++i) {
    if (beside && i == 1) {
      layout.height = bottom;
      bottom = top;
    }
    layout.x[i] = beside && i != 0 ? layout.lists[0].width + gap : 0;
    layout.y[i] = bottom;
    bottom += layout.lists[i].height + scaled(frame, 8);
    layout.width = std::max(layout.width, layout.x[i] + layout.lists[i].width);
  }
  layout.width = std::max(layout.width, text_width(frame.metrics, kHint));
  layout.height = std::max(layout.height, bottom);
  return layout;
}

// True if the mouse is over one of its lines.
bool show_list(const Choice& choice, const Frame& frame, WindowState& window, Canvas& canvas, const HelpLayout& layout,
               uint32_t list, ImVec2 at, float right) {
  const float line = line_height(frame);
  const float x = at.x + layout.x[list];
  float y = at.y + layout.y[list];
  const float effect_x = x + layout.lists[list].input_width;
  const float end_x = list == 0 ? x + layout.lists[0].width + scaled(frame, 6) : right;
  canvas.text(x, y, color::kAccent, title_of(static_cast<Device>(list)));
  y += line + scaled(frame, 2);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool here = ImGui::IsWindowHovered() && mouse.x >= x && mouse.x < end_x;
  bool hovered = false;
  for_each_line(choice, window, static_cast<Device>(list), [&](uint32_t action, std::string_view gestures) {
    const bool can = kActionTable[action].run != nullptr;
    const bool hot = here && mouse.y >= y && mouse.y < y + line;
    if (can && (hot || (list == 0 && window.help_row == action)))
      canvas.rect(x - scaled(frame, 4), y - scaled(frame, 1), end_x, y + line - scaled(frame, 1), color::kControlHot);
    if (list == 0 && window.help_row == action && window.bring_help_row) {
      const float in_window = y - ImGui::GetWindowPos().y;
      if (in_window < line || in_window + 2 * line > ImGui::GetWindowHeight()) ImGui::SetScrollFromPosY(in_window);
      window.bring_help_row = false;
    }
    canvas.text(x, y, color::kText, gestures);
    canvas.text_fit(effect_x, y, right - effect_x, color::kTextMid, kActionTable[action].effect);
    y += line;
    hovered = hovered || hot;
    if (hot && text_width(frame.metrics, kActionTable[action].effect) > right - effect_x) {
      ImGui::BeginTooltip();
      ImGui::TextUnformatted(kActionTable[action].effect);
      ImGui::EndTooltip();
    }
    if (!hot || !can) return;
    const uint32_t second = std::min(action + 1, row_end(action) - 1);
    if (ImGui::IsMouseClicked(0)) window.help_pressed = action;
    if (ImGui::IsMouseClicked(1)) window.help_pressed = second;
  });
  return hovered;
}

}  // namespace

void move_help_row(const Choice& choice, WindowState& window, int by) {
  Gestures gestures;
  const uint32_t before = window.help_row;
  do {
    window.help_row = (window.help_row + kActionCount + static_cast<uint32_t>(by)) % kActionCount;
    gestures.clear();
    if (kActionTable[window.help_row].effect != nullptr &&
        (window.own || kActionTable[window.help_row].key_setting == nullptr))
      write_gestures(choice, window.help_row, Device::kKeys, &gestures);
  } while (window.help_row != before && (gestures.view().empty() || kActionTable[window.help_row].run == nullptr));
  window.bring_help_row = true;
}

// The page closes first, so that what is done can be seen.
void press_help_line(Overlay& o) {
  const Action& action = kActionTable[o.window.help_pressed];
  o.window.help_pressed = UINT32_MAX;
  o.window.help_open = false;
  if (action.run != nullptr && (action.when == nullptr || action.when(o))) action.run(o);
}

void show_help(Choice& choice, Frame& frame, WindowState& state) {
  if (!state.help_open) return;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float pad = scaled(frame, 14);
  const float scrollbar_width = ImGui::GetStyle().ScrollbarSize;
  const HelpLayout layout = layout_help(choice, frame, state, viewport->WorkSize.x - 2 * pad - scrollbar_width);
  const float height = std::min(layout.height + 2 * pad, viewport->WorkSize.y);
  const float scrollbar = height < layout.height + 2 * pad ? scrollbar_width : 0;
  const float width = std::min(layout.width + 2 * pad + scrollbar, viewport->WorkSize.x);
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
    const float right = ImGui::GetWindowPos().x + width - scrollbar - scaled(frame, 4);
    Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
    canvas.text_fit(at.x, at.y, right - at.x, color::kTextDim, kHint);
    bool over_line = false;
    for (uint32_t i = 0; i < kDeviceCount; ++i)
      over_line = show_list(choice, frame, state, canvas, layout, i, at, right) || over_line;
    ImGui::Dummy(ImVec2(1, layout.height));
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0) && !over_line && !ImGui::IsAnyItemActive())
      state.help_open = false;
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace flamelet::ui
