// SPDX-License-Identifier: MIT
//
// lock_turns.cpp: a thread waited for another one, which had waited for the same thing itself. Each of them held it for as
// long as ever, or no longer than the others: not one of them is the cause, but that so many wanted it at once.
#include <algorithm>
#include <cstdlib>

#include "evidence.h"

namespace flamelet::explain {

namespace {

constexpr uint32_t kMostHolders = 32;

struct Turns {
  uint32_t lanes[kMostHolders];
  int64_t held_ns[kMostHolders];
  uint32_t count;

  void add(uint32_t lane, int64_t ns) {
    uint32_t at = 0;
    while (at < count && lanes[at] != lane) ++at;
    if (at == kMostHolders) return;
    if (at == count) {
      lanes[count] = lane;
      held_ns[count++] = 0;
    }
    held_ns[at] += ns;
  }
  int64_t sum() const {
    int64_t ns = 0;
    for (uint32_t i = 0; i < count; ++i) ns += held_ns[i];
    return ns;
  }
  int64_t longest() const { return *std::max_element(held_ns, held_ns + count); }
};

bool have_same_scope(const flamelet_explain& explain, uint32_t path, uint32_t other) {
  if (path == FLAMELET_NO_PATH || other == FLAMELET_NO_PATH) return false;
  return is_same_scope(explain.paths[path], explain.paths[other]);
}

// Who worked while somebody waited in this scope, as far as the critical path knows; only where no flow says so.
Turns turns_in(const Question& question, uint32_t wait) {
  Turns turns = {};
  for (size_t i = 0; i < question.why.piece_count; ++i) {
    const flamelet_piece& piece = question.why.pieces[i];
    if ((piece.flags & FLAMELET_PIECE_PROBABLY) == 0 || (piece.flags & FLAMELET_PIECE_WAIT) != 0 ||
        !have_same_scope(*question.explain, piece.nearest_wait, wait))
      continue;
    turns.add(piece.lane, piece.end_ns - piece.begin_ns);
  }
  return turns;
}

// How many of them waited in this scope themselves, in the frame.
uint32_t count_waiters(const Question& question, const Turns& turns, uint32_t wait) {
  FrameLanes& lanes = question.explain->lanes;
  const flamelet_explain_scope scope = question.explain->paths[wait];
  uint32_t waiters = 0;
  for (uint32_t at = 0; at < turns.count; ++at) {
    const LaneSpans& lane = lanes.lane(turns.lanes[at]);
    waiters += std::any_of(lane.begin(), lane.end(),
                           [&scope](const flamelet_span& span) { return is_same_scope(span, scope); });
  }
  return waiters;
}

// Whether it is a candidate only since others waited for it in this scope.
bool is_turn(const flamelet_explain& explain, const Evidence& cause, uint32_t wait) {
  return verdict_of(cause) == FLAMELET_VERDICT_WAIT && !cause.has(kIsWait) &&
         (cause.flags & FLAMELET_PIECE_PROBABLY) != 0 && have_same_scope(explain, cause.nearest_wait, wait);
}

}  // namespace

void join_turns(const Question& question, EvidenceList* list) {
  const flamelet_explain& explain = *question.explain;
  for (uint32_t first = 0; first < list->count; ++first) {
    const uint32_t wait = list->items[first].waiting;
    if (!is_turn(explain, list->items[first], wait)) continue;
    const Turns turns = turns_in(question, wait);
    if (turns.count < 2 || turns.longest() * 10 > turns.sum() * 6) continue;
    if (count_waiters(question, turns, wait) + 1 < turns.count) continue;
    Evidence joined = no_evidence();
    const flamelet_piece* longest = nullptr;
    for (size_t i = 0; i < question.why.piece_count; ++i) {
      const flamelet_piece& piece = question.why.pieces[i];
      const bool is_of_wait = piece.waiting == wait;
      if (is_of_wait && (longest == nullptr || piece.end_ns - piece.begin_ns > longest->end_ns - longest->begin_ns))
        longest = &piece;
    }
    if (longest == nullptr) continue;
    joined.facts = kIsWait;
    joined.path = wait;
    joined.lane = question.why.main_lane;
    joined.waiting = joined.nearest_wait = FLAMELET_NO_PATH;
    joined.flags = FLAMELET_PIECE_WAIT | FLAMELET_PIECE_PROBABLY | FLAMELET_CAUSE_IN_TURN;
    joined.calls = 1;
    joined.threads = turns.count;
    joined.seen_frames = question.explain->baseline.of(wait).seen;
    joined.span_begin_ns = INT64_MAX;
    uint32_t kept = 0;
    for (const Evidence& cause : *list) {
      const bool is_same_wait = cause.has(kIsWait) && have_same_scope(explain, cause.path, wait);
      if (!is_same_wait && !is_turn(explain, cause, wait)) {
        list->items[kept++] = cause;
        continue;
      }
      joined.time_ns += cause.time_ns;
      joined.usual_ns += cause.usual_ns;
      joined.surplus_ns += cause.surplus_ns;
      joined.span_begin_ns = std::min(joined.span_begin_ns, cause.span_begin_ns);
      joined.span_end_ns = std::max(joined.span_end_ns, cause.span_end_ns);
    }
    list->count = kept;
    list->add(joined);
    return join_turns(question, list);
  }
}

void note_turns(const Question& question, Evidence* cause) {
  constexpr int64_t kLeastShare = 10;  // of the time: who held it for less is not counted
  const bool is_held = (cause->flags & (FLAMELET_CAUSE_HELD_LOCK | FLAMELET_CAUSE_IN_TURN)) == FLAMELET_CAUSE_HELD_LOCK;
  if (!is_held || cause->verdict == FLAMELET_VERDICT_PREEMPTED)
    return;  // there, those who had the processor are counted
  Turns turns = {};
  for (size_t i = 0; i < question.why.piece_count; ++i) {
    const flamelet_piece& piece = question.why.pieces[i];
    const bool is_own = piece.path == cause->path;  // also of the last one, and of one that did not wait for another
    const uint32_t site = question.explain->paths[piece.path].site;
    const bool is_at_hand =
        (piece.flags & FLAMELET_PIECE_WAIT) == 0 ||
        (site != kNoIndex && question.explain->lanes.is_file(site));  // who reads a file holds it on
    if (is_at_hand && (is_own || have_same_scope(*question.explain, piece.nearest_wait, cause->nearest_wait)))
      turns.add(piece.lane, piece.end_ns - piece.begin_ns);
  }
  constexpr int64_t kMostOfOne = 7;  // tenths: then that one held it
  const int64_t sum_ns = turns.sum();
  const bool is_one = *std::max_element(turns.held_ns, turns.held_ns + turns.count) * 10 > sum_ns * kMostOfOne;
  const auto held =
      std::count_if(turns.held_ns, turns.held_ns + turns.count, [=](int64_t ns) { return ns * kLeastShare >= sum_ns; });
  cause->threads = held > 1 && !is_one ? static_cast<uint32_t>(held) : 0;
}

// Full queue: a thread that fills a GPU queue waits for it where it presents or wants a fence, and, once the queue is
// full, in any call that wants room. Some drivers sleep there and others spin, so the time that a thread ran does not tell.
// The queue does: it was still working when the call had returned. A thread that hands work over too slowly leaves a queue
// that is done when the thread is.

namespace {

// Whether a scope of this thread handed this work over, in this frame or one of the three before: a queue may be that far
// behind. `is_unknown`: the answer if the work does not say who did.
bool was_handed_over_by(const Question& question, uint32_t thread, flamelet_id id, bool is_unknown) {
  constexpr size_t kMostBehind = 3;
  if (id == 0) return is_unknown;
  const OtherFrames put_back(question);
  for (size_t behind = 0; behind <= kMostBehind && behind <= question.position; ++behind) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(question.capture, question.position - behind, &frame)) return false;
    question.read(frame.begin_ns, frame.end_ns);
    const LaneSpans& lane = question.explain->lanes.lane(thread);
    for (uint32_t i = 0; i < lane.count; ++i)
      if (lane.spans[i].id == id) return true;
  }
  return false;
}

// Whether the scope that handed work over had ended by a time.
bool was_closed_by(const Question& question, flamelet_id id, int64_t time_ns) {
  constexpr size_t kMostBehind = 3;
  const OtherFrames put_back(question);
  for (size_t behind = 0; behind <= kMostBehind && behind <= question.position; ++behind) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(question.capture, question.position - behind, &frame)) return false;
    FrameLanes& lanes = question.explain->lanes;
    question.read(frame.begin_ns, frame.end_ns);
    for (uint32_t index = 0; index < lanes.lane_count(); ++index) {
      if (lanes.kind(index) != FLAMELET_LANE_THREAD) continue;
      const LaneSpans& lane = lanes.lane(index);
      for (uint32_t i = 0; i < lane.count; ++i)
        if (lane.spans[i].id == id) return lane.spans[i].end_ns <= time_ns;
    }
  }
  return false;
}

// The outermost spans of a queue, of its lane and of those beside it, by their begins.
class QueueSpans {
 public:
  QueueSpans(const Question& question, uint32_t queue) : lanes_(&question.explain->lanes) {
    for (uint32_t lane = 0; lane < lanes_->lane_count() && count_ < kMostLanes; ++lane)
      if (lane == queue ||
          (lanes_->kind(lane) == FLAMELET_LANE_GPU && flamelet_capture_lane_beside(question.capture, lane) == queue))
        at_[count_++] = {lane, 0};
  }
  // NULL at the end.
  const flamelet_span* next(uint32_t* lane, uint32_t* span) {
    Place* first = nullptr;
    for (Place* place = at_; place != at_ + count_; ++place)
      if (span_at(*place) != nullptr && (first == nullptr || span_at(*place)->begin_ns < span_at(*first)->begin_ns))
        first = place;
    if (first == nullptr) return nullptr;
    const flamelet_span* const found = span_at(*first);
    *lane = first->lane;
    *span = first->span;
    first->span = found->subtree_end;
    return found;
  }

 private:
  static constexpr uint32_t kMostLanes = 16;
  struct Place {
    uint32_t lane, span;
  };
  const flamelet_span* span_at(const Place& place) const {
    const LaneSpans& lane = lanes_->lane(place.lane);
    return place.span < lane.count ? &lane.spans[place.span] : nullptr;
  }

  FrameLanes* const lanes_;
  Place at_[kMostLanes];
  uint32_t count_ = 0;
};

// The second longest time for which a queue had nothing to do, in the time of some frames before this one: the longest may be
// a hitch of its own.
int64_t usual_idle_ns(const Question& question, uint32_t index) {
  constexpr int64_t kFramesBefore = 6;
  const OtherFrames put_back(question);
  const int64_t end_ns = question.why.frame.begin_ns;
  question.read(end_ns - kFramesBefore * question.why.usual_ns, end_ns);
  QueueSpans queue(question, index);
  int64_t longest_ns = 0, second_ns = 0, done_ns = INT64_MAX;
  const auto rests_until = [&](int64_t until_ns) {
    if (done_ns == INT64_MAX) return;
    second_ns = std::max(second_ns, std::min(longest_ns, until_ns - done_ns));
    longest_ns = std::max(longest_ns, until_ns - done_ns);
  };
  uint32_t lane = 0, at = 0;
  while (const flamelet_span* span = queue.next(&lane, &at)) {
    rests_until(span->begin_ns);
    done_ns = done_ns == INT64_MAX ? span->end_ns : std::max(done_ns, span->end_ns);
  }
  rests_until(end_ns);
  return second_ns;
}

// The work of another queue with whose end a queue's work began, which had most of the time for which that was late: it waited
// for that at a fence. Its lane is kNoIndex if there is none. The clocks of two queues differ a little.
Work fence_of(FrameLanes& lanes, uint32_t queue, int64_t begun_ns, int64_t late_ns, int64_t tolerance_ns) {
  for (uint32_t index = 0; index < lanes.lane_count(); ++index) {
    if (lanes.kind(index) != FLAMELET_LANE_GPU || index == queue) continue;
    for (const flamelet_span& span : lanes.lane(index)) {
      const int64_t there_ns = overlap_ns(span, {begun_ns - late_ns, begun_ns});
      if (std::abs(span.end_ns - begun_ns) <= tolerance_ns && there_ns * 2 >= late_ns)
        return {index, static_cast<uint32_t>(&span - lanes.lane(index).spans), there_ns, 1};
    }
  }
  return {kNoIndex, kNoIndex, 0, 0};
}

// The id of the candidate's span on its queue; 0: it does not say who handed it over. The frame is at hand.
flamelet_id gpu_span_id(const Question& question, const Evidence& cause) {
  const LaneSpans& lane = question.explain->lanes.lane(cause.lane);
  for (uint32_t i = 0; i < lane.count; ++i)
    if (lane.spans[i].begin_ns == cause.span_begin_ns && lane.spans[i].end_ns == cause.span_end_ns)
      return lane.spans[i].id;
  return 0;
}

// When the wait for the candidate began: what a thread waits for it has handed over before. The frame is at hand.
int64_t wait_begin_ns(const Question& question, const Evidence& cause) {
  FrameLanes& lanes = question.explain->lanes;
  int64_t begin_ns = cause.span_begin_ns;
  for (uint32_t index = 0; index < lanes.lane_count() && cause.nearest_wait != FLAMELET_NO_PATH; ++index) {
    if (lanes.kind(index) != FLAMELET_LANE_THREAD) continue;
    question.explain->path.for_each_span(index, cause.nearest_wait, [&](const flamelet_span& span) {
      if (span.end_ns >= cause.span_end_ns) begin_ns = std::min(begin_ns, span.begin_ns);
    });
  }
  return std::max(begin_ns, question.why.frame.begin_ns);
}

}  // namespace

bool pass_to_late_queue(const Question& question, const WorkWindow& window, bool is_wait, Evidence* cause) {
  FrameLanes& lanes = question.explain->lanes;
  for (uint32_t index = 0; index < lanes.lane_count(); ++index) {
    if (lanes.kind(index) != FLAMELET_LANE_GPU) continue;
    if (flamelet_capture_lane_beside(question.capture, index) != SIZE_MAX) continue;
    QueueSpans queue(question, index);
    int64_t idle_ns = window.begin_ns;
    uint32_t lane = 0, at = 0;
    while (const flamelet_span* next = queue.next(&lane, &at)) {
      const flamelet_span span = *next;
      const int64_t late_ns = std::min(span.begin_ns, window.end_ns) - idle_ns;
      idle_ns = std::max(idle_ns, span.end_ns);
      if (late_ns * 2 < cause->surplus_ns || span.end_ns > window.end_ns) continue;
      const uint32_t path = question.explain->path.path_of(lane, at);
      const int64_t begin_ns = span.begin_ns - late_ns;
      // How long the queue rests between works does not matter where a thread is known to have waited all that time.
      const bool was_awaited = cause->has(kOnGpu) || (is_wait && span.id != 0);
      const int64_t usual_ns = was_awaited ? 0 : usual_idle_ns(question, index);
      if (late_ns * 4 < usual_ns * 5) break;
      const int64_t tolerance_ns = question.explain->config.tolerance_ns;
      const Work fence = fence_of(lanes, lane, span.begin_ns, late_ns, tolerance_ns);
      if (fence.lane != kNoIndex) {
        Evidence behind = *cause;
        pass_lane(question, lane, &behind);
        behind.path = path;
        if (behind.waiting == FLAMELET_NO_PATH) behind.waiting = cause->path;
        if (!pass_to(question, fence, {begin_ns, span.begin_ns + tolerance_ns}, &behind)) break;
        *cause = behind;
        return true;
      }
      const bool is_handed_over = span.id == 0 ? is_wait : was_closed_by(question, span.id, begin_ns + late_ns / 10);
      if (!is_handed_over) break;
      if (!cause->has(kOnGpu)) cause->nearest_wait = cause->path;
      cause->facts = kOnGpu;
      cause->knows_states = false;
      cause->asleep_ns = cause->probably_asleep_ns = 0;
      cause->flags =
          (cause->flags & ~uint32_t{FLAMELET_PIECE_WAIT | FLAMELET_CAUSE_SLEEP_KNOWN | FLAMELET_CAUSE_AS_USUAL}) |
          FLAMELET_CAUSE_BEGAN_LATE | (span.id == 0 ? uint32_t{FLAMELET_PIECE_PROBABLY} : 0);
      if (cause->waiting == FLAMELET_NO_PATH) cause->waiting = cause->path;
      cause->path = path;
      cause->inner_path = FLAMELET_NO_PATH;
      pass_lane(question, lane, cause);
      cause->object = span.object;
      cause->time_ns = cause->surplus_ns = std::min(cause->surplus_ns, late_ns);
      cause->usual_ns = cause->spread_ns = 0;
      cause->span_begin_ns = span.begin_ns;
      cause->span_end_ns = span.end_ns;
      return true;
    }
  }
  return false;
}

void look_for_full_queue(const Question& question, Evidence* cause) {
  const flamelet_explanation& why = question.why;
  if (cause->has(kOnGpu)) {
    if (!cause->has(kTookAsUsual)) return;
    const bool has_id = gpu_span_id(question, *cause) != 0;
    pass_to_late_queue(question, {has_id ? why.frame.begin_ns : wait_begin_ns(question, *cause), cause->span_end_ns},
                       !has_id, cause);
    return;
  }
  const flamelet_verdict verdict = verdict_of(*cause);
  const bool is_wait = verdict == FLAMELET_VERDICT_WAIT && (cause->flags & FLAMELET_PIECE_WAIT) != 0;
  const bool is_work = verdict == FLAMELET_VERDICT_SLOWER_CALLS || verdict == FLAMELET_VERDICT_NEW ||
                       verdict == FLAMELET_VERDICT_UNINSTRUMENTED;
  if (!is_wait && !is_work) return;
  const WorkWindow window = window_of(*cause, why.frame);
  FrameLanes& lanes = question.explain->lanes;
  Work work = {kNoIndex, kNoIndex, cause->surplus_ns / 2, 0};
  for (uint32_t index = 0; index < lanes.lane_count(); ++index) {
    if (lanes.kind(index) != FLAMELET_LANE_GPU) continue;
    const LaneSpans& queue = lanes.lane(index);
    Work longest = work;
    flamelet_id id = 0;
    for (uint32_t i = 0; i < queue.count; ++i) {
      const flamelet_span& span = queue.spans[i];
      if ((span.flags & FLAMELET_SPAN_OPEN) != 0) continue;
      // A twentieth is more than what a queue is behind that is not full.
      const int64_t behind_ns = question.explain->config.tolerance_ns + (span.end_ns - span.begin_ns) / 20;
      if (is_work && span.end_ns < window.end_ns + behind_ns) continue;
      if (overlap_ns(span, window) <= longest.overlap_ns) continue;
      longest = {index, i, overlap_ns(span, window), 1};
      id = span.id;
    }
    if (longest.lane == work.lane) continue;
    if (was_handed_over_by(question, cause->lane, id, is_wait)) work = longest;
  }
  if (work.lane != kNoIndex && pass_to(question, work, window, cause)) return;
  pass_to_late_queue(question, window, is_wait, cause);
}

void join_same_work(EvidenceList* list) {
  constexpr uint32_t kOfItsOwn = kLostProcessor | kStoodStill | kAllSlower;
  uint32_t kept = 0;
  for (const Evidence& evidence : *list) {
    Evidence* const same = std::find_if(list->items, list->items + kept, [&evidence](const Evidence& other) {
      return other.path == evidence.path && other.lane == evidence.lane &&
             ((other.facts | evidence.facts) & kOfItsOwn) == 0 && other.has(kOnGpu) == evidence.has(kOnGpu);
    });
    if (same == list->items + kept) {
      list->items[kept++] = evidence;
      continue;
    }
    const Evidence joined = *same;
    const bool is_surer = (same->flags & FLAMELET_PIECE_PROBABLY) > (evidence.flags & FLAMELET_PIECE_PROBABLY);
    const bool is_larger = evidence.surplus_ns > same->surplus_ns;
    if (same->has(kOnGpu) ? is_larger : evidence.calls > same->calls || is_surer) {
      *same = evidence;
      const bool is_longer = joined.span_end_ns - joined.span_begin_ns > evidence.span_end_ns - evidence.span_begin_ns;
      if (joined.has(kOnGpu) || is_longer) {
        same->span_begin_ns = joined.span_begin_ns;
        same->span_end_ns = joined.span_end_ns;
      }
    } else if (is_larger && evidence.calls == same->calls) {  // most of it was waited for there
      same->waiting = evidence.waiting;
      same->nearest_wait = evidence.nearest_wait;
      same->via_count = evidence.via_count;
      std::copy(evidence.via_lanes, evidence.via_lanes + evidence.via_count, same->via_lanes);
    }
    same->surplus_ns = joined.surplus_ns + evidence.surplus_ns;
    const bool is_same_span = !same->has(kOnGpu) && joined.span_begin_ns == evidence.span_begin_ns;
    same->time_ns = is_same_span ? std::max(joined.time_ns, evidence.time_ns) : joined.time_ns + evidence.time_ns;
    same->no_processor_ns = std::max(joined.no_processor_ns, evidence.no_processor_ns);
    // A scope's own time and one that it calls may have waited for the same part of a queue's work.
    if ((same->flags & FLAMELET_CAUSE_BEGAN_LATE) != 0)
      same->time_ns = same->surplus_ns;
    else if (same->has(kOnGpu))
      same->time_ns = std::min(same->time_ns, same->span_end_ns - same->span_begin_ns);
  }
  list->count = kept;
}

}  // namespace flamelet::explain
