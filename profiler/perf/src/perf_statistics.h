// SPDX-License-Identifier: MIT
//
// perf_statistics.h: what PERF routines cost over the frames, as they come. One row for each name.
#ifndef FLAMELET_PERF_SRC_STATISTICS_H
#define FLAMELET_PERF_SRC_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

namespace flamelet {

class PerfStatistics {
 public:
  struct Row {
    uint64_t frames;
    uint64_t blocks;
    int64_t last_ns;
    int64_t min_ns;
    int64_t max_ns;
    double mean_ns;
    double squares;    // sum of the squared distances from the mean (Welford)
    int64_t frame_ns;  // of the frame that is being added
    uint64_t stamp;    // its number
    uint32_t listed;   // the name at this index of the list: no figure of this row's name
  };

  // `rows` is zero.
  void attach(Row* rows) { rows_ = rows; }

  // A frame: begin, then its blocks from the last to end to the first, then end for each of them again.
  void begin_frame() { ++frame_; }
  void add(uint32_t name, uint32_t depth, int64_t duration_ns);
  void end(uint32_t name);

  // Names that were in a frame, in the order in which they first were.
  uint32_t count() const { return count_; }
  uint32_t name(uint32_t index) const { return rows_[index].listed; }
  const Row& row(uint32_t name) const { return rows_[name]; }
  double deviation_ns(uint32_t name) const;

 private:
  // A block's depth is limited like a scope's.
  static constexpr uint32_t kMaxDepth = 128;

  Row* rows_ = nullptr;
  uint32_t count_ = 0;
  uint64_t frame_ = 0;
  uint32_t path_[kMaxDepth + 1] = {};  // names of the blocks around the one that is being added
};

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_STATISTICS_H
