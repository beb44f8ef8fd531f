// SPDX-License-Identifier: MIT
//
// The macros of scope.h, in C++ and in C: what they record, and what a function returns through them.
#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "flamelet/capture.h"
#include "flamelet/scope.h"
#include "profiler/record/categories_guard.h"
#include "profiler/record/event_log.h"
#include "profiler/record/record_functions.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

void object_scope(const char* object) {
  FLAMELET_FUNCTION_OBJECT(object);
}
int returned(int value) {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE(value + 1);
}

}  // namespace

// ---- Macros ------------------------------------------------------------------------------------------------------

TEST_CASE_ON_EACH_CLOCK("record: a scope macro lasts until the end of its braces") {
  {
    FLAMELET_SCOPE("a");
    { FLAMELET_SCOPE("b"); }
    { FLAMELET_SCOPE("c"); }
  }
  { FLAMELET_SCOPE("d"); }
  CHECK(own_events(&log) == "+a +b - +c - - +d -");
}

TEST_CASE_ON_EACH_CLOCK("record: objects and names known at run time come with their scope") {
  const char* boss = flamelet_intern("boss");
  const std::string name = "level " + std::to_string(3);
  {
    FLAMELET_SCOPE_OBJECT("update", boss);
    FLAMELET_SCOPE_DYNAMIC(name.c_str());
    FLAMELET_SCOPE_COLOR("red", 0xFF0000);
  }
  { FLAMELET_SCOPE_OBJECT("update", nullptr); }
  { FLAMELET_SCOPE_OBJECT("update", "not interned"); }
  object_scope(boss);
  const std::string text = own_events(&log);
  CHECK(text.find("+update{boss} +level 3 +red - - - +update - +update{not interned} - +") == 0);
  CHECK(text.find("object_scope{boss} -") != std::string::npos);
}

TEST_CASE_ON_EACH_CLOCK("record: one place can have another object each time") {
  for (const char* object : {"a", "b", "a"}) {
    FLAMELET_SCOPE_OBJECT("update", object);
  }
  CHECK(own_events(&log) == "+update{a} - +update{b} - +update{a} -");
  CHECK(stats().interned_on_the_spot == 3);
}

TEST_CASE_FIXTURE(Recording, "record: an object from intern is not counted as interned on the spot") {
  const char* object = flamelet_intern("object");
  { FLAMELET_SCOPE_OBJECT("update", object); }
  flamelet_end(flamelet_begin("call", "", object));
  flamelet_instant("point", "", object);
  FLAMELET_INSTANT_OBJECT("point", object);
  CHECK(stats().interned_on_the_spot == 0);
  flamelet_end(flamelet_begin("call", "", "on the spot"));
  CHECK(stats().interned_on_the_spot == 1);
}

TEST_CASE_FIXTURE(LoggedRecording, "record: two scopes on one line, and one in an unbraced if") {
  {
    // clang-format off
    FLAMELET_SCOPE("a"); FLAMELET_SCOPE("b");
    // clang-format on
    if (log.problems().empty()) FLAMELET_SCOPE("c");
  }
  CHECK(own_events(&log) == "+a +b +c - - -");
}

TEST_CASE_ON_EACH_CLOCK("record: a scope variable ends once, whoever is first") {
  {
    FLAMELET_BEGIN(scope, "a");
    scope.end();
    scope.end();
    FLAMELET_INSTANT("between");
  }
  CHECK(own_events(&log) == "+a - !between");
  CHECK(stats().extra_ends == 0);
}

TEST_CASE_ON_EACH_CLOCK("record: next ends a scope and begins its sibling at one time") {
  {
    FLAMELET_BEGIN(scope, "a");
    FLAMELET_NEXT(scope, "b");
    { FLAMELET_SCOPE("in b"); }
    FLAMELET_NEXT(scope, "c");
    scope.end();
    FLAMELET_NEXT(scope, "d");
  }
  CHECK(own_events(&log) == "+a ~b +in b - ~c - +d -");
  CHECK(stats().extra_ends == 0);
}

TEST_CASE_FIXTURE(LoggedRecording, "record: a scope that an exception leaves ends") {
  try {
    FLAMELET_SCOPE("a");
    FLAMELET_SCOPE("b");
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
    FLAMELET_INSTANT("caught");
  }
  CHECK(own_events(&log) == "+a +b - - !caught");
}

TEST_CASE_ON_EACH_CLOCK("record: the C forms, from C") {
  int times = 0;
  record_c_function();
  record_c_object(flamelet_intern("thing"));
  CHECK(record_c_return(41, &times) == 41);
  CHECK(times == 1);
  CHECK(record_c_return(-5, &times) == -1);
  CHECK(times == 1);
  record_c_locals(0);
  record_c_calls();
  CHECK(own_events(&log) ==
        "+record_c_function !in C - +record_c_object{thing} !in C{thing} - +record_c_return !value - "
        "+record_c_return - +outer_tag +inner_tag - in C=3 - +c call ~c next -");
  CHECK(returned(1) == 2);
}

TEST_CASE_ON_EACH_CLOCK("record: a missing end in C is closed by its caller's end") {
  {
    FLAMELET_SCOPE("caller");
    record_c_locals(1);
    record_c_locals(0);
  }
  CHECK(own_events(&log) == "+caller +outer_tag +inner_tag +outer_tag +inner_tag - in C=3 - -3");
  CHECK(stats().missing_ends == 2);
}

// ---- Handles -------------------------------------------------------------------------------------------------------

TEST_CASE_ON_EACH_CLOCK("record: a handle's scope ends at its end, or at the end of the braces") {
  {
    FLAMELET_BEGIN(outer, "outer");
    FLAMELET_BEGIN_OBJECT(inner, "inner", flamelet_intern("thing"));
    FLAMELET_END(inner);
    FLAMELET_BEGIN(left, "left");
    FLAMELET_NEXT(left, "on");
    FLAMELET_NEXT_WAIT(left, "waiting");
  }
  CHECK(own_events(&log) == "+outer +inner{thing} - +left ~on ~waiting - -");
  CHECK(stats().missing_ends == 0);
  record_c_handles();
  CHECK(own_events(&log).find("+outer +inner{thing} - +left ~on ~waiting - -") != std::string::npos);
}

namespace {

struct Site {
  std::string category;
  uint32_t color = 0;
  uint32_t line = 0;
};

std::map<std::string, Site> sites_by_name() {
  Capture capture(Captured::kNow);
  std::map<std::string, Site> sites;
  flamelet_site_info info;
  for (uint32_t site = 1; flamelet_capture_site(capture, site, &info); ++site)
    sites[info.name.text] = {info.category.text, info.color, info.line};
  return sites;
}

}  // namespace

TEST_CASE("record: category, colour and wait of a macro are its site's, in C++ and in C") {
  for (const bool in_c : {false, true}) {
    CAPTURE(in_c);
    Recording recording(flamelet_config_default());
    if (in_c) {
      record_c_kinds();
    } else {
      FLAMELET_SCOPE_CATEGORY("scope", "physics");
      FLAMELET_SCOPE_WAIT("scope wait");
      FLAMELET_BEGIN_CATEGORY(category, "category", "physics");
      FLAMELET_BEGIN_COLOR(color, "color", 0x123456);
      FLAMELET_BEGIN_WAIT(wait, "wait");
      FLAMELET_NEXT_WAIT(wait, "next wait");
    }
    std::map<std::string, Site> sites = sites_by_name();
    if (!in_c) {
      CHECK(sites["scope"].category == "physics");
      CHECK(sites["scope wait"].category == FLAMELET_WAIT_CATEGORY);
    }
    CHECK(sites["category"].category == "physics");
    CHECK(sites["category"].line > 0);
    CHECK(sites["color"].color == 0x123456);
    CHECK(sites["wait"].category == FLAMELET_WAIT_CATEGORY);
    CHECK(sites["next wait"].category == FLAMELET_WAIT_CATEGORY);
  }
}

// ---- What a function returns -----------------------------------------------------------------------------------------

namespace {

int g_number = 7;

int& reference() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE(g_number);
}
decltype(auto) deduced_value() {
  FLAMELET_BEGIN_FUNCTION();
  int local = g_number + 1;
  return FLAMELET_END_FUNCTION_VALUE(local);  // int, not a reference to what is gone
}
decltype(auto) deduced_reference() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE((g_number));
}
const char* null_pointer() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE(NULL);
}
std::pair<int, int> with_commas() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE(std::pair<int, int>(1, 2));
}
std::pair<int, int> in_braces() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE({3, 4});
}
std::unique_ptr<int> moved() {
  FLAMELET_BEGIN_FUNCTION();
  auto local = std::make_unique<int>(5);
  return FLAMELET_END_FUNCTION_VALUE(local);
}
struct Fixed {
  explicit Fixed(int number) : value(number) {}
  Fixed(const Fixed&) = delete;
  Fixed& operator=(const Fixed&) = delete;
  int value;
};
Fixed neither_copied_nor_moved() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE(Fixed(6));
}
void nothing() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE();
}
int computed() {
  FLAMELET_SCOPE("computed");
  return 1;
}
int after_the_value() {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE(computed());
}

}  // namespace

TEST_CASE("record: a function returns through its end what it would return without it") {
  Recording recording(flamelet_config_default());
  CHECK(&reference() == &g_number);
  static_assert(std::is_same<decltype(deduced_value()), int>::value);
  static_assert(std::is_same<decltype(deduced_reference()), int&>::value);
  CHECK(deduced_value() == 8);
  CHECK(&deduced_reference() == &g_number);
  CHECK(null_pointer() == nullptr);
  CHECK(with_commas() == std::make_pair(1, 2));
  CHECK(in_braces() == std::make_pair(3, 4));
  CHECK(*moved() == 5);
  CHECK(neither_copied_nor_moved().value == 6);
  nothing();
  CHECK(record_c_null() == nullptr);
  CHECK(record_c_struct(2).b == 3);
  CHECK(stats().missing_ends + stats().extra_ends == 0);
}

TEST_CASE("record: a function's scope ends after its value was computed") {
  Recording recording(flamelet_config_default());
  EventLog log;
  CHECK(after_the_value() == 1);
  const std::string events = own_events(&log);
  CHECK(events.find("after_the_value +computed - -") != std::string::npos);
  record_c_struct(1);
  CHECK(own_events(&log).find("+record_c_struct !value -") != std::string::npos);
}

// ---- What a scope costs, measured: the measurement itself must leave no trace -------------------------------------

TEST_CASE_FIXTURE(
    Recording,
    "scope cost: measuring a scope of any kind records nothing and leaves the thread and the tables as they were") {
  EventLog log;
  FLAMELET_SCOPE("outer");
  const bool measures = stats().clock == FLAMELET_CLOCK_TSC || stats().clock == FLAMELET_CLOCK_CNTVCT;
  const flamelet_stats before = stats();
  for (const bool enabled : {true, false}) {
    flamelet_set_enabled(enabled);
    for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind) {
      CAPTURE(kind);
      CHECK((flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(kind)) > 0) == measures);
    }
  }
  flamelet_set_enabled(true);
  CHECK(flamelet_measure_scope_ns(FLAMELET_SCOPE_KINDS) == 0);
  const flamelet_stats after = stats();
  CHECK(after.events_recorded == before.events_recorded);
  CHECK(after.dropped_no_page == before.dropped_no_page);
  CHECK(after.sites_used == before.sites_used);
  CHECK(after.strings_used == before.strings_used);
  CHECK(after.interned_on_the_spot == before.interned_on_the_spot);
  { FLAMELET_SCOPE("inner"); }
  CHECK(own_events(&log) == "+outer +inner -");
}

TEST_CASE_FIXTURE(
    CategoriesGuard,
    "scope cost: that of a scope by call is not known while its category is off, and not taken for what is recorded") {
  Recording recording;
  const bool measures = stats().clock == FLAMELET_CLOCK_TSC || stats().clock == FLAMELET_CLOCK_CNTVCT;
  for (const bool on : {false, true}) {
    flamelet_category_set_enabled(nullptr, on);
    for (uint32_t kind = 0; kind < FLAMELET_SCOPE_KINDS; ++kind) {
      CAPTURE(kind);
      const bool is_known = measures && (on || kind < FLAMELET_SCOPE_KIND_BY_CALL);
      CHECK((flamelet_measure_scope_ns(static_cast<flamelet_scope_kind>(kind)) > 0) == is_known);
    }
  }
  CHECK(stats().missing_ends + stats().extra_ends == 0);
}

TEST_CASE("scope cost: with an injected clock a scope cannot be measured") {
  ManualClock clock;
  Recording recording(with_clock(small_config(), &clock));
  CHECK(flamelet_measure_scope_ns(FLAMELET_SCOPE_KIND_MACRO) == 0);
}
