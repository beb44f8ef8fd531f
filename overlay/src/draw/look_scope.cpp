// SPDX-License-Identifier: MIT
#include "draw/look_scope.h"

#include "draw/widgets.h"

namespace flamelet::ui {

namespace {

constexpr float kBaseFontPx = 13;

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

void choose_theme(Overlay& o) {
  const Theme wanted = make_theme(static_cast<ThemeName>(o.settings.theme), static_cast<Palette>(o.settings.palette));
  use_theme(wanted);
  if (o.theme == wanted) return;
  o.theme = wanted;
  o.styles.forget();
}

}  // namespace

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

LookScope::LookScope(Overlay& o, int percent) : text_(o.settings.text_percent * percent / 100) {
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

}  // namespace flamelet::ui
