// SPDX-License-Identifier: MIT
//
// How often the gate is right about real runs of a game of which one scope is slower: score_runs PAIRS SCOPE BASE... --
// SLOWER... draws runs for PAIRS comparisons of 10 and of 15 runs a side. For comparisons without a change both sides come
// from BASE. tests/tools/gate/score_demo makes the runs.
#include <flamelet/capture_file.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gate.h"

namespace {

using flamelet::tools::GateOptions;
using flamelet::tools::GateResult;
using flamelet::tools::PathChange;
using flamelet::tools::PathNames;
using flamelet::tools::RandomNumbers;
using flamelet::tools::Run;
using flamelet::tools::Verdict;

constexpr size_t kFirstFrame = 60;  // before, the game is still loading

Run load(const char* path, PathNames* names) {
  flamelet_capture* capture = nullptr;
  const flamelet_result result = flamelet_capture_load(nullptr, path, &capture, nullptr);
  if (result != FLAMELET_OK) throw std::runtime_error(std::string(path) + ": " + flamelet_result_message(result));
  Run run = flamelet::tools::read_run(capture, kFirstFrame, SIZE_MAX, names);
  flamelet_capture_destroy(capture);
  return run;
}

std::vector<Run> draw(std::vector<Run> from, size_t count, RandomNumbers* random) {
  for (size_t i = 0; i < count; ++i) std::swap(from[i], from[i + random->below(from.size() - i)]);
  from.resize(count);
  return from;
}

bool names_scope(const std::vector<PathChange>& changes, const PathNames& names, const std::string& scope) {
  for (const PathChange& change : changes) {
    const uint32_t named = change.is_scope ? change.path : names[change.path].scope;
    if (names.scopes()[named].name == scope) return true;
  }
  return false;
}

void score(size_t pairs, size_t a_side, bool is_slower, const std::string& scope, const std::vector<Run> (&all)[2],
           const PathNames& names) {
  RandomNumbers random(a_side);
  size_t slower = 0, faster = 0, named = 0;
  for (size_t pair = 0; pair < pairs; ++pair) {
    std::vector<Run> runs[2];
    if (is_slower) {
      for (size_t side = 0; side < 2; ++side) runs[side] = draw(all[side], a_side, &random);
    } else {
      runs[0] = draw(all[0], 2 * a_side, &random);
      const auto middle = runs[0].begin() + static_cast<std::ptrdiff_t>(a_side);
      runs[1].assign(middle, runs[0].end());
      runs[0].erase(middle, runs[0].end());
    }
    GateOptions options;
    options.draws = 20;  // the verdict does not come from the intervals
    options.deals = 999;
    options.seed = pair + 1;
    options.budget_ns = 1e9 / 60;
    const GateResult result = flamelet::tools::compare_runs(runs, names, options);
    slower += result.verdict == Verdict::kSlower;
    faster += result.verdict == Verdict::kFaster;
    named += names_scope(result.slower, names, scope);
  }
  std::printf("%s, %zu pairs of %zu runs a side: slower %zu, faster %zu, \"%s\" named %zu\n",
              is_slower ? "one scope slower" : "no change", pairs, a_side, slower, faster, scope.c_str(), named);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s PAIRS SCOPE BASE... -- SLOWER...\n", argv[0]);
    return 2;
  }
  const size_t pairs = std::strtoul(argv[1], nullptr, 10);
  PathNames names;
  std::vector<Run> runs[2];
  size_t side = 0;
  for (int i = 3; i < argc; ++i) {
    if (std::string(argv[i]) == "--")
      side = 1;
    else
      runs[side].push_back(load(argv[i], &names));
  }
  for (const size_t a_side : {size_t{10}, size_t{15}}) {
    if (runs[0].size() >= 2 * a_side) score(pairs, a_side, false, argv[2], runs, names);
    if (runs[0].size() >= a_side && runs[1].size() >= a_side) score(pairs, a_side, true, argv[2], runs, names);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
