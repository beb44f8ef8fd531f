// SPDX-License-Identifier: MIT
#include "explorer.h"

#include <unordered_set>
#include <vector>

namespace model {
namespace {

struct DigestHash {
  size_t operator()(const Machine::Digest& digest) const { return digest.high; }
};

struct Taken {
  int thread;
  Step step;
  uint64_t result;
};

std::string describe(const Taken& taken) {
  static const char* const kKinds[] = {"load", "store", "exchange", "add", "and", "await", "barrier in", "join"};
  static const char* const kOrders[] = {"relaxed", "acquire", "release", "seq_cst"};
  std::string text = "  thread " + std::to_string(taken.thread) + ": " + kKinds[taken.step.kind] + " " +
                     std::to_string(taken.step.location) + " " + kOrders[static_cast<int>(taken.step.order)];
  if (taken.step.kind == Step::kStore || taken.step.kind == Step::kExchange)
    text += " " + std::to_string(taken.step.operand);
  return text + " = " + std::to_string(taken.result) + "\n";
}

class Explorer {
 public:
  explicit Explorer(uint64_t max_states) : max_states_(max_states) {}

  // False: stop.
  bool enter(Machine machine) {
    // Where there is nothing to choose there is nothing to remember.
    const size_t depth = path_.size();
    int thread = 0;
    while (only_choice(machine, &thread))
      if (!take(&machine, thread, 0)) return false;
    if (!seen_.insert(machine.digest()).second) {
      path_.resize(depth);
      return true;
    }
    if (++result.states > max_states_) {
      result.too_large = true;
      return false;
    }
    bool any = false, waits = false;
    for (thread = 0; thread < machine.thread_count(); ++thread) {
      const int choices = machine.choices(thread);
      any |= choices != 0;
      waits |= choices == 0 && !machine.ended(thread);
      for (int choice = 0; choice < choices; ++choice) {
        Machine next = machine;
        if (!take(&next, thread, choice) || !enter(next)) return false;
        path_.pop_back();
      }
    }
    if (!any) {
      ++result.executions;
      result.deadlock |= waits;
    }
    path_.resize(depth);
    return true;
  }

  Exploration result;

 private:
  static bool only_choice(const Machine& machine, int* thread) {
    int all = 0;
    for (int i = 0; i < machine.thread_count(); ++i) {
      const int choices = machine.choices(i);
      if (choices != 0) *thread = i;
      all += choices;
    }
    return all == 1;
  }

  bool take(Machine* machine, int thread, int choice) {
    path_.push_back({thread, machine->next_step(thread), 0});
    const bool good = machine->step(thread, choice);
    path_.back().result = machine->last_result(thread);
    if (!good) {
      result.violation = machine->violation();
      result.violation += "\n";
      for (const Taken& taken : path_) result.violation += describe(taken);
    }
    return good;
  }

  const uint64_t max_states_;
  std::unordered_set<Machine::Digest, DigestHash> seen_;
  std::vector<Taken> path_;
};

}  // namespace

Exploration explore(const Machine& machine, uint64_t max_states) {
  Explorer explorer(max_states);
  Machine start = machine;
  if (!start.start())
    explorer.result.violation = start.violation();
  else
    explorer.enter(start);
  return explorer.result;
}

}  // namespace model
