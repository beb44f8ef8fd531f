// SPDX-License-Identifier: MIT
//
// capture_intervals.h: the intervals of flamelet_interval_begin() and flamelet_interval_end(), paired by id while pages
// arrive. Start and finish may stand on different threads and arrive in either order. Where there is no room, the newest
// intervals win, and the others are counted; the table of a file grows.
#ifndef FLAMELET_SRC_CAPTURE_INTERVALS_H
#define FLAMELET_SRC_CAPTURE_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet/base.h"

namespace flamelet {

struct Interval {
  uint64_t id;
  uint64_t begin_ticks;
  uint64_t end_ticks;  // may be a little before begin_ticks: the clocks of two cores differ. Without a finish: until
                       // when it was seen open, 0 = until now
  uint64_t strings;
  uint64_t next;  // in the bucket: the number of an older one
  uint32_t site;
  uint32_t begin_track;  // 0 = its start was not seen
  uint32_t end_track;    // 0 = its finish was not seen
  uint32_t flags;        // of its end
};

class IntervalTable {
 public:
  static uint32_t bucket_count(uint32_t capacity);

  void attach(Interval* intervals, uint32_t capacity, uint64_t* buckets);
  void clear();
  // As far as there is memory. A table without room stays so.
  void let_grow(const flamelet_allocator& allocator) { allocator_ = &allocator; }
  void free_grown();

  // False, and the first one counts: there is one with this id already, which only a damaged page says twice ...
  bool start(uint64_t id, uint32_t track, uint64_t ticks, uint32_t site, uint64_t strings);
  // ... or it is finished already.
  bool finish(uint64_t id, uint32_t track, uint64_t ticks, uint32_t flags = 0);

  // An interval as it was saved; false if there is one with this id already.
  bool restore(const Interval& interval);
  // Only where the table may grow. Saved intervals follow; those that pages told and that are not among them come behind.
  void expect_saved();
  void end_saved();

  uint64_t dropped() const { return dropped_; }
  size_t count() const { return static_cast<size_t>(end_ - first_); }
  const Interval& at(size_t position) const { return intervals_[(first_ + position) % capacity_]; }

 private:
  static constexpr uint32_t kMostGrown = 1u << 24;

  bool grow();
  Interval* find(uint64_t id);
  Interval* add(uint64_t id);
  uint64_t* bucket_of(uint64_t id) const;

  Interval* intervals_ = nullptr;
  uint32_t capacity_ = 0;
  uint64_t* buckets_ = nullptr;  // numbers; one below first_ is none
  uint32_t mask_ = 0;
  uint64_t first_ = 1;
  uint64_t end_ = 1;
  uint64_t dropped_ = 0;
  const flamelet_allocator* allocator_ = nullptr;
  void* grown_ = nullptr;
  size_t grown_bytes_ = 0;
  Interval* told_ = nullptr;  // by pages, while saved ones follow
  size_t told_count_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_INTERVALS_H
