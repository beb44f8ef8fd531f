// SPDX-License-Identifier: MIT
//
// perf_reader.h: PERF blocks out of ring pages, each once, when it ends.
//
// What is open stands in every page, so the stack of open scopes is all that is kept of a track between polls: a block
// is complete the moment its end is decoded, with its depth and its routine, whichever page or thread it began on.
// A capture would have to be searched for what is new; this looks at each word once.
#ifndef FLAMELET_PERF_SRC_READER_H
#define FLAMELET_PERF_SRC_READER_H

#include "perf_frames.h"
#include "perf_names.h"
#include "record/replay.h"
#include "record/ring_reader.h"

namespace flamelet {

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
    ReplayCursor cursor;  // in the page; its events are all of the track, lost ones included
    Scope open[FLAMELET_MAX_DEPTH];
  };
  static constexpr uint32_t kStacks = FLAMELET_MAX_TRACKS + 1;
  static constexpr uint32_t kSites = FLAMELET_MAX_SITES + 1;

  // `stacks` and `sites` are zero and have the places above. `places` takes the names of threads and fibers.
  void attach(Stack* stacks, uint32_t* sites, PerfFrames* frames, PerfNames* names, PerfNames* places);

  // Takes in what is new, up to now. The caller holds a SessionGuard.
  void poll();
  // The session whose blocks it holds.
  uint32_t session() const { return session_; }
  // Forgets it, and what was not released.
  void begin_session(uint32_t session);

  // What was complete when the last poll began ended until then.
  uint64_t until_ticks() const { return until_ticks_; }
  uint64_t events_lost() const { return events_lost_; }

 private:
  struct Visitor;

  void take(const PagePart& part);
  Scope make_scope(uint64_t ticks, uint64_t id, uint32_t site, uint64_t strings);
  void open_page(Stack* stack, const PagePart& part);
  void reopen(Stack* stack, const OpenBlock& block);
  void add(const Stack& stack, uint32_t level, uint64_t ticks);

  // The name of the thread or fiber; 0 = it has none.
  uint32_t place_of(const Stack& stack);

  Stack* stacks_ = nullptr;
  uint32_t* sites_ = nullptr;
  PerfFrames* frames_ = nullptr;
  PerfNames* names_ = nullptr;
  PerfNames* places_ = nullptr;
  RingReader ring_;
  uint32_t session_ = 0;
  bool attached_ = false;  // the first poll of the session is over: what is missing from now on is lost
  uint64_t until_ticks_ = 0;
  uint64_t events_lost_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_PERF_SRC_READER_H
