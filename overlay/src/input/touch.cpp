// SPDX-License-Identifier: MIT
//
// Fingers: the program tells of them, ImGui's mouse and the view follow.
#include "flamelet/overlay.h"
#include "imgui.h"
#include "input/input_compat.h"
#include "lanes/lanes_page.h"
#include "shell/overlay_state.h"
#include "shell/window_parts.h"

namespace flamelet {

using namespace ui;

namespace ui {

void handle_touch(Overlay& o) {
  const bool lanes = o.pages.shows("lanes") && o.takes_input;
  TouchArea area;
  const LaneCanvas& canvas = lanes_of(o).canvas;
  if (lanes) area = {canvas.x, canvas.top, canvas.width, canvas.bottom - canvas.top};
  o.touch.set_scale(o.unit, area);
  const Pinch pinch = o.touch.take_pinch();
  if (!pinch.any || !lanes) return;
  const double width = static_cast<double>(canvas.width);
  const View view = o.timeline.view();
  const double at_ns = time_at(view, static_cast<double>(pinch.x - pinch.moved_x - canvas.x), width);
  const View zoomed = zoom_view(view, at_ns, pinch.factor, o.timeline.limits());
  const double by_ns = -static_cast<double>(pinch.moved_x) / width * zoomed.duration_ns();
  o.timeline.set_view(pan_view(zoomed, by_ns, o.timeline.limits()), false);
}

}  // namespace ui

void overlay_touch(Overlay* overlay, uint64_t finger, TouchPhase phase, float x, float y) {
  if (overlay == nullptr || phase > TouchPhase::kCancelled) return;
  overlay->touch.touch(finger, static_cast<TouchGestures::Phase>(phase), x, y, ImGui::GetTime());
}

void overlay_apply_touch(Overlay* overlay) {
  TouchMouse mouse;
  if (overlay == nullptr || !overlay->touch.next_frame(ImGui::GetTime(), &mouse)) return;
  if (mouse.present)
    put_mouse(mouse.x, mouse.y);
  else
    put_mouse_nowhere();
  for (int button = 0; button < 2; ++button) put_mouse_button(button, mouse.down[button]);
}

}  // namespace flamelet
