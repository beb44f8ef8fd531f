// SPDX-License-Identifier: MIT
//
// Categories switched on and off while the program runs.
#include <doctest/doctest.h>

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/api.h"
#include "flamelet/capture.h"
#include "flamelet/scope.h"
#include "profiler/record/categories_guard.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

// Everything that has a category.
void record_all(flamelet_site* site) {
  { FLAMELET_SCOPE_CATEGORY("macro", "physics"); }
  { FLAMELET_SCOPE_SITE(site); }
  flamelet_end(flamelet_begin("call", "physics", nullptr));
  flamelet_end(flamelet_begin("call with object", "physics", "object"));
  flamelet_end(flamelet_begin(std::string(150, 'n').c_str(), "physics", nullptr));
  flamelet_instant("instant", "physics", nullptr);
  flamelet_counter("counter", "physics", 1);
  flamelet_interval_end(flamelet_interval_begin("interval", "physics", nullptr));
  flamelet_site_instant_(site, "object");
  flamelet_site_counter_(site, 2);
  flamelet_scope_end_(flamelet_scope_begin_with_(site, nullptr, "object"));
  flamelet_scope_end_(flamelet_scope_begin_with_(site, "dynamic", nullptr));
  { FLAMELET_SCOPE_CATEGORY("other", "render"); }
}

struct Switched : CategoriesGuard, LoggedRecording {};

const char kOthers[] = "+other -";

}  // namespace

TEST_CASE_ON_EACH_CLOCK(
    "categories: nothing is recorded of one that is off, all of the others, and nothing is dropped") {
  flamelet_site* site = flamelet_site_create("site", "f", "file", 1, "physics", 0);
  record_all(site);
  const std::string all = own_events(&log);
  CHECK(all.find("+macro - +site - +call -") == 0);
  CHECK(flamelet_category_set_enabled("physics", false) == FLAMELET_OK);
  for (int round = 0; round < 3; ++round) record_all(site);
  std::string expected = all;
  for (int round = 0; round < 3; ++round) expected += std::string(" ") + kOthers;
  CHECK(own_events(&log) == expected);
  CHECK(flamelet_category_set_enabled("physics", true) == FLAMELET_OK);
  record_all(site);
  CHECK(own_events(&log) == expected + " " + all);
  CHECK(dropped(stats()) == 0);
  CHECK(stats().missing_ends + stats().extra_ends == 0);
}

TEST_CASE_FIXTURE(Switched, "categories: an object of what is not recorded costs no string of the session") {
  const uint32_t track = calibrated_track("gpu", 1e9, 1000);
  flamelet_category_set_enabled("physics", false);
  const auto record = [track](uint64_t number) {
    const std::string object = "object " + std::to_string(number);
    flamelet_instant("instant", "physics", object.c_str());
    flamelet_interval_end(flamelet_interval_begin("interval", "physics", object.c_str()));
    flamelet_end(flamelet_begin("scope", "physics", object.c_str()));
    flamelet_event one = event('I', 1000 + number, number, "point");
    one.category = "physics";
    one.object = object.c_str();
    CHECK(flamelet_submit(track, &one, 1) == 1);
  };
  record(1);
  const flamelet_stats before = stats();
  for (uint64_t number = 2; number <= 10; ++number) record(number);
  CHECK(stats().strings_used == before.strings_used);
  CHECK(stats().interned_on_the_spot == before.interned_on_the_spot);
}

TEST_CASE_FIXTURE(Switched, "categories: a site of a category that is off costs no string of the session") {
  flamelet_category_set_enabled("physics", false);
  flamelet_site* site = flamelet_site_create("never seen", "g", "file", 1, "physics", 0);
  const uint32_t sites = stats().sites_used, strings = stats().strings_used;
  for (int i = 0; i < 10; ++i) flamelet_site_end(flamelet_site_begin(site));
  CHECK(stats().sites_used == sites);
  CHECK(stats().strings_used == strings);
}

TEST_CASE_ON_EACH_CLOCK("categories: end_top pairs however often recorded begins and others take turns in one stack") {
  flamelet_category_set_enabled("off", false);
  constexpr uint32_t kTurns = FLAMELET_MAX_DEPTH;
  std::string expected;
  for (uint32_t i = 0; i < kTurns; ++i) {
    flamelet_begin("off", "off", nullptr);
    flamelet_begin("on", "", nullptr);
    expected += "+on ";
  }
  for (uint32_t i = 0; i < kTurns; ++i) {
    flamelet_end_top();
    flamelet_counter("open", "", kTurns - 1 - i);
    flamelet_end_top();
    expected += "- open=" + std::to_string(kTurns - 1 - i) + (i + 1 < kTurns ? " " : "");
  }
  CHECK(own_events(&log) == expected);
  CHECK(stats().missing_ends + stats().extra_ends == 0);
}

TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories: what is open on a fiber keeps its ends over a switch and on another thread") {
  Recording recording(with_fibers(2));
  EventLog log;
  const uint32_t fiber = flamelet_fiber_create("fiber");
  flamelet_fiber_switch(0, fiber);
  const flamelet_id recorded = flamelet_begin("recorded", "physics", nullptr);
  flamelet_category_set_enabled("physics", false);
  flamelet_begin("off", "physics", nullptr);
  flamelet_fiber_switch(fiber, 0);
  std::thread([=] {
    flamelet_category_set_enabled("physics", true);
    flamelet_fiber_switch(0, fiber);
    flamelet_end_top();
    flamelet_end(recorded);
    flamelet_fiber_switch(fiber, 0);
  }).join();
  CHECK(own_events(&log) == "@0>1() +recorded @1>0()");
  CHECK(stats().missing_ends + stats().extra_ends + stats().fiber_misuse == 0);
}

TEST_CASE_FIXTURE(CategoriesGuard,
                  "categories: what was switched before init holds, over restarts, and for sites that come later") {
  flamelet_category_set_enabled("physics", false);
  CHECK_FALSE(flamelet_category_enabled("physics"));
  CHECK(flamelet_category_enabled("render"));
  flamelet_site* site = flamelet_site_create("site", "h", "file", 1, "physics", 0);
  for (int session = 0; session < 3; ++session) {
    Recording recording;
    EventLog log;
    record_all(site);
    CHECK(own_events(&log) == kOthers);
  }
  flamelet_category_set_enabled("physics", true);
  Recording recording;
  EventLog log;
  record_all(site);
  CHECK(own_events(&log).find("+macro - +site - +call -") == 0);
}

TEST_CASE_FIXTURE(Switched, "categories: those without a name, and the waits, can be switched") {
  flamelet_category_set_enabled("", false);
  flamelet_category_set_enabled(FLAMELET_WAIT_CATEGORY, false);
  { FLAMELET_SCOPE("without"); }
  { FLAMELET_SCOPE_WAIT("wait"); }
  flamelet_end(flamelet_begin("without", nullptr, nullptr));
  flamelet_end(flamelet_begin("with", "with", nullptr));
  CHECK(own_events(&log) == "+with -");
}

TEST_CASE_FIXTURE(Switched, "categories: a submitted event belongs to its category, and its partner is not dropped") {
  const uint32_t track = flamelet_track_create("gpu", FLAMELET_TRACK_GPU, 1e9);
  const uint64_t now = flamelet_now_ticks();
  flamelet_track_calibrate(track, 1000, now);
  const auto submit = [track](uint64_t id, const char* category, const char* types) {
    for (; *types != 0; ++types) {
      flamelet_event one = event(*types, 1000 + id, id, "pass");
      one.category = category;
      CHECK(flamelet_submit(track, &one, 1) == 1);
    }
  };
  const uint64_t before = stats().events_recorded;
  flamelet_category_set_enabled("shadow", false);
  submit(1, "shadow", "BEI");
  CHECK(stats().events_recorded == before);
  submit(2, "light", "BEI");
  CHECK(stats().events_recorded == before + 2);  // a span is one event
  submit(3, "shadow", "B");
  flamelet_category_set_enabled("shadow", true);
  submit(3, "shadow", "E");
  CHECK(stats().events_recorded == before + 2);
  submit(4, "shadow", "B");
  flamelet_category_set_enabled("shadow", false);
  submit(4, "shadow", "E");
  CHECK(stats().events_recorded == before + 3);
  CHECK(stats().dropped_submit == 0);
  CHECK(stats().submit_waiting == 0);
}

TEST_CASE_FIXTURE(Switched, "categories: the frame of a switch is partial, and the next is not") {
  flamelet_frame();
  flamelet_category_set_enabled("physics", false);
  flamelet_frame();
  flamelet_frame();
  log.read();
  // A mark says how it was with the frame before it.
  CHECK(log.text(flamelet::kFrameTrack) == "#0 #1* #2* #3");
}

TEST_CASE_FIXTURE(Switched, "categories: numbers of the sites come round without one that looks like a shut gate") {
  flamelet::recorder.site_number.store_relaxed(FLAMELET_SITE_OFF_ - 4);
  std::string expected;
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    flamelet_category_set_enabled("physics", i % 2 == 1);
    const uint32_t number = flamelet::recorder.site_number.load_relaxed();
    CHECK(number != 0);
    CHECK((number | FLAMELET_SITE_OFF_) < UINT32_MAX);
    for (int k = 0; k < 3; ++k) {
      FLAMELET_SCOPE_CATEGORY("scope", "physics");
    }
    if (i % 2 == 1) expected += "+scope - +scope - +scope - ";
  }
  CHECK(own_events(&log) + " " == expected);
}

// ---- All categories at once, lists of them, the environment, and which there are ----------------------------------

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

TEST_CASE_FIXTURE(CategoriesGuard, "category list: those that were switched or had an event are listed, each once") {
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

TEST_CASE_FIXTURE(Switched, "category list: all can be switched, also those that come later") {
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

TEST_CASE_FIXTURE(CategoriesGuard, "category list: a list is applied from left to right") {
  CHECK(flamelet_categories_apply("-*,+render, -a b ,+ audio") == FLAMELET_OK);
  CHECK(flamelet_category_enabled("render"));
  CHECK(flamelet_category_enabled("audio"));
  CHECK_FALSE(flamelet_category_enabled("a b"));
  CHECK_FALSE(flamelet_category_enabled("physics"));
  CHECK(flamelet_categories_apply("-render,+*,-physics") == FLAMELET_OK);
  CHECK(flamelet_category_enabled("render"));
  CHECK_FALSE(flamelet_category_enabled("physics"));
}

TEST_CASE_FIXTURE(CategoriesGuard, "category list: what is no list is refused, and nothing of it is applied") {
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

TEST_CASE_FIXTURE(CategoriesGuard, "category list: plug-ins switch them through the table") {
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

TEST_CASE_FIXTURE(CategoriesGuard,
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
