// SPDX-License-Identifier: MIT
//
// job_history.cpp: what a call path or a scope did in the usual frames just before, on whichever lane, and whether or not
// anybody waited for it.
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

constexpr size_t kLookBack = 8;  // frames
constexpr size_t kGlance = 3;    // the same where a frame with a new scope may have 20,000 others: to read takes time

// Reads the last `look_back` frames that ended before a time, are whole and were not unusual, and calls take(frame) for each.
template <class Take>
void for_each_frame_before(const Question& question, size_t look_back, int64_t until_ns, Take take) {
  flamelet_explain* const explain = question.explain;
  size_t read = 0;
  for (size_t i = question.position;
       i != 0 && i + explain->config.baseline_frames > question.position && read < look_back; --i) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(question.capture, i - 1, &frame) || frame.flags != 0 || frame.end_ns > until_ns ||
        frame.end_ns - frame.begin_ns > explain->usual_limit_ns)
      continue;
    explain->lanes.start(question.capture, frame.begin_ns, frame.end_ns);
    take(frame);
    ++read;
  }
}

bool is_of(const flamelet_span& span, const flamelet_explain_scope& scope) {
  return span.site == scope.site && span.name == scope.name;
}

// Calls take(span) for each span of a path in the frame at hand; a call counts where it began.
template <class Take>
void for_each_call(flamelet_explain* explain, const flamelet_frame_info& frame, uint32_t path, Take take) {
  for (uint32_t lane = 0; lane < explain->lanes.lane_count(); ++lane)
    explain->path.for_each_span(lane, path, [&](const flamelet_span& span) {
      if (span.begin_ns >= frame.begin_ns) take(span);
    });
}

// How many of a scope are open where one of its spans is.
uint32_t depth_of(const LaneSpans& lane, uint32_t span, const flamelet_explain_scope& scope) {
  uint32_t depth = 0;
  for (uint32_t at = span; at != FLAMELET_NO_PARENT; at = lane.spans[at].parent) depth += is_of(lane.spans[at], scope);
  return depth;
}

// The same at most, on a lane of the frame at hand; 0: the scope is not there.
uint32_t deepest_on(FrameLanes* lanes, uint32_t index, const flamelet_explain_scope& scope) {
  const LaneSpans& lane = lanes->lane(index);
  uint32_t deepest = 0;
  for (uint32_t i = 0; lane.is_work && i < lane.count; ++i)
    if (is_of(lane.spans[i], scope) && lane.spans[i].depth >= deepest)
      deepest = std::max(deepest, depth_of(lane, i, scope));
  return deepest;
}

}  // namespace

JobUsual usual_job(const Question& question, uint32_t path, int64_t until_ns) {
  double calls[kLookBack], call_ns[kLookBack], self_ns[kLookBack];
  uint32_t frames = 0, seen = 0;
  for_each_frame_before(question, kLookBack, until_ns, [&](const flamelet_frame_info& frame) {
    double count = 0, sum_ns = 0, self_sum_ns = 0;
    for_each_call(question.explain, frame, path, [&](const flamelet_span& span) {
      count += (span.flags & FLAMELET_SPAN_RESUMED) == 0;
      sum_ns += static_cast<double>(span.end_ns - span.begin_ns);
      self_sum_ns += static_cast<double>(span.self_ns);
    });
    calls[frames++] = count;
    if (count == 0) return;
    call_ns[seen] = sum_ns / count;
    self_ns[seen++] = self_sum_ns / count;
  });
  if (seen * 2 < frames || frames == 0) return {0, 0, 0};
  return {usual_of(calls, frames).middle, usual_of(call_ns, seen).middle, usual_of(self_ns, seen).middle};
}

uint32_t calls_in_frame(const Question& question, uint32_t path) {
  const flamelet_frame_info& frame = question.why.frame;
  question.explain->lanes.start(question.capture, frame.begin_ns, frame.end_ns);
  uint32_t count = 0;
  for_each_call(question.explain, frame, path,
                [&count](const flamelet_span& span) { count += (span.flags & FLAMELET_SPAN_RESUMED) == 0; });
  return count;
}

void note_usual_places(const Question& question, Evidence* const* causes, uint32_t count) {
  flamelet_explain* const explain = question.explain;
  const flamelet_frame_info& frame = question.why.frame;
  struct Seen {
    double depths[kGlance];
    uint32_t frames, there, elsewhere_lane;  // frames with the scope, and frames in which it was on the cause's lane
  } seen[FLAMELET_EXPLAIN_MAX_CAUSES] = {};
  if (count == 0) return;
  FrameLanes& lanes = explain->lanes;
  uint32_t frames = 0;
  for_each_frame_before(question, kGlance, frame.begin_ns, [&](const flamelet_frame_info&) {
    for (uint32_t i = 0; i < count; ++i) {
      const flamelet_explain_scope& scope = explain->paths[causes[i]->path];
      uint32_t deepest = 0;
      for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane) {
        const uint32_t depth = deepest_on(&lanes, lane, scope);
        if (depth == 0) continue;
        deepest = std::max(deepest, depth);
        if (lane == causes[i]->lane)
          ++seen[i].there;
        else
          seen[i].elsewhere_lane = lane;
      }
      seen[i].depths[frames] = deepest;
      seen[i].frames += deepest != 0;
    }
    ++frames;
  });
  lanes.start(question.capture, frame.begin_ns, frame.end_ns);
  for (uint32_t i = 0; i < count && frames != 0; ++i) {
    Evidence& cause = *causes[i];
    if (verdict_of(cause) == FLAMELET_VERDICT_NEW && seen[i].frames * 2 > frames && seen[i].there == 0)
      cause.usual_lane = seen[i].elsewhere_lane;
    const uint32_t depth = deepest_on(&lanes, cause.lane, explain->paths[cause.path]);
    const double usual_depth = usual_of(seen[i].depths, frames).middle;
    if (depth < 2 || depth < 1.5 * usual_depth) continue;
    cause.recursion_depth = depth;
    cause.usual_recursion_depth = static_cast<uint32_t>(usual_depth);
  }
}

}  // namespace flamelet::explain
