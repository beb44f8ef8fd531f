// SPDX-License-Identifier: MIT
//
// critical_path.cpp: the walk. A leg is the part on one lane: from a time back to its floor, or to where the lane had
// nothing to do. In a wait, a further leg goes to whoever was waited for, at most back to where the wait began, and the
// walk goes on where that one stopped. Each piece begins where the one before it ended, so together they tile the frame.
#include "critical_path.h"

#include <string.h>

#include <algorithm>

#include "platform/engine_memory.h"

namespace flamelet::explain {

constexpr int64_t kMostSignal = 500000;  // from a queue's end to the call in which a driver tells of it

void CriticalPath::lay_out(Carver* carver, const flamelet_explain_config& config) {
  tolerance_ns_ = config.tolerance_ns;
  max_pieces_ = config.max_pieces;
  max_paths_ = config.max_paths;
  pieces_ = carver->take<flamelet_piece>(max_pieces_);
  times_ = carver->take<PathTime>(max_paths_);
  touched_ = carver->take<uint32_t>(max_paths_);
}

void CriticalPath::clear() {
  memset(times_, 0, max_paths_ * sizeof *times_);
  stamp_ = 0;
  piece_count_ = touched_count_ = 0;
  wakers_.clear();
}

void CriticalPath::walk(uint32_t main_lane, size_t position, const flamelet_frame_info& frame, bool learns) {
  ++stamp_;
  lanes_->forget_met();
  position_ = position;
  frame_begin_ns_ = frame.begin_ns;
  frame_ns_ = frame.end_ns - frame.begin_ns;
  learns_ = learns;
  if (learns) wakers_.begin_frame();
  piece_count_ = touched_count_ = 0;
  is_whole_ = true;
  const Leg leg = {main_lane, frame.begin_ns, FLAMELET_NO_PATH, FLAMELET_NO_PATH, kNoIndex, 0, 0, tolerance_ns_, false};
  walk_leg(leg, frame.end_ns);
  std::reverse(pieces_, pieces_ + piece_count_);
}

void CriticalPath::sort() {
  std::sort(touched_, touched_ + touched_count_);  // parents first
}

void CriticalPath::note_off(const flamelet_piece& piece, int64_t ns) {
  times_[piece.path].self_off_ns += static_cast<float>(ns);
  for (uint32_t at = piece.path; at != FLAMELET_NO_PATH; at = (*paths_)[at].parent)
    if (times_[at].stamp == stamp_) times_[at].total_off_ns += static_cast<float>(ns);
}

void CriticalPath::take_out(int64_t begin_ns, int64_t end_ns) {
  for (uint32_t i = 0; i < piece_count_; ++i) {
    const flamelet_piece& piece = pieces_[i];
    const int64_t part_ns = std::min(piece.end_ns, end_ns) - std::max(piece.begin_ns, begin_ns);
    if (part_ns <= 0) continue;
    const auto less = [part_ns](int64_t* ns, float* off_ns) {
      *ns = std::max<int64_t>(*ns - part_ns, 0);
      *off_ns = std::min(*off_ns, static_cast<float>(*ns));
    };
    less(&times_[piece.path].self_ns, &times_[piece.path].self_off_ns);
    for (uint32_t at = piece.path; at != FLAMELET_NO_PATH; at = (*paths_)[at].parent)
      if (times_[at].stamp == stamp_) less(&times_[at].total_ns, &times_[at].total_off_ns);
  }
}

// Returns where it stopped: on the main lane, at its floor.
int64_t CriticalPath::walk_leg(Leg leg, int64_t time_ns) {
  // A gap in which the thread had no processor does not end the leg. All of them share what there was of that.
  int64_t ready_ns = ready_of(leg);
  int64_t start_ns = time_ns;
  uint32_t begun = kNoIndex;
  while (time_ns > leg.floor_ns) {
    const LaneSpans& lane = lanes_->lane(leg.lane);
    const Place place = FrameLanes::innermost(lane, time_ns, leg.floor_ns, &begun);
    const int64_t gap_ns = place.span == kNoIndex && leg.hops != 0 ? time_ns - place.low_ns : 0;
    // States of threads tell that it worked, though in no scope.
    const bool was_busy = (leg.came_last && time_ns == start_ns) ||
                          (gap_ns > leg.pause_ns && lanes_->was_awake(leg.lane, place.low_ns, time_ns));
    if (gap_ns > leg.pause_ns && !was_busy) {
      // What began behind the gap says a little later who asked for it.
      const Source source =
          flow_source(leg.lane, place.low_ns, leg.floor_ns, time_ns, time_ns, time_ns + tolerance_ns_);
      if (!may_be_late(source, place.low_ns, gap_ns, &ready_ns)) {
        if ((leg.flags & FLAMELET_PIECE_BY_FLOW) != 0 && time_ns == start_ns && source.lane == kNoIndex) {
          emit(leg, kNoIndex, place.low_ns, time_ns, FLAMELET_PIECE_OUTSIDE);
          return place.low_ns;
        }
        if (!leave_gap(&leg, source, time_ns, start_ns)) return time_ns;
        start_ns = time_ns = source.from_ns;
        ready_ns = ready_of(leg);
        begun = kNoIndex;
        continue;
      }
    }
    const bool is_wait = place.span != kNoIndex && lanes_->waits(lane.spans[place.span]);
    // A thread that looks for its next work in a wait, and finds it at once, is not idle.
    const bool may_be_idle = is_wait && time_ns - place.low_ns > tolerance_ns_ / 10;
    if (may_be_idle && was_idle(leg, place, time_ns, start_ns)) {
      ended_where_asked_ = true;
      return time_ns;
    }
    if (may_be_idle && had_nothing(leg, place, time_ns)) return time_ns;
    int64_t low_ns = place.low_ns;
    if (place.span == kNoIndex) {
      emit(leg, kNoIndex, place.low_ns, time_ns, FLAMELET_PIECE_OUTSIDE);
    } else if (is_wait) {
      low_ns = first_try_ns(leg.lane, place, leg.floor_ns);
      walk_wait(leg, {place.span, low_ns, place.low_ns, lane.spans[place.span].end_ns, leg.lane, false}, time_ns);
    } else {
      emit(leg, place.span, place.low_ns, time_ns, 0);
    }
    time_ns = low_ns;
    if (place.span == kNoIndex || lane.spans[place.span].begin_ns != time_ns) continue;
    const Suspension* const suspension = lanes_->suspension_before(lane, place.span);
    if (suspension == nullptr) continue;
    time_ns = walk_suspension(&leg, place.span, *suspension);
    ready_ns = ready_of(leg);
    begun = kNoIndex;
  }
  return leg.floor_ns;
}

// A thread that called a recorded wait again at once had not got what it waited for, whether it was woken in vain or its time
// was up: what comes last tells for whom all of them waited.
int64_t CriticalPath::first_try_ns(uint32_t lane_index, const Place& place, int64_t floor_ns) const {
  constexpr int64_t kMostBetweenNs = 20000;
  const LaneSpans& lane = lanes_->lane(lane_index);
  const flamelet_span& last = lane.spans[place.span];
  int64_t low_ns = place.low_ns;
  if (!lanes_->is_recorded_wait(last.site) || lanes_->is_lock(last.site) || low_ns != last.begin_ns) return low_ns;
  for (uint32_t at = place.span; at != 0 && low_ns > floor_ns; low_ns = std::max(lane.spans[at].begin_ns, floor_ns)) {
    const flamelet_span& before = lane.spans[--at];
    if (before.parent != last.parent || !is_same_scope(before, last) ||
        low_ns - before.end_ns > std::min(kMostBetweenNs, tolerance_ns_))
      break;
  }
  return low_ns;
}

// A fiber was left with scopes open, and goes on with them where `span` begins: on any thread. Meanwhile it waited. The
// leg goes on where the fiber was left, which is where an outermost scope of that lane ends: one is there.
int64_t CriticalPath::walk_suspension(Leg* leg, uint32_t span, const Suspension& suspension) {
  const flamelet_span& resumed = lanes_->lane(leg->lane).spans[span];
  Wait wait = {kNoIndex, 0, resumed.begin_ns, resumed.end_ns, leg->lane, true};
  const int64_t time_ns = resumed.begin_ns;
  wait.low_ns = std::max(suspension.time_ns, leg->floor_ns);
  leg->lane = suspension.lane;
  uint32_t begun = kNoIndex;
  wait.span = FrameLanes::innermost(lanes_->lane(leg->lane), suspension.time_ns, leg->floor_ns, &begun).span;
  walk_wait(*leg, wait, time_ns);
  return wait.low_ns;
}

// Whether the thread could have gone on before the gap's end: what came then was asked for before the gap, or nobody says
// that he asked for it, and the thread had no processor for as long.
bool CriticalPath::may_be_late(const Source& source, int64_t gap_begin_ns, int64_t gap_ns, int64_t* ready_ns) const {
  if (source.lane != kNoIndex) return source.from_ns <= gap_begin_ns;
  if (gap_ns > *ready_ns) return false;
  *ready_ns -= gap_ns;
  return true;
}

// Another lane than the main one had nothing to do before. If a flow says who gave it its work, the leg goes on there.
// Otherwise it ends.
bool CriticalPath::leave_gap(Leg* leg, const Source& source, int64_t time_ns, int64_t start_ns) {
  ended_where_asked_ = source.lane == kNoIndex && was_asked_for(*leg, time_ns, start_ns);
  if (time_ns == start_ns || source.lane == kNoIndex) return false;
  const bool is_late = time_ns - source.from_ns > leg->pause_ns;
  emit(*leg, kNoIndex, source.from_ns, time_ns, FLAMELET_PIECE_OUTSIDE | (is_late ? FLAMELET_PIECE_NOT_BEGUN : 0));
  leg->lane = source.lane;
  leg->flags |= FLAMELET_PIECE_BY_FLOW;
  leg->came_last = false;
  return true;
}

// Whether a lane that says that it waited had nothing to do, though it had been asked before the leg's floor.
bool CriticalPath::was_idle(const Leg& leg, const Place& place, int64_t time_ns, int64_t start_ns) const {
  if (leg.hops == 0 || !was_asked_for(leg, time_ns, start_ns)) return false;
  return flow_source(leg.lane, place.low_ns, leg.floor_ns, time_ns, time_ns, time_ns + tolerance_ns_).lane == kNoIndex;
}

// Whether a lane waited in no scope, and nobody is known for whom: it had nothing to do, or wanted the same lock as the one that
// waits for it. It may have had no processor, though.
bool CriticalPath::had_nothing(const Leg& leg, const Place& place, int64_t time_ns) {
  const LaneSpans& lane = lanes_->lane(leg.lane);
  const flamelet_span& span = lane.spans[place.span];
  if (leg.hops == 0 || span.parent != FLAMELET_NO_PARENT || !lanes_->is_recorded_wait(span.site)) return false;
  if (lanes_->ready_ns(leg.lane, position_) * 2 > time_ns - place.low_ns) return false;
  if (lanes_->is_lock(span.site) &&
      (leg.nearest_wait == FLAMELET_NO_PATH || !is_same_scope(span, (*paths_)[leg.nearest_wait])))
    return false;
  const Wait wait = {place.span, place.low_ns, place.low_ns, span.end_ns, leg.lane, false};
  return find_source(leg, wait, time_ns, tolerance_ns_ + (span.end_ns - place.low_ns) / 1000).lane == kNoIndex;
}

// Whether a flow that began before the leg's floor ends where the lane began something, of which the leg has come from
// `start_ns` back to `time_ns`. A little of something else may stand before it.
bool CriticalPath::was_asked_for(const Leg& leg, int64_t time_ns, int64_t start_ns) const {
  if (time_ns == start_ns) return false;
  const int64_t until_ns = time_ns + tolerance_ns_ + std::min((start_ns - time_ns) / 10, 4 * tolerance_ns_);
  for (const FlowEnd* flow = lanes_->first_flow(leg.lane, time_ns - 1);
       flow != lanes_->end_of_flows() && flow->lane == leg.lane && flow->time_ns <= until_ns; ++flow)
    if (flow->from_lane != kNoIndex && flow->from_ns <= leg.floor_ns) return true;
  return false;
}

// Down to where the wait began.
void CriticalPath::walk_wait(const Leg& leg, const Wait& wait, int64_t time_ns) {
  const uint32_t span = wait.span;
  const int64_t low_ns = wait.low_ns;
  // A thread may go on a little later than it could: more so after a long wait, when its processor sleeps deeply. Who was
  // waited for may pause as long between two works.
  const int64_t waking_ns = tolerance_ns_ == 0 ? 0 : tolerance_ns_ + (wait.until_ns - low_ns) / 1000;
  const bool is_file = lanes_->is_file(lanes_->lane(leg.lane).spans[span].site);
  bool has_source = false;
  while (time_ns > low_ns) {
    Source source = {kNoIndex, 0, false, false, false, false};
    if (leg.hops < kMaxHops && !is_file) source = find_source(leg, wait, time_ns, waking_ns);
    if (source.lane == kNoIndex) break;
    has_source = true;
    const LaneSpans& lane = lanes_->lane(leg.lane);
    const uint32_t around = path_of(lane, wait_around(leg.lane, span));
    const uint32_t nearest = lanes_->is_lock(lane.spans[span].site) ? path_of(lane, span) : around;
    const uint32_t waiting = leg.waiting != FLAMELET_NO_PATH ? leg.waiting : around;
    // Done, and not woken yet. A fiber's thread may have done something else in that time.
    if (wait.may_be_own_work && time_ns == wait.since_ns && time_ns - source.from_ns > waking_ns)
      time_ns = walk_leg(
          {wait.woken_lane, source.from_ns, waiting, nearest, leg.via, leg.flags, leg.hops + 1, waking_ns, true},
          time_ns);
    emit(leg, span, source.from_ns, time_ns, FLAMELET_PIECE_WAIT);
    time_ns = source.from_ns;
    const uint32_t flags =
        (leg.flags & ~uint32_t{FLAMELET_PIECE_BY_FLOW}) | (source.probably   ? FLAMELET_PIECE_PROBABLY
                                                           : source.is_usual ? FLAMELET_PIECE_USUALLY
                                                                             : FLAMELET_PIECE_BY_FLOW);
    ended_where_asked_ = false;
    Leg next = {
        source.lane, low_ns,       waiting,   nearest,         leg.waiting != FLAMELET_NO_PATH ? leg.lane : kNoIndex,
        flags,       leg.hops + 1, waking_ns, source.came_last};
    // In a scope that does not wait it was busy with that.
    if (source.is_own_work && !lanes_->waits(lanes_->lane(leg.lane).spans[span])) {
      next.waiting = leg.waiting;
      next.nearest_wait = leg.nearest_wait;
      next.via = leg.via;
    }
    const int64_t stopped_ns = walk_leg(next, time_ns);
    if (stopped_ns >= time_ns) break;
    time_ns = stopped_ns;
    if (ended_where_asked_) break;
  }
  const uint32_t not_begun = has_source && ended_where_asked_ ? uint32_t{FLAMELET_PIECE_NOT_BEGUN} : 0;
  const uint32_t no_waker = !has_source && knows_wakers(leg, wait) ? uint32_t{FLAMELET_PIECE_NO_WAKER} : 0;
  emit(leg, span, low_ns, time_ns, FLAMELET_PIECE_WAIT | not_begun | no_waker);
}

// Who let a wait go on at a time: as a flow tells; else who always does; else, probably, whose work ended then.
CriticalPath::Source CriticalPath::find_source(const Leg& leg, const Wait& wait, int64_t time_ns, int64_t waking_ns) {
  // It may also have had to wait for a processor.
  const int64_t late_ns = tolerance_ns_ == 0 ? 0 : waking_ns + lanes_->ready_ns(wait.woken_lane, position_);
  Source source = flow_source(wait.woken_lane, wait.since_ns, wait.low_ns, time_ns, wait.until_ns,
                              wait.until_ns + late_ns, wait.may_be_own_work);
  if (source.lane != kNoIndex) return source;
  const bool is_at_end = time_ns == wait.until_ns;
  const uint32_t path = is_at_end ? path_of(lanes_->lane(leg.lane), wait.span) : FLAMELET_NO_PATH;
  if (is_at_end && learns_) learn_wakers(leg, wait, path, waking_ns);
  if (is_at_end) source = usual_source(wait, path, time_ns, late_ns, false);
  if (source.lane != kNoIndex) return source;
  if (is_at_end) source = last_source(leg, wait, late_ns);
  if (source.lane != kNoIndex) return source;
  Source probable = probable_source(wait, time_ns, late_ns, knows_wakers(leg, wait));
  probable.is_own_work = probable.lane == wait.woken_lane;
  if (probable.is_own_work) probable.probably = false;
  if (is_at_end && !probable.is_most) source = usual_source(wait, path, time_ns, late_ns, true);
  if (source.lane != kNoIndex) return source;
  // Where a clock ends it, or mostly nobody of the program does, somebody ends something by chance.
  const bool is_queue = probable.lane != kNoIndex && lanes_->kind(probable.lane) == FLAMELET_LANE_GPU;
  bool is_by_none = leg.hops == 0 ? wakers_.has_clock(path)
                                  : wakers_.has_none(path) && !waits_beside(leg, wait, probable.lane, late_ns);
  // Who waits for a queue goes on soon.
  if (is_queue && leg.hops != 0) is_by_none = time_ns - probable.from_ns > waking_ns + kMostSignal;
  return is_at_end && !probable.is_most && is_by_none ? source : probable;
}

// Whether a lane waited in a scope of the same name at a wait's end, as at a barrier.
bool CriticalPath::waits_beside(const Leg& leg, const Wait& wait, uint32_t index, int64_t late_ns) const {
  if (index == kNoIndex) return false;
  const LaneSpans& lane = lanes_->lane(index);
  const uint32_t name = lanes_->lane(leg.lane).spans[wait.span].name;
  return std::any_of(lane.begin(), lane.end(), [&](const flamelet_span& span) {
    return span.name == name && span.begin_ns <= wait.until_ns && span.end_ns + late_ns >= wait.until_ns;
  });
}

// Of a recorded wait, each thread of the program that ends it is known by a flow. Who holds a lock may let it go otherwise.
bool CriticalPath::knows_wakers(const Leg& leg, const Wait& wait) const {
  const uint32_t site = lanes_->lane(leg.lane).spans[wait.span].site;
  return lanes_->is_recorded_wait(site) && !lanes_->is_lock(site);
}

// The flow that began last among those that end on the lane between two times: it did not wait for the earlier ones. If
// there is none, the first one that ends a little later, but not in another wait. None of them began before `low_ns`, or after
// `time_ns`.
CriticalPath::Source CriticalPath::flow_source(uint32_t lane, int64_t since_ns, int64_t low_ns, int64_t time_ns,
                                               int64_t until_ns, int64_t late_ns, bool may_be_own_work) const {
  Source source = {kNoIndex, low_ns, false, false, false, false};
  for (const FlowEnd* flow = lanes_->first_flow(lane, since_ns); flow != lanes_->end_of_flows(); ++flow) {
    if (flow->lane != lane || flow->time_ns > late_ns || (flow->time_ns > until_ns && source.lane != kNoIndex)) break;
    if (flow->from_lane == kNoIndex || (flow->from_lane == lane && !may_be_own_work) || flow->from_ns > time_ns)
      continue;
    if (flow->time_ns > until_ns && waits_again(lane, until_ns, flow->time_ns)) break;
    if (flow->from_ns > source.from_ns) source = {flow->from_lane, flow->from_ns, false, false, false, false};
  }
  return source;
}

// Whether a lane is in a wait at a time that it began after an earlier one.
bool CriticalPath::waits_again(uint32_t index, int64_t after_ns, int64_t time_ns) const {
  const LaneSpans& lane = lanes_->lane(index);
  const uint32_t last = FrameLanes::last_begun(lane, time_ns);
  return last != kNoIndex && lane.spans[last].begin_ns > after_ns && lanes_->waits(lane.spans[last]);
}

// Whether a lane worked so long since a time, in this span and in those before it that the same scope calls. A fiber
// that went on there may have worked elsewhere before. One that does a little now and then, and sleeps for longer in
// between, did not.
bool CriticalPath::has_worked(uint32_t index, uint32_t last, int64_t low_ns, int64_t least_ns) {
  const LaneSpans& lane = lanes_->lane(index);
  const uint32_t caller = lane.spans[last].parent;
  int64_t worked_ns = 0, idle_ns = 0;
  for (uint32_t at = last;;) {
    const flamelet_span& span = lane.spans[at];
    const int64_t here_ns = span.end_ns - std::max(span.begin_ns, low_ns);
    if (!lanes_->waits(span))
      worked_ns += here_ns;
    else if (flow_source(index, span.begin_ns, span.begin_ns, span.end_ns, span.end_ns, span.end_ns + tolerance_ns_)
                 .lane == kNoIndex)
      idle_ns += here_ns;
    if (worked_ns >= least_ns || (span.flags & FLAMELET_SPAN_RESUMED) != 0) return idle_ns <= worked_ns;
    if (span.begin_ns <= low_ns || at == 0) return false;
    for (--at; lane.spans[at].parent != caller; at = lane.spans[at].parent)
      if (lane.spans[at].parent == FLAMELET_NO_PARENT) return false;
    const int64_t before_ns = lane.spans[at].end_ns;
    if (before_ns <= low_ns) return false;
    if (caller == FLAMELET_NO_PARENT && before_ns < span.begin_ns &&
        !lanes_->was_awake(index, before_ns, span.begin_ns))
      idle_ns += span.begin_ns - before_ns;
  }
}

// Of all that began on a lane between two times, whether nothing else has the scope of a span.
bool CriticalPath::is_once(const LaneSpans& lane, uint32_t span, int64_t since_ns, int64_t time_ns) const {
  return std::none_of(lane.begin(), lane.end(), [&](const flamelet_span& other) {
    return other.end_ns > since_ns && other.begin_ns < time_ns && &other != &lane.spans[span] &&
           is_same_scope(other, lane.spans[span]);
  });
}

CriticalPath::Ended CriticalPath::ended_at(const LaneSpans& lane, int64_t time_ns, int64_t late_ns,
                                           bool may_be_left) const {
  const uint16_t kNotDone = FLAMELET_SPAN_OPEN | (may_be_left ? uint16_t{0} : uint16_t{FLAMELET_SPAN_SUSPENDED});
  Ended ended = {kNoIndex, false};
  for (uint32_t at = FrameLanes::last_begun(lane, time_ns); at != kNoIndex && at != FLAMELET_NO_PARENT;) {
    const flamelet_span& span = lane.spans[at];
    if (span.end_ns > time_ns && (ended.span != kNoIndex || span.begin_ns < time_ns - late_ns)) break;
    if (span.end_ns > time_ns) {
      ended.has_gone_on = ended.has_gone_on || !lanes_->waits(span);
      at = at == 0 ? kNoIndex : at - 1;  // what calls it, or the innermost of what came before
      continue;
    }
    // Who looks for his next work in a wait, and finds it at once, ended what came before that.
    if (ended.has_gone_on && is_moment(span)) {
      at = at == 0 ? kNoIndex : at - 1;
      continue;
    }
    if (span.end_ns >= time_ns - late_ns && (span.flags & kNotDone) == 0) ended.span = at;
    at = span.parent;
  }
  // Who lets another one go may end the scopes around that a moment later.
  for (uint32_t at = ended.span; at != kNoIndex && lane.spans[at].parent != FLAMELET_NO_PARENT; at = ended.span) {
    const uint32_t around = lane.spans[at].parent;
    const flamelet_span& span = lane.spans[around];
    if (span.end_ns > time_ns + tolerance_ns_ || (span.flags & kNotDone) != 0 || lanes_->waits(span)) break;
    ended = {around, span.parent != FLAMELET_NO_PARENT};
  }
  return ended;
}

// What a lane ended between two times that was most of the time since `low_ns`, and waited for most of that, whatever it did
// afterwards; kNoIndex if there is none.
uint32_t CriticalPath::waited_until(const LaneSpans& lane, int64_t low_ns, int64_t since_ns, int64_t time_ns) const {
  for (uint32_t at = FrameLanes::last_begun(lane, time_ns); at != kNoIndex; at = at == 0 ? kNoIndex : at - 1) {
    const flamelet_span& span = lane.spans[at];
    if (span.parent != FLAMELET_NO_PARENT) continue;
    if (span.end_ns <= since_ns) break;
    const int64_t overlap_ns = span.end_ns - std::max(span.begin_ns, low_ns);
    if (span.end_ns < time_ns && !lanes_->waits(span) && overlap_ns * 2 >= time_ns - low_ns &&
        waited_ns(lane, at, low_ns) * 2 >= overlap_ns)
      return at;
  }
  return kNoIndex;
}

// Whether a lane began a span as its wait ended, and had waited for a third lane, which had worked for most of the time since
// `low_ns` and ended that then: it hardly worked itself, and still it is the one that was waited for.
bool CriticalPath::was_kept(uint32_t index, uint32_t span, int64_t low_ns, int64_t late_ns) {
  const LaneSpans& lane = lanes_->lane(index);
  if (span == 0 || !lanes_->waits(lane.spans[span - 1])) return false;
  const int64_t end_ns = lane.spans[span - 1].end_ns, begin_ns = lane.spans[span].begin_ns;
  const int64_t kept_ns = end_ns - std::max(lane.spans[span - 1].begin_ns, low_ns);
  if (end_ns > begin_ns || begin_ns - end_ns > late_ns || kept_ns * 2 < begin_ns - low_ns) return false;
  for (uint32_t i = 0; i < lanes_->lane_count(); ++i) {
    const LaneSpans& other = lanes_->lane(i);
    if (i == index || !other.is_work) continue;
    const uint32_t ended = ended_at(other, end_ns, late_ns).span;
    if (ended == kNoIndex || lanes_->waits(other.spans[ended])) continue;
    const flamelet_span& work = other.spans[ended];
    if ((work.end_ns - std::max(work.begin_ns, low_ns)) * 2 >= end_ns - low_ns) return true;
    if (has_worked(i, ended, low_ns, (end_ns - low_ns) / 2)) return true;
  }
  return false;
}

// The lane on which something ended just before, and which had done most of it during the wait. One that hardly worked in
// that time, such as a thread that mixes sound now and then, did not make anybody wait so long.
CriticalPath::Source CriticalPath::probable_source(const Wait& wait, int64_t time_ns, int64_t late_ns,
                                                   bool only_queues) {
  constexpr int64_t kLeastShare = 10;  // a tenth
  Source source = {kNoIndex, 0, true, false, false, false};
  const int64_t low_ns = wait.low_ns;
  int64_t most_ns = 0;
  bool most_waited = false;
  for (uint32_t i = 0; i < lanes_->lane_count() && late_ns > 0; ++i) {
    const LaneSpans& lane = lanes_->lane(i);
    const bool is_own = i == wait.woken_lane;
    if ((is_own && !wait.may_be_own_work) || !lane.is_work || (only_queues && lane.kind != FLAMELET_LANE_GPU)) continue;
    // A thread goes on with its own scopes where it left a fiber, with scopes open or not.
    Ended ended = ended_at(lane, time_ns, late_ns, is_own);
    if (ended.span == kNoIndex && lane.kind == FLAMELET_LANE_GPU)
      ended = ended_at(lane, time_ns, late_ns + kMostSignal);
    if (ended.span == kNoIndex || (ended.has_gone_on && time_ns - lane.spans[ended.span].end_ns > late_ns)) continue;
    const flamelet_span& span = lane.spans[ended.span];
    const int64_t overlap_ns = span.end_ns - std::max(span.begin_ns, low_ns);
    // Of two who had about as much of it, the one that waited meanwhile is the nearer one.
    const bool has_waited = waited_ns(lane, ended.span, low_ns) * 2 >= overlap_ns;
    const bool is_as_long = overlap_ns * 10 >= most_ns * 9 && overlap_ns * 9 <= most_ns * 10;
    if (is_as_long && has_waited != most_waited ? most_waited : overlap_ns <= most_ns) continue;
    bool is_most = overlap_ns * 2 >= time_ns - low_ns;
    // Who holds a lock may wait himself, in the middle of his work; that is most of the wait then.
    if (lanes_->waits(span)) {
      if (span.parent == FLAMELET_NO_PARENT || !is_most) continue;
    } else {
      // A busy thread ends something all the time: it has to be most of the wait, or the end of most of it, once. A queue does
      // its work in order.
      if (ended.has_gone_on && lane.kind != FLAMELET_LANE_GPU && !is_most) {
        is_most =
            has_worked(i, ended.span, low_ns, (time_ns - low_ns) / 2) && is_once(lane, ended.span, low_ns, time_ns);
        if (!is_most) continue;
      }
      if (!has_worked(i, ended.span, low_ns, (time_ns - low_ns) / kLeastShare) &&
          !was_kept(i, ended.span, low_ns, late_ns))
        continue;
    }
    most_ns = overlap_ns;
    most_waited = has_waited;
    source = {i, std::min(span.end_ns, time_ns), true, is_most, false, false};
  }
  // Another one may have waited for it, let this one go, and gone on with something else since.
  for (uint32_t i = 0; source.is_most && i < lanes_->lane_count(); ++i) {
    const LaneSpans& lane = lanes_->lane(i);
    if (i == wait.woken_lane || i == source.lane || lane.kind != FLAMELET_LANE_THREAD) continue;
    const uint32_t span = waited_until(lane, low_ns, source.from_ns, time_ns);
    if (span != kNoIndex) source = {i, lane.spans[span].end_ns, true, true, false, false};
  }
  const Between between = source.lane == kNoIndex
                              ? Between{kNoIndex, kNoIndex}
                              : lane_between(source.lane, source.from_ns, {wait.woken_lane, low_ns, time_ns});
  if (between.lane != kNoIndex) source = {between.lane, time_ns, true, source.is_most, false, false};
  return source;
}

// How long a lane was in marked waits in a span since a time.
int64_t CriticalPath::waited_ns(const LaneSpans& lane, uint32_t span, int64_t low_ns) const {
  int64_t waited_ns = 0;
  const uint32_t end = std::min(lane.spans[span].subtree_end, lane.count);
  for (uint32_t i = span + 1; i < end; i = lanes_->waits(lane.spans[i]) ? lane.spans[i].subtree_end : i + 1)
    if (lanes_->waits(lane.spans[i]))
      waited_ns += std::max<int64_t>(lane.spans[i].end_ns - std::max(lane.spans[i].begin_ns, low_ns), 0);
  return waited_ns;
}

CriticalPath::Between CriticalPath::lane_between(uint32_t source, int64_t ended_ns, const Waited& wait) const {
  const int64_t waking_ns = tolerance_ns_ + (wait.end_ns - wait.begin_ns) / 1000;
  // Who worked on may have let it go later.
  if (wait.end_ns - ended_ns <= waking_ns || has_worked_on(lanes_->lane(source), ended_ns, wait.end_ns))
    return {kNoIndex, kNoIndex};
  for (uint32_t i = 0; i < lanes_->lane_count(); ++i) {
    const LaneSpans& lane = lanes_->lane(i);
    if (i == wait.lane || i == source || lane.kind != FLAMELET_LANE_THREAD) continue;
    for (const flamelet_span& span : lane) {
      const bool is_wait = lanes_->waits(span);
      const int64_t late_ns = is_wait ? waking_ns + lanes_->ready_ns(i, position_) : 4 * waking_ns;
      const bool is_then = span.end_ns + (is_wait ? waking_ns : 0) >= ended_ns && span.end_ns <= ended_ns + late_ns;
      const int64_t there_ns = span.end_ns - std::max(span.begin_ns, wait.begin_ns);
      if (!is_then || span.end_ns >= wait.end_ns || there_ns * 2 < ended_ns - wait.begin_ns ||
          !has_worked_on(lane, span.end_ns, wait.end_ns))
        continue;
      // Something else may have given it work a little later, as a flow tells, or as it has ended none of that.
      const bool may_be_idle = is_wait && span.parent == FLAMELET_NO_PARENT && span.end_ns > ended_ns + waking_ns;
      const Source asked = flow_source(i, span.begin_ns, ended_ns + tolerance_ns_, span.end_ns, span.end_ns,
                                       span.end_ns + tolerance_ns_);
      if (!may_be_idle || (asked.lane == kNoIndex && ended_at(lane, wait.end_ns, waking_ns).span != kNoIndex))
        return {i, static_cast<uint32_t>(&span - lane.spans)};
    }
  }
  return {kNoIndex, kNoIndex};
}

// Whether a lane worked for most of a time at least, and did not wait.
bool CriticalPath::has_worked_on(const LaneSpans& lane, int64_t since_ns, int64_t time_ns) const {
  int64_t at_ns = since_ns, worked_ns = 0;
  for (const flamelet_span& span : lane) {
    if (span.begin_ns >= time_ns || span.end_ns <= at_ns) continue;
    if (lanes_->waits(span)) return false;
    worked_ns += std::min(span.end_ns, time_ns) - std::max(span.begin_ns, at_ns);
    at_ns = std::min(span.end_ns, time_ns);
  }
  return worked_ns * 2 >= time_ns - since_ns;
}

// Of those that usually let this wait end, the one that ended something last: work, or a wait of its own.
CriticalPath::Source CriticalPath::usual_source(const Wait& wait, uint32_t path, int64_t time_ns, int64_t late_ns,
                                                bool is_wait) {
  Source source = {kNoIndex, 0, false, false, false, false};
  wakers_.for_each(path, [&](uint32_t index, uint32_t ended_path) {
    if (index >= lanes_->lane_count() || index == wait.woken_lane) return;
    const LaneSpans& lane = lanes_->lane(index);
    const Ended ended = ended_at(lane, time_ns, late_ns);
    if (ended.span == kNoIndex || lanes_->waits(lane.spans[ended.span]) != is_wait) return;
    if (path_of(lane, ended.span) != ended_path) return;
    const int64_t end_ns = std::min(lane.spans[ended.span].end_ns, time_ns);
    // Two that always end together: one of them probably waited for the other one.
    const bool are_two = source.lane != kNoIndex && source.lane != index;
    if (source.lane == kNoIndex || end_ns > source.from_ns) source = {index, end_ns, false, false, true, false};
    source.probably = are_two;
  });
  return source;
}

// Of lanes that wait in scopes of one name, as at a barrier, the one that came last: the others waited for it.
// Only where the main lane does: workers that wait for work go on together, too.
CriticalPath::Source CriticalPath::last_source(const Leg& leg, const Wait& wait, int64_t late_ns) {
  constexpr int64_t kLeastShare = 10;  // the last one waits for less than a tenth of what this one did
  Source source = {kNoIndex, wait.low_ns, true, false, false, true};
  if (leg.hops != 0 || late_ns == 0) return source;
  const flamelet_span own = lanes_->lane(leg.lane).spans[wait.span];
  if (lanes_->is_recorded_wait(own.site)) return source;  // all of a kind have one name, and flows say who came last
  for (uint32_t i = 0; i < lanes_->lane_count(); ++i) {
    const LaneSpans& lane = lanes_->lane(i);
    if (i == wait.woken_lane || !lane.is_work) continue;
    for (uint32_t at = FrameLanes::last_begun(lane, own.end_ns); at != kNoIndex; at = at == 0 ? kNoIndex : at - 1) {
      const flamelet_span& span = lane.spans[at];
      if (span.begin_ns <= source.from_ns) break;
      if (span.name != own.name || !lanes_->waits(span)) continue;
      // It may have lost its processor once it had let the others go.
      const bool is_short = (own.end_ns - span.begin_ns) * kLeastShare < own.end_ns - wait.low_ns;
      if (span.end_ns + late_ns >= own.end_ns && is_short) {
        source.lane = i;
        source.from_ns = span.begin_ns;
      }
      break;
    }
  }
  return source;
}

// Notes what ended when a wait of some length did. Lanes that wait for the same in the same scope end together, and none of
// them wakes another one.
void CriticalPath::learn_wakers(const Leg& leg, const Wait& wait, uint32_t path, int64_t late_ns) {
  constexpr int64_t kLeastShare = 20;  // of the frame, and
  constexpr int64_t kLeastLength = 4;  // times as long as waking may take
  const int64_t took_ns = wait.until_ns - wait.since_ns;
  if (late_ns == 0 || took_ns * kLeastShare < frame_ns_ || took_ns < kLeastLength * late_ns) return;
  const int64_t after_ns = wait.until_ns - frame_begin_ns_;
  if (leg.hops == 0 && after_ns * 10 >= frame_ns_ * 9) wakers_.note_end(path, after_ns, tolerance_ns_);
  UsualWakers::End ends[UsualWakers::kMostEnds];
  uint32_t count = 0;
  const uint32_t name = (*paths_)[path].name;
  for (uint32_t i = 0; i < lanes_->lane_count() && count < UsualWakers::kMostEnds; ++i) {
    const LaneSpans& lane = lanes_->lane(i);
    if (i == wait.woken_lane || !lane.is_work) continue;
    const uint32_t ended = ended_at(lane, wait.until_ns, late_ns).span;
    if (ended == kNoIndex || lane.spans[ended].name == name) continue;
    const flamelet_span& span = lane.spans[ended];
    double times = 0;
    for (uint32_t at = 0; at < lane.count; ++at) times += is_same_scope(lane.spans[at], span);
    const double by_chance = times * static_cast<double>(late_ns) / static_cast<double>(frame_ns_);
    ends[count++] = {i, path_of(lane, ended), std::min(by_chance, 1.0)};
  }
  wakers_.note(path, ends, count);
}

uint32_t CriticalPath::path_of(const LaneSpans& lane, uint32_t span) {
  while (lane.spans[span].depth > kMaxPathDepth && lane.spans[span].parent != FLAMELET_NO_PARENT)
    span = lane.spans[span].parent;
  while (lane.paths[span] == kNoIndex) {
    // The outermost one that has no number yet.
    uint32_t at = span;
    for (uint32_t parent = lane.spans[at].parent; parent != FLAMELET_NO_PARENT && lane.paths[parent] == kNoIndex;
         parent = lane.spans[at].parent)
      at = parent;
    const flamelet_span& from = lane.spans[at];
    // What runs inside a wait is somebody else's job: it has the same path there as on the worker that usually runs it.
    const bool is_outermost = from.parent == FLAMELET_NO_PARENT || lanes_->waits(lane.spans[from.parent]);
    const uint32_t parent = is_outermost ? FLAMELET_NO_PATH : lane.paths[from.parent];
    lane.paths[at] = paths_->of(parent, from.site, from.name);
  }
  return lane.paths[span];
}

// The program's own name for a wait that was recorded inside of it. What is no lock has a name that says little.
uint32_t CriticalPath::wait_around(uint32_t lane_index, uint32_t span) const {
  const LaneSpans& lane = lanes_->lane(lane_index);
  const uint32_t parent = lane.spans[span].parent, site = lane.spans[span].site;
  const bool is_inside = parent != FLAMELET_NO_PARENT && lanes_->is_recorded_wait(site);
  return is_inside && (lanes_->waits(lane.spans[parent]) || !lanes_->is_lock(site)) ? parent : span;
}

void CriticalPath::emit(const Leg& leg, uint32_t span, int64_t begin_ns, int64_t end_ns, uint32_t flags) {
  if (begin_ns >= end_ns) return;
  const LaneSpans& lane = lanes_->lane(leg.lane);
  if (span != kNoIndex && (flags & FLAMELET_PIECE_WAIT) != 0) span = wait_around(leg.lane, span);
  flamelet_piece piece = {};
  piece.begin_ns = begin_ns;
  piece.end_ns = end_ns;
  piece.lane = leg.lane;
  piece.waiting = leg.waiting;
  piece.nearest_wait = leg.nearest_wait;
  piece.flags = flags | leg.flags;
  piece.span_begin_ns = span == kNoIndex ? begin_ns : lane.spans[span].begin_ns;
  piece.span_end_ns = span == kNoIndex ? end_ns : lane.spans[span].end_ns;
  piece.object = span == kNoIndex ? 0 : lane.spans[span].object;
  piece.path = span == kNoIndex ? paths_->outside(leg.lane) : path_of(lane, span);
  if (piece_count_ == max_pieces_) {  // what is left of the frame becomes one piece
    is_whole_ = false;
    flamelet_piece& last = pieces_[piece_count_ - 1];
    last.begin_ns = begin_ns;
    last.path = PathTable::kOther;
    last.flags |= FLAMELET_PIECE_OUTSIDE;
  } else {
    pieces_[piece_count_++] = piece;
  }
  flamelet_span outside = {};
  outside.begin_ns = begin_ns;
  outside.end_ns = end_ns;
  if (span == kNoIndex)
    add(piece.path, piece, leg.via, outside, true, false);
  else
    add(piece.path, piece, leg.via, lane.spans[span], true, lanes_->meet(lane, span));
  if (span == kNoIndex) return;
  uint32_t path = piece.path;
  for (uint32_t at = lane.spans[span].parent; at != FLAMELET_NO_PARENT; at = lane.spans[at].parent) {
    if (lanes_->waits(lane.spans[at])) return;                           // whose job it is not
    if (lane.paths[at] == path || lane.paths[at] == kNoIndex) continue;  // too deep for a path of its own
    path = lane.paths[at];
    add(path, piece, leg.via, lane.spans[at], false, lanes_->meet(lane, at));
  }
}

PathTime& CriticalPath::touch(uint32_t path) {
  PathTime& time = times_[path];
  if (time.stamp == stamp_) return time;
  time = PathTime();
  time.stamp = stamp_;
  time.newest_lane = time.via = kNoIndex;
  touched_[touched_count_++] = path;
  return time;
}

void CriticalPath::add(uint32_t path, const flamelet_piece& piece, uint32_t via, const flamelet_span& span,
                       bool is_self, bool is_met) {
  PathTime& time = touch(path);
  const int64_t took_ns = piece.end_ns - piece.begin_ns;
  time.total_ns += took_ns;
  if (is_self) {
    time.self_ns += took_ns;
    time.self_flags |= piece.flags;
    if ((piece.flags & FLAMELET_PIECE_WAIT) != 0) time.self_wait_ns += static_cast<float>(took_ns);
  }
  time.flags |= piece.flags;
  const bool is_same_span =
      time.newest_lane == piece.lane && time.newest_begin_ns == span.begin_ns && time.newest_end_ns == span.end_ns;
  // The walk goes back in time: what a fiber did before it was left belongs to the call that goes on later.
  const bool goes_on = (span.flags & FLAMELET_SPAN_SUSPENDED) != 0 && span.id == time.newest_id && span.id != 0;
  if (!is_same_span) {
    if (!goes_on) {
      time.calls += !is_met;  // the path may leave a call for another thread's, and come back
      time.call_ns = 0;
    }
    time.newest_lane = piece.lane;
    time.newest_begin_ns = span.begin_ns;
    time.newest_end_ns = span.end_ns;
    time.newest_id = span.id;
  }
  const auto piece_ns = static_cast<float>(took_ns);
  time.call_ns += piece_ns;
  if (piece_ns > time.piece_ns) {
    time.piece_ns = piece_ns;
    time.lane = piece.lane;
    time.waiting = piece.waiting;
    time.nearest_wait = piece.nearest_wait;
    time.via = via;
  }
  const auto call_ns = static_cast<int64_t>(time.call_ns);
  if (call_ns > time.longest_call_ns) {
    time.longest_call_ns = call_ns;
    time.span_begin_ns = span.begin_ns;
    time.span_end_ns = span.end_ns;
    time.object = span.object;
  }
}

}  // namespace flamelet::explain
