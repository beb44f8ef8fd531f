// SPDX-License-Identifier: MIT
//
// capture_thread_times.h: how long each thread ran in each frame. The newest are kept, in the order of their frames.
#ifndef FLAMELET_SRC_CAPTURE_THREAD_TIMES_H
#define FLAMELET_SRC_CAPTURE_THREAD_TIMES_H

#include "capture/capture_format.h"
#include "record/page.h"

namespace flamelet {

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

#endif  // FLAMELET_SRC_CAPTURE_THREAD_TIMES_H
