// SPDX-License-Identifier: MIT
#include "perf_frames.h"

#include <algorithm>

namespace flamelet {

void PerfFrames::attach(const Memory& memory, uint32_t max_blocks) {
  memory_ = memory;
  max_blocks_ = max_blocks;
  routine_index_.attach(memory.routine_slots, kRoutineSlots);
  clear();
}

void PerfFrames::clear() {
  fresh_count_ = 0;
  const uint32_t places = capacity(max_blocks_);
  for (uint32_t i = 0; i < places; ++i) memory_.blocks[i].next = i + 1 < places ? i + 1 : kNoBlock;
  free_ = 0;
  free_count_ = places;
  routine_index_.clear();
  routine_count_ = 0;
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
  const PerfBlockRecord& block = memory_.blocks[index];
  uint32_t found = find_routine(block.stack);
  // A stack has one outermost block at a time. If another one is waited for, its end is lost.
  if (found != HashIndex::kNone && memory_.routines[found].id != block.routine) {
    drop_waiting(found);
    found = HashIndex::kNone;
  }
  if (block.depth == 1) {
    *count = 0;
    if (found != HashIndex::kNone) {
      for (uint32_t i = memory_.routines[found].first; i != kNoBlock; i = memory_.blocks[i].next)
        memory_.frame[(*count)++] = i;
      remove_routine(found);
    }
    memory_.frame[(*count)++] = index;
    return true;
  }
  if (found != HashIndex::kNone) {
    Routine& routine = memory_.routines[found];
    // All that it held may have gone to others.
    (routine.count++ == 0 ? routine.first : memory_.blocks[routine.last].next) = index;
    routine.last = index;
  } else if (!add_routine(block, index)) {
    free_block(index);
    ++blocks_dropped_;
  }
  return false;
}

uint32_t PerfFrames::find_routine(uint64_t stack) const {
  return routine_index_.find(hash_of_key(stack), [&](uint32_t at) { return memory_.routines[at].stack == stack; });
}

bool PerfFrames::add_routine(const PerfBlockRecord& block, uint32_t index) {
  if (routine_count_ == kRoutines) return false;
  routine_index_.add(hash_of_key(block.stack), routine_count_);
  memory_.routines[routine_count_++] = {block.stack, block.routine, index, index, 1};
  return true;
}

// The last one takes its place.
void PerfFrames::remove_routine(uint32_t routine) {
  const auto hash_of = [this](uint32_t at) { return hash_of_key(memory_.routines[at].stack); };
  const uint32_t last = --routine_count_;
  routine_index_.remove(routine, hash_of);
  if (routine == last) return;
  routine_index_.remove(last, hash_of);
  memory_.routines[routine] = memory_.routines[last];
  routine_index_.add(hash_of(routine), routine);
}

void PerfFrames::find_largest() {
  largest_ = kNoBlock;
  for (uint32_t i = 0; i < routine_count_; ++i)
    if (memory_.routines[i].count > max_blocks_ / 2) largest_ = i;
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

void PerfFrames::drop_waiting(uint32_t routine) {
  for (uint32_t i = memory_.routines[routine].first; i != kNoBlock;) {
    const uint32_t next = memory_.blocks[i].next;
    free_block(i);
    ++blocks_dropped_;
    i = next;
  }
  remove_routine(routine);
}

}  // namespace flamelet
