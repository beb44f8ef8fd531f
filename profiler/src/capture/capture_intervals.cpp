// SPDX-License-Identifier: MIT
#include "capture/capture_intervals.h"

#include <string.h>

namespace flamelet {

// Chains and not a HashIndex: the oldest interval leaves its chain by its number alone, an index would have to remove it.
uint32_t IntervalTable::bucket_count(uint32_t capacity) {
  uint32_t buckets = 1;
  while (buckets < capacity) buckets *= 2;
  return buckets;
}

void IntervalTable::attach(Interval* intervals, uint32_t capacity, uint64_t* buckets) {
  intervals_ = intervals;
  capacity_ = capacity;
  buckets_ = buckets;
  mask_ = bucket_count(capacity) - 1;
  clear();
}

void IntervalTable::clear() {
  memset(buckets_, 0, (size_t{mask_} + 1) * sizeof(uint64_t));
  first_ = end_;
}

uint64_t* IntervalTable::bucket_of(uint64_t id) const {
  return &buckets_[static_cast<uint32_t>((id * 0x9E3779B97F4A7C15u) >> 32) & mask_];
}

Interval* IntervalTable::find(uint64_t id) {
  // Newest first, so the first one that is overwritten ends the chain.
  for (uint64_t number = *bucket_of(id); number >= first_;) {
    Interval& interval = intervals_[number % capacity_];
    if (interval.id == id) return &interval;
    number = interval.next;
  }
  return nullptr;
}

Interval* IntervalTable::add(uint64_t id) {
  if (end_ - first_ == capacity_) ++first_;
  uint64_t* bucket = bucket_of(id);
  Interval& interval = intervals_[end_ % capacity_];
  interval = Interval();
  interval.id = id;
  interval.next = *bucket;
  *bucket = end_++;
  return &interval;
}

bool IntervalTable::start(uint64_t id, uint32_t track, uint64_t ticks, uint32_t site, uint64_t strings) {
  if (capacity_ == 0) return true;
  Interval* interval = find(id);
  if (interval == nullptr) {
    interval = add(id);
  } else if (interval->begin_track != 0) {
    return false;
  }
  interval->begin_track = track;
  interval->begin_ticks = ticks;
  interval->site = site;
  interval->strings = strings;
  return true;
}

bool IntervalTable::finish(uint64_t id, uint32_t track, uint64_t ticks, uint32_t flags) {
  if (capacity_ == 0) return true;
  Interval* interval = find(id);
  if (interval == nullptr) {
    interval = add(id);
    interval->begin_ticks = ticks;
  } else if (interval->end_track != 0) {
    return false;
  }
  interval->end_track = track;
  interval->end_ticks = ticks;
  interval->flags = flags;
  return true;
}

bool IntervalTable::restore(const Interval& interval) {
  if (capacity_ == 0 || find(interval.id) != nullptr) return false;
  Interval* added = add(interval.id);
  const uint64_t next = added->next;
  *added = interval;
  added->next = next;
  return true;
}

}  // namespace flamelet
