// SPDX-License-Identifier: MIT
//
// Begins by call that are not recorded, and which end is theirs.
#include <doctest/doctest.h>

#include <string>
#include <thread>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE("unrecorded: end_top pairs with a begin that was too deep") {
  on_each_clock([](EventLog& log) {
    for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) flamelet_begin("a", "", nullptr);
    flamelet_begin("too deep", "", nullptr);
    flamelet_begin("too deep", "", nullptr);
    flamelet_end_top();
    flamelet_end_top();
    flamelet_instant("all open", "", nullptr);
    for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) flamelet_end_top();
    const std::string all = own_events(&log);
    CHECK(all.find("+a !all open -") != std::string::npos);
    CHECK(stats().missing_ends + stats().extra_ends == 0);
    CHECK(stats().dropped_depth == 2);
  });
}

TEST_CASE("unrecorded: end_top pairs with begins that were made while switched off") {
  on_each_clock([](EventLog& log) {
    flamelet_begin("outer", "", nullptr);
    flamelet_set_enabled(false);
    flamelet_begin("off", "", nullptr);
    flamelet_set_enabled(true);
    flamelet_begin("inner", "", nullptr);
    flamelet_set_enabled(false);
    flamelet_end(flamelet_begin("off, ended by id", "", nullptr));
    flamelet_begin("off", "", nullptr);
    flamelet_end_top();
    flamelet_set_enabled(true);
    flamelet_end_top();  // inner
    flamelet_instant("between", "", nullptr);
    flamelet_end_top();  // off
    flamelet_instant("outer is open", "", nullptr);
    flamelet_end_top();
    CHECK(own_events(&log) == "+outer +inner - !between !outer is open -");
    CHECK(stats().missing_ends + stats().extra_ends == 0);
  });
}

TEST_CASE("unrecorded: begins that were not recorded end with the scope around them, also for end_top") {
  on_each_clock([](EventLog& log) {
    const flamelet_id outer = flamelet_begin("outer", "", nullptr);
    flamelet_set_enabled(false);
    flamelet_begin("off", "", nullptr);
    flamelet_begin("off", "", nullptr);
    flamelet_end(outer);
    flamelet_set_enabled(true);
    flamelet_begin("next", "", nullptr);
    flamelet_end_top();
    CHECK(own_events(&log) == "+outer - +next -");
    CHECK(stats().missing_ends + stats().extra_ends == 0);
  });
}

TEST_CASE("unrecorded: begins while switched off pair with their ends on the fiber, on whatever thread it goes on") {
  flamelet_config config = small_config();
  config.max_fibers = 1;
  keep_pages(&config, 200);
  Recording recording(config);
  const uint32_t fiber = flamelet_fiber_create("fiber");
  flamelet_instant("the thread is known", "", nullptr);
  flamelet_set_enabled(false);
  flamelet_begin("of the thread", "", nullptr);
  flamelet_fiber_switch(0, fiber);
  flamelet_begin("of the fiber", "", nullptr);
  flamelet_begin("of the fiber", "", nullptr);
  flamelet_fiber_switch(fiber, 0);
  std::thread([fiber] {
    flamelet_set_enabled(true);
    flamelet_fiber_switch(0, fiber);
    flamelet_end(0);
    flamelet_end_top();
    CHECK(stats().extra_ends == 0);
    flamelet_end_top();
    CHECK(stats().extra_ends == 1);
    flamelet_fiber_switch(fiber, 0);
  }).join();
  flamelet_end_top();
  CHECK(stats().extra_ends == 1);
  flamelet_end_top();
  CHECK(stats().extra_ends == 2);
  CHECK(stats().fiber_misuse == 0);
}

TEST_CASE("unrecorded: an end without a begin does not take the end of a begin while switched off") {
  on_each_clock([](EventLog& log) {
    flamelet_begin("outer", "", nullptr);
    flamelet_set_enabled(false);
    flamelet_end(0);
    flamelet_begin("off", "", nullptr);
    flamelet_set_enabled(true);
    flamelet_end_top();  // off
    flamelet_instant("outer is open", "", nullptr);
    flamelet_end_top();
    CHECK(own_events(&log) == "+outer !outer is open -");
  });
}

TEST_CASE("unrecorded: begin and end pair whether the compiler inlines them or calls them by address") {
  flamelet_id (*volatile begin)(const char*, const char*, const char*) = flamelet_begin;
  void (*volatile end)(flamelet_id) = flamelet_end;
  on_each_clock([begin, end](EventLog& log) {
    flamelet_end(begin("a", "", nullptr));
    end(flamelet_begin("b", "", nullptr));
    flamelet_set_enabled(false);
    begin("off", "", nullptr);
    flamelet_end(0);
    flamelet_begin("off", "", nullptr);
    end(0);
    flamelet_set_enabled(true);
    flamelet_end_top();
    CHECK(own_events(&log) == "+a - +b -");
    CHECK(stats().extra_ends == 1);
  });
}

TEST_CASE("unrecorded: an end of a begin that was not recorded is no extra end after recording is switched on") {
  for_each_clock([](const flamelet_config& config) {
    Recording recording(config);
    flamelet_instant("the thread is known", "", nullptr);
    flamelet_set_enabled(false);
    flamelet_begin("off", "", nullptr);
    flamelet_end(flamelet_begin("off, ended by id", "", nullptr));
    flamelet_set_enabled(true);
    flamelet_end_top();
    CHECK(stats().extra_ends == 0);
    flamelet_end_top();
    CHECK(stats().extra_ends == 1);
  });
}

TEST_CASE("unrecorded: ends of begins that were made while switched off are no extra ends after a restart") {
  for_each_clock([](const flamelet_config& config) {
    {
      Recording recording(config);
      { FLAMELET_SCOPE("so that the thread has a track"); }
      flamelet_set_enabled(false);
      flamelet_begin("off in the session before", "", nullptr);
    }
    Recording recording(config);
    EventLog log;
    flamelet_set_enabled(false);
    flamelet_begin("off", "", nullptr);
    flamelet_begin("off", "", nullptr);
    flamelet_end_top();
    flamelet_set_enabled(true);
    flamelet_begin("on", "", nullptr);
    flamelet_end_top();
    flamelet_end_top();
    flamelet_end_top();
    CHECK(own_events(&log) == "+on -");
    CHECK(stats().missing_ends + stats().extra_ends == 0);
    flamelet_end_top();
    CHECK(stats().extra_ends == 1);
  });
}

TEST_CASE("unrecorded: an end on a thread that has recorded nothing is counted, one of an unrecorded begin is not") {
  for_each_clock([](const flamelet_config& config) {
    Recording recording(config);
    std::thread([] {
      flamelet_end(12345);
      flamelet_end_top();
    }).join();
    CHECK(stats().extra_ends == 2);
    flamelet_set_enabled(false);
    std::thread([] {
      flamelet_begin("off", "", nullptr);
      flamelet_end_top();
    }).join();
    CHECK(stats().extra_ends == 2);
  });
}
