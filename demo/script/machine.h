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
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace script {

// A script: functions of a small stack machine, assembled from text.
//
//   # whether a number is even, by mutual recursion
//   function is_even 1                   # a name, and how many arguments it takes
//     argument 0  jump_if_zero yes
//     argument 0  push 1  subtract  tail_call is_odd
//   yes:
//     push 1  return
//
// Words are separated by spaces or line ends, "#" begins a comment. A label belongs to its function. Functions may be
// used before they are defined. Ports are the values that a script shares with the game; the game names them.
//
// What is checked here is not checked while the script runs: every jump stays in its function, no function runs past
// its end, every argument and port exists.

// Values are 64-bit integers, and arithmetic wraps around. "a b" are the topmost values, b on top.
enum class Op : uint8_t {
  kPush,        // push N
  kArgument,    // argument I: pushes an argument of this call
  kSet,         // set I: pops it into an argument
  kAdd,         // a + b
  kSubtract,    // a - b
  kMultiply,    // a * b
  kDivide,      // a / b, rounded towards 0; by 0: a fault
  kLess,        // a < b: 1 or 0
  kJump,        // jump L
  kJumpIfZero,  // jump_if_zero L: pops what it looks at
  kCall,        // call F: its arguments are the topmost values, and its result takes their place
  kTailCall,    // tail_call F: in place of the running call
  kReturn,      // pops the result
  kRead,        // read P: pushes the value of a port
  kWrite,       // write P: pops it into a port
  kWait,        // ends the turn; the next one goes on from here
};

struct Instruction {
  Op op;
  int64_t operand;
};

struct Function {
  std::string name;
  uint32_t argument_count;
  size_t begin;  // of its instructions
};

class Program {
 public:
  static constexpr uint32_t kMaxArguments = 16;

  // Throws std::runtime_error that names the line.
  Program(std::string_view text, const std::vector<std::string>& ports);

  const Instruction& instruction(size_t at) const { return code_[at]; }
  const Function& function(size_t index) const { return functions_[index]; }
  size_t function_count() const { return functions_.size(); }
  size_t port_count() const { return port_count_; }
  // Throws std::runtime_error if there is no such function.
  size_t find(std::string_view name) const;

 private:
  std::vector<Instruction> code_;
  std::vector<Function> functions_;
  size_t port_count_;
};

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
