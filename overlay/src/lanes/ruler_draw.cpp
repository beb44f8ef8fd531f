// SPDX-License-Identifier: MIT
#include "lanes/ruler.h"

#include <algorithm>

#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "lanes/lane_parts.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

namespace {

// Labels that were placed on the ruler: later ones must not touch them.
class Occupied {
 public:
  bool take(float left, float right) {
    for (uint32_t i = 0; i < count_; ++i)
      if (left < right_[i] && right > left_[i]) return false;
    if (count_ == kMost) return false;
    left_[count_] = left;
    right_[count_++] = right;
    return true;
  }

 private:
  static constexpr uint32_t kMost = 256;  // as many as stand on the widest screens
  float left_[kMost], right_[kMost];
  uint32_t count_ = 0;
};

// How many of the first frames are before what is asked for.
template <typename Before>
size_t count_frames(const flamelet_capture* capture, Before before) {
  size_t low = 0, high = flamelet_capture_frame_count(capture);
  flamelet_frame_info frame;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (flamelet_capture_frame(capture, middle, &frame) && before(frame))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Frame numbers at the frames' begins, of as many frames as there is room for.
void draw_frame_numbers(Overlay& o, LanesPage& page, Canvas& canvas, float text_y, Occupied* occupied) {
  const View view = o.timeline.view();
  const TimeWindow window = window_of(view);
  const double width = static_cast<double>(page.canvas.width);
  const auto over = [&](const flamelet_frame_info& frame) { return frame.end_ns <= window.begin_ns; };
  const auto begun = [&](const flamelet_frame_info& frame) { return frame.begin_ns < window.end_ns; };
  const size_t begin = count_frames(o.capture, over), end = count_frames(o.capture, begun);
  flamelet_frame_info first, last;
  if (begin >= end || !flamelet_capture_frame(o.capture, begin, &first) ||
      !flamelet_capture_frame(o.capture, end - 1, &last))
    return;
  const auto write = [](uint64_t index, TextWriter* label) { label->add('#').add_grouped(index); };
  FixedText<32> label;
  write(last.index, &label);
  const float x0 = static_cast<float>(std::max(x_at(view, static_cast<double>(first.begin_ns), width), 0.0));
  const float x1 = static_cast<float>(std::min(x_at(view, static_cast<double>(last.end_ns), width), width));
  const float space = canvas.width(label.view()) + scaled(o, 9);
  uint32_t numbers = 0;
  float newest = 0;
  const uint64_t step = frame_label_step(last.index - first.index + 1, x1 - x0, space);
  for (uint64_t index = first.index - first.index % step; index <= last.index; index += step) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(o.capture, flamelet_capture_find_frame(o.capture, index), &frame)) continue;
    const double x = x_at(view, static_cast<double>(frame.begin_ns), width);
    if (x <= 0) continue;
    const float at = page.canvas.x + static_cast<float>(static_cast<int>(x));
    label.clear();
    write(index, &label);
    const float left = at + scaled(o, 3);
    const float right = left + canvas.width(label.view());
    if (right > page.canvas.x + page.canvas.width || !occupied->take(left, right + scaled(o, 6))) continue;
    canvas.text(left, text_y, color::kAccent, label.view());
    ++numbers;
    newest = left;
  }
  o.notes.note_count("frame_numbers", numbers);
  o.notes.note_place("last_frame_number", newest, text_y);
}

}  // namespace

void draw_ruler(Overlay& o, LanesPage& page, float x, float y, float height) {
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  const float right = page.canvas.x + page.canvas.width;
  canvas.rect(x, y, right, y + height, color::kPanel);
  const View view = o.timeline.view();
  const double width = static_cast<double>(page.canvas.width);
  const TimeWindow shown = o.timeline.shown_window();
  const float text_y = y + scaled(o, 1);

  FixedText<64> span;
  span.add("view ").add_time(static_cast<int64_t>(view.duration_ns()));
  canvas.text_fit(x + scaled(o, 6), text_y, gutter_width(o) - scaled(o, 10), color::kTextMid, span.view());

  Occupied occupied;
  draw_frame_numbers(o, page, canvas, text_y, &occupied);
  const Ruler ruler = make_ruler(view, shown.begin_ns, page.canvas.width, scaled(o, 72));
  const auto tick = [&](double at_ns, float length, Rgb rgb) {
    const double at = x_at(view, at_ns, width);
    if (!(at >= 0) || !(at < width)) return -1.0f;
    const float px = page.canvas.x + static_cast<float>(static_cast<int>(at));
    canvas.rect(px, y + height - length, px + 1, y + height, rgb);
    return px;
  };
  const uint32_t minors = ruler.count * ruler.minor_per_step;
  for (uint32_t i = 0; i < minors; ++i)
    tick(static_cast<double>(ruler.first_ns) +
             static_cast<double>(i) * static_cast<double>(ruler.step_ns) / static_cast<double>(ruler.minor_per_step),
         scaled(o, 2), color::kGridFrame);
  bool with_unit = true;  // on the first label only
  for (uint32_t i = 0; i < ruler.count; ++i) {
    const int64_t offset_ns = ruler.first_ns - shown.begin_ns + static_cast<int64_t>(i) * ruler.step_ns;
    const float px = tick(static_cast<double>(shown.begin_ns + offset_ns), scaled(o, 5), color::kTextDim);
    if (px < 0) continue;
    FixedText<32> label;
    write_tick(offset_ns, ruler.step_ns, with_unit, &label);
    const float label_x = px + scaled(o, 3);
    const float label_right = label_x + canvas.width(label.view());
    if (label_right > right || !occupied.take(label_x, label_right + scaled(o, 4))) continue;
    canvas.text(label_x, text_y, with_unit ? color::kText : color::kTextMid, label.view());
    with_unit = false;
  }
}

}  // namespace flamelet::ui
