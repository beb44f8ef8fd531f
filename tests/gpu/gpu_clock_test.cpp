// SPDX-License-Identifier: MIT
#include "gpu_timer.h"

#include <doctest/doctest.h>

#include <random>

using flamelet::GpuClock;

TEST_CASE("a reading of few bits is taken for the time nearest to the prediction") {
  const GpuClock clock(8, 1e9);
  CHECK(clock.extend(5, 1000) == 1029);    // 0x405, not 0x305
  CHECK(clock.extend(250, 1000) == 1018);  // 0x3FA
  CHECK(clock.extend(250, 1030) == 1018);
  CHECK(clock.extend(1000 % 256, 1000) == 1000);
  CHECK(clock.extend(255, 0) == UINT64_MAX);  // the line is a circle
  CHECK(clock.extend(0, UINT64_MAX) == 0);
}

TEST_CASE("extending gives back any time that is less than half a turn from the prediction") {
  std::mt19937_64 random(1);
  for (uint32_t bits = 2; bits <= 64; ++bits) {
    CAPTURE(bits);
    const GpuClock clock(bits, 1e9);
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    for (int i = 0; i < 1000; ++i) {
      const uint64_t time_ns = random();
      const uint64_t distance = random() & (mask >> 1);
      CHECK(clock.extend(time_ns & mask, time_ns + distance) == time_ns);
      if (distance != 0) CHECK(clock.extend(time_ns & mask, time_ns - distance + 1) == time_ns);
    }
  }
}

TEST_CASE("predictions follow the recorder's rate from the newest calibration, both ways") {
  GpuClock clock(64, 1e9);
  CHECK(clock.calibrate(5'000'000, 1000, 2e9) == 0);  // two ticks for a nanosecond
  CHECK(clock.predict(1000) == 5'000'000);
  CHECK(clock.predict(3000) == 5'001'000);
  CHECK(clock.predict(0) == 4'999'500);
  CHECK(clock.calibrate(5'001'100, 3000, 2e9) == 100);
  CHECK(clock.calibrate(5'001'050, 3000, 2e9) == -50);
  CHECK(clock.predict(5000) == 5'002'050);
}

TEST_CASE("calibrations count the turns of a clock that wraps") {
  GpuClock clock(30, 1e9);
  const uint64_t turn = uint64_t{1} << 30;
  uint64_t time_ns = turn - 5;
  clock.calibrate(time_ns % turn, 0, 1e9);
  for (uint64_t ticks = 500'000'000; ticks < 10'000'000'000; ticks += 500'000'000) {
    CHECK(clock.calibrate((time_ns + ticks) % turn, ticks, 1e9) == 0);
    CHECK(clock.gpu_ticks() == time_ns + ticks);
  }
}

TEST_CASE("absurd distances stay in range") {
  GpuClock clock(64, 1e9);
  clock.calibrate(7, 0, 1e-3);
  CHECK(clock.predict(UINT64_MAX) == 7 + (uint64_t{1} << 62));
}

TEST_CASE("predictions follow a GPU's own rate, too") {
  GpuClock clock(64, 20e6);
  CHECK(clock.calibrate(1000, 50, 1e9) == 0);
  CHECK(clock.predict(50 + 5000) == 1100);
  CHECK(clock.calibrate(1103, 50 + 5000, 1e9) == 3);
  CHECK(clock.recorder_ns_per_tick() == 1);
}
