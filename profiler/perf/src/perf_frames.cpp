// SPDX-License-Identifier: MIT
#include "perf_frames.h"

#include <algorithm>

namespace flamelet {

void PerfFrames::attach(const Memory& memory, uint32_t max_blocks) {
  memory_ = memory;
  max_blocks_ = max_blocks;
  clear();
}

void PerfFrames::clear() {
  fresh_count_ = 0;
  const uint32_t places = capacity(max_blocks_);
  for (uint32_t i = 0; i < kBuckets; ++i) memory_.buckets[i] = kNoBlock;
  for (uint32_t i = 0; i < places; ++i) memory_.blocks[i].next = i + 1 < places ? i + 1 : kNoBlock;
  for (uint32_t i = 0; i < kRoutines; ++i) memory_.routines[i].next = i + 1 < kRoutines ? i + 1 : kNoBlock;
  free_ = 0;
  free_count_ = places;
  free_routine_ = 0;
  largest_ = kNoBlock;
}

void PerfFrames::add(const PerfBlockRecord& block) {
  const bool has_place = block.depth == 1 ? free_count_ != 0 : !is_full();
  if (!has_place && !make_room(block.stack)) {
    ++blocks_dropped_;
    return;
  }
  const uint32_t index = free_;
  PerfBlockRecord& place = memory_.blocks[index];
  free_ = place.next;
  --free_count_;
  place = block;
  place.next = kNoBlock;
  place.sequence = sequence_++;
  memory_.fresh[fresh_count_++] = index;
}

void PerfFrames::sort_fresh() {
  const PerfBlockRecord* blocks = memory_.blocks;
  std::sort(memory_.fresh, memory_.fresh + fresh_count_, [blocks](uint32_t a, uint32_t b) {
    if (blocks[a].end_ticks != blocks[b].end_ticks) return blocks[a].end_ticks < blocks[b].end_ticks;
    return blocks[a].sequence < blocks[b].sequence;
  });
}

bool PerfFrames::collect(uint32_t index, size_t* count) {
  PerfBlockRecord& block = memory_.blocks[index];
  uint32_t* link = bucket(block.stack);
  while (*link != kNoBlock && memory_.routines[*link].stack != block.stack) link = &memory_.routines[*link].next;
  // A stack has one outermost block at a time. If another one is waited for, its end is lost.
  if (*link != kNoBlock && memory_.routines[*link].id != block.routine) {
    drop_waiting(link);
    link = bucket(block.stack);
    while (*link != kNoBlock) link = &memory_.routines[*link].next;
  }
  if (block.depth == 1) {
    *count = 0;
    if (*link != kNoBlock) {
      for (uint32_t i = memory_.routines[*link].first; i != kNoBlock; i = memory_.blocks[i].next)
        memory_.frame[(*count)++] = i;
      free_routine(link);
    }
    memory_.frame[(*count)++] = index;
    return true;
  }
  if (*link == kNoBlock) {
    if (free_routine_ == kNoBlock) {
      free_block(index);
      ++blocks_dropped_;
      return false;
    }
    const uint32_t made = free_routine_;
    free_routine_ = memory_.routines[made].next;
    memory_.routines[made] = {block.stack, block.routine, index, index, 1, kNoBlock};
    *link = made;
  } else {
    Routine& routine = memory_.routines[*link];
    // All that it held may have gone to others.
    (routine.count++ == 0 ? routine.first : memory_.blocks[routine.last].next) = index;
    routine.last = index;
  }
  return false;
}

void PerfFrames::find_largest() {
  largest_ = kNoBlock;
  for (uint32_t i = 0; i < kBuckets; ++i)
    for (uint32_t at = memory_.buckets[i]; at != kNoBlock; at = memory_.routines[at].next)
      if (memory_.routines[at].count > max_blocks_ / 2) largest_ = at;
}

bool PerfFrames::make_room(uint64_t stack) {
  if (largest_ == kNoBlock || memory_.routines[largest_].stack == stack) return false;
  Routine& routine = memory_.routines[largest_];
  const uint32_t oldest = routine.first;
  routine.first = memory_.blocks[oldest].next;
  if (--routine.count <= max_blocks_ / 2) largest_ = kNoBlock;
  free_block(oldest);
  ++blocks_dropped_;
  return true;
}

void PerfFrames::free_block(uint32_t block) {
  memory_.blocks[block].next = free_;
  free_ = block;
  ++free_count_;
}

void PerfFrames::drop_waiting(uint32_t* link) {
  for (uint32_t i = memory_.routines[*link].first; i != kNoBlock;) {
    const uint32_t next = memory_.blocks[i].next;
    free_block(i);
    ++blocks_dropped_;
    i = next;
  }
  free_routine(link);
}

void PerfFrames::free_routine(uint32_t* link) {
  const uint32_t routine = *link;
  *link = memory_.routines[routine].next;
  memory_.routines[routine].next = free_routine_;
  free_routine_ = routine;
}

}  // namespace flamelet
