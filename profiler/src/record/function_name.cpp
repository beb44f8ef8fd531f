// SPDX-License-Identifier: MIT
#include "record/function_name.h"

#include <string.h>

namespace flamelet {
namespace {

// Where the macro's own lambda begins. g++: "f(int)::<lambda()>"; clang++: "f(int)::(anonymous class)::operator()() const"
// or "f(int)::(lambda at file:1:2)::operator()() const". The last one: the user's code may be in a lambda itself.
size_t lambda_start(const char* text, size_t size) {
  static const char* const kMarks[] = {"::<lambda", "::(anonymous class)", "::(lambda"};
  for (size_t at = size; at-- > 0;)
    for (const char* mark : kMarks)
      if (strncmp(text + at, mark, strlen(mark)) == 0) return at;
  return size;
}

bool opens(char c) {
  return c == '(' || c == '<' || c == '[' || c == '{';
}
bool closes(char c) {
  return c == ')' || c == '>' || c == ']' || c == '}';
}

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// "operator()" and the like contain brackets that open nothing. `at` itself if no operator begins there.
size_t operator_end(const char* text, size_t at, size_t size) {
  constexpr size_t kWord = 8;
  if (at + kWord > size || strncmp(text + at, "operator", kWord) != 0) return at;
  size_t end = at + kWord;
  if ((at > 0 && in_word(text[at - 1])) || (end < size && in_word(text[end]))) return at;
  if (end + 1 < size && text[end] == '(' && text[end + 1] == ')') return end + 2;
  while (end < size && strchr("<>=-[]", text[end]) != nullptr) ++end;
  return end;
}

// Behind the bracket that closes the one at `at`; `size` if none does.
size_t closing_end(const char* text, size_t at, size_t size) {
  size_t nesting = 0;
  for (; at < size; ++at) {
    if (opens(text[at])) ++nesting;
    if (closes(text[at]) && --nesting == 0) return at + 1;
  }
  return size + 1;
}

bool contains(const char* text, size_t size, const char* part) {
  const size_t part_size = strlen(part);
  for (size_t at = 0; at + part_size <= size; ++at)
    if (strncmp(text + at, part, part_size) == 0) return true;
  return false;
}

// Text in front of a function's name: "virtual bool ", "const a::b& ". A label has words there: "load ".
bool is_type(const char* text, size_t size) {
  static const char* const kTypes[] = {"void",      "bool",   "char",    "short",   "int",    "long",
                                       "float",     "double", "auto",    "signed",  "static", "const",
                                       "constexpr", "inline", "virtual", "unsigned"};
  for (size_t at = 0; at < size;) {
    size_t end = at;
    while (end < size && in_word(text[end])) ++end;
    for (const char* type : kTypes)
      if (end - at == strlen(type) && strncmp(text + at, type, end - at) == 0) return true;
    at = end + 1;
  }
  return contains(text, size, "::") || contains(text, size, "* ") || contains(text, size, "& ");
}

}  // namespace

FunctionName parse_function_name(const char* pretty) {
  const size_t size = lambda_start(pretty, strlen(pretty));
  FunctionName result = {pretty, size, pretty, size};
  if (size < strlen(pretty) && size > 5 && strncmp(pretty, "auto ", 5) == 0) {
    result.full += 5;  // the return type of clang's lambda, not of the function
    result.full_size -= 5;
  }
  // The name ends where its parameter list opens, and begins behind the last space before that; both outside any
  // bracket. "(anonymous namespace)" is part of a name.
  size_t begin = 0, end = size, nesting = 0;
  bool is_operator = false;  // then a space is part of the name: "operator new", "operator bool"
  for (size_t at = 0; at < size; ++at) {
    const char c = pretty[at];
    if (nesting == 0) {
      const size_t skip = operator_end(pretty, at, size);
      if (skip != at) {
        is_operator = true;
        at = skip - 1;
        continue;
      }
      if (c == ' ' && !is_operator) begin = at + 1;
      if (c == '(') {
        constexpr char kAnonymous[] = "(anonymous namespace)";
        if (strncmp(pretty + at, kAnonymous, sizeof(kAnonymous) - 1) == 0) {
          at += sizeof(kAnonymous) - 2;
          continue;
        }
        end = at;
        break;
      }
    }
    if (opens(c)) ++nesting;
    if (closes(c) && nesting > 0) --nesting;
  }
  while (begin < end && (pretty[begin] == '*' || pretty[begin] == '&')) ++begin;
  if (begin < end) {
    result.name = pretty + begin;
    result.name_size = end - begin;
  }
  return result;
}

FunctionName parse_given_name(const char* text) {
  const FunctionName function = parse_function_name(text);
  const size_t size = strlen(text);
  const FunctionName whole = {text, size, text, size};
  const size_t begin = static_cast<size_t>(function.name - text), end = begin + function.name_size;
  if (function.name_size == 0 || end >= size || text[end] != '(') return whole;
  const size_t behind = closing_end(text, end, size);
  static const char* const kQualifiers[] = {"", " const", " volatile", " noexcept", " &", " [with ", " ["};
  bool ends = false;
  if (behind <= size)
    for (const char* qualifier : kQualifiers)
      ends |= *qualifier == 0 ? behind == size : strncmp(text + behind, qualifier, strlen(qualifier)) == 0;
  if (!ends || !(contains(function.name, function.name_size, "::") || is_type(text, begin))) return whole;
  return {text, size, function.name, function.name_size};
}

}  // namespace flamelet
