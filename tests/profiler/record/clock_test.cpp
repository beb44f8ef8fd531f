// SPDX-License-Identifier: MIT
#include "record/clock.h"
#include "platform/process.h"

#include <doctest/doctest.h>

#include "support/recording.h"

using flamelet::Clock;
using recorder_test::ManualClock;

namespace {

flamelet_config os_config() {
  flamelet_config config = flamelet_config_default();
  config.force_os_clock = true;
  return config;
}

// Calls until `ns` have passed on the operating system's clock.
template <class Call>
void call_for(uint64_t ns, Call call) {
  const uint64_t start = flamelet::os_clock_ns();
  while (flamelet::os_clock_ns() - start < ns) call();
}

}  // namespace

TEST_CASE("clock: an injected clock is the time, and its rate is final at once") {
  ManualClock manual;
  manual.step = 0;
  manual.ticks = 12345;
  Clock clock;
  clock.start(recorder_test::with_clock(flamelet_config_default(), &manual, 44100));
  CHECK(clock.kind() == FLAMELET_CLOCK_INJECTED);
  CHECK_FALSE(clock.is_inline());
  CHECK(clock.now_ticks() == 12345);
  manual.ticks = UINT64_MAX;
  CHECK(clock.now_ticks() == UINT64_MAX);
  clock.calibrate();
  const flamelet_clock info = clock.info();
  CHECK(info.kind == FLAMELET_CLOCK_INJECTED);
  CHECK(info.rate_is_final);
  CHECK(info.origin_ticks == 12345);
  CHECK(info.ticks_per_second == 44100);
  CHECK(info.origin_unix_ns > 0);
}

TEST_CASE("clock: the OS clock is taken when asked for, in nanoseconds") {
  Clock clock;
  clock.start(os_config());
  CHECK(clock.kind() == FLAMELET_CLOCK_OS);
  CHECK_FALSE(clock.is_inline());
  CHECK(clock.ticks_per_second() == 1e9);
  CHECK(clock.info().rate_is_final);
  const uint64_t before = flamelet::os_clock_ns();
  const uint64_t now = clock.now_ticks();
  CHECK(now >= before);
  CHECK(now <= flamelet::os_clock_ns());
}

TEST_CASE("clock: an injected clock wins over the OS clock") {
  ManualClock manual;
  Clock clock;
  clock.start(recorder_test::with_clock(os_config(), &manual));
  CHECK(clock.kind() == FLAMELET_CLOCK_INJECTED);
}

TEST_CASE("clock: the default is a clock of this machine, and does not go backwards") {
  Clock clock;
  clock.start(flamelet_config_default());
  const bool known =
      clock.kind() == FLAMELET_CLOCK_TSC || clock.kind() == FLAMELET_CLOCK_CNTVCT || clock.kind() == FLAMELET_CLOCK_OS;
  CHECK(known);
  CHECK(clock.is_inline() == (clock.kind() != FLAMELET_CLOCK_OS));
  uint64_t last = clock.info().origin_ticks;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t now = clock.now_ticks();
    CHECK(now >= last);
    last = now;
  }
}

TEST_CASE("clock: the measured rate brings ticks to the OS clock's time") {
  Clock clock;
  clock.start(flamelet_config_default());
  call_for(20'000'000, [&] { clock.calibrate(); });
  const double rate = clock.ticks_per_second();
  CHECK(rate > 1e6);
  CHECK(rate < 1e11);
  // The clock's own span between two readings lies within the readings of the OS clock around them.
  const uint64_t os_0 = flamelet::os_clock_ns();
  const uint64_t ticks_0 = clock.now_ticks();
  const uint64_t os_1 = flamelet::os_clock_ns();
  call_for(20'000'000, [] {});
  const uint64_t os_2 = flamelet::os_clock_ns();
  const uint64_t ticks_1 = clock.now_ticks();
  const uint64_t os_3 = flamelet::os_clock_ns();
  const double ns = static_cast<double>(ticks_1 - ticks_0) / rate * 1e9;
  // A rate from 20 ms whose ends were read to within microseconds is good to one part in a thousand.
  CHECK(ns * 1.001 >= static_cast<double>(os_2 - os_1));
  CHECK(ns * 0.999 <= static_cast<double>(os_3 - os_0));
}

TEST_CASE("clock: a rate is there right after the start") {
  Clock clock;
  clock.start(flamelet_config_default());
  CHECK(clock.info().ticks_per_second > 1e6);
}
