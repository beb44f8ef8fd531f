// SPDX-License-Identifier: MIT
//
// perf_frames.h: PERF blocks that have ended → frames: an outermost block with all that ran inside it.
//
// A fiber's blocks may end on several threads, whose pages are read one after the other. So blocks are sorted by their
// ends, and only those are used that ended before the poll: what happened before one of them was recorded before the
// poll began, and therefore has been read.
//
// Memory is for `max_blocks`. A block beyond them is dropped and counted, and no other for it. Outermost blocks have
// further places of their own, so that a routine's end is not lost because too much ran inside it. A routine that does
// not end does not keep others out: of more than half of all places it gives its oldest ones away.
#ifndef FLAMELET_PERF_SRC_FRAMES_H
#define FLAMELET_PERF_SRC_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "platform/hash_index.h"

namespace flamelet {

constexpr uint32_t kNoBlock = UINT32_MAX;

// A block that has ended.
struct PerfBlockRecord {
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t stack;    // the track's id, or kFiberStack + the fiber's
  uint64_t routine;  // id of the outermost block around it, or its own
  uint32_t name;
  uint32_t place;  // of an outermost one: the name of its thread or fiber; 0 = it has none
  uint32_t depth;  // from 1
  // PerfFrames' own:
  uint32_t next;      // of the same routine
  uint64_t sequence;  // in which it was added
};
constexpr uint64_t kFiberStack = uint64_t{1} << 32;

class PerfFrames {
 public:
  // A routine that has not ended and has blocks that have.
  struct Routine {
    uint64_t stack;
    uint64_t id;
    uint32_t first;
    uint32_t last;
    uint32_t count;
  };
  static constexpr uint32_t kRoutines = 4096;
  static constexpr uint32_t kRoutineSlots = HashIndex::slots_for(kRoutines);

  static uint32_t capacity(uint32_t max_blocks) { return max_blocks + max_blocks / 8 + 16; }
  // `blocks`, `fresh` and `frame` have capacity(max_blocks) places, the others those above. Routines lie without gaps.
  struct Memory {
    Routine* routines;
    uint32_t* routine_slots;
    PerfBlockRecord* blocks;
    uint32_t* fresh;
    uint32_t* frame;
  };
  void attach(const Memory& memory, uint32_t max_blocks);
  // Forgets everything but the counts.
  void clear();

  void add(const PerfBlockRecord& block);
  // Hands out the frames that ended until then, in the order of their ends: frame(blocks, indices, count), blocks in the
  // order of their ends, the routine's last.
  template <class Sink>
  void release(uint64_t until_ticks, Sink&& sink);

  bool is_full() const { return free_count_ <= capacity(max_blocks_) - max_blocks_; }
  uint64_t blocks_dropped() const { return blocks_dropped_; }

 private:
  void sort_fresh();
  // Puts a block to its routine's. True if it is the routine itself: memory_.frame holds them all, `count` of them.
  bool collect(uint32_t block, size_t* count);
  // The one of this stack, or HashIndex::kNone.
  uint32_t find_routine(uint64_t stack) const;
  // False: there is no room for another.
  bool add_routine(const PerfBlockRecord& block, uint32_t index);
  void remove_routine(uint32_t routine);
  // Takes a place from the largest routine, for another stack's block.
  bool make_room(uint64_t stack);
  void find_largest();
  void free_block(uint32_t block);
  void drop_waiting(uint32_t routine);

  Memory memory_ = {};
  uint32_t max_blocks_ = 0;
  uint64_t sequence_ = 0;
  uint32_t fresh_count_ = 0;
  uint32_t free_ = kNoBlock;
  uint32_t free_count_ = 0;
  uint32_t routine_count_ = 0;
  HashIndex routine_index_;      // by their stacks
  uint32_t largest_ = kNoBlock;  // the routine that holds more than half of all places, if there is one
  uint64_t blocks_dropped_ = 0;
};

template <class Sink>
void PerfFrames::release(uint64_t until_ticks, Sink&& sink) {
  sort_fresh();
  uint32_t used = 0;
  for (; used < fresh_count_ && memory_.blocks[memory_.fresh[used]].end_ticks <= until_ticks; ++used) {
    size_t count = 0;
    if (!collect(memory_.fresh[used], &count)) continue;
    sink(memory_.blocks, memory_.frame, count);
    for (size_t i = 0; i < count; ++i) free_block(memory_.frame[i]);
  }
  fresh_count_ -= used;
  for (uint32_t i = 0; i < fresh_count_; ++i) memory_.fresh[i] = memory_.fresh[i + used];
  find_largest();
}

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_FRAMES_H
