// SPDX-License-Identifier: MIT
//
// critical_path.h: the critical path of one frame, walked back from its end, as pieces that tile the frame.
#ifndef FLAMELET_EXPLAIN_SRC_CRITICAL_PATH_H
#define FLAMELET_EXPLAIN_SRC_CRITICAL_PATH_H

#include "frame_lanes.h"
#include "usual_wakers.h"

namespace flamelet::explain {

// What a frame's critical path spent in a call path.
struct PathTime {
  uint64_t stamp;    // of the frame that the rest is about
  int64_t total_ns;  // with what it called
  int64_t self_ns;
  int64_t longest_call_ns;  // and the span of the call that took most
  int64_t span_begin_ns, span_end_ns;
  int64_t newest_begin_ns, newest_end_ns;  // of the call in hand, as are the next two: does a piece belong to it?
  flamelet_id newest_id;
  uint32_t newest_lane;
  uint32_t calls;
  uint32_t lane, waiting, nearest_wait;
  uint32_t via;  // the lane that waited for it; kNoIndex: the main lane did, or nobody
  uint32_t object;
  uint32_t flags;       // of all its pieces
  uint32_t self_flags;  // but for those of what it called
  // As exact as their use needs: there are many of these.
  float piece_ns;                   // of its longest piece, as are lane, waiting, nearest_wait and via
  float call_ns;                    // of the call in hand
  float self_wait_ns;               // of self_ns, in waits
  float total_off_ns, self_off_ns;  // its thread was taken off, as states of threads tell

  // The same, of a wait only if it waited for half of its own time: a recorded lock or join has the flags of the scope around
  // it.
  uint32_t own_flags() const {
    constexpr uint32_t kOfWaits = FLAMELET_PIECE_WAIT | FLAMELET_PIECE_NOT_BEGUN | FLAMELET_PIECE_NO_WAKER;
    return self_wait_ns * 2 >= static_cast<float>(self_ns) ? self_flags : self_flags & ~kOfWaits;
  }
};

class CriticalPath {
 public:
  CriticalPath(FrameLanes* lanes, PathTable* paths) : lanes_(lanes), paths_(paths) {}
  void lay_out(Carver* carver, const flamelet_explain_config& config);
  void clear();

  // Walks the frame whose lanes are at hand. `learns`: whoever ends something where a wait ends counts as its waker.
  void walk(uint32_t main_lane, size_t position, const flamelet_frame_info& frame, bool learns);
  // Who wakes whom is known better than when this number was another one.
  uint32_t version() const { return wakers_.version(); }

  // Whether a clock usually ends a wait of the main lane, and nobody else does.
  bool has_clock(uint32_t wait) const { return wakers_.has_clock(wait); }

  // A figure of a lane in this frame, beside the times of the paths. Then, once there is no more: sort().
  void note(uint32_t path, int64_t amount) { touch(path).total_ns = amount; }
  void sort();
  // Notes that the thread of a piece was taken off its processor for so much of it.
  void note_off(const flamelet_piece& piece, int64_t ns);
  // Takes a time from the paths that had it, as if the frame were shorter. The pieces stay.
  void take_out(int64_t begin_ns, int64_t end_ns);

  const flamelet_piece* pieces() const { return pieces_; }
  uint32_t piece_count() const { return piece_count_; }
  bool is_whole() const { return is_whole_; }
  // The paths that it was on, those around them, and figures.
  const uint32_t* touched() const { return touched_; }
  uint32_t touched_count() const { return touched_count_; }
  const PathTime& time_of(uint32_t path) const { return times_[path]; }
  uint32_t path_of(uint32_t lane, uint32_t span) { return path_of(lanes_->lane(lane), span); }
  // Calls take(span) for the spans of a lane at hand that have this path. Leaves the times alone.
  template <class Take>
  void for_each_span(uint32_t lane_index, uint32_t path, Take take) {
    const LaneSpans& lane = lanes_->lane(lane_index);
    if (!lane.is_work) return;
    const flamelet_explain_scope scope = (*paths_)[path];
    for (uint32_t i = 0; i < lane.count; ++i)
      if (is_same_scope(lane.spans[i], scope) && path_of(lane, i) == path) take(lane.spans[i]);
  }

  // Where a wait went on for longer after a source ended its work than it takes to wake: the span in which another lane was
  // for most of the wait until then, if that lane worked from then on until the wait ended. It waited for the source, and the
  // wait was for it.
  struct Waited {
    uint32_t lane;
    int64_t begin_ns, end_ns;
  };
  struct Between {
    uint32_t lane, span;  // kNoIndex: none
  };
  Between lane_between(uint32_t source, int64_t ended_ns, const Waited& wait) const;

 private:
  // What a walk on a lane is about.
  struct Leg {
    uint32_t lane;
    int64_t floor_ns;       // it ends here
    uint32_t waiting;       // path of the wait on the main lane
    uint32_t nearest_wait;  // path of the wait that led to this lane
    uint32_t via;           // the lane that waited there; kNoIndex: the main lane, or none
    uint32_t flags;  // FLAMELET_PIECE_PROBABLY, USUALLY, BY_FLOW: that a flow let the wait end, whatever it did before
    uint32_t hops;   // from the main lane
    int64_t pause_ns;  // shorter gaps between its spans do not end the leg
    bool came_last;    // others waited for it in a scope like its own, so it did something before, marked or not
  };
  struct Source {
    uint32_t lane;  // kNoIndex: nobody
    int64_t from_ns;
    bool probably;
    bool is_most;   // what it did was most of the wait
    bool is_usual;  // it always is
    bool came_last;
    bool is_own_work = false;  // of the thread that goes on
  };
  // The outermost span of a lane that ended at a time, or a little before. The lane may have gone on with other work already.
  struct Ended {
    uint32_t span;  // kNoIndex: none
    bool has_gone_on;
  };
  static constexpr uint32_t kMaxHops = 64;        // each takes a few hundred bytes of the stack
  static constexpr uint32_t kMaxPathDepth = 250;  // deeper scopes count for the one around them

  // A time in which a lane, or a fiber that goes on on another one, had to wait.
  struct Wait {
    uint32_t span;  // on the leg's lane, whose scope waited
    int64_t low_ns;
    int64_t since_ns, until_ns;  // flows that end between these times tell for whom
    uint32_t woken_lane;
    bool may_be_own_work;  // it stood until its lane had done something else
  };

  int64_t walk_leg(Leg leg, int64_t time_ns);
  void walk_wait(const Leg& leg, const Wait& wait, int64_t time_ns);
  int64_t walk_suspension(Leg* leg, uint32_t span, const Suspension& suspension);
  bool waits_again(uint32_t lane, int64_t after_ns, int64_t time_ns) const;
  bool may_be_late(const Source& source, int64_t gap_begin_ns, int64_t gap_ns, int64_t* ready_ns) const;
  bool leave_gap(Leg* leg, const Source& source, int64_t time_ns, int64_t start_ns);
  // For how long the leg's lane had no processor.
  int64_t ready_of(const Leg& leg) const { return tolerance_ns_ == 0 ? 0 : lanes_->ready_ns(leg.lane, position_); }
  bool was_idle(const Leg& leg, const Place& place, int64_t time_ns, int64_t start_ns) const;
  int64_t first_try_ns(uint32_t lane, const Place& place, int64_t floor_ns) const;
  bool had_nothing(const Leg& leg, const Place& place, int64_t time_ns);
  bool was_asked_for(const Leg& leg, int64_t time_ns, int64_t start_ns) const;
  Source flow_source(uint32_t lane, int64_t since_ns, int64_t low_ns, int64_t time_ns, int64_t until_ns,
                     int64_t late_ns, bool may_be_own_work = false) const;
  Source find_source(const Leg& leg, const Wait& wait, int64_t time_ns, int64_t waking_ns);
  bool was_kept(uint32_t lane, uint32_t span, int64_t low_ns, int64_t late_ns);
  Source probable_source(const Wait& wait, int64_t time_ns, int64_t late_ns, bool only_queues);
  int64_t waited_ns(const LaneSpans& lane, uint32_t span, int64_t low_ns) const;
  bool has_worked_on(const LaneSpans& lane, int64_t since_ns, int64_t time_ns) const;
  Source usual_source(const Wait& wait, uint32_t path, int64_t time_ns, int64_t late_ns, bool is_wait);
  Source last_source(const Leg& leg, const Wait& wait, int64_t late_ns);
  void learn_wakers(const Leg& leg, const Wait& wait, uint32_t path, int64_t late_ns);
  Ended ended_at(const LaneSpans& lane, int64_t time_ns, int64_t late_ns, bool may_be_left = false) const;
  uint32_t waited_until(const LaneSpans& lane, int64_t low_ns, int64_t since_ns, int64_t time_ns) const;
  bool is_moment(const flamelet_span& span) const {
    return lanes_->waits(span) && span.end_ns - span.begin_ns <= tolerance_ns_ / 10;
  }
  bool is_once(const LaneSpans& lane, uint32_t span, int64_t since_ns, int64_t time_ns) const;
  bool has_worked(uint32_t lane, uint32_t last, int64_t low_ns, int64_t least_ns);
  uint32_t path_of(const LaneSpans& lane, uint32_t span);
  uint32_t wait_around(uint32_t lane, uint32_t span) const;
  bool knows_wakers(const Leg& leg, const Wait& wait) const;
  bool waits_beside(const Leg& leg, const Wait& wait, uint32_t index, int64_t late_ns) const;
  void emit(const Leg& leg, uint32_t span, int64_t begin_ns, int64_t end_ns, uint32_t flags);
  void add(uint32_t path, const flamelet_piece& piece, uint32_t via, const flamelet_span& span, bool is_self,
           bool is_met);
  PathTime& touch(uint32_t path);

  FrameLanes* const lanes_;
  PathTable* const paths_;
  UsualWakers wakers_;
  int64_t tolerance_ns_ = 0;
  size_t position_ = 0;
  int64_t frame_begin_ns_ = 0, frame_ns_ = 0;
  bool learns_ = false;
  flamelet_piece* pieces_ = nullptr;
  uint32_t max_pieces_ = 0, piece_count_ = 0;
  PathTime* times_ = nullptr;
  uint32_t* touched_ = nullptr;
  uint32_t max_paths_ = 0, touched_count_ = 0;
  uint64_t stamp_ = 0;
  bool is_whole_ = true;
  // The leg that ended last did so where work began that had been asked for before the leg's floor.
  bool ended_where_asked_ = false;
};

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_CRITICAL_PATH_H
