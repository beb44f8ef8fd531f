// SPDX-License-Identifier: MIT
#include "gate.h"

#include <doctest/doctest.h>

#include <cmath>

#include "simulated_runs.h"

using namespace flamelet::tools;
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
  GateResult compare(GateOptions options = {}) {
    options.draws = 100;
    return compare_runs(runs, game.names, options);
  }
};

}  // namespace

TEST_CASE("gate: the deepest path is named, not its callers") {
  Pair pair;
  pair.add("Frame > Physics > Physics step 3", 0.3e6);
  pair.slow_frames(0.3e6);
  const GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 1);
  CHECK(pair.game.names.text(result.slower[0].path) == "Frame > Physics > Physics step 3");
  CHECK(result.slower[0].is_self);
  CHECK(result.slower[0].after_ns / result.slower[0].before_ns == doctest::Approx(1.67).epsilon(0.05));
  CHECK(result.slower[0].p <= 0.001);
  CHECK(result.faster.empty());
}

TEST_CASE("gate: what is spread over many paths is named by their caller") {
  Pair pair;
  for (int i = 1; i <= 6; ++i) pair.add("Frame > Render > Render step " + std::to_string(i), 8e3);
  // No step alone is sure to have changed; all together are.
  for (std::vector<Run>& side : pair.runs)
    for (size_t i = 0; i < side.size(); ++i)
      for (int step = 1; step <= 6; ++step) {
        FrameTime& self = side[i].paths[pair.path("Frame > Render > Render step " + std::to_string(step))].self;
        FrameTime& all = side[i].paths[pair.path("Frame > Render > Render step " + std::to_string(step))].inclusive;
        Pair::change(&self, i % 2 == 0 ? 4e4 : -4e4);
        Pair::change(&all, i % 2 == 0 ? 4e4 : -4e4);
      }
  for (Run& run : pair.runs[1]) Pair::change(&run.paths[pair.path("Frame > Render")].inclusive, 0.3e6);
  const GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kSlower);
  REQUIRE(result.slower.size() == 1);
  CHECK(pair.game.names.text(result.slower[0].path) == "Frame > Render");
  CHECK_FALSE(result.slower[0].is_self);
}

TEST_CASE("gate: faster is said, too, and slower frames outweigh faster paths") {
  Pair pair;
  pair.add("Frame > Audio > Audio step 6", -0.4e6);
  CHECK(pair.compare().verdict == Verdict::kFaster);
  REQUIRE(pair.compare().faster.size() == 1);
  CHECK(pair.game.names.text(pair.compare().faster[0].path) == "Frame > Audio > Audio step 6");
  pair.slow_frames(3e6);
  const GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kSlower);
  CHECK(result.frame_changes[kP50].direction == 1);
  CHECK(result.slower.empty());
}

TEST_CASE("gate: time that only moved to another path is no difference") {
  Pair pair;
  const uint32_t moved = pair.game.names.child(pair.path("Frame > Update"), "Renamed", false);
  const uint32_t from = pair.path("Frame > Update > Update step 4");
  for (Run& run : pair.runs[1]) {
    run.paths.resize(pair.game.names.size());
    run.paths[moved] = run.paths[from];
    run.scopes.resize(pair.game.names.scopes().size());
    run.scopes.resize(pair.game.names.scopes().size());
    run.paths[from] = {};
  }
  const GateResult result = pair.compare();
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

TEST_CASE("gate: a wait that is longer is listed behind the work, and is no verdict") {
  Pair pair;
  pair.add("Frame > Wait for GPU", 0.5e6);
  GateResult result = pair.compare();
  CHECK(result.verdict == Verdict::kNoDifference);
  REQUIRE(result.slower.size() == 1);
  CHECK(result.slower[0].is_wait);
  pair.add("Frame > Physics > Physics step 3", 0.3e6);
  result = pair.compare();
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

TEST_CASE("gate: more frames over the budget are slower frames") {
  Pair pair;
  for (Run& run : pair.runs[1])
    for (size_t i = 0; i < run.frames_ns.size(); i += 10) run.frames_ns[i] += 20000000;
  GateOptions options;
  options.budget_ns = 30e6;
  const GateResult result = pair.compare(options);
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

TEST_CASE("gate: what all paths share is the run's pace, and no path's change") {
  Pair pair;
  for (Run& run : pair.runs[1]) {
    for (RunPath& path : run.paths)
      for (FrameTime* time : {&path.self, &path.inclusive}) {
        time->typical_ns *= 1.06;
        time->mean_ns *= 1.06;
      }
    for (int64_t& frame_ns : run.frames_ns) frame_ns = frame_ns * 106 / 100;
  }
  const GateResult result = pair.compare();
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

TEST_CASE("gate: a path that only one side has took no time on the other, whatever the pace") {
  Pair pair;
  const uint32_t added = pair.game.names.child(pair.path("Frame > Update"), "Added", false);
  pair.add("Frame > Update > Added", 0.2e6);
  for (size_t i = 0; i < 10; ++i) CHECK(pair.runs[0][i].path(added).self.typical_ns == 0);
  const GateResult result = pair.compare();
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
  for (size_t i = 0; i < 5; ++i) {
    pair.runs[0][i].recorded_unix_ns = 100 + 2 * i;
    pair.runs[1][i].recorded_unix_ns = 101 + 2 * i;
  }
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
  for (size_t i = 0; i < 5; ++i) {
    pair.runs[0][i].recorded_unix_ns = 100 + 2 * i;
    pair.runs[1][i].recorded_unix_ns = 101 + 2 * i;
  }
  CHECK(doubts_about(pair.runs, pair.game.names).empty());
  for (Run& run : pair.runs[1]) run.recorded_unix_ns += 100;
  pair.runs[0][0].lossy_frames = 2;
  const std::vector<std::string> doubts = doubts_about(pair.runs, pair.game.names);
  REQUIRE(doubts.size() == 2);
  CHECK(doubts[0].find("not recorded in turns") != std::string::npos);
  CHECK(doubts[1] == "2 frames with lost events were left out, of 5002.");
}
