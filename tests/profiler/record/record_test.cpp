// SPDX-License-Identifier: MIT
//
// Scopes, instants, counters and intervals: what was called is what a reader gets, by every clock. What holds for any
// begins, ends and switches on one thread is in record_model_test.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE_ON_EACH_CLOCK("record: a scope of another thread is not open here") {
  const flamelet_id a = flamelet_begin("a", "", nullptr);
  std::thread([a] { flamelet_end(a); }).join();
  CHECK(own_events(&log) == "+a");
  std::thread([a] {
    FLAMELET_INSTANT("registered");
    flamelet_end(a);
  }).join();
  CHECK(own_events(&log) == "+a");
  CHECK(stats().extra_ends == 2);  // also on the thread that recorded nothing
  flamelet_end(a);
  CHECK(own_events(&log) == "+a -");
}

// ---- Points, values, intervals -----------------------------------------------------------------------------------

TEST_CASE_ON_EACH_CLOCK("record: instants and counters stand where they were called") {
  FLAMELET_INSTANT("before");
  {
    FLAMELET_SCOPE("a");
    FLAMELET_INSTANT_OBJECT("hit", flamelet_intern("wall"));
    FLAMELET_COUNTER("speed", 2.5f);
    flamelet_instant("call", "category", "object");
    flamelet_counter("call", "category", -1);
  }
  CHECK(own_events(&log) == "!before +a !hit{wall} speed=2.5 !call{object} call=-1 -");
}

TEST_CASE_FIXTURE(LoggedRecording, "record: a counter's value comes bit by bit") {
  for (double value : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), -0.0,
                       std::numeric_limits<double>::denorm_min(), 1e300})
    FLAMELET_COUNTER("value", value);
  FLAMELET_COUNTER("value", std::nan(""));
  CHECK(own_events(&log).find("value=inf value=-inf value=-0 value=4.94066e-324 value=1e+300 value=nan") == 0);
}

TEST_CASE_ON_EACH_CLOCK("record: an interval may overlap scopes and end on another thread") {
  const flamelet_id load = flamelet_interval_begin("load", "io", "file");
  CHECK(load != 0);
  {
    FLAMELET_SCOPE("a");
    const flamelet_id second = flamelet_interval_begin("second", "io", nullptr);
    std::thread([load] { flamelet_interval_end(load); }).join();
    flamelet_interval_end(second);
  }
  flamelet_interval_end(0);
  CHECK(own_events(&log) == ">load{file} +a >second <second -");
  log.read();
  CHECK(log.text(2) == "<load");
  CHECK(stats().extra_ends == 0);
}

TEST_CASE_ON_EACH_CLOCK("record: an interval that is open at the switch ends the way it began, on any thread") {
  const flamelet_id load = flamelet_interval_begin("load", "", nullptr);
  const flamelet_id io = flamelet_interval_begin("io", "switched", nullptr);
  flamelet_category_set_enabled("switched", false);
  flamelet_interval_end(io);
  flamelet_category_set_enabled("switched", true);
  flamelet_set_enabled(false);
  CHECK(flamelet_interval_begin("off", "", nullptr) == 0);
  std::thread([load] { flamelet_interval_end(load); }).join();
  log.read();
  CHECK(log.text(1) == ">load >io <io");
  CHECK(log.text(2) == "<load");
}

// ---- Names -------------------------------------------------------------------------------------------------------

TEST_CASE("record: a name is followed by what it says, not by where it lies") {
  // The same buffer holds another name each time, as the data of a plug-in does that was unloaded and loaded again.
  on_each_clock([](EventLog& log) {
    char name[16], category[16];
    for (const char* text : {"first", "second", "first", "third"}) {
      std::strcpy(name, text);
      std::strcpy(category, "same");
      flamelet_end(flamelet_begin(name, category, nullptr));
    }
    CHECK(own_events(&log) == "+first - +second - +first - +third -");
    std::strcpy(name, "name");
    std::strcpy(category, "one");
    const uint32_t sites = stats().sites_used;
    flamelet_instant(name, category, nullptr);
    CHECK(stats().sites_used == sites + 1);
    std::strcpy(category, "two");
    flamelet_instant(name, category, nullptr);
    CHECK(stats().sites_used == sites + 2);
  });
}

TEST_CASE_FIXTURE(LoggedRecording, "record: NULL names and categories have their text") {
  flamelet_end(flamelet_begin(nullptr, nullptr, nullptr));
  flamelet_instant(nullptr, nullptr, nullptr);
  { FLAMELET_SCOPE_DYNAMIC(nullptr); }
  CHECK(own_events(&log) == "+(null) - !(null) +(dynamic) -");
}

TEST_CASE_FIXTURE(Recording, "record: the same name from many places is one site, the same macro place always") {
  const uint32_t before = stats().sites_used;
  const std::string copy_a = "name", copy_b = "name";
  flamelet_instant(copy_a.c_str(), "", nullptr);
  flamelet_instant(copy_b.c_str(), "", nullptr);
  CHECK(stats().sites_used == before + 1);
  for (int i = 0; i < 10; ++i) {
    FLAMELET_SCOPE("place");
  }
  CHECK(stats().sites_used == before + 2);
}

// ---- Pages -------------------------------------------------------------------------------------------------------

TEST_CASE_ON_EACH_CLOCK("record: scopes that stay open are re-opened in every page, with names, objects and times") {
  FLAMELET_SCOPE("outer");
  FLAMELET_SCOPE_OBJECT("object", flamelet_intern("boss"));
  FLAMELET_SCOPE_DYNAMIC("run time");
  FLAMELET_BEGIN(next, "replaced");
  FLAMELET_NEXT(next, "next");
  flamelet_begin("call", "", nullptr);
  for (int i = 0; i < 5000; ++i) {
    FLAMELET_SCOPE("inner");
    if (i % 3 == 0) FLAMELET_INSTANT("point");
    if (i % 100 == 0) log.read();
  }
  CHECK(log.read_problem() == "");  // the log compares each page's re-opened scopes with those that were open
  const TrackState& track = log.track(flamelet_thread_id());
  CHECK(track.lost == 0);
  CHECK(track.open.size() == 5);
}

TEST_CASE_ON_EACH_CLOCK_OF(small_config(200),
                           "record: every event of any size is read back, however it falls on the page") {
  const char* object = flamelet_intern("object");
  // One word more before each round: every event falls on every place of the page's end.
  std::string expected;
  for (uint32_t shift = 0; shift < 12; ++shift) {
    for (uint32_t i = 0; i < shift; ++i) {
      FLAMELET_SCOPE("one");
      expected += " +one -";
    }
    for (uint32_t i = 0; i < 150; ++i) {
      FLAMELET_SCOPE_OBJECT("two", object);
      FLAMELET_COUNTER("count", i);
      const flamelet_id id = flamelet_interval_begin("start", "", nullptr);
      FLAMELET_BEGIN(scope, "three");
      FLAMELET_NEXT(scope, "four");
      flamelet_interval_end(id);
      scope.end();
      expected += " +two{object} count=" + std::to_string(i) + " >start +three ~four <start - -";
    }
    log.read();
  }
  CHECK(" " + own_events(&log) == expected);
  CHECK(stats().events_recorded == log.total_read());
}

// ---- The times of events, whatever the clock does -----------------------------------------------------------------

TEST_CASE("record: times are those of the clock, in full") {
  ManualClock clock(1000, 0);
  for (uint64_t start : {uint64_t{0}, uint64_t{1} << 43, (uint64_t{1} << 44) - 1, uint64_t{1} << 44,
                         (uint64_t{1} << 62) + 12345, UINT64_MAX - 5000}) {
    CAPTURE(start);
    clock.ticks = start;
    Recording recording(with_clock(small_config(), &clock));
    EventLog log;
    std::vector<uint64_t> expected;
    for (int i = 0; i < 1000; ++i) {
      clock.ticks += 3;
      expected.push_back(clock.ticks);
      expected.push_back(clock.ticks);
      FLAMELET_SCOPE("a");
    }
    REQUIRE(log.read_problem() == "");
    const std::vector<LoggedEvent>& events = log.events(1);
    REQUIRE(events.size() == expected.size());
    for (size_t i = 0; i < events.size(); ++i) REQUIRE(events[i].ticks == expected[i]);
  }
}

TEST_CASE("record: times hold over pauses of any length") {
  ManualClock clock(1000, 0);
  Recording recording(with_clock(small_config(), &clock));
  EventLog log;
  std::vector<uint64_t> expected;
  FLAMELET_SCOPE("outer");
  expected.push_back(clock.ticks);
  for (uint32_t shift = 10; shift < 63; ++shift) {
    for (int64_t around : {-1, 0, 1}) {
      clock.ticks += (uint64_t{1} << shift) / 4 + static_cast<uint64_t>(around);
      FLAMELET_INSTANT("after the pause");
      expected.push_back(clock.ticks);
    }
  }
  CHECK(log.read_problem() == "");
  const std::vector<LoggedEvent>& events = log.events(1);
  REQUIRE(events.size() == expected.size());
  for (size_t i = 0; i < events.size(); ++i) CHECK(events[i].ticks == expected[i]);
  CHECK(log.track(1).open[0].ticks == expected[0]);
}

TEST_CASE("record: a clock that jumps, even between the readings of one call, gives its own times") {
  // The clock moves with every reading, by more than a page's times could tell apart; or it goes back.
  struct Jumps {
    uint64_t now = uint64_t{1} << 60;
    int64_t by = 0;
    static uint64_t read(void* self) {
      Jumps* jumps = static_cast<Jumps*>(self);
      jumps->now += static_cast<uint64_t>(jumps->by);
      return jumps->now;
    }
  };
  for (int64_t by : {int64_t{1} << 21, int64_t{1} << 42, int64_t{1} << 43, int64_t{1} << 44, int64_t{-1},
                     -(int64_t{1} << 21), -(int64_t{1} << 44)}) {
    CAPTURE(by);
    Jumps jumps;
    jumps.by = by;
    flamelet_config config = small_config(400);
    config.clock = Jumps::read;
    config.clock_user = &jumps;
    config.clock_ticks_per_second = 1e9;
    Recording recording(config);
    EventLog log;
    for (int i = 0; i < 300; ++i) {
      const uint64_t before = jumps.now;
      FLAMELET_COUNTER("count", i);
      const uint64_t after = jumps.now;
      REQUIRE(log.read_problem() == "");
      const uint64_t ticks = log.events(1).back().ticks;
      REQUIRE(std::min(before, after) <= ticks);
      REQUIRE(ticks <= std::max(before, after));
    }
  }
}

// ---- Begins by call that are not recorded, and which end is theirs ------------------------------------------------

TEST_CASE_ON_EACH_CLOCK("unrecorded: end_top pairs with a begin that was too deep") {
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
}

TEST_CASE("unrecorded: begins while switched off pair with their ends on the fiber, on whatever thread it goes on") {
  Recording recording(with_fibers(1, 200));
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

TEST_CASE_ON_EACH_CLOCK(
    "unrecorded: an end on a thread that has recorded nothing is counted, one of an unrecorded begin is not") {
  std::thread([] {
    flamelet_end(12345);
    flamelet_end_top();
  }).join();
  CHECK(stats().extra_ends == 2);
  CHECK(flamelet_thread_id() == 1);  // an end registers nobody
  flamelet_set_enabled(false);
  std::thread([] {
    flamelet_begin("off", "", nullptr);
    flamelet_end_top();
  }).join();
  CHECK(stats().extra_ends == 2);
}
