// SPDX-License-Identifier: MIT
//
// The times of events, whatever the clock does.
#include <doctest/doctest.h>

#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "support/recording.h"

using namespace recorder_test;

TEST_CASE("record: times are those of the clock, in full") {
  ManualClock clock;
  clock.step = 0;
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
  ManualClock clock;
  clock.step = 0;
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
