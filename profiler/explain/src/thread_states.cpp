// SPDX-License-Identifier: MIT
//
// thread_states.cpp: what a candidate's thread did meanwhile, where the system told each switch: it ran, was taken off its
// processor, or slept.
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

constexpr int64_t kMostPieces = 128;  // of a candidate: shorter ones than one of so many have no weight

bool is_in(const flamelet_explain& explain, uint32_t path, uint32_t root) {
  while (path != root && path != FLAMELET_NO_PATH) path = explain.paths[path].parent;
  return path == root;
}

// Of nearly all of its pieces.
bool read_states(const Question& question, const Evidence& cause, flamelet_state_times* sum) {
  const bool is_own = cause.time_ns == question.explain->path.time_of(cause.path).self_ns;
  int64_t asked_ns = 0, all_ns = 0;
  *sum = {};
  for (size_t i = 0; i < question.why.piece_count; ++i) {
    const flamelet_piece& piece = question.why.pieces[i];
    const bool is_part = is_own ? piece.path == cause.path : is_in(*question.explain, piece.path, cause.path);
    if (piece.lane != cause.lane || !is_part || (piece.flags & FLAMELET_PIECE_WAIT) != 0) continue;
    const int64_t took_ns = piece.end_ns - piece.begin_ns;
    all_ns += took_ns;
    if (took_ns * kMostPieces < cause.time_ns) continue;
    flamelet_state_times times;
    if (!flamelet_capture_state_times(question.capture, piece.lane, piece.begin_ns, piece.end_ns, &times)) return false;
    asked_ns += took_ns - times.ns[FLAMELET_STATE_UNKNOWN];
    for (uint32_t kind = 0; kind < FLAMELET_STATE_COUNT; ++kind) sum->ns[kind] += times.ns[kind];
  }
  return asked_ns != 0 && asked_ns * 10 >= all_ns * 9;
}

// The innermost scope of a lane that took more than half of its longest work in the frame.
uint32_t longest_work(const Question& question, uint32_t index) {
  FrameLanes& lanes = question.explain->lanes;
  const flamelet_frame_info& frame = question.why.frame;
  lanes.start(question.capture, frame.begin_ns, frame.end_ns);
  const LaneSpans& lane = lanes.lane(index);
  const WorkWindow window = {frame.begin_ns, frame.end_ns};
  uint32_t found = kNoIndex;
  int64_t most_ns = 0;
  for (uint32_t i = 0; i < lane.count; ++i) {
    const int64_t took_ns = overlap_ns(lane.spans[i], window);
    const bool is_in_it = found != kNoIndex && i < lane.spans[found].subtree_end;
    if (lanes.waits(lane.spans[i]) || (is_in_it ? took_ns * 2 <= most_ns : took_ns <= most_ns)) continue;
    found = i;
    most_ns = took_ns;
  }
  return found == kNoIndex ? FLAMELET_NO_PATH : question.explain->path.path_of(index, found);
}

}  // namespace

void note_states(const Question& question, EvidenceList* list) {
  for (Evidence& cause : *list)
    cause.knows_states = !cause.has(kStoodStill) && read_states(question, cause, &cause.states);
}

bool note_who_ran(const Question& question, Evidence* cause) {
  constexpr uint32_t kMost = 16;
  struct Rival {
    uint32_t lane;
    int64_t ran_ns;
  } rivals[kMost];
  uint32_t count = 0;
  int64_t sum_ns = 0;
  flamelet_state* const states = question.explain->states;
  flamelet_state_cursor cursor;
  const flamelet_frame_info& frame = question.why.frame;
  flamelet_state_cursor_start(&cursor, question.capture, cause->lane, frame.begin_ns, frame.end_ns, states,
                              FLAMELET_CURSOR_LEAST);
  while (flamelet_state_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      if (states[i].kind != FLAMELET_STATE_TAKEN_OFF) continue;
      const int64_t took_ns = std::min(states[i].end_ns, frame.end_ns) - std::max(states[i].begin_ns, frame.begin_ns);
      sum_ns += took_ns;
      Rival* const rival = std::find_if(rivals, rivals + count, [&](const Rival& r) { return r.lane == states[i].by; });
      if (rival == rivals + count && count == kMost) continue;
      if (rival == rivals + count) rivals[count++] = {states[i].by, 0};
      rival->ran_ns += took_ns;
    }
  }
  if (count == 0 || sum_ns * 2 < cause->surplus_ns) return false;
  const Rival* const most =
      std::max_element(rivals, rivals + count, [](const Rival& a, const Rival& b) { return a.ran_ns < b.ran_ns; });
  cause->rival_lane = most->lane;
  if (most->lane < FLAMELET_BY_UNKNOWN) cause->rival_path = longest_work(question, most->lane);
  cause->rivals_ns = most->ran_ns;
  cause->flags |= FLAMELET_CAUSE_TAKEN_OFF;
  return true;
}

}  // namespace flamelet::explain
