// SPDX-License-Identifier: MIT
#include "machine.h"

#include <flamelet/perf.h>
#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace script {

// ---- program

namespace {

enum class Operand { kNone, kNumber, kArgument, kLabel, kFunction, kPort };

struct Mnemonic {
  std::string_view word;
  Op op;
  Operand operand;
};

constexpr Mnemonic kMnemonics[] = {
    {"push", Op::kPush, Operand::kNumber},       {"argument", Op::kArgument, Operand::kArgument},
    {"set", Op::kSet, Operand::kArgument},       {"add", Op::kAdd, Operand::kNone},
    {"subtract", Op::kSubtract, Operand::kNone}, {"multiply", Op::kMultiply, Operand::kNone},
    {"divide", Op::kDivide, Operand::kNone},     {"less", Op::kLess, Operand::kNone},
    {"jump", Op::kJump, Operand::kLabel},        {"jump_if_zero", Op::kJumpIfZero, Operand::kLabel},
    {"call", Op::kCall, Operand::kFunction},     {"tail_call", Op::kTailCall, Operand::kFunction},
    {"return", Op::kReturn, Operand::kNone},     {"read", Op::kRead, Operand::kPort},
    {"write", Op::kWrite, Operand::kPort},       {"wait", Op::kWait, Operand::kNone},
};

struct Word {
  std::string_view text;
  size_t line = 0;
};

[[noreturn]] void fail(const Word& word, const std::string& problem) {
  throw std::runtime_error("Script, line " + std::to_string(word.line) + ": " + problem + ": " +
                           std::string(word.text));
}

std::vector<Word> split(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r";
  std::vector<Word> words;
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    rest = rest.substr(0, rest.find('#'));
    for (;;) {
      rest.remove_prefix(std::min(rest.find_first_not_of(kSpaces), rest.size()));
      if (rest.empty()) break;
      const size_t length = std::min(rest.find_first_of(kSpaces), rest.size());
      words.push_back({rest.substr(0, length), line});
      rest.remove_prefix(length);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

int64_t number(const Word& word) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
  if (error != std::errc() || end != word.text.data() + word.text.size()) fail(word, "this is not a number");
  return value;
}

bool never_goes_on(Op op) {
  return op == Op::kJump || op == Op::kTailCall || op == Op::kReturn;
}

}  // namespace

Program::Program(std::string_view text, const std::vector<std::string>& ports) : port_count_(ports.size()) {
  struct Label {
    std::string_view name;
    size_t at;
  };
  struct Reference {
    Word word;
    size_t at;  // the instruction that needs it
  };
  std::vector<Label> labels;  // of the function in progress
  std::vector<Reference> to_labels;
  std::vector<Reference> to_functions;
  const std::vector<Word> words = split(text);
  size_t next = 0;
  const auto operand_of = [&](const Word& word) {
    if (next == words.size()) fail(word, "something has to follow");
    return words[next++];
  };
  const auto end_function = [&](const Word& word) {
    if (functions_.empty()) return;
    if (code_.size() == functions_.back().begin || !never_goes_on(code_.back().op))
      fail(word, "the function before this word can run past its end");
    for (const Reference& reference : to_labels) {
      const auto found = std::find_if(labels.begin(), labels.end(),
                                      [&](const Label& label) { return label.name == reference.word.text; });
      if (found == labels.end()) fail(reference.word, "there is no such label in this function");
      if (found->at == code_.size()) fail(reference.word, "nothing follows this label");
      code_[reference.at].operand = static_cast<int64_t>(found->at);
    }
    labels.clear();
    to_labels.clear();
  };

  while (next < words.size()) {
    const Word word = words[next++];
    if (word.text == "function") {
      end_function(word);
      const Word name = operand_of(word);
      const Word count = operand_of(name);
      for (const Function& function : functions_)
        if (function.name == name.text) fail(name, "there are two functions of this name");
      const int64_t argument_count = number(count);
      if (argument_count < 0 || argument_count > kMaxArguments) fail(count, "this is no number of arguments");
      functions_.push_back({std::string(name.text), static_cast<uint32_t>(argument_count), code_.size()});
      continue;
    }
    if (functions_.empty()) fail(word, "a script begins with a function");
    if (word.text.back() == ':') {
      const std::string_view name = word.text.substr(0, word.text.size() - 1);
      for (const Label& label : labels)
        if (label.name == name) fail(word, "there are two labels of this name");
      labels.push_back({name, code_.size()});
      continue;
    }
    const auto mnemonic = std::find_if(std::begin(kMnemonics), std::end(kMnemonics),
                                       [&](const Mnemonic& candidate) { return candidate.word == word.text; });
    if (mnemonic == std::end(kMnemonics)) fail(word, "this is no instruction");
    Instruction instruction = {mnemonic->op, 0};
    if (mnemonic->operand != Operand::kNone) {
      const Word operand = operand_of(word);
      switch (mnemonic->operand) {
        case Operand::kLabel:
          to_labels.push_back({operand, code_.size()});
          break;
        case Operand::kFunction:
          to_functions.push_back({operand, code_.size()});
          break;
        case Operand::kPort: {
          const auto port = std::find(ports.begin(), ports.end(), operand.text);
          if (port == ports.end()) fail(operand, "there is no such port");
          instruction.operand = port - ports.begin();
          break;
        }
        case Operand::kArgument:
          instruction.operand = number(operand);
          if (instruction.operand < 0 || instruction.operand >= functions_.back().argument_count)
            fail(operand, "this function has no such argument");
          break;
        case Operand::kNumber:
        case Operand::kNone:
          instruction.operand = number(operand);
          break;
      }
    }
    code_.push_back(instruction);
  }
  if (words.empty()) throw std::runtime_error("The script is empty.");
  end_function(words.back());
  for (const Reference& reference : to_functions) {
    const auto found = std::find_if(functions_.begin(), functions_.end(),
                                    [&](const Function& function) { return function.name == reference.word.text; });
    if (found == functions_.end()) fail(reference.word, "there is no such function");
    code_[reference.at].operand = found - functions_.begin();
  }
}

size_t Program::find(std::string_view name) const {
  for (size_t i = 0; i < functions_.size(); ++i)
    if (functions_[i].name == name) return i;
  throw std::runtime_error("The script has no function " + std::string(name) + ".");
}

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
