// SPDX-License-Identifier: MIT
#include "capture/capture_thread_times.h"

namespace flamelet {

void ThreadTimeTable::attach(ThreadTimeEntry* entries, uint32_t capacity, CaptureCounts* counts) {
  entries_ = entries;
  capacity_ = capacity;
  counts_ = counts;
  clear();
}

void ThreadTimeTable::clear() {
  first_ = end_ = 0;
  counts_->timed_from = 0;
}

bool ThreadTimeTable::add(uint64_t frame, const ThreadTime& time) {
  if (capacity_ == 0) return true;
  if (end_ != first_ && entries_[(end_ - 1) % capacity_].frame > frame) return false;
  if (end_ - first_ == capacity_) {
    ++counts_->thread_times_dropped;
    counts_->timed_from = entries_[first_++ % capacity_].frame + 1;
  }
  constexpr uint32_t kNsBits = 53;  // 104 days, so that nobody who adds some has to think of overflow
  entries_[end_++ % capacity_] = {frame,
                                  time.thread,
                                  time.known & kTimeAll,
                                  static_cast<uint32_t>(fitting(time.minor_faults, 24)) & 0xFFFFFF,
                                  fitting(time.ran_ns, kNsBits),
                                  fitting(time.ready_ns, kNsBits),
                                  static_cast<uint32_t>(fitting(time.switches, 32)),
                                  static_cast<uint32_t>(fitting(time.major_faults, 32))};
  return true;
}

uint64_t ThreadTimeTable::find(uint64_t frame) const {
  uint64_t low = first_, high = end_;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (entries_[middle % capacity_].frame < frame) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace flamelet
