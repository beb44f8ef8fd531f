// SPDX-License-Identifier: MIT
#include "lanes/viewport.h"

#include <math.h>

#include <algorithm>

namespace flamelet::ui {

namespace {

constexpr double kTargetMargin = 0.08;  // of a target's length, on either side of it
constexpr double kLatestNs = 4e18;

int64_t to_ns(double ns) {
  return static_cast<int64_t>(std::min(std::max(ns, -kLatestNs), kLatestNs));
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

}  // namespace flamelet::ui
