// SPDX-License-Identifier: MIT
//
// other_work.cpp: what another lane did while a thread was held up, as a candidate instead of the thread's scope.
#include <algorithm>

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
    Work* const kind = std::find_if(kinds, kinds + count, [&](const Work& work) {
      return lane.spans[work.span].site == span.site && lane.spans[work.span].name == span.name;
    });
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
    if (span.site == scope.site && span.name == scope.name) work = calls;
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
  const bool is_handed_over = !is_gpu || !is_open_at(lanes.lane(cause->lane), span.id, window.end_ns);
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
  lanes.start(question.capture, question.why.frame.begin_ns, question.why.frame.end_ns);

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
  const double usual_ns = work.calls > 1 ? usual.calls * usual.call_ns : usual.call_ns;
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
  lanes.start(question.capture, frame.begin_ns, frame.end_ns);
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

}  // namespace flamelet::explain
