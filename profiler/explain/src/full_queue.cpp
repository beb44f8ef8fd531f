// SPDX-License-Identifier: MIT
//
// full_queue.cpp: a thread that fills a GPU queue waits for it where it presents or wants a fence, and, once the queue is
// full, in any call that wants room. Some drivers sleep there and others spin, so the time that a thread ran does not tell.
// The queue does: it was still working when the call had returned. A thread that hands work over too slowly leaves a queue
// that is done when the thread is.
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

// Whether a scope of this thread handed this work over, in this frame or one of the three before: a queue may be that far
// behind. `is_unknown`: the answer if the work does not say who did. Reads frames into explain->lanes.
bool was_handed_over_by(const Question& question, uint32_t thread, flamelet_id id, bool is_unknown) {
  constexpr size_t kMostBehind = 3;
  if (id == 0) return is_unknown;
  for (size_t behind = 0; behind <= kMostBehind && behind <= question.position; ++behind) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(question.capture, question.position - behind, &frame)) return false;
    question.explain->lanes.start(question.capture, frame.begin_ns, frame.end_ns);
    const LaneSpans& lane = question.explain->lanes.lane(thread);
    for (uint32_t i = 0; i < lane.count; ++i)
      if (lane.spans[i].id == id) return true;
  }
  return false;
}

}  // namespace

void look_for_full_queue(const Question& question, Evidence* cause) {
  const flamelet_explanation& why = question.why;
  const flamelet_verdict verdict = verdict_of(*cause);
  const bool is_wait = verdict == FLAMELET_VERDICT_WAIT && (cause->flags & FLAMELET_PIECE_WAIT) != 0;
  const bool is_work = verdict == FLAMELET_VERDICT_SLOWER_CALLS || verdict == FLAMELET_VERDICT_NEW ||
                       verdict == FLAMELET_VERDICT_UNINSTRUMENTED;
  if (!is_wait && !is_work) return;
  const WorkWindow window = window_of(*cause, why.frame);
  FrameLanes& lanes = question.explain->lanes;
  lanes.start(question.capture, why.frame.begin_ns, why.frame.end_ns);
  Work work = {kNoIndex, kNoIndex, cause->surplus_ns / 2};
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
      longest = {index, i, overlap_ns(span, window)};
      id = span.id;
    }
    if (longest.lane == work.lane) continue;
    if (was_handed_over_by(question, cause->lane, id, is_wait)) work = longest;
    lanes.start(question.capture, why.frame.begin_ns, why.frame.end_ns);
  }
  if (work.lane != kNoIndex) pass_to(question, work, window, cause);
}

void join_queues(EvidenceList* list) {
  uint32_t kept = 0;
  for (const Evidence& evidence : *list) {
    Evidence* const same = std::find_if(list->items, list->items + kept, [&evidence](const Evidence& other) {
      return evidence.has(kOnGpu) && other.has(kOnGpu) && other.path == evidence.path && other.lane == evidence.lane;
    });
    if (same == list->items + kept) {
      list->items[kept++] = evidence;
      continue;
    }
    if (evidence.surplus_ns > same->surplus_ns) {
      same->waiting = evidence.waiting;
      same->nearest_wait = evidence.nearest_wait;
    }
    same->surplus_ns += evidence.surplus_ns;
    // A scope's own time and one that it calls may have waited for the same part of the work.
    same->time_ns = std::min(same->time_ns + evidence.time_ns, same->span_end_ns - same->span_begin_ns);
  }
  list->count = kept;
}

}  // namespace flamelet::explain
