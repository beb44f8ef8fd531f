// SPDX-License-Identifier: MIT
//
// sleep.cpp: the system tells how long a thread ran in a frame, and how long it could have run. If it spent more time than
// that in a scope, then it slept there: it waited for a driver, a disk, a lock, another thread. What it did in the rest of
// the frame only makes that time longer.
#include "sleep.h"

#include <algorithm>

#include "job_history.h"
#include "lost_time.h"

namespace flamelet::why {
namespace {

bool is_under(const flamelet_explain& explain, uint32_t path, uint32_t root) {
  while (path != root && path != FLAMELET_NO_PATH) path = explain.paths[path].parent;
  return path == root;
}

// How long the thread slept in a cause's scope: at least, and at most.
struct Sleep {
  int64_t least_ns, most_ns;
};

Sleep sleep_of(const flamelet_explain& explain, const flamelet_capture* capture, const flamelet_explanation& why,
               size_t position, const flamelet_cause& cause, uint32_t count) {
  constexpr uint32_t kNeeded = FLAMELET_TIME_RAN | FLAMELET_TIME_READY;
  flamelet_thread_time time;
  if (!flamelet_capture_thread_time(capture, position, cause.lane, &time) || (time.known & kNeeded) != kNeeded)
    return {0, 0};
  int64_t in_cause_ns = 0, in_work_ns = 0;
  for (size_t i = 0; i < why.piece_count; ++i) {
    const flamelet_piece& piece = why.pieces[i];
    if (piece.lane != cause.lane) continue;
    const int64_t took_ns = piece.end_ns - piece.begin_ns;
    if (is_under(explain, piece.path, cause.path)) in_cause_ns += took_ns;
    if ((piece.flags & FLAMELET_PIECE_WAIT) == 0) in_work_ns += took_ns;
  }
  in_cause_ns = std::min(in_cause_ns, cause.time_ns);
  // It had no sleep where more calls took as long as usual.
  int64_t elsewhere_ns = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (explain.causes[i].lane == cause.lane && explain.causes[i].path != cause.path)
      elsewhere_ns += more_calls_ns(explain.causes[i]);
  const int64_t awake_ns = time.ran_ns + time.ready_ns;
  const int64_t least_ns = in_cause_ns - std::max<int64_t>(awake_ns - elsewhere_ns, 0);
  return {std::max<int64_t>(least_ns, 0), std::min(in_cause_ns, std::max<int64_t>(in_work_ns - awake_ns, 0))};
}

// What a lane did for another one's window of time.
struct Work {
  uint32_t lane, span;
  int64_t overlap_ns;
};

int64_t overlap_ns(const flamelet_span& span, int64_t begin_ns, int64_t end_ns) {
  return std::max<int64_t>(std::min(span.end_ns, end_ns) - std::max(span.begin_ns, begin_ns), 0);
}

// The span with most time in the window that is not a wait and ended when the sleeper can have woken, or `best`. For a GPU
// queue that is any time: a driver also waits for room in the queue.
Work most_work(FrameLanes* lanes, uint32_t index, int64_t begin_ns, int64_t woken_ns, int64_t end_ns, Work best) {
  const LaneSpans& lane = lanes->lane(index);
  for (uint32_t i = 0; i < lane.count && lane.is_work; ++i) {
    const flamelet_span& span = lane.spans[i];
    const bool is_in_time = lane.kind == FLAMELET_LANE_GPU || (span.end_ns >= woken_ns && span.end_ns <= end_ns);
    if (!is_in_time || (span.flags & FLAMELET_SPAN_OPEN) != 0) continue;
    const int64_t worked_ns = overlap_ns(span, begin_ns, end_ns);
    if (worked_ns > best.overlap_ns && !lanes->waits(span)) best = {index, i, worked_ns};
  }
  return best;
}

// From there to the innermost span that has most of its time.
uint32_t innermost_of(FrameLanes* lanes, const Work& work, int64_t begin_ns, int64_t end_ns) {
  const LaneSpans& lane = lanes->lane(work.lane);
  uint32_t found = work.span;
  for (uint32_t i = work.span + 1; i < lane.spans[work.span].subtree_end && i < lane.count; ++i)
    if (lane.spans[i].parent == found && overlap_ns(lane.spans[i], begin_ns, end_ns) * 2 > work.overlap_ns) found = i;
  return found;
}

}  // namespace

void look_for_sleep(flamelet_explain* explain, const flamelet_capture* capture, const flamelet_explanation& why,
                    size_t position, flamelet_cause* cause, uint32_t count) {
  for (const flamelet_verdict other :
       {FLAMELET_VERDICT_WAIT, FLAMELET_VERDICT_GPU_BOUND, FLAMELET_VERDICT_RECORDING, FLAMELET_VERDICT_PREEMPTED})
    if (cause->verdict == other) return;
  const Sleep sleep = sleep_of(*explain, capture, why, position, *cause, count);
  cause->asleep_ns = sleep.least_ns;
  const bool is_known =
      cause->verdict == FLAMELET_VERDICT_MORE_CALLS || cause->verdict == FLAMELET_VERDICT_CARRIED_OVER;
  if (is_known || sleep.most_ns * 2 < cause->surplus_ns || sleep.most_ns == 0) return;

  const int64_t begin_ns = std::max(cause->span_begin_ns, why.frame.begin_ns);
  const int64_t end_ns = std::min(cause->span_end_ns, why.frame.end_ns);
  FrameLanes& lanes = explain->lanes;
  lanes.start(capture, why.frame.begin_ns, why.frame.end_ns);
  // Where it is not sure in which of its scopes the thread slept, only a GPU queue tells: its work in that time.
  const bool is_sure = sleep.least_ns * 2 >= cause->surplus_ns && sleep.least_ns != 0;
  const int64_t asleep_ns = is_sure ? sleep.least_ns : sleep.most_ns;
  const int64_t awake_ns = std::max<int64_t>(end_ns - begin_ns - asleep_ns, 0);
  Work work = {kNoIndex, kNoIndex, asleep_ns / 2};
  for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane)
    if (lane != cause->lane && (is_sure || lanes.lane(lane).kind == FLAMELET_LANE_GPU))
      work = most_work(&lanes, lane, begin_ns, end_ns - awake_ns - explain->config.tolerance_ns, end_ns, work);
  if (work.lane == kNoIndex) return;
  const uint32_t at = innermost_of(&lanes, work, begin_ns, end_ns);
  const flamelet_span span = lanes.lane(work.lane).spans[at];
  const bool is_gpu = lanes.lane(work.lane).kind == FLAMELET_LANE_GPU;
  const uint32_t path = explain->path.path_of(work.lane, at);
  const int64_t worked_ns = overlap_ns(span, begin_ns, end_ns);
  const JobUsual usual = usual_job(explain, capture, position, path, span.begin_ns);
  if ((worked_ns - static_cast<int64_t>(usual.calls * usual.call_ns)) * 2 < cause->surplus_ns) return;  // as usual

  // What is done in every frame is known, and took longer. Other work may have held a lock.
  cause->verdict = is_gpu             ? FLAMELET_VERDICT_GPU_BOUND
                   : usual.calls >= 1 ? FLAMELET_VERDICT_SLOWER_CALLS
                                      : FLAMELET_VERDICT_WAIT;
  cause->waiting = cause->path;
  cause->path = path;
  cause->lane = work.lane;
  cause->object = span.object;
  cause->flags |= FLAMELET_PIECE_PROBABLY;
  cause->calls = 1;
  cause->usual_calls = usual.calls;
  cause->time_ns = worked_ns;
  cause->usual_ns = static_cast<int64_t>(usual.call_ns);
  cause->spread_ns = 0;
  cause->surplus_ns = std::min(cause->surplus_ns, worked_ns);
  cause->seen_frames = explain->baseline.of(path).seen;
  cause->usual_lane = kNoIndex;
  cause->recursion_depth = cause->usual_recursion_depth = 0;
  cause->asleep_ns = 0;
  cause->span_begin_ns = span.begin_ns;
  cause->span_end_ns = span.end_ns;
}

}  // namespace flamelet::why
