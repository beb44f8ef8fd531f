// SPDX-License-Identifier: MIT
//
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
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace script {

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

}  // namespace script
