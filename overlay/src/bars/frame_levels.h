// SPDX-License-Identifier: MIT
//
// frame_levels.h: all frames that the overlay ever met, summarised in levels, so that the bars of a day are read as fast
// as those of a second. A level has one sum for each 4, 32, 256 or 2,048 frames, and room for a fixed number of sums: the finer
// a level, the less far it reaches back. The coarsest level drops nothing: when it is full, it merges its sums in pairs.
// With 4,096 sums a level, the coarsest one holds 8.4 million frames before that: 16 hours at 144 Hz.
#ifndef FLAMELET_OVERLAY_SRC_FRAME_LEVELS_H
#define FLAMELET_OVERLAY_SRC_FRAME_LEVELS_H

#include "content/memory.h"

namespace flamelet::ui {

// Frames that follow each other.
struct FrameSum {
  uint64_t first, last;  // frame indices; some between them may be missing
  uint64_t longest;
  int64_t longest_ns;
  int64_t sum_ns;
  uint32_t count;

  int64_t mean_ns() const { return sum_ns / static_cast<int64_t>(count); }
  bool contains(uint64_t index) const { return index >= first && index <= last; }
  void add(const FrameSum& later);
};

class FrameLevels {
 public:
  static constexpr uint32_t kLevels = 4;
  static constexpr uint32_t kFirstShift = 2;  // 4 frames
  static constexpr uint32_t kShiftStep = 3;   // 8 times as many in the next level

  // kLevels * sums_per_level sums.
  void carve(Carver* carver, uint32_t sums_per_level);
  void clear();

  // The next frame. One whose index is not higher than that of the frame before is ignored.
  void add(uint64_t index, int64_t duration_ns);
  // The index that comes next; 0 before the first frame.
  uint64_t next_index() const { return next_index_; }
  uint64_t frame_count() const { return frame_count_; }
  // The oldest index of all; next_index() if there is none.
  uint64_t first_index() const;

  // The sums of 2^shift frames each that begin at or before `newest`, the newest ones that fit into *sums, oldest first.
  // Each sum begins at a multiple of 2^shift, so that sums stay the same while frames come. shift >= kFirstShift.
  // Reads at most 4 times as many sums as it gives, or one level.
  void read(uint32_t shift, uint64_t newest, uint32_t most, Array<FrameSum>* sums) const;

 private:
  struct Level {
    Array<FrameSum> sums;  // a ring
    uint32_t oldest = 0;
    uint32_t shift = 0;

    // From the oldest one.
    const FrameSum& at(uint32_t i) const { return sums[(oldest + i) % sums.capacity]; }
    void add(const FrameSum& frame, bool drops_oldest);
    void merge_pairs();
  };

  Level levels_[kLevels];
  uint64_t next_index_ = 0;
  uint64_t frame_count_ = 0;
};

// Merges neighbours until about `most` are left: sums of equally many frame indices, cut at multiples of that number, so
// that they stay the same while frames come.
void fit_sums(uint32_t most, Array<FrameSum>* sums);

// The sum with this frame; sums.count if there is none. Sums are in order.
uint32_t find_sum(const Array<FrameSum>& sums, uint64_t index);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_FRAME_LEVELS_H
