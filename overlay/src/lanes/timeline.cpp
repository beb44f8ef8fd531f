// SPDX-License-Identifier: MIT
#include "lanes/timeline.h"

#include <algorithm>

namespace flamelet::ui {

namespace {

// Without frame marks, this much of the newest time is shown.
constexpr int64_t kUnmarkedNs = 50000000;

}  // namespace

void Timeline::reset(const flamelet_capture* capture, bool standing) {
  const bool paused = paused_;
  *this = Timeline();
  paused_ = paused;
  capture_ = capture;
  standing_ = standing;
  uint64_t outside;
  if (standing && !flamelet_capture_main_extent(capture, &main_.begin_ns, &main_.end_ns, &outside))
    main_ = {0, 1000000};
}

TimeWindow Timeline::limits() const {
  TimeWindow limits;
  if (capture_ == nullptr || !flamelet_capture_extent(capture_, &limits.begin_ns, &limits.end_ns)) return {0, 1000000};
  // Frame headers may outlive the pages of their spans, and the user may look at them all the same.
  if (shown_.valid) {
    const TimeWindow shown = window_of_frames(shown_);
    limits.begin_ns = std::min(limits.begin_ns, shown.begin_ns);
    limits.end_ns = std::max(limits.end_ns, shown.end_ns);
  }
  return limits;
}

TimeWindow Timeline::window_of_frames(FrameRange frames) const {
  TimeWindow window;
  if (capture_ == nullptr) return window;
  flamelet_frame_info first, last;
  if (frames.valid && flamelet_capture_frame(capture_, flamelet_capture_find_frame(capture_, frames.first), &first) &&
      flamelet_capture_frame(capture_, flamelet_capture_find_frame(capture_, frames.last), &last))
    return {first.begin_ns, last.end_ns};
  if (standing_) return main_;
  if (flamelet_capture_extent(capture_, &window.begin_ns, &window.end_ns))
    window.begin_ns = std::max(window.begin_ns, window.end_ns - kUnmarkedNs);
  return window;
}

void Timeline::show(FrameRange frames) {
  const TimeWindow before = window_of_frames(shown_);
  shown_ = frames;
  const TimeWindow after = window_of_frames(shown_);
  if (fitted_) {
    view_ = clamp_view(view_of(after), limits());
  } else {
    view_ = pan_view(view_, static_cast<double>(after.begin_ns) - static_cast<double>(before.begin_ns), limits());
  }
}

void Timeline::follow(uint64_t settled, uint32_t most_behind) {
  const size_t count = capture_ != nullptr ? flamelet_capture_frame_count(capture_) : 0;
  flamelet_frame_info frame;
  if (count == 0 || !flamelet_capture_frame(capture_, count - 1, &frame)) return show({});
  uint64_t index = frame.index;
  if (settled < index && index - settled <= most_behind && flamelet_capture_find_frame(capture_, settled) != SIZE_MAX)
    index = settled;
  show({index, index, true});
}

bool Timeline::show_frames(uint64_t first, uint64_t last) {
  if (capture_ == nullptr) return false;
  if (first > last) std::swap(first, last);
  if (flamelet_capture_find_frame(capture_, first) == SIZE_MAX ||
      flamelet_capture_find_frame(capture_, last) == SIZE_MAX)
    return false;
  previewing_ = false;
  paused_ = true;
  // A range and a single frame have different lengths: a zoom into one says nothing about the other.
  if (first != last || shown_.first != shown_.last) fitted_ = true;
  show({first, last, true});
  return true;
}

bool Timeline::step(int64_t by) {
  const uint64_t index = shown_.first + static_cast<uint64_t>(by);
  return shown_.valid && show_frames(index, index);
}

void Timeline::set_view(View view, bool remember) {
  view = clamp_view(view, limits());
  previewing_ = false;
  if (view == view_) return;
  if (remember) remember_view();
  view_ = view;
  fitted_ = false;
}

void Timeline::fit() {
  set_view(view_of(window_of_frames(shown_)), true);
  fitted_ = true;
}

bool Timeline::back() {
  Place place;
  if (!history_.pop(&place)) return false;
  const bool kept = place.frames.valid && flamelet_capture_find_frame(capture_, place.frames.first) != SIZE_MAX &&
                    flamelet_capture_find_frame(capture_, place.frames.last) != SIZE_MAX;
  if (kept) shown_ = place.frames;
  set_view(place.view, false);
  fitted_ = view_ == clamp_view(view_of(window_of_frames(shown_)), limits());
  return true;
}

void Timeline::preview(uint64_t index) {
  const FrameRange frame = {index, index, true};
  if (capture_ == nullptr || flamelet_capture_find_frame(capture_, index) == SIZE_MAX) return;
  previewing_ = true;
  preview_index_ = index;
  const TimeWindow window = window_of_frames(frame);
  preview_view_ = clamp_view(view_of(window), limits());
}

}  // namespace flamelet::ui
