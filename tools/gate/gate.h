// SPDX-License-Identifier: MIT
//
// gate.h: did a change make the game slower? Compares several runs from before with several from after, and names the call
// paths that changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "run.h"

namespace flamelet::tools {

// ---- what chance alone would have shown: frames drawn again, and labels exchanged

// Random numbers: the same random numbers for the same seed on every machine, which the standard distributions do not
// promise.

// splitmix64 (Steele, Lea and Flood 2014).
class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // One of 0 .. count - 1, for a count below 2^32: the bias is below count / 2^32.
  size_t below(size_t count) { return static_cast<size_t>((next() >> 32) * count >> 32); }

 private:
  uint64_t state_;
};

// Frame bootstrap: how long frames take, with intervals. Frames of one run are not independent of each other: a run is
// slow as a whole, and a slow frame seldom comes alone. So runs are drawn first, with replacement, and then blocks of
// consecutive frames within each (two-stage bootstrap: Davison and Hinkley 1997, Bootstrap Methods, 3.8; circular blocks:
// Politis and Romano 1992; of n^(1/3) frames: Kuensch 1989). An interval has the middle 95 % of what the draws give
// (percentile interval: Efron and Tibshirani 1993, 13).

enum FrameFigure : size_t { kP50, kP95, kP99, kOverBudget, kFrameFigures };

// The durations rise. Percentiles are of the nearest rank; the share is that above the budget.
double frame_figure(FrameFigure figure, const std::vector<int64_t>& sorted_ns, double budget_ns);

struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;
};

// All frames of all runs of each side.
struct FrameIntervals {
  Interval side[2][kFrameFigures];  // nanoseconds; kOverBudget: a share of 1
  Interval change[kFrameFigures];   // second / first - 1; kOverBudget: second - first
};

// runs[side][run] has the durations of its frames in their order, at least one.
FrameIntervals bootstrap_frames(const std::vector<std::vector<int64_t>> (&runs)[2], double budget_ns, size_t draws,
                                uint64_t seed);

// Permute labels: which of many figures differ between two groups of runs? A permutation test: if nothing changed, a run
// might as well have been one of the other group, so the labels are dealt out again and again, and what that gives is what
// chance gives. Of each deal only the largest statistic of all figures counts (maxT, Westfall and Young 1993, Resampling-
// Based Multiple Testing; Ge, Dudoit and Speed 2003, Test 12): so the chance that *any* figure is called different without
// being so is at most the level, however many there are and however much they depend on each other. Nothing is assumed of
// their distributions.
//
// The statistic is that of the t test, of values that lie at most an interquartile range outside of the quartiles of both
// groups together; what is farther out is moved to there. For normal values those are two standard deviations (Huber
// 1964): one disturbed run does not hide a change that all others show. Nearer limits would cut off what a slow run's
// figures and its pace have in common.
//
// A figure that follows the pace of the runs is tested for what the pace leaves: the t statistic is that of the side in a
// regression on pace and side. Each deal has its own regression. (An analysis of covariance; the labels are dealt to
// whole runs, with their pace, so this is as exact as without.)

// The smallest p that groups of these sizes can give: their labels can only be dealt in so many ways.
double least_p(size_t first, size_t second);

struct TestedFigure {
  std::vector<double> values;  // of the first group's runs, then those of the second's
  bool follows_pace = false;
};

struct LabelTest {
  std::vector<double> p;  // of each figure, adjusted, for a difference in either direction
  double limit = 1;       // the correlation of a figure with the labels from which on p is at most `alarms`; 1: never
};

// `paces` are of the runs, in the same order; not needed if no figure follows them. All deals if they are fewer than
// `deals`; else so many random ones, and the one that happened is counted as another (Phipson and Smyth 2010).
LabelTest permute_labels(const std::vector<TestedFigure>& figures, const std::vector<double>& paces, size_t first,
                         size_t deals, uint64_t seed, double alarms);

// How far apart groups of these sizes lie that have this correlation with their labels and this scatter in each.
double difference_at(double correlation, double scatter, size_t first, size_t second);

// ---- the comparison

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
  double before_ns, after_ns;  // of a usual frame: medians over the runs; as they were if the pace changed, else:
  bool at_one_pace;            // what the pace explains is taken out of them
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
