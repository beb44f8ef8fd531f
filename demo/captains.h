// SPDX-License-Identifier: MIT
//
// The squads' captains, run by the script interpreter on the main thread: each frame they see the newest snapshot and
// set the paces for the next step. What they execute is kept as a call tree, in which a sample is one instruction.
#pragma once

#include <flamelet/call_tree.h>
#include <flamelet/perf_log.h>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agents.h"
#include "machine.h"
#include "snapshot.h"

namespace demo {

// --perf-log: what the captains' script calls, as a performance log.

class ScriptLog {
 public:
  explicit ScriptLog(const std::string& path);  // "" = no log; throws std::runtime_error
  ~ScriptLog();                                 // says on stderr what is missing from the log
  ScriptLog(const ScriptLog&) = delete;
  ScriptLog& operator=(const ScriptLog&) = delete;

  bool is_open() const { return log_ != nullptr; }
  // After each frame. Writes now and then, so that few frames take longer for it.
  void frame();

 private:
  flamelet_perf_log* log_ = nullptr;
  uint32_t frames_ = 0;
};

class Captains {
 public:
  // Instructions in a frame, of all captains together. What is not done goes on in the next frame; since it is a number
  // and not a time, the game stays the same in every run.
  static constexpr uint64_t kBudget = 8192;

  // Throws std::runtime_error. With `has_blocks` each captain is a fiber, and its calls are PERF blocks.
  explicit Captains(bool has_blocks);
  // Captains point into this.
  Captains(const Captains&) = delete;
  Captains& operator=(const Captains&) = delete;

  void run(const Snapshot& snapshot);
  const Agents::Paces& paces() const { return paces_; }

  flamelet_call_tree* tree() const { return tree_; }

 private:
  script::Program program_;
  std::unique_ptr<unsigned char[]> memory_;  // of the tree
  flamelet_call_tree* tree_ = nullptr;
  std::vector<script::Machine> captains_;  // one for each squad
  std::vector<const char*> names_;         // theirs
  std::vector<uint32_t> fibers_;           // theirs; 0 = none
  size_t next_ = 0;                        // whose turn it is
  Agents::Paces paces_;
};

}  // namespace demo
