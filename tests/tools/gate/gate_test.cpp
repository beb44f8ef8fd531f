// SPDX-License-Identifier: MIT
#include "gate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tools/game_capture.h"

// ---- simulated runs
//
// Runs of a game whose every change is known, with the noise of real ones: some runs are faster as a
// whole, some paths differ from run to run, times drift from frame to frame, and some frames are disturbed.

namespace flamelet::tests {

class SimulatedGame {
 public:
  static constexpr size_t kFrames = 500;
  static constexpr double kRunNoise = 0.01;    // of a run as a whole
  static constexpr double kPathNoise = 0.01;   // of a path in a run
  static constexpr double kFrameNoise = 0.08;  // of a path in a frame, correlated with the frame before by 0.6

  explicit SimulatedGame(uint64_t seed) : random_(seed) {
    using tools::PathNames;
    const uint32_t frame = names.child(PathNames::kRoot, "Frame", false);
    leaves_.push_back({names.child(frame, "Wait for GPU", true), 0.5e6});
    for (const char* system : {"Update", "Physics", "Render", "Audio"}) {
      const uint32_t path = names.child(frame, system, false);
      for (int i = 1; i <= 6; ++i)
        leaves_.push_back({names.child(path, std::string(system) + " step " + std::to_string(i), false), 0.15e6 * i});
    }
    slow_ = leaves_[9].path;
  }

  tools::PathNames names;
  uint32_t slow_path() const { return slow_; }

  // `slowdown` of one path: 1.05 is 5 % more.
  tools::Run run(double slowdown = 1, bool is_disturbed = false) {
    tools::Run run;
    run.name = "run";
    run.ticks_per_second = 3e9;
    run.frames_ns.assign(kFrames, 0);
    run.paths.resize(names.size());
    std::vector<std::vector<double>> times(names.size(), std::vector<double>(kFrames));
    const double whole = (1 + kRunNoise * normal()) * (is_disturbed ? 1.5 : 1);
    for (const Leaf& leaf : leaves_) {
      const double level = leaf.ns * whole * (1 + kPathNoise * normal()) * (leaf.path == slow_ ? slowdown : 1);
      double drift = 0;
      for (size_t i = 0; i < kFrames; ++i) {
        drift = 0.6 * drift + 0.8 * normal();
        const bool is_hitch = random_.below(200) == 0;
        times[leaf.path][i] = level * (1 + kFrameNoise * drift) * (is_hitch ? 8 : 1);
      }
    }
    for (size_t i = 0; i < kFrames; ++i)
      for (const Leaf& leaf : leaves_) run.frames_ns[i] += static_cast<int64_t>(times[leaf.path][i]);
    for (uint32_t path = static_cast<uint32_t>(names.size()); path-- > 1;) {
      for (size_t i = 0; i < kFrames && !names[path].is_wait; ++i) times[names[path].parent][i] += times[path][i];
      run.paths[path].calls = 1;
      const tools::FrameTime time = time_of(times[path]);
      if (is_leaf(path)) run.paths[path].self = time;
      if (!names[path].is_wait) run.paths[path].inclusive = time;
    }
    run.scopes.resize(names.scopes().size());
    for (uint32_t path = 1; path < names.size(); ++path) run.scopes[names[path].scope].self = run.paths[path].self;
    return run;
  }

  // `count` runs of each side.
  void pair(size_t count, double slowdown, std::vector<tools::Run> (&runs)[2]) {
    for (size_t i = 0; i < count; ++i) {
      runs[0].push_back(run());
      runs[1].push_back(run(slowdown));
    }
  }

 private:
  struct Leaf {
    uint32_t path;
    double ns;
  };

  bool is_leaf(uint32_t path) const {
    return std::any_of(leaves_.begin(), leaves_.end(), [&](const Leaf& leaf) { return leaf.path == path; });
  }

  // A sum of four even numbers: close to a normal distribution, mean 0, deviation 1.
  double normal() {
    const uint64_t bits = random_.next();
    double sum = -2 * 65535.0;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(bits >> (16 * i) & 0xffff);
    return sum / 37837.2;
  }

  static tools::FrameTime time_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    double sum = 0, middle = 0;
    for (size_t i = 0; i < kFrames; ++i) {
      sum += times[i];
      if (i >= kFrames * 2 / 5 && i < kFrames * 3 / 5) middle += times[i];
    }
    return {middle / (kFrames / 5.0), sum / kFrames};
  }

  tools::RandomNumbers random_;
  std::vector<Leaf> leaves_;
  uint32_t slow_;
};

}  // namespace flamelet::tests

using namespace flamelet::tools;
using namespace recorder_test;
using flamelet::tests::SimulatedGame;

namespace {

// Ten runs a side, as they come; then the test changes what it wants.
struct Pair {
  SimulatedGame game{1};
  std::vector<Run> runs[2];
  explicit Pair(size_t count = 10) { game.pair(count, 1, runs); }

  uint32_t path(const std::string& text) {
    for (uint32_t path = 1; path < game.names.size(); ++path)
      if (game.names.text(path) == text) return path;
    FAIL("there is no path " << text);
    return 0;
  }
  // More time of the second side's runs, in the path and in all its callers.
  void add(const std::string& text, double ns, bool own = true) {
    for (Run& run : runs[1]) {
      const uint32_t changed = path(text);
      run.paths.resize(game.names.size());
      if (own) change(&run.paths[changed].self, ns);
      if (!game.names[changed].is_wait)
        for (uint32_t at = changed; at != PathNames::kRoot; at = game.names[at].parent)
          change(&run.paths[at].inclusive, ns);
    }
  }
  static void change(FrameTime* time, double ns) {
    time->typical_ns += ns;
    time->mean_ns += ns;
  }
  void slow_frames(double ns) {
    for (Run& run : runs[1])
      for (int64_t& frame_ns : run.frames_ns) frame_ns += static_cast<int64_t>(ns);
  }
  // One run of each side after the other.
  void record_in_turns() {
    for (size_t side = 0; side < 2; ++side)
      for (size_t i = 0; i < runs[side].size(); ++i) runs[side][i].recorded_unix_ns = 100 + 2 * i + side;
  }
  GateResult compare(GateOptions options = {}) {
    options.draws = 100;
    return compare_runs(runs, game.names, options);
  }
};

}  // namespace

TEST_CASE_FIXTURE(Pair, "gate: the deepest path is named, not its callers") {
  add("Frame > Physics > Physics step 3", 0.3e6);
  slow_frames(0.3e6);
  const GateResult result = compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 1);
  CHECK(game.names.text(result.slower[0].path) == "Frame > Physics > Physics step 3");
  CHECK(result.slower[0].is_self);
  CHECK(result.slower[0].after_ns / result.slower[0].before_ns == doctest::Approx(1.67).epsilon(0.05));
  CHECK(result.slower[0].p <= 0.001);
  CHECK(result.faster.empty());
}

TEST_CASE_FIXTURE(Pair, "gate: what is spread over many paths is named by their caller") {
  for (int i = 1; i <= 6; ++i) add("Frame > Render > Render step " + std::to_string(i), 8e3);
  // No step alone is sure to have changed; all together are.
  for (std::vector<Run>& side : runs)
    for (size_t i = 0; i < side.size(); ++i)
      for (int step = 1; step <= 6; ++step) {
        FrameTime& self = side[i].paths[path("Frame > Render > Render step " + std::to_string(step))].self;
        FrameTime& all = side[i].paths[path("Frame > Render > Render step " + std::to_string(step))].inclusive;
        Pair::change(&self, i % 2 == 0 ? 4e4 : -4e4);
        Pair::change(&all, i % 2 == 0 ? 4e4 : -4e4);
      }
  for (Run& run : runs[1]) Pair::change(&run.paths[path("Frame > Render")].inclusive, 0.3e6);
  const GateResult result = compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 1);
  CHECK(game.names.text(result.slower[0].path) == "Frame > Render");
  CHECK_FALSE(result.slower[0].is_self);
}

TEST_CASE_FIXTURE(Pair, "gate: faster is said, too, and slower frames outweigh faster paths") {
  add("Frame > Audio > Audio step 6", -0.4e6);
  CHECK(compare().verdict == Verdict::kFaster);
  REQUIRE(compare().faster.size() == 1);
  CHECK(game.names.text(compare().faster[0].path) == "Frame > Audio > Audio step 6");
  slow_frames(3e6);
  const GateResult result = compare();
  CHECK(result.verdict == Verdict::kSlower);
  CHECK(result.frame_changes[kP50].direction == 1);
  CHECK(result.slower.empty());
}

TEST_CASE_FIXTURE(Pair, "gate: time that only moved to another path is no difference") {
  const uint32_t moved = game.names.child(path("Frame > Update"), "Renamed", false);
  const uint32_t from = path("Frame > Update > Update step 4");
  for (Run& run : runs[1]) {
    run.paths.resize(game.names.size());
    run.paths[moved] = run.paths[from];
    run.scopes.resize(game.names.scopes().size());
    run.paths[from] = {};
  }
  const GateResult result = compare();
  CHECK(result.verdict == Verdict::kNoDifference);
  CHECK(result.moved);
  REQUIRE(result.slower.size() == 1);
  CHECK(result.slower[0].path == moved);
  CHECK(result.slower[0].before_ns == 0);
  REQUIRE(result.faster.size() == 1);
  CHECK(result.faster[0].path == from);
}

namespace {

// A job of 2 ms, of which a random part runs on a worker, the rest below the one who waits for it.
Pair pair_with_jobs(double slowdown) {
  Pair pair;
  const uint32_t here = pair.game.names.child(pair.path("Frame > Update"), "Job", false);
  const uint32_t there = pair.game.names.child(PathNames::kRoot, "Job", false);
  RandomNumbers random(9);
  for (size_t side = 0; side < 2; ++side)
    for (Run& run : pair.runs[side]) {
      run.paths.resize(pair.game.names.size());
      run.scopes.resize(pair.game.names.scopes().size());
      const double ns = 2e6 * (side == 1 ? slowdown : 1) * (0.99 + 0.0002 * static_cast<double>(random.below(100)));
      const double share = 0.3 + 0.004 * static_cast<double>(random.below(100));
      run.paths[here].self = run.paths[here].inclusive = {ns * share, ns * share};
      run.paths[there].self = run.paths[there].inclusive = {ns * (1 - share), ns * (1 - share)};
      run.scopes[pair.game.names[here].scope].self = {ns, ns};
    }
  return pair;
}

}  // namespace

TEST_CASE("gate: a job that whoever is free runs is named in all of its paths" * doctest::test_suite("gate")) {
  Pair pair = pair_with_jobs(1.05);
  const GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 1);
  CHECK(result.slower[0].is_scope);
  CHECK(pair.game.names.scopes()[result.slower[0].path].name == "Job");
  CHECK(result.slower[0].after_ns / result.slower[0].before_ns == doctest::Approx(1.05).epsilon(0.01));
  CHECK(pair_with_jobs(1).compare().verdict == Verdict::kNoDifference);
}

TEST_CASE("gate: a job that another thread runs now takes no longer") {
  Pair pair = pair_with_jobs(1);
  const uint32_t here = pair.path("Frame > Update > Job"), there = pair.path("Job");
  for (Run& run : pair.runs[1]) {
    const double ns = run.paths[here].self.typical_ns + run.paths[there].self.typical_ns;
    run.paths[here] = {};
    run.paths[there].self = run.paths[there].inclusive = {ns, ns};
  }
  const GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kNoDifference);
}

TEST_CASE_FIXTURE(Pair, "gate: a wait that is longer is listed behind the work, and is no verdict") {
  add("Frame > Wait for GPU", 0.5e6);
  GateResult result = compare();
  CHECK(result.verdict == Verdict::kNoDifference);
  REQUIRE(result.slower.size() == 1);
  CHECK(result.slower[0].is_wait);
  add("Frame > Physics > Physics step 3", 0.3e6);
  result = compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 2);
  CHECK_FALSE(result.slower[0].is_wait);
  CHECK(result.slower[1].is_wait);
}

TEST_CASE("gate: changes that are too small to matter are not called one") {
  Pair pair;
  for (std::vector<Run>& side : pair.runs)
    for (Run& run : side)
      for (RunPath& path : run.paths) path = {};
  const uint32_t path = pair.path("Frame > Audio > Audio step 1");
  for (size_t i = 0; i < 10; ++i) {
    pair.runs[0][i].paths[path].self = {1e6, 1e6};
    pair.runs[1][i].paths[path].self = {1.009e6, 1.009e6};
  }
  CHECK(pair.compare().verdict == Verdict::kNoDifference);
  GateOptions finer;
  finer.least = 0.005;
  CHECK(pair.compare(finer).verdict == Verdict::kSlower);
}

TEST_CASE("gate: how much a path would have to change is said, and holds" * doctest::test_suite("gate")) {
  const std::string name = "Frame > Physics > Physics step 3";
  const LeastSeen least = Pair().compare().least_seen;
  CHECK(least.paths == 24);
  CHECK(least.of_half > 0.01);
  CHECK(least.of_half < 0.05);
  CHECK(least.of_most >= least.of_half);
  Pair more, less;
  const double usual_ns = more.runs[0][0].path(more.path(name)).self.typical_ns;
  more.add(name, 1.5 * least.of_most * usual_ns);
  CHECK(more.compare().verdict == Verdict::kSlower);
  less.add(name, 0.3 * least.of_half * usual_ns);
  CHECK(less.compare().verdict == Verdict::kNoDifference);
  CHECK(Pair(4).compare().least_seen.paths == 0);  // too few runs to see anything
  GateOptions options;
  options.least = 0.2;  // less does not matter, so nothing is said of it
  CHECK(Pair().compare(options).least_seen.of_half == 0.2);
}

TEST_CASE_FIXTURE(Pair, "gate: more frames over the budget are slower frames") {
  for (Run& run : runs[1])
    for (size_t i = 0; i < run.frames_ns.size(); i += 10) run.frames_ns[i] += 20000000;
  GateOptions options;
  options.budget_ns = 30e6;
  const GateResult result = compare(options);
  CHECK(result.verdict == Verdict::kSlower);
  CHECK(result.frame_changes[kOverBudget].direction == 1);
  CHECK(result.frames.side[1][kOverBudget].value > result.frames.side[0][kOverBudget].value + 0.09);
  CHECK(result.frames.change[kOverBudget].low > 0.05);
  CHECK(result.frame_changes[kP50].direction == 0);
}

TEST_CASE("gate: fewer than five runs a side are not enough, however much they differ") {
  Pair four(4);
  four.add("Frame > Physics > Physics step 3", 5e6);
  four.slow_frames(5e6);
  CHECK(four.compare().verdict == Verdict::kNotEnoughRuns);
  CHECK(four.compare().slower.empty());
  Pair five(5);
  five.add("Frame > Physics > Physics step 3", 5e6);
  five.slow_frames(5e6);
  CHECK(five.compare().verdict == Verdict::kSlower);
}

TEST_CASE("gate: a run that something disturbed does not hide the change") {
  Pair pair(0);
  for (int i = 0; i < 10; ++i) {
    pair.runs[0].push_back(pair.game.run(1, i == 4));
    pair.runs[1].push_back(pair.game.run(1.08, i == 7));
  }
  const GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 1);
  CHECK(result.slower[0].path == pair.game.slow_path());
}

TEST_CASE_FIXTURE(Pair, "gate: what all paths share is the run's pace, and no path's change") {
  for (Run& run : runs[1]) {
    for (RunPath& path : run.paths)
      for (FrameTime* time : {&path.self, &path.inclusive}) {
        time->typical_ns *= 1.06;
        time->mean_ns *= 1.06;
      }
    for (int64_t& frame_ns : run.frames_ns) frame_ns = frame_ns * 106 / 100;
  }
  const GateResult result = compare();
  CHECK(result.verdict == Verdict::kSlower);
  CHECK(result.slower.empty());
  CHECK(result.pace.direction == 1);
  CHECK(result.pace_change == doctest::Approx(0.06).epsilon(0.15));
}

TEST_CASE("gate: on a quiet machine, where the pace tells nothing within a side, all paths alike stay so") {
  // All differ by chance only, so a path that is all of them follows the pace but loosely within a side, and fully between.
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    PathNames names;
    RandomNumbers random(seed);
    const uint32_t all = names.child(PathNames::kRoot, "Frame", false);
    std::vector<uint32_t> steps;
    for (int i = 0; i < 11; ++i) steps.push_back(names.child(all, "Step " + std::to_string(i), false));
    std::vector<Run> runs[2];
    for (size_t side = 0; side < 2; ++side)
      for (int i = 0; i < 8; ++i) {
        Run run;
        run.paths.resize(names.size());
        run.scopes.resize(names.scopes().size());
        for (const uint32_t step : steps) {
          const bool is_changed = seed > 10 && step == steps[4] && side == 1;
          const double ns = 3e5 * (side == 1 ? 1.3 : 1) * (is_changed ? 1.2 : 1) *
                            (1 + 1e-4 * (static_cast<double>(random.below(100)) - 50));
          run.paths[step].self = run.paths[step].inclusive = {ns, ns};
          Pair::change(&run.paths[all].inclusive, ns);
        }
        run.frames_ns.assign(20, static_cast<int64_t>(run.paths[all].inclusive.mean_ns));
        runs[side].push_back(std::move(run));
      }
    GateOptions options;
    options.draws = 10;
    const GateResult result = compare_runs(runs, names, options);
    CAPTURE(seed);
    CHECK(result.verdict == Verdict::kSlower);
    CHECK(result.pace.direction == 1);
    CHECK(result.pace_change == doctest::Approx(0.3).epsilon(0.02));
    CHECK(result.faster.empty());
    REQUIRE(result.slower.size() == (seed > 10 ? 1 : 0));
    if (seed <= 10) continue;
    CHECK(result.slower[0].path == steps[4]);  // by the times of the runs
    CHECK(result.slower[0].before_ns == doctest::Approx(300e3).epsilon(0.005));
    CHECK(result.slower[0].after_ns == doctest::Approx(468e3).epsilon(0.005));
    CHECK_FALSE(result.slower[0].at_one_pace);
  }
}

TEST_CASE("gate: a slow run that a path hardly feels does not hide that path's change") {
  Pair pair;
  const uint32_t computes = pair.path("Frame > Physics > Physics step 3");
  pair.add("Frame > Physics > Physics step 3", 0.05 * 0.45e6);
  for (std::vector<Run>& side : pair.runs)
    for (size_t i = 0; i < side.size(); ++i) {
      const double pace = std::pow(1.5, static_cast<double>(i * 7 % 10) / 9);
      for (uint32_t path = 1; path < side[i].paths.size(); ++path)
        for (FrameTime* time : {&side[i].paths[path].self, &side[i].paths[path].inclusive}) {
          const double slower = path == computes ? std::pow(pace, 0.25) : pace;
          time->typical_ns *= slower;
          time->mean_ns *= slower;
        }
    }
  const GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 1);
  CHECK(result.slower[0].path == computes);
}

TEST_CASE_FIXTURE(Pair, "gate: a path that only one side has took no time on the other, whatever the pace") {
  const uint32_t added = game.names.child(path("Frame > Update"), "Added", false);
  add("Frame > Update > Added", 0.2e6);
  for (size_t i = 0; i < 10; ++i) CHECK(runs[0][i].path(added).self.typical_ns == 0);
  const GateResult result = compare();
  REQUIRE(result.slower.size() == 1);
  CHECK(result.slower[0].path == added);
  CHECK(result.slower[0].before_ns == 0);
}

TEST_CASE("gate: runs that cannot be compared are a problem") {
  Pair pair(5);
  CHECK(problem_with(pair.runs) == "");
  pair.runs[1][2].name = "odd";
  pair.runs[1][2].ticks_per_second = 3.001e9;
  CHECK(problem_with(pair.runs) == "");
  pair.runs[1][2].ticks_per_second = 2.6e9;
  CHECK(problem_with(pair.runs) == "odd is of another machine than run: its clock has another rate");
  pair.runs[1][2].clock = static_cast<flamelet_clock_kind>(2);
  CHECK(problem_with(pair.runs) == "odd was timed by another clock than run");
  pair.runs[1][2].frames_ns.clear();
  CHECK(problem_with(pair.runs) == "odd has no whole frame");
  pair.runs[1][2].lossy_frames = 3;
  pair.runs[1][2].partial_frames = 1;
  CHECK(problem_with(pair.runs) == "odd has no whole frame: 1 partial one, 3 incomplete ones");
}

TEST_CASE("gate: a run that is given twice, or that was not read, is a problem") {
  Pair pair(5);
  pair.record_in_turns();
  CHECK(problem_with(pair.runs) == "");
  Run& copy = pair.runs[1][3];
  copy.recorded_unix_ns = pair.runs[0][1].recorded_unix_ns;  // of one program, but other frames
  CHECK(problem_with(pair.runs) == "");
  copy = pair.runs[0][1];
  copy.name = "copy";
  CHECK(problem_with(pair.runs) == "copy and run are the same run");
  for (std::vector<Run>& side : pair.runs)
    for (Run& run : side) run.recorded_unix_ns = 0;  // traces of other tools
  CHECK(problem_with(pair.runs) == "copy and run are the same run");
  ++copy.paths[1].inclusive.mean_ns;
  CHECK(problem_with(pair.runs) == "");
  pair.runs[1][0].problem = "run 6 is empty";
  CHECK(problem_with(pair.runs) == "run 6 is empty");
}

TEST_CASE("gate: sides that were not recorded in turns are said, and frames that were left out") {
  Pair pair(5);
  CHECK(doubts_about(pair.runs, pair.game.names).empty());
  pair.record_in_turns();
  CHECK(doubts_about(pair.runs, pair.game.names).empty());
  for (Run& run : pair.runs[1]) run.recorded_unix_ns += 100;
  pair.runs[0][0].lossy_frames = 2;
  const std::vector<std::string> doubts = doubts_about(pair.runs, pair.game.names);
  REQUIRE(doubts.size() == 2);
  CHECK(doubts[0].find("not recorded in turns") != std::string::npos);
  CHECK(doubts[1] == "2 frames with lost events were left out, of 5002.");
}

// ---- permute labels

namespace {

std::vector<double> p_of_deals(const std::vector<std::vector<double>>& values, size_t first, size_t deals,
                               uint64_t seed) {
  std::vector<TestedFigure> figures;
  for (const std::vector<double>& each : values) figures.push_back({each, false});
  return flamelet::tools::permute_labels(figures, {}, first, deals, seed, 0.01).p;
}

}  // namespace

TEST_CASE("permutation test: the smallest p is one deal of all") {
  CHECK(least_p(5, 5) == doctest::Approx(2.0 / 252));
  CHECK(least_p(10, 10) == doctest::Approx(2.0 / 184756));
  CHECK(least_p(3, 10) == doctest::Approx(1.0 / 286));
  CHECK(least_p(1, 1) == 1);
  CHECK(least_p(0, 9) == 1);
  // Groups that lie apart have it, whatever their distance.
  CHECK(p_of_deals({{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, 5, 4999, 1)[0] == doctest::Approx(2.0 / 252));
  CHECK(p_of_deals({{1, 1, 1, 1, 1, 9, 9, 9, 9, 9}}, 5, 4999, 1)[0] == doctest::Approx(2.0 / 252));
}

TEST_CASE("permutation test: p of a single figure is the share of deals that are as far apart") {
  // Sums of the second group of 20 deals: 6 (1 + 2 + 3) to 15. Mean 10.5; {3, 5, 6} gives 14, as far as 7: two deals each,
  // with one more at 15 and 6.
  CHECK(p_of_deals({{1, 2, 4, 3, 5, 6}}, 3, 4999, 1)[0] == doctest::Approx(4.0 / 20));
  CHECK(p_of_deals({{4, 4, 4, 4, 4, 4}}, 3, 4999, 1)[0] == 1);
  CHECK(p_of_deals({}, 3, 4999, 1).empty());
}

TEST_CASE("permutation test: more figures make a difference less sure") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> figures = {{0, .1, -.1, .2, -.2, .3, 0, .1, 1, 1.1, .9, .2, .8, .7, 1.3, .9}};
  const double alone = p_of_deals(figures, 8, 20000, 1)[0];
  CHECK(alone < 0.002);
  // Those that depend on it do not; others do.
  for (int i = 0; i < 100; ++i) figures.push_back(figures[0]);
  CHECK(p_of_deals(figures, 8, 20000, 1)[0] == alone);
  figures.resize(1);
  for (int i = 0; i < 100; ++i) {
    figures.emplace_back();
    for (int run = 0; run < 16; ++run) figures.back().push_back(normal(random));
  }
  const std::vector<double> p = p_of_deals(figures, 8, 20000, 1);
  CHECK(p[0] > 5 * alone);
  for (size_t i = 1; i < p.size(); ++i) CHECK(p[i] > 0.01);
}

TEST_CASE("permutation test: one disturbed run does not hide a difference") {
  std::vector<double> values = {1.00, 1.01, 0.99, 1.02, 0.98, 1.00, 1.01, 0.99, 1.00, 1.01,
                                1.10, 1.11, 1.09, 1.12, 1.08, 1.10, 1.11, 1.09, 1.10, 1.11};
  CHECK(p_of_deals({values}, 10, 4999, 1)[0] <= 0.001);
  values[4] = 50;
  CHECK(p_of_deals({values}, 10, 4999, 1)[0] <= 0.002);
}

TEST_CASE("permutation test: random deals are the same for the same seed, and p is never 0") {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(i < 10 ? i : 100 + i);
  const double p = p_of_deals({values}, 10, 999, 7)[0];
  CHECK(p >= 0.001);
  CHECK(p <= 0.002);
  std::vector<double> mixed = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};
  CHECK(p_of_deals({mixed}, 10, 999, 7) == p_of_deals({mixed}, 10, 999, 7));
  CHECK(p_of_deals({mixed}, 10, 999, 7) != p_of_deals({mixed}, 10, 999, 8));
}

TEST_CASE("permutation test: a figure that follows the pace is tested for what the pace leaves") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> paces, same, slower;
  for (int run = 0; run < 20; ++run) {
    paces.push_back(1 + 0.1 * (run * 7 % 10) + (run < 10 ? 0 : 0.3));
    same.push_back(5 + 2 * paces.back() + 0.02 * normal(random));
    slower.push_back(same.back() + (run < 10 ? 0 : 0.1));
  }
  const auto p = [&](const std::vector<double>& values, bool follows) {
    return flamelet::tools::permute_labels({{values, follows}}, paces, 10, 4999, 1, 0.01).p[0];
  };
  CHECK(p(same, true) > 0.05);
  CHECK(p(same, false) < 0.05);  // it is the slower pace that is seen here
  CHECK(p(slower, true) < 0.001);
  CHECK(p(paces, true) == 1);  // nothing is left
}

TEST_CASE("permutation test: a difference a little above the limit is seen, and one a little below is not") {
  constexpr size_t kRuns = 10;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<TestedFigure> figures(20);
  for (TestedFigure& figure : figures)
    for (size_t run = 0; run < 2 * kRuns; ++run) figure.values.push_back(normal(random));
  // Scores whose scatter is 1 in both groups, and whose groups lie as far apart as they are told.
  const auto p_at = [&](double apart) {
    figures[0].values.clear();
    for (size_t run = 0; run < 2 * kRuns; ++run) {
      const double score = (static_cast<double>(run % kRuns) - 4.5) / std::sqrt(82.5 / 9);
      figures[0].values.push_back(score + (run < kRuns ? 0 : apart));
    }
    return flamelet::tools::permute_labels(figures, {}, kRuns, 4999, 1, 0.01);
  };
  const double limit = p_at(0).limit;
  CHECK(limit > 0.6);
  CHECK(limit < 0.85);
  const double apart = flamelet::tools::difference_at(limit, 1, kRuns, kRuns);
  CHECK(p_at(1.05 * apart).p[0] <= 0.01);
  CHECK(p_at(0.95 * apart).p[0] > 0.01);
  CHECK(flamelet::tools::permute_labels(figures, {}, kRuns, 50, 1, 0.01).limit == 1);  // too few deals for any
}

// ---- frame bootstrap

namespace {

using Runs = std::vector<std::vector<int64_t>>;

std::vector<int64_t> count_to(int64_t last) {
  std::vector<int64_t> run;
  for (int64_t i = 1; i <= last; ++i) run.push_back(i);
  return run;
}

// Runs that are slow or fast as a whole: a frame tells little that the others of its run do not.
Runs uneven_runs(std::mt19937_64* random, size_t count, double run_noise, double frame_noise) {
  std::normal_distribution<double> normal;
  Runs runs;
  for (size_t i = 0; i < count; ++i) {
    runs.emplace_back();
    const double level = 1e6 * (1 + run_noise * normal(*random));
    for (int frame = 0; frame < 100; ++frame)
      runs.back().push_back(static_cast<int64_t>(level * (1 + frame_noise * normal(*random))));
  }
  return runs;
}

}  // namespace

TEST_CASE("frame bootstrap: values are those of all frames, by nearest rank") {
  const Runs runs[2] = {{count_to(50), count_to(100)}, {{10, 20, 30, 40}}};
  const FrameIntervals frames = bootstrap_frames(runs, 80, 200, 1);
  CHECK(frames.side[0][kP50].value == 38);  // rank 75 of 1 1 2 2 ... 50 50 51 ... 100
  CHECK(frames.side[0][kP99].value == 99);
  CHECK(frames.side[0][kOverBudget].value == doctest::Approx(20.0 / 150));
  CHECK(frames.side[1][kP50].value == 20);
  CHECK(frames.side[1][kP95].value == 40);
  CHECK(frames.side[1][kOverBudget].value == 0);
  CHECK(frames.change[kP50].value == doctest::Approx(20.0 / 38 - 1));
  CHECK(frames.change[kOverBudget].value == doctest::Approx(-20.0 / 150));
}

TEST_CASE("frame bootstrap: frames that are all alike have intervals without a width") {
  const Runs runs[2] = {{{7, 7, 7}, {7, 7}}, {{9}}};
  const FrameIntervals frames = bootstrap_frames(runs, 8, 50, 3);
  for (const FrameFigure figure : {kP50, kP95, kP99}) {
    CHECK(frames.side[0][figure].low == 7);
    CHECK(frames.side[0][figure].high == 7);
    CHECK(frames.change[figure].low == doctest::Approx(9.0 / 7 - 1));
  }
  CHECK(frames.side[1][kOverBudget].low == 1);
  CHECK(frames.change[kOverBudget].high == 1);
}

TEST_CASE("frame bootstrap: the same seed gives the same intervals") {
  std::mt19937_64 random(5);
  const Runs runs[2] = {uneven_runs(&random, 5, 0.02, 0.1), uneven_runs(&random, 5, 0.02, 0.1)};
  const auto low = [&](uint64_t seed) { return bootstrap_frames(runs, 1e6, 200, seed).change[kP95].low; };
  CHECK(low(1) == low(1));
  CHECK(low(1) != low(2));
}

TEST_CASE("frame bootstrap: an interval knows that frames of one run are alike") {
  std::mt19937_64 random(11);
  const auto width = [&](const Runs& runs) {
    const Runs both[2] = {runs, runs};
    const Interval p50 = bootstrap_frames(both, 0, 400, 1).side[0][kP50];
    return p50.high - p50.low;
  };
  // Runs that differ by 5 % and frames by 1 %: the mean of ten runs is known to 5 % / sqrt(10), two such each way.
  const double uneven = width(uneven_runs(&random, 10, 0.05, 0.01));
  CHECK(uneven > 1e6 * 0.05);
  CHECK(uneven < 1e6 * 0.12);
  CHECK(width(uneven_runs(&random, 10, 0, 0.01)) < uneven / 10);
}

TEST_CASE("frame bootstrap: about 95 % of the intervals hold the truth" * doctest::test_suite("gate")) {
  std::mt19937_64 random(3);
  int held = 0;
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    const Runs runs[2] = {uneven_runs(&random, 10, 0.02, 0.05), uneven_runs(&random, 10, 0.02, 0.05)};
    const Interval change = bootstrap_frames(runs, 0, 200, 1).change[kP50];
    held += change.low <= 0 && change.high >= 0;
  }
  CHECK(held >= kTries * 88 / 100);  // intervals from ten runs are known to be a little narrow
  CHECK(held <= kTries * 99 / 100);
}

// ---- gate score
//
// How often the gate is right, on simulated runs. FLAMELET_GATE_PAIRS=1000 is the long form, whose figures stand in
// docs/results.md.

namespace {

size_t pair_count(size_t otherwise) {
  const char* const text = std::getenv("FLAMELET_GATE_PAIRS");
  return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

struct Score {
  size_t slower = 0, faster = 0;
  size_t named = 0;  // the path that is slower stands first
};

Score score(size_t pairs, size_t runs_a_side, double slowdown) {
  Score score;
  for (size_t pair = 0; pair < pairs; ++pair) {
    SimulatedGame game(pair + 1);
    std::vector<Run> runs[2];
    game.pair(runs_a_side, slowdown, runs);
    GateOptions options;
    options.draws = 20;  // the verdict does not come from the intervals
    options.deals = 999;
    options.seed = pair + 1;
    options.budget_ns = 18e6;
    const GateResult result = compare_runs(runs, game.names, options);
    score.slower += result.verdict == Verdict::kSlower;
    score.faster += result.verdict == Verdict::kFaster;
    score.named += !result.slower.empty() && result.slower[0].path == game.slow_path();
  }
  std::printf("gate: %zu pairs of %zu runs a side, one path %+.0f %%: slower %zu, faster %zu, that path first %zu\n",
              pairs, runs_a_side, (slowdown - 1) * 100, score.slower, score.faster, score.named);
  return score;
}

}  // namespace

TEST_CASE("gate: of runs without a change, at most 1 % are called slower or faster" * doctest::test_suite("gate")) {
  for (const size_t runs_a_side : {size_t{5}, size_t{10}}) {
    const size_t pairs = pair_count(40);
    const Score result = score(pairs, runs_a_side, 1);
    CHECK(result.slower + result.faster <= pairs / 100);
  }
}

TEST_CASE("gate: 5 % more of one path is found and named in 95 % with ten runs a side" * doctest::test_suite("gate")) {
  const size_t pairs = pair_count(20);
  const Score result = score(pairs, 10, 1.05);
  CHECK(result.slower >= pairs * 95 / 100);
  CHECK(result.named >= pairs * 95 / 100);
  CHECK(result.faster <= pairs / 100);
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

using flamelet::tests::GameCapture;

namespace {

const RunPath& path_of(const Run& run, const PathNames& names, const std::string& text) {
  for (uint32_t path = 1; path < names.size(); ++path)
    if (names.text(path) == text) return run.path(path);
  FAIL("there is no path " << text);
  return run.path(0);
}

}  // namespace

TEST_CASE_FIXTURE(GameCapture, "run: paths have the time of a usual frame and of a mean one") {
  PathNames names;
  const Run run = read_run(capture, 0, SIZE_MAX, &names);
  REQUIRE(run.frames_ns.size() == 10);
  CHECK(run.frames_ns[0] == 10000000);
  CHECK(run.frames_ns[7] == 30000000);
  const RunPath& physics = path_of(run, names, "Frame > Update > Physics");
  CHECK(physics.self.typical_ns == 4e6);
  CHECK(physics.self.mean_ns == doctest::Approx(6e6));
  CHECK(physics.calls == 1);
  const RunPath& frame = path_of(run, names, "Frame");
  CHECK(frame.self.typical_ns == 0);
  CHECK(frame.inclusive.typical_ns == 9e6);
  CHECK(frame.inclusive.mean_ns == doctest::Approx(11e6));
  const RunPath& eval = path_of(run, names, "Frame > Update > eval");
  CHECK(eval.self.typical_ns == 0.5e6);
  CHECK(path_of(run, names, "Frame > Update > eval > apply").calls == 2);
  CHECK(path_of(run, names, "GPU > Shadow").self.typical_ns == 2e6);
  CHECK(path_of(run, names, "Job").self.typical_ns == 4e6);
}

TEST_CASE("run: a second run has the same paths, and only the frames that were asked for") {
  PathNames names;
  const Run first = read_run(GameCapture().capture, 0, SIZE_MAX, &names);
  const size_t paths = names.size();
  const Run second = read_run(GameCapture(2, "Particles").capture, 7, 8, &names);
  CHECK(names.size() == paths + 1);
  CHECK(second.frames_ns == std::vector<int64_t>{30000000});
  CHECK(path_of(second, names, "Frame > Update > Physics").self.typical_ns == 24e6);
  CHECK(path_of(second, names, "Job").self.typical_ns == 6e6);
  CHECK(path_of(first, names, "Frame > Draw > Particles").calls == 0);
}

TEST_CASE_FIXTURE(Building, "run: partial frames and those with losses are left out") {
  const uint32_t main = lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t flags[] = {FLAMELET_FRAME_PARTIAL, 0, FLAMELET_FRAME_LOSSY, 0};
  for (int64_t i = 0; i < 4; ++i) {
    begin(main, i * 1000, site("Work"));
    end(main, i * 1000 + 100 * (i + 1));
    flamelet_capture_builder_frame(builder, static_cast<uint64_t>(i), i * 1000, i * 1000 + 1000, flags[i]);
  }
  PathNames names;
  const Run run = read_run(finish(), 0, SIZE_MAX, &names);
  CHECK(run.frames_ns.size() == 2);
  CHECK(run.partial_frames == 1);
  CHECK(run.lossy_frames == 1);
  CHECK(path_of(run, names, "Work").self.mean_ns == 300);
  CHECK(path_of(run, names, "Work").calls == 1);
}

TEST_CASE_FIXTURE(Building, "run: a span counts in the frame in which it begins; a wait is no work of its callers") {
  const uint32_t main = lane(FLAMELET_LANE_THREAD, "Main");
  begin(main, 500, site("Load"));
  begin(main, 1200, site("Lock", "wait"));
  end(main, 1300);
  end(main, 2100);
  for (uint64_t i = 0; i < 4; ++i) frame(i, static_cast<int64_t>(i) * 1000, static_cast<int64_t>(i) * 1000 + 1000);
  finish();
  PathNames names;
  const Run run = read_run(capture, 0, SIZE_MAX, &names);
  const RunPath& load = path_of(run, names, "Load");
  CHECK(load.self.mean_ns == 1500 / 4.0);
  CHECK(load.inclusive.mean_ns == 1500 / 4.0);
  CHECK(load.calls == 0.25);
  const RunPath& lock = path_of(run, names, "Load > Lock");
  CHECK(lock.self.mean_ns == 100 / 4.0);
  CHECK(lock.self.typical_ns == 100 / 4.0);
  CHECK(lock.inclusive.mean_ns == 0);
  // What began before the frames is not theirs.
  CHECK(path_of(read_run(capture, 1, SIZE_MAX, &names), names, "Load").calls == 0);
}

TEST_CASE("run: steps that fall into other frames from run to run take the same") {
  PathNames names;
  const auto typical = [&](bool is_uneven) {
    Building building;
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Simulation");
    for (int64_t i = 0; i < 20; ++i) {
      const int64_t at = i * 1000 + (is_uneven && i % 2 == 0 ? 1000 : 0) + (is_uneven && i % 2 == 1 ? 500 : 0);
      building.begin(lane, at, building.site("Step"));
      building.end(lane, at + 300);
      building.frame(static_cast<uint64_t>(i), i * 1000, i * 1000 + 1000);
    }
    return path_of(read_run(building.finish(), 0, SIZE_MAX, &names), names, "Step").self.typical_ns;
  };
  CHECK(typical(false) == 300);
  CHECK(typical(true) == 300);
}

TEST_CASE("run: a scope has the calls of all of its paths") {
  Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t worker = building.lane(FLAMELET_LANE_THREAD, "Worker");
  for (int64_t i = 0; i < 4; ++i) {
    building.begin(main, i * 1000, building.site("Update"));
    for (int64_t job = 0; job < 4; ++job) {
      const uint32_t lane = job <= i ? main : worker;
      building.begin(lane, i * 1000 + job * 100, building.site("Job"));
      building.end(lane, i * 1000 + job * 100 + 50);
    }
    building.end(main, i * 1000 + 600);
    building.frame(static_cast<uint64_t>(i), i * 1000, i * 1000 + 1000);
  }
  PathNames names;
  const Run run = read_run(building.finish(), 0, SIZE_MAX, &names);
  REQUIRE(names.scopes().size() == 2);
  const uint32_t job = names.scopes()[0].name == "Job" ? 0 : 1;
  CHECK(names.scopes()[job].paths.size() == 2);
  CHECK(run.scope(job).calls == 4);
  CHECK(run.scope(job).self.typical_ns == 200);
  CHECK(path_of(run, names, "Update > Job").calls == 2.5);
}

// ---- path names

namespace {

uint32_t path_of(PathNames* names, std::initializer_list<const char*> calls) {
  uint32_t path = PathNames::kRoot;
  for (const char* name : calls) path = names->child(path, name, false);
  return path;
}

}  // namespace

TEST_CASE("path names: the same names are the same path") {
  PathNames names;
  const uint32_t physics = path_of(&names, {"Frame", "Update", "Physics"});
  CHECK(path_of(&names, {"Frame", "Update", "Physics"}) == physics);
  CHECK(path_of(&names, {"Frame", "Physics"}) != physics);
  CHECK(names.text(physics) == "Frame > Update > Physics");
  CHECK(names.size() == 5);  // the root, and "Frame > Physics"
}

TEST_CASE("path names: recursion is folded as in the call tree") {
  PathNames names;
  const uint32_t apply = path_of(&names, {"eval", "apply"});
  CHECK(path_of(&names, {"eval", "apply", "eval", "apply"}) == apply);
  CHECK(path_of(&names, {"eval", "apply", "eval", "apply", "eval", "apply"}) == apply);
  CHECK(path_of(&names, {"f", "f", "f"}) == path_of(&names, {"f"}));
  CHECK(names.text(path_of(&names, {"a", "b", "c", "a", "b"})) == "a > b > c > a > b");
  CHECK(names.text(path_of(&names, {"a", "b", "c", "a", "b", "c"})) == "a > b > c");
}

TEST_CASE("path names: without room, a path is its caller's, and counted") {
  PathNames names;
  const uint32_t frame = path_of(&names, {"Frame"});
  for (size_t i = names.size(); i < PathNames::kMost; ++i) names.child(frame, std::to_string(i), false);
  CHECK(names.without_room() == 0);
  CHECK(names.child(frame, "one more", false) == frame);
  CHECK(names.child(frame, "2", false) != frame);
  CHECK(names.without_room() == 1);
}
