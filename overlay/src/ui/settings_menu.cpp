// SPDX-License-Identifier: MIT
//
// The menu of the button "settings".
#include "imgui.h"
#include "ui/input_compat.h"
#include "ui/ui.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

#if IMGUI_VERSION_NUM >= 19100
constexpr ImGuiSelectableFlags kKeepPopup = ImGuiSelectableFlags_NoAutoClosePopups;
#else
constexpr ImGuiSelectableFlags kKeepPopup = ImGuiSelectableFlags_DontClosePopups;
#endif

void flip(Settings& settings, bool Settings::*which) {
  settings.set(which, !(settings.*which));
}

void choose_budget(Settings& settings) {
  static constexpr struct {
    const char* label;
    int64_t ns;
  } kBudgets[] = {{"120 Hz,  8.33 ms", 8333333},
                  {" 90 Hz, 11.11 ms", 11111111},
                  {" 60 Hz, 16.67 ms", 16666667},
                  {" 30 Hz, 33.33 ms", 33333333}};
  ImGui::TextDisabled("frame budget");
  for (const auto& budget : kBudgets)
    if (ImGui::MenuItem(budget.label, nullptr, settings.budget_ns / 100000 == budget.ns / 100000))
      settings.set(&Settings::budget_ns, budget.ns);
}

void choose_mode_key(Settings& settings) {
  FixedText<64> label;
  if (settings.choosing_key)
    label.add("press a key ...");
  else
    label.add("mode key: ").add(mode_key_name(settings.toggle_key));
  label.add("###mode_key");
  if (ImGui::Selectable(label.c_str(), settings.choosing_key, kKeepPopup))
    settings.choosing_key = !settings.choosing_key;
  const int key = settings.choosing_key ? find_pressed_key() : 0;
  if (key == 0) return;
  if (!key_pressed(Key::kEscape)) settings.set(&Settings::toggle_key, key);
  settings.choosing_key = false;
}

}  // namespace

void show_settings_menu(Overlay& o) {
  Settings& settings = o.settings;
  if (!begin_menu(o, "##settings", MenuPlace::kBelowItem)) {
    settings.choosing_key = false;
    return;
  }
  choose_budget(settings);
  ImGui::Separator();
  if (ImGui::MenuItem("hide empty lanes", "V", settings.hide_empty)) flip(settings, &Settings::hide_empty);
  if (ImGui::MenuItem("details below the page", nullptr, settings.show_details))
    flip(settings, &Settings::show_details);
  if (ImGui::MenuItem("critical path over the lanes", "P", settings.critical_path))
    flip(settings, &Settings::critical_path);
  if (ImGui::MenuItem("why line for every frame", nullptr, settings.why_always)) flip(settings, &Settings::why_always);
  if (o.spikes.flight != nullptr && ImGui::MenuItem("pause on a kept frame", nullptr, settings.pause_on_kept))
    flip(settings, &Settings::pause_on_kept);
  if (ImGui::MenuItem("show hidden lanes again"))
    for (Lane& lane : o.store.lanes()) lane.hidden = false;
  ImGui::Separator();
  choose_mode_key(settings);
  ImGui::EndPopup();
}

}  // namespace flamelet::ui
