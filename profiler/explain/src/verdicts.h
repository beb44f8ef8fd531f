// SPDX-License-Identifier: MIT
//
// verdicts.h: facts about a candidate, and the table that says what they mean. docs/why.md has the same rows, and
// tests/explain/verdicts_test.cpp looks at each by itself.
#ifndef FLAMELET_EXPLAIN_SRC_VERDICTS_H
#define FLAMELET_EXPLAIN_SRC_VERDICTS_H

#include "flamelet/explain.h"

namespace flamelet::explain {

enum Fact : uint32_t {
  kLostProcessor = 1u << 0,  // its thread could have run and had no processor, for longer than usual
  kOnGpu = 1u << 1,
  kInNoScope = 1u << 2,
  kOfProfiler = 1u << 3,
  kIsWait = 1u << 4,         // the wait's own time: nobody was found for whom
  kIsRare = 1u << 5,         // on the critical path of few frames of the baseline
  kBeganEarlier = 1u << 6,   // was waited for, and began before the frame before this one did
  kIsProbable = 1u << 7,     // was waited for, and no flow says so
  kIsUsualJob = 1u << 8,     // runs in the usual frames just before, whoever waited, and is not as usual here
  kMoreOnPath = 1u << 9,     // called more often on the critical path, by the larger factor
  kMoreOnAll = 1u << 10,     // called more often on all threads together, by the larger factor
  kIsOwnTime = 1u << 11,     // of a scope that has others
  kTookAsUsual = 1u << 12,   // each call took as long as usual on its lane, whoever waited
  kTookFaults = 1u << 13,    // page faults say what its own time was
  kStoodStill = 1u << 14,    // no thread of the program did anything or ran, though several were at work
  kNotBegun = 1u << 15,      // work that was asked for, and that no thread had begun
  kInOtherOrder = 1u << 16,  // before what usually runs before it, or on fewer threads
  kHeldLock = 1u << 18,      // was waited for in a wait for a lock
  kIsFile = 1u << 19,        // a call to a file: nobody is waited for but the system
  kFillsBudget = 1u << 17,   // took most of a frame over its budget, as in other frames
};

struct Evidence : flamelet_cause {
  uint32_t facts;
  bool knows_states;            // what its thread did in its pieces on the critical path that are no waits:
  flamelet_state_times states;  // all of it
  bool has(uint32_t wanted) const { return (facts & wanted) == wanted; }
};

// A row of the table: the first one whose facts are all there, and none of the others, has the verdict.
struct VerdictRow {
  uint32_t needs, excludes;
  flamelet_verdict verdict;
  const char* rule;  // as docs/why.md says it
};

inline constexpr VerdictRow kVerdictRows[] = {
    {kStoodStill, 0, FLAMELET_VERDICT_STOPPED, "no thread of the program did anything, though several were at work"},
    {kFillsBudget, 0, FLAMELET_VERDICT_AS_USUAL,
     "the frame is over its budget, and this took most of it, as in others"},
    {kLostProcessor, 0, FLAMELET_VERDICT_PREEMPTED, "its thread could have run and had no processor"},
    {kOnGpu, 0, FLAMELET_VERDICT_GPU_BOUND, "it is work of a GPU queue"},
    {kNotBegun, 0, FLAMELET_VERDICT_WAIT, "it is a wait for work that was asked for, and not begun"},
    {kInNoScope, 0, FLAMELET_VERDICT_UNINSTRUMENTED, "no scope was open"},
    {kOfProfiler, 0, FLAMELET_VERDICT_RECORDING, "it is the profiler's own work"},
    {kIsFile, 0, FLAMELET_VERDICT_WAIT, "it is a call to a file that blocked"},
    {kIsWait, 0, FLAMELET_VERDICT_WAIT, "it is a wait, and nobody was found for whom"},
    {kIsRare | kHeldLock, kIsUsualJob, FLAMELET_VERDICT_WAIT, "it is rare, and held a lock that was waited for"},
    {kIsRare | kBeganEarlier, kIsUsualJob, FLAMELET_VERDICT_CARRIED_OVER,
     "it is rare, was waited for, and began before the frame before did"},
    {kIsRare | kIsProbable, kIsUsualJob, FLAMELET_VERDICT_WAIT,
     "it is rare, was probably waited for, and holds up nobody else"},
    {kIsRare, kIsUsualJob, FLAMELET_VERDICT_NEW, "it is rare"},
    {kMoreOnAll, 0, FLAMELET_VERDICT_MORE_CALLS, "a usual job has more calls on all threads together"},
    {kMoreOnPath, kIsUsualJob, FLAMELET_VERDICT_MORE_CALLS, "it has more calls on the critical path"},
    {kTookAsUsual | kInOtherOrder, 0, FLAMELET_VERDICT_ORDER,
     "it took as long as usual, and ran in another order or on fewer threads"},
    {kTookAsUsual, 0, FLAMELET_VERDICT_WAIT, "it took as long as usual, and more of it was waited for"},
    {kIsOwnTime, kTookFaults, FLAMELET_VERDICT_UNINSTRUMENTED, "it is own time of a scope that has others"},
    {0, 0, FLAMELET_VERDICT_SLOWER_CALLS, "none of these"},
};

inline flamelet_verdict verdict_of(const Evidence& evidence) {
  const VerdictRow* row = kVerdictRows;
  while (!evidence.has(row->needs) || (evidence.facts & row->excludes) != 0) ++row;  // the last one fits all
  return row->verdict;
}

}  // namespace flamelet::explain

#endif  // FLAMELET_EXPLAIN_SRC_VERDICTS_H
