// SPDX-License-Identifier: MIT
#include "counters/counter_layout.h"

#include <math.h>

#include <algorithm>

namespace flamelet::ui {

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
    line->min = line->count != 0 ? std::min(line->min, column.min) : column.min;
    line->max = line->count != 0 ? std::max(line->max, column.max) : column.max;
    ++line->count;
    return columns->push(column);
  };
  const HeldValue held = bin != bins.begin() ? HeldValue{true, bin[-1].last} : series.held_before(counter);
  if (held.known && !push({0, 0, held.value, held.value, held.value})) return false;
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
