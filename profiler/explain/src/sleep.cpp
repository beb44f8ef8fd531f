// SPDX-License-Identifier: MIT
//
// sleep.cpp: states of threads say how long a thread slept in a scope: it waited for a driver, a disk, a lock, another
// thread. Without them the system tells how long it ran in a frame, and how long it could have run. If it spent more time
// than that in a scope, then it slept there. What it did in the rest of the frame only makes that time longer.
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

bool is_under(const flamelet_explain& explain, uint32_t path, uint32_t root) {
  while (path != root && path != FLAMELET_NO_PATH) path = explain.paths[path].parent;
  return path == root;
}

// How long the thread slept in a cause's scope: at least, and at most.
struct Sleep {
  int64_t least_ns, most_ns;
};

Sleep sleep_of(const Question& question, const EvidenceList& list, const Evidence& cause) {
  if (cause.knows_states) return {cause.states.ns[FLAMELET_STATE_ASLEEP], cause.states.ns[FLAMELET_STATE_ASLEEP]};
  const flamelet_explanation& why = question.why;
  constexpr uint32_t kNeeded = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  flamelet_thread_time time;
  if (!flamelet_capture_thread_time(question.capture, question.position, cause.lane, &time) ||
      (time.known & kNeeded) != kNeeded)
    return {0, 0};
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
    if (other.lane == cause.lane && other.path != cause.path) elsewhere_ns += more_calls_ns(other);
  const int64_t awake_ns = time.ran_ns + time.ready_ns;
  const int64_t least_ns = in_cause_ns - std::max<int64_t>(awake_ns - elsewhere_ns, 0);
  return {std::max<int64_t>(least_ns, 0), std::min(in_cause_ns, std::max<int64_t>(in_work_ns - awake_ns, 0))};
}

// The span with most time in the window that is not a wait and ended when the sleeper can have woken, or `best`. For a GPU
// queue that is any time: a driver also waits for room in the queue.
Work most_work(FrameLanes* lanes, uint32_t index, const WorkWindow& window, int64_t woken_ns, Work best) {
  const LaneSpans& lane = lanes->lane(index);
  for (uint32_t i = 0; i < lane.count && lane.is_work; ++i) {
    const flamelet_span& span = lane.spans[i];
    const bool is_in_time = lane.kind == FLAMELET_LANE_GPU || (span.end_ns >= woken_ns && span.end_ns <= window.end_ns);
    if (!is_in_time || (span.flags & FLAMELET_SPAN_OPEN) != 0) continue;
    const int64_t worked_ns = overlap_ns(span, window);
    if (worked_ns > best.overlap_ns && !lanes->waits(span)) best = {index, i, worked_ns};
  }
  return best;
}

// Makes the work for which the thread can have slept so long the candidate. Where it is not sure in which of its scopes the
// thread slept, only a GPU queue tells: its work in that time. For a marked wait that was looked at before.
void look_for_work(const Question& question, Evidence* cause, int64_t asleep_ns, bool is_sure) {
  const flamelet_explanation& why = question.why;
  const WorkWindow window = window_of(*cause, why.frame);
  FrameLanes& lanes = question.explain->lanes;
  lanes.start(question.capture, why.frame.begin_ns, why.frame.end_ns);
  const int64_t awake_ns = std::max<int64_t>(window.end_ns - window.begin_ns - asleep_ns, 0);
  // Who was slept for may have gone on a little before he let go, and the sleeper's processor takes its time to wake.
  constexpr int64_t kMostRest = 500000;
  const int64_t waking_ns = question.explain->config.tolerance_ns + std::min(asleep_ns / 50, kMostRest);
  Work work = {kNoIndex, kNoIndex, asleep_ns / 2};
  for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane)
    if (lane != cause->lane && (lanes.kind(lane) == FLAMELET_LANE_GPU ? !cause->has(kIsWait) : is_sure))
      work = most_work(&lanes, lane, window, window.end_ns - awake_ns - waking_ns, work);
  if (work.lane != kNoIndex) pass_to(question, work, window, cause);
}

}  // namespace

void look_for_sleep(const Question& question, const EvidenceList& list, Evidence* cause) {
  const flamelet_verdict verdict = verdict_of(*cause);
  // A marked wait, of which no lane's work ended when it did: somebody may have gone on a little before he let go.
  constexpr uint32_t kIsKnownWait = FLAMELET_PIECE_NOT_BEGUN | FLAMELET_CAUSE_IN_TURN | FLAMELET_CAUSE_FILE;
  if (cause->has(kIsWait) && verdict == FLAMELET_VERDICT_WAIT && (cause->flags & kIsKnownWait) == 0)
    return look_for_work(question, cause, cause->time_ns, true);
  for (const flamelet_verdict other : {FLAMELET_VERDICT_WAIT, FLAMELET_VERDICT_GPU_BOUND, FLAMELET_VERDICT_RECORDING,
                                       FLAMELET_VERDICT_PREEMPTED, FLAMELET_VERDICT_STOPPED, FLAMELET_VERDICT_ORDER})
    if (verdict == other) return;
  const Sleep sleep = sleep_of(question, list, *cause);
  cause->asleep_ns = sleep.least_ns;
  if (cause->knows_states) cause->flags |= FLAMELET_CAUSE_SLEEP_KNOWN;
  const bool is_known = verdict == FLAMELET_VERDICT_MORE_CALLS || verdict == FLAMELET_VERDICT_CARRIED_OVER;
  if (is_known || sleep.most_ns * 2 < cause->surplus_ns || sleep.most_ns == 0) return;

  const bool is_sure = sleep.least_ns * 2 >= cause->surplus_ns && sleep.least_ns != 0;
  look_for_work(question, cause, is_sure ? sleep.least_ns : sleep.most_ns, is_sure);
}

}  // namespace flamelet::explain
