// SPDX-License-Identifier: MIT
//
// other_work.cpp: what another lane did while a thread slept, spun or waited, as a candidate instead of the thread's scope.
#include <algorithm>
#include <cstdlib>

#include "evidence.h"

namespace flamelet::explain {
namespace {

// Of up to eight kinds of the spans from one to another, without what they call, the first span of the one that has so much
// time together; its lane is kNoIndex if none has.
Work calls_between(FrameLanes* lanes, uint32_t index, uint32_t begin, uint32_t end, int64_t least_ns,
                   const WorkWindow& window) {
  constexpr uint32_t kMostKinds = 8;
  const LaneSpans& lane = lanes->lane(index);
  Work kinds[kMostKinds];
  uint32_t count = 0;
  for (uint32_t i = begin; i < std::min(end, lane.count); i = lane.spans[i].subtree_end) {
    const flamelet_span& span = lane.spans[i];
    if (span.parent == FLAMELET_NO_PARENT && lanes->waits(span)) continue;
    Work* const kind = std::find_if(kinds, kinds + count,
                                    [&](const Work& work) { return is_same_scope(lane.spans[work.span], span); });
    if (kind == kinds + kMostKinds) continue;
    if (kind == kinds + count) kinds[count++] = {index, i, 0, 0};
    kind->overlap_ns += overlap_ns(span, window);
    kind->calls += overlap_ns(span, window) != 0;
  }
  const Work* const most =
      std::find_if(kinds, kinds + count, [least_ns](const Work& work) { return work.overlap_ns > least_ns; });
  return most == kinds + count ? Work{kNoIndex, kNoIndex, 0, 0} : *most;
}

}  // namespace

Work innermost_of(FrameLanes* lanes, const Work& work, const WorkWindow& window) {
  const LaneSpans& lane = lanes->lane(work.lane);
  const uint32_t end = std::min(lane.spans[work.span].subtree_end, lane.count);
  uint32_t found = work.span;
  for (uint32_t i = work.span + 1; i < end; ++i)
    if (lane.spans[i].parent == found && overlap_ns(lane.spans[i], window) * 2 > work.overlap_ns) found = i;
  const Work calls =
      calls_between(lanes, work.lane, found + 1, lane.spans[found].subtree_end, work.overlap_ns / 2, window);
  return calls.lane != kNoIndex ? calls : Work{work.lane, found, overlap_ns(lane.spans[found], window), 1};
}

namespace {

// Whether the scope of a thread that handed over a queue's work was still open then.
bool is_open_at(const LaneSpans& thread, flamelet_id id, int64_t time_ns) {
  for (uint32_t i = 0; i < thread.count && id != 0; ++i)
    if (thread.spans[i].id == id) return thread.spans[i].end_ns >= time_ns;
  return false;
}

}  // namespace

Work work_before(const Question& question, uint32_t index, uint32_t kind, int64_t least_ns, const WorkWindow& window) {
  FrameLanes& lanes = question.explain->lanes;
  const LaneSpans& lane = lanes.lane(index);
  Work work = {kNoIndex, kNoIndex, least_ns, 1};
  for (uint32_t i = 0; i < lane.count; ++i)
    if (!lanes.waits(lane.spans[i]) && overlap_ns(lane.spans[i], window) > work.overlap_ns)
      work = {index, i, overlap_ns(lane.spans[i], window), 1};
  if (work.lane == kNoIndex) work = calls_between(&lanes, index, 0, lane.count, least_ns, window);
  const flamelet_explain_scope& scope = question.explain->paths[kind];
  for (uint32_t other = 0; other < lanes.lane_count() && work.lane == kNoIndex; ++other) {
    if (lanes.kind(other) != FLAMELET_LANE_THREAD) continue;
    const Work calls = calls_between(&lanes, other, 0, kNoIndex, least_ns, window);
    if (calls.lane == kNoIndex) continue;
    const flamelet_span& span = lanes.lane(other).spans[calls.span];
    if (is_same_scope(span, scope)) work = calls;
  }
  return work;
}

WorkWindow window_of(const flamelet_cause& cause, const flamelet_frame_info& frame) {
  return {std::max(cause.span_begin_ns, frame.begin_ns), std::min(cause.span_end_ns, frame.end_ns)};
}

int64_t overlap_ns(const flamelet_span& span, const WorkWindow& window) {
  return std::max<int64_t>(std::min(span.end_ns, window.end_ns) - std::max(span.begin_ns, window.begin_ns), 0);
}

void pass_lane(const Question& question, uint32_t lane, Evidence* cause) {
  // A lane that is met again has not waited for itself.
  uint32_t* const end = cause->via_lanes + cause->via_count;
  cause->via_count = static_cast<uint32_t>(std::find(cause->via_lanes, end, lane) - cause->via_lanes);
  const bool is_met = cause->via_lanes + cause->via_count != end;
  if (!is_met && cause->lane != question.why.main_lane && cause->lane != lane &&
      cause->via_count < FLAMELET_EXPLAIN_MAX_VIA)
    cause->via_lanes[cause->via_count++] = cause->lane;
  cause->lane = lane;
}

bool pass_to(const Question& question, const Work& whole, const WorkWindow& window, Evidence* cause) {
  flamelet_explain* const explain = question.explain;
  FrameLanes& lanes = explain->lanes;
  const Work work = whole.calls > 1 ? whole : innermost_of(&lanes, whole, window);
  const uint32_t at = work.span;
  const flamelet_span span = lanes.lane(work.lane).spans[at];
  const bool is_gpu = lanes.kind(work.lane) == FLAMELET_LANE_GPU, is_wait = lanes.waits(span);
  const uint32_t path = explain->path.path_of(work.lane, at);
  const int64_t worked_ns = work.calls > 1 ? work.overlap_ns : overlap_ns(span, window);
  const bool is_handed_over = !is_gpu || lanes.kind(cause->lane) == FLAMELET_LANE_GPU ||
                              !is_open_at(lanes.lane(cause->lane), span.id, window.end_ns);
  uint32_t root = at;
  while (lanes.lane(work.lane).spans[root].parent != FLAMELET_NO_PARENT)
    root = lanes.lane(work.lane).spans[root].parent;
  const flamelet_span job = lanes.lane(work.lane).spans[root];
  const uint32_t root_path = explain->path.path_of(work.lane, root);
  const JobUsual usual = usual_job(question, path, span.begin_ns);
  // Until then, the queue may have had nothing to do: it has more left than it usually does if it was late, and not the
  // thread.
  if (!is_handed_over && span.end_ns - window.end_ns <= static_cast<int64_t>(usual.call_ns)) return false;
  // Who is always busy did more of what he always does, as the frame was longer.
  constexpr double kAsUsual = 1.25, kMore = 1.5;
  const double frames = static_cast<double>(window.end_ns - window.begin_ns) /
                        static_cast<double>(std::max<int64_t>(question.why.usual_ns, 1));
  if (work.calls > 1 && static_cast<double>(worked_ns) <= kAsUsual * work.calls * usual.call_ns &&
      work.calls <= kMore * usual.calls * frames + 1)
    return false;
  if ((worked_ns - static_cast<int64_t>(usual.calls * usual.call_ns)) * 2 < cause->surplus_ns) return false;

  const JobUsual seldom = usual.calls == 0 ? seldom_job(question, path, span.begin_ns) : JobUsual{};
  const bool is_longer =
      seldom.calls != 0 && work.calls == 1 && static_cast<double>(worked_ns) > kMore * seldom.longest_ns;
  const bool is_as_usual = seldom.calls != 0 && work.calls == 1 &&
                           static_cast<double>(span.end_ns - span.begin_ns) <= kAsUsual * seldom.longest_ns;
  // Who held a lock lets it go in the midst of his job. Here a usual job had ended.
  const bool ended_job = !is_gpu && root != at && job.end_ns <= window.end_ns && usual.calls < 1 &&
                         usual_job(question, root_path, job.begin_ns).calls >= 1;

  // What is done in every frame is known, and took longer. Other work may have held a lock.
  cause->facts = kIsRare | kIsProbable | (is_gpu ? kOnGpu : 0u) |
                 (usual.calls >= 1 || (is_longer && ended_job) ? kIsUsualJob : 0u) |
                 (is_as_usual ? kTookAsUsual | kIsUsualJob : 0u) |
                 (usual.calls >= 1 && work.calls > 2 * usual.calls ? kMoreOnAll : 0u) |
                 (ended_job ? kEndedUsualJob : 0u) | (is_wait ? kIsWait : 0u);
  cause->nearest_wait = cause->path;
  if (cause->waiting == FLAMELET_NO_PATH) cause->waiting = cause->path;
  cause->path = path;
  cause->inner_path = FLAMELET_NO_PATH;
  pass_lane(question, work.lane, cause);
  cause->object = span.object;
  cause->flags = (cause->flags & ~uint32_t{FLAMELET_PIECE_WAIT | FLAMELET_PIECE_NOT_BEGUN}) | FLAMELET_PIECE_PROBABLY |
                 (is_as_usual ? uint32_t{FLAMELET_CAUSE_AS_USUAL} : 0);
  cause->calls = work.calls;
  cause->usual_calls = usual.calls;
  cause->time_ns = worked_ns;
  double usual_ns = work.calls > 1 ? usual.calls * usual.call_ns : usual.call_ns;
  // Threads may share the calls.
  const double all = cause->has(kMoreOnAll) && !is_gpu ? job_in_frame(question, path).calls : 0;
  if (all > kMore * work.calls) {
    cause->calls = static_cast<uint32_t>(all);
    usual_ns *= work.calls / all;
  }
  cause->usual_ns = is_as_usual ? 0 : static_cast<int64_t>(is_longer ? seldom.call_ns : usual_ns);
  cause->spread_ns = 0;
  cause->surplus_ns = std::min(cause->surplus_ns, worked_ns);
  cause->seen_frames = explain->baseline.of(path).seen;
  cause->usual_there_ns = is_longer ? static_cast<int64_t>(seldom.call_ns) : 0;
  cause->usual_lane = kNoIndex;
  const LaneSpans& spans = lanes.lane(work.lane);
  flamelet_span longest = span;
  int64_t last_ns = span.end_ns;
  for (uint32_t i = at + 1; work.calls > 1 && i < spans.count && spans.spans[i].begin_ns < window.end_ns; ++i) {
    const flamelet_span& other = spans.spans[i];
    if (other.site != span.site || other.name != span.name || other.parent != span.parent) continue;
    last_ns = std::max(last_ns, other.end_ns);
    if (other.end_ns - other.begin_ns > longest.end_ns - longest.begin_ns) longest = other;
  }
  const WorkWindow part = {std::max(span.begin_ns, window.begin_ns), std::min(last_ns, window.end_ns)};
  const bool has_gaps = worked_ns * 10 < (part.end_ns - part.begin_ns) * 9;
  cause->knows_states =
      !has_gaps &&
      flamelet_capture_state_times(question.capture, work.lane, part.begin_ns, part.end_ns, &cause->states) &&
      cause->states.ns[FLAMELET_STATE_UNKNOWN] * 10 <= worked_ns;
  cause->recursion_depth = cause->usual_recursion_depth = 0;
  cause->probably_asleep_ns = 0;
  cause->asleep_ns = 0;
  if (work.calls == 1 && !is_gpu)
    cause->asleep_ns = worked_ns - lanes.awake_ns(work.lane, question.position, part.begin_ns, part.end_ns);
  if (cause->knows_states) cause->flags |= FLAMELET_CAUSE_SLEEP_KNOWN;
  cause->no_processor_ns = 0;
  cause->was_found = work.calls == 1;
  cause->span_begin_ns = longest.begin_ns;
  cause->span_end_ns = longest.end_ns;
  return true;
}

bool pass_to_waker(const Question& question, Evidence* cause) {
  FrameLanes& lanes = question.explain->lanes;
  const flamelet_frame_info& frame = question.why.frame;
  const uint32_t site = question.explain->paths[cause->path].site;
  if (!cause->has(kIsWait) || site == kNoIndex || !lanes.is_recorded_wait(site)) return false;
  const FlowEnd* waker = nullptr;
  for (const FlowEnd* flow = lanes.first_flow(cause->lane, cause->span_begin_ns);
       flow != lanes.end_of_flows() && flow->lane == cause->lane &&
       flow->time_ns <= cause->span_end_ns + question.explain->config.tolerance_ns;
       ++flow)
    if (flow->from_lane != kNoIndex && flow->from_lane != cause->lane) waker = flow;
  if (waker == nullptr) return false;
  const WorkWindow window = {window_of(*cause, frame).begin_ns, waker->from_ns};
  const LaneSpans& lane = lanes.lane(waker->from_lane);
  uint32_t begun = kNoIndex;
  uint32_t span = FrameLanes::innermost(lane, waker->from_ns, frame.begin_ns, &begun).span;
  while (span != kNoIndex && span != FLAMELET_NO_PARENT && overlap_ns(lane.spans[span], window) * 2 < cause->surplus_ns)
    span = lane.spans[span].parent;
  if (span == kNoIndex || span == FLAMELET_NO_PARENT) return false;
  const bool is_lock = lanes.is_lock(site);
  const bool was_probable = (cause->flags & FLAMELET_PIECE_PROBABLY) != 0;
  if (!pass_to(question, {waker->from_lane, span, overlap_ns(lane.spans[span], window), 1}, window, cause))
    return false;
  if (!was_probable) cause->flags &= ~uint32_t{FLAMELET_PIECE_PROBABLY};
  if (!was_probable) cause->facts &= ~uint32_t{kIsProbable};
  if (!is_lock) return true;
  cause->facts |= kHeldLock;
  cause->flags |= FLAMELET_CAUSE_HELD_LOCK;
  return true;
}

// Sleep: states of threads say how long a thread slept in a scope: it waited for a driver, a disk, a lock, another
// thread. Without them the system tells how long it ran in a frame, and how long it could have run. If it spent more time
// than that in a scope, then it slept there. What it did in the rest of the frame only makes that time longer.

namespace {

// How long the thread slept in a cause's scope: at least, and at most.
struct Sleep {
  int64_t least_ns, most_ns;
  int64_t probable_ns;  // if the thread ran as long as usual outside of the cause
};

// How long the thread slept in a cause: for what it took longer than the thread ran longer and lost; or in the largest one of
// its lane, if it ran as long as usual outside. No longer than it slept longer than usual in the whole frame.
int64_t probable_sleep(const Question& question, const EvidenceList& list, const Evidence& cause, int64_t in_cause_ns,
                       int64_t awake_ns) {
  const double usual_ran = usual_ran_ns(question, cause.lane);
  if (usual_ran < 0) return 0;
  const auto usual_ran_ns = static_cast<int64_t>(usual_ran);
  const int64_t frame_ns = question.why.frame.end_ns - question.why.frame.begin_ns;
  int64_t longer_ns = frame_ns - awake_ns - std::max<int64_t>(question.why.usual_ns - usual_ran_ns, 0);
  int64_t outside_ns = std::max<int64_t>(usual_ran_ns - cause.usual_ns, 0);
  bool is_largest = true;
  for (const Evidence& other : list) {
    if (other.has(kStoodStill)) longer_ns -= other.time_ns;
    if (other.lane != cause.lane || &other == &cause) continue;
    const bool is_larger = other.time_ns - other.usual_ns > cause.time_ns - cause.usual_ns;
    is_largest = is_largest && (!is_larger || other.has(kLostProcessor));
    outside_ns += std::max<int64_t>(other.surplus_ns, 0);
  }
  int64_t slept_ns = is_largest ? in_cause_ns - std::max<int64_t>(awake_ns - outside_ns, 0) : 0;
  LaneTimes times;
  if (times_of(question, cause.lane, &times))
    slept_ns = std::max(slept_ns, cause.surplus_ns - std::max<int64_t>(times.ran_ns - times.usual_ran_ns, 0));
  return std::max<int64_t>(std::min({slept_ns, longer_ns, in_cause_ns - cause.no_processor_ns}), 0);
}

Sleep sleep_of(const Question& question, const EvidenceList& list, const Evidence& cause) {
  if (cause.knows_states) return {cause.states.ns[FLAMELET_STATE_ASLEEP], cause.states.ns[FLAMELET_STATE_ASLEEP], 0};
  const flamelet_explanation& why = question.why;
  constexpr uint32_t kNeeded = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  flamelet_thread_time time;
  if (!flamelet_capture_thread_time(question.capture, question.position, cause.lane, &time) ||
      (time.known & kNeeded) != kNeeded)
    return {};
  int64_t in_cause_ns = 0, in_work_ns = 0;
  for (size_t i = 0; i < why.piece_count; ++i) {
    const flamelet_piece& piece = why.pieces[i];
    if (piece.lane != cause.lane) continue;
    const int64_t took_ns = piece.end_ns - piece.begin_ns;
    if (is_under(*question.explain, piece.path, cause.path)) in_cause_ns += took_ns;
    if ((piece.flags & FLAMELET_PIECE_WAIT) == 0) in_work_ns += took_ns;
  }
  in_cause_ns = std::min(in_cause_ns, cause.time_ns);
  // It had no sleep where more calls took as long as usual.
  int64_t elsewhere_ns = 0;
  for (const Evidence& other : list)
    if (other.lane == cause.lane && other.path != cause.path) elsewhere_ns += more_calls_ns(question, other);
  const int64_t awake_ns = time.ran_ns + time.ready_ns;
  const int64_t least_ns = in_cause_ns - std::max<int64_t>(awake_ns - elsewhere_ns, 0);
  return {std::max<int64_t>(least_ns, 0), std::min(in_cause_ns, std::max<int64_t>(in_work_ns - awake_ns, 0)),
          probable_sleep(question, list, cause, in_cause_ns, awake_ns)};
}

// Since when a lane did one thing after the other until one of them ended in a part of the window.
int64_t busy_since(const LaneSpans& lane, int64_t woken_ns, int64_t end_ns, int64_t rest_ns) {
  int64_t since_ns = woken_ns;
  for (uint32_t i = lane.count; i != 0; --i) {
    const flamelet_span& span = lane.spans[i - 1];
    if (span.end_ns <= end_ns && span.end_ns >= since_ns) since_ns = std::min(since_ns, span.begin_ns - rest_ns);
  }
  return since_ns;
}

// The span with most time in the window, a wait or not, of a lane that ended something when the sleeper can have woken,
// and had no rest since that span; or `best`. `may_go_on`: or of one that ended what it was at soon after. A driver waits for
// room in a GPU queue, too: then the queue ended something.
Work most_work(const Question& question, uint32_t index, const WorkWindow& window, int64_t woken_ns, int64_t rest_ns,
               bool wants_waits, bool may_go_on, Work best) {
  FrameLanes* const lanes = &question.explain->lanes;
  const LaneSpans& lane = lanes->lane(index);
  const auto ended = [&](const flamelet_span& span) {
    return span.end_ns <= window.end_ns || (may_go_on && lane.kind == FLAMELET_LANE_THREAD &&
                                            lanes->was_nearly_done(index, question.position, span, window.end_ns,
                                                                   question.explain->config.tolerance_ns));
  };
  // Who waited himself did his work after that.
  const auto is_in_time = [&](const flamelet_span& span) {
    return span.end_ns >= woken_ns && ended(span) && !(wants_waits && lanes->waits(span));
  };
  const bool is_queue = lane.kind == FLAMELET_LANE_GPU;
  if (!lane.is_work || !std::any_of(lane.begin(), lane.end(), is_in_time)) return best;
  Work run = {index, kNoIndex, 0, 0}, longest = run;
  const int64_t since_ns = is_queue ? window.begin_ns : busy_since(lane, woken_ns, window.end_ns, rest_ns);
  for (uint32_t i = 0; i < lane.count; ++i) {
    const flamelet_span& span = lane.spans[i];
    if ((span.flags & FLAMELET_SPAN_OPEN) != 0 || (!is_queue && (span.end_ns < since_ns || !ended(span)))) continue;
    const int64_t worked_ns = overlap_ns(span, window);
    if (lanes->waits(span) != wants_waits) continue;
    // Who had nothing to do kept nobody waiting.
    if (lanes->is_recorded_wait(span.site) && span.parent == FLAMELET_NO_PARENT) continue;
    if (worked_ns > best.overlap_ns) best = {index, i, worked_ns, 1};
    // One after the other of a kind count together, also in a scope that went on.
    const bool is_outermost = span.parent == FLAMELET_NO_PARENT || lane.spans[span.parent].end_ns > window.end_ns;
    const bool is_again =
        run.calls != 0 && is_same_scope(span, lane.spans[run.span]) && span.parent == lane.spans[run.span].parent;
    if (is_outermost && !is_again) run = {index, i, 0, 0};
    if (!is_outermost && !is_again) continue;
    run.overlap_ns += worked_ns;
    ++run.calls;
    if (run.calls > 1 && run.overlap_ns > longest.overlap_ns) longest = run;
  }
  const bool is_one_found = best.lane != kNoIndex;
  return longest.overlap_ns * 2 > best.overlap_ns * (is_one_found ? 3 : 2) ? longest : best;
}

// Whether a lane waits for a candidate: it goes on after that, and did not hold it up. Whom a fiber has left to wait does not.
bool waits_for_it(const Question& question, const Evidence& cause, uint32_t lane) {
  const uint32_t* const via = cause.via_lanes;
  if (cause.waiting == FLAMELET_NO_PATH) return false;
  if (lane != question.why.main_lane) return std::find(via, via + cause.via_count, lane) != via + cause.via_count;
  // The fiber's scope was open there for a moment.
  const WorkWindow window = window_of(cause, question.why.frame);
  const LaneSpans& spans = question.explain->lanes.lane(lane);
  return std::any_of(spans.begin(), spans.end(), [&](const flamelet_span& span) {
    return is_same_scope(span, question.explain->paths[cause.waiting]) &&
           overlap_ns(span, window) > question.explain->config.tolerance_ns;
  });
}

// Finds the work for which a thread can have slept so long in a candidate's scope, and makes it the candidate. Where it is
// not sure in which of its scopes the thread slept, only work of a GPU queue in that time tells, or new work that ended as
// the scope went on. For a marked wait that was looked at before.
class SleepReason {
 public:
  SleepReason(const Question& question, Evidence* cause, int64_t asleep_ns, bool is_sure)
      : question_(question),
        explain_(*question.explain),
        lanes_(explain_.lanes),
        cause_(*cause),
        asleep_ns_(asleep_ns),
        is_sure_(is_sure),
        window_(window_of(*cause, question.why.frame)) {}

  void find() {
    read_when_it_woke();
    // Of a scope's own time: a longer sleep was in one that it calls.
    const PathTime& time = explain_.path.time_of(cause_.path);
    const bool is_own = cause_.time_ns == time.self_ns && time.total_ns * 4 > time.self_ns * 5;
    if (is_own && has_slept_ && (sleep_.end_ns - std::max(sleep_.begin_ns, window_.begin_ns)) * 10 > asleep_ns_ * 11)
      return;
    for (; tries_ < kTries; ++tries_) {
      const Work work = nearest();
      if (work.lane == kNoIndex) break;
      refused_[tries_] = work.lane;
      const bool is_thread = lanes_.kind(work.lane) != FLAMELET_LANE_GPU;
      if (is_thread && ((!is_sure_ && !is_new(work)) || (is_vague_ && is_usual(work)))) continue;
      if (!is_chance(work) && !was_not_done(work) && pass_to_work(work)) return;
    }
    tries_ = 0;
    find_wait();
  }
  // The thread may have waited for one that waited for that work.
  bool pass_to_work(const Work& work) {
    Evidence passed = cause_;
    const int64_t end_ns = lanes_.lane(work.lane).spans[work.span].end_ns;
    const CriticalPath::Between between =
        explain_.path.lane_between(work.lane, end_ns, {cause_.lane, window_.begin_ns, window_.end_ns});
    if (between.lane != kNoIndex && work.calls == 1 && !waits_for_it(between.lane)) {
      if (passed.waiting == FLAMELET_NO_PATH) passed.waiting = passed.path;
      pass_lane(question_, between.lane, &passed);
      passed.path = explain_.path.path_of(between.lane, between.span);
    }
    if (!pass_to(question_, work, window_, &passed)) return false;
    cause_ = passed;
    return true;
  }
  // The same of new work of a thread alone.
  void find_new() {
    read_when_it_woke();
    const Work work = nearest();
    if (work.lane == kNoIndex || lanes_.kind(work.lane) == FLAMELET_LANE_GPU || !is_new(work)) return;
    if (!is_chance(work)) pass_to_work(work);
  }

 private:
  void read_when_it_woke() {
    const int64_t tolerance_ns = explain_.config.tolerance_ns;
    // What is waited for may be the end of it alone.
    const int64_t awake_ns =
        std::min(std::max<int64_t>(window_.end_ns - window_.begin_ns - asleep_ns_, 0),
                 lanes_.awake_ns(cause_.lane, question_.position, window_.begin_ns, window_.end_ns));
    // Who was slept for may have gone on a little before he let go, and the sleeper's processor takes its time to wake, or is
    // taken by somebody else.
    constexpr int64_t kMostRest = 500000;
    const int64_t rest_ns = std::min(asleep_ns_ / 50, kMostRest);
    flamelet_state_times states;
    const bool knows_states = flamelet_capture_state_times(question_.capture, cause_.lane, question_.why.frame.begin_ns,
                                                           question_.why.frame.end_ns, &states);
    const int64_t ready_ns =
        knows_states ? woken_ready_ns(question_, cause_.lane) : lanes_.ready_ns(cause_.lane, question_.position);
    waking_ns_ = tolerance_ns + rest_ns + ready_ns;
    // In a long time, some usual job always ends by chance.
    is_vague_ = cause_.has(kIsRare) && !cause_.has(kIsWait) && ready_ns * 10 > asleep_ns_;
    woken_ns_ = is_sure_ ? window_.end_ns - awake_ns - waking_ns_ : window_.begin_ns;
    // States tell when.
    flamelet_state after = {};
    has_slept_ =
        is_sure_ && cause_.knows_states && find_longest_sleep(question_, cause_.lane, window_, &sleep_, &after);
    const int64_t longest_ns = sleep_.end_ns - std::max(sleep_.begin_ns, window_.begin_ns);
    knows_when_ = has_slept_ && longest_ns * 10 >= asleep_ns_ * 9;
    // One that slept again and again, as for a disk or as it polls, went on after the last of these.
    if (has_slept_ && longest_ns * 2 < asleep_ns_)
      woken_ns_ = std::max(woken_ns_, window_.end_ns - 2 * longest_ns - tolerance_ns);
    if (knows_when_) {
      window_.end_ns = std::min(window_.end_ns, sleep_.end_ns + tolerance_ns);
      woken_ns_ = sleep_.end_ns - waking_ns_;
    }
    // Who was woken may have had no processor at once.
    const int64_t late_ns =
        std::min(lanes_.ready_ns(cause_.lane, question_.position), (window_.end_ns - window_.begin_ns) / 10);
    thread_woken_ns_ = is_sure_ ? std::max<int64_t>(woken_ns_, 0)
                                : std::max(woken_ns_, window_.end_ns - 2 * tolerance_ns - rest_ns - late_ns);
  }

  // The work of another lane that has most of the time. One that went on a little when the sleeper did is it if nothing ended
  // before, or ended less close to that, or had much less of the time.
  Work nearest() {
    const Work ended = most(false, false), longest = most(false, true);
    if (ended.lane == kNoIndex || longest.lane == kNoIndex) return ended.lane == kNoIndex ? longest : ended;
    const auto apart_ns = [this](const Work& work) {
      return std::abs(window_.end_ns - lanes_.lane(work.lane).spans[work.span].end_ns);
    };
    const bool is_nearer = apart_ns(longest) < apart_ns(ended) || longest.overlap_ns * 2 > ended.overlap_ns * 3;
    return longest.calls == 1 && is_nearer ? longest : ended;
  }

  // The work, or the wait, of another lane that has most of the time. `may_go_on`: of one that ended what it was at soon after.
  Work most(bool wants_waits, bool may_go_on) {
    Work work = {kNoIndex, kNoIndex, asleep_ns_ / 2, 0};
    for (uint32_t lane = 0; lane < lanes_.lane_count(); ++lane) {
      const bool is_queue = lanes_.kind(lane) == FLAMELET_LANE_GPU;
      const bool is_asked = is_queue ? !cause_.has(kIsWait) : is_sure_ || !wants_waits;
      if (!is_asked || lane == cause_.lane || std::find(refused_, refused_ + tries_, lane) != refused_ + tries_ ||
          waits_for_it(lane) || (may_go_on && waits_still(lane)) || !may_have_woken(lane))
        continue;
      work = most_work(question_, lane, window_, is_queue ? woken_ns_ : thread_woken_ns_, waking_ns_, wants_waits,
                       may_go_on, work);
    }
    return work;
  }

  // Who was waited for may have waited himself before he did his work. A thread that waits in no scope has nothing to do; it
  // is meant only if it usually has.
  void find_wait() {
    const Work wait = most(true, false);
    if (wait.lane == kNoIndex) {
      if (is_sure_) pass_to_late_queue(question_, window_, true, &cause_);
      return;
    }
    const flamelet_span span = lanes_.lane(wait.lane).spans[wait.span];
    if (span.parent == FLAMELET_NO_PARENT && !is_new(wait)) return;
    if (is_always_in(wait.lane, explain_.path.path_of(wait.lane, wait.span), span.end_ns - span.begin_ns)) return;
    if (pass_to(question_, wait, window_, &cause_)) pass_to_waker(question_, &cause_);
  }

  // Whether its innermost scope is, and the candidate's longest call is nearly all of its time, so that one can have ended as
  // the other did.
  bool is_new(const Work& work) {
    const WorkWindow call = window_of(cause_, question_.why.frame);
    if (cause_.has(kInNoScope) || cause_.time_ns * 5 < (call.end_ns - call.begin_ns) * 4) return false;
    return !is_usual(work);
  }
  // Whether its innermost scope is one of each frame.
  bool is_usual(const Work& work) {
    const uint32_t span = work.calls > 1 ? work.span : innermost_of(&lanes_, work, window_).span;
    const uint32_t path = explain_.path.path_of(work.lane, span);
    return usual_job(question_, path, lanes_.lane(work.lane).spans[span].begin_ns).calls != 0;
  }
  bool waits_for_it(uint32_t lane) const { return explain::waits_for_it(question_, cause_, lane); }
  // Who waits still when the sleeper goes on has not let it go.
  bool waits_still(uint32_t lane) {
    uint32_t begun = kNoIndex;
    const LaneSpans& spans = lanes_.lane(lane);
    const uint32_t span = FrameLanes::innermost(spans, window_.end_ns, question_.why.frame.begin_ns, &begun).span;
    return span != kNoIndex && lanes_.waits(spans.spans[span]);
  }
  // Who wakes a thread runs before that one does, if only for a moment between two sleeps.
  bool may_have_woken(uint32_t lane) const {
    flamelet_state* const states = explain_.items->states;
    flamelet_state_cursor cursor;
    flamelet_state_cursor_start(&cursor, question_.capture, lane, woken_ns_, sleep_.end_ns, states,
                                FLAMELET_CURSOR_LEAST);
    const bool has_first = knows_when_ && flamelet_state_cursor_next(&cursor) && cursor.count != 0;
    return !has_first || states[0].kind != FLAMELET_STATE_ASLEEP || states[0].end_ns < sleep_.end_ns;
  }
  // Whether a lane spends its time in a scope, in calls as long as this one: it waits there for something to do.
  bool is_always_in(uint32_t index, uint32_t path, int64_t took_ns) {
    constexpr uint32_t kFramesBefore = 24;
    const flamelet_explain_scope scope = explain_.paths[path];
    const OtherFrames put_back(question_);
    uint32_t in = 0, seen = 0;
    bool is_as_long = false;
    for (size_t i = question_.position; i != 0 && i + kFramesBefore > question_.position; --i) {
      flamelet_frame_info frame;
      if (!flamelet_capture_frame(question_.capture, i - 1, &frame)) continue;
      question_.read(frame.begin_ns, frame.end_ns);
      const LaneSpans& lane = lanes_.lane(index);
      int64_t there_ns = 0;
      for (const flamelet_span& other : lane) {
        if (!is_same_scope(other, scope) || other.end_ns > question_.why.frame.begin_ns) continue;
        there_ns += overlap_ns(other, {frame.begin_ns, frame.end_ns});
        is_as_long = is_as_long || (other.end_ns - other.begin_ns) * 5 >= took_ns * 4;
      }
      in += there_ns * 2 >= frame.end_ns - frame.begin_ns;
      ++seen;
    }
    return is_as_long && in * 4 >= seen * 3;
  }
  // Whether a usual job went on, until a later wait of the frame's thread ended with it: it was not done before.
  bool was_not_done(const Work& work) {
    const LaneSpans &lane = lanes_.lane(work.lane), &main = lanes_.lane(question_.why.main_lane);
    const flamelet_span job = lane.spans[work.span];
    const int64_t tolerance_ns = explain_.config.tolerance_ns;
    const bool is_waited_for = std::any_of(main.begin(), main.end(), [&](const flamelet_span& span) {
      return span.begin_ns >= window_.end_ns && span.begin_ns + 4 * tolerance_ns <= job.end_ns &&
             span.end_ns >= job.end_ns && span.end_ns <= job.end_ns + tolerance_ns && lanes_.waits(span);
    });
    if (!is_waited_for) return false;
    const bool is_usual = usual_job(question_, explain_.path.path_of(work.lane, work.span), job.begin_ns).calls >= 1;
    return is_usual;
  }
  // Two that slept in the same scope slept for the same thing, and so did those that wait for the candidate. Who is in it in
  // each frame waits there for something to do. Where the
  // sleeper's waits for others are recorded, and it slept in none, one that does the same thing again and again ended one of
  // them then by chance.
  bool is_chance(const Work& work) {
    const LaneSpans& lane = lanes_.lane(work.lane);
    const Work inner = innermost_of(&lanes_, work, window_);
    const flamelet_span& span = lane.spans[inner.span];
    const int64_t begin_ns = std::max(span.begin_ns, window_.begin_ns);
    const auto is_in = [&](uint32_t path) {
      return path != FLAMELET_NO_PATH && is_same_scope(span, explain_.paths[path]);
    };
    if (work.calls == 1 &&
        lanes_.awake_ns(work.lane, question_.position, begin_ns, span.end_ns) * 5 < inner.overlap_ns) {
      if (is_in(cause_.path) || is_in(cause_.nearest_wait) || is_in(cause_.waiting)) return true;
      // Of two sleepers, the one that began later and went on for longer waited for the other one.
      if (!cause_.has(kIsWait) && span.begin_ns > cause_.span_begin_ns && span.end_ns > cause_.span_end_ns) return true;
      const bool is_idle =
          is_always_in(work.lane, explain_.path.path_of(work.lane, inner.span), span.end_ns - span.begin_ns);
      lanes_.lane(work.lane);  // reads what `lane` refers to again
      if (is_idle) return true;
    }
    const LaneSpans& own = lanes_.lane(cause_.lane);
    const auto is_recorded = [this](const flamelet_span& wait) { return lanes_.is_recorded_wait(wait.site); };
    const auto is_again = [&](const flamelet_span& next) {
      return is_same_scope(next, lane.spans[work.span]) && next.begin_ns >= lane.spans[work.span].end_ns &&
             next.begin_ns <= window_.end_ns && next.end_ns > window_.end_ns;
    };
    return !cause_.has(kIsWait) && std::any_of(own.begin(), own.end(), is_recorded) &&
           std::any_of(lane.begin(), lane.end(), is_again);
  }

  const Question& question_;
  flamelet_explain& explain_;
  FrameLanes& lanes_;
  Evidence& cause_;
  const int64_t asleep_ns_;
  const bool is_sure_;
  WorkWindow window_;
  int64_t waking_ns_ = 0, woken_ns_ = 0;
  int64_t thread_woken_ns_ = 0;  // by a thread: `woken_ns_`, or where the scope went on
  bool is_vague_ = false;        // when it woke: it had no processor for a tenth of its sleep
  bool has_slept_ = false, knows_when_ = false;
  flamelet_state sleep_ = {};  // the longest, if states are known
  static constexpr uint32_t kTries = 3;
  uint32_t refused_[kTries] = {}, tries_ = 0;
};

// Work that was probably waited for, and whose thread slept nearly all of that time, waited for somebody itself.
void follow_sleep(const Question& question, Evidence* cause) {
  constexpr uint32_t kHops = 3;
  for (uint32_t hop = 0; hop < kHops && cause->has(kIsRare | kIsProbable); ++hop) {
    const WorkWindow window = window_of(*cause, question.why.frame);
    const int64_t asleep_ns =
        window.end_ns - window.begin_ns -
        question.explain->lanes.awake_ns(cause->lane, question.position, window.begin_ns, window.end_ns);
    if (asleep_ns * 10 < cause->time_ns * 8 || cause->has(kOnGpu) || cause->has(kIsFile)) return;
    const uint32_t lane = cause->lane, path = cause->path;
    SleepReason(question, cause, asleep_ns, true).find();
    if (cause->lane == lane && cause->path == path) return;
  }
}

}  // namespace

namespace {

// Whether its thread may have slept for work of another lane.
bool may_have_slept(const Evidence& cause) {
  switch (verdict_of(cause)) {
    case FLAMELET_VERDICT_WAIT:
    case FLAMELET_VERDICT_GPU_BOUND:
    case FLAMELET_VERDICT_RECORDING:
    case FLAMELET_VERDICT_PREEMPTED:
    case FLAMELET_VERDICT_STOPPED:
    case FLAMELET_VERDICT_ORDER:
      return false;
    default:
      return true;
  }
}

}  // namespace

void look_for_new_work(const Question& question, const EvidenceList& list, Evidence* cause) {
  const bool is_known =
      verdict_of(*cause) == FLAMELET_VERDICT_MORE_CALLS || verdict_of(*cause) == FLAMELET_VERDICT_CARRIED_OVER;
  if (cause->knows_states || is_known || !may_have_slept(*cause)) return;
  const Sleep sleep = sleep_of(question, list, *cause);
  if (sleep.most_ns != 0 && sleep.most_ns * 2 >= cause->surplus_ns)
    SleepReason(question, cause, sleep.most_ns, false).find_new();
}

void look_for_sleep(const Question& question, const EvidenceList& list, Evidence* cause) {
  const flamelet_verdict verdict = verdict_of(*cause);
  // A marked wait, of which no lane's work ended when it did: somebody may have gone on a little before he let go.
  constexpr uint32_t kIsKnownWait =
      FLAMELET_PIECE_NOT_BEGUN | FLAMELET_PIECE_NO_WAKER | FLAMELET_CAUSE_IN_TURN | FLAMELET_CAUSE_FILE;
  if (cause->has(kIsWait) && verdict == FLAMELET_VERDICT_WAIT && (cause->flags & kIsKnownWait) == 0 &&
      cause->spinner != cause->lane) {
    SleepReason(question, cause, cause->time_ns, true).find();
    return follow_sleep(question, cause);
  }
  follow_sleep(question, cause);
  if (cause->has(kIsRare | kIsProbable) && cause->path != FLAMELET_NO_PATH && verdict != verdict_of(*cause)) return;
  // Work that held a lock, or was waited for: whether it slept meanwhile.
  if (verdict == FLAMELET_VERDICT_WAIT && cause->has(kIsRare) && (cause->has(kIsProbable) || cause->has(kHeldLock))) {
    const WorkWindow window = window_of(*cause, question.why.frame);
    const int64_t awake_ns =
        question.explain->lanes.awake_ns(cause->lane, question.position, window.begin_ns, window.end_ns);
    cause->asleep_ns = cause->knows_states ? cause->states.ns[FLAMELET_STATE_ASLEEP]
                                           : std::min(window.end_ns - window.begin_ns - awake_ns, cause->time_ns);
    if (cause->knows_states) cause->flags |= FLAMELET_CAUSE_SLEEP_KNOWN;
  }
  if (!may_have_slept(*cause)) return;
  const Sleep sleep = sleep_of(question, list, *cause);
  cause->asleep_ns = sleep.least_ns;
  if (cause->knows_states) cause->flags |= FLAMELET_CAUSE_SLEEP_KNOWN;
  const bool is_known = verdict == FLAMELET_VERDICT_MORE_CALLS || verdict == FLAMELET_VERDICT_CARRIED_OVER;
  if (is_known || sleep.most_ns * 2 < cause->surplus_ns || sleep.most_ns == 0) return;
  cause->probably_asleep_ns = std::min(sleep.probable_ns, sleep.most_ns);

  const bool is_sure = sleep.least_ns * 2 >= cause->surplus_ns && sleep.least_ns != 0;
  SleepReason(question, cause, is_sure ? sleep.least_ns : sleep.most_ns, is_sure).find();
  if (is_sure) follow_sleep(question, cause);
}

namespace {

// The last call of a scope that a lane ended before a time, or nullptr; and how many it ended.
const flamelet_span* last_call(const LaneSpans& lane, const flamelet_explain_scope& scope, int64_t before_ns,
                               uint32_t* count) {
  const flamelet_span* last = nullptr;
  *count = 0;
  for (const flamelet_span& span : lane) {
    if (!is_same_scope(span, scope) || span.end_ns > before_ns) continue;
    ++*count;
    if (last == nullptr || span.end_ns > last->end_ns) last = &span;
  }
  return last;
}

// A job of another thread that ended as a scope did, and how that scope ended in the frames before, on whichever thread the
// job was done then.
struct Awaited {
  uint32_t lane, path;  // kNoIndex: there is none
  flamelet_span span;
  uint32_t together;  // with the job
  uint32_t at_once;   // soon after it had begun, as the job had ended
  uint32_t apart;     // while the job was not done, or long after it
  uint32_t unsure;    // after it, and its thread had no processor for as long in that frame
  uint32_t without;   // for something else: the job had ended before it began, or was not done when it ended at once
  uint32_t often;     // with one of so many of the job that one always ends then
  uint32_t midst;     // within such a job, of `frames`
  uint32_t frames;
  uint64_t lanes;  // that did such jobs there, of the first 64
};

class EndsWith {
 public:
  EndsWith(const Question& question, const Evidence& cause)
      : question_(question), cause_(cause), tolerance_ns_(question.explain->config.tolerance_ns) {}

  // Adds a job of this frame. Of a kind, the one that ended last is kept.
  void add(uint32_t lane, uint32_t span_index) {
    const flamelet_span span = question_.explain->lanes.lane(lane).spans[span_index];
    Awaited* const kind =
        std::find_if(kinds_, kinds_ + count_, [&span](const Awaited& k) { return is_same_scope(k.span, span); });
    if (kind == kinds_ + kMostKinds || (kind != kinds_ + count_ && kind->span.end_ns >= span.end_ns)) return;
    count_ = std::max(count_, static_cast<uint32_t>(kind - kinds_) + 1);
    *kind = {lane, question_.explain->path.path_of(lane, span_index), span, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  }

  // Reads the frames before.
  void learn() {
    constexpr uint32_t kFramesBefore = 96, kEnough = 8;
    constexpr uint32_t kMostSpans = 1 << 18;  // to read more takes time
    const OtherFrames put_back(question_);
    FrameLanes& lanes = question_.explain->lanes;
    const auto is_enough = [](const Awaited& kind) { return kind.together >= kEnough && kind.apart == 0; };
    uint32_t read = 0;
    for (size_t i = question_.position; i != 0 && i + kFramesBefore > question_.position; --i) {
      if (count_ == 0 || read > kMostSpans || std::any_of(begin(), end(), is_enough)) break;
      flamelet_frame_info frame;
      if (!flamelet_capture_frame(question_.capture, i - 1, &frame)) continue;
      question_.read(frame.begin_ns, frame.end_ns);
      note(i - 1, frame.end_ns);
      read += lanes.span_count();
    }
  }

  const Awaited* begin() const { return kinds_; }
  const Awaited* end() const { return kinds_ + count_; }

 private:
  static constexpr uint32_t kMostKinds = 8;

  void note(size_t position, int64_t frame_end_ns) {
    constexpr uint32_t kMostCalls = 4;
    flamelet_explain& explain = *question_.explain;
    uint32_t calls = 0;
    const flamelet_span* const last =
        last_call(explain.lanes.lane(cause_.lane), explain.paths[cause_.path], frame_end_ns, &calls);
    if (last == nullptr) return;
    const flamelet_span own = *last;
    const bool is_short = own.end_ns - own.begin_ns < 4 * tolerance_ns_;
    for (Awaited* kind = kinds_; kind != kinds_ + count_; ++kind) {
      int64_t end_ns = INT64_MIN;
      uint32_t all = 0;
      bool is_midst = false;
      const auto is_under_way = [&](const flamelet_span& span) {
        return span.begin_ns < own.begin_ns && span.end_ns > own.end_ns + tolerance_ns_ &&
               is_same_scope(span, kind->span);
      };
      for (uint32_t lane = 0; lane < explain.lanes.lane_count(); ++lane) {
        if (lane == cause_.lane || explain.lanes.kind(lane) != FLAMELET_LANE_THREAD) continue;
        const LaneSpans& spans = explain.lanes.lane(lane);
        is_midst = is_midst || std::any_of(spans.begin(), spans.end(), is_under_way);
        const flamelet_span* const job =
            last_call(spans, explain.paths[kind->path], own.end_ns + tolerance_ns_, &calls);
        all += calls;
        if (job != nullptr) end_ns = std::max(end_ns, job->end_ns);
        if (job != nullptr && lane < 64) kind->lanes |= uint64_t{1} << lane;
      }
      ++kind->frames;
      kind->midst += is_midst;
      const int64_t later_ns = all == 0 ? kLongestFrame : own.end_ns - end_ns;
      if (is_short)
        ++(all != 0 ? kind->at_once : kind->without);
      else if (all != 0 && end_ns <= own.begin_ns)
        ++kind->without;
      else if (later_ns <= 2 * tolerance_ns_)
        ++(all > kMostCalls ? kind->often : kind->together);
      else
        ++(later_ns > 2 * tolerance_ns_ + explain.lanes.ready_ns(cause_.lane, position) ? kind->apart : kind->unsure);
    }
  }

  const Question& question_;
  const Evidence& cause_;
  const int64_t tolerance_ns_;
  Awaited kinds_[kMostKinds];
  uint32_t count_ = 0;
};

// Since when a candidate's thread hardly ran in its scope. Before the midst of it, nothing is asked for.
int64_t hardly_ran_since(const Question& question, const Evidence& cause, const WorkWindow& window) {
  const int64_t tolerance_ns = question.explain->config.tolerance_ns;
  int64_t since_ns = window.end_ns - 2 * tolerance_ns, before_ns = (window.begin_ns + window.end_ns) / 2;
  if (!cause.knows_states) since_ns -= question.explain->lanes.ready_ns(cause.lane, question.position);
  while (cause.knows_states && since_ns - before_ns > tolerance_ns) {
    const int64_t middle_ns = before_ns + (since_ns - before_ns) / 2;
    flamelet_state_times states;
    const bool is_off = flamelet_capture_state_times(question.capture, cause.lane, middle_ns, window.end_ns, &states) &&
                        window.end_ns - middle_ns <= 2 * tolerance_ns + states.ns[FLAMELET_STATE_TAKEN_OFF];
    (is_off ? since_ns : before_ns) = middle_ns;
  }
  return std::max(since_ns, before_ns);
}

// Whether a thread was taken off its processors by others of the program for most of the time for which it was taken off.
bool was_taken_off_by_own(const Question& question, uint32_t lane, const WorkWindow& window) {
  flamelet_state* const states = question.explain->items->states;
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, question.capture, lane, window.begin_ns, window.end_ns, states,
                              FLAMELET_CURSOR_LEAST);
  int64_t own_ns = 0, all_ns = 0;
  while (flamelet_state_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      if (states[i].kind != FLAMELET_STATE_TAKEN_OFF) continue;
      all_ns += states[i].end_ns - states[i].begin_ns;
      own_ns += states[i].by < FLAMELET_BY_UNKNOWN ? states[i].end_ns - states[i].begin_ns : 0;
    }
  }
  return own_ns * 3 > all_ns * 2;
}

// A job of another thread with whose end a candidate's scope ended, here and in most frames before: the scope waits for it,
// awake. Of several the one with which it ended most often.
Awaited awaited_job(const Question& question, const Evidence& cause, const WorkWindow& window) {
  constexpr uint32_t kLeastFrames = 4;
  flamelet_explain& explain = *question.explain;
  FrameLanes& lanes = explain.lanes;
  const int64_t tolerance_ns = explain.config.tolerance_ns;
  EndsWith jobs(question, cause);
  const int64_t since_ns = hardly_ran_since(question, cause, window);
  for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane) {
    if (lane == cause.lane || lanes.kind(lane) != FLAMELET_LANE_THREAD || waits_for_it(question, cause, lane)) continue;
    for (const flamelet_span& span : lanes.lane(lane)) {
      const bool is_there = (span.flags & FLAMELET_SPAN_OPEN) == 0 && span.end_ns >= since_ns &&
                            span.end_ns <= window.end_ns + tolerance_ns;
      // Two threads that did the same work did it beside each other.
      if (!is_there || is_same_scope(span, explain.paths[cause.path]) || lanes.waits(span)) continue;
      jobs.add(lane, static_cast<uint32_t>(&span - lanes.lane(lane).spans));
    }
  }
  jobs.learn();
  Awaited most = {kNoIndex, kNoIndex, {}, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (const Awaited& job : jobs) {
    if (job.together < kLeastFrames || job.together < 3 * (job.apart + job.often)) continue;
    // A scope that also takes its time where the job is done before it, or ends in the midst of it, does something itself.
    const uint32_t agree = job.together + job.at_once;
    if (agree < job.without || agree * 5 < (job.unsure + job.without) * 2) continue;
    if (most.lane == kNoIndex || job.together > most.together ||
        (job.together == most.together && job.span.end_ns > most.span.end_ns))
      most = job;
  }
  return most;
}

// Since when a job's lane had done nothing else.
int64_t idle_since(FrameLanes* lanes, const Awaited& job) {
  const LaneSpans& spans = lanes->lane(job.lane);
  int64_t since_ns = INT64_MIN;
  for (uint32_t i = 0; i < spans.count; ++i)
    if (spans.spans[i].end_ns <= job.span.begin_ns && !lanes->waits(spans.spans[i]))
      since_ns = std::max(since_ns, spans.spans[i].end_ns);
  return since_ns;
}

// When a job was asked for: by the last flow that ended on its lane since what that did before. False: nobody knows.
bool asked_at(FrameLanes* lanes, const Awaited& job, int64_t tolerance_ns, int64_t* time_ns) {
  bool is_known = false;
  for (const FlowEnd* flow = lanes->first_flow(job.lane, idle_since(lanes, job));
       flow != lanes->end_of_flows() && flow->lane == job.lane && flow->time_ns <= job.span.begin_ns + tolerance_ns;
       ++flow) {
    *time_ns = flow->from_ns;
    is_known = flow->from_lane != kNoIndex;
  }
  return is_known;
}

// How long a lane did nothing before it began a job; for how much of that its thread had no processor, at most where states
// are not known, and slept, if they are; and how long it was in marked waits.
struct Idle {
  int64_t all_ns, unready_ns, asleep_ns, waited_ns;
};
Idle idle_before(const Question& question, uint32_t lane, const WorkWindow& before) {
  FrameLanes& lanes = question.explain->lanes;
  const LaneSpans& spans = lanes.lane(lane);
  int64_t at_ns = before.begin_ns, all_ns = 0, taken_off_ns = 0, asleep_ns = 0, waited_ns = 0;
  bool knows_states = true;
  for (uint32_t i = 0; i <= spans.count && at_ns < before.end_ns; ++i) {
    const bool is_end = i == spans.count;
    if (!is_end && spans.spans[i].parent != FLAMELET_NO_PARENT) continue;
    if (!is_end && lanes.waits(spans.spans[i])) {
      waited_ns += overlap_ns(spans.spans[i], before);
      continue;
    }
    const int64_t until_ns = is_end ? before.end_ns : std::min(spans.spans[i].begin_ns, before.end_ns);
    flamelet_state_times times = {};
    if (until_ns > at_ns)
      knows_states = flamelet_capture_state_times(question.capture, lane, at_ns, until_ns, &times) && knows_states;
    taken_off_ns += times.ns[FLAMELET_STATE_TAKEN_OFF];
    asleep_ns += times.ns[FLAMELET_STATE_ASLEEP];
    all_ns += std::max<int64_t>(until_ns - at_ns, 0);
    at_ns = std::max(at_ns, is_end ? until_ns : spans.spans[i].end_ns);
  }
  const int64_t woken_ns = std::min(asleep_ns, knows_states ? woken_ready_ns(question, lane) : 0);
  if (knows_states) return {all_ns, taken_off_ns + woken_ns, asleep_ns - woken_ns, waited_ns};
  return {all_ns, std::min(lanes.ready_ns(lane, question.position), all_ns), 0, waited_ns};
}

// A scope that usually ends with a job of another thread: if that took longer, or something kept its thread from it, this is
// the candidate instead. Else the scope is a wait for what began late. A thread that wakes another one may lose its processor
// to that one until its job is done, and is no spinner: the job was asked for before, or the thread ran meanwhile.
bool pass_to_awaited(const Question& question, const WorkWindow& whole, int64_t ran_ns, Evidence* cause) {
  FrameLanes& lanes = question.explain->lanes;
  const LaneSpans& own = lanes.lane(cause->lane);
  const bool has_waits = std::any_of(own.begin(), own.end(), [&](const flamelet_span& span) {
    return span.begin_ns >= whole.begin_ns && span.end_ns <= whole.end_ns && lanes.waits(span);
  });
  if (cause->surplus_ns * 4 < question.why.surplus_ns || has_waits || cause->has(kIsProbable)) return false;
  const Awaited job = awaited_job(question, *cause, whole);
  if (job.lane == kNoIndex) return false;
  const WorkWindow window = {whole.begin_ns, std::min(job.span.end_ns, whole.end_ns)};
  int64_t asked_ns = 0;
  const bool is_asked = asked_at(&lanes, job, question.explain->config.tolerance_ns, &asked_ns);
  const int64_t lost_ns = whole.end_ns - window.end_ns;  // its own processor, after that
  if (lost_ns * 2 > cause->surplus_ns || (is_asked ? asked_ns > window.begin_ns : ran_ns * 5 < cause->time_ns))
    return false;
  Evidence waited = *cause;
  waited.surplus_ns -= lost_ns;
  waited.spinner = cause->lane;
  waited.spun = window;
  // Another thread that does such jobs has to have been kept from it all the time, and this one did other things.
  const WorkWindow before = {window.begin_ns, std::max(job.span.begin_ns, window.begin_ns)};
  const int64_t late_ns = before.end_ns - before.begin_ns;
  const auto is_passed_to = [&](uint32_t lane) {
    const bool is_own = lane == job.lane;
    if (!is_own && (lane == cause->lane || lane >= 64 || (job.lanes >> lane & 1) == 0)) return false;
    const WorkWindow& part = is_own ? window : before;
    const Work work = work_before(question, lane, job.path, is_own ? waited.surplus_ns / 2 : late_ns / 10 * 9, part);
    return work.lane == lane && pass_to(question, work, part, &waited);
  };
  bool is_passed = is_passed_to(job.lane);
  const bool is_late = late_ns * 2 >= waited.surplus_ns;
  const Idle idle = is_passed ? Idle{} : idle_before(question, job.lane, before);
  const bool is_unready = is_late && is_asked && idle.unready_ns * 2 >= waited.surplus_ns;
  const bool was_busy = is_late && idle.all_ns * 4 <= late_ns;
  for (uint32_t lane = 0; !is_passed && was_busy && lane < lanes.lane_count(); ++lane)
    is_passed = lane != job.lane && is_passed_to(lane);
  if (is_passed) {
    *cause = waited;
    return true;
  }
  if (!is_late || (!is_asked && ran_ns * 2 < cause->time_ns)) return false;
  waited.facts = kIsWait | (is_asked ? kNotBegun : 0u);
  waited.flags |= FLAMELET_PIECE_WAIT | (is_asked ? uint32_t{FLAMELET_PIECE_NOT_BEGUN} : 0);
  waited.knows_states = false;
  if (is_unready) {
    waited.facts = kLostProcessor;
    waited.flags = (waited.flags & ~uint32_t{FLAMELET_PIECE_WAIT}) | FLAMELET_PIECE_PROBABLY;
    waited.nearest_wait = waited.path;
    if (waited.waiting == FLAMELET_NO_PATH) waited.waiting = waited.path;
    pass_lane(question, job.lane, &waited);
    waited.path = job.path;
    waited.time_ns = waited.surplus_ns = std::min(idle.unready_ns, waited.surplus_ns);
    waited.usual_ns = waited.spread_ns = 0;
  } else {
    set_begun(question, job.lane, job.path, before, &waited);
  }
  *cause = waited;
  return true;
}

// Work of another thread that took nearly all of a window, and went on behind it for no longer than it usually takes: what
// was longer in it was done. Its lane is kNoIndex if there is none.
Work work_gone_on(const Question& question, const Evidence& cause, const WorkWindow& window) {
  constexpr double kLong = 20, kRest = 2;  // times as long as usual
  FrameLanes& lanes = question.explain->lanes;
  const int64_t took_ns = window.end_ns - window.begin_ns;
  Work work = {kNoIndex, kNoIndex, took_ns / 10 * 9, 1};
  for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane) {
    if (lane == cause.lane || lanes.kind(lane) != FLAMELET_LANE_THREAD || waits_for_it(question, cause, lane)) continue;
    const LaneSpans& spans = lanes.lane(lane);
    for (uint32_t i = 0; i < spans.count; ++i) {
      const flamelet_span& span = spans.spans[i];
      if (overlap_ns(span, window) > work.overlap_ns && !lanes.waits(span) && span.end_ns > window.end_ns &&
          lanes.was_nearly_done(lane, question.position, span, window.end_ns, took_ns / 20))
        work = {lane, i, overlap_ns(span, window), 1};
    }
  }
  if (work.lane == kNoIndex) return work;
  // Who hardly ran meanwhile is not whom anybody waited for so long: this scope may have had its processor.
  flamelet_state_times states;
  int64_t unready_ns = lanes.ready_ns(work.lane, question.position);
  if (flamelet_capture_state_times(question.capture, work.lane, window.begin_ns, window.end_ns, &states))
    unready_ns = states.ns[FLAMELET_STATE_TAKEN_OFF];
  if (unready_ns * 4 > took_ns * 3) return {kNoIndex, kNoIndex, 0, 0};
  const flamelet_span span = lanes.lane(work.lane).spans[work.span];
  const double usual_ns =
      usual_job(question, question.explain->path.path_of(work.lane, work.span), span.begin_ns).call_ns;
  if (usual_ns * kLong > static_cast<double>(span.end_ns - span.begin_ns) ||
      !lanes.was_nearly_done(work.lane, question.position, span, window.end_ns, static_cast<int64_t>(kRest * usual_ns)))
    work.lane = kNoIndex;
  return work;
}

}  // namespace

void look_for_spin(const Question& question, Evidence* cause) {
  constexpr int64_t kShort = 20;  // times as long as usual, at least
  const flamelet_verdict verdict = verdict_of(*cause);
  const bool is_guessed = verdict == FLAMELET_VERDICT_WAIT && cause->has(kIsRare | kIsProbable) && !cause->has(kIsWait);
  const bool is_rare = verdict == FLAMELET_VERDICT_NEW || is_guessed;
  if (verdict != FLAMELET_VERDICT_SLOWER_CALLS && verdict != FLAMELET_VERDICT_UNINSTRUMENTED && !is_rare) return;
  // Who spins never sleeps. On the processor of the one for whom he does so, he runs now and then.
  const int64_t* const states_ns = cause->states.ns;
  if (cause->knows_states &&
      (states_ns[FLAMELET_STATE_RUNNING] + states_ns[FLAMELET_STATE_TAKEN_OFF]) * 10 < cause->time_ns * 9)
    return;
  const WorkWindow window = window_of(*cause, question.why.frame);
  const int64_t took_ns = window.end_ns - window.begin_ns;
  FrameLanes& lanes = question.explain->lanes;
  const int64_t ready_ns = lanes.ready_ns(cause->lane, question.position);
  // Who runs no more than usual has lost his processor to that work.
  int64_t ran_ns = cause->knows_states ? states_ns[FLAMELET_STATE_RUNNING] : cause->time_ns - ready_ns;
  flamelet_thread_time time;
  const double usual_ran = usual_ran_ns(question, cause->lane);
  int64_t longer_ns = ran_ns;  // it ran than usual
  if (!cause->knows_states && usual_ran >= 0 &&
      flamelet_capture_thread_time(question.capture, question.position, cause->lane, &time))
    longer_ns = time.ran_ns - static_cast<int64_t>(usual_ran) + (is_rare ? cause->usual_there_ns : cause->usual_ns);
  ran_ns = std::min(ran_ns, longer_ns);
  // One or two frames that had it do not say what is usual there, where it lost its processor.
  const bool was_there = cause->seen_frames > 2 || ran_ns * 2 > cause->time_ns;
  const int64_t usual_ns = !is_rare ? cause->usual_ns : was_there ? cause->usual_there_ns : 0;
  if (!is_rare && !cause->has(kInNoScope) && pass_to_awaited(question, window, ran_ns, cause)) return;
  const bool is_seldom_run = cause->knows_states ? ran_ns * 3 < cause->time_ns : ready_ns * 2 > cause->time_ns;
  // All that it lost need not have been here.
  const bool may_have_run =
      is_seldom_run && !cause->knows_states && ran_ns < longer_ns && longer_ns * 5 >= cause->time_ns;
  if (may_have_run) ran_ns = std::min(longer_ns, cause->time_ns);
  const auto ended_before = [&](int64_t after_ns) {
    Work work = {kNoIndex, kNoIndex, took_ns / 10 * 7, 0};
    after_ns += question.explain->config.tolerance_ns;
    for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane)
      if (lane != cause->lane && lanes.kind(lane) != FLAMELET_LANE_GPU && !waits_for_it(question, *cause, lane))
        work = most_work(question, lane, window, window.end_ns - after_ns, 0, false, false, work);
    return work;
  };
  // It may have no processor then, and does what it does as ever. Otherwise it is chance that both end at once.
  if (usual_ns * kShort > cause->time_ns ||
      (is_seldom_run && (ran_ns * 20 < cause->time_ns || usual_ns * kShort > 2 * ran_ns || cause->has(kInNoScope))))
    return;
  // Who ran for less than that, or slept, has to have gone on at once.
  const bool is_little_run = (is_seldom_run && usual_ns * kShort > ran_ns) ||
                             (!cause->knows_states && (ran_ns + ready_ns) * 2 < cause->time_ns);
  const int64_t rest_ns = is_seldom_run ? std::min<int64_t>(took_ns / 20, 4000000) : ready_ns;
  Work work = ended_before(is_little_run ? 0 : cause->usual_ns + rest_ns);
  // Or have had no processor to see that it was done.
  const bool is_late = work.lane == kNoIndex && !is_little_run && is_seldom_run && cause->knows_states;
  if (is_late) work = ended_before(window.end_ns - hardly_ran_since(question, *cause, window));
  // Who hardly ran, and goes on as another one is done, may only have his processor back from that one.
  if (is_seldom_run && (is_late || (is_rare && usual_ns == 0)) && was_taken_off_by_own(question, cause->lane, window))
    return;
  if (work.lane == kNoIndex && !is_rare && !cause->has(kInNoScope) && ran_ns * 3 >= cause->time_ns)
    work = work_gone_on(question, *cause, window);
  if (work.lane == kNoIndex) return;
  // Who spins in what is new does nothing else there, and the other one worked, and did not wait for that.
  const flamelet_span span = lanes.lane(work.lane).spans[work.span];
  const PathTime& time_there = question.explain->path.time_of(cause->path);
  if (is_rare && usual_ns == 0 && time_there.self_ns * 10 < time_there.total_ns * 9) return;
  if (is_rare && usual_ns == 0 &&
      lanes.awake_ns(work.lane, question.position, std::max(span.begin_ns, window.begin_ns),
                     std::min(span.end_ns, window.end_ns)) *
              10 <
          work.overlap_ns * 9)
    return;
  // Who ran all the time may have had this one's processor.
  if (may_have_run && flamelet_capture_thread_time(question.capture, question.position, work.lane, &time) &&
      time.ran_ns * 5 > work.overlap_ns * 4)
    return;
  // Two threads that did the same work did it beside each other.
  const uint32_t innermost = innermost_of(&lanes, work, window).span;
  // Who waited himself may have done so for this one.
  if (cause->waiting != FLAMELET_NO_PATH && lanes.waits(lanes.lane(work.lane).spans[innermost])) return;
  const flamelet_explain_scope& found = question.explain->paths[question.explain->path.path_of(work.lane, innermost)];
  const flamelet_explain_scope& own = question.explain->paths[cause->path];
  if (is_same_scope(found, own)) return;
  // A scope that began and ended in the midst of such work in a fifth of the frames before does not wait for it.
  EndsWith jobs(question, *cause);
  jobs.add(work.lane, innermost);
  jobs.learn();
  const Awaited& job = *jobs.begin();
  constexpr uint32_t kLeastMidst = 4;
  if (!cause->has(kInNoScope) && job.midst >= kLeastMidst && job.midst * 5 > job.frames) return;
  const uint32_t spinner = cause->lane;
  if (!pass_to(question, work, window, cause)) return;
  cause->spinner = spinner;
  cause->spun = window;
}

void set_begun(const Question& question, uint32_t lane, uint32_t path, const WorkWindow& before, Evidence* wait) {
  wait->begun_lane = lane;
  wait->begun_path = path;
  FrameLanes& lanes = question.explain->lanes;
  const flamelet_explain_scope& own = question.explain->paths[wait->path];
  const auto is_blocked = [&](const flamelet_span& span) {
    return overlap_ns(span, before) > 0 &&
           (lanes.is_lock(span.site) || (lanes.waits(span) && is_same_scope(span, own)));
  };
  const LaneSpans& spans = lanes.lane(lane);
  if (std::any_of(spans.begin(), spans.end(), is_blocked)) return;
  const int64_t most_ns = (before.end_ns - before.begin_ns) / 10 * 9;
  const Idle idle = idle_before(question, lane, before);
  if (idle.waited_ns >= most_ns && idle.unready_ns < most_ns)
    wait->flags |= FLAMELET_CAUSE_BEGUN_BY_IDLE;
  else if (idle.asleep_ns >= most_ns)
    wait->flags |= FLAMELET_CAUSE_BEGUN_AFTER_SLEEP;
}

void note_begun_late(const Question& question, Evidence* wait) {
  constexpr uint32_t kLeastFrames = 8;
  const WorkWindow window = window_of(*wait, question.why.frame);
  FrameLanes& lanes = question.explain->lanes;
  const int64_t took_ns = window.end_ns - window.begin_ns, tolerance_ns = question.explain->config.tolerance_ns;
  const int64_t half_ns = window.begin_ns + took_ns / 2;
  const int64_t late_ns = 2 * tolerance_ns + std::min(lanes.ready_ns(wait->lane, question.position), took_ns / 10);
  uint32_t last_lane = kNoIndex, last = kNoIndex;
  int64_t last_ns = window.end_ns - late_ns;
  for (uint32_t index = 0; index < lanes.lane_count(); ++index) {
    const LaneSpans& lane = lanes.lane(index);
    if (index == wait->lane || lane.kind != FLAMELET_LANE_THREAD || !lane.is_work ||
        waits_for_it(question, *wait, index))
      continue;
    for (const flamelet_span& span : lane) {
      if (span.begin_ns < half_ns || span.end_ns <= last_ns || span.end_ns > window.end_ns + tolerance_ns ||
          lanes.waits(span))
        continue;
      last_lane = index;
      last = static_cast<uint32_t>(&span - lane.spans);
      last_ns = span.end_ns;
    }
  }
  if (last_lane == kNoIndex) return;
  EndsWith jobs(question, *wait);
  jobs.add(last_lane, last);
  const Awaited& job = *jobs.begin();
  // Who does it again and again did it before, and made nobody wait.
  const auto is_again = [&](const flamelet_span& span) {
    return is_same_scope(span, job.span) && span.begin_ns >= window.begin_ns && span.begin_ns < half_ns;
  };
  for (uint32_t index = 0; index < lanes.lane_count(); ++index)
    if (std::any_of(lanes.lane(index).begin(), lanes.lane(index).end(), is_again)) return;
  jobs.learn();
  const uint32_t fits = job.together + job.often + job.at_once;
  if (fits < kLeastFrames || fits < 3 * (job.apart + job.without)) return;
  set_begun(question, job.lane, job.path, {window.begin_ns, std::max(job.span.begin_ns, window.begin_ns)}, wait);
  wait->flags |= FLAMELET_CAUSE_MAY_HAVE_BEGUN;
}

}  // namespace flamelet::explain
