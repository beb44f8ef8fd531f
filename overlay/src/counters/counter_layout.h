// SPDX-License-Identifier: MIT
//
// counter_layout.h: the line of a counter as columns: one for each value, or for several that would stand too close
// together. It makes no ImGui call.
#ifndef FLAMELET_OVERLAY_SRC_COUNTER_LAYOUT_H
#define FLAMELET_OVERLAY_SRC_COUNTER_LAYOUT_H

#include <math.h>

#include "counters/counter_table.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

// Counter series: the values of all counters in the window that was read for the lanes, and what each counter had before
// it.

// A counter keeps its value until the next one.
struct HeldValue {
  bool known = false;
  double value = 0;
};

class CounterSeries {
 public:
  void carve(Carver* carver, uint32_t max_bins, uint32_t max_counters);
  void clear();

  // Counters that are new are added to the history's table.
  void read(const flamelet_capture* capture, TimeWindow window, PointHistory* history);
  // What the counters had before the window is known as far as the history has been read. Asks again where that was not
  // far enough, and now is.
  void complete(const flamelet_capture* capture, PointHistory* history);

  const CounterBins& bins() const { return bins_; }
  // Before the first value in bins().
  HeldValue held_before(uint32_t counter) const { return counter < held_.count ? held_[counter] : HeldValue(); }
  // At any time in the window. If it lies between the values of one bin: that bin's last one.
  HeldValue value_at(uint32_t counter, int64_t time_ns) const;
  TimeWindow window() const { return window_; }
  // Changes with every read.
  uint64_t generation() const { return generation_; }

 private:
  void find_held(const flamelet_capture* capture, PointHistory* history);

  CounterBins bins_;
  Array<HeldValue> held_;
  Array<const CounterBin*> before_;
  TimeWindow window_;
  bool held_known_ = false;
  uint64_t generation_ = 0;
};

// The line goes from the column before to x0 at that one's last value, then from `min` to `max` until x1, then on at
// `last`, unless that is no number. min > max: there is no number in it. Pixels from the left edge of the lanes.
struct CounterColumn {
  float x0, x1;
  double min, max, last;
};

// One counter's line. Where the first value in view is not the first one that is known, a column at x = 0 has the value
// before.
struct CounterLine {
  uint32_t counter = 0;
  uint32_t first = 0;  // columns
  uint32_t count = 0;
  uint32_t values_drawn = 0;               // with a column of their own
  uint64_t values_merged = 0;              // drawn + merged = all values in the columns that touch the view
  double min = INFINITY, max = -INFINITY;  // of the line in view; min > max if there is none
};

// The level at which bins are at most this wide.
uint32_t counter_level(View view, float width_px, float column_px);
// The time of the columns that touch the view, in which drawn + merged are counted.
TimeWindow counted_window(TimeWindow view, uint32_t level);

// At most so many columns lay_out_counter() makes at this level. Logarithmic.
uint32_t most_columns(const CounterSeries& series, uint32_t counter, View view, uint32_t level);

// Appends the columns. False if there was no room for all of them. At a finer level than that of the series, the columns
// are as wide as its bins.
bool lay_out_counter(const CounterSeries& series, uint32_t counter, View view, float width_px, uint32_t level,
                     Array<CounterColumn>* columns, CounterLine* line);

// What the height of a lane stands for: the values' range, and a twentieth of the largest value at least; from 0 if that is
// not far; never empty.
struct CounterAxis {
  double low = 0, high = 1;
  bool flat = false;  // there is but one value, in the middle

  // 0 at the bottom, 1 at the top.
  float place(double value) const { return static_cast<float>((value - low) / (high - low)); }
};
CounterAxis counter_axis(double min, double max);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COUNTER_LAYOUT_H
