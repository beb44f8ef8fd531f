// SPDX-License-Identifier: MIT
//
// button_line.h: a line of buttons and texts above a page.
#ifndef FLAMELET_OVERLAY_SRC_BUTTON_LINE_H
#define FLAMELET_OVERLAY_SRC_BUTTON_LINE_H

#include "draw/number_field.h"
#include "draw/widgets.h"
#include "imgui.h"

namespace flamelet::ui {

// Buttons from left to right; one without room is left out, and so are all after it.
class ButtonLine {
 public:
  explicit ButtonLine(Frame& frame) : frame_(frame), at_(ImGui::GetCursorScreenPos()) {
    right_ = at_.x + ImGui::GetContentRegionAvail().x;
    at_.x += scaled(frame, 2);
    at_.y += scaled(frame, 2);
  }
  bool button(const char* id, std::string_view text, bool on, const char* tooltip) {
    const float width = text_width(frame_.metrics, text) + scaled(frame_, 14);
    if (at_.x + width > right_) {
      right_ = at_.x;
      return false;
    }
    ImGui::SetCursorScreenPos(at_);
    bool marked = false;
    const bool by_key = frame_.rows.pressed(&marked);
    const bool pressed = tool_button(frame_, id, Icon::kNone, text, on, width, tooltip) || by_key;
    if (marked)
      Canvas(ImGui::GetWindowDrawList(), frame_.metrics)
          .outline(at_.x, at_.y, at_.x + width, at_.y + control_height(frame_), color::kAccent);
    at_.x += width + scaled(frame_, 1);
    return pressed;
  }
  // A number that can be typed, behind its label. True once it was changed; `focus` puts the cursor there.
  bool number(const char* id, std::string_view label, double* value, int decimals, const char* tooltip, bool focus) {
    const float width = text_width(frame_.metrics, "00000.00") + scaled(frame_, 14);
    const float label_width = text_width(frame_.metrics, label) + frame_.metrics.of(' ');
    if (at_.x + label_width + width > right_) {
      right_ = at_.x;
      return false;
    }
    Canvas(ImGui::GetWindowDrawList(), frame_.metrics).text(at_.x, at_.y + scaled(frame_, 3), color::kTextDim, label);
    at_.x += label_width;
    ImGui::SetCursorScreenPos(at_);
    ImGui::SetNextItemWidth(width);
    if (focus) ImGui::SetKeyboardFocusHere();
    number_field(id, value, 0, decimals);
    const bool changed = ImGui::IsItemDeactivatedAfterEdit();
    if (ImGui::IsItemHovered() && begin_tooltip(frame_)) {
      ImGui::TextUnformatted(tooltip);
      ImGui::EndTooltip();
    }
    at_.x += width + scaled(frame_, 1);
    return changed;
  }
  void gap() { at_.x += scaled(frame_, 9); }
  void text(Rgb rgb, std::string_view text) {
    Canvas canvas(ImGui::GetWindowDrawList(), frame_.metrics);
    at_.x += canvas.text_fit(at_.x, at_.y + scaled(frame_, 3), right_ - at_.x, rgb, text) + frame_.metrics.of(' ') * 2;
  }

 private:
  Frame& frame_;
  ImVec2 at_;
  float right_;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_BUTTON_LINE_H
