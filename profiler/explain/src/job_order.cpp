// SPDX-License-Identifier: MIT
//
// job_order.cpp: jobs that took as long as usual, and yet made a thread wait longer: one ran before another that usually
// comes first, or a thread did all of them because another one, which usually helps, was kept busy.
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

constexpr size_t kFramesBack = 8;
constexpr uint32_t kMostLanes = 64;

// The outermost span around one, up to a wait, whose job that is not.
uint32_t job_of(FrameLanes* lanes, const LaneSpans& lane, uint32_t span) {
  while (lane.spans[span].parent != FLAMELET_NO_PARENT && !lanes->waits(lane.spans[lane.spans[span].parent]))
    span = lane.spans[span].parent;
  return span;
}

// Where a path first began in the frame at hand, on any lane; INT64_MAX: nowhere.
int64_t first_begin(flamelet_explain* explain, const flamelet_frame_info& frame, uint32_t path) {
  int64_t first_ns = INT64_MAX;
  for (uint32_t lane = 0; lane < explain->lanes.lane_count(); ++lane)
    explain->path.for_each_span(lane, path, [&](const flamelet_span& span) {
      if (span.begin_ns >= frame.begin_ns) first_ns = std::min(first_ns, span.begin_ns);
    });
  return first_ns;
}

// Calls on each lane, and from when to when.
struct Places {
  double calls[kMostLanes] = {};
  int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  double sum = 0;
};
void add_places(flamelet_explain* explain, const flamelet_frame_info& frame, uint32_t path, Places* places) {
  const uint32_t count = std::min(explain->lanes.lane_count(), kMostLanes);
  for (uint32_t lane = 0; lane < count; ++lane)
    explain->path.for_each_span(lane, path, [&](const flamelet_span& span) {
      if (span.begin_ns < frame.begin_ns || (span.flags & FLAMELET_SPAN_RESUMED) != 0) return;
      ++places->calls[lane];
      ++places->sum;
      places->begin_ns = std::min(places->begin_ns, span.begin_ns);
      places->end_ns = std::max(places->end_ns, span.end_ns);
    });
}

class OrderReader {
 public:
  OrderReader(const Question& question, Evidence* cause)
      : question_(question), explain_(*question.explain), frame_(question.why.frame), cause_(*cause) {}

  void note() {
    read_this_frame();
    if (cause_.lane >= kMostLanes || explain_.lanes.kind(cause_.lane) != FLAMELET_LANE_THREAD) return;
    if (!note_place()) note_sequence();
    read_this_frame();
  }

 private:
  void read_this_frame() { explain_.lanes.start(question_.capture, frame_.begin_ns, frame_.end_ns); }

  // Its lane did more of it than usual, and another one much less, or none.
  bool note_place() {
    Places now, before;
    add_places(&explain_, frame_, cause_.path, &now);
    uint32_t frames = 0;
    for_each_frame_before(question_, kFramesBack, frame_.begin_ns, [&](const flamelet_frame_info& frame) {
      add_places(&explain_, frame, cause_.path, &before);
      ++frames;
    });
    read_this_frame();
    if (frames == 0 || now.calls[cause_.lane] * frames < 1.5 * before.calls[cause_.lane]) return false;
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
      cause_.others_lane = lane;
      cause_.others_path = job;
      cause_.others_calls = calls;
      return true;
    }
    cause_.facts |= kInOtherOrder;
    cause_.usual_lane = missing;
    cause_.calls = calls;
    return true;
  }

  // The longest work of the lane meanwhile.
  bool pass_to_what_kept(uint32_t lane, const WorkWindow& window) {
    const LaneSpans& spans = explain_.lanes.lane(lane);
    Work work = {kNoIndex, kNoIndex, cause_.surplus_ns / 2};
    for (uint32_t i = 0; i < spans.count; ++i) {
      const int64_t worked_ns = overlap_ns(spans.spans[i], window);
      if (worked_ns > work.overlap_ns && !explain_.lanes.waits(spans.spans[i])) work = {lane, i, worked_ns};
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
    const uint32_t count = read_pairs(pairs);
    for_each_frame_before(question_, kFramesBack, frame_.begin_ns, [&](const flamelet_frame_info& frame) {
      for (uint32_t i = 0; i < count; ++i) {
        const int64_t first_ns = first_begin(&explain_, frame, pairs[i].first_path);
        const int64_t second_ns = first_begin(&explain_, frame, pairs[i].second_path);
        pairs[i].frames += first_ns != INT64_MAX && second_ns != INT64_MAX;
        pairs[i].reversed += first_ns != INT64_MAX && second_ns < first_ns;
      }
    });
    read_this_frame();
    const Pair* found = nullptr;
    for (const Pair* pair = pairs; pair != pairs + count; ++pair) {
      const bool is_reversed = pair->frames >= 3 && pair->reversed * 4 >= pair->frames * 3;
      if (is_reversed && (found == nullptr || length_of(*pair) > length_of(*found))) found = pair;
    }
    if (found == nullptr) return;
    const flamelet_span& span = explain_.lanes.lane(found->lane).spans[found->first];
    cause_.facts |= kInOtherOrder;
    cause_.others_path = found->second_path;
    cause_.others_lane = found->lane;
    if (cause_.lane == found->lane && cause_.span_begin_ns >= span.begin_ns && cause_.span_end_ns <= span.end_ns)
      return;
    cause_.path = found->first_path;
    cause_.lane = found->lane;
    cause_.object = span.object;
    cause_.calls = 1;
    cause_.time_ns = length_of(*found);
    cause_.span_begin_ns = span.begin_ns;
    cause_.span_end_ns = span.end_ns;
  }

  int64_t length_of(const Pair& pair) {
    const flamelet_span& span = explain_.lanes.lane(pair.lane).spans[pair.first];
    return span.end_ns - span.begin_ns;
  }

  // From the pieces of the critical path, by time.
  uint32_t read_pairs(Pair* pairs) {
    uint32_t count = 0, lane = kNoIndex, last = kNoIndex;
    for (size_t i = 0; i < question_.why.piece_count && count < kMostPairs; ++i) {
      const flamelet_piece& piece = question_.why.pieces[i];
      const bool is_work = (piece.flags & (FLAMELET_PIECE_OUTSIDE | FLAMELET_PIECE_WAIT)) == 0;
      if (piece.waiting != cause_.waiting || explain_.lanes.kind(piece.lane) != FLAMELET_LANE_THREAD || !is_work)
        continue;
      const LaneSpans& spans = explain_.lanes.lane(piece.lane);
      uint32_t begun = kNoIndex;
      const uint32_t span = FrameLanes::innermost(spans, piece.end_ns, frame_.begin_ns, &begun).span;
      if (span == kNoIndex) continue;
      const uint32_t job = job_of(&explain_.lanes, spans, span);
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

void note_order(const Question& question, Evidence* cause) {
  if (cause->has(kTookAsUsual) && cause->waiting != FLAMELET_NO_PATH) OrderReader(question, cause).note();
}

}  // namespace flamelet::explain
