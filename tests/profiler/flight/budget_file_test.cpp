// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/budgets.h"
#include "support/comma_locale.h"

namespace {

struct Read {
  flamelet_result result;
  std::vector<flamelet_budget> budgets;
  flamelet_budgets_error error;
};

Read read(const std::string& text) {
  Read read;
  size_t count = 0;
  read.result = flamelet_budgets_read(text.data(), text.size(), nullptr, 0, &count, &read.error);
  read.budgets.resize(count);
  if (count != 0) flamelet_budgets_read(text.data(), text.size(), read.budgets.data(), count, &count, nullptr);
  return read;
}

std::string name_of(const flamelet_budget& budget) {
  return {budget.scope.text, budget.scope.size};
}

}  // namespace

TEST_CASE("budget file: lines are frames, scopes, comments or empty") {
  const std::string text =
      "\xef\xbb\xbf# a comment\n\nframe 16.7 p99\r\n  scope  2.5   p95  Physics::step  \n"
      "scope 4 Load level 3\nscope\t.000001 max # not a comment\nscope 1000 mean max";
  const Read all = read(text);
  CHECK(all.result == FLAMELET_OK);
  CHECK(all.error.line == 0);
  REQUIRE(all.budgets.size() == 5);
  CHECK(name_of(all.budgets[0]) == "");
  CHECK(all.budgets[0].limit_ns == 16700000);
  CHECK(all.budgets[0].kind == FLAMELET_BUDGET_P99);
  CHECK(all.budgets[0].line == 3);
  CHECK(name_of(all.budgets[1]) == "Physics::step");
  CHECK(all.budgets[1].limit_ns == 2500000);
  CHECK(all.budgets[1].kind == FLAMELET_BUDGET_P95);
  CHECK(name_of(all.budgets[2]) == "Load level 3");
  CHECK(all.budgets[2].kind == FLAMELET_BUDGET_MAX);
  CHECK(all.budgets[3].limit_ns == 1);
  CHECK(name_of(all.budgets[3]) == "# not a comment");
  CHECK(name_of(all.budgets[4]) == "max");
  CHECK(all.budgets[4].kind == FLAMELET_BUDGET_MEAN);
  CHECK(all.budgets[4].line == 7);
  CHECK(read("").budgets.empty());
  CHECK(read("# nothing\n").result == FLAMELET_OK);
}

TEST_CASE("budget file: a wrong line is named, and nothing is read") {
  const struct {
    const char* line;
    const char* message;
  } kWrong[] = {
      {"Physics 2", "a line begins with frame, scope or #"},
      {"scope", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope Physics 2", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope 2ms Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope . Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope 1e3 Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope nan Physics", "after frame or scope comes a number of milliseconds, such as 16.7"},
      {"scope -1 Physics", "a budget has to be above 0"},
      {"scope 0.0000001 Physics", "a budget has to be above 0"},
      {"scope 99999999999999999999999 Physics", "a budget has to be below 1000000000 ms"},
      {"scope 2", "the scope's name is missing"},
      {"scope 2 p99", "the scope's name is missing"},
      {"frame 16 p98", "behind a frame's milliseconds stands max, p99, p95, p50, mean or nothing"},
      {"frame 16 max more", "behind a frame's milliseconds stands max, p99, p95, p50, mean or nothing"},
      {"scope 3 max Draw", "the same budget was given before"},
      {"frame 7 p99", "the same budget was given before"},
  };
  for (const auto& wrong : kWrong) {
    CAPTURE(wrong.line);
    const Read all = read("frame 16 p99\nscope 2 Draw\n" + std::string(wrong.line) + "\nscope 5 Late\n");
    CHECK(all.result == FLAMELET_ERROR_FILE_FORMAT);
    CHECK(all.budgets.empty());
    CHECK(all.error.line == 3);
    CHECK(std::string(all.error.message) == wrong.message);
  }
  // Two kinds of one scope are two budgets.
  CHECK(read("scope 2 Draw\nscope 1 p50 Draw\n").budgets.size() == 2);
}

TEST_CASE("budget file: the caller's memory is written only when all is right, and only as far as it goes") {
  const std::string good = "scope 1 A\nscope 2 B\nscope 3 C\n", bad = "scope 1 A\nscope 2\n";
  flamelet_budget budgets[3] = {};
  budgets[2].limit_ns = 77;
  size_t count = 7;
  CHECK(flamelet_budgets_read(bad.data(), bad.size(), budgets, 3, &count, nullptr) == FLAMELET_ERROR_FILE_FORMAT);
  CHECK(count == 0);
  CHECK(budgets[0].limit_ns == 0);
  CHECK(flamelet_budgets_read(good.data(), good.size(), budgets, 2, &count, nullptr) == FLAMELET_OK);
  CHECK(count == 3);
  CHECK(budgets[1].limit_ns == 2000000);
  CHECK(budgets[2].limit_ns == 77);
  CHECK(flamelet_budgets_read(nullptr, 5, budgets, 3, &count, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_budgets_read(good.data(), good.size(), nullptr, 3, &count, nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_budgets_read(nullptr, 0, nullptr, 0, &count, nullptr) == FLAMELET_OK);
  CHECK(std::string(flamelet_budget_kind_name(FLAMELET_BUDGET_P95)) == "p95");
  CHECK(std::string(flamelet_budget_kind_name(FLAMELET_BUDGET_KIND_COUNT)) == "");
}

TEST_CASE("budget file: a zero byte is an error, where a name would end at it") {
  for (const std::string& line : {std::string("scope 2 Draw\0Physics", 20), std::string("scope 2\0 Draw", 13)}) {
    const Read wrong = read("frame 16\n" + line + "\n");
    CHECK(wrong.result == FLAMELET_ERROR_FILE_FORMAT);
    CHECK(wrong.error.line == 2);
    CHECK(std::string(wrong.error.message) == "a line holds no zero byte");
  }
}

TEST_CASE("budget file: milliseconds have a point, also where the C library has a decimal comma") {
  const flamelet::tests::CommaLocale commas;
  if (!commas.is_there()) return;
  const Read all = read("frame 16.7 p99\nscope .25 Draw\n");
  CHECK(all.result == FLAMELET_OK);
  REQUIRE(all.budgets.size() == 2);
  CHECK(all.budgets[0].limit_ns == 16700000);
  CHECK(all.budgets[1].limit_ns == 250000);
  CHECK(read("frame 16,7\n").error.line == 1);
}
