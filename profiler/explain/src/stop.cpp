// SPDX-License-Identifier: MIT
//
// stop.cpp: a stop of the whole program: a signal, a debugger, a machine that slept, or others that had all processors. No
// thread has an event in that time, though several were in the middle of something. States of threads say the rest. Without
// them, the scopes of two threads at least must have taken longer than usual by as much, and none can have run meanwhile.
#include <algorithm>
#include <cstdlib>

#include "evidence.h"

namespace flamelet::explain {
namespace {

constexpr uint32_t kMostThreads = 64;  // that are looked at
constexpr int64_t kTogetherNs = 2000;  // nobody wakes another thread that fast

struct Stop {
  int64_t begin_ns, end_ns;
  uint32_t threads;     // that were at work
  uint32_t lane, path;  // of one of them
  bool had_work;        // they could have run
  bool is_known;        // the system says that none ran
};

class StopFinder {
 public:
  explicit StopFinder(const Question& question)
      : question_(question), explain_(*question.explain), frame_(question.why.frame) {}

  const flamelet_piece* piece() const { return piece_; }
  bool find(Stop* stop) {
    for (size_t i = 0; i < question_.why.piece_count; ++i) {
      const flamelet_piece& piece = question_.why.pieces[i];
      if (piece_ == nullptr || length_of(piece) > length_of(*piece_)) piece_ = &piece;
    }
    if (piece_ == nullptr || !is_long(length_of(*piece_))) return false;
    FrameLanes& lanes = explain_.lanes;
    middle_ns_ = piece_->begin_ns + length_of(*piece_) / 2;
    Standing own = {};
    if (is_standing(piece_->lane, piece_->begin_ns, piece_->end_ns, &own) && own.end_ns > own.begin_ns)
      middle_ns_ = own.begin_ns + (own.end_ns - own.begin_ns) / 2;
    begin_ns_ = frame_.begin_ns;
    end_ns_ = frame_.end_ns;
    for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane)
      if (lanes.kind(lane) == FLAMELET_LANE_THREAD) leave_out_events(lane);
    if (!lanes.is_whole() || !is_long(end_ns_ - begin_ns_)) return false;
    return is_seen_in_states(stop) || is_seen_in_scopes(stop);
  }

 private:
  // A thread that did not run.
  struct Standing {
    int64_t begin_ns, end_ns;
    bool had_work;
    bool was_at_work;  // in a scope that is no wait
    uint32_t lane, path;
  };

  static int64_t length_of(const flamelet_piece& piece) { return piece.end_ns - piece.begin_ns; }
  bool is_long(int64_t ns) const {
    return static_cast<double>(ns) > question_.least_ns && ns * 4 >= question_.why.surplus_ns;
  }

  // What is left around the middle is before and after everything that a lane did.
  void leave_out_events(uint32_t at) {
    const LaneSpans& lane = explain_.lanes.lane(at);
    uint32_t begun = kNoIndex;
    const Place place = FrameLanes::innermost(lane, middle_ns_, frame_.begin_ns, &begun);
    begin_ns_ = std::max(begin_ns_, place.low_ns);
    if (place.span != kNoIndex) end_ns_ = std::min(end_ns_, lane.spans[place.span].end_ns);
    if (begun < lane.count) end_ns_ = std::min(end_ns_, lane.spans[begun].begin_ns);
    flamelet_point_cursor cursor;
    flamelet_point_cursor_start(&cursor, question_.capture, at, begin_ns_, end_ns_, explain_.items->points,
                                FLAMELET_CURSOR_LEAST);
    while (flamelet_point_cursor_next(&cursor)) {
      for (size_t i = 0; i < cursor.count; ++i) {
        const int64_t time_ns = explain_.items->points[i].time_ns;
        int64_t& side_ns = time_ns <= middle_ns_ ? begin_ns_ : end_ns_;
        side_ns = time_ns <= middle_ns_ ? std::max(side_ns, time_ns) : std::min(side_ns, time_ns);
      }
    }
  }

  // The time in which a thread did not run that has most of a window, whole; none if it ran all the time. False if that is
  // not known.
  bool is_standing(uint32_t lane, int64_t begin_ns, int64_t end_ns, Standing* longest) const {
    flamelet_state_cursor cursor;
    flamelet_state_cursor_start(&cursor, question_.capture, lane, begin_ns, end_ns, explain_.items->states,
                                FLAMELET_CURSOR_LEAST);
    Standing now = {};
    int64_t most_ns = 0;
    bool is_known = true;
    while (is_known && flamelet_state_cursor_next(&cursor)) {
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_state& state = explain_.items->states[i];
        is_known = is_known && state.kind != FLAMELET_STATE_UNKNOWN;
        const bool ran_another = state.kind == FLAMELET_STATE_TAKEN_OFF && state.by == FLAMELET_BY_UNKNOWN;
        if (state.kind == FLAMELET_STATE_RUNNING || ran_another) {
          now = {};
          continue;
        }
        if (now.end_ns != state.begin_ns) now = {state.begin_ns, 0, true, false, 0, 0};
        now.end_ns = state.end_ns;
        now.had_work = now.had_work && state.kind == FLAMELET_STATE_TAKEN_OFF;
        const int64_t in_window_ns = std::min(now.end_ns, end_ns) - std::max(now.begin_ns, begin_ns);
        if (in_window_ns <= most_ns) continue;
        most_ns = in_window_ns;
        *longest = now;
      }
      if (longest->end_ns == 0) longest->end_ns = longest->begin_ns = begin_ns;
    }
    return is_known && longest->end_ns != 0;
  }

  // The innermost scope of a lane in the middle of the stop, unless it waits there.
  uint32_t work_of(uint32_t lane) {
    uint32_t begun = kNoIndex;
    const LaneSpans& spans = explain_.lanes.lane(lane);
    const uint32_t span = FrameLanes::innermost(spans, middle_ns_, frame_.begin_ns, &begun).span;
    return span != kNoIndex && explain_.lanes.waits(spans.spans[span]) ? kNoIndex : span;
  }

  // Whether a thread went on when another one, which had gone on before, ended what it had been at: it had waited for that.
  bool was_woken(const Standing& at, const Standing* standing, uint32_t count) {
    return std::any_of(standing, standing + count, [&](const Standing& other) {
      if (!other.was_at_work || other.lane == at.lane || other.end_ns + kTogetherNs > at.end_ns) return false;
      uint32_t begun = kNoIndex;
      const LaneSpans& spans = explain_.lanes.lane(other.lane);
      const uint32_t span = FrameLanes::innermost(spans, middle_ns_, frame_.begin_ns, &begun).span;
      const int64_t apart_ns = at.end_ns - spans.spans[span].end_ns;
      return std::abs(apart_ns) <= explain_.config.tolerance_ns;
    });
  }

  // No thread ran, and at least two that were in the middle of a scope stopped at the same time, and went on together. One
  // that stopped at another time slept by itself. So did one alone, unless one that slept before went on with it in the same
  // two microseconds: neither can have woken the other one.
  bool is_seen_in_states(Stop* stop) {
    Standing standing[kMostThreads];
    uint32_t count = 0;
    int64_t begin_ns = begin_ns_, end_ns = end_ns_;
    for (uint32_t lane = 0; lane < explain_.lanes.lane_count() && count < kMostThreads; ++lane) {
      if (explain_.lanes.kind(lane) != FLAMELET_LANE_THREAD) continue;
      Standing found = {};
      if (!is_standing(lane, begin_ns_, end_ns_, &found)) continue;
      begin_ns = std::max(begin_ns, found.begin_ns);
      end_ns = std::min(end_ns, found.end_ns);
      const uint32_t span = work_of(lane);
      found.was_at_work = span != kNoIndex;
      found.lane = lane;
      if (found.was_at_work) found.path = explain_.path.path_of(lane, span);
      standing[count++] = found;
    }
    if (!is_long(end_ns - begin_ns)) return false;
    // They stop at once, and each goes on when it gets a processor.
    const int64_t apart_ns = 300000 + (end_ns - begin_ns) / 100;
    const int64_t slack_ns = std::max<int64_t>((end_ns - begin_ns) / 20, 1000000);
    *stop = {begin_ns, end_ns, 0, kNoIndex, FLAMELET_NO_PATH, true, true};
    int64_t went_on_ns = 0;
    uint32_t could_run = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const Standing& at = standing[i];
      if (!at.was_at_work || at.begin_ns + apart_ns < begin_ns || at.end_ns - slack_ns > end_ns) continue;
      if (was_woken(at, standing, count)) continue;
      ++stop->threads;
      stop->lane = at.lane;
      stop->path = at.path;
      could_run += at.had_work;
      went_on_ns = at.end_ns;
    }
    stop->had_work = could_run != 0;
    // One that had no processor beside one that slept are two things.
    if (could_run != 0 && could_run != stop->threads) return false;
    if (stop->threads >= 2) return true;
    return stop->threads == 1 && !stop->had_work && std::any_of(standing, standing + count, [&](const Standing& at) {
             const bool slept_before = !at.was_at_work && at.begin_ns < begin_ns;
             return slept_before && at.end_ns - went_on_ns <= kTogetherNs && went_on_ns - at.end_ns <= kTogetherNs;
           });
  }

  // At least two threads took longer than usual by most of the time, in different scopes that do not end together; or in
  // any, where the system says that neither ran. No thread can have run meanwhile.
  bool is_seen_in_scopes(Stop* stop) {
    struct AtWork {
      uint32_t lane, path;
      int64_t took_ns, end_ns;
      bool is_known;
      int64_t ready_ns, ready_in_stop_ns;  // the least of it that was in the stop
      uint64_t together;                   // with which of these it ends
    } at_work[kMostThreads];
    uint32_t count = 0;
    const int64_t stop_ns = end_ns_ - begin_ns_, rest_ns = frame_.end_ns - frame_.begin_ns - stop_ns;
    for (uint32_t lane = 0; lane < explain_.lanes.lane_count() && count < kMostThreads; ++lane) {
      if (explain_.lanes.kind(lane) != FLAMELET_LANE_THREAD) continue;
      flamelet_thread_time time;
      const bool is_known = flamelet_capture_thread_time(question_.capture, question_.position, lane, &time) &&
                            (time.known & FLAMELET_TIME_RAN) != 0;
      Standing standing = {};
      if (is_standing(lane, begin_ns_, end_ns_, &standing) &&
          (std::min(standing.end_ns, end_ns_) - std::max(standing.begin_ns, begin_ns_)) * 10 < stop_ns * 9)
        return false;  // it ran
      if (is_known && (time.ran_ns > rest_ns + stop_ns / 10 || ran_longer(lane, time.ran_ns, stop_ns))) return false;
      const uint32_t span = work_of(lane);
      if (span == kNoIndex || (!is_known && may_idle(lane))) continue;
      const flamelet_span& scope = explain_.lanes.lane(lane).spans[span];
      at_work[count++] = {lane,
                          explain_.path.path_of(lane, span),
                          scope.end_ns - scope.begin_ns,
                          scope.end_ns,
                          is_known,
                          is_known ? time.ready_ns : 0,
                          is_known ? time.ran_ns + time.ready_ns - rest_ns : 0,
                          0};
    }
    if (count < 2) return false;
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t other = 0; other < count; ++other)
        if (ends_with(at_work[i].end_ns, at_work[other].lane, at_work[i].is_known && at_work[other].is_known))
          at_work[i].together |= uint64_t{1} << other;
    *stop = {begin_ns_, end_ns_, 0, kNoIndex, FLAMELET_NO_PATH, false, false};
    uint32_t could_run = 0;
    bool has_starved = false;
    uint32_t paths[kMostThreads], path_count = 0, known = 0;
    JobUsual usual[kMostThreads];
    for (uint32_t i = 0; i < count; ++i) {
      const auto at = static_cast<uint32_t>(std::find(paths, paths + path_count, at_work[i].path) - paths);
      if (at == path_count) {
        usual[at] = usual_job(question_, at_work[i].path, frame_.begin_ns);
        paths[path_count++] = at_work[i].path;
      }
      has_starved = has_starved || at_work[i].ready_ns * 2 > stop_ns;
      if (usual[at].calls == 0) continue;
      const int64_t longer_ns = at_work[i].took_ns - static_cast<int64_t>(usual[at].call_ns);
      if (longer_ns * 10 < stop_ns * 7) {
        if (!at_work[i].is_known) return false;  // it was as fast as ever
        continue;
      }
      ++stop->threads;
      stop->lane = at_work[i].lane;
      stop->path = at_work[i].path;
      known += at_work[i].is_known;
      // One that had no processor beside one that slept are two things.
      if (at_work[i].ready_ns * 2 > stop_ns)
        ++could_run;
      else if (at_work[i].ready_in_stop_ns * 10 > stop_ns)
        return false;
      stop->end_ns = std::min(stop->end_ns, begin_ns_ + longer_ns);
      at_work[i].path |= kIsLonger;
    }
    stop->had_work = could_run != 0;
    if (has_starved && could_run != stop->threads) return false;
    // Two threads may lose their processors to others of the program, which record nothing.
    if (stop->had_work && could_run < 3) return false;
    stop->is_known = known >= 2;
    return stop->threads >= 2 && differ(at_work, count, stop->is_known || stop->had_work);
  }

  // Of a thread whose times are unknown: a thread that is always in some scope waits in one of them, marked or not, and that
  // one is longer in each longer frame.
  bool may_idle(uint32_t lane) {
    const int64_t between_ns =
        frame_.end_ns - frame_.begin_ns - busy_ns(&explain_.lanes, explain_.lanes.lane(lane), frame_);
    return lane != question_.why.main_lane && between_ns * 20 < question_.why.usual_ns;
  }

  // Whether a thread ran in the stop, though the scope that it was in is longer than usual by as much: it ran longer than
  // usual by half of the stop, and longer than its scopes leave beside half of it.
  bool ran_longer(uint32_t lane, int64_t ran_ns, int64_t stop_ns) {
    const double usual_ns = usual_ran_ns(question_, lane);
    return usual_ns >= 0 && static_cast<double>(ran_ns) > usual_ns + static_cast<double>(stop_ns) / 2 &&
           ran_ns > busy_ns(&explain_.lanes, explain_.lanes.lane(lane), frame_) - stop_ns / 2;
  }

  static constexpr uint32_t kIsLonger = 1u << 31;
  // Whether there are two that are longer, and neither ends with a scope of the other's thread, as if it had waited for that.
  // Nor are they the same scope, unless it is known that neither ran.
  template <class AtWork>
  bool differ(const AtWork* at_work, uint32_t count, bool may_be_same) const {
    for (uint32_t first = 0; first < count; ++first) {
      for (uint32_t i = first + 1; i < count; ++i) {
        const bool are_longer = (at_work[i].path & at_work[first].path & kIsLonger) != 0;
        const bool are_together = (at_work[i].together >> first & 1) != 0 || (at_work[first].together >> i & 1) != 0;
        if (are_longer && !are_together && (may_be_same || !is_same_scope(at_work[i].path, at_work[first].path)))
          return true;
      }
    }
    return false;
  }
  bool is_same_scope(uint32_t path, uint32_t other) const {
    const flamelet_explain_scope& a = explain_.paths[path & ~kIsLonger];
    const flamelet_explain_scope& b = explain_.paths[other & ~kIsLonger];
    return a.site == b.site && a.name == b.name;
  }
  // `is_known`: that neither ran. Then what the other one did afterwards does not count.
  bool ends_with(int64_t end_ns, uint32_t lane, bool is_known) {
    const int64_t together_ns = is_known ? std::min<int64_t>(explain_.config.tolerance_ns, 20000)
                                         : explain_.config.tolerance_ns + (end_ns_ - begin_ns_) / 100;
    const LaneSpans& spans = explain_.lanes.lane(lane);
    return std::any_of(spans.spans, spans.spans + spans.count, [&](const flamelet_span& span) {
      const bool is_at_hand = !is_known || (span.begin_ns <= begin_ns_ && span.end_ns >= end_ns_);
      return is_at_hand && span.end_ns - end_ns <= together_ns && end_ns - span.end_ns <= together_ns;
    });
  }

  const Question& question_;
  flamelet_explain& explain_;
  const flamelet_frame_info& frame_;
  const flamelet_piece* piece_ = nullptr;
  int64_t middle_ns_ = 0, begin_ns_ = 0, end_ns_ = 0;
};

}  // namespace

void look_for_stop(const Question& question, EvidenceList* list) {
  StopFinder finder(question);
  Stop stop;
  if (!finder.find(&stop)) return;
  const flamelet_piece& piece = *finder.piece();
  Evidence cause = no_evidence();
  cause.facts = kStoodStill;
  const bool is_wait = (piece.flags & FLAMELET_PIECE_WAIT) != 0;  // one that was at work says more
  cause.path = is_wait ? stop.path : piece.path;
  cause.lane = is_wait ? stop.lane : piece.lane;
  cause.waiting = is_wait ? FLAMELET_NO_PATH : piece.waiting;
  cause.nearest_wait = is_wait ? FLAMELET_NO_PATH : piece.nearest_wait;
  cause.flags =
      (stop.had_work ? uint32_t{FLAMELET_CAUSE_HAD_WORK} : 0) | (stop.is_known ? 0 : uint32_t{FLAMELET_PIECE_PROBABLY});
  cause.calls = 1;
  cause.time_ns = cause.surplus_ns = stop.end_ns - stop.begin_ns;
  cause.threads = stop.threads;
  cause.span_begin_ns = stop.begin_ns;
  cause.span_end_ns = stop.end_ns;
  list->add(cause);
  question.explain->path.take_out(stop.begin_ns, stop.end_ns);
}

}  // namespace flamelet::explain
