// SPDX-License-Identifier: MIT
//
// Trouble on order, for those who want to see whether a profiler names its cause: `--inject CAUSE@FRAME[:MS]`. The step
// of the game for which that frame waits is made slow; the game itself stays the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace demo {

enum class TroubleKind {
  kSlowJob,    // one of the workers' jobs takes longer
  kMoreCalls,  // a scope is called ten times as often at least, for MS
  kLock,       // another thread holds a lock
  kNewScope,   // work that is in no other frame
  kNoScope,    // the same, in no scope of its own
};

struct Trouble {
  TroubleKind kind;
  uint64_t frame;
  double ms;
};

// Nothing if the text is no CAUSE@FRAME[:MS].
std::optional<Trouble> parse_trouble(const std::string& text);

class Troubles {
 public:
  explicit Troubles(std::vector<Trouble> troubles = {}) : troubles_(std::move(troubles)) {}

  // How long the trouble of this kind takes in a frame; 0 = there is none.
  double ms(TroubleKind kind, uint64_t frame) const;

 private:
  std::vector<Trouble> troubles_;
};

// Keeps the calling thread's core busy.
void be_busy(double ms);

}  // namespace demo
