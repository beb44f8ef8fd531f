// SPDX-License-Identifier: MIT
//
// What goes through all lanes: lines at points of time, and the measured time.
#include <algorithm>

#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "lanes/lane_parts.h"
#include "lanes/ruler.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

// Frames in view; more of these lines would be a grey wall, or an amber one.
constexpr uint32_t kMostBorders = 128;
constexpr uint32_t kMostBudgetLines = 6;

}  // namespace

void draw_grid(const Overlay& o, const LanesPage& page, Canvas& canvas, float top, float bottom) {
  const View view = o.timeline.view();
  const double width = static_cast<double>(page.canvas.width);
  const auto line = [&](double time_ns, Rgb rgb, uint32_t alpha) {
    const double x = x_at(view, time_ns, width);
    if (!(x >= 0) || !(x < width)) return;
    const float at = page.canvas.x + static_cast<float>(static_cast<int>(x));
    canvas.rect(at, top, at + 1, bottom, rgb, alpha);
  };
  const TimeWindow shown = o.timeline.shown_window();
  const Ruler ruler = make_ruler(view, shown.begin_ns, page.canvas.width, scaled(o, 72));
  for (uint32_t i = 0; i < ruler.count; ++i)
    line(static_cast<double>(ruler.first_ns) + static_cast<double>(i) * static_cast<double>(ruler.step_ns),
         color::kGrid, 255);
  const TimeWindow window = window_of(view);
  size_t position = flamelet_capture_frame_at(o.capture, window.begin_ns);
  if (position == SIZE_MAX) position = 0;
  uint32_t borders = 0;
  flamelet_frame_info frame;
  for (size_t i = position; flamelet_capture_frame(o.capture, i, &frame) && frame.begin_ns <= window.end_ns; ++i)
    if (++borders > kMostBorders) return;
  for (size_t i = position; i < position + borders && flamelet_capture_frame(o.capture, i, &frame); ++i) {
    line(static_cast<double>(frame.begin_ns), color::kGridFrame, 255);
    line(static_cast<double>(frame.end_ns), color::kGridFrame, 255);
    if (borders <= kMostBudgetLines && frame.end_ns - frame.begin_ns > o.settings.budget_ns)
      line(static_cast<double>(frame.begin_ns + o.settings.budget_ns), color::kBudget, 170);
  }
}

void draw_measured_time(const Overlay& o, const LanesPage& page, Canvas& canvas, float top, float bottom) {
  if (!o.selection.measures()) return;
  const double width = static_cast<double>(page.canvas.width);
  const View view = o.timeline.view();
  const double x0 = std::max(x_at(view, static_cast<double>(o.selection.measured.begin_ns), width), 0.0);
  const double x1 = std::min(x_at(view, static_cast<double>(o.selection.measured.end_ns), width), width);
  if (x1 <= x0) return;
  const float left = page.canvas.x + static_cast<float>(x0);
  const float right = page.canvas.x + static_cast<float>(x1);
  canvas.rect(left, top, right, bottom, color::kSelect, 28);
  canvas.rect(left, top, left + 1, bottom, color::kSelect, 160);
  canvas.rect(right - 1, top, right, bottom, color::kSelect, 160);
  FixedText<32> text;
  text.add_time(o.selection.measured_ns());
  const float pad = scaled(o, 5);
  const float text_width = canvas.width(text.view());
  const float text_x =
      std::min(std::max(static_cast<float>(static_cast<int>((left + right - text_width) * 0.5f)), page.canvas.x + pad),
               page.canvas.x + page.canvas.width - text_width - pad);
  const float text_y = bottom - o.metrics.size - scaled(o, 8);
  canvas.rect(text_x - pad, text_y - scaled(o, 2), text_x + text_width + pad, text_y + o.metrics.size + scaled(o, 2),
              color::kControlOn);
  canvas.text(text_x, text_y, color::kInkLight, text.view());
}

void draw_selected_message(Overlay& o, LanesPage& page, Canvas& canvas, float y, float clip_top, float clip_bottom) {
  const SelectedMessage& selected = o.selection.message;
  if (!selected.valid) return;
  const double px =
      x_at(o.timeline.view(), static_cast<double>(selected.time_ns), static_cast<double>(page.canvas.width));
  if (!(px >= 0) || !(px < static_cast<double>(page.canvas.width))) return;
  const float x = page.canvas.x + static_cast<float>(static_cast<int>(px));
  canvas.rect(x, clip_top, x + 1, clip_bottom, color::kSelect, 130);
  const Lane* lane = find_lane(o, selected.lane_kind, selected.lane_id);
  if (lane == nullptr || !(lane->height > 0)) return;
  const float size = lane_gap(o);
  const float bottom = y + lane->y;
  if (bottom < std::max(clip_top, y + lane->covered_to) || bottom > clip_bottom) return;
  canvas.triangle(x - size, bottom - size, x + size + 1, bottom - size, x + 0.5f, bottom, color::kSelect);
}

}  // namespace flamelet::ui
