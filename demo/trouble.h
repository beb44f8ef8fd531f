// SPDX-License-Identifier: MIT
//
// Trouble on order, for those who want to see whether a profiler names its cause: `--inject CAUSE@FRAME[:MS]`. What that
// frame waits for is made slow; the game itself stays the same. docs/results.md has the causes, and what is answered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace demo {

enum class TroubleKind {
  kSlowJob,
  kMoreCalls,
  kLock,
  kNewScope,
  kNoScope,
  kGpuPass,
  kPreempted,
  kAllocations,
  kCarriedOver,
  kPageFaults,
  kStall,
  kConvoy,
  kRead,
};

struct Trouble {
  TroubleKind kind;
  uint64_t frame;
  double ms;
};

// Adds what `text` orders: CAUSE@FRAME[:MS], or random@SEED:COUNT[:MS] for COUNT frames of all causes, some of them with
// two. Returns "" or what is wrong with the text.
std::string parse_troubles(const std::string& text, std::vector<Trouble>* troubles);
// "lock@150:60"
std::string text_of(const Trouble& trouble);
// All causes with a line about each, for a help text.
std::string trouble_help();

class Troubles {
 public:
  explicit Troubles(std::vector<Trouble> troubles = {}, double heavier = 0)
      : troubles_(std::move(troubles)), heavier_(heavier) {}

  // How long the trouble of this kind takes in a frame; 0 = there is none.
  double ms(TroubleKind kind, uint64_t frame) const;
  bool has(TroubleKind kind) const;
  // How much more one job does in every frame: 0.05 = a twentieth.
  double heavier() const { return heavier_; }

 private:
  std::vector<Trouble> troubles_;
  double heavier_;
};

}  // namespace demo
