// SPDX-License-Identifier: MIT
#include "record/function_name.h"

#include <string.h>

namespace flamelet {
namespace {

// Where the macro's own lambda begins. g++: "f(int)::<lambda()>"; clang++: "f(int)::(anonymous class)::operator()() const"
// or "f(int)::(lambda at file:1:2)::operator()() const". The last one: the user's code may be in a lambda itself.
size_t lambda_start(const char* text, size_t size) {
  static const char* const kMarks[] = {"::<lambda(", "::(anonymous class)", "::(lambda"};
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
  const size_t symbol = end < size && text[end] == ' ' ? end + 1 : end;  // MSVC: "operator ()"
  if (symbol + 1 < size && text[symbol] == '(' && text[symbol + 1] == ')') return symbol + 2;
  if (symbol < size && strchr("<>=-[]", text[symbol]) != nullptr) end = symbol;
  while (end < size && strchr("<>=-[]", text[end]) != nullptr) ++end;
  return end;
}

// Behind the bracket that closes the one at `at`; beyond `size` if none does.
size_t closing_end(const char* text, size_t at, size_t size) {
  size_t nesting = 0;
  for (; at < size; ++at) {
    if (opens(text[at])) ++nesting;
    if (closes(text[at]) && --nesting == 0) return at + 1;
  }
  return size + 1;
}

bool begins_with(const char* text, size_t at, size_t size, const char* part) {
  const size_t part_size = strlen(part);
  return at + part_size <= size && strncmp(text + at, part, part_size) == 0;
}

// Behind the bracket at `at`, if it is part of a name or a type and opens no parameter list: "(anonymous namespace)",
// "(lambda at file:1:2)", "decltype(auto)". Else `at`.
size_t name_bracket_end(const char* text, size_t at, size_t size) {
  const size_t word_end = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
  constexpr size_t kDecltype = 8;
  const bool in_name = begins_with(text, at, size, "(anonymous") || begins_with(text, at, size, "(unnamed") ||
                       begins_with(text, at, size, "(lambda") ||
                       (word_end >= kDecltype && begins_with(text, word_end - kDecltype, size, "decltype"));
  const size_t end = in_name ? closing_end(text, at, size) : at;
  return end <= size ? end : at;
}

// Behind the qualifiers of a parameter list that ends in front of `at`: " const", " volatile", " noexcept", " &&".
size_t qualifiers_end(const char* text, size_t at, size_t size) {
  static const char* const kQualifiers[] = {" const", " volatile", " noexcept", " mutable", " &&", " &"};
  for (bool found = true; found;) {
    found = false;
    for (const char* qualifier : kQualifiers) {
      if (!begins_with(text, at, size, qualifier)) continue;
      at += strlen(qualifier);
      found = true;
    }
  }
  return at;
}

bool contains(const char* text, size_t size, const char* part) {
  for (size_t at = 0; at + strlen(part) <= size; ++at)
    if (begins_with(text, at, size, part)) return true;
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

// The name ends where its parameter list opens, and begins behind the last space before that; both outside any bracket.
// A list with "::" behind it belongs to the function around a local class or a lambda: the name goes on there.
FunctionName find_name(const char* text, size_t size) {
  size_t begin = 0, end = size, nesting = 0;
  bool is_operator = false;  // then a space is part of the name: "operator new", "operator bool"
  bool is_inside = false;    // of a function that is named already
  for (size_t at = 0; at < size; ++at) {
    const char c = text[at];
    if (nesting == 0) {
      const size_t skip = operator_end(text, at, size);
      if (skip != at) {
        is_operator = true;
        at = skip - 1;
        continue;
      }
      if (c == ' ' && !is_operator && !is_inside) begin = at + 1;
      if (c == '(') {
        size_t behind = name_bracket_end(text, at, size);
        if (behind == at) {
          behind = qualifiers_end(text, closing_end(text, at, size), size);
          if (!begins_with(text, behind, size, "::")) {
            end = at;
            break;
          }
          is_inside = true;
          is_operator = false;
        }
        at = behind - 1;
        continue;
      }
      if (c == '[' && is_inside && at > 0 && text[at - 1] == ' ') {  // " [with T = int]" behind a lambda
        end = at - 1;
        break;
      }
    }
    if (opens(c)) ++nesting;
    if (closes(c) && nesting > 0) --nesting;
  }
  while (begin < end && (text[begin] == '*' || text[begin] == '&')) ++begin;
  if (begin >= end) return {text, size, text, size};
  return {text, size, text + begin, end - begin};
}

}  // namespace

FunctionName parse_function_name(const char* pretty) {
  const size_t whole = strlen(pretty), size = lambda_start(pretty, whole);
  // "auto" is the return type of clang's lambda, not of the function.
  const bool of_lambda = size < whole && size > 5 && begins_with(pretty, 0, size, "auto ");
  return find_name(of_lambda ? pretty + 5 : pretty, of_lambda ? size - 5 : size);
}

FunctionName parse_given_name(const char* text) {
  const size_t size = strlen(text);
  const FunctionName function = find_name(text, size);
  const FunctionName whole = {text, size, text, size};
  const size_t begin = static_cast<size_t>(function.name - text), end = begin + function.name_size;
  if (function.name_size == 0 || end >= size || text[end] != '(') return whole;
  size_t behind = closing_end(text, end, size);
  if (behind > size) return whole;
  behind = qualifiers_end(text, behind, size);
  bool ends = behind == size;
  static const char* const kMore[] = {" [", " -> ", " requires "};
  for (const char* more : kMore) ends |= begins_with(text, behind, size, more);
  if (!ends || !(contains(function.name, function.name_size, "::") || is_type(text, begin))) return whole;
  return function;
}

}  // namespace flamelet
