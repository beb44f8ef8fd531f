// SPDX-License-Identifier: MIT
//
// The keyboard, and the page that lists it.
#include "actions.h"
#include "canvas.h"
#include "imgui.h"
#include "input_compat.h"
#include "ui.h"
#include "widgets.h"

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
    {"drag", "measure a stretch of time"},
    {"middle click", "zoom to a scope"},
    {"right click, Ctrl+click", "menu: filter, copy, fold, hide"},
    {"click on a label", "fold the lane"},
    {nullptr, nullptr},
    {"over the frame bars", "look at that frame"},
    {"click, drag on the bars", "keep that frame, or several"},
    {"wheel on the bars", "more or fewer frames (Shift scrolls)"},
};

constexpr HelpRow kKeys[] = {
    {"Space", "pause, resume"},
    {"Left, Right", "frame before, frame after"},
    {"W S, Up Down", "zoom in, zoom out"},
    {"A D", "pan"},
    {"0, Home", "whole frame"},
    {"F", "zoom to the selected scope"},
    {"Backspace", "back to the view before"},
    {". ,", "next, previous instance of the scope"},
    {"Tab", "its longest instance"},
    {"/, Ctrl+F", "filter"},
    {"V", "hide empty lanes"},
    {"T", "next page: lanes, flame, tree, table"},
    {"R", "tree: fold recursion, or not"},
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

template <size_t N>
void draw_rows(Overlay& o, Canvas& canvas, const HelpRow (&rows)[N], const char* title, float x, float y) {
  const float line = o.metrics.size + scaled(o, 4);
  const float effect_x = x + column_width(o, rows, true) + scaled(o, 14);
  canvas.text(x, y, color::kAccent, title);
  y += line + scaled(o, 2);
  for (const HelpRow& row : rows) {
    if (row.input != nullptr) {
      canvas.text(x, y, color::kText, row.input);
      canvas.text(effect_x, y, color::kTextMid, row.effect);
      y += line;
    } else {
      y += line * 0.5f;
    }
  }
}

}  // namespace

void handle_keys(Overlay& o) {
  if (!o.takes_input) return;
  const bool here = ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) ||
                    ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || o.help_open;
  if (!here) return;
  claim_keyboard();
  // A text field gets the keys; and the key that is being chosen must not also act.
  if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive() || o.choosing_key) return;
  if (o.files.dialog != FileDialog::kNone) return;
  if (key_pressed(Key::kSpace)) toggle_pause(o);
  if (key_pressed(Key::kLeft, true)) step_frame(o, -1);
  if (key_pressed(Key::kRight, true)) step_frame(o, 1);
  if (key_pressed(Key::kW, true) || key_pressed(Key::kUp, true) || key_pressed(Key::kPlus, true)) zoom_by(o, 0.8);
  if (key_pressed(Key::kS, true) || key_pressed(Key::kDown, true) || key_pressed(Key::kMinus, true)) zoom_by(o, 1.25);
  if (key_pressed(Key::kA, true)) pan_by(o, -0.15);
  if (key_pressed(Key::kD, true)) pan_by(o, 0.15);
  if (key_pressed(Key::kZero) || key_pressed(Key::kHome)) show_whole_frame(o);
  if (key_pressed(Key::kBackspace, true)) o.timeline.back();
  if (key_pressed(Key::kF)) zoom_to_selection(o);
  if (key_pressed(Key::kPeriod, true)) select_next_instance(o, 1);
  if (key_pressed(Key::kComma, true)) select_next_instance(o, -1);
  if (key_pressed(Key::kTab)) select_worst_instance(o);
  if (key_pressed(Key::kSlash) || find_shortcut_pressed()) o.focus_filter = true;
  if (key_pressed(Key::kQuestion)) o.help_open = !o.help_open;
  if (key_pressed(Key::kT)) turn_page(o);
  if (key_pressed(Key::kR)) fold_recursion(o);
  if (key_pressed(Key::kV)) {
    o.settings.hide_empty = !o.settings.hide_empty;
    o.settings_changed = true;
  }
  if (key_pressed(Key::kEscape)) escape(o);
}

void show_help(Overlay& o) {
  if (!o.help_open) return;
  const float pad = scaled(o, 14);
  const float gap = scaled(o, 14);
  const float mouse_width = column_width(o, kMouse, true) + gap + column_width(o, kMouse, false);
  const float keys_width = column_width(o, kKeys, true) + gap + column_width(o, kKeys, false);
  const float line = o.metrics.size + scaled(o, 4);
  const float width = pad * 2 + mouse_width + gap * 2 + keys_width;
  const float height = pad * 2 + line * 16.5f + scaled(o, 2);
  const ImVec2 window = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const float x = static_cast<float>(static_cast<int>(window.x + (size.x - width) * 0.5f));
  const float y = static_cast<float>(static_cast<int>(window.y + (size.y - height) * 0.5f));
  ImGui::SetNextWindowPos(ImVec2(x > window.x ? x : window.x, y > window.y ? y : window.y));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::SetNextWindowFocus();
  ImGui::SetNextWindowBgAlpha(1);
  if (ImGui::Begin("##flamelet_help", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoNav)) {
    const ImVec2 at = ImGui::GetWindowPos();
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    draw_rows(o, canvas, kMouse, "Mouse", at.x + pad, at.y + pad);
    draw_rows(o, canvas, kKeys, "Keys", at.x + pad + mouse_width + gap * 2, at.y + pad);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) o.help_open = false;
  }
  ImGui::End();
}

}  // namespace flamelet::ui
