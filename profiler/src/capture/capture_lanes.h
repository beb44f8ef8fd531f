// SPDX-License-Identifier: MIT
//
// capture_lanes.h: the lanes of a capture by id, and what the capture remembers of each track between updates.
#ifndef FLAMELET_SRC_CAPTURE_LANES_H
#define FLAMELET_SRC_CAPTURE_LANES_H

#include "capture/capture_format.h"
#include "capture/capture_states.h"
#include "capture/page_store.h"
#include "flamelet/capture.h"
#include "platform/hash_index.h"

namespace flamelet {

// Capture fibers: where the fibers ran. A run is a stretch of one fiber on one thread inside one page: from the
// switch to it, or the page's start, to the next switch, or the page's end. Each run begins with the fiber's open
// scopes, so a fiber's lane is its runs decoded one after the other, as a thread's lane is its pages.
//
// Runs stand in a ring: the newest win. Each fiber's runs are a list in the order of their begin. They arrive thread by
// thread, so a new one may belong a few places before the end, and is inserted there.

using RunId = uint64_t;  // counts runs from 1; 0 = none

struct FiberRun {
  static constexpr uint32_t kPageStart = (1 << 9) - 1;
  static constexpr uint32_t kPageEnd = (1 << 9) - 1;
  static constexpr uint32_t kMostDepth = (1 << 6) - 1;
  static uint32_t known_depth(uint32_t depth) { return depth < kMostDepth ? depth : kMostDepth; }

  uint64_t begin_ticks;
  // Of the switch away from it, or the last before the gap in which it left; 0 if it goes on in the next page.
  uint64_t end_ticks;
  uint64_t ticket;  // of the page, which is gone if its place has another one
  RunId previous;   // of the same fiber, by begin
  RunId next;
  uint32_t place;            // of the page in the store
  uint32_t first_word : 9;   // the kFiber word, or kPageStart
  uint32_t end_word : 9;     // the next kFiber word, or kPageEnd
  uint32_t begin_depth : 6;  // open scopes: known_depth()
  uint32_t end_depth : 6;    // at the switch away from it
  uint32_t left_in_gap : 1;  // how it left the thread is lost
};

static_assert(kPageWords < FiberRun::kPageEnd, "each word has a number");

struct FiberRunList {
  RunId newest = 0;
  RunId added = 0;  // the last one that arrived
};

class FiberRuns {
 public:
  void attach(FiberRun* runs, uint32_t capacity);
  void clear() { first_ = end_; }

  bool holds(RunId id) const { return id >= first_ && id < end_; }
  FiberRun& operator[](RunId id) { return runs_[id % capacity_]; }
  const FiberRun& operator[](RunId id) const { return runs_[id % capacity_]; }

  // Puts a run into the list, behind those that began before it or with it. 0 if the capacity is 0.
  RunId add(FiberRunList* list, const FiberRun& run);
  // Of runs that began in one tick, on several threads, those that also ended in it were first. Puts one that has ended
  // there before others that arrived earlier. Those of its own thread stand in order.
  template <class IsOfItsThread>
  void settle(FiberRunList* list, RunId id, IsOfItsThread is_of_its_thread) {
    const FiberRun& run = (*this)[id];
    if (run.begin_ticks != run.end_ticks) return;
    for (RunId before = run.previous; holds(before); before = run.previous) {
      const FiberRun& other = (*this)[before];
      if (other.begin_ticks != run.begin_ticks || is_of_its_thread(other)) return;
      const bool is_short = other.end_word != FiberRun::kPageEnd && other.end_ticks == other.begin_ticks;
      if (is_short && (other.end_depth == run.begin_depth || other.begin_depth != run.end_depth)) return;
      swap_with_previous(list, id);
    }
  }

 private:
  void swap_with_previous(FiberRunList* list, RunId id);

  FiberRun* runs_ = nullptr;
  uint32_t capacity_ = 0;
  RunId first_ = 1;
  RunId end_ = 1;
};

constexpr uint32_t kNoLane = UINT32_MAX;

struct Lane {
  uint32_t id;
  flamelet_lane_kind kind;
  uint32_t name;          // string id; 0 = not named
  char default_name[24];  // "thread 3"
  bool alive;             // may still get events
  bool ended;             // what is open in its last page ended behind it; of a recorder: final_events is set
  bool submitted;         // its events have times of their own
  bool in_order;          // submitted; spans that begin together stand parents first
  PageId last_page;       // that concerned it; for a fiber a thread's page

  // Tracks: what was read so far.
  PageList pages;
  uint64_t ticket;  // of the newest page
  LaneCounts counts;
  uint64_t next_event;    // sequence number of the next event that is read
  uint64_t lost_after;    // of counts.events_lost: behind the last one that was read, once the track has ended
  uint64_t events_held;   // in its pages that are held
  uint64_t final_events;  // that it recorded
  uint64_t now_ticks;     // of the newest event, submitted times included
  uint64_t run_ticks;     // when the fiber that runs was switched to
  uint32_t fiber;         // that runs
  uint32_t fiber_switches;
  uint32_t depth;

  SwitchList switches;  // of a thread

  // What a file said of it, while the file is being read.
  LaneCounts saved_counts;
  uint64_t saved_next_event;
  bool is_saved;

  // Fibers.
  FiberRunList runs;
  uint64_t destroyed_ticks;  // 0 = not seen; at the latest, if that event is lost
  uint32_t destroyed_depth;  // scopes that were open then
  uint32_t updates_since;    // that the recorder knows it no more; no more than 2 are counted

  uint64_t open_run;  // tracks: the run that still grows, 0 if the thread itself runs
};

inline bool is_fiber(const Lane& lane) {
  return lane.kind == FLAMELET_LANE_FIBER;
}

// Unique by id and whether it is a fiber. Positions stay until a lane has to make place for another one.
class LaneTable {
 public:
  // `slots`: HashIndex::slots_for(max_lanes).
  void attach(Lane* lanes, uint32_t max_lanes, uint32_t* slots);
  void clear();

  uint32_t count() const { return count_; }
  bool full() const { return count_ == max_lanes_; }
  Lane& operator[](uint32_t lane) { return lanes_[lane]; }
  const Lane& operator[](uint32_t lane) const { return lanes_[lane]; }

  uint32_t find(uint32_t id, bool fiber) const;
  // A new lane. If the table is full it takes the place of `instead`.
  uint32_t add(uint32_t id, flamelet_lane_kind kind, uint32_t instead);
  // The next lane for which `fits(lane)` is true, kNoLane if there is none. Each search goes on where the one before
  // ended, so of lanes that are equally good the one that was added first goes first.
  template <class Predicate>
  uint32_t next_where(Predicate fits) {
    for (uint32_t looked = 0; looked < count_; ++looked) {
      const uint32_t lane = hand_ < count_ ? hand_ : 0;
      hand_ = lane + 1;
      if (fits(lanes_[lane])) return lane;
    }
    return kNoLane;
  }
  // The oldest page when a thread [0], a fiber [1] found no place: none comes up until that goes or a lane ends.
  PageId no_place_since[2] = {};
  // No lane is added from here on.
  void close() { max_lanes_ = count_; }
  // A track turns out to be of another kind; not for fibers.
  void set_kind(uint32_t lane, flamelet_lane_kind kind);

 private:
  Lane* lanes_ = nullptr;
  HashIndex index_;
  uint32_t max_lanes_ = 0;
  uint32_t count_ = 0;
  uint32_t hand_ = 0;  // where next_where() goes on
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_LANES_H
