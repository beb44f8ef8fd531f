// SPDX-License-Identifier: MIT
//
// counter_bins.h: the values of many counters in a stretch of time, in a fixed number of bins. No value is lost: when
// there are more values than bins, bins become twice as long, and each keeps its count, smallest, largest and last value.
//
// Bins begin at multiples of 2^level nanoseconds, so a longer bin is made of whole shorter ones, and bins do not move
// with the view. build() adds coarser levels, each with at most half as many bins as the one before: what a view needs
// is read from the level that suits it, so its cost depends on its pixels and not on the number of values.
#ifndef FLAMELET_OVERLAY_SRC_COUNTER_BINS_H
#define FLAMELET_OVERLAY_SRC_COUNTER_BINS_H

#include "content/memory.h"

namespace flamelet::ui {

struct CounterBin {
  int64_t first_ns = 0;  // times of the first and the last value in it
  int64_t last_ns = 0;
  double min = 0, max = 0, last = 0;
  uint32_t counter = 0;
  uint32_t count = 0;

  void merge(const CounterBin& other);
};

struct CounterBinRange {
  const CounterBin* first = nullptr;
  const CounterBin* last = nullptr;  // behind the end

  const CounterBin* begin() const { return first; }
  const CounterBin* end() const { return last; }
};

class CounterBins {
 public:
  // Without levels there is no build().
  void carve(Carver* carver, uint32_t max_bins, uint32_t max_counters, bool levels);
  void clear();

  // `counter` is below max_counters. In any order, but bins are fewer if each counter's values come by time. A value
  // that is not finite is counted and left out.
  void add(uint32_t counter, int64_t time_ns, double value);
  // Bins that ended before are taken away when there is no room.
  void forget_before(int64_t time_ns) { forget_ns_ = time_ns; }

  // Sorts by counter and time, and makes the levels. Then the calls below may be used, until the next clear().
  void build();

  // The coarsest at hand that is not coarser than `level`, or else the finest.
  CounterBinRange bins(uint32_t counter, uint32_t level) const;
  // The last bin that begins before; NULL if there is none. Logarithmic.
  const CounterBin* last_before(uint32_t counter, int64_t time_ns) const;

  uint32_t level() const { return level_; }  // of the finest bins; 0: each nanosecond has its own
  uint32_t count() const { return bins_.count; }
  uint64_t left_out() const { return left_out_; }      // values that found no room at all
  uint64_t not_finite() const { return not_finite_; }  // values that are no number
  const Array<CounterBin>& unsorted() const { return bins_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kMostLevels = 16;
  static constexpr uint32_t kFewBins = 32;  // no coarser level is needed below

  struct Level {
    uint32_t begin, count;
    uint32_t level;
  };

  bool make_room();
  uint32_t level_for(uint32_t most_bins) const;
  void sort();
  void build_levels(uint32_t counter);

  Array<CounterBin> bins_;
  Array<uint32_t> newest_;       // by counter: its last bin in bins_
  Array<CounterBin> sorted_;     // by counter: its bins by time; then all coarser levels
  Array<Level> levels_;          // kMostLevels of each counter
  Array<uint32_t> level_count_;  // by counter
  uint32_t level_ = 0;
  uint64_t left_out_ = 0;
  uint64_t not_finite_ = 0;
  int64_t forget_ns_ = INT64_MIN;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COUNTER_BINS_H
