// SPDX-License-Identifier: MIT
//
// capture_lanes.h: the lanes of a capture by id, and what the capture remembers of each track between updates.
#ifndef FLAMELET_SRC_CAPTURE_LANES_H
#define FLAMELET_SRC_CAPTURE_LANES_H

#include "capture/capture_fibers.h"
#include "capture/capture_format.h"
#include "capture/capture_switches.h"
#include "capture/page_store.h"
#include "flamelet/capture.h"
#include "platform/hash_index.h"

namespace flamelet {

constexpr uint32_t kNoLane = UINT32_MAX;

struct Lane {
  uint32_t id;
  flamelet_lane_kind kind;
  uint32_t name;          // string id; 0 = not named
  char default_name[24];  // "thread 3"
  bool alive;             // may still get events
  bool ended;             // final_events is set
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

  FiberRunList runs;  // fibers
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
