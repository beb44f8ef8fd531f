// SPDX-License-Identifier: MIT
#include "lanes/viewport.h"

#include <math.h>
#include <algorithm>

#include "flamelet/detail/sums.h"

namespace flamelet::ui {

namespace {

constexpr double kTargetMargin = 0.08;  // of a target's length, on either side of it
constexpr double kLatestNs = 4e18;

int64_t to_ns(double ns) {
  return static_cast<int64_t>(std::min(std::max(ns, -kLatestNs), kLatestNs));
}

// Without frame marks, this much of the newest time is shown.
constexpr int64_t kUnmarkedNs = 50000000;
constexpr TimeWindow kNothing = {0, 1000000};

constexpr uint32_t kMostTicks = 512;

struct Unit {
  int64_t ns;
  const char* name;
};

constexpr int64_t kSecondNs = 1000000000, kMinuteNs = 60 * kSecondNs, kHourNs = 60 * kMinuteNs, kDayNs = 24 * kHourNs;

Unit unit_of(int64_t step_ns) {
  if (step_ns >= kDayNs) return {kDayNs, " d"};
  if (step_ns >= kHourNs) return {kHourNs, " h"};
  if (step_ns >= kMinuteNs) return {kMinuteNs, " min"};
  if (step_ns >= kSecondNs) return {kSecondNs, " s"};
  if (step_ns >= 100000) return {1000000, " ms"};
  if (step_ns >= 100) return {1000, " us"};
  return {1, " ns"};
}

// 1, 2 or 5 times a power of ten of the unit.
void choose_step(double least_step, int64_t unit_ns, Ruler* ruler) {
  int64_t power = unit_ns;
  while (static_cast<double>(power) * 10 <= least_step) power *= 10;
  const int64_t factors[] = {1, 2, 5, 10};
  ruler->step_ns = power * 10;
  ruler->minor_per_step = 5;
  for (const int64_t factor : factors) {
    if (static_cast<double>(power * factor) < least_step) continue;
    ruler->step_ns = power * factor;
    ruler->minor_per_step = factor == 2 ? 2 : 5;
    break;
  }
  if (ruler->step_ns < 10) ruler->minor_per_step = 1;
}

void choose_long_step(double least_step, Ruler* ruler) {
  constexpr struct {
    int64_t ns;
    uint32_t minors;
  } kSteps[] = {{kMinuteNs, 6}, {2 * kMinuteNs, 2}, {5 * kMinuteNs, 5}, {10 * kMinuteNs, 5}, {20 * kMinuteNs, 2},
                {kHourNs, 6},   {2 * kHourNs, 2},   {6 * kHourNs, 6},   {12 * kHourNs, 2}};
  for (const auto& step : kSteps) {
    if (static_cast<double>(step.ns) < least_step) continue;
    ruler->step_ns = step.ns;
    ruler->minor_per_step = step.minors;
    return;
  }
  choose_step(least_step, kDayNs, ruler);
}

}  // namespace

View view_of(TimeWindow window) {
  return {static_cast<double>(window.begin_ns), static_cast<double>(window.end_ns)};
}

TimeWindow window_of(View view) {
  if (!isfinite(view.begin_ns) || !isfinite(view.end_ns)) return {};
  return {to_ns(floor(view.begin_ns)), to_ns(ceil(view.end_ns))};
}

View clamp_view(View view, TimeWindow limits) {
  const View all = view_of(limits);
  const double longest = std::max(all.duration_ns(), kLeastViewNs);
  if (!isfinite(view.begin_ns) || !isfinite(view.end_ns)) view = all;
  const double duration = std::min(std::max(view.duration_ns(), kLeastViewNs), longest);
  const double latest = std::max(all.end_ns - duration, all.begin_ns);
  view.begin_ns = std::min(std::max(view.begin_ns, all.begin_ns), latest);
  view.end_ns = view.begin_ns + duration;
  return view;
}

View zoom_view(View view, double at_ns, double factor, TimeWindow limits) {
  const double before = view.duration_ns();
  if (!(factor > 0) || !(before > 0)) return clamp_view(view, limits);
  const double longest = std::max(view_of(limits).duration_ns(), kLeastViewNs);
  const double after = std::min(std::max(before * factor, kLeastViewNs), longest);
  const double share = (at_ns - view.begin_ns) / before;
  view.begin_ns = at_ns - share * after;
  view.end_ns = view.begin_ns + after;
  return clamp_view(view, limits);
}

View pan_view(View view, double by_ns, TimeWindow limits) {
  return clamp_view({view.begin_ns + by_ns, view.end_ns + by_ns}, limits);
}

View frame_view(TimeWindow target, TimeWindow limits) {
  const View view = view_of(target);
  const double margin = view.duration_ns() * kTargetMargin;
  return clamp_view({view.begin_ns - margin, view.end_ns + margin}, limits);
}

double time_at(View view, double x, double width_px) {
  return width_px > 0 ? view.begin_ns + x / width_px * view.duration_ns() : view.begin_ns;
}

double x_at(View view, double time_ns, double width_px) {
  return view.duration_ns() > 0 ? (time_ns - view.begin_ns) / view.duration_ns() * width_px : 0;
}

void ViewHistory::push(const Place& place) {
  if (count_ != 0 && places_[newest_] == place) return;
  newest_ = (newest_ + 1) % kCapacity;
  places_[newest_] = place;
  count_ = std::min(count_ + 1, kCapacity);
}

bool ViewHistory::pop(Place* place) {
  if (count_ == 0) return false;
  *place = places_[newest_];
  newest_ = (newest_ + kCapacity - 1) % kCapacity;
  --count_;
  return true;
}

TimeWindow recorded_time(const flamelet_capture* capture) {
  TimeWindow time, saved;
  if (!flamelet_capture_extent(capture, &time.begin_ns, &time.end_ns)) {
    flamelet_frame_info first, last;
    if (!flamelet_capture_frame(capture, 0, &first) ||
        !flamelet_capture_frame(capture, flamelet_capture_frame_count(capture) - 1, &last))
      return {};
    return {first.begin_ns, last.end_ns};
  }
  ++time.end_ns;  // with what stands at its very end
  if (flamelet_capture_window(capture, &saved.begin_ns, &saved.end_ns)) {
    time.begin_ns = std::max(time.begin_ns, saved.begin_ns);
    time.end_ns = std::max(time.begin_ns, std::min(time.end_ns, saved.end_ns));
  }
  return time;
}

void Timeline::reset(const flamelet_capture* capture, bool standing) {
  const bool paused = paused_;
  *this = Timeline();
  paused_ = paused;
  capture_ = capture;
  standing_ = standing;
  if (!standing) return;
  main_ = recorded_time(capture);
  TimeWindow most;
  uint64_t outside;
  if (flamelet_capture_main_extent(capture, &most.begin_ns, &most.end_ns, &outside) && outside != 0)
    main_ = {most.begin_ns, most.end_ns + 1};
}

TimeWindow Timeline::limits() const {
  TimeWindow limits;
  if (flamelet_capture_extent(capture_, &limits.begin_ns, &limits.end_ns))
    ++limits.end_ns;
  else if (limits = recorded_time(capture_); limits.end_ns <= limits.begin_ns)
    return kNothing;
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
  if (standing_) return main_.end_ns > main_.begin_ns ? main_ : kNothing;
  if (flamelet_capture_extent(capture_, &window.begin_ns, &window.end_ns))
    window.begin_ns = std::max(window.begin_ns, window.end_ns - kUnmarkedNs);
  return window;
}

TimeWindow Timeline::recorded() const {
  return standing_ ? main_ : recorded_time(capture_);
}

int64_t Timeline::shown_ns(TimeWindow within) const {
  const auto overlap = [&](int64_t begin_ns, int64_t end_ns) {
    return std::max<int64_t>(std::min(end_ns, within.end_ns) - std::max(begin_ns, within.begin_ns), 0);
  };
  const FrameRange frames = shown();
  const TimeWindow window = shown_window();
  // Those of a running game have nothing between them.
  if (!standing_ || !frames.valid || frames.first == frames.last) return overlap(window.begin_ns, window.end_ns);
  const bool all = within.begin_ns <= window.begin_ns && within.end_ns >= window.end_ns;
  if (all && summed_ == frames) return summed_ns_;
  int64_t sum_ns = 0;
  flamelet_frame_info frame;
  const size_t first = flamelet_capture_find_frame(capture_, frames.first);
  const size_t last = flamelet_capture_find_frame(capture_, frames.last);
  size_t i = first_not(first, last, [&](size_t position) {
    return flamelet_capture_frame(capture_, position, &frame) && frame.end_ns <= within.begin_ns;
  });
  for (; i <= last && flamelet_capture_frame(capture_, i, &frame) && frame.begin_ns < within.end_ns; ++i)
    sum_ns += overlap(frame.begin_ns, frame.end_ns);
  if (all) {
    summed_ = frames;
    summed_ns_ = sum_ns;
  }
  return sum_ns;
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
  set_paused(true);
  run_ = Run::kNone;
  // A range and a single frame have different lengths: a zoom into one says nothing about the other.
  if (first != last || shown_.first != shown_.last) fitted_ = true;
  show({first, last, true});
  return true;
}

bool Timeline::step(int64_t by) {
  // By position: time that was overwritten leaves a gap between the indices.
  const size_t at = shown_.valid ? flamelet_capture_find_frame(capture_, shown_.first) : SIZE_MAX;
  flamelet_frame_info frame;
  return at != SIZE_MAX && flamelet_capture_frame(capture_, at + static_cast<size_t>(by), &frame) &&
         show_frames(frame.index, frame.index);
}

void Timeline::set_view(View view, bool remember) {
  view = clamp_view(view, limits());
  previewing_ = false;
  if (view == view_) return;
  if (remember) remember_view();
  view_ = view;
  fitted_ = false;
}

void Timeline::set_view_in_run(View view, Run run, double now_s) {
  if (previewing_) return;  // the view of another frame
  const bool goes_on = run == run_ && now_s >= run_s_ && now_s - run_s_ < kRunSeconds;
  const View before = view_;
  set_view(view, !goes_on);
  if (view_ == before) return;
  run_ = run;
  run_s_ = now_s;
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
  run_ = Run::kNone;
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

double TimeColumns::column_of(int64_t ns) const {
  const double width = static_cast<double>(width_);
  const double x = x_at(view_, static_cast<double>(ns), width);
  return std::min(std::max(x, 0.0), width) / static_cast<double>(column_px_);
}

void TimeColumns::add(int64_t begin_ns, int64_t end_ns, uint32_t value) {
  const double begin = std::max(column_of(begin_ns), static_cast<double>(column_) + filled_);
  const double end = column_of(end_ns);
  if (!(end > begin)) return;
  const uint32_t first = static_cast<uint32_t>(begin), last = static_cast<uint32_t>(end);
  if (first > column_) {
    close_column();
    fill_to(first, kNothing);
  }
  const double offset = begin - static_cast<double>(first);
  if (offset > filled_) give(kNothing, offset - filled_);
  filled_ = std::min(end - static_cast<double>(first), 1.0);
  give(value, filled_ - offset);
  if (last == first) return;
  close_column();
  fill_to(last, value);
  filled_ = end - static_cast<double>(last);
  if (filled_ > 0) give(value, filled_);
}

bool TimeColumns::finish() {
  close_column();
  return complete_;
}

// A value that comes into a stretch of shared columns gets one of them, however short it is.
void TimeColumns::give(uint32_t value, double columns) {
  Share* share = std::find_if(shares_, shares_ + share_count_, [&](const Share& of) { return of.value == value; });
  if (share == shares_ + share_count_) {
    constexpr uint32_t kMost = sizeof shares_ / sizeof shares_[0];
    if (share_count_ == kMost)
      share = std::min_element(shares_, shares_ + kMost,
                               [](const Share& a, const Share& b) { return a.columns < b.columns; });
    else
      ++share_count_;
    *share = {value, value == quiet_ || value == kNothing ? 0.0f : 1.0f};
  }
  share->columns += static_cast<float>(columns);
}

void TimeColumns::close_column() {
  if (!(filled_ > 0)) return;
  if (filled_ < 1) give(kNothing, 1 - filled_);
  filled_ = 0;
  Share* most = std::max_element(shares_, shares_ + share_count_,
                                 [](const Share& a, const Share& b) { return a.columns < b.columns; });
  most->columns -= 1;
  const uint32_t value = most->value;
  if (share_count_ == 1) share_count_ = 0;
  put(column_ + 1, value);
}

// Whole columns of one value end a stretch of shared ones.
void TimeColumns::fill_to(uint32_t end, uint32_t value) {
  if (end == column_) return;
  share_count_ = 0;
  put(end, value);
}

void TimeColumns::put(uint32_t end, uint32_t value) {
  const float x0 = std::min(static_cast<float>(column_) * column_px_, width_);
  const float x1 = std::min(static_cast<float>(end) * column_px_, width_);
  column_ = end;
  if (value == kNothing || !(x1 > x0)) return;
  TimeBlock* before = last_ != UINT32_MAX ? &(*blocks_)[last_] : nullptr;
  if (before != nullptr && before->value == value && !(before->x1 < x0)) {
    before->x1 = x1;
    return;
  }
  complete_ = blocks_->push({x0, x1, row_, value}) && complete_;
  last_ = blocks_->count - 1;
}

Ruler make_ruler(View view, int64_t origin_ns, float width_px, float label_width_px) {
  Ruler ruler;
  const double duration = view.duration_ns();
  if (!(duration > 0) || !(width_px > 0) || !(label_width_px > 0) || !(duration < 4e18)) return ruler;
  const double least_step = duration * static_cast<double>(label_width_px / width_px);
  if (least_step <= 50 * kSecondNs)
    choose_step(least_step, 1, &ruler);
  else
    choose_long_step(least_step, &ruler);
  const double steps_before =
      floor((view.begin_ns - static_cast<double>(origin_ns)) / static_cast<double>(ruler.step_ns));
  ruler.first_ns = origin_ns + static_cast<int64_t>(steps_before) * ruler.step_ns;
  const double count = floor((view.end_ns - static_cast<double>(ruler.first_ns)) / static_cast<double>(ruler.step_ns));
  ruler.count = count < kMostTicks ? static_cast<uint32_t>(count) + 1 : kMostTicks;
  return ruler;
}

uint64_t frame_label_step(uint64_t frames, float width_px, float label_width_px) {
  if (!(width_px > 0) || !(label_width_px > 0)) return UINT64_MAX;
  const double least =
      static_cast<double>(frames) * static_cast<double>(label_width_px) / static_cast<double>(width_px);
  for (uint64_t power = 1; power < UINT64_MAX / 100; power *= 10)
    for (const uint64_t factor : {1u, 2u, 5u})
      if (static_cast<double>(power * factor) >= least) return power * factor;
  return UINT64_MAX;
}

void write_tick(int64_t offset_ns, int64_t step_ns, bool with_unit, TextWriter* text) {
  const Unit unit = unit_of(step_ns);
  int decimals = 0;
  for (int64_t part = unit.ns; part > 1 && step_ns % part != 0; part /= 10) ++decimals;
  if (unit.ns == 1)
    text->add(offset_ns < 0 ? "-" : "").add_grouped(static_cast<uint64_t>(offset_ns < 0 ? -offset_ns : offset_ns));
  else
    text->add_fixed(static_cast<double>(offset_ns) / static_cast<double>(unit.ns), decimals);
  if (with_unit) text->add(unit.name);
}

}  // namespace flamelet::ui
