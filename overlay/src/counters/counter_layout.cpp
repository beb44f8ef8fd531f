// SPDX-License-Identifier: MIT
#include "counters/counter_layout.h"

#include <math.h>
#include <algorithm>

#include "counters/counter_table.h"

namespace flamelet::ui {

// ---- counter series

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
      if (point.kind != FLAMELET_POINT_COUNTER) return;
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

uint32_t counter_level(View view, float width_px, float column_px) {
  const double column_ns = view.duration_ns() / static_cast<double>(width_px) * static_cast<double>(column_px);
  uint32_t level = 0;
  while (level < 62 && static_cast<double>(uint64_t{2} << level) <= column_ns) ++level;
  return level;
}

TimeWindow counted_window(TimeWindow view, uint32_t level) {
  const int64_t bin_ns = int64_t{1} << level;
  return {(view.begin_ns >> level) * bin_ns, (((view.end_ns - 1) >> level) + 1) * bin_ns};
}

uint32_t most_columns(const CounterSeries& series, uint32_t counter, View view, uint32_t level) {
  level = std::max(level, series.bins().level());
  const TimeWindow counted = counted_window(window_of(view), level);
  const CounterBinRange bins = series.bins().bins(counter, level);
  const auto first_at = [&](int64_t time_ns) {
    return std::partition_point(bins.begin(), bins.end(),
                                [time_ns](const CounterBin& bin) { return bin.first_ns < time_ns; });
  };
  const int64_t in_view = first_at(counted.end_ns) - first_at(counted.begin_ns);
  const int64_t columns = (counted.end_ns - counted.begin_ns) >> level;
  return static_cast<uint32_t>(std::min(in_view, columns)) + 1;
}

bool lay_out_counter(const CounterSeries& series, uint32_t counter, View view, float width_px, uint32_t level,
                     Array<CounterColumn>* columns, CounterLine* line) {
  *line = CounterLine();
  line->counter = counter;
  line->first = columns->count;
  level = std::max(level, series.bins().level());
  const TimeWindow counted = counted_window(window_of(view), level);
  const CounterBinRange bins = series.bins().bins(counter, level);
  const CounterBin* bin = std::partition_point(
      bins.begin(), bins.end(), [&](const CounterBin& other) { return other.first_ns < counted.begin_ns; });
  const double px_per_ns = static_cast<double>(width_px) / view.duration_ns();
  const auto x = [&](int64_t time_ns) {
    const double px = (static_cast<double>(time_ns) - view.begin_ns) * px_per_ns;
    return static_cast<float>(std::min(std::max(px, 0.0), static_cast<double>(width_px)));
  };
  const auto push = [&](const CounterColumn& column) {
    line->min = std::min(line->min, column.min);
    line->max = std::max(line->max, column.max);
    ++line->count;
    return columns->push(column);
  };
  const HeldValue held = bin != bins.begin() ? HeldValue{true, bin[-1].last} : series.held_before(counter);
  if (held.known && isfinite(held.value) && !push({0, 0, held.value, held.value, held.value})) return false;
  while (bin != bins.end() && bin->first_ns < counted.end_ns) {
    const int64_t number = bin->first_ns >> level;
    CounterBin all = *bin;
    for (++bin; bin != bins.end() && bin->first_ns >> level == number; ++bin) all.merge(*bin);
    if (all.count == 1)
      ++line->values_drawn;
    else
      line->values_merged += all.count;
    if (!push({x(all.first_ns), x(all.last_ns), all.min, all.max, all.last})) return false;
  }
  return true;
}

CounterAxis counter_axis(double min, double max) {
  if (min > 0 && min < max * 0.6) min = 0;
  if (max < 0 && max > min * 0.6) max = 0;
  // A little noise on a large value is no cliff.
  const double least = std::max(fabs(min), fabs(max)) * 0.05, middle = min * 0.5 + max * 0.5;
  if (max > min && max - min < least) return {middle - least * 0.5, middle + least * 0.5, false};
  if (max > min) return {min, max, false};
  // A line that is flat lies in the middle.
  const double room = std::max(fabs(min) * 0.5, 0.5);
  return {min - room, min + room, true};
}

}  // namespace flamelet::ui
