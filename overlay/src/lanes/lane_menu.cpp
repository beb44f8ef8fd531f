// SPDX-License-Identifier: MIT
//
// The two small menus of the lanes: what to do with a scope or a lane, and what to do with a measured stretch of time.
#include "counters/counter_lanes.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/lane_keys.h"
#include "lanes/lane_parts.h"
#include "pages/scope/scope_page.h"
#include "shell/menu.h"
#include "shell/update.h"

namespace flamelet::ui {

namespace {

// What is kept for all lanes of this name.
void show_choices_of_lane(Overlay& o, const Lane& lane) {
  const std::string_view name = lane.name;
  const auto change = [&](auto what) {
    LaneChoice* choice = o.lane_choices.of(name);
    if (choice == nullptr) return;
    what(choice);
    o.settings.changed = true;
    o.lane_choices.arrange(&o.store.lanes());
  };
  const LaneChoice* found = o.lane_choices.find(name);
  const LaneChoice now = found != nullptr ? *found : LaneChoice();
  if (menu_item(o, now.pinned ? "Unpin the lane" : "Pin the lane to the top"))
    return change([](LaneChoice* choice) { choice->pinned = !choice->pinned; });
  if (menu_item(o, "Move the lane up", "Shift+Up")) return move_lane(o, lane, -1);
  if (menu_item(o, "Move the lane down", "Shift+Down")) return move_lane(o, lane, 1);
  if (menu_item(o, "Next colour of the lane"))
    return change([](LaneChoice* choice) {
      choice->color = static_cast<uint8_t>((choice->color + 1) % (LaneChoices::kColors + 1));
    });
  if (menu_item(o, "Hide the lane")) return change([](LaneChoice* choice) { choice->hidden = true; });
}

void show_scope_menu(Overlay& o, LanesPage& page) {
  if (page.mouse.menu.by_key)
    ImGui::SetNextWindowPos(ImVec2(page.mouse.menu.x, page.mouse.menu.y), ImGuiCond_Appearing);
  if (!begin_menu(o, "##scope_menu", MenuPlace::kMouse)) return;
  if (page.mouse.menu.span.valid) {
    const flamelet_span& span = page.mouse.menu.span.span;
    const std::string_view name = view_of(flamelet_capture_string(o.capture, span.name));
    const TextFit fit = fit_text(o.metrics, name, scaled(o, 260));
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextDim));
    ImGui::TextUnformatted(name.data(), name.data() + fit.bytes);
    ImGui::PopStyleColor();
    ImGui::Separator();
    if (menu_item(o, "Zoom to it", "F")) zoom_to(o, {span.begin_ns, span.end_ns});
    if (menu_item(o, "Filter by this name", "/")) o.filter.set(name);
    if (menu_item(o, "Copy as text")) copy_span_text(o, page.mouse.menu.span);
    if (menu_item(o, "All about this scope", "7")) {
      o.selection.select(page.mouse.menu.span);
      o.pages.open("scope");
    }
    const bool on_gpu = page.mouse.menu.span.lane_kind == FLAMELET_LANE_GPU;
    const bool pinned = o.watched.is_pinned(name, on_gpu);
    const bool room = pinned || o.watched.pin_count() < WatchedScopes::kMostPins;
    if (menu_item(o, pinned ? "Unpin from the HUD" : "Pin to the HUD", "X", false,
                  room && WatchedScopes::can_watch(name)) &&
        o.watched.pin(name, on_gpu, !pinned))
      o.settings.changed = true;
    if (menu_item(o, "Set a budget", nullptr, false, WatchedScopes::can_watch(name))) {
      o.selection.select(page.mouse.menu.span);
      o.pages.open("scope");
      o.pages.get<ScopePage>().focus_budget = true;
    }
    if (menu_item(o, "Worst instance", "Tab")) {
      o.selection.select(page.mouse.menu.span);
      select_worst_instance(o);
    }
  }
  Lane* lane = find_lane(o, page.mouse.menu.lane_kind, page.mouse.menu.lane_id);
  if (lane != nullptr) {
    if (page.mouse.menu.span.valid) ImGui::Separator();
    if (menu_item(o, lane->folded ? "Unfold the lane" : "Fold the lane", "G")) lane->folded = !lane->folded;
    if (lane->content == LaneContent::kCounters) show_counter_menu(o, *lane);
    show_choices_of_lane(o, *lane);  // may move it
  }
  if (o.lane_choices.hidden_count() != 0 && menu_item(o, "Show hidden lanes", "Z")) show_hidden_lanes(o);
  if (menu_item(o, "Whole frame", "0")) show_whole_frame(o);
  ImGui::EndPopup();
}

void show_measure_menu(Overlay& o) {
  if (!begin_menu(o, "##measure_menu", MenuPlace::kMouse)) return;
  FixedText<64> text;
  text.add_time(o.selection.measured_ns());
  ImGui::TextDisabled("measured");
  ImGui::SameLine(0, scaled(o, 8));
  ImGui::TextUnformatted(text.c_str());
  ImGui::Separator();
  const TimeWindow measured = o.selection.measured;
  if (menu_item(o, "Zoom")) {
    freeze(o);
    o.timeline.set_view(view_of(measured), true);
    o.selection.forget_measured();
  }
  if (menu_item(o, "Table")) o.pages.open("table");
  if (menu_item(o, "Clear", "Esc")) o.selection.forget_measured();
  ImGui::EndPopup();
}

}  // namespace

void show_lane_menu(Overlay& o, LanesPage& page) {
  if (page.mouse.menu.open) ImGui::OpenPopup("##scope_menu");
  if (page.mouse.menu.open_measured) ImGui::OpenPopup("##measure_menu");
  page.mouse.menu.open = page.mouse.menu.open_measured = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(scaled(o, 8), scaled(o, 6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(scaled(o, 12), scaled(o, 4)));
  show_scope_menu(o, page);
  show_measure_menu(o);
  ImGui::PopStyleVar(2);
}

}  // namespace flamelet::ui
