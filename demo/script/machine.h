// SPDX-License-Identifier: MIT
//
// Runs one thread of a script, some instructions at a time, and tells a call tree what it does. This is how any
// interpreter feeds one: enter at a call, tail_call at a tail call, exit at a return, and a sample of 1 for every
// instruction. Depth takes memory here, of the script's own stack, but not in the tree: recursion is folded there.
//
// It may also record its calls as PERF blocks, for the performance log (flamelet/perf_log.h).
#pragma once

#include <flamelet/call_tree.h>
#include <flamelet/recorder.h>

#include <cstdint>
#include <vector>

#include "program.h"

namespace script {

// Names the program's functions in the tree. The program has to outlive the tree.
void name_functions(flamelet_call_tree* tree, const Program& program);

class Machine {
 public:
  struct Limits {
    size_t values = 4096;  // on the stack, arguments included
    size_t depth = 1024;   // calls that are open at one time
  };
  enum class State {
    kReady,    // there is more to run
    kWaiting,  // its turn is over: wake() makes it ready
    kDone,
    kFault,  // fault() says why
  };

  // Begins with `function`. `thread` may be NULL: then there is no tree. The program and the thread have to outlive the
  // machine. With `has_blocks` every call is a PERF block; a tail call ends the one that it takes the place of. Machines
  // that take turns then need a fiber each, on which they are made and run.
  Machine(const Program& program, size_t function, const std::vector<int64_t>& arguments, flamelet_call_thread* thread,
          Limits limits, bool has_blocks = false);

  // Runs until the state is not kReady, or `budget` instructions are executed. Returns how many were.
  uint64_t run(uint64_t budget);
  void wake();

  State state() const { return state_; }
  const char* fault() const { return fault_; }
  int64_t result() const { return result_; }  // in kDone
  size_t depth() const { return frames_.size(); }
  int64_t& port(size_t index) { return ports_[index]; }

 private:
  struct Frame {
    uint32_t function;
    size_t base;  // of its arguments in values_
    size_t next;  // instruction
    flamelet_id block;
  };

  void step();
  void call(size_t function);
  void tail_call(size_t function);
  void leave();
  void stop(const char* fault);
  int64_t pop();
  const char* block_name(size_t function) const { return block_names_.empty() ? nullptr : block_names_[function]; }

  const Program& program_;
  flamelet_call_thread* const thread_;
  const Limits limits_;
  std::vector<const char*> block_names_;  // by function; empty = without blocks
  std::vector<int64_t> values_;
  std::vector<Frame> frames_;
  std::vector<int64_t> ports_;
  State state_ = State::kReady;
  const char* fault_ = "";
  int64_t result_ = 0;
};

}  // namespace script
