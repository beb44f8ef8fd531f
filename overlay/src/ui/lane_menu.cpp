// SPDX-License-Identifier: MIT
//
// The two small menus of the lanes: what to do with a scope or a lane, and what to do with a measured stretch of time.
#include "imgui.h"
#include "ui/actions.h"
#include "ui/lane_parts.h"
#include "ui/update.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

void show_scope_menu(Overlay& o) {
  if (!begin_menu(o, "##scope_menu", MenuPlace::kMouse)) return;
  if (o.mouse.menu.span.valid) {
    const flamelet_span& span = o.mouse.menu.span.span;
    const std::string_view name = view_of(flamelet_capture_string(o.capture, span.name));
    const TextFit fit = fit_text(o.metrics, name, scaled(o, 260));
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextDim));
    ImGui::TextUnformatted(name.data(), name.data() + fit.bytes);
    ImGui::PopStyleColor();
    ImGui::Separator();
    if (ImGui::MenuItem("Zoom to it", "F")) zoom_to(o, {span.begin_ns, span.end_ns});
    if (ImGui::MenuItem("Filter by this name", "/")) o.filter.set(name);
    if (ImGui::MenuItem("Copy as text")) copy_span_text(o, o.mouse.menu.span);
    if (ImGui::MenuItem("All about this scope", "7")) {
      o.selection.select(o.mouse.menu.span);
      o.page.open("scope");
    }
    if (ImGui::MenuItem("Worst instance", "Tab")) {
      o.selection.select(o.mouse.menu.span);
      select_worst_instance(o);
    }
  }
  Lane* lane = find_lane(o, o.mouse.menu.lane_kind, o.mouse.menu.lane_id);
  if (lane != nullptr) {
    if (o.mouse.menu.span.valid) ImGui::Separator();
    if (ImGui::MenuItem(lane->folded ? "Unfold the lane" : "Fold the lane")) lane->folded = !lane->folded;
    if (ImGui::MenuItem("Hide the lane")) lane->hidden = true;
  }
  if (ImGui::MenuItem("Whole frame", "0")) show_whole_frame(o);
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
  if (ImGui::MenuItem("Zoom")) {
    freeze(o);
    o.timeline.set_view(view_of(measured), true);
    o.selection.forget_measured();
  }
  if (ImGui::MenuItem("Table")) o.page.open("table");
  if (ImGui::MenuItem("Clear", "Esc")) o.selection.forget_measured();
  ImGui::EndPopup();
}

}  // namespace

void show_lane_menu(Overlay& o) {
  if (o.mouse.menu.open) ImGui::OpenPopup("##scope_menu");
  if (o.mouse.menu.open_measured) ImGui::OpenPopup("##measure_menu");
  o.mouse.menu.open = o.mouse.menu.open_measured = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(scaled(o, 8), scaled(o, 6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(scaled(o, 12), scaled(o, 4)));
  show_scope_menu(o);
  show_measure_menu(o);
  ImGui::PopStyleVar(2);
}

}  // namespace flamelet::ui
