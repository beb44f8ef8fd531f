// SPDX-License-Identifier: MIT
#include "draw/number_field.h"

#include <string.h>

#include <algorithm>
#include <charconv>

#include "draw/text_buffer.h"
#include "imgui.h"

namespace flamelet::ui {

namespace {

// A comma is what some keyboards have on the keypad.
int filter_number_char(ImGuiInputTextCallbackData* data) {
  if (data->EventChar == ',') data->EventChar = '.';
  const ImWchar c = data->EventChar;
  return (c >= '0' && c <= '9') || c == '.' || c == '-' ? 0 : 1;
}

// Pressed, and again and again while the mouse holds it.
bool step_button(const char* label, float size) {
  const bool pressed = ImGui::Button(label, ImVec2(size, size));
  const bool held = ImGui::IsItemActive() && ImGui::IsMouseClicked(0, true);
  return held || (pressed && !ImGui::IsMouseReleased(0));
}

}  // namespace

// std::from_chars() knows no fractions in every library.
bool read_number(std::string_view text, double* value) {
  constexpr size_t kMostDigits = 9;
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  const auto read = [](std::string_view digits, uint64_t* number) {
    const std::from_chars_result result = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
    return result.ec == std::errc() && result.ptr == digits.data() + digits.size();
  };
  uint64_t units = 0, digits = 0;
  if ((!whole.empty() || fraction.empty()) && !read(whole, &units)) return false;
  if (point != std::string_view::npos && (fraction.size() > kMostDigits || !read(fraction, &digits))) return false;
  double scale = 1;
  for (size_t i = 0; i < fraction.size(); ++i) scale *= 10;
  const double number = static_cast<double>(units) + static_cast<double>(digits) / scale;
  *value = negative ? -number : number;
  return true;
}

bool number_field(const char* id, double* value, double step, int decimals) {
  FixedText<64> shown;
  shown.add_fixed(*value, decimals);
  char text[64];
  memcpy(text, shown.view().data(), shown.view().size());
  text[shown.view().size()] = 0;
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCharFilter;
  double typed = *value;
  if (step == 0) {
    const bool is_typed = ImGui::InputText(id, text, sizeof text, kFlags, filter_number_char);
    if (!is_typed || !read_number(text, &typed)) return false;
    *value = typed;
    return true;
  }
  const float button = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::max(1.0f, ImGui::CalcItemWidth() - 2 * (button + gap));
  ImGui::BeginGroup();
  ImGui::PushID(id);
  ImGui::SetNextItemWidth(width);
  bool changed =
      ImGui::InputText("##number", text, sizeof text, kFlags, filter_number_char) && read_number(text, &typed);
  const double change = ImGui::GetIO().KeyCtrl ? 10 * step : step;
  ImGui::SameLine(0, gap);
  if (step_button("-", button)) {
    typed -= change;
    changed = true;
  }
  ImGui::SameLine(0, gap);
  if (step_button("+", button)) {
    typed += change;
    changed = true;
  }
  ImGui::PopID();
  ImGui::EndGroup();
  if (changed) *value = typed;
  return changed;
}

}  // namespace flamelet::ui
