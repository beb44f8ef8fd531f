// SPDX-License-Identifier: MIT
//
// full_queue.cpp: a thread that fills a GPU queue waits for it where it presents or wants a fence, and, once the queue is
// full, in any call that wants room. Some drivers sleep there and others spin, so the time that a thread ran does not tell.
// The queue does: it was still working when the call had returned. A thread that hands work over too slowly leaves a queue
// that is done when the thread is.
#include "full_queue.h"

#include "other_work.h"

namespace flamelet::why {
namespace {

// Whether a scope of this thread handed over what the queue did in this frame. `is_unknown`: the answer if nobody says who.
bool fills(FrameLanes* lanes, uint32_t thread, uint32_t queue, bool is_unknown) {
  const LaneSpans& gpu = lanes->lane(queue);
  const LaneSpans& cpu = lanes->lane(thread);
  // A bit for the queue's ids: most scopes of the thread are none of them, and need not be compared with all.
  constexpr uint32_t kIndexBits = 14;
  uint64_t bits[(1u << kIndexBits) / 64] = {};
  const auto bit_of = [](flamelet_id id) { return (id * 0x9E3779B97F4A7C15u) >> (64 - kIndexBits); };
  bool is_said = false;
  for (uint32_t i = 0; i < gpu.count; ++i) {
    const uint64_t bit = bit_of(gpu.spans[i].id);
    if (gpu.spans[i].id == 0) continue;
    is_said = true;
    bits[bit / 64] |= uint64_t{1} << bit % 64;
  }
  for (uint32_t at = 0; at < cpu.count && is_said; ++at) {
    const flamelet_id id = cpu.spans[at].id;
    const uint64_t bit = bit_of(id);
    if (id == 0 || (bits[bit / 64] >> bit % 64 & 1) == 0) continue;
    for (uint32_t i = 0; i < gpu.count; ++i)
      if (gpu.spans[i].id == id) return true;
  }
  return !is_said && is_unknown;
}

}  // namespace

void look_for_full_queue(flamelet_explain* explain, const flamelet_capture* capture, const flamelet_explanation& why,
                         size_t position, flamelet_cause* cause) {
  const bool is_wait = cause->verdict == FLAMELET_VERDICT_WAIT && (cause->flags & FLAMELET_PIECE_WAIT) != 0;
  const bool is_work = cause->verdict == FLAMELET_VERDICT_SLOWER_CALLS || cause->verdict == FLAMELET_VERDICT_NEW ||
                       cause->verdict == FLAMELET_VERDICT_UNINSTRUMENTED;
  if (!is_wait && !is_work) return;
  const WorkWindow window = window_of(*cause, why.frame);
  FrameLanes& lanes = explain->lanes;
  lanes.start(capture, why.frame.begin_ns, why.frame.end_ns);
  Work work = {kNoIndex, kNoIndex, cause->surplus_ns / 2};
  for (uint32_t index = 0; index < lanes.lane_count(); ++index) {
    if (lanes.kind(index) != FLAMELET_LANE_GPU) continue;
    const LaneSpans& queue = lanes.lane(index);
    Work longest = work;
    for (uint32_t i = 0; i < queue.count; ++i) {
      const flamelet_span& span = queue.spans[i];
      if ((span.flags & FLAMELET_SPAN_OPEN) != 0) continue;
      // A twentieth is more than what a queue is behind that is not full.
      const int64_t behind_ns = explain->config.tolerance_ns + (span.end_ns - span.begin_ns) / 20;
      if (is_work && span.end_ns < window.end_ns + behind_ns) continue;
      if (overlap_ns(span, window) > longest.overlap_ns) longest = {index, i, overlap_ns(span, window)};
    }
    if (longest.lane != work.lane && fills(&lanes, cause->lane, index, is_wait)) work = longest;
  }
  if (work.lane != kNoIndex) pass_cause_to(explain, capture, position, work, window, cause);
}

uint32_t join_queue_causes(flamelet_cause* causes, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    flamelet_cause* same = nullptr;
    for (uint32_t at = 0; at < kept && same == nullptr; ++at)
      if (causes[i].verdict == FLAMELET_VERDICT_GPU_BOUND && causes[at].verdict == FLAMELET_VERDICT_GPU_BOUND &&
          causes[at].path == causes[i].path && causes[at].lane == causes[i].lane)
        same = &causes[at];
    if (same == nullptr) {
      causes[kept++] = causes[i];
      continue;
    }
    if (causes[i].surplus_ns > same->surplus_ns) {
      same->waiting = causes[i].waiting;
      same->nearest_wait = causes[i].nearest_wait;
    }
    same->surplus_ns += causes[i].surplus_ns;
    same->time_ns += causes[i].time_ns;
  }
  return kept;
}

}  // namespace flamelet::why
