// SPDX-License-Identifier: MIT
//
// flamelet_score_engines [ENGINE ...] [--seeds N] [--rounds N] [--save FOLDER]
//
// How often the explainer is right about made-up engines: all of them, or those that are named; with the states of threads,
// where the system refuses them, and with locks that are recorded. README.md says how an engine is made.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <set>
#include <string>

#include "engines/scoring.h"

namespace {

struct Mode {
  const char* name;
  engines::Facts facts;
  bool records_locks;
};
constexpr Mode kModes[] = {
    {"with states of threads", engines::Facts::kStates, false},
    {"states of threads refused", engines::Facts::kTimes, false},
    {"with states of threads, and locks that record who waits for whom", engines::Facts::kStates, true},
};

}  // namespace

int main(int argc, char** argv) {
  engines::ScoreOptions options;
  std::set<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      names.insert(word);
    } else if (word == "--seeds" && i + 1 < argc) {
      options.seeds = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--rounds" && i + 1 < argc) {
      options.rounds = std::atoi(argv[++i]);
    } else if (word == "--save" && i + 1 < argc) {
      options.save_folder = argv[++i];
    } else {
      std::fprintf(stderr, "flamelet_score_engines [ENGINE ...] [--seeds N] [--rounds N] [--save FOLDER]\n");
      return 2;
    }
  }
  try {
    for (const engines::Engine* engine : engines::all_engines()) {
      if (!names.empty() && names.count(engine->name) == 0) continue;
      for (const Mode& mode : kModes) {
        options.facts = mode.facts;
        options.records_locks = mode.records_locks;
        std::printf("\n%s, %s\n", engine->name, mode.name);
        std::printf("%s", report(*engine, score_engine(*engine, options)).c_str());
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
