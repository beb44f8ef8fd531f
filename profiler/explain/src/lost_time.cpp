// SPDX-License-Identifier: MIT
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {

namespace {

void note(flamelet_explain* explain, uint32_t lane, LaneFigure figure, int64_t amount) {
  if (amount <= 0) return;  // as if it were not there
  const uint32_t path = explain->paths.of_lane(lane, figure);
  if (path != PathTable::kOther) explain->path.note(path, amount);
}

// Calls take(path, lane) for each figure of this kind.
template <class Take>
void for_each_figure(flamelet_explain* explain, LaneFigure figure, Take take) {
  const CriticalPath& path = explain->path;
  for (uint32_t i = 0; i < path.touched_count(); ++i) {
    const flamelet_explain_scope& scope = explain->paths[path.touched()[i]];
    if (PathTable::is_figure(scope) && scope.name == figure) take(path.touched()[i], scope.lane);
  }
}

// States of threads do not tell when a thread that slept was woken. The system does, as a sum of the frame: how long it had
// no processor beside the time that it was taken off one. That can have been in any of the thread's sleeps, but not in those
// of the frame's thread that ended when another thread let it go on.
struct Woken {
  int64_t ready_ns;    // without a processor after a sleep
  int64_t asleep_ns;   // in all sleeps in which that can have been
  int64_t no_more_ns;  // than this can a thread have been without a processor in the frame
};

// What a thread did at a time. False: nobody knows.
bool state_at(const Question& question, uint32_t lane, int64_t time_ns, flamelet_state* state) {
  flamelet_state* const states = question.explain->items->states;
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, question.capture, lane, time_ns, time_ns + 1, states, FLAMELET_CURSOR_LEAST);
  cursor.without_owners = true;
  if (!flamelet_state_cursor_next(&cursor) || cursor.count == 0) return false;
  *state = states[0];
  return true;
}

Woken woken_of(const Question& question, uint32_t lane) {
  const flamelet_explanation& why = question.why;
  const flamelet_frame_info& frame = why.frame;
  flamelet_state_times times;
  if (!flamelet_capture_state_times(question.capture, lane, frame.begin_ns, frame.end_ns, &times))
    return {0, 0, frame.end_ns - frame.begin_ns};
  int64_t known_ns = times.ns[FLAMELET_STATE_TAKEN_OFF] + times.ns[FLAMELET_STATE_UNKNOWN];
  const int64_t off_ns = times.ns[FLAMELET_STATE_ASLEEP] + known_ns;
  // The system adds it up when the thread goes on: what it lost before the frame is in the sum, what lasts beyond it is not.
  int64_t asleep_before_ns = 0;
  flamelet_state first, last;
  if (state_at(question, lane, frame.begin_ns, &first) && first.end_ns < frame.end_ns) {
    const int64_t before_ns = std::max<int64_t>(frame.begin_ns - first.begin_ns, 0);
    known_ns += first.kind == FLAMELET_STATE_TAKEN_OFF ? before_ns : 0;
    asleep_before_ns = first.kind == FLAMELET_STATE_ASLEEP ? before_ns : 0;
  }
  if (state_at(question, lane, frame.end_ns - 1, &last) && last.kind == FLAMELET_STATE_TAKEN_OFF &&
      last.end_ns > frame.end_ns)
    known_ns -= frame.end_ns - std::max(last.begin_ns, frame.begin_ns);
  const int64_t ready_ns = question.explain->lanes.ready_ns(lane, question.position);
  Woken woken = {std::max<int64_t>(ready_ns - known_ns, 0), times.ns[FLAMELET_STATE_ASLEEP] + asleep_before_ns, off_ns};
  if (lane != why.main_lane) return woken;
  woken.asleep_ns = 0;
  for (size_t i = 0; i < why.piece_count; ++i) {
    const flamelet_piece& piece = why.pieces[i];
    if (piece.lane == lane &&
        flamelet_capture_state_times(question.capture, lane, piece.begin_ns, piece.end_ns, &times))
      woken.asleep_ns += times.ns[FLAMELET_STATE_ASLEEP];
  }
  return woken;
}

}  // namespace

int64_t woken_ready_ns(const Question& question, uint32_t lane) {
  return woken_of(question, lane).ready_ns;
}

namespace {

// For how long a thread had no processor in these states, which are a part of its frame: certainly, or of a wait, which ends
// when another thread or a timer wakes it, at most.
int64_t no_processor_ns(const flamelet_state_times& times, const Woken& woken, bool is_wait) {
  const int64_t asleep_ns = times.ns[FLAMELET_STATE_ASLEEP];
  const int64_t elsewhere_ns = is_wait ? 0 : std::max<int64_t>(woken.asleep_ns - asleep_ns, 0);
  return times.ns[FLAMELET_STATE_TAKEN_OFF] + std::clamp<int64_t>(woken.ready_ns - elsewhere_ns, 0, asleep_ns);
}

constexpr int64_t kMostPieces = 128;  // of a candidate: shorter ones than one of so many have no weight

// What a candidate's thread did meanwhile, where the system told each switch: it ran, was taken off its processor, or slept.
// In pieces that are too short to ask for, it ran. False: that is not known of most of its time.
bool read_states(const Question& question, const Evidence& cause, flamelet_state_times* sum) {
  const bool is_own = cause.time_ns == question.explain->path.time_of(cause.path).self_ns;
  const bool is_wait = cause.has(kIsWait);
  int64_t asked_ns = 0, all_ns = 0;
  *sum = {};
  for (size_t i = 0; i < question.why.piece_count; ++i) {
    const flamelet_piece& piece = question.why.pieces[i];
    const bool is_part = is_own ? piece.path == cause.path : is_under(*question.explain, piece.path, cause.path);
    if (piece.lane != cause.lane || !is_part || (!is_wait && (piece.flags & FLAMELET_PIECE_WAIT) != 0)) continue;
    const int64_t took_ns = piece.end_ns - piece.begin_ns;
    all_ns += took_ns;
    if (took_ns * kMostPieces < cause.time_ns) {
      sum->ns[FLAMELET_STATE_RUNNING] += took_ns;
      continue;
    }
    flamelet_state_times times;
    if (!flamelet_capture_state_times(question.capture, piece.lane, piece.begin_ns, piece.end_ns, &times)) return false;
    asked_ns += took_ns - times.ns[FLAMELET_STATE_UNKNOWN];
    for (uint32_t kind = 0; kind < FLAMELET_STATE_COUNT; ++kind) sum->ns[kind] += times.ns[kind];
  }
  return asked_ns != 0 &&
         (asked_ns * 10 >= all_ns * 9 || (asked_ns * 4 >= all_ns * 3 && asked_ns * 2 >= cause.time_ns));
}

class Charge {
 public:
  Charge(const Question& question, EvidenceList* list)
      : question_(question),
        list_(*list),
        path_(question.explain->path),
        least_ns_(question.least_ns),
        why_(question.why) {}

  // `spun_ns`: so much of it the thread waited awake.
  void lane(uint32_t lane, int64_t lost_ns, int64_t spun_ns, const Baseline::PathUsual& usual) {
    lost_ns -= spun_ns;
    double surplus_ns = static_cast<double>(lost_ns) - usual.total.middle;
    const bool is_unusual = surplus_ns > least_ns_ && surplus_ns > 3 * usual.total.spread;
    const auto not_run_ns =
        static_cast<double>(std::min(not_run_in_scopes(lane, static_cast<int64_t>(usual.total.middle)), lost_ns));
    if (!is_unusual && not_run_ns <= least_ns_) return;
    surplus_ns = std::max(surplus_ns, not_run_ns);
    // Not all of it was lost on the critical path.
    const flamelet_piece* longest = nullptr;
    int64_t there_ns = 0;
    for (size_t i = 0; i < path_.piece_count(); ++i) {
      const flamelet_piece& piece = path_.pieces()[i];
      if (piece.lane != lane || is_spun(piece)) continue;
      there_ns += piece.end_ns - piece.begin_ns;
      if (longest == nullptr || piece.end_ns - piece.begin_ns > longest->end_ns - longest->begin_ns) longest = &piece;
    }
    const Hit hit = most_taken_off(lane, &there_ns);
    if (hit.piece != nullptr) longest = hit.piece;
    // A wait that was shorter than usual, such as that for the display, can hide a part of it from the frame.
    const int64_t all_ns =
        std::max(std::min(static_cast<int64_t>(surplus_ns), there_ns),
                 hit.piece == nullptr ? 0 : most_lost_in_scope(lane, static_cast<int64_t>(usual.total.middle)));
    const int64_t most_ns = std::min(all_ns, why_.surplus_ns);
    if (longest == nullptr || static_cast<double>(most_ns) <= least_ns_) return;

    Evidence lost = no_evidence();
    lost.facts = kLostProcessor;
    lost.lane = lane;
    lost.path = longest->path;
    lost.waiting = longest->waiting;
    lost.nearest_wait = longest->nearest_wait;
    lost.flags = longest->flags & ~uint32_t{FLAMELET_PIECE_NOT_BEGUN};
    lost.span_begin_ns = longest->span_begin_ns;
    lost.span_end_ns = longest->span_end_ns;
    lost.time_ns = lost_ns;
    lost.usual_ns = static_cast<int64_t>(usual.total.middle);
    lost.spread_ns = static_cast<int64_t>(usual.total.spread);
    lost.seen_frames = usual.seen;
    const bool knows_states = hit.piece != nullptr;
    lost.surplus_ns = std::min(take_from_scopes(all_ns, hit.lost_ns, knows_states, &lost), most_ns);
    lost.time_ns += spun_ns;
    int64_t others_ns = 0;
    for (const Evidence& other : list_) others_ns += other.surplus_ns;
    const int64_t free_ns = std::max<int64_t>(why_.surplus_ns - others_ns - lost.surplus_ns, 0);
    lost.surplus_ns = std::min(most_ns, lost.surplus_ns + free_ns);
    // More than a scope took is in what calls it, too.
    const auto is_more_than = [&](int64_t ns) { return (lost.surplus_ns - ns) * 10 > lost.surplus_ns; };
    int64_t here_ns = path_.time_of(lost.path).total_ns;
    while (!knows_states && is_more_than(here_ns) && question_.explain->paths[lost.path].parent != FLAMELET_NO_PATH) {
      lost.path = question_.explain->paths[lost.path].parent;
      here_ns = path_.time_of(lost.path).total_ns;
    }
    lost.flags &= ~uint32_t{FLAMELET_CAUSE_PLACE_UNSURE};
    const bool is_part = !knows_states && is_more_than(here_ns);
    if (!knows_states && (is_part || share_in(here_ns, lost_ns, lost.surplus_ns) < 0.5))
      lost.flags |= FLAMELET_CAUSE_PLACE_UNSURE;
    if (is_part) lost.lost_here_ns = here_ns;
    if (static_cast<double>(lost.surplus_ns) > least_ns_) list_.add(lost);
  }

 private:
  // What the scopes of a lane that did what they ever do took longer, beyond what its thread ran and slept longer than usual:
  // it had no processor. What it usually loses does not show in the usual time of a scope, as it is in another one each time.
  int64_t not_run_in_scopes(uint32_t lane, int64_t usual_lost_ns) {
    LaneTimes times;
    if (!times_of(question_, lane, &times)) return 0;
    int64_t sum_ns = 0, same_ns = 0;
    for (const Evidence& cause : list_) {
      if (cause.lane != lane || cause.knows_states || cause.has(kIsWait) || is_by_system(cause)) continue;
      sum_ns += cause.surplus_ns;
      if (is_same_work(cause)) same_ns += cause.surplus_ns;
    }
    const int64_t usual_off_ns = why_.usual_ns - times.usual_ran_ns - usual_lost_ns;
    const int64_t ran_longer_ns = std::max<int64_t>(times.ran_ns - times.usual_ran_ns, 0);
    const int64_t lost_ns =
        std::min(same_ns, sum_ns - ran_longer_ns - std::max<int64_t>(times.off_ns - usual_off_ns, 0));
    if (static_cast<double>(lost_ns) <= least_ns_) return 0;
    FrameLanes& lanes = question_.explain->lanes;
    return std::min(lost_ns, busy_ns(&lanes, lanes.lane(lane), why_.frame) - times.ran_ns);
  }
  static bool is_by_system(const Evidence& cause) {
    return (cause.facts & (kLostProcessor | kStoodStill | kAllSlower)) != 0;
  }
  // It did what it always does, and it took longer.
  static bool is_same_work(const Evidence& cause) {
    const flamelet_verdict verdict = verdict_of(cause);
    return verdict == FLAMELET_VERDICT_SLOWER_CALLS || verdict == FLAMELET_VERDICT_UNINSTRUMENTED;
  }

  // Who waits awake until another thread is done needs no processor. Nearly all of the piece was such a wait.
  bool is_spun(const flamelet_piece& piece) const {
    return std::any_of(list_.begin(), list_.end(), [&](const Evidence& cause) {
      const int64_t spun_ns = std::min(piece.end_ns, cause.spun.end_ns) - std::max(piece.begin_ns, cause.spun.begin_ns);
      return cause.spinner == piece.lane && spun_ns * 10 >= (piece.end_ns - piece.begin_ns) * 9;
    });
  }

  // Where a lane lost most, as states of threads tell: the path, with its longest piece.
  struct Hit {
    const flamelet_piece* piece;
    int64_t lost_ns;
  };
  // `sum_ns` becomes what all its pieces lost, if that is known. A hit without a piece: nobody knows, or none lost any.
  Hit most_taken_off(uint32_t lane, int64_t* sum_ns) const {
    constexpr uint32_t kMostPaths = 32;
    Hit hits[kMostPaths] = {}, most = {};
    int64_t all_ns = 0;
    const Woken woken = woken_of(question_, lane);
    for (size_t i = 0; i < path_.piece_count(); ++i) {
      const flamelet_piece& piece = path_.pieces()[i];
      const int64_t took_ns = piece.end_ns - piece.begin_ns;
      flamelet_state_times times;
      if (piece.lane != lane || is_spun(piece) || took_ns * kMostPieces < why_.frame.end_ns - why_.frame.begin_ns)
        continue;
      if (!flamelet_capture_state_times(question_.capture, lane, piece.begin_ns, piece.end_ns, &times)) return {};
      const int64_t lost_ns =
          no_processor_ns(times, woken, (piece.flags & FLAMELET_PIECE_WAIT) != 0) + times.ns[FLAMELET_STATE_UNKNOWN];
      all_ns += lost_ns;
      Hit* const end = hits + kMostPaths;
      Hit* const hit =
          std::find_if(hits, end, [&](const Hit& at) { return at.piece == nullptr || at.piece->path == piece.path; });
      if (hit == end) continue;
      if (hit->piece == nullptr || took_ns > hit->piece->end_ns - hit->piece->begin_ns) hit->piece = &piece;
      hit->lost_ns += lost_ns;
      if (most.piece == nullptr || hit->lost_ns > most.lost_ns) most = *hit;
    }
    if (most.piece == nullptr) return {};
    *sum_ns = std::min(*sum_ns, all_ns);
    return most.lost_ns > 0 ? most : Hit{};
  }

  // What is left of its surplus that lost time can explain.
  int64_t losable_ns(const Evidence& cause) const {
    if (is_by_system(cause)) return 0;
    const int64_t left_ns = cause.surplus_ns - more_calls_ns(question_, cause);
    flamelet_state_times states = cause.states;
    if (!cause.knows_states && !read_states(question_, cause, &states)) {
      int64_t others_ns = 0;  // which also ran longer
      for (const Evidence& other : list_)
        if (other.lane == cause.lane && &other != &cause) others_ns += other.surplus_ns;
      return std::min(left_ns, most_lost_ns(question_, cause, others_ns) - cause.no_processor_ns);
    }
    return std::min(
        left_ns, no_processor_ns(states, woken_of(question_, cause.lane), cause.has(kIsWait)) - cause.no_processor_ns);
  }

  // The most that a scope of a lane lost, as states of threads tell, beyond what it can usually lose, which is a part of what it
  // usually takes. What the thread usually loses in others is no part of it.
  int64_t most_lost_in_scope(uint32_t lane, int64_t usual_lost_ns) const {
    int64_t most_ns = 0;
    for (const Evidence& cause : list_)
      if (cause.lane == lane && cause.knows_states)
        most_ns = std::max(most_ns, losable_ns(cause) - std::min(usual_lost_ns, cause.usual_ns));
    return most_ns;
  }

  // Which share of a part of what a thread lost in the frame must have been in a scope, because the rest of the frame is too
  // short for it. With half of it the scope is named, with four fifths the figure is sure.
  double share_in(int64_t scope_ns, int64_t lost_ns, int64_t part_ns) const {
    const int64_t elsewhere_ns = std::max<int64_t>(why_.frame.end_ns - why_.frame.begin_ns - scope_ns, 0);
    return static_cast<double>(lost_ns - elsewhere_ns) / static_cast<double>(std::max<int64_t>(part_ns, 1));
  }

  // The candidate on a lane from which lost time is taken first: the largest; or if nobody knows where the thread lost it, one
  // that has no other reason to take longer, and that the lost time explains as a whole, so that the others may have slept.
  Evidence* most_lost(uint32_t lane, int64_t left_ns, bool knows_states) {
    Evidence* most = nullptr;
    int64_t most_ns = 0;
    uint32_t most_rank = 0;
    for (Evidence& cause : list_) {
      const int64_t ns = cause.lane == lane ? losable_ns(cause) : 0;
      const bool fits = ns * 10 <= left_ns * 11 && ns * 2 > left_ns;
      const uint32_t rank = knows_states ? 0 : (is_same_work(cause) || cause.has(kIsWait) ? 2u : 0u) + (fits ? 1u : 0u);
      if (ns <= 0 || (most != nullptr && (rank != most_rank ? rank < most_rank : ns <= most_ns))) continue;
      most = &cause;
      most_ns = ns;
      most_rank = rank;
    }
    return most;
  }

  // Takes up to so much from the surplus of the scopes on the lane. The one that was hit most is named, unless states say
  // that more was lost elsewhere.
  int64_t take_from_scopes(int64_t most_ns, int64_t elsewhere_ns, bool knows_states, Evidence* lost) {
    int64_t taken_ns = 0, largest_ns = 0;
    while (taken_ns < most_ns) {
      Evidence* const hit = most_lost(lost->lane, most_ns - taken_ns, knows_states);
      if (hit == nullptr) break;
      const int64_t part_ns = std::min(most_ns - taken_ns, losable_ns(*hit));
      if (part_ns > largest_ns && losable_ns(*hit) * 2 >= elsewhere_ns) {
        lost->path = hit->path;
        lost->waiting = hit->waiting;
        lost->nearest_wait = hit->nearest_wait;
        lost->object = hit->object;
        lost->via_count = hit->via_count;
        std::copy(hit->via_lanes, hit->via_lanes + hit->via_count, lost->via_lanes);
        lost->flags = hit->flags & ~uint32_t{FLAMELET_PIECE_NOT_BEGUN | FLAMELET_CAUSE_PLACE_UNSURE};
        lost->span_begin_ns = hit->span_begin_ns;
        lost->span_end_ns = hit->span_end_ns;
      }
      largest_ns = std::max(largest_ns, part_ns);
      taken_ns += part_ns;
      hit->surplus_ns -= part_ns;
      hit->no_processor_ns += part_ns;
      if (!knows_states && share_in(hit->time_ns, lost->time_ns, part_ns) < 0.8)
        hit->flags |= FLAMELET_CAUSE_PLACE_UNSURE;
      const double left_ns = static_cast<double>(hit->surplus_ns);
      if (left_ns <= least_ns_ || left_ns <= 3 * static_cast<double>(hit->spread_ns)) *hit = list_.items[--list_.count];
    }
    return taken_ns;
  }

  const Question& question_;
  EvidenceList& list_;
  const CriticalPath& path_;
  const double least_ns_;
  const flamelet_explanation& why_;
};

// The piece behind the longest one in which the candidate's work had not begun; nullptr: there is none.
const flamelet_piece* begun_late(const Question& question, const Evidence& cause) {
  const uint32_t wanted = cause.has(kNotBegun) ? uint32_t{FLAMELET_PIECE_NOT_BEGUN} : uint32_t{FLAMELET_PIECE_WAIT};
  const flamelet_piece* late = nullptr;
  const flamelet_piece* const end = question.why.pieces + question.why.piece_count;
  for (const flamelet_piece* at = question.why.pieces; at + 1 < end; ++at) {
    const bool is_late = (at->flags & wanted) != 0 && at->path == cause.path;
    if (is_late && (late == nullptr || at->end_ns - at->begin_ns > late->end_ns - late->begin_ns)) late = at;
  }
  if (late == nullptr || late[1].lane == cause.lane) return nullptr;
  constexpr uint32_t kIsUnsure =
      FLAMELET_PIECE_WAIT | FLAMELET_PIECE_OUTSIDE | FLAMELET_PIECE_PROBABLY | FLAMELET_PIECE_USUALLY;
  return cause.has(kNotBegun) || (late[1].flags & kIsUnsure) == 0 ? late + 1 : nullptr;
}

// The outermost scope that a lane began at last, with this piece or the next ones; of time in no scope the last resort.
uint32_t what_began(const Question& question, const flamelet_piece* begun) {
  const flamelet_piece* const end = question.why.pieces + question.why.piece_count;
  const flamelet_piece* at = begun;
  constexpr uint32_t kIsNoWork = FLAMELET_PIECE_OUTSIDE | FLAMELET_PIECE_WAIT;
  while (at + 1 < end && at->lane == at[1].lane && (at->flags & kIsNoWork) != 0) ++at;
  return root_of(*question.explain, at->path);
}

// Calls tell(cause, faults) for each cause on a thread that had more faults of this kind than usual.
template <class Tell>
void for_each_faulted(flamelet_explain* explain, EvidenceList* list, LaneFigure kind, Tell tell) {
  for_each_figure(explain, kind, [&](uint32_t path, uint32_t lane) {
    const int64_t faults = explain->path.time_of(path).total_ns;
    const Usual usual = explain->baseline.of(path).total;
    if (static_cast<double>(faults) <= usual.middle + 3 * usual.spread) return;
    // Nobody knows in which scope. One that waits has none, and a short one hardly any.
    int64_t most_ns = 0;
    for (const Evidence& cause : *list)
      if (cause.lane == lane && !cause.has(kIsWait)) most_ns = std::max(most_ns, cause.time_ns);
    for (Evidence& cause : *list)
      if (cause.lane == lane && !cause.has(kIsWait) && cause.time_ns * 4 >= most_ns)
        tell(&cause, static_cast<uint32_t>(faults));
  });
}

// No other cause of its thread is time that a scope spent in itself, awake.
bool is_only_own_time(const EvidenceList& list, const Evidence& cause) {
  for (const Evidence& other : list) {
    const flamelet_verdict verdict = verdict_of(other);
    const bool is_own = verdict == FLAMELET_VERDICT_SLOWER_CALLS || verdict == FLAMELET_VERDICT_UNINSTRUMENTED;
    if (&other != &cause && other.lane == cause.lane && is_own && other.asleep_ns * 2 <= other.time_ns) return false;
  }
  return true;
}

// Which part of a frame a thread usually runs: the median of the frames just before; 0: it was not there.
double usual_share(const flamelet_capture* capture, size_t position, uint32_t lane) {
  constexpr uint32_t kFramesBefore = 8;
  double shares[kFramesBefore];
  uint32_t count = 0;
  for (size_t i = position; i != 0 && i + kFramesBefore > position; --i) {
    flamelet_frame_info frame;
    flamelet_thread_time time;
    if (!flamelet_capture_frame(capture, i - 1, &frame) || frame.end_ns <= frame.begin_ns) continue;
    const bool is_known = flamelet_capture_thread_time(capture, i - 1, lane, &time);
    shares[count++] =
        is_known ? static_cast<double>(time.ran_ns) / static_cast<double>(frame.end_ns - frame.begin_ns) : 0;
  }
  return usual_of(shares, count).middle;
}

// How long a thread had no processor while it waited awake: at most, where states are not known.
int64_t lost_in_spin_ns(const Question& question, const Evidence& cause) {
  flamelet_state_times times;
  return flamelet_capture_state_times(question.capture, cause.spinner, cause.spun.begin_ns, cause.spun.end_ns, &times)
             ? times.ns[FLAMELET_STATE_TAKEN_OFF]
             : cause.spun.end_ns - cause.spun.begin_ns;
}

// Whether most of its calls are much shorter than the mean: some lost their processor, now and in the usual frames, of which
// only the mean is known.
bool has_few_long_calls(const Question& question, const Evidence& cause) {
  constexpr uint32_t kMost = 512;
  int64_t calls_ns[kMost], sum_ns = 0;
  uint32_t count = 0;
  question.explain->path.for_each_span(cause.lane, cause.path, [&](const flamelet_span& span) {
    if (count == kMost) return;
    calls_ns[count] = span.end_ns - span.begin_ns;
    sum_ns += calls_ns[count++];
  });
  std::nth_element(calls_ns, calls_ns + count / 2, calls_ns + count);
  return count != 0 && calls_ns[count / 2] * count * 5 < sum_ns * 3;
}

// For so long its thread had a processor in it, or slept, at most.
int64_t most_awake_ns(const Question& question, const Evidence& cause) {
  if (cause.knows_states) return cause.states.ns[FLAMELET_STATE_RUNNING] + cause.states.ns[FLAMELET_STATE_ASLEEP];
  flamelet_thread_time time;
  constexpr uint32_t kNeeded = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  const bool is_known = flamelet_capture_thread_time(question.capture, question.position, cause.lane, &time) &&
                        (time.known & kNeeded) == kNeeded;
  return is_known ? std::max(time.ran_ns, cause.time_ns - time.ready_ns) : INT64_MAX;
}

}  // namespace

bool is_under(const flamelet_explain& explain, uint32_t path, uint32_t root) {
  while (path != root && path != FLAMELET_NO_PATH) path = explain.paths[path].parent;
  return path == root;
}

int64_t busy_ns(FrameLanes* lanes, const LaneSpans& lane, const flamelet_frame_info& frame) {
  const auto inside_ns = [&frame](const flamelet_span& span) {
    return std::max<int64_t>(std::min(span.end_ns, frame.end_ns) - std::max(span.begin_ns, frame.begin_ns), 0);
  };
  int64_t sum_ns = 0;
  for (uint32_t i = 0; i < lane.count;) {
    const flamelet_span& span = lane.spans[i];
    const bool waits = lanes->waits(span);
    if (span.parent == FLAMELET_NO_PARENT) sum_ns += inside_ns(span);
    if (waits) sum_ns -= inside_ns(span);
    i = waits ? span.subtree_end : i + 1;
  }
  return sum_ns;
}

double usual_ran_ns(const Question& question, uint32_t lane) {
  constexpr uint32_t kFramesBefore = 8;
  double ran_ns[kFramesBefore];
  uint32_t count = 0;
  flamelet_thread_time time;
  for (size_t i = question.position; i != 0 && i + kFramesBefore > question.position; --i)
    if (flamelet_capture_thread_time(question.capture, i - 1, lane, &time))
      ran_ns[count++] = static_cast<double>(time.ran_ns);
  return count == 0 ? -1 : usual_of(ran_ns, count).middle;
}

bool times_of(const Question& question, uint32_t lane, LaneTimes* times) {
  flamelet_explain* const explain = question.explain;
  const Baseline::PathUsual ran = explain->baseline.of(explain->paths.of_lane(lane, kRanNs));
  flamelet_thread_time time;
  constexpr uint32_t kNeeded = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  if (ran.seen * 2 < question.why.baseline_frames ||
      !flamelet_capture_thread_time(question.capture, question.position, lane, &time) ||
      (time.known & kNeeded) != kNeeded)
    return false;
  const int64_t frame_ns = question.why.frame.end_ns - question.why.frame.begin_ns;
  *times = {time.ran_ns, static_cast<int64_t>(ran.total.middle), time.ready_ns, frame_ns - time.ran_ns - time.ready_ns};
  return true;
}

int64_t most_lost_ns(const Question& question, const Evidence& cause, int64_t others_ns) {
  flamelet_thread_time time;
  const double usual_ns = usual_ran_ns(question, cause.lane);
  if (usual_ns < 0 || !flamelet_capture_thread_time(question.capture, question.position, cause.lane, &time) ||
      (time.known & FLAMELET_TIME_RAN) == 0)
    return cause.time_ns;
  const int64_t elsewhere_ns =
      others_ns + static_cast<int64_t>(std::max(usual_ns - static_cast<double>(cause.usual_ns), 0.0));
  return std::clamp<int64_t>(cause.time_ns - (time.ran_ns - elsewhere_ns), 0, cause.time_ns);
}

int64_t more_calls_ns(const Question& question, const Evidence& cause) {
  if (verdict_of(cause) != FLAMELET_VERDICT_MORE_CALLS || cause.usual_calls <= 0) return 0;
  const double as_usual_ns = static_cast<double>(cause.usual_ns) * cause.calls / cause.usual_calls;
  const int64_t awake_ns = has_few_long_calls(question, cause) ? most_awake_ns(question, cause) : cause.time_ns;
  return std::max<int64_t>(std::min({static_cast<int64_t>(as_usual_ns), cause.time_ns, awake_ns}) - cause.usual_ns, 0);
}

void note_lost_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position) {
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(capture, position, &frame)) return;
  flamelet_thread_time times[FLAMELET_MAX_TRACKS];
  const size_t count = flamelet_capture_read_thread_times(capture, position, times, FLAMELET_MAX_TRACKS);
  for (size_t i = 0; i < count; ++i) {
    const flamelet_thread_time& time = times[i];
    const uint32_t lane = time.lane;
    if (lane >= explain->lanes.lane_count()) continue;
    int64_t lost_ns = time.ready_ns;
    // Some systems only tell how long it ran. Then it is what its work took longer, as far as that was looked at.
    if ((time.known & FLAMELET_TIME_READY) == 0 && (time.known & FLAMELET_TIME_RAN) != 0 &&
        explain->lanes.is_at_hand(lane))
      lost_ns = busy_ns(&explain->lanes, explain->lanes.lane(lane), frame) - time.ran_ns;
    note(explain, lane, kIsKnown, 1);
    note(explain, lane, kLostNs, lost_ns);
    note(explain, lane, kRanNs, (time.known & FLAMELET_TIME_RAN) != 0 ? time.ran_ns : 0);
    note(explain, lane, kMajorFaults, time.major_faults);
    note(explain, lane, kMinorFaults, time.minor_faults);
  }
}

void note_lost_here(const Question& question, const EvidenceList& list, Evidence* cause) {
  if (!cause->has(kLostProcessor) || cause->calls != 0) return;
  const Woken woken = woken_of(question, cause->lane);
  int64_t here_ns = 0;
  for (size_t i = 0; i < question.why.piece_count; ++i) {
    const flamelet_piece& piece = question.why.pieces[i];
    if (piece.lane != cause->lane || !is_under(*question.explain, piece.path, cause->path)) continue;
    flamelet_state_times times;
    if (!flamelet_capture_state_times(question.capture, piece.lane, piece.begin_ns, piece.end_ns, &times)) return;
    here_ns += no_processor_ns(times, woken, (piece.flags & FLAMELET_PIECE_WAIT) != 0);
  }
  if (here_ns * 10 >= cause->surplus_ns * 9) return;
  cause->lost_here_ns = here_ns;
  // What it lost elsewhere may be told there.
  for (const Evidence& other : list)
    if (&other != cause && other.lane == cause->lane && other.has(kLostProcessor))
      cause->surplus_ns = std::max(cause->surplus_ns - other.surplus_ns, std::min(here_ns, cause->surplus_ns));
}

void charge_lost_time(const Question& question, EvidenceList* list) {
  flamelet_explain* const explain = question.explain;
  Charge charge(question, list);
  // In a stop of the whole program each thread may have lost as much.
  int64_t stopped_ns = 0;
  for (const Evidence& cause : *list)
    if ((cause.flags & FLAMELET_CAUSE_HAD_WORK) != 0) stopped_ns += cause.time_ns;
  for_each_figure(explain, kLostNs, [&](uint32_t path, uint32_t lane) {
    const int64_t lost_ns =
        std::min(explain->path.time_of(path).total_ns, woken_of(question, lane).no_more_ns) - stopped_ns;
    int64_t spun_ns = 0;
    for (const Evidence& cause : *list)
      if (cause.spinner == lane) spun_ns += lost_in_spin_ns(question, cause);
    const uint32_t known = explain->paths.of_lane(lane, kIsKnown);
    Baseline::PathUsual usual = explain->baseline.of(path);
    // Where most of the baseline does not tell, nobody knows what is usual. It cannot be more than a frame.
    if (explain->baseline.of(known).seen * 2 < question.why.baseline_frames)
      usual.total = {static_cast<double>(question.why.usual_ns), 0};
    charge.lane(lane, lost_ns, std::clamp<int64_t>(spun_ns, 0, std::max<int64_t>(lost_ns, 0)), usual);
  });
}

void look_for_busy(const Question& question, Evidence* cause) {
  const bool is_late = cause->has(kNotBegun) || (cause->has(kIsWait) && cause->waiting == FLAMELET_NO_PATH);
  const flamelet_piece* const begun = is_late ? begun_late(question, *cause) : nullptr;
  if (begun == nullptr) return;
  const flamelet_frame_info& frame = question.why.frame;
  const WorkWindow window = {std::max(cause->span_begin_ns, frame.begin_ns), begun->begin_ns};
  const Work work = work_before(question, begun->lane, what_began(question, begun), cause->surplus_ns / 2, window);
  if (work.lane == kNoIndex || !pass_to(question, work, window, cause)) return;
  cause->flags &= ~uint32_t{FLAMELET_PIECE_PROBABLY};
  pass_to_waker(question, cause);
}

// The system tells once a frame how long a thread had no processor. What other candidates have of that is not left for this.
int64_t lost_by_system_ns(const Question& question, const EvidenceList& list, const Evidence& cause) {
  flamelet_thread_time time;
  if (!flamelet_capture_thread_time(question.capture, question.position, cause.lane, &time) ||
      (time.known & FLAMELET_TIME_READY) == 0)
    return 0;
  int64_t left_ns = time.ready_ns;
  for (const Evidence& other : list)
    if (other.lane == cause.lane && other.has(kLostProcessor)) left_ns -= other.surplus_ns;
  return std::min(left_ns, most_lost_ns(question, cause, 0));
}

// How long a lane's thread had no processor before it began what was asked for, if that is half of that time; else 0. By
// states in that time; without them all that the system tells of the frame may have been then, but for what is told of other
// scopes.
int64_t ready_before(const Question& question, const EvidenceList& list, const Evidence& late, uint32_t lane) {
  const Woken woken = woken_of(question, lane);
  int64_t left_ns = question.explain->lanes.ready_ns(lane, question.position);
  int64_t all_ns = 0, before_ns = 0, asleep_ns = 0;
  for (size_t i = 0; i < question.why.piece_count; ++i) {
    const flamelet_piece& piece = question.why.pieces[i];
    flamelet_state_times times;
    const bool is_before = i + 1 != question.why.piece_count && question.why.pieces[i + 1].lane == lane;
    if (piece.path != late.path || !is_before) continue;
    all_ns += piece.end_ns - piece.begin_ns;
    if (!flamelet_capture_state_times(question.capture, lane, piece.begin_ns, piece.end_ns, &times)) continue;
    before_ns += times.ns[FLAMELET_STATE_TAKEN_OFF];
    asleep_ns += times.ns[FLAMELET_STATE_ASLEEP];
  }
  if (woken.asleep_ns != 0)
    left_ns = before_ns + std::min(asleep_ns, woken.ready_ns);
  else
    for (const Evidence& other : list)
      if (other.lane == lane && other.has(kLostProcessor)) left_ns -= other.surplus_ns;
  return left_ns * 2 >= all_ns ? std::min(left_ns, all_ns) : 0;
}

// What the same thread lost in the same scope, which is a cause already.
Evidence* lost_processor_in(EvidenceList* list, const Evidence& cause) {
  Evidence* const told = std::find_if(list->begin(), list->end(), [&](const Evidence& other) {
    return other.has(kLostProcessor) && other.lane == cause.lane && other.path == cause.path;
  });
  return told == list->end() ? nullptr : told;
}

void charge_states(const Question& question, EvidenceList* list) {
  const uint32_t count = list->count;
  for (uint32_t i = 0; i < count; ++i) {
    Evidence& cause = list->items[i];
    // Work that was asked for and not begun: who began it at last may have had no processor before.
    const bool is_late = cause.has(kNotBegun) && !cause.is_late_told;
    const flamelet_piece* const begun = is_late ? begun_late(question, cause) : nullptr;
    int64_t lost_ns = 0;
    if (begun != nullptr)
      lost_ns = std::min(ready_before(question, *list, cause, begun->lane), cause.surplus_ns);
    else if (cause.knows_states && !cause.has(kLostProcessor))
      lost_ns = std::min(no_processor_ns(cause.states, woken_of(question, cause.lane), false) - cause.no_processor_ns,
                         cause.surplus_ns - more_calls_ns(question, cause));
    else if (cause.was_found && !cause.has(kLostProcessor) && cause.no_processor_ns == 0)
      lost_ns = std::min(lost_by_system_ns(question, *list, cause), cause.surplus_ns);
    if (static_cast<double>(lost_ns) <= question.least_ns) continue;
    // States tell it exactly. What the system adds up may have been lost elsewhere.
    if (begun == nullptr && lost_ns * (cause.knows_states ? 4 : 2) < cause.surplus_ns) continue;
    Evidence* const told = begun == nullptr && cause.knows_states ? lost_processor_in(list, cause) : nullptr;
    if (told != nullptr) {
      const int64_t more_ns = std::clamp<int64_t>(told->time_ns - told->usual_ns - told->surplus_ns, 0, lost_ns);
      told->surplus_ns += more_ns;
      cause.no_processor_ns += more_ns;
      cause.surplus_ns -= more_ns;
      continue;
    }
    // What it did longer beside that stays a cause.
    Evidence rest = cause;
    rest.surplus_ns -= lost_ns;
    rest.no_processor_ns += lost_ns;
    rest.is_late_told = is_late;
    cause.facts = kLostProcessor;
    cause.time_ns = lost_ns;
    cause.surplus_ns = lost_ns;
    cause.usual_ns = cause.spread_ns = 0;
    cause.flags &= ~uint32_t{FLAMELET_CAUSE_AS_USUAL | FLAMELET_PIECE_WAIT};
    const double left_ns = static_cast<double>(rest.surplus_ns);
    if (begun != nullptr) {
      cause.nearest_wait = cause.path;
      if (cause.waiting == FLAMELET_NO_PATH) cause.waiting = cause.path;
      pass_lane(question, begun->lane, &cause);
      cause.object = 0;
      cause.path = what_began(question, begun);
      // What it lost then, it did not lose in another scope.
      const int64_t ready_ns = question.explain->lanes.ready_ns(begun->lane, question.position);
      for (Evidence& other : *list)
        if (other.lane == begun->lane && other.has(kLostProcessor) && &other != &cause)
          other.surplus_ns = std::min(other.surplus_ns, std::max<int64_t>(ready_ns - lost_ns, 0));
      if (rest.surplus_ns > lost_ns) list->add(rest);
    } else if (left_ns > question.least_ns && left_ns > 3 * static_cast<double>(rest.spread_ns)) {
      list->add(rest);
    }
  }
  list->leave_out(question.least_ns);
}

namespace {

// The innermost scope of a lane that took more than half of its longest work in a part of the frame.
uint32_t longest_work(const Question& question, uint32_t index, const WorkWindow& window) {
  FrameLanes& lanes = question.explain->lanes;
  if (index >= lanes.lane_count()) return FLAMELET_NO_PATH;
  const LaneSpans& lane = lanes.lane(index);
  uint32_t found = kNoIndex;
  int64_t most_ns = 0;
  for (uint32_t i = 0; i < lane.count; ++i) {
    const int64_t took_ns = overlap_ns(lane.spans[i], window);
    const bool is_in_it = found != kNoIndex && i < lane.spans[found].subtree_end;
    // Who waits awake has a processor, too.
    const bool slept =
        lanes.waits(lane.spans[i]) && !lanes.was_awake(index, lane.spans[i].begin_ns, lane.spans[i].end_ns);
    if (slept || (is_in_it ? took_ns * 2 <= most_ns : took_ns <= most_ns)) continue;
    found = i;
    most_ns = took_ns;
  }
  return found == kNoIndex ? FLAMELET_NO_PATH : question.explain->path.path_of(index, found);
}

// How long a thread ran in a frame; false if nobody knows. One that ended before the mark is not in the system's list any
// more: its scopes tell how long it can have run.
bool ran_in_frame(const Question& question, uint32_t lane, int64_t* ran_ns) {
  const flamelet_frame_info& frame = question.why.frame;
  flamelet_state_times states;
  flamelet_thread_time time;
  const bool knows_states =
      flamelet_capture_state_times(question.capture, lane, frame.begin_ns, frame.end_ns, &states) &&
      states.ns[FLAMELET_STATE_UNKNOWN] * 10 < frame.end_ns - frame.begin_ns;
  const bool knows_times = flamelet_capture_thread_time(question.capture, question.position, lane, &time);
  *ran_ns = knows_states  ? states.ns[FLAMELET_STATE_RUNNING]
            : knows_times ? time.ran_ns
                          : busy_ns(&question.explain->lanes, question.explain->lanes.lane(lane), frame);
  return knows_states || knows_times;
}

}  // namespace

void note_rivals(const Question& question, EvidenceList* list) {
  const flamelet_frame_info& frame = question.why.frame;
  for (Evidence& cause : *list) {
    if (!cause.has(kLostProcessor) || note_who_ran(question, &cause) || note_who_kept(question, &cause)) continue;
    FrameLanes& lanes = question.explain->lanes;
    double sum_ns = 0, most_ns = 0, all_ns = 0, all_usual_ns = 0, guessed_ns = 0;
    uint32_t most_lane = kNoIndex;
    for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane) {
      if (lanes.kind(lane) != FLAMELET_LANE_THREAD) continue;
      // A longer frame alone makes every busy thread run longer.
      const double usual_ns =
          usual_share(question.capture, question.position, lane) * static_cast<double>(frame.end_ns - frame.begin_ns);
      int64_t ran_in_frame_ns = 0;
      const bool is_known = ran_in_frame(question, lane, &ran_in_frame_ns);
      const auto ran_ns = static_cast<double>(ran_in_frame_ns);
      all_ns += ran_ns;
      all_usual_ns += usual_ns;
      if (lane == cause.lane) continue;
      if (ran_ns > usual_ns) sum_ns += ran_ns - usual_ns;
      if (ran_ns > usual_ns && !is_known) guessed_ns += ran_ns - usual_ns;
      if (ran_ns - usual_ns <= most_ns) continue;
      most_ns = ran_ns - usual_ns;
      most_lane = lane;
    }
    // If all of them together had less than usual, then somebody else had the processors; unless one of them had as much more
    // as was lost.
    // With a third of that, it is said, too.
    const auto lost_ns = static_cast<double>(cause.time_ns);
    if (all_ns < 0.8 * all_usual_ns && most_ns * 10 < lost_ns * 7) cause.flags |= FLAMELET_CAUSE_OTHERS_RAN;
    const bool others_ran = (cause.flags & FLAMELET_CAUSE_OTHERS_RAN) != 0;
    if (others_ran ? most_ns * 3 < lost_ns : sum_ns * 2 < static_cast<double>(cause.surplus_ns)) continue;
    cause.rivals_ns = guessed_ns * 2 > sum_ns ? 0 : static_cast<int64_t>(sum_ns);
    cause.rival_lane = most_lane;
    cause.rival_path = longest_work(question, most_lane, {frame.begin_ns, frame.end_ns});
  }
}

void note_page_faults(flamelet_explain* explain, EvidenceList* list) {
  for_each_faulted(explain, list, kMajorFaults, [](Evidence* cause, uint32_t faults) { cause->major_faults = faults; });
  // A fault that clears a page takes a quarter of a microsecond, and in a virtual machine up to eight. If the most that they
  // can have taken is not even half of the surplus, they are not worth a word; if the least is a twentieth, they say enough.
  constexpr int64_t kLeastFaultNs = 250, kMostFaultNs = 8000;
  for_each_faulted(explain, list, kMinorFaults, [list](Evidence* cause, uint32_t faults) {
    if (faults * kMostFaultNs * 2 < cause->surplus_ns) return;
    cause->minor_faults = faults;
    if (faults * kLeastFaultNs * 20 < cause->surplus_ns) return;
    // They say what the scope itself did, and no further scope would; unless another scope may have had them.
    if (cause->has(kIsOwnTime) && is_only_own_time(*list, *cause)) cause->facts |= kTookFaults;
  });
}

bool find_longest_sleep(const Question& question, uint32_t lane, const WorkWindow& window, flamelet_state* sleep,
                        flamelet_state* after) {
  flamelet_state* const states = question.explain->items->states;
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, question.capture, lane, window.begin_ns, window.end_ns, states,
                              FLAMELET_CURSOR_LEAST);
  flamelet_state last = {};
  bool is_found = false;
  for (; flamelet_state_cursor_next(&cursor); last = states[cursor.count - 1]) {
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_state& before = i == 0 ? last : states[i - 1];
      if (before.kind != FLAMELET_STATE_ASLEEP) continue;
      if (is_found && before.end_ns - before.begin_ns <= sleep->end_ns - sleep->begin_ns) continue;
      *sleep = before;
      *after = states[i];
      is_found = true;
    }
  }
  return is_found;
}

void note_states(const Question& question, EvidenceList* list) {
  for (Evidence& cause : *list) {
    cause.knows_states = (cause.facts & (kStoodStill | kIsWait)) == 0 && read_states(question, cause, &cause.states);
  }
}

bool note_who_ran(const Question& question, Evidence* cause) {
  constexpr uint32_t kMost = 16;
  struct Rival {
    uint32_t lane;
    int64_t ran_ns;
    WorkWindow longest;  // in the cause's scope, or else the first one
    int64_t longest_ns;
  } rivals[kMost];
  uint32_t count = 0;
  int64_t sum_ns = 0;
  flamelet_state* const states = question.explain->items->states;
  flamelet_state_cursor cursor;
  const flamelet_frame_info& frame = question.why.frame;
  const WorkWindow call = window_of(*cause, frame);
  flamelet_state_cursor_start(&cursor, question.capture, cause->lane, frame.begin_ns, frame.end_ns, states,
                              FLAMELET_CURSOR_LEAST);
  while (flamelet_state_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      if (states[i].kind != FLAMELET_STATE_TAKEN_OFF) continue;
      const WorkWindow window = {std::max(states[i].begin_ns, frame.begin_ns),
                                 std::min(states[i].end_ns, frame.end_ns)};
      const int64_t took_ns = window.end_ns - window.begin_ns;
      sum_ns += took_ns;
      Rival* const rival = std::find_if(rivals, rivals + count, [&](const Rival& r) { return r.lane == states[i].by; });
      if (rival == rivals + count && count == kMost) continue;
      if (rival == rivals + count) rivals[count++] = {states[i].by, 0, window, 0};
      rival->ran_ns += took_ns;
      const WorkWindow here = {std::max(window.begin_ns, call.begin_ns), std::min(window.end_ns, call.end_ns)};
      if (here.end_ns - here.begin_ns <= rival->longest_ns) continue;
      rival->longest = here;
      rival->longest_ns = here.end_ns - here.begin_ns;
    }
  }
  if (count == 0 || sum_ns * 2 < cause->surplus_ns) return false;
  // Threads of the program are one by one what another program is as a whole.
  const Rival* most = nullptr;
  uint32_t own_count = 0;
  int64_t own_ns = 0, others_ns = 0;
  for (const Rival* rival = rivals; rival != rivals + count; ++rival) {
    if (rival->lane == FLAMELET_BY_OTHERS) {
      others_ns += rival->ran_ns;
      continue;
    }
    own_ns += rival->ran_ns;
    own_count += rival->ran_ns * 10 >= sum_ns;
    if (most == nullptr || rival->ran_ns > most->ran_ns) most = rival;
  }
  const bool is_own = most != nullptr && own_ns * 2 >= others_ns;
  cause->rival_lane = is_own ? most->lane : FLAMELET_BY_OTHERS;
  cause->rivals_ns = is_own ? own_ns : others_ns;
  cause->threads = is_own ? std::max(own_count, 1u) : 0;
  cause->others_ns = is_own && others_ns * 4 >= sum_ns ? others_ns : 0;
  if (is_own && most->lane < FLAMELET_BY_UNKNOWN) cause->rival_path = longest_work(question, most->lane, most->longest);
  cause->flags |= FLAMELET_CAUSE_TAKEN_OFF;
  return true;
}

bool note_who_kept(const Question& question, Evidence* cause) {
  flamelet_state sleep, after;
  if (!find_longest_sleep(question, cause->lane, {question.why.frame.begin_ns, question.why.frame.end_ns}, &sleep,
                          &after))
    return false;
  const int64_t ready_ns = question.explain->lanes.ready_ns(cause->lane, question.position);
  const int64_t since_ns = std::max(sleep.begin_ns, sleep.end_ns - ready_ns);
  constexpr uint32_t kMost = 64;
  int64_t ran_ns[kMost] = {}, sum_ns = 0;
  flamelet_processor_run* const runs = question.explain->items->runs;
  flamelet_processor_cursor cursor;
  flamelet_processor_cursor_start(&cursor, question.capture, since_ns, sleep.end_ns, runs, FLAMELET_CURSOR_LEAST);
  while (flamelet_processor_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      if (runs[i].processor != after.processor || runs[i].by == cause->lane || runs[i].by >= kMost) continue;
      ran_ns[runs[i].by] += runs[i].end_ns - runs[i].begin_ns;
      sum_ns += runs[i].end_ns - runs[i].begin_ns;
    }
  }
  // Where it waited before it was put there is not known.
  if (sum_ns * 10 < cause->surplus_ns * 8) return false;
  cause->rival_lane = static_cast<uint32_t>(std::max_element(ran_ns, ran_ns + kMost) - ran_ns);
  cause->rivals_ns = sum_ns;
  cause->threads =
      static_cast<uint32_t>(std::count_if(ran_ns, ran_ns + kMost, [&](int64_t ns) { return ns * 10 >= sum_ns; }));
  cause->rival_path = longest_work(question, cause->rival_lane, {since_ns, sleep.end_ns});
  cause->flags |= FLAMELET_CAUSE_TAKEN_OFF | FLAMELET_CAUSE_KEPT_OFF;
  return true;
}

}  // namespace flamelet::explain
