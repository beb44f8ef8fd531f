// SPDX-License-Identifier: MIT
//
// budget_file.cpp: reads the text of a budgets file. All of it is checked before anything is written.
#include <string.h>

#include "flamelet/budgets.h"

namespace flamelet {
namespace {

constexpr const char* kKindNames[] = {"max", "p99", "p95", "p50", "mean"};
static_assert(sizeof kKindNames / sizeof kKindNames[0] == FLAMELET_BUDGET_KIND_COUNT, "each kind has a name");

struct Text {
  const char* begin;
  const char* end;

  bool empty() const { return begin == end; }
  size_t size() const { return static_cast<size_t>(end - begin); }
  bool is(const char* word) const { return strlen(word) == size() && memcmp(word, begin, size()) == 0; }
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

Text trimmed(Text text) {
  while (!text.empty() && is_space(*text.begin)) ++text.begin;
  while (!text.empty() && is_space(text.end[-1])) --text.end;
  return text;
}

// Takes the first word off.
Text take_word(Text* text) {
  Text word = {text->begin, text->begin};
  while (word.end != text->end && !is_space(*word.end)) ++word.end;
  *text = trimmed({word.end, text->end});
  return word;
}

// Milliseconds with up to six decimals, which are nanoseconds. Returns what is wrong, or "".
const char* read_limit(Text word, int64_t* limit_ns) {
  constexpr const char* kNoNumber = "after frame or scope comes a number of milliseconds, such as 16.7";
  constexpr int64_t kMost = int64_t{1000000000} * 1000000;  // eleven days
  if (!word.empty() && *word.begin == '-') return "a budget has to be above 0";
  int64_t ns = 0, unit = 1000000;
  bool has_digit = false, has_point = false;
  for (const char* at = word.begin; at != word.end; ++at) {
    if (*at == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (*at < '0' || *at > '9') return kNoNumber;
    has_digit = true;
    const int64_t digit = *at - '0';
    if (!has_point) {
      ns = ns * 10 + digit * 1000000;
    } else {
      unit /= 10;
      ns += digit * unit;  // of nothing beyond nanoseconds
    }
    if (ns > kMost) return "a budget has to be below 1000000000 ms";
  }
  if (!has_digit) return kNoNumber;
  if (ns == 0) return "a budget has to be above 0";
  *limit_ns = ns;
  return "";
}

// Returns what is wrong with the line, or "". `budget->line` stays 0 if there is none in it.
const char* read_line(Text line, flamelet_budget* budget) {
  line = trimmed(line);
  if (line.empty() || *line.begin == '#') return "";
  if (memchr(line.begin, 0, line.size()) != nullptr) return "a line holds no zero byte";
  const Text what = take_word(&line);
  const bool is_frame = what.is("frame");
  if (!is_frame && !what.is("scope")) return "a line begins with frame, scope or #";
  const char* const problem = read_limit(take_word(&line), &budget->limit_ns);
  if (*problem != '\0') return problem;
  budget->kind = FLAMELET_BUDGET_MAX;
  Text rest = line;
  const Text word = take_word(&rest);
  for (uint32_t kind = 0; kind < FLAMELET_BUDGET_KIND_COUNT; ++kind) {
    if (!word.is(kKindNames[kind])) continue;
    budget->kind = static_cast<flamelet_budget_kind>(kind);
    line = rest;
  }
  if (is_frame && !line.empty()) return "behind a frame's milliseconds stands max, p99, p95, p50, mean or nothing";
  if (!is_frame && line.empty()) return "the scope's name is missing";
  budget->scope = {line.begin, is_frame ? 0 : line.size()};
  budget->line = 1;
  return "";
}

bool is_same_scope(const flamelet_budget& a, const flamelet_budget& b) {
  return a.scope.size == b.scope.size && (a.scope.size == 0 || memcmp(a.scope.text, b.scope.text, a.scope.size) == 0);
}

bool is_for_each_frame(const flamelet_budget& budget) {
  return budget.kind == FLAMELET_BUDGET_MAX || budget.kind == FLAMELET_BUDGET_P99 || budget.kind == FLAMELET_BUDGET_P95;
}

// Calls take(budget) for each; stops and returns what is wrong if take does.
template <class Take>
const char* each_budget(Text text, uint32_t* line_number, Take take) {
  constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
  if (text.size() >= 3 && memcmp(text.begin, kByteOrderMark, 3) == 0) text.begin += 3;
  for (*line_number = 1; !text.empty(); ++*line_number) {
    const void* const found = memchr(text.begin, '\n', text.size());
    const char* const end = found != nullptr ? static_cast<const char*>(found) : text.end;
    flamelet_budget budget = {};
    const char* problem = read_line({text.begin, end}, &budget);
    if (*problem == '\0' && budget.line != 0) {
      budget.line = *line_number;
      problem = take(budget);
    }
    if (*problem != '\0') return problem;
    text.begin = end == text.end ? end : end + 1;
  }
  return "";
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

const char* flamelet_budget_kind_name(flamelet_budget_kind kind) {
  const auto index = static_cast<size_t>(kind);
  return index < FLAMELET_BUDGET_KIND_COUNT ? kKindNames[index] : "";
}

flamelet_result flamelet_budgets_read(const char* text, size_t size, flamelet_budget* budgets, size_t capacity,
                                      size_t* count, flamelet_budgets_error* error) {
  if (count != nullptr) *count = 0;
  if (error != nullptr) *error = {0, ""};
  if (count == nullptr || (text == nullptr && size != 0) || (budgets == nullptr && capacity != 0))
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  const Text all = size == 0 ? Text{"", ""} : Text{text, text + size};
  uint32_t line = 0;
  size_t found = 0;
  const char* const problem = each_budget(all, &line, [&](const flamelet_budget& budget) {
    bool is_again = false;
    uint32_t before = 0;
    each_budget({all.begin, budget.scope.text}, &before, [&](const flamelet_budget& other) {
      is_again = is_again || (other.line < budget.line && other.kind == budget.kind && is_same_scope(other, budget));
      return "";
    });
    ++found;
    return is_again ? "the same budget was given before" : "";
  });
  if (*problem != '\0') {
    if (error != nullptr) *error = {line, problem};
    return FLAMELET_ERROR_FILE_FORMAT;
  }
  size_t written = 0;
  each_budget(all, &line, [&](const flamelet_budget& budget) {
    if (written < capacity) budgets[written++] = budget;
    return "";
  });
  *count = found;
  return FLAMELET_OK;
}

bool flamelet_budget_is_watched(const flamelet_budget* budgets, size_t count, size_t index) {
  if (budgets == nullptr || index >= count) return false;
  const flamelet_budget& budget = budgets[index];
  for (size_t i = 0; i < count; ++i) {
    const flamelet_budget& other = budgets[i];
    if (!is_for_each_frame(other) || !is_same_scope(other, budget)) continue;
    if (other.limit_ns < budget.limit_ns || (other.limit_ns == budget.limit_ns && i < index)) return false;
  }
  return is_for_each_frame(budget);
}
