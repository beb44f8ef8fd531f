// SPDX-License-Identifier: MIT
//
// The two small menus of the lanes: what to do with a scope or a lane, and what to do with a measured stretch of time.
#include "imgui.h"
#include "ui/actions.h"
#include "ui/ui.h"
#include "ui/update.h"
#include "ui/widgets.h"
#include "view/text_buffer.h"

namespace flamelet::ui {

namespace {

void show_scope_menu(Overlay& o) {
  if (!begin_menu(o, "##scope_menu", MenuPlace::kMouse)) return;
  if (o.menu_span.valid) {
    const flamelet_span& span = o.menu_span.span;
    const std::string_view name = view_of(flamelet_capture_string(o.capture, span.name));
    const TextFit fit = fit_text(o.metrics, name, scaled(o, 260));
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextDim));
    ImGui::TextUnformatted(name.data(), name.data() + fit.bytes);
    ImGui::PopStyleColor();
    ImGui::Separator();
    if (ImGui::MenuItem("Zoom to it", "F")) zoom_to(o, {span.begin_ns, span.end_ns});
    if (ImGui::MenuItem("Filter by this name", "/")) set_filter(o, name);
    if (ImGui::MenuItem("Copy as text")) copy_span_text(o, o.menu_span);
    if (ImGui::MenuItem("Worst instance", "Tab")) {
      o.selected = o.menu_span;
      o.scope = {true, span.site, span.name};
      select_worst_instance(o);
    }
  }
  Lane* lane = find_lane(o, o.menu_lane_kind, o.menu_lane_id);
  if (lane != nullptr) {
    if (o.menu_span.valid) ImGui::Separator();
    if (ImGui::MenuItem(lane->folded ? "Unfold the lane" : "Fold the lane")) lane->folded = !lane->folded;
    if (ImGui::MenuItem("Hide the lane")) lane->hidden = true;
  }
  if (ImGui::MenuItem("Whole frame", "0")) show_whole_frame(o);
  ImGui::EndPopup();
}

void show_measure_menu(Overlay& o) {
  if (!begin_menu(o, "##measure_menu", MenuPlace::kMouse)) return;
  FixedText<64> text;
  text.add_time(o.measure_end_ns - o.measure_begin_ns);
  ImGui::TextDisabled("measured");
  ImGui::SameLine(0, scaled(o, 8));
  ImGui::TextUnformatted(text.c_str());
  ImGui::Separator();
  const TimeWindow measured = {o.measure_begin_ns, o.measure_end_ns};
  if (ImGui::MenuItem("Zoom")) {
    freeze(o);
    o.timeline.set_view(view_of(measured), true);
    o.measure_begin_ns = o.measure_end_ns = 0;
  }
  if (ImGui::MenuItem("Table")) o.tab = Tab::kTable;
  if (ImGui::MenuItem("Clear", "Esc")) o.measure_begin_ns = o.measure_end_ns = 0;
  ImGui::EndPopup();
}

}  // namespace

void show_lane_menu(Overlay& o) {
  if (o.open_menu) ImGui::OpenPopup("##scope_menu");
  if (o.open_measure_menu) ImGui::OpenPopup("##measure_menu");
  o.open_menu = o.open_measure_menu = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(scaled(o, 8), scaled(o, 6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(scaled(o, 12), scaled(o, 4)));
  show_scope_menu(o);
  show_measure_menu(o);
  ImGui::PopStyleVar(2);
}

}  // namespace flamelet::ui
