// SPDX-License-Identifier: MIT
#include "draw/widgets.h"

#include <math.h>
#include <string.h>
#include <algorithm>
#include <charconv>

#include "draw/text.h"
#include "imgui.h"
#include "input/input_compat.h"
#include "pages/pages.h"

namespace flamelet::ui {

namespace {

// In a square of this size around (x, y).
void draw_icon(Canvas& canvas, Icon icon, float x, float y, float size, Rgb ink) {
  const float h = size * 0.5f;
  const float bar = size * 0.32f;
  switch (icon) {
    case Icon::kNone:
      break;
    case Icon::kPause:
      canvas.rect(x - h + 1, y - h, x - h + 1 + bar, y + h, ink);
      canvas.rect(x + h - 1 - bar, y - h, x + h - 1, y + h, ink);
      break;
    case Icon::kPlay:
    case Icon::kRight:
      canvas.triangle(x - h * 0.7f, y - h, x + h * 0.9f, y, x - h * 0.7f, y + h, ink);
      break;
    case Icon::kLeft:
      canvas.triangle(x + h * 0.7f, y - h, x - h * 0.9f, y, x + h * 0.7f, y + h, ink);
      break;
    case Icon::kClose:
      canvas.line(x - h, y - h, x + h, y + h, ink, size * 0.16f);
      canvas.line(x - h, y + h, x + h, y - h, ink, size * 0.16f);
      break;
    case Icon::kSettings:
      for (float line = -0.8f; line < 1; line += 0.8f)
        canvas.rect(x - h, y + line * h - size * 0.08f, x + h, y + line * h + size * 0.08f, ink);
      break;
  }
}

// A comma is what some keyboards have on the keypad.
int filter_number_char(ImGuiInputTextCallbackData* data) {
  if (data->EventChar == ',') data->EventChar = '.';
  const ImWchar c = data->EventChar;
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == 'e' || c == 'E' ? 0 : 1;
}

// Pressed, and again and again while the mouse holds it.
bool step_button(const char* label, float size) {
  const bool pressed = ImGui::Button(label, ImVec2(size, size));
  const bool held = ImGui::IsItemActive() && ImGui::IsMouseClicked(0, true);
  return held || (pressed && !ImGui::IsMouseReleased(0));
}

struct StyleColor {
  ImGuiCol index;
  ThemeColor rgb;
  float alpha;
};

constexpr StyleColor kStyleColors[] = {
    {ImGuiCol_WindowBg, color::kWindow, 0.97f},
    {ImGuiCol_ChildBg, color::kCanvas, 1},
    {ImGuiCol_PopupBg, color::kPanel, 0.98f},
    {ImGuiCol_Border, color::kLine, 1},
    {ImGuiCol_Text, color::kText, 1},
    {ImGuiCol_TextDisabled, color::kTextDim, 1},
    {ImGuiCol_FrameBg, color::kControl, 1},
    {ImGuiCol_FrameBgHovered, color::kControlHot, 1},
    {ImGuiCol_FrameBgActive, color::kControlHot, 1},
    {ImGuiCol_Header, color::kRowChosen, 1},
    {ImGuiCol_HeaderHovered, color::kControlHot, 1},
    {ImGuiCol_HeaderActive, color::kRowChosen, 1},
    {ImGuiCol_Button, color::kControl, 1},
    {ImGuiCol_ButtonHovered, color::kControlHot, 1},
    {ImGuiCol_ButtonActive, color::kControlHot, 1},
    {ImGuiCol_ScrollbarBg, color::kCanvas, 1},
    {ImGuiCol_ScrollbarGrab, color::kControl, 1},
    {ImGuiCol_ScrollbarGrabHovered, color::kControlHot, 1},
    {ImGuiCol_ScrollbarGrabActive, color::kControlHot, 1},
    {ImGuiCol_CheckMark, color::kAccent, 1},
    {ImGuiCol_SliderGrab, color::kAccent, 1},
    {ImGuiCol_SliderGrabActive, color::kAccent, 1},
    {ImGuiCol_Separator, color::kLine, 1},
    {ImGuiCol_ResizeGrip, color::kControl, 1},
    {ImGuiCol_ResizeGripHovered, color::kControlHot, 1},
    {ImGuiCol_ResizeGripActive, color::kAccent, 1},
    {ImGuiCol_TextSelectedBg, color::kRowChosen, 1},
};

void choose_theme(DrawContext& o) {
  const Theme wanted = make_theme(static_cast<ThemeName>(o.settings.theme), static_cast<Palette>(o.settings.palette));
  use_theme(wanted);
  if (o.theme == wanted) return;
  o.theme = wanted;
  o.styles.forget();
}

}  // namespace

bool tool_button(const Frame& frame, const char* id, Icon icon, std::string_view text, bool on, float width,
                 const char* tooltip) {
  const float height = control_height(frame);
  const float pad = scaled(frame, 7);
  const float icon_size = icon != Icon::kNone ? scaled(frame, 9) : 0;
  const float gap = icon != Icon::kNone && !text.empty() ? scaled(frame, 6) : 0;
  const float content = icon_size + gap + text_width(frame.metrics, text);
  if (!(width > 0)) width = content + 2 * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, ImVec2(width, height));
  const bool hot = ImGui::IsItemHovered();
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  const Rgb fill = on    ? hot ? mix(color::kControlOn, color::kHover, 0.15f) : color::kControlOn
                   : hot ? color::kControlHot
                         : color::kControl;
  canvas.rect(at.x, at.y, at.x + width, at.y + height, fill);
  const Rgb ink = on ? color::kInkLight : color::kText;
  float x = whole(at.x + (width - content) * 0.5f);
  if (icon != Icon::kNone) {
    draw_icon(canvas, icon, x + icon_size * 0.5f, at.y + height * 0.5f, icon_size, ink);
    x += icon_size + gap;
  }
  if (!text.empty()) canvas.text(x, at.y + scaled(frame, 3), ink, text);
  if (hot && tooltip != nullptr && begin_tooltip(frame)) {
    ImGui::TextUnformatted(tooltip);
    ImGui::EndTooltip();
  }
  return pressed;
}

ImGuiWindowFlags page_child_flags(const Frame& frame) {
  return ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove | (frame.takes_input ? 0 : ImGuiWindowFlags_NoInputs);
}

void begin_bare_child(const Frame& frame, const char* id, ImVec2 size, ImGuiWindowFlags flags) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild(id, size, false, flags | page_child_flags(frame));
  ImGui::PopStyleVar();
}

float most_name_px() {
  return ImGui::GetMainViewport()->WorkSize.x * 0.6f;
}

void name_line(const Frame& frame, std::string_view name, Rgb fill) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float swatch = scaled(frame, 9);
  Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
  SeenText seen;
  name = seen_text(name, &seen);
  const TextFit fit = fit_text(frame.metrics, name, most_name_px());
  const float top = at.y + whole((frame.metrics.size - swatch) * 0.5f);
  canvas.rect(at.x, top, at.x + swatch, top + swatch, fill);
  canvas.draw_fit(at.x + swatch + scaled(frame, 6), at.y, color::kText, name, fit);
  ImGui::Dummy(ImVec2(swatch + scaled(frame, 6) + fit.width, frame.metrics.size));
}

void mark_part(Canvas& canvas, float x0, float left, float right, float x1, float top, float bottom) {
  constexpr uint32_t kDim = 150;
  right = std::min(std::max(right, left + 3), x1);
  canvas.rect(x0, top, left, bottom, color::kCanvas, kDim);
  canvas.rect(right, top, x1, bottom, color::kCanvas, kDim);
  canvas.outline(left, top, right, bottom, color::kAccent);
}

bool begin_tooltip(const Frame& frame) {
  if (!frame.tooltips) return false;
  ImGui::BeginTooltip();
  return true;
}

void show_lines(const Frame& frame, std::string_view text, float width) {
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing.x, 0));
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t bytes = fit_words(frame.metrics, line, width);
    const bool fits = text_width(frame.metrics, line.substr(0, bytes)) <= width;
    ImGui::PushTextWrapPos(fits ? -1.0f : ImGui::GetCursorPosX() + width);
    ImGui::TextUnformatted(text.data(), text.data() + bytes);
    ImGui::PopTextWrapPos();
    // What stands between this line and the next one is not shown.
    text.remove_prefix(std::min(bytes < line.size() ? text.find_first_not_of(' ', bytes) : bytes + 1, text.size()));
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
}

void colored_text(Rgb rgb, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(rgb));
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
}

void site_line(const flamelet_capture* capture, const Frame& frame, uint32_t site_id) {
  flamelet_site_info site;
  flamelet_capture_site(capture, site_id, &site);
  const std::string_view file = view_of(site.file);
  if (file.empty()) return;
  const TextFit fit = fit_text(frame.metrics, file, most_name_px());
  FixedText<256> text;
  text.add(file.substr(0, fit.bytes)).add(fit.elided ? frame.metrics.ellipsis : "").add_line(site.line);
  colored_text(color::kTextDim, text.view());
}

void draw_arrow(const Frame& frame, Canvas& canvas, float x, float middle, bool open) {
  const float size = scaled(frame, 4), low = size * 0.6f, high = size * 0.8f;
  if (open)
    canvas.triangle(x - size, middle - low, x + size, middle - low, x, middle + high, color::kTextDim);
  else
    canvas.triangle(x - low, middle - size, x + high, middle, x - low, middle + size, color::kTextDim);
}

void tooltip_row(const char* label, std::string_view value, float column_x) {
  colored_text(color::kTextDim, label);
  const float end_x = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  ImGui::SameLine(std::max(column_x, end_x + ImGui::GetStyle().ItemSpacing.x));
  ImGui::TextUnformatted(value.data(), value.data() + value.size());
}

void tooltip_row(const char* label, TextWriter& value, float column_x) {
  tooltip_row(label, value.view(), column_x);
  value.clear();
}

void tooltip_name_row(const Frame& frame, const char* label, std::string_view name, float column_x) {
  const TextFit fit = fit_text(frame.metrics, name, most_name_px());
  tooltip_row(label, name.substr(0, fit.bytes), column_x);
  if (!fit.elided) return;
  ImGui::SameLine(0, 0);
  ImGui::TextUnformatted(frame.metrics.ellipsis);
}

// std::from_chars() knows no fractions in every library.
bool read_number(std::string_view text, double* value) {
  constexpr size_t kMostDigits = 9;
  constexpr int kMostPower = 15;
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const size_t power_at = text.find_first_of("eE");
  int power = 0;
  if (power_at != std::string_view::npos) {
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data() + power_at + 1, end, power);
    if (power_at == 0 || result.ec != std::errc() || result.ptr != end || power < -kMostPower || power > kMostPower)
      return false;
    text = text.substr(0, power_at);
  }
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
  const double number = (static_cast<double>(units) + static_cast<double>(digits) / scale) * pow(10, power);
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

#if IMGUI_VERSION_NUM >= 19200
TextScale::TextScale(int percent) : font_scale_(1) {
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * static_cast<float>(percent) * 0.01f);
}

TextScale::~TextScale() {
  ImGui::PopFont();
}
#else
// Before 1.92 the size is a font's own. ImGui takes it over when a font becomes the current one.
TextScale::TextScale(int percent) : font_scale_(ImGui::GetFont()->Scale) {
  ImFont* font = ImGui::GetFont();
  font->Scale = font_scale_ * static_cast<float>(percent) * 0.01f;
  ImGui::PushFont(font);
}

TextScale::~TextScale() {
  ImGui::GetFont()->Scale = font_scale_;
  ImGui::PopFont();
}
#endif

LookScope::LookScope(DrawContext& o, int percent) : text_(o.settings.text_percent * percent / 100) {
  choose_theme(o);
  update_metrics(&o.metrics);
  const float unit = o.unit = o.metrics.size / kBaseFontPx;
  for (const StyleColor& style : kStyleColors) {
    ImGui::PushStyleColor(style.index, to_vec4(style.rgb, style.alpha));
    ++colors_;
  }
  const auto push = [&](ImGuiStyleVar var, float x, float y) {
    ImGui::PushStyleVar(var, ImVec2(x * unit, y * unit));
    ++vars_;
  };
  const auto push_one = [&](ImGuiStyleVar var, float x) {
    ImGui::PushStyleVar(var, x);
    ++vars_;
  };
  push(ImGuiStyleVar_WindowPadding, 8, 6);
  push(ImGuiStyleVar_FramePadding, 6, 3);
  push(ImGuiStyleVar_ItemSpacing, 4, 4);
  push(ImGuiStyleVar_ItemInnerSpacing, 4, 3);
  push_one(ImGuiStyleVar_WindowRounding, 0);
  push_one(ImGuiStyleVar_ChildRounding, 0);
  push_one(ImGuiStyleVar_FrameRounding, 2 * unit);
  push_one(ImGuiStyleVar_PopupRounding, 2 * unit);
  push_one(ImGuiStyleVar_ScrollbarRounding, 0);
  push_one(ImGuiStyleVar_WindowBorderSize, 1);
  push_one(ImGuiStyleVar_ChildBorderSize, 0);
  push_one(ImGuiStyleVar_PopupBorderSize, 1);
  push_one(ImGuiStyleVar_FrameBorderSize, 0);
  push_one(ImGuiStyleVar_ScrollbarSize, 9 * unit);
}

LookScope::~LookScope() {
  ImGui::PopStyleVar(vars_);
  ImGui::PopStyleColor(colors_);
}

ListKeys read_list_keys() {
  const auto axis = [](Key less, Key more, Pad pad_less, Pad pad_more) {
    return int{key_pressed(more, true) || pad_pressed(pad_more, true)} -
           int{key_pressed(less, true) || pad_pressed(pad_less, true)};
  };
  return {axis(Key::kUp, Key::kDown, Pad::kUp, Pad::kDown), axis(Key::kLeft, Key::kRight, Pad::kLeft, Pad::kRight),
          key_pressed(Key::kEnter) || pad_pressed(Pad::kA), key_pressed(Key::kEscape) || pad_pressed(Pad::kB)};
}

bool begin_menu(Frame& frame, const char* id, MenuPlace place) {
  if (place == MenuPlace::kBelowItem)
    ImGui::SetNextWindowPos(ImGui::GetItemRectMax(), ImGuiCond_Appearing, ImVec2(1, 0));
  if (!ImGui::BeginPopup(id)) return false;
  MenuCursor& menu = frame.menu;
  if (ImGui::IsWindowAppearing()) menu.row = UINT32_MAX;
  menu.frame = ImGui::GetFrameCount();
  menu.items_before = menu.items;
  menu.items = 0;
  const ListKeys keys = read_list_keys();
  menu.accept = keys.accept && !ImGui::IsWindowAppearing();
  const uint32_t count = menu.items_before;
  if (menu.accept && menu.row == UINT32_MAX) {  // marks the first one
    menu.row = 0;
    menu.accept = false;
  }
  if (keys.vertical != 0 && count != 0)
    menu.row = menu.row == UINT32_MAX ? (keys.vertical > 0 ? 0 : count - 1)
                                      : (menu.row + count + static_cast<uint32_t>(keys.vertical)) % count;
  if (!frame.takes_input || keys.close) ImGui::CloseCurrentPopup();
  return true;
}

bool menu_item(Frame& frame, const char* label, const char* shortcut, bool selected, bool enabled) {
  const bool chosen = enabled && frame.menu.items++ == frame.menu.row;
  if (chosen) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    Canvas canvas(ImGui::GetWindowDrawList(), frame.metrics);
    canvas.rect(at.x - scaled(frame, 4), at.y - scaled(frame, 1),
                at.x + ImGui::GetContentRegionAvail().x + scaled(frame, 4),
                at.y + frame.metrics.size + scaled(frame, 2), color::kControlHot);
  }
  // The shortcut can be read under the mouse, too.
  ImGui::PushStyleColor(ImGuiCol_TextDisabled, to_vec4(enabled ? color::kTextMid : color::kTextDim));
  const bool pressed = ImGui::MenuItem(label, shortcut, selected, enabled);
  ImGui::PopStyleColor();
  if (!chosen || !frame.menu.accept) return pressed;
  ImGui::CloseCurrentPopup();
  return true;
}

}  // namespace flamelet::ui
