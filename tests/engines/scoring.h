// SPDX-License-Identifier: MIT
//
// scoring.h: how often the explainer is right about an engine's hitches. It looks at what the public API answers, and at what
// the engine says of each kind, and at nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/machine.h"
#include "flamelet/capture.h"

namespace engines {

struct KindScore {
  int hitches = 0;
  int seen = 0;   // of them: some frame was longer for it, or it is of the kind "ordinary"
  int first = 0;  // of those: right in the first cause
  int in_three = 0;
  int sure = 0;                    // the first cause is said without "probably"
  int sure_right = 0;              // of those: right
  int place = 0;                   // the first cause has the right scope and thread, whatever it says of the kind
  int unnamed = 0;                 // not called unusual
  int chained = 0;                 // the engine says whom Main waited for, up to the guilty thread
  int chain = 0;                   // of those: right in the first cause, with the whole chain
  std::vector<std::string> wrong;  // the sentences
};

struct Score {
  std::vector<KindScore> kinds;
  int ordinary = 0;  // frames without a hitch
  int blamed = 0;    // of them: called unusual, and the first cause is not "probably"
  std::vector<std::string> blamed_sentences;
  std::vector<std::string> unlike;  // sentences that say "probably" where the cause is sure, or do not where it is not
};

struct ScoreOptions {
  uint64_t first_seed = 1, seeds = 4;
  int rounds = 2;  // hitches of each kind in a run
  Facts facts = Facts::kStates;
  bool records_locks = false;
  std::string save_folder;  // of captures; "" = none
};

// A run of the engine; the capture is the caller's. `machine` can be asked in which frames the hitches began.
std::vector<Hitch> plan_hitches(const Engine& engine, uint64_t seed, int rounds);
Options run_options(const Engine& engine, uint64_t seed, const ScoreOptions& options);

Score score_engine(const Engine& engine, const ScoreOptions& options);
std::string report(const Engine& engine, const Score& score);

}  // namespace engines
