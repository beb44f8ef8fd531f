// SPDX-License-Identifier: MIT
//
// The line below each thread's lane that says how much of each frame the thread ran, and its rows in the tooltip.
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "lanes/lane_parts.h"
#include "lanes/run_line.h"

namespace flamelet::ui {

namespace {

// Frames in view, more of which would be narrower than the parts; and rectangles of all lanes together.
constexpr uint32_t kMostFrames = 48;
constexpr uint32_t kMostRects = 1500;

void draw_frame(Overlay& o, Canvas& canvas, float top, const flamelet_frame_info& frame,
                const flamelet_thread_time& time) {
  RunShares shares;
  if (!run_shares(time, frame, &shares)) return;
  const double width = static_cast<double>(o.canvas.width);
  const auto at = [&](double share) {
    const double ns = static_cast<double>(frame.begin_ns) + share * static_cast<double>(frame.end_ns - frame.begin_ns);
    return o.canvas.x + static_cast<float>(std::min(std::max(x_at(o.timeline.view(), ns, width), 0.0), width));
  };
  const float bottom = top + std::max(scaled(o, 2), 2.0f);
  const float x[] = {at(0), at(shares.ran), at(shares.ran + shares.ready), at(1)};
  const Rgb fills[] = {color::kFrameGood, color::kFrameFar, color::kLine};
  for (int part = 0; part < 3; ++part) {
    if (x[part + 1] <= x[part]) continue;
    canvas.rect(x[part], top, x[part + 1], bottom, fills[part]);
    ++o.canvas.run_line_rects;
  }
}

}  // namespace

void draw_run_lines(Overlay& o, Canvas& canvas, float y) {
  o.canvas.run_line_rects = 0;
  const TimeWindow window = window_of(o.timeline.view());
  size_t first = flamelet_capture_frame_at(o.capture, window.begin_ns);
  if (first == SIZE_MAX) first = 0;
  flamelet_frame_info frame;
  size_t end = first;
  while (flamelet_capture_frame(o.capture, end, &frame) && frame.begin_ns < window.end_ns)
    if (++end - first > kMostFrames) return;
  flamelet_thread_time times[FLAMELET_MAX_TRACKS];
  for (size_t i = first; i < end && flamelet_capture_frame(o.capture, i, &frame); ++i) {
    const size_t count = flamelet_capture_read_thread_times(o.capture, i, times, FLAMELET_MAX_TRACKS);
    for (size_t at = 0; at < count && o.canvas.run_line_rects < kMostRects; ++at) {
      const Lane* lane = find_shown_lane(o.store.lanes(), times[at].lane);
      if (lane == nullptr || !(lane->height > 0) || lane->y + lane->height < lane->covered_to) continue;
      draw_frame(o, canvas, y + lane->y + lane->height, frame, times[at]);
    }
  }
}

void show_run_times(Overlay& o, const Lane& lane, float column) {
  if (lane.kind != FLAMELET_LANE_THREAD) return;
  const RunSums sums = sum_run_times(o.capture, lane.capture_lane, o.timeline.shown());
  FixedText<64> text;
  if ((sums.known & FLAMELET_TIME_RAN) == 0) {
    tooltip_row("ran", "unknown", column);
    return;
  }
  const auto row = [&](const char* name, int64_t ns) {
    text.clear();
    text.add_time(ns);
    tooltip_row(name, text.view(), column);
  };
  row("ran", sums.ran_ns);
  if ((sums.known & FLAMELET_TIME_READY) != 0) row("no processor", sums.ready_ns);
  row((sums.known & FLAMELET_TIME_READY) != 0 ? "blocked" : "did not run", sums.blocked_ns);
  if ((sums.known & FLAMELET_TIME_SWITCHES) != 0) {
    text.clear();
    text.add_grouped(sums.switches);
    tooltip_row("switches", text.view(), column);
  }
  if ((sums.known & FLAMELET_TIME_MAJOR_FAULTS) != 0 && sums.major_faults != 0) {
    text.clear();
    text.add_grouped(sums.major_faults).add(" page faults");
    tooltip_row("from disk", text.view(), column);
  }
  if ((sums.known & FLAMELET_TIME_MINOR_FAULTS) != 0 && sums.minor_faults != 0) {
    text.clear();
    text.add_grouped(sums.minor_faults).add(" page faults");
    tooltip_row("new memory", text.view(), column);
  }
}

}  // namespace flamelet::ui
