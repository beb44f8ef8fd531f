// SPDX-License-Identifier: MIT
//
// All categories at once, lists of them, the environment, and which there are.
#include <doctest/doctest.h>

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "flamelet/api.h"
#include "flamelet/scope.h"
#include "profiler/record/categories_guard.h"
#include "profiler/record/event_log.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

std::vector<std::string> known() {
  std::vector<flamelet_category> list(FLAMELET_MAX_CATEGORIES);
  list.resize(flamelet_categories(list.data(), FLAMELET_MAX_CATEGORIES));
  std::vector<std::string> names;
  for (const flamelet_category& category : list) {
    CHECK(category.enabled == flamelet_category_enabled(category.name));
    names.push_back((category.enabled ? "+" : "-") + std::string(category.name));
  }
  std::sort(names.begin(), names.end());
  return names;
}
bool knows(const std::string& text) {
  const std::vector<std::string> names = known();
  return std::count(names.begin(), names.end(), text) == 1;
}

}  // namespace

TEST_CASE_FIXTURE(AllCategoriesAfterwards,
                  "category list: those that were switched or had an event are listed, each once") {
  flamelet_category_set_enabled("listed before", false);
  CHECK(knows("-listed before"));
  Recording recording;
  { FLAMELET_SCOPE_CATEGORY("scope", "listed macro"); }
  flamelet_instant("instant", "listed call", nullptr);
  flamelet_instant("instant", "listed call", nullptr);
  CHECK(knows("+listed macro"));
  CHECK(knows("+listed call"));
  CHECK_FALSE(flamelet_category_enabled("listed before"));
  CHECK(flamelet_category_enabled("never heard of"));
  CHECK_FALSE(knows("+never heard of"));
  flamelet_category first[1];
  CHECK(flamelet_categories(first, 1) == flamelet_categories(nullptr, 0));
}

TEST_CASE_FIXTURE(AllCategoriesAfterwards, "category list: all can be switched, also those that come later") {
  Recording recording;
  EventLog log;
  CHECK(flamelet_category_set_enabled(nullptr, false) == FLAMELET_OK);
  CHECK_FALSE(flamelet_category_enabled("later"));
  CHECK_FALSE(flamelet_category_enabled(nullptr));
  { FLAMELET_SCOPE_CATEGORY("off", "later"); }
  flamelet_category_set_enabled("later", true);
  { FLAMELET_SCOPE_CATEGORY("on", "later"); }
  { FLAMELET_SCOPE("still off"); }
  flamelet_category_set_enabled(nullptr, true);
  { FLAMELET_SCOPE("on again"); }
  CHECK(own_events(&log) == "+on - +on again -");
}

TEST_CASE_FIXTURE(AllCategoriesAfterwards, "category list: a list is applied from left to right") {
  CHECK(flamelet_categories_apply("-*,+render, -a b ,+ audio") == FLAMELET_OK);
  CHECK(flamelet_category_enabled("render"));
  CHECK(flamelet_category_enabled("audio"));
  CHECK_FALSE(flamelet_category_enabled("a b"));
  CHECK_FALSE(flamelet_category_enabled("physics"));
  CHECK(flamelet_categories_apply("-render,+*,-physics") == FLAMELET_OK);
  CHECK(flamelet_category_enabled("render"));
  CHECK_FALSE(flamelet_category_enabled("physics"));
}

TEST_CASE_FIXTURE(AllCategoriesAfterwards, "category list: what is no list is refused, and nothing of it is applied") {
  for (const char* text : {"", ",", "physics", "-physics,", "-physics,,+audio", "-", "-,+audio",
                           "-physics audio,render", "-physics,+", "-physics, ", "!physics", "-physics;audio,x"}) {
    CAPTURE(text);
    CHECK(flamelet_categories_apply(text) == FLAMELET_ERROR_CATEGORY_LIST);
    CHECK(flamelet_category_enabled("physics"));
  }
  CHECK(flamelet_categories_apply(nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(std::string(flamelet_result_message(FLAMELET_ERROR_CATEGORY_LIST)).find("FLAMELET_CATEGORIES") !=
        std::string::npos);
}

TEST_CASE_FIXTURE(AllCategoriesAfterwards, "category list: plug-ins switch them through the table") {
  const flamelet_api* api = flamelet_get_api(4);
  REQUIRE(api != nullptr);
  CHECK(api->category_set_enabled("physics", false) == FLAMELET_OK);
  CHECK_FALSE(api->category_enabled("physics"));
  CHECK(api->categories_apply("+physics") == FLAMELET_OK);
  CHECK(api->category_enabled("physics"));
  CHECK(api->categories(nullptr, 0) == flamelet_categories(nullptr, 0));
}

#ifndef _WIN32

// In a process of its own, because nothing leaves the table. Says what went wrong, or nothing.
static const char* fill_the_table() {
  for (uint32_t i = 0; i < FLAMELET_MAX_CATEGORIES; ++i)
    flamelet_category_set_enabled(("number " + std::to_string(i)).c_str(), true);
  if (flamelet_categories(nullptr, 0) != FLAMELET_MAX_CATEGORIES) return "not as many as the limit";
  if (flamelet_category_set_enabled("one too many", false) != FLAMELET_ERROR_LIMIT) return "no error";
  if (flamelet_categories_apply("-one too many") != FLAMELET_ERROR_LIMIT) return "no error from a list";
  Recording recording;
  if (flamelet_begin("on", "one too many", nullptr) == 0) return "not recorded while all are on";
  flamelet_category_set_enabled(nullptr, false);
  if (flamelet_begin("off", "one too many", nullptr) != 0) return "recorded while all are off";
  if (flamelet_begin("off", std::string(70'000, 'c').c_str(), nullptr) != 0) return "a long one is recorded";
  flamelet_category_set_enabled("number 7", true);
  return flamelet_begin("on", "number 7", nullptr) != 0 ? nullptr : "one of the table is not recorded";
}

TEST_CASE("category list: beyond the limit a category is recorded as all are") {
  const pid_t child = fork();
  if (child == 0) {
    const char* wrong = fill_the_table();
    if (wrong != nullptr) std::fprintf(stderr, "%s\n", wrong);
    _exit(wrong == nullptr ? 0 : 1);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE_FIXTURE(AllCategoriesAfterwards,
                  "category list: the first init applies the environment, later ones keep what was switched") {
  const flamelet_config config = small_config();
  setenv("FLAMELET_CATEGORIES", "physics", 1);
  // Another test of this process may have been the first.
  const flamelet_result result = flamelet_init(&config);
  if (result == FLAMELET_OK) {
    flamelet_shutdown();
    unsetenv("FLAMELET_CATEGORIES");
    return;
  }
  CHECK(result == FLAMELET_ERROR_CATEGORY_LIST);
  CHECK(flamelet_category_enabled("physics"));
  setenv("FLAMELET_CATEGORIES", "-physics", 1);
  {
    Recording recording;
    CHECK_FALSE(flamelet_category_enabled("physics"));
    flamelet_category_set_enabled("physics", true);
  }
  Recording recording;
  CHECK(flamelet_category_enabled("physics"));
  unsetenv("FLAMELET_CATEGORIES");
}
#endif
