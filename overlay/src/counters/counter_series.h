// SPDX-License-Identifier: MIT
//
// counter_series.h: the values of all counters in the window that was read for the lanes, and what each counter had before
// it.
#ifndef FLAMELET_OVERLAY_SRC_COUNTER_SERIES_H
#define FLAMELET_OVERLAY_SRC_COUNTER_SERIES_H

#include "content/point_history.h"

namespace flamelet::ui {

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COUNTER_SERIES_H
