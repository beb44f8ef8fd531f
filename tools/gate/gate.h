// SPDX-License-Identifier: MIT
//
// gate.h: did a change make the game slower? Compares several runs from before with several from after, and names the call
// paths that changed.
#ifndef FLAMELET_TOOLS_GATE_H
#define FLAMELET_TOOLS_GATE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "resampling.h"
#include "run.h"

namespace flamelet::tools {

struct GateOptions {
  double budget_ns = 0;  // of a frame; 0 = none
  double alarms = 0.01;  // the chance that anything is called changed although nothing is
  double least = 0.01;   // changes of a smaller share do not matter
  size_t deals = 4999;   // of the permutation test
  size_t draws = 1000;   // of the bootstrap
  uint64_t seed = 1;
};

enum class Verdict { kSlower, kFaster, kNoDifference, kNotEnoughRuns };

const char* verdict_text(Verdict verdict);  // "no difference seen"

struct FrameChange {
  double p = 1;       // adjusted, as all p here
  int direction = 0;  // 1: slower, -1: faster, 0: no difference seen
};

// A call path that explains a change: the deepest one whose change is significant, and not that of paths below it. Or a
// scope in all of its call paths, where no single one is significant.
struct PathChange {
  uint32_t path;  // or scope
  bool is_scope;
  bool is_self;  // the change is in its own time; else it is spread over what it calls
  bool is_wait;
  double before_ns, after_ns;  // of a usual frame: medians over the runs
  double calls_before, calls_after;
  double p;
};

// How much the time of a path would have to change to be seen, as a share of it: of the paths that take a hundredth of a
// frame or more and do not wait.
struct LeastSeen {
  size_t paths = 0;
  double of_half = 0, of_most = 0;  // of half of them, and of nine in ten, so much or less
};

struct GateResult {
  Verdict verdict = Verdict::kNotEnoughRuns;
  FrameIntervals frames;  // of all frames
  FrameChange frame_changes[kFrameFigures];
  FrameChange pace;                        // of all paths alike
  double pace_change = 0;                  // 0.1: they take a tenth longer
  std::vector<PathChange> slower, faster;  // the largest change first
  bool moved = false;                      // paths changed, but their sum did not
  LeastSeen least_seen;
  size_t figures = 0;  // that were tested
  double least_p = 1;  // that so many runs can give
};

// Each run has at least one frame.
GateResult compare_runs(const std::vector<Run> (&runs)[2], const PathNames& names, const GateOptions& options);

// What forbids a comparison, "" if nothing does: a run without frames, one that is given twice, or runs of other clocks or
// machines.
std::string problem_with(const std::vector<Run> (&runs)[2]);
// What makes it less sure: "" or a sentence about runs that were not made in turns, or frames that were left out.
std::vector<std::string> doubts_about(const std::vector<Run> (&runs)[2], const PathNames& names);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_GATE_H
