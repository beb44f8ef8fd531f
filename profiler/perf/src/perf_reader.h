// SPDX-License-Identifier: MIT
//
// perf_reader.h: PERF blocks out of ring pages, each once, when it ends.
//
// What is open stands in every page, so the stack of open scopes is all that is kept of a track between polls: a block
// is complete the moment its end is decoded, with its depth and its routine, whichever page or thread it began on.
// A capture would have to be searched for what is new; this looks at each word once.
#ifndef FLAMELET_PERF_SRC_READER_H
#define FLAMELET_PERF_SRC_READER_H

#include <stddef.h>
#include <stdint.h>
#include <type_traits>

#include "flamelet/base.h"
#include "platform/hash_index.h"
#include "record/replay.h"
#include "record/ring_reader.h"

namespace flamelet {

// Perf names: the names of PERF blocks, copied, so that they outlive a session and mean the same in the next. Index 0
// is "(overflow)".

class PerfNames {
 public:
  struct Entry {
    size_t offset;
    size_t size;
  };

  // `slots`: HashIndex::slots_for(capacity); capacity >= 1, byte_capacity >= kMinBytes.
  static constexpr size_t kMinBytes = 16;
  void attach(Entry* entries, uint32_t capacity, uint32_t* slots, char* bytes, size_t byte_capacity);

  // 0 if there is no room for it; counted.
  uint32_t intern(flamelet_string text);
  flamelet_string get(uint32_t index) const;
  uint64_t overflowed() const { return overflowed_; }

 private:
  uint32_t append(flamelet_string text);

  HashIndex index_;
  Entry* entries_ = nullptr;
  char* bytes_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t count_ = 0;
  size_t byte_capacity_ = 0;
  size_t byte_count_ = 0;
  uint64_t overflowed_ = 0;
};

// Perf frames: PERF blocks that have ended → frames: an outermost block with all that ran inside it.
//
// A fiber's blocks may end on several threads, whose pages are read one after the other. So blocks are sorted by their
// ends, and only those are used that ended before the poll: what happened before one of them was recorded before the
// poll began, and therefore has been read.
//
// Memory is for `max_blocks`. A routine of which one block finds no place, or is lost, is cut: all its blocks are dropped
// and counted, so that each frame that is handed out is whole. Outermost blocks have further places of their own. A
// routine that does not end does not keep others out: one that has more than half of all places is cut for them.

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
  // A routine that was cut.
  struct Cut {
    uint64_t stack;
    uint64_t id;
  };

  static uint32_t capacity(uint32_t max_blocks) { return max_blocks + max_blocks / 8 + 16; }
  // `blocks`, `fresh` and `frame` have capacity(max_blocks) places, routines and cuts kRoutines, and their slots
  // kRoutineSlots. Routines lie without gaps.
  struct Memory {
    Routine* routines;
    uint32_t* routine_slots;
    Cut* cuts;
    uint32_t* cut_slots;
    PerfBlockRecord* blocks;
    uint32_t* fresh;
    uint32_t* frame;
  };
  void attach(const Memory& memory, uint32_t max_blocks);
  // Forgets everything but the counts.
  void clear();

  void add(const PerfBlockRecord& block);
  // Drops what there is of this routine, and what will come.
  void cut(uint64_t stack, uint64_t routine);
  // Events of a thread between these times are lost. A fiber may have run there: its routines that reach into them are cut.
  void lose(uint64_t begin_ticks, uint64_t end_ticks);
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
  void add_routine(const PerfBlockRecord& block, uint32_t index);
  void remove_routine(uint32_t routine);
  // Takes the places of the largest routine, for another stack's block, or of the oldest, if all that wait have more than
  // half of them.
  bool make_room(const PerfBlockRecord& block);
  // Cuts the waiting routine whose newest block is the oldest, but not of this block's stack: its end may never come.
  bool cut_oldest(const PerfBlockRecord& block);
  bool is_across_gap(const PerfBlockRecord& block) const {
    return block.stack >= kFiberStack && block.begin_ticks < gap_end_ticks_ && block.end_ticks > gap_begin_ticks_;
  }
  bool is_cut(const PerfBlockRecord& block) const { return find_cut(block.stack, block.routine) != HashIndex::kNone; }
  uint32_t find_cut(uint64_t stack, uint64_t routine) const;
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
  HashIndex cut_index_;
  uint64_t cut_count_ = 0;  // the newest kRoutines of them are known
  uint64_t blocks_dropped_ = 0;
  // From the first loss to the newest: between them, routines of fibers may be cut in vain.
  uint64_t gap_begin_ticks_ = UINT64_MAX, gap_end_ticks_ = 0;
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

class PerfReader {
 public:
  struct Scope {
    uint64_t id;
    uint64_t begin_ticks;
    uint32_t name;
    bool is_perf;
  };
  struct Stack {
    uint32_t track;  // 0 = nothing was read of this slot
    uint32_t fiber;
    uint64_t ticket;
    uint32_t settled;     // this track and those before it are done with
    uint64_t before;      // events of the tracks before, lost ones included
    ReplayCursor cursor;  // in the page; its events are all of the track, lost ones included
    Scope open[FLAMELET_MAX_DEPTH];
  };
  static constexpr uint32_t kStacks = FLAMELET_MAX_TRACKS + 1;
  static constexpr uint32_t kSites = FLAMELET_MAX_SITES + 1;

  // `stacks` and `sites` are zero and have the places above. `places` takes the names of threads and fibers.
  void attach(Stack* stacks, uint32_t* sites, PerfFrames* frames, PerfNames* names, PerfNames* places);

  // Takes in what is new, up to now. The caller holds a SessionGuard. When no place is free, `make_room` is called, at
  // most once; until_ticks() still is the poll's before.
  template <class MakeRoom>
  void poll(MakeRoom&& make_room);
  // The session whose blocks it holds.
  uint32_t session() const { return session_; }
  // Forgets it, and what was not released.
  void begin_session(uint32_t session);

  // What was complete when the last poll began ended until then.
  uint64_t until_ticks() const { return until_ticks_; }
  uint64_t events_lost() const { return events_lost_; }

 private:
  struct Visitor;

  void poll_ring();
  void take(const PagePart& part);
  Scope make_scope(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings);
  void open_page(Stack* stack, const PagePart& part);
  void settle(Stack* stack, const SlotEnds& ends);
  void reopen(Stack* stack, const OpenBlock& block);
  void add(const Stack& stack, uint32_t level, uint64_t ticks);
  void lose_routine(const Stack& stack, uint32_t level);
  static uint64_t stack_of(const Stack& stack);
  static uint64_t routine_of(const Stack& stack, uint32_t level, uint32_t* depth);

  // The name of the thread or fiber; 0 = it has none.
  uint32_t place_of(const Stack& stack);

  Stack* stacks_ = nullptr;
  uint32_t* sites_ = nullptr;
  PerfFrames* frames_ = nullptr;
  PerfNames* names_ = nullptr;
  PerfNames* places_ = nullptr;
  RingReader ring_;
  uint32_t session_ = 0;
  void (*make_room_)(void* user) = nullptr;  // of this poll; NULL: it was called
  void* make_room_user_ = nullptr;
  bool attached_ = false;  // the first poll of the session is over: what is missing from now on is lost
  uint64_t until_ticks_ = 0;
  uint64_t newest_ticks_ = 0;  // of all blocks: a clock that went back holds them until the next poll
  uint64_t events_lost_ = 0;
};

template <class MakeRoom>
void PerfReader::poll(MakeRoom&& make_room) {
  make_room_ = [](void* user) { (*static_cast<std::remove_reference_t<MakeRoom>*>(user))(); };
  make_room_user_ = &make_room;
  poll_ring();
}

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_READER_H
