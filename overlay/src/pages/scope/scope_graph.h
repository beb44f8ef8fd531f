// SPDX-License-Identifier: MIT
//
// scope_graph.h: the time of one scope in each frame, summed up for as many bars as fit. A bar stands for 2^n frames. What
// was summed up is kept: an update looks at the frames that came and, if the longest frame of the oldest bar went, at
// those that are left of it. When there are too many bars, they are merged in pairs. So a picture costs what its bars cost,
// however many frames there are. Only when a frame goes back to finer bars are all frames looked at again.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_GRAPH_H
#define FLAMELET_OVERLAY_SRC_SCOPE_GRAPH_H

#include "bars/frame_levels.h"
#include "pages/scope/scope_frames.h"

namespace flamelet::ui {

class ScopeGraph {
 public:
  static constexpr uint32_t kMostBars = 1024;

  // The same whatever the number of frames: about 110 KB.
  void carve(Carver* carver);
  void clear();

  // `oldest_held`: the index of the oldest frame that the capture has. `most`: bars that fit, about; not 0.
  void update(const ScopeFrames& frames, uint64_t oldest_held, uint32_t most);
  // As ScopeFrames::mark().
  void mark(uint64_t index, uint32_t value);

  // Oldest first. They have no sum_ns.
  const Array<FrameSum>& bars() const { return sums_; }
  // The newest mark of the frames of a sum.
  uint32_t newest_mark(uint32_t sum) const { return marks_[sum]; }
  uint32_t frame_count() const { return frame_count_; }  // of all sums
  int64_t longest_ns() const { return longest_ns_; }     // at least 1
  uint64_t frames_looked_at() const { return looked_; }  // since clear(), for tests

 private:
  struct Group {
    FrameSum sum;  // count 0: nothing was read of it
    uint32_t mark;
  };

  Group& group_of(uint64_t index) { return groups_[static_cast<uint32_t>((index >> shift_) % groups_.capacity)]; }
  uint64_t groups_from(uint64_t oldest, uint64_t newest) const { return (newest >> shift_) - (oldest >> shift_) + 1; }
  void forget();
  void add(const ScopeFrames& frames, uint64_t index);
  void add_range(const ScopeFrames& frames, uint64_t oldest, uint64_t newest);
  void drop_before(const ScopeFrames& frames, uint64_t oldest);
  void merge_pairs();
  void choose_shift(uint64_t oldest, uint64_t newest, uint32_t most);
  void list();

  Array<Group> groups_;  // by number, modulo their count
  uint32_t shift_ = 0;
  uint32_t most_ = 0;
  uint64_t oldest_ = 1, newest_ = 0;  // what is in; nothing if the oldest is above the newest
  uint64_t generation_ = 0;           // of the frames
  bool changed_ = false;
  Array<FrameSum> sums_;
  Array<uint32_t> marks_;
  uint32_t frame_count_ = 0;
  int64_t longest_ns_ = 1;
  uint64_t looked_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_GRAPH_H
