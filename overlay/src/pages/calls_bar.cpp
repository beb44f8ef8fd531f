// SPDX-License-Identifier: MIT
//
// The line above the pages Tree and Flame: which calls are shown, and how.
#include "draw/button_line.h"
#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/value_line.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/calls_view.h"
#include "pages/table/table_parts.h"

namespace flamelet::ui {

namespace {

void show_sources(CallsView& v, ButtonLine& bar) {
  if (bar.button("##cpu", "CPU", v.source == kSourceCpu, "calls on the threads")) v.show_source(kSourceCpu);
  if (bar.button("##gpu", "GPU", v.source == kSourceGpu, "passes on the GPU queues")) v.show_source(kSourceGpu);
  for (uint32_t i = 0; i < v.user_count; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (bar.button("##user", v.user[i].name, v.source == kFirstUser + i, "a call tree of the program's own"))
      v.show_source(kFirstUser + i);
    ImGui::PopID();
  }
}

}  // namespace

float calls_bar_height(const Frame& frame) {
  return control_height(frame) + scaled(frame, 5);
}

void show_calls_bar(Overlay& o, CallsView& v, bool tree) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ButtonLine bar(o);
  show_sources(v, bar);
  bar.gap();
  if (v.shown_user() == nullptr) {
    if (bar.button("##range", v.whole_history ? "whole history" : "shown frames", v.whole_history,
                   "the frames that are shown, or all that is kept and what comes after")) {
      v.whole_history = !v.whole_history;
      v.refresh.stale = true;
    }
    if (bar.button("##fold", "fold recursion", !v.keep_recursion, "a > b > a > b as a > b: R")) fold_recursion(o);
    bar.gap();
  }
  if (tree) {
    if (bar.button("##heat", v.heat_by_self ? "heat: self" : "heat: total", false, "which column has the colours"))
      v.heat_by_self = !v.heat_by_self;
    if (bar.button("##open", "open all", false, nullptr)) v.tree.open_to(UINT32_MAX);
    if (bar.button("##close", "close all", false, nullptr)) v.tree.open_to(0);
    bar.gap();
  }
  FixedText<96> text;
  text.add_grouped(v.tree.nodes().count).add(v.tree.nodes().count == 1 ? " path, " : " paths, ");
  add_samples(v, v.tree.total(), &text);
  bar.text(color::kTextDim, text.view());
  if (!v.tree.complete()) bar.text(color::kFrameOver, "more than the memory holds");
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + calls_bar_height(o)));
}

// The selected block of a program's call tree, on all of its paths.
bool draw_calls_details(Overlay& o, CallsView& v, float x, float y, float right, float line_height) {
  const UserTree* tree = v.shown_user();
  if (tree == nullptr || v.selected_id == 0) return false;
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  const PathLook look = path_look(o, v, v.selected_id);
  float at = x + draw_swatch(o, canvas, x, y, look.fill) + scaled(o, 7);
  at += canvas.text_fit(at, y, (right - x) * 0.6f, color::kText, look.name) + 2 * o.metrics.of(' ');
  canvas.text_fit(at, y, right - at, color::kTextDim, tree->name);

  ValueLine line(o, canvas, x, y + line_height, right);
  const auto add = [&](const char* label, uint64_t samples) {
    FixedText<32> text;
    add_samples(v, samples, &text);
    line.add(label, text.view(), color::kText, canvas.width("00.00 ms"));
  };
  add("total", v.selected.overall_samples);
  add("self", v.selected.self_samples);
  FixedText<32> calls;
  line.add("calls", calls.add_grouped(v.selected.calls).view());
  return true;
}

}  // namespace flamelet::ui
