// SPDX-License-Identifier: MIT
#include "program.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace script {
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

}  // namespace script
