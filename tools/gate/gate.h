// SPDX-License-Identifier: MIT
//
// gate.h: did a change make the game slower? Compares several runs from before with several from after, and names the call
// paths that changed.
#pragma once

#include <flamelet/capture.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flamelet::tools {

// What is kept of a run's capture, so that captures can be read one after the other: how long its frames took, and
// a few figures for each call path.

// Path names: call paths and scopes by their names, the same for all runs: the same code has other ids in another
// recording.

class PathNames {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr size_t kMost = size_t{1} << 16;

  struct Path {
    uint32_t parent;
    std::string name;
    bool is_wait;    // a scope that waits (FLAMELET_SCOPE_WAIT)
    uint32_t scope;  // of this name, whoever calls it
  };
  struct Scope {
    std::string name;
    std::vector<uint32_t> paths;  // that end with it
  };

  PathNames() { paths_.push_back({kRoot, "", false, 0}); }

  // The path of a call from `parent`. Recursion is folded as in the call tree: of a path that ends with W W, the last W is
  // dropped. Without room, it is the parent, and counted.
  uint32_t child(uint32_t parent, std::string_view name, bool is_wait);

  size_t size() const { return paths_.size(); }  // parents stand before their children
  const Path& operator[](size_t path) const { return paths_[path]; }
  const std::vector<Scope>& scopes() const { return scopes_; }
  size_t without_room() const { return without_room_; }

  // "Frame > Update > Physics"
  std::string text(uint32_t path) const;

 private:
  uint32_t folded(uint32_t parent, std::string_view name) const;

  std::vector<Path> paths_;
  std::vector<Scope> scopes_;
  std::map<std::string, uint32_t> scope_index_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> index_;
  size_t without_room_ = 0;
};

// Time in a frame. `typical` is what it takes when nothing disturbs: the mean of the middle fifth of the frames' times of a
// call, times the calls in a mean frame. A change of every frame shows there first; one of few frames in the mean. (The
// middle half would differ three times as much from run to run on a machine that other programs keep busy. And what runs
// beside the frames often runs twice in one and not at all in the next: so calls are counted over the whole run.)
struct FrameTime {
  double typical_ns = 0;
  double mean_ns = 0;
};

struct RunPath {
  FrameTime self;
  FrameTime inclusive;  // without scopes that wait: what the path's own threads worked
  double calls = 0;     // in a frame
};

// A scope in all paths that end with it: jobs that whichever thread is free runs have another path each time.
struct RunScope {
  FrameTime self;
  double calls = 0;
};

struct Run {
  std::string name;
  std::string problem;  // why nothing of it was read, ""
  flamelet_clock_kind clock = {};
  double ticks_per_second = 0;
  uint64_t recorded_unix_ns = 0;  // 0: not known
  std::vector<int64_t> frames_ns;
  size_t partial_frames = 0;  // these two kinds of frames were left out
  size_t lossy_frames = 0;
  std::vector<RunPath> paths;    // by path; those at the end may be missing, as here:
  std::vector<RunScope> scopes;  // by scope

  const RunPath& path(size_t index) const {
    static const RunPath kNone;
    return index < paths.size() ? paths[index] : kNone;
  }
  const RunScope& scope(size_t index) const {
    static const RunScope kNone;
    return index < scopes.size() ? scopes[index] : kNone;
  }
};

// Reads the frames at [first_frame, end_frame) and all lanes but fibers, whose time is on their threads. A span counts in
// the frame in which it begins. Paths of GPU queues
// and external lanes begin with the lane's name. Memory: about 16 bytes for each frame and path.
Run read_run(const flamelet_capture* capture, size_t first_frame, size_t end_frame, PathNames* names);

// Pace: how fast each run was as a whole. A run is slow because of its machine: the clock rate, the heat, other programs.
// What is left of a figure when its pace is taken out differs less from run to run, so smaller changes are seen.

double median(std::vector<double> values);

// The pace of each run: 1.1 if its paths took a tenth longer than those of a usual run. It is the median over the paths of
// how much longer each took, so paths that changed hardly move it, and neither do long ones that vary. (As in Anders and
// Huber 2010 for counts of genes.) Only paths that took `least_ns` in each run count. If they are too few, all paces are 1.
std::vector<double> paces_of(const std::vector<const Run*>& runs, const PathNames& names, double least_ns);

// How much a value grows with the pace: the median slope between two runs (Theil 1950). What waits for memory grows more
// than what only computes. With `first`, only runs of one side are compared: the first so many, and the others.
double growth_with_pace(const std::vector<double>& paces, const std::vector<double>& values, size_t first = 0);

// What the values would be at pace 1, if they grow by so much. A path that did not run stays at 0.
void bring_to_one_pace(const std::vector<double>& paces, double growth, std::vector<double>* values);

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
