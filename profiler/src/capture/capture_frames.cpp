// SPDX-License-Identifier: MIT
#include "capture/capture_data.h"

#include "flamelet/capture.h"
#include "flamelet/detail/sums.h"

namespace flamelet {

void FrameTable::attach(Frame* frames, uint32_t capacity, uint64_t* dropped) {
  frames_ = frames;
  capacity_ = capacity;
  dropped_ = dropped;
  clear();
}

void FrameTable::clear() {
  first_ = end_ = 0;
  has_mark_ = false;
  gap_count_ = 0;
}

inline void FrameTable::append(const Frame& frame) {
  if (count() == capacity_ && !growth_.grow(&frames_, &capacity_, first_, end_)) {
    ++first_;
    ++*dropped_;
  }
  frames_[end_++ % capacity_] = frame;
}

bool FrameTable::mark(uint64_t ticks, const FrameMark& mark) {
  if (has_mark_ && (ticks < mark_ticks_ || mark.index <= mark_index_)) return false;
  // After a gap in the marks, what lies between is several frames, or parts of them, and none that can be shown.
  const bool ends_frame = has_mark_ && mark.index == mark_index_ + 1;
  if (ends_frame) {
    const uint32_t partial = mark.ends_partial || mark.clock_jumped ? uint32_t{FLAMELET_FRAME_PARTIAL} : 0;
    const uint32_t jumped = mark.clock_jumped ? uint32_t{FLAMELET_FRAME_CLOCK_JUMPED} : 0;
    Frame frame = {mark_index_, mark_ticks_, ticks, partial | jumped, mark.thread};
    for (uint32_t i = 0; i < gap_count_; ++i) {
      if (gaps_[i].begin_ticks <= frame.end_ticks && gaps_[i].end_ticks >= frame.begin_ticks)
        frame.flags |= FLAMELET_FRAME_LOSSY;
    }
    append(frame);
  }
  has_mark_ = true;
  mark_index_ = mark.index;
  mark_ticks_ = ticks;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < gap_count_; ++i) {
    if (gaps_[i].end_ticks >= ticks) gaps_[kept++] = gaps_[i];
  }
  gap_count_ = kept;
  return ends_frame;
}

bool FrameTable::restore(const Frame& frame) {
  if (frame.end_ticks < frame.begin_ticks) return false;
  if (count() != 0 && (frame.index <= at(count() - 1).index || frame.begin_ticks < at(count() - 1).end_ticks))
    return false;
  append(frame);
  return true;
}

void FrameTable::lose(uint64_t begin_ticks, uint64_t end_ticks) {
  for (uint64_t i = end_; i > first_; --i) {
    Frame& frame = frames_[(i - 1) % capacity_];
    if (frame.end_ticks < begin_ticks) break;
    if (frame.begin_ticks <= end_ticks) frame.flags |= FLAMELET_FRAME_LOSSY;
  }
  if (has_mark_ && end_ticks < mark_ticks_) return;
  if (gap_count_ < kMaxGaps) {
    gaps_[gap_count_++] = {begin_ticks, end_ticks};
    return;
  }
  Gap& last = gaps_[kMaxGaps - 1];
  if (begin_ticks < last.begin_ticks) last.begin_ticks = begin_ticks;
  if (end_ticks > last.end_ticks) last.end_ticks = end_ticks;
}

void FrameTable::doubt_longer_than(double ticks) {
  for (uint64_t i = first_; i < end_; ++i) {
    Frame& frame = frames_[i % capacity_];
    if (static_cast<double>(frame.end_ticks - frame.begin_ticks) > ticks)
      frame.flags |= FLAMELET_FRAME_PARTIAL | FLAMELET_FRAME_CLOCK_JUMPED;
  }
}

size_t FrameTable::find(uint64_t index) const {
  const size_t first = first_not(size_t{0}, count(), [&](size_t i) { return at(i).index < index; });
  return first < count() && at(first).index == index ? first : SIZE_MAX;
}

size_t FrameTable::first_ending(uint64_t ticks) const {
  return first_not(size_t{0}, count(), [&](size_t i) { return at(i).end_ticks < ticks; });
}

size_t FrameTable::find_at(uint64_t ticks) const {
  const size_t first = first_ending(ticks == UINT64_MAX ? ticks : ticks + 1);
  return first < count() && at(first).begin_ticks <= ticks && at(first).end_ticks > ticks ? first : SIZE_MAX;
}

// ---- capture thread times

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
  if (end_ - first_ == capacity_ && !growth_.grow(&entries_, &capacity_, first_, end_)) {
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
  return first_not(first_, end_, [&](uint64_t i) { return entries_[i % capacity_].frame < frame; });
}

}  // namespace flamelet
