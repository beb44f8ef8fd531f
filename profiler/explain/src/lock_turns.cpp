// SPDX-License-Identifier: MIT
//
// lock_turns.cpp: a thread waited for another one, which had waited for the same thing itself. Each of them held it for as
// long as ever, or no longer than the others: not one of them is the cause, but that so many wanted it at once.
#include <algorithm>

#include "evidence.h"

namespace flamelet::explain {
namespace {

constexpr uint32_t kMostHolders = 32;

struct Turns {
  uint32_t lanes[kMostHolders];
  int64_t held_ns[kMostHolders];
  uint32_t count;

  void add(uint32_t lane, int64_t ns) {
    uint32_t at = 0;
    while (at < count && lanes[at] != lane) ++at;
    if (at == kMostHolders) return;
    if (at == count) {
      lanes[count] = lane;
      held_ns[count++] = 0;
    }
    held_ns[at] += ns;
  }
  int64_t sum() const {
    int64_t ns = 0;
    for (uint32_t i = 0; i < count; ++i) ns += held_ns[i];
    return ns;
  }
  int64_t longest() const { return *std::max_element(held_ns, held_ns + count); }
};

bool is_same_scope(const flamelet_explain& explain, uint32_t path, uint32_t other) {
  if (path == FLAMELET_NO_PATH || other == FLAMELET_NO_PATH) return false;
  return explain.paths[path].site == explain.paths[other].site && explain.paths[path].name == explain.paths[other].name;
}

// Who worked while somebody waited in this scope, as far as the critical path knows; only where no flow says so.
Turns turns_in(const Question& question, uint32_t wait) {
  Turns turns = {};
  for (size_t i = 0; i < question.why.piece_count; ++i) {
    const flamelet_piece& piece = question.why.pieces[i];
    if ((piece.flags & FLAMELET_PIECE_PROBABLY) == 0 || (piece.flags & FLAMELET_PIECE_WAIT) != 0 ||
        !is_same_scope(*question.explain, piece.nearest_wait, wait))
      continue;
    turns.add(piece.lane, piece.end_ns - piece.begin_ns);
  }
  return turns;
}

// How many of them waited in this scope themselves, in the frame.
uint32_t count_waiters(const Question& question, const Turns& turns, uint32_t wait) {
  FrameLanes& lanes = question.explain->lanes;
  lanes.start(question.capture, question.why.frame.begin_ns, question.why.frame.end_ns);
  const flamelet_explain_scope scope = question.explain->paths[wait];
  uint32_t waiters = 0;
  for (uint32_t at = 0; at < turns.count; ++at) {
    const LaneSpans& lane = lanes.lane(turns.lanes[at]);
    waiters += std::any_of(lane.spans, lane.spans + lane.count, [&scope](const flamelet_span& span) {
      return span.site == scope.site && span.name == scope.name;
    });
  }
  return waiters;
}

// Whether it is a candidate only since others waited for it in this scope.
bool is_turn(const flamelet_explain& explain, const Evidence& cause, uint32_t wait) {
  return verdict_of(cause) == FLAMELET_VERDICT_WAIT && !cause.has(kIsWait) &&
         (cause.flags & FLAMELET_PIECE_PROBABLY) != 0 && is_same_scope(explain, cause.nearest_wait, wait);
}

}  // namespace

void join_turns(const Question& question, EvidenceList* list) {
  const flamelet_explain& explain = *question.explain;
  for (uint32_t first = 0; first < list->count; ++first) {
    const uint32_t wait = list->items[first].waiting;
    if (!is_turn(explain, list->items[first], wait)) continue;
    const Turns turns = turns_in(question, wait);
    if (turns.count < 2 || turns.longest() * 10 > turns.sum() * 6) continue;
    if (count_waiters(question, turns, wait) + 1 < turns.count) continue;
    Evidence joined = {};
    const flamelet_piece* longest = nullptr;
    for (size_t i = 0; i < question.why.piece_count; ++i) {
      const flamelet_piece& piece = question.why.pieces[i];
      const bool is_of_wait = piece.waiting == wait;
      if (is_of_wait && (longest == nullptr || piece.end_ns - piece.begin_ns > longest->end_ns - longest->begin_ns))
        longest = &piece;
    }
    if (longest == nullptr) continue;
    joined.facts = kIsWait;
    joined.path = wait;
    joined.lane = question.why.main_lane;
    joined.waiting = joined.nearest_wait = FLAMELET_NO_PATH;
    joined.flags = FLAMELET_PIECE_WAIT | FLAMELET_PIECE_PROBABLY | FLAMELET_CAUSE_IN_TURN;
    joined.calls = 1;
    joined.threads = turns.count;
    joined.usual_lane = joined.rival_lane = joined.rival_path = joined.others_lane = joined.others_path = kNoIndex;
    joined.seen_frames = question.explain->baseline.of(wait).seen;
    joined.span_begin_ns = INT64_MAX;
    uint32_t kept = 0;
    for (const Evidence& cause : *list) {
      const bool is_same_wait = cause.has(kIsWait) && is_same_scope(explain, cause.path, wait);
      if (!is_same_wait && !is_turn(explain, cause, wait)) {
        list->items[kept++] = cause;
        continue;
      }
      joined.time_ns += cause.time_ns;
      joined.usual_ns += cause.usual_ns;
      joined.surplus_ns += cause.surplus_ns;
      joined.span_begin_ns = std::min(joined.span_begin_ns, cause.span_begin_ns);
      joined.span_end_ns = std::max(joined.span_end_ns, cause.span_end_ns);
    }
    list->count = kept;
    list->add(joined);
    return join_turns(question, list);
  }
}

}  // namespace flamelet::explain
