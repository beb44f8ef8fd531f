// SPDX-License-Identifier: MIT
//
// stop.cpp: a stop of the whole program: a signal, a debugger, a machine that slept, or others that had all processors. No
// thread has an event in that time. Where states of threads are known, they decide: a signal wakes each thread that sleeps,
// and it stops instead; when the program goes on, it is woken again, and sleeps on. Without them, the scopes of two threads at
// least must have taken longer than usual by as much, and none can have run meanwhile.
#include <algorithm>
#include <cstdlib>

#include "evidence.h"

namespace flamelet::explain {
namespace {

constexpr uint32_t kMostThreads = 64;  // that are looked at
constexpr int64_t kTogetherNs = 2000;  // nobody wakes another thread that fast
constexpr int64_t kSignalNs = 100000;  // takes no longer from the first thread to the last one

struct Stop {
  int64_t begin_ns, end_ns;
  uint32_t threads;     // that were at work
  uint32_t lane, path;  // of one of them; kNoIndex: none was
  bool had_work;        // they could have run
  bool is_known;        // the system says that none ran
};

// What a thread did while no lane had an event.
struct Thread {
  uint32_t lane;
  // Its innermost scope; kNoIndex: none was open.
  uint32_t path;
  bool is_at_work;  // that is no wait
  int64_t scope_begin_ns, scope_end_ns;
  // By states: the time without running that has most of it; by begin_ns == end_ns none.
  bool knows_states;
  int64_t begin_ns, end_ns;
  bool had_work;    // it could have run all the time
  bool was_called;  // it had slept before, and ran for a moment in which it did nothing
  int64_t off_ns;   // the same where it had been taken off before that: for how long
  // By the system's times of the frame.
  bool knows_times;
  int64_t ran_ns, ready_ns;
  int64_t woken_ready_ns;  // without a processor after a sleep; 0 if states are not known

  // When it was called, if that took place: one that got a processor late stops later.
  int64_t called_ns() const { return begin_ns - (was_called ? woken_ready_ns : off_ns); }
};

bool is_much_longer(const flamelet_explanation& why) {
  return (why.flags & (FLAMELET_EXPLAIN_UNUSUAL | FLAMELET_EXPLAIN_OVER_BUDGET)) != 0 ||
         why.surplus_ns * 2 > why.usual_ns;
}

class StopFinder {
 public:
  explicit StopFinder(const Question& question)
      : question_(question), explain_(*question.explain), frame_(question.why.frame) {}

  Stillness still() const {
    Stillness still = {{begin_ns_, end_ns_}, end_ns_ - begin_ns_};
    for (uint32_t i = 0; i < count_; ++i) still.most_ns = std::min(still.most_ns, most_still_ns(threads_[i]));
    return still;
  }
  // The longest piece of the path in the time in which no lane had an event; null: none.
  const flamelet_piece* piece() const {
    const flamelet_piece* most = nullptr;
    int64_t most_ns = 0;
    for (const flamelet_piece *at = question_.why.pieces, *end = at + question_.why.piece_count; at != end; ++at) {
      const int64_t ns = std::min(at->end_ns, end_ns_) - std::max(at->begin_ns, begin_ns_);
      if (ns <= most_ns) continue;
      most_ns = ns;
      most = at;
    }
    return most;
  }
  // Goes to the next longest time in which no lane had an event. False: no further one is long enough.
  bool next() {
    FrameLanes& lanes = explain_.lanes;
    lanes.start(question_.capture, frame_.begin_ns, frame_.end_ns);
    const int64_t least_ns = least_long_ns(), before_begin_ns = begin_ns_, before_end_ns = end_ns_;
    const bool is_first = before_end_ns == 0;
    int64_t most_begin_ns = 0, most_end_ns = 0;
    // One that is long enough holds one of these times.
    for (int64_t at_ns = frame_.begin_ns + least_ns; at_ns < frame_.end_ns;
         at_ns = std::max(at_ns + least_ns, end_ns_ + 1)) {
      find_window(at_ns, least_ns);
      const int64_t ns = end_ns_ - begin_ns_, before_ns = before_end_ns - before_begin_ns;
      const bool comes_later = is_first || ns < before_ns || (ns == before_ns && begin_ns_ > before_begin_ns);
      if (!comes_later || ns < least_ns || ns <= most_end_ns - most_begin_ns) continue;
      most_begin_ns = begin_ns_;
      most_end_ns = end_ns_;
    }
    count_ = 0;
    begin_ns_ = most_begin_ns;
    end_ns_ = most_end_ns;
    return lanes.is_whole() && most_end_ns > most_begin_ns;
  }
  bool find(Stop* stop) {
    middle_ns_ = begin_ns_ + (end_ns_ - begin_ns_) / 2;
    look_at_threads();
    const bool knows_all = std::all_of(threads_, threads_ + count_, [](const Thread& at) { return at.knows_states; });
    return (is_seen_in_states(stop) ||
            (!knows_all && none_ran() && (is_seen_in_scopes(stop) || is_seen_in_clocks(stop)))) &&
           says_enough(*stop);
  }

 private:
  // A shorter one does not explain the frame, or is not worth the time that it takes to look for it.
  int64_t least_long_ns() const {
    constexpr int64_t kMostTimes = 64;
    const int64_t part_ns = (question_.why.surplus_ns + 3) / 4, frame_ns = frame_.end_ns - frame_.begin_ns;
    return std::max({static_cast<int64_t>(question_.least_ns) + 1, part_ns, frame_ns / kMostTimes + 1});
  }
  bool is_long(int64_t ns) const { return ns >= least_long_ns(); }

  // Threads often lose their processors at once. In a frame that is not much longer than usual, they do many things at once.
  bool says_enough(const Stop& stop) const {
    const int64_t stop_ns = stop.end_ns - stop.begin_ns;
    if (is_much_longer(question_.why)) return !stop.had_work || stop_ns * 2 >= question_.why.surplus_ns;
    return !stop.had_work && (stop.is_known || stop_ns * 2 > question_.why.usual_ns);
  }

  // What is left around a time is before and after everything that a lane did; it may be too short whole.
  void find_window(int64_t at_ns, int64_t least_ns) {
    FrameLanes& lanes = explain_.lanes;
    middle_ns_ = at_ns;
    begin_ns_ = frame_.begin_ns;
    end_ns_ = frame_.end_ns;
    for (const bool of_points : {false, true})
      for (uint32_t lane = 0; lane < lanes.lane_count() && end_ns_ - begin_ns_ >= least_ns; ++lane)
        if (lanes.kind(lane) == FLAMELET_LANE_THREAD) of_points ? leave_out_points(lane) : leave_out_spans(lane);
  }
  void leave_out_spans(uint32_t at) {
    const LaneSpans& lane = explain_.lanes.lane(at);
    uint32_t begun = kNoIndex;
    const Place place = FrameLanes::innermost(lane, middle_ns_, frame_.begin_ns, &begun);
    begin_ns_ = std::max(begin_ns_, place.low_ns);
    if (place.span != kNoIndex) end_ns_ = std::min(end_ns_, lane.spans[place.span].end_ns);
    if (begun < lane.count) end_ns_ = std::min(end_ns_, lane.spans[begun].begin_ns);
  }
  void leave_out_points(uint32_t at) {
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

  void look_at_threads() {
    flamelet_thread_time main;
    knows_times_ = flamelet_capture_thread_time(question_.capture, question_.position, question_.why.main_lane, &main);
    for (uint32_t lane = 0; lane < explain_.lanes.lane_count() && count_ < kMostThreads; ++lane) {
      if (explain_.lanes.kind(lane) != FLAMELET_LANE_THREAD) continue;
      Thread& at = threads_[count_];
      at = {};
      at.lane = lane;
      uint32_t begun = kNoIndex;
      const LaneSpans& spans = explain_.lanes.lane(lane);
      const Place place = FrameLanes::innermost(spans, middle_ns_, frame_.begin_ns, &begun);
      at.path = kNoIndex;
      if (place.span != kNoIndex) {
        at.is_at_work = !explain_.lanes.waits(spans.spans[place.span]);
        at.path = explain_.path.path_of(lane, place.span);
        at.scope_begin_ns = spans.spans[place.span].begin_ns;
        at.scope_end_ns = spans.spans[place.span].end_ns;
      }
      flamelet_thread_time time;
      at.knows_times = flamelet_capture_thread_time(question_.capture, question_.position, lane, &time) &&
                       (time.known & FLAMELET_TIME_RAN) != 0;
      // One that has ended sleeps for ever.
      if (place.span == kNoIndex && !at.knows_times && knows_times_) continue;
      ++count_;
      if (at.knows_times) {
        at.ran_ns = time.ran_ns;
        at.ready_ns = time.ready_ns;
        at.woken_ready_ns = woken_ready_ns(question_, lane);
      }
      at.knows_states = read_states(begin_ns_, end_ns_, place.low_ns, &at);
    }
  }

  // Reads when a thread did not run for most of a window, whole; it has had no event since `still_since_ns`. False if that is
  // not known.
  bool read_states(int64_t begin_ns, int64_t end_ns, int64_t still_since_ns, Thread* at) const {
    constexpr int64_t kBeforeNs = 2000000, kMostCalledNs = 1000000;
    flamelet_state_cursor cursor;
    flamelet_state_cursor_start(&cursor, question_.capture, at->lane, begin_ns - kBeforeNs, end_ns,
                                explain_.items->states, FLAMELET_CURSOR_LEAST);
    Thread now = *at;
    int64_t most_ns = 0, awake_since_ns = INT64_MIN, off_ns = 0, back_since_ns = INT64_MIN;
    uint32_t kind = FLAMELET_STATE_UNKNOWN;
    bool is_known = true, is_told = false, has_slept = false;
    at->begin_ns = at->end_ns = begin_ns;
    while (is_known && flamelet_state_cursor_next(&cursor)) {
      for (size_t i = 0; i < cursor.count; ++i) {
        const flamelet_state& state = explain_.items->states[i];
        is_known = is_known && (state.kind != FLAMELET_STATE_UNKNOWN || state.end_ns <= begin_ns);
        is_told = is_told || state.end_ns > begin_ns;
        const uint32_t kind_before = kind;
        kind = state.kind;
        if (kind == FLAMELET_STATE_TAKEN_OFF)
          off_ns = state.end_ns - state.begin_ns + (kind_before == kind ? off_ns : 0);
        else if (kind == FLAMELET_STATE_RUNNING)
          back_since_ns = kind_before == FLAMELET_STATE_TAKEN_OFF ? state.begin_ns : INT64_MIN;
        const bool ran_another = state.kind == FLAMELET_STATE_TAKEN_OFF && state.by == FLAMELET_BY_UNKNOWN;
        if (state.kind == FLAMELET_STATE_RUNNING || state.kind == FLAMELET_STATE_UNKNOWN || ran_another) {
          if (now.end_ns == state.begin_ns && !now.had_work) {
            awake_since_ns = state.begin_ns;
            has_slept = true;
          }
          now.end_ns = 0;
          continue;
        }
        // Two sleeps without a pause have a moment between them, in which it ran.
        const bool slept = !now.had_work && state.kind != FLAMELET_STATE_TAKEN_OFF;
        if (now.end_ns != state.begin_ns || slept) {
          now.begin_ns = state.begin_ns;
          now.had_work = true;
          now.was_called =
              has_slept && awake_since_ns >= still_since_ns && now.begin_ns - awake_since_ns <= kMostCalledNs;
          const bool was_off = kind_before == FLAMELET_STATE_RUNNING && back_since_ns >= still_since_ns &&
                               now.begin_ns - back_since_ns <= kMostCalledNs;
          now.off_ns = was_off ? off_ns : 0;
        }
        now.end_ns = state.end_ns;
        now.had_work = now.had_work && state.kind == FLAMELET_STATE_TAKEN_OFF;
        const int64_t in_window_ns = std::min(now.end_ns, end_ns) - std::max(now.called_ns(), begin_ns);
        if (in_window_ns <= most_ns) continue;
        most_ns = in_window_ns;
        *at = now;
      }
    }
    return is_known && is_told;
  }

  // Whether a signal came: a thread that slept was called as another one stopped.
  bool was_called_together(const Thread& at) const {
    return at.was_called && std::any_of(threads_, threads_ + count_, [&](const Thread& other) {
             return other.lane != at.lane && other.knows_states && (other.was_called || other.is_at_work) &&
                    std::abs(at.begin_ns - other.begin_ns) <= kSignalNs;
           });
  }

  // Whether at least two that slept were called as this one stopped, or while it had no processor just before.
  bool stopped_with_called(const Thread& at) const {
    return std::count_if(threads_, threads_ + count_, [&](const Thread& other) {
             return other.lane != at.lane && other.knows_states && other.was_called &&
                    other.begin_ns <= at.begin_ns + kSignalNs && other.begin_ns + kSignalNs >= at.begin_ns - at.off_ns;
           }) >= 2;
  }

  // Whether a thread went on when another one, which had gone on before, ended what it had been at: it had waited for that.
  bool was_woken(const Thread& at) const {
    return !was_called_together(at) && std::any_of(threads_, threads_ + count_, [&](const Thread& other) {
      if (!other.knows_states || !other.is_at_work || other.lane == at.lane || other.end_ns + kTogetherNs > at.end_ns)
        return false;
      const int64_t apart_ns = at.end_ns - other.scope_end_ns;
      return std::abs(apart_ns) <= explain_.config.tolerance_ns;
    });
  }

  // No thread ran. At least two that were at work, or had been called, stopped at the same time, and went on together. Of
  // those that had a processor, each one that slept was called; one that was not slept by itself, and so did the others.
  bool is_seen_in_states(Stop* stop) const {
    *stop = {begin_ns_, end_ns_, 0, kNoIndex, FLAMELET_NO_PATH, true, true};
    for (uint32_t i = 0; i < count_; ++i) {
      const Thread& at = threads_[i];
      if (!at.knows_states) continue;
      stop->begin_ns = std::max(stop->begin_ns, at.called_ns());
      stop->end_ns = std::min(stop->end_ns, at.end_ns);
    }
    if (!is_long(stop->end_ns - stop->begin_ns)) return false;
    // They stop at once, and each goes on when it gets a processor.
    const int64_t stop_ns = stop->end_ns - stop->begin_ns, slack_ns = std::max<int64_t>(stop_ns / 20, 1000000);
    const int64_t apart_ns = 300000 + stop_ns / 100;
    uint32_t stopped = 0, could_run = 0;
    bool has_slept_on = false;
    for (uint32_t i = 0; i < count_; ++i) {
      const Thread& at = threads_[i];
      if (!at.knows_states) continue;
      const bool stopped_at_once = at.begin_ns + apart_ns >= stop->begin_ns;
      const bool went_on = at.end_ns - slack_ns - at.woken_ready_ns <= stop->end_ns;
      // A signal wakes each sleeper, when it stops the program and when it lets it go on. Who stopped with those that it
      // woke was stopped by it, too, and goes on when it gets a processor.
      const bool is_together = stopped_at_once && went_on, is_by_signal = stopped_with_called(at);
      has_slept_on = has_slept_on || (!at.had_work && !at.was_called && !is_together && !is_by_signal);
      if ((!is_together && !is_by_signal) || was_woken(at)) continue;
      stopped += is_together && (at.was_called || at.is_at_work);
      if (!at.is_at_work) continue;
      ++stop->threads;
      stop->lane = at.lane;
      stop->path = at.path;
      could_run += at.had_work;
    }
    stop->had_work = could_run != 0;
    // One that had no processor beside one that slept are two things.
    return stopped >= 2 && (stop->had_work ? could_run == stop->threads && could_run >= 2 : !has_slept_on);
  }

  // For how long a thread cannot have run while no lane had an event, at most.
  int64_t most_still_ns(const Thread& at) const {
    const int64_t window_ns = end_ns_ - begin_ns_, rest_ns = frame_.end_ns - frame_.begin_ns - window_ns;
    if (at.knows_states) return std::min(at.end_ns, end_ns_) - std::max(at.begin_ns, begin_ns_);
    return at.knows_times ? window_ns - std::max<int64_t>(at.ran_ns - rest_ns, 0) : window_ns;
  }

  // Whether no thread can have run while no lane had an event.
  bool none_ran() {
    const int64_t stop_ns = end_ns_ - begin_ns_;
    return std::none_of(threads_, threads_ + count_, [&](const Thread& at) {
      return most_still_ns(at) * 10 < stop_ns * 9 || (at.knows_times && ran_longer(at.lane, at.ran_ns, stop_ns));
    });
  }

  // The waits of two threads at least, which clocks end, should have ended long before, and did so first of all afterwards;
  // or that of one, and another thread was in a scope that took longer than usual by as much.
  bool is_seen_in_clocks(Stop* stop) {
    const int64_t stop_ns = end_ns_ - begin_ns_;
    *stop = {begin_ns_, end_ns_, 0, kNoIndex, FLAMELET_NO_PATH, false, false};
    int64_t work_end_ns = INT64_MAX;  // the first one
    for (uint32_t i = 0; i < count_; ++i) {
      const Thread& at = threads_[i];
      if (!at.is_at_work) continue;
      work_end_ns = std::min(work_end_ns, at.scope_end_ns);
      const JobUsual usual = usual_job(question_, at.path, frame_.begin_ns);
      const int64_t longer_ns = at.scope_end_ns - at.scope_begin_ns - static_cast<int64_t>(usual.call_ns);
      if (usual.calls == 0 || !at.knows_times || at.ready_ns * 2 > stop_ns || longer_ns * 10 < stop_ns * 7) continue;
      ++stop->threads;
      stop->lane = at.lane;
      stop->path = at.path;
    }
    const uint32_t clocks = static_cast<uint32_t>(std::count_if(threads_, threads_ + count_, [&](const Thread& at) {
      // Who let another thread go on ends what it does before that one, or at once: the wait itself, or what it did next.
      return at.scope_end_ns <= end_ns_ + kSignalNs && at.scope_end_ns + kSignalNs / 5 <= work_end_ns &&
             !ends_before(at.lane, work_end_ns) && overran(at);
    }));
    return clocks >= 2 || (clocks == 1 && stop->threads != 0);
  }

  bool ends_before(uint32_t lane, int64_t time_ns) const {
    const LaneSpans& spans = explain_.lanes.lane(lane);
    return std::any_of(spans.begin(), spans.end(), [&](const flamelet_span& span) {
      return span.end_ns <= time_ns && span.end_ns + explain_.config.tolerance_ns >= time_ns;
    });
  }

  // Whether a thread is in a wait that a clock ends more often than frames do, and that was longer by most of the time than
  // any before, though it had a processor.
  bool overran(const Thread& at) const {
    constexpr uint32_t kBefore = 16, kMost = 64, kLeast = 8;
    const int64_t stop_ns = end_ns_ - begin_ns_;
    if (at.is_at_work || at.path == kNoIndex || !at.knows_times || at.ready_ns * 4 > stop_ns) return false;
    int64_t apart_ns[kMost], took_ns[kMost], longest_ns = 0;
    uint32_t count = 0;
    const flamelet_explain_scope& scope = explain_.paths[at.path];
    for_each_frame_before(question_, kBefore, frame_.begin_ns, [&](const flamelet_frame_info&) {
      const flamelet_span* before = nullptr;
      for (const flamelet_span& span : explain_.lanes.lane(at.lane)) {
        if (!is_same_scope(span, scope) || span.end_ns > frame_.begin_ns) continue;
        longest_ns = std::max(longest_ns, span.end_ns - span.begin_ns);
        if (before != nullptr && count < kMost) {
          apart_ns[count] = span.end_ns - before->end_ns;
          took_ns[count++] = span.end_ns - span.begin_ns;
        }
        before = &span;
      }
    });
    if (count < kLeast || (at.scope_end_ns - at.scope_begin_ns - longest_ns) * 10 < stop_ns * 7) return false;
    return is_regular(apart_ns, count) || is_regular(took_ns, count);
  }
  // Whether half of them are alike, and shorter than frames are.
  bool is_regular(int64_t* times_ns, uint32_t count) const {
    std::nth_element(times_ns, times_ns + count / 2, times_ns + count);
    const int64_t usual_ns = times_ns[count / 2];
    const auto is_alike = [usual_ns](int64_t ns) { return std::abs(ns - usual_ns) * 8 <= usual_ns; };
    return usual_ns * 10 < question_.why.usual_ns * 7 &&
           static_cast<size_t>(std::count_if(times_ns, times_ns + count, is_alike)) * 2 >= count;
  }

  // At least two threads took longer than usual by most of the time, in different scopes that do not end together; or in
  // any, where the system says that neither ran. No thread can have run meanwhile.
  bool is_seen_in_scopes(Stop* stop) {
    struct AtWork {
      const Thread* thread;
      bool is_longer;
      uint64_t together;  // with which of these it ends
    } at_work[kMostThreads];
    uint32_t count = 0;
    const int64_t stop_ns = end_ns_ - begin_ns_, rest_ns = frame_.end_ns - frame_.begin_ns - stop_ns;
    for (uint32_t i = 0; i < count_; ++i) {
      const Thread& at = threads_[i];
      if (at.is_at_work && (at.knows_times || !may_idle(at.lane))) at_work[count++] = {&at, false, 0};
    }
    if (count < 2) return false;
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t other = 0; other < count; ++other)
        if (ends_with(*at_work[i].thread, *at_work[other].thread)) at_work[i].together |= uint64_t{1} << other;
    *stop = {begin_ns_, end_ns_, 0, kNoIndex, FLAMELET_NO_PATH, false, false};
    uint32_t could_run = 0, known = 0;
    bool has_starved = false, has_sleeper = false;
    int64_t first_ns = INT64_MAX, second_ns = INT64_MAX;  // the first ends of their scopes
    uint32_t paths[kMostThreads], path_count = 0;
    JobUsual usual[kMostThreads];
    for (AtWork* one = at_work; one != at_work + count; ++one) {
      const Thread& at = *one->thread;
      const auto job = static_cast<uint32_t>(std::find(paths, paths + path_count, at.path) - paths);
      if (job == path_count) {
        usual[job] = usual_job(question_, at.path, frame_.begin_ns);
        paths[path_count++] = at.path;
      }
      has_starved = has_starved || at.ready_ns * 2 > stop_ns;
      if (usual[job].calls == 0) continue;
      const int64_t longer_ns = at.scope_end_ns - at.scope_begin_ns - static_cast<int64_t>(usual[job].call_ns);
      if (longer_ns * 10 < stop_ns * 7) {
        if (!at.knows_times) return false;  // it was as fast as ever
        continue;
      }
      // One that slept by itself before, and ended first, let another one go that ended soon after.
      const double ran_more = static_cast<double>(at.ran_ns) - std::max(usual_ran_ns(question_, at.lane), 0.0);
      const int64_t alone_ns = longer_ns - stop_ns - at.ready_ns - std::max<int64_t>(static_cast<int64_t>(ran_more), 0);
      if (at.scope_end_ns < first_ns) has_sleeper = at.knows_times && alone_ns * 4 > stop_ns;
      second_ns = std::min(second_ns, std::max(first_ns, at.scope_end_ns));
      first_ns = std::min(first_ns, at.scope_end_ns);
      // A signal reaches one without a processor later.
      if (at.knows_times && at.ready_ns * 2 <= stop_ns && (at.ran_ns + at.ready_ns - rest_ns) * 10 > stop_ns) continue;
      // One that slept for longer before it and after it, in the same scope, may have slept all the time.
      if (at.knows_times && alone_ns > stop_ns) continue;
      ++stop->threads;
      stop->lane = at.lane;
      stop->path = at.path;
      known += at.knows_times;
      // One that had no processor beside one that slept are two things. Who ran more than usual may have done so then.
      if (at.ready_ns * 2 > stop_ns) {
        const double usual_ran = usual_ran_ns(question_, at.lane);
        if (usual_ran < 0 || static_cast<double>(at.ran_ns) > usual_ran + static_cast<double>(stop_ns) / 4)
          return false;
        ++could_run;
      }
      stop->end_ns = std::min(stop->end_ns, begin_ns_ + longer_ns);
      one->is_longer = true;
    }
    if (has_sleeper && second_ns <= first_ns + stop_ns / 10) return false;
    stop->had_work = could_run != 0;
    if (has_starved && could_run != stop->threads) return false;
    // Two threads may lose their processors to others of the program, which record nothing.
    if (stop->had_work && could_run < 3) return false;
    // That they slept is known, but not why.
    stop->is_known = stop->had_work && known >= 2;
    // Those that were in one scope may have waited for a lock, which another one held in a scope that is new.
    const bool has_new_scope = std::any_of(threads_, threads_ + count_, [this](const Thread& at) {
      return at.path != kNoIndex && usual_job(question_, at.path, frame_.begin_ns).calls == 0;
    });
    const bool may_be_same = stop->had_work || (known >= 2 && !has_new_scope);
    return stop->threads >= 2 && differ(at_work, count, may_be_same);
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

  // Whether there are two that are longer, and neither ends with a scope of the other's thread, as if it had waited for that.
  // Nor are they the same scope, unless it is known that neither ran.
  template <class AtWork>
  bool differ(const AtWork* at_work, uint32_t count, bool may_be_same) const {
    for (uint32_t first = 0; first < count; ++first) {
      for (uint32_t i = first + 1; i < count; ++i) {
        const bool are_longer = at_work[i].is_longer && at_work[first].is_longer;
        const bool are_together = (at_work[i].together >> first & 1) != 0 || (at_work[first].together >> i & 1) != 0;
        const flamelet_explain_scope& a = explain_.paths[at_work[i].thread->path];
        const flamelet_explain_scope& b = explain_.paths[at_work[first].thread->path];
        if (are_longer && !are_together && (may_be_same || a.site != b.site || a.name != b.name)) return true;
      }
    }
    return false;
  }
  // If it is known that neither ran, what the other one did afterwards does not count.
  bool ends_with(const Thread& at, const Thread& other) const {
    const bool is_known = at.knows_times && other.knows_times;
    const int64_t together_ns = is_known ? std::min<int64_t>(explain_.config.tolerance_ns, 20000)
                                         : explain_.config.tolerance_ns + (end_ns_ - begin_ns_) / 100;
    const LaneSpans& spans = explain_.lanes.lane(other.lane);
    return std::any_of(spans.begin(), spans.end(), [&](const flamelet_span& span) {
      const bool is_at_hand = !is_known || (span.begin_ns <= begin_ns_ && span.end_ns >= end_ns_);
      return is_at_hand && std::abs(span.end_ns - at.scope_end_ns) <= together_ns;
    });
  }

  const Question& question_;
  flamelet_explain& explain_;
  const flamelet_frame_info& frame_;
  int64_t middle_ns_ = 0, begin_ns_ = 0, end_ns_ = 0;  // no lane has an event between them
  bool knows_times_ = false;                           // of living threads
  Thread threads_[kMostThreads];
  uint32_t count_ = 0;
};

}  // namespace

void look_for_stop(const Question& question, EvidenceList* list, Stillness* still) {
  StopFinder finder(question);
  Stop stop;
  bool is_found = false;
  for (uint32_t i = 0; i < kMostStill && !is_found && finder.next(); ++i) {
    is_found = finder.find(&stop);
    if (is_much_longer(question.why)) still[i] = finder.still();
  }
  if (!is_found || finder.piece() == nullptr) return;
  const flamelet_piece& piece = *finder.piece();
  Evidence cause = no_evidence();
  cause.facts = kStoodStill;
  // One that was at work says more.
  const bool is_wait = (piece.flags & FLAMELET_PIECE_WAIT) != 0 && stop.threads != 0;
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
