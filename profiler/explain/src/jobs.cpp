// SPDX-License-Identifier: MIT
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {

// Job history: what a call path or a scope did in the usual frames just before, on whichever lane, and whether or not
// anybody waited for it.

namespace {

constexpr size_t kLookBack = 8;  // frames
constexpr size_t kGlance = 3;    // the same where a frame with a new scope may have 20,000 others: to read takes time

// How much of a span's time is no wait for another thread.
int64_t work_ns(FrameLanes* lanes, const LaneSpans& lane, uint32_t index) {
  int64_t ns = lane.spans[index].end_ns - lane.spans[index].begin_ns;
  const uint32_t end = std::min(lane.spans[index].subtree_end, lane.count);
  for (uint32_t i = index + 1; i < end;) {
    const bool waits = lanes->waits(lane.spans[i]) && !lanes->is_file(lane.spans[i].site);
    if (waits) ns -= lane.spans[i].end_ns - lane.spans[i].begin_ns;
    i = waits ? lane.spans[i].subtree_end : i + 1;
  }
  return ns;
}

// What a path did in the frame at hand; a call counts where it began.
JobUsual measure(flamelet_explain* explain, const flamelet_frame_info& frame, uint32_t path) {
  JobUsual job = {};
  job.first_ns = INT64_MAX;
  for (uint32_t index = 0; index < explain->lanes.lane_count(); ++index) {
    const LaneSpans& lane = explain->lanes.lane(index);
    explain->path.for_each_span(index, path, [&](const flamelet_span& span) {
      if (span.begin_ns < frame.begin_ns) return;
      job.first_ns = std::min(job.first_ns, span.begin_ns);
      const auto work = static_cast<double>(work_ns(&explain->lanes, lane, static_cast<uint32_t>(&span - lane.spans)));
      job.calls += (span.flags & FLAMELET_SPAN_RESUMED) == 0;
      job.call_ns += static_cast<double>(span.end_ns - span.begin_ns);
      job.self_ns += static_cast<double>(span.self_ns);
      job.work_ns += work;
      job.longest_ns = std::max(job.longest_ns, work);
      job.longest_self = std::max(job.longest_self, static_cast<double>(span.self_ns));
    });
  }
  const double each = std::max(job.calls, 1.0);
  job.call_ns /= each;
  job.self_ns /= each;
  job.work_ns /= each;
  return job;
}

// How many of a scope are open where one of its spans is.
uint32_t depth_of(const LaneSpans& lane, uint32_t span, const flamelet_explain_scope& scope) {
  uint32_t depth = 0;
  for (uint32_t at = span; at != FLAMELET_NO_PARENT; at = lane.spans[at].parent)
    depth += is_same_scope(lane.spans[at], scope);
  return depth;
}

// The most of that on a lane of the frame at hand, and its longest span; 0: the scope is not there.
struct OnLane {
  uint32_t deepest;
  int64_t longest_ns;
};
OnLane find_on(FrameLanes* lanes, uint32_t index, const flamelet_explain_scope& scope) {
  const LaneSpans& lane = lanes->lane(index);
  OnLane found = {};
  for (uint32_t i = 0; lane.is_work && i < lane.count; ++i) {
    const flamelet_span& span = lane.spans[i];
    if (!is_same_scope(span, scope)) continue;
    if (span.depth >= found.deepest) found.deepest = std::max(found.deepest, depth_of(lane, i, scope));
    found.longest_ns = std::max(found.longest_ns, span.end_ns - span.begin_ns);
  }
  return found;
}

// The lane on which a scope was in frames longer ago; kNoIndex: it was on its own more than once in eight frames, or nowhere.
// `is_one`: or on several.
uint32_t other_place(const Question& question, uint32_t own, uint32_t path, bool is_one) {
  constexpr size_t kFar = 64;
  constexpr uint32_t kMostSpans = 65536;  // that are read for this
  FrameLanes& lanes = question.explain->lanes;
  const flamelet_explain_scope scope = question.explain->paths[path];
  uint32_t found = kNoIndex, read = 0, here = 0, elsewhere = 0;
  bool are_several = false;
  for_each_frame_before(question, kFar, question.why.frame.begin_ns, [&](const flamelet_frame_info&) {
    if (read > kMostSpans) return;
    for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane) {
      if (find_on(&lanes, lane, scope).deepest == 0) continue;
      ++(lane == own ? here : elsewhere);
      if (lane == own) continue;
      are_several = are_several || (found != kNoIndex && found != lane);
      found = lane;
    }
    read += lanes.span_count();
  });
  return here * 8 > here + elsewhere || (is_one && are_several) ? kNoIndex : found;
}

}  // namespace

JobUsual usual_job(const Question& question, uint32_t path, int64_t until_ns) {
  constexpr double JobUsual::*kTimes[] = {&JobUsual::call_ns, &JobUsual::self_ns, &JobUsual::work_ns,
                                          &JobUsual::longest_ns, &JobUsual::longest_self};
  JobUsual jobs[kLookBack];
  double values[kLookBack];
  uint32_t frames = 0, seen = 0;
  for_each_frame_before(question, kLookBack, until_ns, [&](const flamelet_frame_info& frame) {
    const JobUsual job = measure(question.explain, frame, path);
    values[frames++] = job.calls;
    if (job.calls != 0) jobs[seen++] = job;
  });
  JobUsual usual = {};
  if (seen * 2 < frames || frames == 0) return usual;
  usual.calls = usual_of(values, frames).middle;
  for (const auto time : kTimes) {
    for (uint32_t i = 0; i < seen; ++i) values[i] = jobs[i].*time;
    usual.*time = usual_of(values, seen).middle;
  }
  return usual;
}

Growth growth_of_job(const Question& question, uint32_t path, bool is_own) {
  const uint32_t blocks =
      std::min(static_cast<uint32_t>(question.position), question.why.baseline_frames) / kGrowthBlock;
  const auto frame_before = [&](uint32_t block) {
    flamelet_frame_info frame = {};
    flamelet_capture_frame(question.capture, question.position - size_t{block} * kGrowthBlock, &frame);
    return frame;
  };
  Growth growth = growth_in(blocks, [&](uint32_t block) {
    const JobUsual usual = usual_job(question, path, frame_before(block).begin_ns);
    return is_own ? usual.self_ns : usual.call_ns;
  });
  growth.since = frame_before(growth.blocks).index;
  return growth;
}

JobUsual seldom_job(const Question& question, uint32_t path, int64_t until_ns) {
  constexpr size_t kFar = 128;                // frames
  constexpr uint32_t kMostSpans = 65536;      // that are read for this
  constexpr uint32_t kLeast = 3, kMost = 32;  // frames that have it
  double calls[kMost], call_ns[kMost], self_ns[kMost], longest_ns[kMost], longest_self[kMost];
  uint32_t seen = 0, read = 0;
  JobUsual usual = {};
  for_each_frame_before(question, kFar, until_ns, [&](const flamelet_frame_info& frame) {
    if (read > kMostSpans || seen == kMost) return;
    read += question.explain->lanes.span_count();
    const JobUsual job = measure(question.explain, frame, path);
    if (job.calls == 0) return;
    calls[seen] = job.calls;
    call_ns[seen] = job.call_ns;
    longest_ns[seen] = job.longest_ns;
    longest_self[seen] = job.longest_self;
    self_ns[seen++] = job.self_ns;
  });
  if (seen < kLeast) return {};
  usual.frames = seen;
  usual.calls = usual_of(calls, seen).middle;
  usual.call_ns = usual_of(call_ns, seen).middle;
  usual.self_ns = usual_of(self_ns, seen).middle;
  // One of eight may have been slow itself.
  const uint32_t last = seen - 1 - seen / 8;
  std::nth_element(longest_ns, longest_ns + last, longest_ns + seen);
  std::nth_element(longest_self, longest_self + last, longest_self + seen);
  usual.longest_ns = longest_ns[last];
  usual.longest_self = longest_self[last];
  return usual;
}

double path_surplus_ns(const Question& question, uint32_t path) {
  flamelet_explain* const explain = question.explain;
  bool is_cut = false;
  const auto in_frame_ns = [&](const flamelet_frame_info& frame) {
    int64_t sum_ns = 0;
    explain->path.for_each_span(question.why.main_lane, path, [&](const flamelet_span& span) {
      is_cut = is_cut || (span.flags & (FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED)) != 0;
      sum_ns += std::max<int64_t>(std::min(span.end_ns, frame.end_ns) - std::max(span.begin_ns, frame.begin_ns), 0);
    });
    return static_cast<double>(sum_ns);
  };
  double before_ns[kLookBack];
  uint32_t frames = 0;
  for_each_frame_before(question, kLookBack, question.why.frame.begin_ns,
                        [&](const flamelet_frame_info& frame) { before_ns[frames++] = in_frame_ns(frame); });
  const double now_ns = in_frame_ns(question.why.frame);
  if (is_cut || now_ns <= 0 || frames == 0) return static_cast<double>(kLongestFrame);
  const double longest_ns = *std::max_element(before_ns, before_ns + frames);
  const Usual usual = usual_of(before_ns, frames);
  if (now_ns - usual.middle > 3 * usual.spread) return now_ns - usual.middle;
  return std::max(now_ns - longest_ns, 0.0);  // of waits that always scatter
}

uint32_t frames_without(const Question& question, uint32_t path) {
  flamelet_explain* const explain = question.explain;
  const OtherFrames put_back(question);
  uint32_t count = 0;
  for (size_t i = question.position; i != 0 && count < kLookBack; --i, ++count) {
    flamelet_frame_info frame;
    if (!flamelet_capture_frame(question.capture, i - 1, &frame) || frame.flags != 0) break;
    question.read(frame.begin_ns, frame.end_ns);
    if (measure(explain, frame, path).calls != 0) break;
  }
  return count;
}

size_t find_late_lanes(const Question& question, flamelet_late_lane* late) {
  FrameLanes& lanes = question.explain->lanes;
  const flamelet_frame_info& frame = question.why.frame;
  size_t count = 0;
  for (uint32_t index = 0; index < lanes.lane_count() && count < FLAMELET_EXPLAIN_MAX_LATE_LANES; ++index) {
    const LaneSpans& lane = lanes.lane(index);
    if (!lane.is_work || index == question.why.main_lane) continue;
    for (uint32_t i = 0; i < lane.count; i = lane.spans[i].subtree_end) {
      if (lanes.waits(lane.spans[i])) continue;
      const int64_t worked_ns = work_ns(&lanes, lane, i);
      if (worked_ns * 10 < (frame.end_ns - frame.begin_ns) * 9) continue;
      late[count++] = {index, question.explain->path.path_of(index, i), worked_ns, 0};
      break;
    }
  }
  return count;
}

void note_late_lanes(const Question& question, const flamelet_late_lane* late, size_t count,
                     flamelet_explanation* why) {
  for (const flamelet_late_lane* at = late; at != late + count; ++at) {
    bool is_cause = false;
    for (size_t i = 0; i < why->cause_count; ++i) is_cause = is_cause || why->causes[i].lane == at->lane;
    const auto is_work_there = [at](const flamelet_piece& piece) {
      return piece.lane == at->lane && (piece.flags & FLAMELET_PIECE_WAIT) == 0;
    };
    const bool was_waited_for = std::any_of(why->pieces, why->pieces + why->piece_count, is_work_there);
    if (!is_cause && !was_waited_for && usual_job(question, at->path, why->frame.begin_ns).calls >= 1)
      why->late[why->late_count++] = *at;
  }
}

namespace {

// Whether a cause is of this lane, or came about through it.
bool is_about(const flamelet_cause& cause, uint32_t lane) {
  const uint32_t* const end = cause.via_lanes + cause.via_count;
  return lane == cause.lane || lane == cause.others_lane || lane == cause.rival_lane || lane == cause.begun_lane ||
         std::find(cause.via_lanes, end, lane) != end;
}

}  // namespace

void note_late_beside(const Question& question, flamelet_explanation* why) {
  if (why->cause_count == 0 || (why->flags & FLAMELET_EXPLAIN_UNUSUAL) == 0) return;
  const flamelet_cause& first = why->causes[0];
  if (first.verdict == FLAMELET_VERDICT_PREEMPTED || first.verdict == FLAMELET_VERDICT_STOPPED ||
      first.verdict == FLAMELET_VERDICT_SLOWED)
    return;
  FrameLanes& lanes = question.explain->lanes;
  const flamelet_frame_info& frame = why->frame;
  for (uint32_t index = 0; index < lanes.lane_count() && why->late_count < FLAMELET_EXPLAIN_MAX_LATE_LANES; ++index) {
    const LaneSpans& lane = lanes.lane(index);
    if (lane.kind != FLAMELET_LANE_THREAD || !lane.is_work || index == why->main_lane) continue;
    const bool is_told = std::any_of(why->late, why->late + why->late_count,
                                     [index](const flamelet_late_lane& late) { return late.lane == index; }) ||
                         std::any_of(why->causes, why->causes + why->cause_count,
                                     [index](const flamelet_cause& cause) { return is_about(cause, index); });
    if (is_told) continue;
    flamelet_late_lane late = {index, FLAMELET_NO_PATH, first.surplus_ns / 2, 0};
    for (uint32_t i = 0; i < lane.count; i = lane.spans[i].subtree_end) {
      if (lanes.waits(lane.spans[i]) || lane.spans[i].begin_ns < frame.begin_ns) continue;
      const int64_t worked_ns = work_ns(&lanes, lane, i);
      if (worked_ns <= late.work_ns) continue;
      late.work_ns = worked_ns;
      late.path = question.explain->path.path_of(index, i);
    }
    if (late.path == FLAMELET_NO_PATH) continue;
    const JobUsual usual = usual_job(question, late.path, frame.begin_ns);
    late.usual_ns = static_cast<int64_t>(usual.work_ns);
    const int64_t longer_ns = late.work_ns - late.usual_ns - lanes.ready_ns(index, question.position);
    if (usual.calls >= 1 && longer_ns * 2 >= first.surplus_ns) why->late[why->late_count++] = late;
  }
}

JobUsual job_in_frame(const Question& question, uint32_t path) {
  const flamelet_frame_info& frame = question.why.frame;
  question.read(frame.begin_ns, frame.end_ns);  // which may be another one
  return measure(question.explain, frame, path);
}

void note_usual_places(const Question& question, Evidence* const* causes, uint32_t count) {
  flamelet_explain* const explain = question.explain;
  const flamelet_frame_info& frame = question.why.frame;
  struct Seen {
    double depths[kGlance];
    uint32_t frames, there, elsewhere_lane;  // frames with the scope, and frames in which it was on the cause's lane
    int64_t longest_ns;                      // of its calls
  } seen[FLAMELET_EXPLAIN_MAX_CAUSES] = {};
  if (count == 0) return;
  FrameLanes& lanes = explain->lanes;
  uint32_t frames = 0;
  for_each_frame_before(question, kGlance, frame.begin_ns, [&](const flamelet_frame_info&) {
    for (uint32_t i = 0; i < count; ++i) {
      const flamelet_explain_scope& scope = explain->paths[causes[i]->path];
      uint32_t deepest = 0;
      for (uint32_t lane = 0; lane < lanes.lane_count(); ++lane) {
        const OnLane found = find_on(&lanes, lane, scope);
        if (found.deepest == 0) continue;
        deepest = std::max(deepest, found.deepest);
        seen[i].longest_ns = std::max(seen[i].longest_ns, found.longest_ns);
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
  for (uint32_t i = 0; i < count; ++i) {
    Evidence& cause = *causes[i];
    const bool is_elsewhere = frames != 0 && seen[i].frames * 2 > frames && seen[i].there == 0;
    const bool is_new = verdict_of(cause) == FLAMELET_VERDICT_NEW && (seen[i].frames == 0 || is_elsewhere);
    const bool may_move = is_elsewhere && may_have_moved(cause);
    const bool has_moved = may_move && (cause.span_end_ns - cause.span_begin_ns) * 4 <= seen[i].longest_ns * 5;
    if (may_move && !has_moved) {  // and took longer than there
      cause.usual_lane = seen[i].elsewhere_lane;
      const auto each_ns = static_cast<int64_t>(usual_job(question, cause.path, frame.begin_ns).call_ns);
      cause.usual_there_ns = each_ns != 0 ? each_ns : seen[i].longest_ns;
      cause.spread_ns = 0;
      continue;
    }
    if (is_new || has_moved) cause.usual_lane = other_place(question, cause.lane, cause.path, false);
    if (cause.usual_lane == kNoIndex) continue;
    if (is_elsewhere) cause.usual_lane = seen[i].elsewhere_lane;
    cause.facts |= kIsRare;
    if (has_moved) cause.seen_frames = 0;  // on this lane
  }
  for (uint32_t i = 0; i < count && frames != 0; ++i) {
    Evidence& cause = *causes[i];
    const uint32_t depth = find_on(&lanes, cause.lane, explain->paths[cause.path]).deepest;
    const double usual_depth = usual_of(seen[i].depths, frames).middle;
    if (depth < 2 || depth < 1.5 * usual_depth) continue;
    cause.recursion_depth = depth;
    cause.usual_recursion_depth = static_cast<uint32_t>(usual_depth);
  }
}

void note_frames_with(const Question& question, Evidence* const* asked, uint32_t count) {
  constexpr uint32_t kMostSpans = 65536;  // that are read for this
  FrameLanes& lanes = question.explain->lanes;
  // What reaches into the frame at hand is a part of what is asked about.
  const WorkWindow now = {question.why.frame.begin_ns, question.why.frame.end_ns};
  const auto has = [&](uint32_t index, const flamelet_explain_scope& scope) {
    const LaneSpans& lane = lanes.lane(index);
    return lane.is_work && std::any_of(lane.begin(), lane.end(), [&](const flamelet_span& span) {
             return is_same_scope(span, scope) && overlap_ns(span, now) == 0;
           });
  };
  const OtherFrames put_back(question);
  uint32_t spans = 0;
  for (uint32_t back = 0; count != 0 && back < question.why.baseline_frames && spans < kMostSpans; ++back) {
    flamelet_frame_info frame;
    const uint64_t index = question.explain->baseline.picked(back);
    const size_t position = flamelet_capture_find_frame(question.capture, index);
    if (position == SIZE_MAX || !flamelet_capture_frame(question.capture, position, &frame)) continue;
    question.read(frame.begin_ns, frame.end_ns);
    for (uint32_t i = 0; i < count; ++i) {
      Evidence& cause = *asked[i];
      const flamelet_explain_scope& scope = question.explain->paths[cause.path];
      bool is_there = has(cause.lane, scope);  // most often, and the other lanes need not be read
      for (uint32_t lane = 0; lane < lanes.lane_count() && !is_there; ++lane) is_there = has(lane, scope);
      cause.ran_frames += is_there;
      ++cause.read_frames;
    }
    spans += lanes.span_count();
  }
}

// Job order: jobs that took as long as usual, and yet made a thread wait longer: one ran before another that usually
// comes first, or a thread did all of them because another one, which usually helps, was kept busy.

namespace {

constexpr size_t kFramesBack = 8;
constexpr uint32_t kMostLanes = 64;

// The outermost span around one, up to a wait, whose job that is not, or to what is around nearly all of the frame.
uint32_t job_of(FrameLanes* lanes, const LaneSpans& lane, uint32_t span, int64_t frame_ns) {
  const auto is_of_job = [&](const flamelet_span& around) {
    return !lanes->waits(around) && (around.end_ns - around.begin_ns) * 10 < frame_ns * 9;
  };
  while (lane.spans[span].parent != FLAMELET_NO_PARENT && is_of_job(lane.spans[lane.spans[span].parent]))
    span = lane.spans[span].parent;
  return span;
}

// The innermost span inside of one that has nine tenths of its time.
uint32_t core_of(const LaneSpans& lane, uint32_t span) {
  const auto length_of = [&lane](uint32_t at) { return lane.spans[at].end_ns - lane.spans[at].begin_ns; };
  uint32_t core = span;
  for (uint32_t i = span + 1; i < lane.spans[span].subtree_end; ++i)
    if (lane.spans[i].parent == core && length_of(i) * 10 >= length_of(span) * 9) core = i;
  return core;
}

// Calls of a scope on each lane, in whichever scopes, and from when to when.
struct Places {
  double calls[kMostLanes] = {};
  int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  double sum = 0, longest_ns = 0, all_ns = 0;
};
void add_places(flamelet_explain* explain, const flamelet_frame_info& frame, const flamelet_explain_scope& scope,
                Places* places) {
  const uint32_t count = std::min(explain->lanes.lane_count(), kMostLanes);
  for (uint32_t index = 0; index < count; ++index) {
    const LaneSpans& lane = explain->lanes.lane(index);
    for (uint32_t i = 0; lane.is_work && i < lane.count; ++i) {
      const flamelet_span& span = lane.spans[i];
      if (!is_same_scope(span, scope) || span.begin_ns < frame.begin_ns || (span.flags & FLAMELET_SPAN_RESUMED) != 0)
        continue;
      ++places->calls[index];
      ++places->sum;
      places->begin_ns = std::min(places->begin_ns, span.begin_ns);
      places->end_ns = std::max(places->end_ns, span.end_ns);
      places->longest_ns = std::max(places->longest_ns, static_cast<double>(span.end_ns - span.begin_ns));
      places->all_ns += static_cast<double>(span.end_ns - span.begin_ns);
    }
  }
}

class OrderReader {
 public:
  OrderReader(const Question& question, Evidence* cause)
      : question_(question), explain_(*question.explain), frame_(question.why.frame), cause_(*cause) {}

  void note() {
    if (cause_.lane >= kMostLanes || explain_.lanes.kind(cause_.lane) != FLAMELET_LANE_THREAD) return;
    if (!note_place(false)) note_sequence();
  }

  // Of work that its lane did more often: whether all lanes together did it as often as ever, and each call took as long.
  void note_share() {
    if (cause_.lane < kMostLanes) note_place(true);
  }

 private:
  // Its lane did more of it than usual, and another one much less, or none.
  bool note_place(bool is_share) {
    Places now, before;
    const flamelet_explain_scope scope = explain_.paths[cause_.path];
    add_places(&explain_, frame_, scope, &now);
    uint32_t frames = 0;
    for_each_frame_before(question_, kFramesBack, frame_.begin_ns, [&](const flamelet_frame_info& frame) {
      add_places(&explain_, frame, scope, &before);
      ++frames;
    });
    if (frames == 0 || now.calls[cause_.lane] * frames < 1.5 * before.calls[cause_.lane]) return false;
    constexpr double kAsUsual = 1.25;
    if (is_share && (now.sum * frames > kAsUsual * before.sum || now.longest_ns > kAsUsual * before.longest_ns))
      return false;
    uint32_t missing = kNoIndex;
    for (uint32_t lane = 0; lane < kMostLanes; ++lane) {
      const bool is_missing =
          lane != cause_.lane && before.calls[lane] >= frames && now.calls[lane] * frames * 3 <= before.calls[lane];
      if (is_missing && (missing == kNoIndex || before.calls[lane] > before.calls[missing])) missing = lane;
    }
    if (missing == kNoIndex) return false;
    const uint32_t job = cause_.path, lane = cause_.lane, waiting = cause_.waiting, nearest = cause_.nearest_wait;
    const auto calls = static_cast<uint32_t>(now.calls[lane]);
    const WorkWindow window = {now.begin_ns, std::min(now.end_ns, frame_.end_ns)};
    if (pass_to_what_kept(missing, window)) {
      cause_.facts &= ~uint32_t{kIsProbable};
      cause_.flags &= ~uint32_t{FLAMELET_PIECE_PROBABLY | FLAMELET_CAUSE_AS_USUAL};
      cause_.waiting = waiting;
      cause_.nearest_wait = nearest;
      cause_.via_count = 0;
      cause_.others_lane = lane;
      cause_.others_path = job;
      cause_.others_calls = calls;
      return true;
    }
    if (is_share) cause_.facts &= ~uint32_t{kIsRare | kMoreOnPath | kMoreOnAll};
    cause_.facts |= kTookAsUsual | kInOtherOrder;
    cause_.usual_lane = missing;
    cause_.calls = calls;
    return true;
  }

  // The longest work of the lane meanwhile.
  bool pass_to_what_kept(uint32_t lane, const WorkWindow& window) {
    const LaneSpans& spans = explain_.lanes.lane(lane);
    Work work = {kNoIndex, kNoIndex, cause_.surplus_ns / 2, 0};
    for (uint32_t i = 0; i < spans.count; ++i) {
      const int64_t worked_ns = overlap_ns(spans.spans[i], window);
      if (worked_ns > work.overlap_ns && !explain_.lanes.waits(spans.spans[i])) work = {lane, i, worked_ns, 1};
    }
    return work.lane != kNoIndex && pass_to(question_, work, window, &cause_);
  }

  // Two jobs, one after the other on a lane, for which the same wait waited.
  struct Pair {
    uint32_t lane;
    uint32_t first, second;  // spans
    uint32_t first_path, second_path;
    uint32_t frames, reversed;  // that have both, and in how many of those the second one begins before the first
  };
  static constexpr uint32_t kMostPairs = 8;

  // What it ran before, or what ran before something else that it had to wait for, usually comes after that.
  void note_sequence() {
    Pair pairs[kMostPairs];
    note_sequence(pairs, read_pairs(cause_.waiting, pairs)) || note_sequence(pairs, read_own_pairs(pairs)) ||
        note_sequence(pairs, read_pairs(FLAMELET_NO_PATH, pairs));
  }
  bool note_sequence(Pair* pairs, uint32_t count) {
    for_each_frame_before(question_, kFramesBack, frame_.begin_ns, [&](const flamelet_frame_info& frame) {
      for (uint32_t i = 0; i < count; ++i) {
        const int64_t first_ns = measure(&explain_, frame, pairs[i].first_path).first_ns;
        const int64_t second_ns = measure(&explain_, frame, pairs[i].second_path).first_ns;
        pairs[i].frames += first_ns != INT64_MAX && second_ns != INT64_MAX;
        pairs[i].reversed += first_ns != INT64_MAX && second_ns < first_ns;
      }
    });
    const Pair* found = nullptr;
    for (const Pair* pair = pairs; pair != pairs + count; ++pair) {
      const bool is_reversed =
          pair->frames >= 3 && pair->reversed * 4 >= pair->frames * 3 && length_of(*pair) * 2 >= cause_.surplus_ns;
      if (is_reversed && (found == nullptr || length_of(*pair) > length_of(*found))) found = pair;
    }
    if (found == nullptr) return false;
    const LaneSpans& lane = explain_.lanes.lane(found->lane);
    const uint32_t core = core_of(lane, found->first);
    const flamelet_span& span = lane.spans[core];
    cause_.facts |= kInOtherOrder;
    cause_.others_path = found->second_path;
    cause_.others_lane = found->lane;
    if (cause_.lane == found->lane && cause_.span_begin_ns >= span.begin_ns && cause_.span_end_ns <= span.end_ns)
      return true;
    cause_.path = explain_.path.path_of(found->lane, core);
    cause_.lane = found->lane;
    cause_.object = span.object;
    cause_.calls = 1;
    cause_.time_ns = length_of(*found);
    cause_.span_begin_ns = span.begin_ns;
    cause_.span_end_ns = span.end_ns;
    if (found->lane == question_.why.main_lane) cause_.waiting = cause_.nearest_wait = FLAMELET_NO_PATH;
    return true;
  }

  // Of all that it did of the first job before the second one: it cannot have put that off for longer.
  int64_t length_of(const Pair& pair) {
    const LaneSpans& lane = explain_.lanes.lane(pair.lane);
    int64_t sum_ns = 0;
    for (uint32_t i = 0; i < pair.second; ++i)
      if (explain_.path.path_of(pair.lane, i) == pair.first_path)
        sum_ns += lane.spans[i].end_ns - std::max(lane.spans[i].begin_ns, frame_.begin_ns);
    return sum_ns;
  }

  // The jobs that its lane did in this frame before it, each with it.
  uint32_t read_own_pairs(Pair* pairs) {
    uint32_t count = 0;
    const LaneSpans& spans = explain_.lanes.lane(cause_.lane);
    uint32_t own = kNoIndex;
    for (uint32_t i = 0; i < spans.count; ++i)
      if (spans.spans[i].begin_ns == cause_.span_begin_ns && spans.spans[i].end_ns == cause_.span_end_ns) own = i;
    if (own == kNoIndex) return 0;
    own = job_of(&explain_.lanes, spans, own, frame_.end_ns - frame_.begin_ns);
    const uint32_t own_path = explain_.path.path_of(cause_.lane, own);
    for (uint32_t i = 0; i < own; ++i) {
      const flamelet_span& span = spans.spans[i];
      if (span.begin_ns < frame_.begin_ns || explain_.lanes.waits(span) ||
          job_of(&explain_.lanes, spans, i, frame_.end_ns - frame_.begin_ns) != i)
        continue;
      const uint32_t path = explain_.path.path_of(cause_.lane, i);
      const bool is_met = path == own_path ||
                          std::any_of(pairs, pairs + count, [&](const Pair& pair) { return pair.first_path == path; });
      if (!is_met && count < kMostPairs) pairs[count++] = {cause_.lane, i, own, path, own_path, 0, 0};
    }
    return count;
  }

  // From the pieces of the critical path, by time.
  uint32_t read_pairs(uint32_t waiting, Pair* pairs) {
    uint32_t count = 0, lane = kNoIndex, last = kNoIndex;
    for (size_t i = 0; i < question_.why.piece_count && count < kMostPairs; ++i) {
      const flamelet_piece& piece = question_.why.pieces[i];
      const bool is_work = (piece.flags & (FLAMELET_PIECE_OUTSIDE | FLAMELET_PIECE_WAIT)) == 0;
      if (piece.waiting != waiting || explain_.lanes.kind(piece.lane) != FLAMELET_LANE_THREAD || !is_work) continue;
      const LaneSpans& spans = explain_.lanes.lane(piece.lane);
      uint32_t begun = kNoIndex;
      const uint32_t span = FrameLanes::innermost(spans, piece.end_ns, frame_.begin_ns, &begun).span;
      if (span == kNoIndex) continue;
      const uint32_t job = job_of(&explain_.lanes, spans, span, frame_.end_ns - frame_.begin_ns);
      if (piece.lane == lane && job != last) {
        const uint32_t first = explain_.path.path_of(lane, last), second = explain_.path.path_of(lane, job);
        if (first != second) pairs[count++] = {lane, last, job, first, second, 0, 0};
      }
      lane = piece.lane;
      last = job;
    }
    return count;
  }

  const Question& question_;
  flamelet_explain& explain_;
  const flamelet_frame_info& frame_;
  Evidence& cause_;
};

}  // namespace

void note_job(const Question& question, flamelet_cause* cause) {
  const flamelet_explanation& why = question.why;
  flamelet_explain* const explain = question.explain;
  const bool is_longer = cause->verdict == FLAMELET_VERDICT_SLOWER_CALLS ||
                         cause->verdict == FLAMELET_VERDICT_UNINSTRUMENTED ||
                         cause->verdict == FLAMELET_VERDICT_PREEMPTED;
  const bool is_more = cause->verdict == FLAMELET_VERDICT_MORE_CALLS;
  if ((!is_longer && !is_more) || explain->lanes.kind(cause->lane) != FLAMELET_LANE_THREAD) return;
  const uint32_t root = root_of(*explain, cause->path);
  if (explain->paths[root].site != kNoIndex && cause->usual_lane == kNoIndex)
    cause->usual_lane = other_place(question, cause->lane, root, true);
  for (uint32_t path = cause->path; is_longer && path != FLAMELET_NO_PATH; path = explain->paths[path].parent) {
    const flamelet_explain_scope scope = explain->paths[path];
    if (scope.site == kNoIndex) return;
    if (explain->lanes.site_waits(scope.site)) continue;
    Places now;
    add_places(explain, why.frame, scope, &now);
    double calls[kFramesBack], least_ns = static_cast<double>(kLongestFrame), most_ns = 0;
    uint32_t frames = 0;
    for_each_frame_before(question, kFramesBack, why.frame.begin_ns, [&](const flamelet_frame_info& frame) {
      Places before;
      add_places(explain, frame, scope, &before);
      calls[frames++] = before.sum;
      least_ns = std::min(least_ns, static_cast<double>(frame.end_ns - frame.begin_ns));
      most_ns = std::max(most_ns, static_cast<double>(frame.end_ns - frame.begin_ns));
    });
    if (frames == 0) continue;
    const double most_calls = *std::max_element(calls, calls + frames), usual = usual_of(calls, frames).middle;
    const double longer = static_cast<double>(why.frame.end_ns - why.frame.begin_ns) /
                          static_cast<double>(std::max<int64_t>(why.usual_ns, 1));
    // Who does it again and again does more of it in a longer frame; not so where frames of other lengths have as many. No call
    // has half of the time.
    const bool is_fixed = usual >= 4 && most_calls <= usual * 1.05 && most_ns >= 1.2 * least_ns;
    const double more = is_fixed ? 1.25 : std::clamp(1.3 * longer, 2.0, 4.0);
    if (usual < 1 || now.sum <= more * usual + 1 || now.longest_ns * 2 > now.all_ns) continue;
    cause->job_path = path;
    cause->job_calls = static_cast<uint32_t>(now.sum);
    cause->usual_job_calls = usual;
    return;
  }
}

void note_order(const Question& question, Evidence* cause) {
  if (cause->has(kTookAsUsual) && cause->waiting != FLAMELET_NO_PATH) return OrderReader(question, cause).note();
  const bool has_scope = question.explain->paths[cause->path].site != kNoIndex;
  if (has_scope && cause->has(kMoreOnPath) && verdict_of(*cause) == FLAMELET_VERDICT_MORE_CALLS)
    OrderReader(question, cause).note_share();
}

}  // namespace flamelet::explain
