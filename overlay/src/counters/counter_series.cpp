// SPDX-License-Identifier: MIT
#include "counters/counter_series.h"

#include <math.h>

#include <algorithm>

#include "content/point_reader.h"

namespace flamelet::ui {

void CounterSeries::carve(Carver* carver, uint32_t max_bins, uint32_t max_counters) {
  bins_.carve(carver, max_bins, max_counters, true);
  carver->take(&held_, max_counters);
  carver->take(&before_, max_counters);
}

void CounterSeries::clear() {
  bins_.clear();
  held_.clear();
  held_known_ = false;
  window_ = {};
  ++generation_;
}

// The history knows the bin in which the window begins. If that bin has values on both sides, it is read once more.
void CounterSeries::find_held(const flamelet_capture* capture, PointHistory* history) {
  held_known_ = history->read_until_ns() >= window_.begin_ns;
  history->bins_before(window_.begin_ns, &before_);
  held_.clear();
  int64_t from_ns = window_.begin_ns;
  for (const CounterBin* bin : before_) {
    held_.push(bin != nullptr ? HeldValue{true, bin->last} : HeldValue());
    if (bin == nullptr || bin->last_ns < window_.begin_ns) continue;
    from_ns = std::min(from_ns, bin->first_ns);
  }
  if (from_ns == window_.begin_ns) return;
  const TimeWindow window = {from_ns, window_.begin_ns};
  for_each_source(capture, [&](const flamelet_lane_info&, size_t lane) {
    for_each_point(capture, lane, window, &history->scratch(), [&](const flamelet_point& point) {
      if (point.kind != FLAMELET_POINT_COUNTER || !isfinite(point.value)) return;
      const uint32_t counter = history->counters().find_or_add(capture, point.name);
      if (counter < held_.count) held_[counter] = {true, point.value};
    });
  });
}

void CounterSeries::read(const flamelet_capture* capture, TimeWindow window, PointHistory* history) {
  bins_.clear();
  window_ = window;
  ++generation_;
  if (window.end_ns > window.begin_ns)
    for_each_source(capture, [&](const flamelet_lane_info&, size_t lane) {
      for_each_point(capture, lane, window, &history->scratch(), [&](const flamelet_point& point) {
        if (point.kind != FLAMELET_POINT_COUNTER) return;
        const uint32_t counter = history->counters().find_or_add(capture, point.name);
        if (counter != CounterTable::kNone) bins_.add(counter, point.time_ns, point.value);
      });
    });
  bins_.build();
  find_held(capture, history);
}

void CounterSeries::complete(const flamelet_capture* capture, PointHistory* history) {
  if (held_known_ || history->read_until_ns() < window_.begin_ns) return;
  find_held(capture, history);
  ++generation_;
}

HeldValue CounterSeries::value_at(uint32_t counter, int64_t time_ns) const {
  const CounterBin* bin = bins_.last_before(counter, time_ns + 1);
  return bin != nullptr ? HeldValue{true, bin->last} : held_before(counter);
}

}  // namespace flamelet::ui
