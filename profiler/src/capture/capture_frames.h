// SPDX-License-Identifier: MIT
//
// capture_frames.h: the frames of a capture. A frame runs from its mark to the next mark. Frames are kept beyond the
// life of their pages, because a header is small and a history of minutes is worth having.
#ifndef FLAMELET_SRC_CAPTURE_FRAMES_H
#define FLAMELET_SRC_CAPTURE_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "capture/capture_format.h"
#include "record/page.h"
#include "record/replay.h"

namespace flamelet {

struct Frame {
  uint64_t index;
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint32_t flags;   // FLAMELET_FRAME_*
  uint32_t thread;  // whose mark ended it; 0 = not known
};

class FrameTable {
 public:
  // *dropped counts frames that went for newer ones.
  void attach(Frame* frames, uint32_t capacity, uint64_t* dropped);
  void clear();

  // A mark as the frame track has it. True if it ends a frame. Marks whose index or time does not rise are ignored.
  bool mark(uint64_t ticks, const FrameMark& mark);
  // A frame as it was saved; false if it is not after the ones that are there.
  bool restore(const Frame& frame);
  // Events between these times are lost: frames that overlap are flagged, now or when they end. An interval that the
  // small list of those still to come has no room for is joined to another: a frame too many may be flagged, never one
  // too few.
  void lose(uint64_t begin_ticks, uint64_t end_ticks);

  size_t count() const { return static_cast<size_t>(end_ - first_); }
  const Frame& at(size_t position) const { return frames_[(first_ + position) % capacity_]; }
  size_t first_ending(uint64_t ticks) const;  // at this time or later; count() if there is none
  size_t find(uint64_t index) const;          // SIZE_MAX if it is not held
  size_t find_at(uint64_t ticks) const;       // that contains this time

 private:
  struct Gap {
    uint64_t begin_ticks;
    uint64_t end_ticks;
  };
  static constexpr uint32_t kMaxGaps = 32;

  void append(const Frame& frame);

  Frame* frames_ = nullptr;
  uint64_t* dropped_ = nullptr;
  uint32_t capacity_ = 0;
  uint64_t first_ = 0;
  uint64_t end_ = 0;
  bool has_mark_ = false;  // the frame that runs
  uint64_t mark_index_ = 0;
  uint64_t mark_ticks_ = 0;
  uint32_t gap_count_ = 0;
  Gap gaps_[kMaxGaps];  // that may reach into frames still to come
};

// Capture thread times: how long each thread ran in each frame. The newest are kept, in the order of their frames.

class ThreadTimeTable {
 public:
  // Times that went for newer ones are counted in `counts`, which outlives a clear.
  void attach(ThreadTimeEntry* entries, uint32_t capacity, CaptureCounts* counts);
  void clear();

  // False if its frame is before the newest one that is there.
  bool add(uint64_t frame, const ThreadTime& time);

  // Calls take(entry) for each thread of a frame.
  template <class Take>
  void for_each(uint64_t frame, Take take) const {
    for (uint64_t i = find(frame); i != end_ && entries_[i % capacity_].frame == frame; ++i)
      take(entries_[i % capacity_]);
  }

 private:
  uint64_t find(uint64_t frame) const;  // the first entry that is not of an earlier frame

  ThreadTimeEntry* entries_ = nullptr;
  CaptureCounts* counts_ = nullptr;
  uint32_t capacity_ = 0;
  uint64_t first_ = 0, end_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_FRAMES_H
