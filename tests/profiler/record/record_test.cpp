// SPDX-License-Identifier: MIT
//
// Scopes, ids, instants, counters and intervals: what was called is what a reader gets, by every clock.
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

// ---- Calls and ids -----------------------------------------------------------------------------------------------

TEST_CASE("record: calls are scopes like macros, and nest with them") {
  on_each_clock([](EventLog& log) {
    const flamelet_id a = flamelet_begin("a", "category", nullptr);
    {
      FLAMELET_SCOPE("macro");
      const flamelet_id b = flamelet_begin("b", "category", flamelet_intern("object"));
      flamelet_end(b);
    }
    flamelet_end(a);
    CHECK(own_events(&log) == "+a +macro +b{object} - - -");
  });
}

TEST_CASE("record: an end closes what was opened inside and not ended, and counts it") {
  on_each_clock([](EventLog& log) {
    const flamelet_id a = flamelet_begin("a", "", nullptr);
    const flamelet_id b = flamelet_begin("b", "", nullptr);
    flamelet_begin("c", "", nullptr);
    flamelet_begin("d", "", nullptr);
    flamelet_end(b);
    CHECK(stats().missing_ends == 2);
    flamelet_end(a);
    CHECK(stats().missing_ends == 2);
    CHECK(own_events(&log) == "+a +b +c +d -3 -");
  });
}

TEST_CASE("record: an end of a scope that is not open is ignored, and counted") {
  on_each_clock([](EventLog& log) {
    const flamelet_id a = flamelet_begin("a", "", nullptr);
    const flamelet_id b = flamelet_begin("b", "", nullptr);
    flamelet_end(b);
    flamelet_end(b);
    flamelet_end(UINT64_MAX);
    flamelet_end(1);
    CHECK(stats().extra_ends == 3);
    flamelet_end(0);
    CHECK(stats().extra_ends == 3);
    flamelet_end(a);
    flamelet_end(a);
    CHECK(stats().extra_ends == 4);
    CHECK(own_events(&log) == "+a +b - -");
  });
}

TEST_CASE("record: a scope that another one's end has closed cannot end again") {
  on_each_clock([](EventLog& log) {
    const flamelet_id a = flamelet_begin("a", "", nullptr);
    const flamelet_id b = flamelet_begin("b", "", nullptr);
    flamelet_end(a);
    flamelet_end(b);
    CHECK(own_events(&log) == "+a +b -2");
    CHECK(stats().missing_ends == 1);
    CHECK(stats().extra_ends == 1);
  });
}

TEST_CASE("record: a scope of another thread is not open here") {
  on_each_clock([](EventLog& log) {
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
  });
}

TEST_CASE("record: ids are never 0, and differ from those of the scopes around") {
  for_each_clock([](const flamelet_config& config) {
    Recording recording(config);
    std::vector<flamelet_id> open;
    for (int i = 0; i < 100; ++i) {
      const flamelet_id id = flamelet_begin("same", "", nullptr);
      REQUIRE(id != 0);
      for (flamelet_id other : open) REQUIRE(id != other);
      open.push_back(id);
    }
  });
}

TEST_CASE("record: next by call follows the id") {
  on_each_clock([](EventLog& log) {
    const flamelet_id a = flamelet_begin("a", "", nullptr);
    const flamelet_id b = flamelet_next(a, "b", "");
    flamelet_begin("in b", "", nullptr);
    const flamelet_id c = flamelet_next(b, "c", "");  // closes what is inside, too
    CHECK(stats().missing_ends == 1);
    const flamelet_id d = flamelet_next(0, "d", "");  // of nothing: begins
    const flamelet_id e = flamelet_next(a, "e", "");  // of what is not open: begins, and is counted
    CHECK(stats().extra_ends == 1);
    flamelet_end(e);
    flamelet_end(d);
    flamelet_end(c);
    CHECK(own_events(&log) == "+a ~b +in b -2 +c +d +e - - -");
  });
}

TEST_CASE("record: next is the same scope to its parent, as deep as can be") {
  on_each_clock([](EventLog& log) {
    std::vector<flamelet_id> ids;
    for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) ids.push_back(flamelet_begin("deep", "", nullptr));
    const flamelet_id next = flamelet_next(ids.back(), "next", "");
    CHECK(next != 0);
    flamelet_end(next);
    flamelet_end(ids.front());
    CHECK(log.read_problem() == "");
    CHECK(stats().dropped_depth == 0);
    CHECK(stats().missing_ends == FLAMELET_MAX_DEPTH - 2);
  });
}

TEST_CASE("record: end_top ends the innermost; with nothing open it is counted") {
  on_each_clock([](EventLog& log) {
    flamelet_begin("a", "", nullptr);
    flamelet_begin("b", "", nullptr);
    flamelet_end_top();
    flamelet_end_top();
    CHECK(stats().extra_ends == 0);
    flamelet_end_top();
    CHECK(stats().extra_ends == 1);
    CHECK(own_events(&log) == "+a +b - -");
  });
}

// ---- Points, values, intervals -----------------------------------------------------------------------------------

TEST_CASE("record: instants and counters stand where they were called") {
  on_each_clock([](EventLog& log) {
    FLAMELET_INSTANT("before");
    {
      FLAMELET_SCOPE("a");
      FLAMELET_INSTANT_OBJECT("hit", flamelet_intern("wall"));
      FLAMELET_COUNTER("speed", 2.5f);
      flamelet_instant("call", "category", "object");
      flamelet_counter("call", "category", -1);
    }
    CHECK(own_events(&log) == "!before +a !hit{wall} speed=2.5 !call{object} call=-1 -");
  });
}

TEST_CASE_FIXTURE(Recording, "record: a counter's value comes bit by bit") {
  EventLog log;
  for (double value : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), -0.0,
                       std::numeric_limits<double>::denorm_min(), 1e300})
    FLAMELET_COUNTER("value", value);
  FLAMELET_COUNTER("value", std::nan(""));
  CHECK(own_events(&log).find("value=inf value=-inf value=-0 value=4.94066e-324 value=1e+300 value=nan") == 0);
}

TEST_CASE("record: an interval may overlap scopes and end on another thread") {
  on_each_clock([](EventLog& log) {
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
  });
}

TEST_CASE("record: an interval that is open at the switch ends the way it began, on any thread") {
  on_each_clock([](EventLog& log) {
    const flamelet_id load = flamelet_interval_begin("load", "", nullptr);
    flamelet_set_enabled(false);
    CHECK(flamelet_interval_begin("off", "", nullptr) == 0);
    std::thread([load] { flamelet_interval_end(load); }).join();
    log.read();
    CHECK(log.text(1) == ">load");
    CHECK(log.text(2) == "<load");
  });
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

TEST_CASE_FIXTURE(Recording, "record: NULL names and categories have their text") {
  EventLog log;
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

TEST_CASE("record: scopes that stay open are re-opened in every page, with names, objects and times") {
  on_each_clock([](EventLog& log) {
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
  });
}

TEST_CASE("record: every event of any size is read back, however it falls on the page") {
  for_each_clock(small_config(200), [](const flamelet_config& config) {
    Recording recording(config);
    const char* object = flamelet_intern("object");
    // One word more before each round: every event falls on every place of the page's end.
    std::string expected;
    EventLog log;
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
  });
}

// ---- Time --------------------------------------------------------------------------------------------------------
