// SPDX-License-Identifier: MIT
//
// explorer.h: every execution of a machine: depth first over whose step is next and over every choice that the step has.
// States that were met before are not entered again; threads whose steps do not touch each other meet in the same state
// whichever goes first, so of their orders only one is followed to the end.
#pragma once

#include <cstdint>
#include <string>

#include "machine.h"

namespace model {

struct Exploration {
  uint64_t states = 0;      // distinct
  uint64_t executions = 0;  // to an end that was not met before
  std::string violation;    // the first one, with the steps that lead to it; empty = none in any execution
  bool deadlock = false;    // one of the ends has a thread that waits
  bool too_large = false;   // given up after max_states: says nothing
};

// Stops at the first violation. `max_states` bounds the time.
Exploration explore(const Machine& machine, uint64_t max_states = 20'000'000);

}  // namespace model
