// SPDX-License-Identifier: MIT
#include "machine.h"

#include <flamelet/perf.h>

namespace script {
namespace {

// Ids of the call tree begin at 1, since 0 is its root.
uint32_t block_of(size_t function) {
  return static_cast<uint32_t>(function) + 1;
}

// How many values an instruction takes from the stack. Calls take what their function asks for.
size_t values_taken(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kLess:
      return 2;
    case Op::kSet:
    case Op::kJumpIfZero:
    case Op::kReturn:
    case Op::kWrite:
      return 1;
    case Op::kPush:
    case Op::kArgument:
    case Op::kJump:
    case Op::kCall:
    case Op::kTailCall:
    case Op::kRead:
    case Op::kWait:
      break;
  }
  return 0;
}

// Arithmetic that wraps around is defined for unsigned numbers only.
int64_t wrapped(uint64_t value) {
  return static_cast<int64_t>(value);
}

}  // namespace

void name_functions(flamelet_call_tree* tree, const Program& program) {
  for (size_t i = 0; i < program.function_count(); ++i)
    flamelet_call_tree_set_name(tree, block_of(i), program.function(i).name.c_str());
}

Machine::Machine(const Program& program, size_t function, const std::vector<int64_t>& arguments,
                 flamelet_call_thread* thread, Limits limits, bool has_blocks)
    : program_(program), thread_(thread), limits_(limits), values_(arguments), ports_(program.port_count()) {
  for (size_t i = 0; has_blocks && i < program.function_count(); ++i)
    block_names_.push_back(flamelet_intern(program.function(i).name.c_str()));
  call(function);
}

uint64_t Machine::run(uint64_t budget) {
  uint64_t executed = 0;
  for (; executed < budget && state_ == State::kReady; ++executed) step();
  return executed;
}

void Machine::wake() {
  if (state_ == State::kWaiting) state_ = State::kReady;
}

void Machine::step() {
  Frame& frame = frames_.back();
  const Instruction& instruction = program_.instruction(frame.next++);
  const auto operand = static_cast<size_t>(instruction.operand);
  flamelet_call_thread_sample(thread_, 1);
  const size_t own = frame.base + program_.function(frame.function).argument_count;  // below are arguments, callers'
  const bool calls = instruction.op == Op::kCall || instruction.op == Op::kTailCall;
  const size_t taken = calls ? program_.function(operand).argument_count : values_taken(instruction.op);
  if (values_.size() < own + taken) return stop("the stack is empty");
  if (values_.size() >= limits_.values) return stop("the stack is full");

  switch (instruction.op) {
    case Op::kPush:
      values_.push_back(instruction.operand);
      break;
    case Op::kArgument:
      values_.push_back(values_[frame.base + operand]);
      break;
    case Op::kSet:
      values_[frame.base + operand] = pop();
      break;
    case Op::kAdd: {
      const auto b = static_cast<uint64_t>(pop());
      values_.back() = wrapped(static_cast<uint64_t>(values_.back()) + b);
      break;
    }
    case Op::kSubtract: {
      const auto b = static_cast<uint64_t>(pop());
      values_.back() = wrapped(static_cast<uint64_t>(values_.back()) - b);
      break;
    }
    case Op::kMultiply: {
      const auto b = static_cast<uint64_t>(pop());
      values_.back() = wrapped(static_cast<uint64_t>(values_.back()) * b);
      break;
    }
    case Op::kDivide: {
      const int64_t b = pop();
      if (b == 0) return stop("division by zero");
      // The one quotient that does not fit wraps around, too.
      values_.back() = b == -1 ? wrapped(0 - static_cast<uint64_t>(values_.back())) : values_.back() / b;
      break;
    }
    case Op::kLess: {
      const int64_t b = pop();
      values_.back() = values_.back() < b;
      break;
    }
    case Op::kJump:
      frame.next = operand;
      break;
    case Op::kJumpIfZero:
      if (pop() == 0) frame.next = operand;
      break;
    case Op::kCall:
      call(operand);
      break;
    case Op::kTailCall:
      tail_call(operand);
      break;
    case Op::kReturn:
      leave();
      break;
    case Op::kRead:
      values_.push_back(ports_[operand]);
      break;
    case Op::kWrite:
      ports_[operand] = pop();
      break;
    case Op::kWait:
      state_ = State::kWaiting;
      break;
  }
}

void Machine::call(size_t function) {
  const Function& callee = program_.function(function);
  if (frames_.size() >= limits_.depth) return stop("calls are nested too deeply");
  if (values_.size() < callee.argument_count) return stop("arguments are missing");
  const char* const name = block_name(function);
  const flamelet_id block = name == nullptr ? 0 : flamelet_begin(name, FLAMELET_PERF_CATEGORY, nullptr);
  frames_.push_back({static_cast<uint32_t>(function), values_.size() - callee.argument_count, callee.begin, block});
  flamelet_call_thread_enter(thread_, block_of(function));
}

// The arguments move down to where the running call's are: however long a chain of tail calls, the stack is as deep as
// for one call.
void Machine::tail_call(size_t function) {
  const Function& callee = program_.function(function);
  Frame& frame = frames_.back();
  const auto base = values_.begin() + static_cast<ptrdiff_t>(frame.base);
  values_.erase(base, values_.end() - static_cast<ptrdiff_t>(callee.argument_count));
  const char* const name = block_name(function);
  const flamelet_id block = name == nullptr ? 0 : flamelet_next(frame.block, name, FLAMELET_PERF_CATEGORY);
  frame = {static_cast<uint32_t>(function), frame.base, callee.begin, block};
  flamelet_call_thread_tail_call(thread_, block_of(function));
}

void Machine::leave() {
  const int64_t result = pop();
  values_.resize(frames_.back().base);
  flamelet_end(frames_.back().block);
  frames_.pop_back();
  flamelet_call_thread_exit(thread_);
  if (frames_.empty()) {
    result_ = result;
    state_ = State::kDone;
  } else {
    values_.push_back(result);
  }
}

void Machine::stop(const char* fault) {
  fault_ = fault;
  state_ = State::kFault;
  for (; !frames_.empty(); frames_.pop_back()) flamelet_end(frames_.back().block);
  flamelet_call_thread_unwind(thread_);
}

int64_t Machine::pop() {
  const int64_t value = values_.back();
  values_.pop_back();
  return value;
}

}  // namespace script
