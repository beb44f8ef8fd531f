// SPDX-License-Identifier: MIT
#include "content/numbers.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "content/range_statistics.h"
#include "imgui.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kHudFrames = 15;

}  // namespace

int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool has_start(const flamelet_capture* capture) {
  flamelet_frame_info frame;
  return flamelet_capture_frame_count(capture) > 1 && flamelet_capture_frame(capture, 0, &frame) && frame.index == 0 &&
         (frame.flags & FLAMELET_FRAME_PARTIAL) != 0;
}

size_t counted_frames(const flamelet_capture* capture) {
  return flamelet_capture_frame_count(capture) - (has_start(capture) ? 1 : 0);
}

// What was lost has dropped_no_page already.
static uint64_t dropped_before(const flamelet_capture* capture) {
  flamelet_capture_dropped dropped;
  flamelet_capture_get_dropped(capture, &dropped);
  return dropped.dropped_no_track + dropped.dropped_depth + dropped.dropped_nested + dropped.dropped_fiber +
         dropped.dropped_frame + dropped.dropped_submit;
}

void Numbers::count_losses(const flamelet_capture* capture, bool away) {
  flamelet_capture_stats of_capture;
  flamelet_capture_get_stats(capture, &of_capture);
  if (of_capture.events_lost < lost_before) unread = lost_told = lost = lost_until = 0;  // another session
  if (away && of_capture.events_lost > lost_before) unread += of_capture.events_lost - lost_before;
  lost_before = of_capture.events_lost;
}

// What was lost stays told until the newest frames are others.
void Numbers::tell_losses(uint64_t newest_frame) {
  const uint64_t all = lost_before - std::min(unread, lost_before);
  if (all > lost_told + lost) lost_until = newest_frame + kLiveFrames;
  if (newest_frame >= lost_until) lost_told = all;
  lost = all - std::min(lost_told, all);
}

void Numbers::update(const flamelet_capture* capture, bool live, TimeWindow recorded) {
  dropped = dropped_before(capture);

  oldest_ns = recorded.end_ns - recorded.begin_ns;

  const size_t count = flamelet_capture_frame_count(capture);
  durations.clear();
  uint64_t newest = 0;
  bool lossy = count == 0;
  const size_t most = live ? kLiveFrames : durations.capacity;
  const size_t first = has_start(capture) ? 1 : 0;
  for (size_t i = std::max(first, count - std::min(count, most)); i < count; ++i) {
    flamelet_frame_info info;
    if (!flamelet_capture_frame(capture, i, &info)) continue;
    if ((info.flags & FLAMELET_FRAME_CLOCK_JUMPED) == 0) durations.push(info.end_ns - info.begin_ns);
    newest = info.index;
    lossy = lossy || (info.flags & FLAMELET_FRAME_LOSSY) != 0;
  }
  flamelet_capture_stats of_capture;
  flamelet_capture_get_stats(capture, &of_capture);
  if (live)
    tell_losses(newest);
  else
    lost = lossy ? of_capture.events_lost : 0;
  lacks_some = !live && lossy && count != 0 && lost == 0;
  const uint32_t recent = std::min(durations.count, kHudFrames);
  int64_t sum_ns = 0;
  for (uint32_t i = durations.count - recent; i < durations.count; ++i) sum_ns += durations[i];
  hud_frame_ns = recent != 0 ? mean_of(sum_ns, recent) : 0;
  frames = durations.count;
  frames_ns = std::accumulate(durations.begin(), durations.end(), int64_t{0});
  frame_times = flamelet_summarize_durations(durations.data, durations.count);
}

const OverlayStats& Numbers::tell(double now_s) {
  if (Refresh::is_over(next_told_s, now_s) || told.draw_ns == 0) {
    next_told_s = now_s + Refresh::kSeconds;
    told = stats;
  }
  return told;
}

// Several parts drawn in one frame add up; the first one of a frame starts anew.
DrawTime::DrawTime(Numbers& numbers) : numbers_(numbers), start_ns_(steady_ns()) {
  if (numbers.frame != ImGui::GetFrameCount()) {
    numbers.frame = ImGui::GetFrameCount();
    numbers.stats.draw_ns = numbers.draw_ns;
    numbers.stats.capture_ns = numbers.capture_ns;
    numbers.draw_ns = numbers.capture_ns = 0;
  }
  capture_before_ns_ = numbers.capture_ns;
}

DrawTime::~DrawTime() {
  numbers_.draw_ns += steady_ns() - start_ns_ - (numbers_.capture_ns - capture_before_ns_);
}

}  // namespace flamelet::ui
