// SPDX-License-Identifier: MIT
//
// viewport.h: the stretch of time that the canvas shows, and the ways to move it. Everything keeps the view inside
// `limits` and at least kLeastViewNs long, whatever it is given: not-a-number too.
#ifndef FLAMELET_OVERLAY_SRC_VIEWPORT_H
#define FLAMELET_OVERLAY_SRC_VIEWPORT_H

#include "lanes/lane_rows.h"

namespace flamelet::ui {

constexpr double kLeastViewNs = 50;

// Fractions of a nanosecond keep slow zooms and pans smooth. A double holds every nanosecond of 104 days.
struct View {
  double begin_ns = 0;
  double end_ns = 0;

  double duration_ns() const { return end_ns - begin_ns; }
  bool operator==(const View& other) const { return begin_ns == other.begin_ns && end_ns == other.end_ns; }
  bool operator!=(const View& other) const { return !(*this == other); }
};

View view_of(TimeWindow window);
// The whole nanoseconds that the view touches.
TimeWindow window_of(View view);

// Moved and, if need be, shortened to lie inside the limits.
View clamp_view(View view, TimeWindow limits);
// The time under the cursor stays where it is. factor < 1 zooms in.
View zoom_view(View view, double at_ns, double factor, TimeWindow limits);
View pan_view(View view, double by_ns, TimeWindow limits);
// The view with a margin around something to look at.
View frame_view(TimeWindow target, TimeWindow limits);

double time_at(View view, double x, double width_px);
double x_at(View view, double time_ns, double width_px);

// Frame indices, both included.
struct FrameRange {
  uint64_t first = 0;
  uint64_t last = 0;
  bool valid = false;

  bool contains(uint64_t index) const { return valid && index >= first && index <= last; }
  bool operator==(const FrameRange& other) const {
    return valid == other.valid && first == other.first && last == other.last;
  }
};

// A view, and the frames that were shown in it.
struct Place {
  View view;
  FrameRange frames;

  bool operator==(const Place& other) const { return view == other.view && frames == other.frames; }
};

// The places that Backspace goes back through. The oldest fall off the end.
class ViewHistory {
 public:
  void push(const Place& place);
  bool pop(Place* place);
  uint32_t size() const { return count_; }

 private:
  static constexpr uint32_t kCapacity = 32;
  Place places_[kCapacity];
  uint32_t newest_ = 0;
  uint32_t count_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_VIEWPORT_H
