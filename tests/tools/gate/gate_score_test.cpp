// SPDX-License-Identifier: MIT
//
// How often the gate is right, on simulated runs. FLAMELET_GATE_PAIRS=1000 is the long form, whose figures stand in
// docs/results.md.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "simulated_runs.h"

namespace {

using namespace flamelet::tools;
using flamelet::tests::SimulatedGame;

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
