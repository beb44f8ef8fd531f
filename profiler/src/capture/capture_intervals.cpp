// SPDX-License-Identifier: MIT
#include "capture/capture_data.h"

#include <string.h>

#include "platform/engine_memory.h"
#include "platform/hash_index.h"

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
  dropped_ = 0;
  dropped_open_ = 0;
}

void IntervalTable::free_grown() {
  if (grown_ != nullptr) allocator_->free(allocator_->user, grown_, grown_bytes_, alignof(Interval));
  grown_ = nullptr;
}

// The intervals keep their numbers.
bool IntervalTable::grow() {
  if (allocator_ == nullptr || capacity_ == 0 || capacity_ > kMostGrown / 2) return false;
  const uint32_t capacity = capacity_ * 2, buckets = bucket_count(capacity);
  const size_t bytes = capacity * sizeof(Interval) + buckets * sizeof(uint64_t);
  void* memory = nullptr;
  if (take_memory(*allocator_, bytes, alignof(Interval), &memory) != FLAMELET_OK) return false;
  auto* intervals = static_cast<Interval*>(memory);
  for (uint64_t number = first_; number < end_; ++number) intervals[number % capacity] = intervals_[number % capacity_];
  free_grown();
  grown_ = memory;
  grown_bytes_ = bytes;
  intervals_ = intervals;
  capacity_ = capacity;
  buckets_ = reinterpret_cast<uint64_t*>(intervals + capacity);
  mask_ = buckets - 1;
  memset(buckets_, 0, buckets * sizeof(uint64_t));
  for (uint64_t number = first_; number < end_; ++number) {
    Interval& interval = intervals_[number % capacity_];
    uint64_t* const bucket = bucket_of(interval.id);
    interval.next = *bucket;
    *bucket = number;
  }
  return true;
}

void IntervalTable::expect_saved() {
  const size_t bytes = count() * sizeof(Interval);
  void* memory = nullptr;
  if (bytes != 0 && take_memory(*allocator_, bytes, alignof(Interval), &memory) == FLAMELET_OK) {
    told_ = static_cast<Interval*>(memory);
    told_count_ = count();
    for (size_t i = 0; i < told_count_; ++i) told_[i] = at(i);
  }
  clear();
}

void IntervalTable::end_saved() {
  take_told(false, 0, UINT64_MAX);
}

void IntervalTable::end_saved_part(uint64_t from, uint64_t until) {
  take_told(true, from, until);
}

void IntervalTable::take_told(bool is_part, uint64_t from, uint64_t until) {
  if (told_ == nullptr) return;
  for (size_t i = 0; i < told_count_; ++i) {
    const Interval& told = told_[i];
    Interval* const saved = find(told.id);
    if (saved == nullptr) {
      const bool is_whole = told.begin_track != 0 && told.end_track != 0;
      if (!is_part || (is_whole && told.begin_ticks < until && told.end_ticks >= from)) restore(told);
      continue;
    }
    if (saved->begin_track == 0 && told.begin_track != 0) {
      saved->begin_track = told.begin_track;
      saved->begin_ticks = told.begin_ticks;
      saved->site = told.site;
      saved->strings = told.strings;
    }
    if (!is_part && saved->end_track == 0 && told.end_track != 0) {
      saved->end_track = told.end_track;
      saved->end_ticks = told.end_ticks;
      saved->flags = told.flags;
    }
  }
  allocator_->free(allocator_->user, told_, told_count_ * sizeof(Interval), alignof(Interval));
  told_ = nullptr;
}

uint64_t* IntervalTable::bucket_of(uint64_t id) const {
  // No file knows the address, so none can put all its ids into one bucket.
  const uint64_t mixed = spread_key(id ^ reinterpret_cast<uintptr_t>(buckets_));
  return &buckets_[hash_of_key(mixed ^ mixed >> 32) & mask_];
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
  if (end_ - first_ == capacity_ && !grow()) {
    dropped_open_ += intervals_[first_ % capacity_].end_track == 0;
    ++first_;
    ++dropped_;
  }
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
  if (interval == nullptr && dropped_open_ != 0) {
    --dropped_open_;
    return true;
  }
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
