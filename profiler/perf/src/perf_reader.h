// SPDX-License-Identifier: MIT
//
// perf_reader.h: PERF blocks out of ring pages, each once, when it ends; and frames out of blocks.
//
// What is open stands in every page, so the stack of open scopes is all that is kept of a track between polls: a block
// is complete the moment its end is decoded, with its depth and its routine, whichever page or thread it began on.
// A capture would have to be searched for what is new; this looks at each word once.
//
// A fiber's blocks may end on several threads, whose pages are read one after the other. So the blocks of a poll are
// sorted by their ends, and only those that ended before the poll are used: whatever happened before one of them was
// recorded before the poll began, and therefore has been read.
#ifndef FLAMELET_PERF_SRC_READER_H
#define FLAMELET_PERF_SRC_READER_H

#include "perf_names.h"
#include "record/decoder.h"
#include "record/ring_reader.h"

namespace flamelet {

constexpr uint32_t kNoBlock = UINT32_MAX;

// A block that has ended.
struct PerfBlockRecord {
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t stack;     // the track's id, or kFiberStack + the fiber's
  uint64_t routine;   // id of the outermost block around it, or its own
  uint64_t sequence;  // in which it was decoded
  uint32_t name;
  uint32_t depth;  // from 1
  uint32_t next;   // of the same routine
};
constexpr uint64_t kFiberStack = uint64_t{1} << 32;

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
    uint64_t now_ticks;
    uint64_t next_event;
    uint32_t at;  // words of the page that were decoded
    uint32_t depth;
    Scope open[FLAMELET_MAX_DEPTH];
  };
  // A routine that has not ended and has blocks that have.
  struct Routine {
    uint64_t stack;
    uint64_t id;
    uint32_t first;
    uint32_t last;
    uint32_t next;  // in the bucket, or free
  };
  static constexpr uint32_t kStacks = FLAMELET_MAX_TRACKS + 1;
  static constexpr uint32_t kSites = FLAMELET_MAX_SITES + 1;
  static constexpr uint32_t kRoutines = 4096;
  static constexpr uint32_t kBuckets = 1024;

  // Everything zero; `blocks`, `fresh` and `frame` have `max_blocks` places.
  struct Memory {
    Stack* stacks;
    uint32_t* sites;
    Routine* routines;
    uint32_t* buckets;
    PerfBlockRecord* blocks;
    uint32_t* fresh;
    uint32_t* frame;
  };
  void attach(const Memory& memory, uint32_t max_blocks, PerfNames* names);

  // Takes in what is new, up to now. The caller holds a SessionGuard.
  void poll();
  // The session whose blocks it holds.
  uint32_t session() const { return session_; }
  // Forgets it, and what was not released.
  void begin_session(uint32_t session);

  // The next release() hands out everything: nothing more will come.
  void finish() { until_ticks_ = UINT64_MAX; }
  // Hands out the frames that were complete when the last poll began, in the order of their ends: frame(blocks, indices,
  // count), blocks in the order of their ends, the routine's last.
  template <class Sink>
  void release(Sink&& sink);
  // There is no place for an inner block. What is free is kept for outermost ones, so that a routine's end is not lost
  // because too much ran inside it.
  bool is_full() const { return free_count_ <= max_blocks_ / 8; }

  uint64_t blocks_dropped() const { return blocks_dropped_; }
  uint64_t events_lost() const { return events_lost_; }

 private:
  struct Visitor;

  void take(const PagePart& part);
  Scope make_scope(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings);
  void open_page(Stack* stack, const PagePart& part);
  void reopen(Stack* stack, const OpenBlock& block);
  void close_to(Stack* stack, uint32_t depth, uint64_t ticks);
  void add(Stack* stack, uint64_t ticks);

  void sort_fresh();
  // Puts a block to its routine's. True if it is the routine itself: frame_ holds them all, `count` of them.
  bool collect(uint32_t block, size_t* count);
  uint32_t* bucket(uint64_t stack) { return &memory_.buckets[stack * 0x9E3779B97F4A7C15u >> 32 & (kBuckets - 1)]; }
  void free_block(uint32_t block);
  void free_routine(uint32_t* link);
  void drop_waiting(uint32_t* link);

  Memory memory_ = {};
  PerfNames* names_ = nullptr;
  uint32_t max_blocks_ = 0;
  RingReader ring_;
  uint32_t session_ = 0;
  bool attached_ = false;  // the first poll of the session is over: what is missing from now on is lost
  uint64_t until_ticks_ = 0;
  uint64_t sequence_ = 0;
  uint32_t fresh_count_ = 0;
  uint32_t free_ = kNoBlock;
  uint32_t free_count_ = 0;
  uint32_t free_routine_ = kNoBlock;
  uint64_t blocks_dropped_ = 0;
  uint64_t events_lost_ = 0;
};

template <class Sink>
void PerfReader::release(Sink&& sink) {
  sort_fresh();
  uint32_t used = 0;
  for (; used < fresh_count_ && memory_.blocks[memory_.fresh[used]].end_ticks <= until_ticks_; ++used) {
    size_t count = 0;
    if (!collect(memory_.fresh[used], &count)) continue;
    sink(memory_.blocks, memory_.frame, count);
    for (size_t i = 0; i < count; ++i) free_block(memory_.frame[i]);
  }
  fresh_count_ -= used;
  for (uint32_t i = 0; i < fresh_count_; ++i) memory_.fresh[i] = memory_.fresh[i + used];
  // What fills the memory waits for routines that may never end: they lose what ran inside them so far.
  for (uint32_t i = 0; i < kBuckets && is_full(); ++i)
    while (memory_.buckets[i] != kNoBlock) drop_waiting(&memory_.buckets[i]);
}

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_READER_H
