// SPDX-License-Identifier: MIT
//
// Where the GPU's times lie on the recorder's clock.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "gpu/gpu_bench.h"
#include "gpu_timer.h"

using namespace gpu_test;
using flamelet::GpuClock;

TEST_CASE("after the GPU's clock jumped, its times are kept out until it is calibrated again, at once") {
  Created<TimerBench> bench;
  bench.frame();
  bench.scope("Before", 100);
  bench.frame();
  bench.gpu_ahead_ns -= 7'000'000'000;
  bench.scope("Across", 100);
  bench.frame();
  CHECK(bench.stats().calibrations == 1);
  bench.frame();
  CHECK(bench.stats().dropped_invalid == 1);
  CHECK(bench.stats().calibrations == 2);
  CHECK(bench.stats().calibration_drift_ns == -7'000'000'000);
  const int64_t begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
  bench.scope("After", 100);
  bench.frame(2);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"Before", "After"});
  CHECK(spans[1].begin_ns == begin_ns);
  CHECK(spans[1].end_ns == begin_ns + 110);
}

TEST_CASE("while times stay wrong, the GPU's clock is read now and then, not at each frame") {
  Created<TimerBench> bench;
  const uint64_t reads_of_one = bench.device.clock_reads;
  const auto play_ms = [&](int count) {
    for (int i = 0; i < count; ++i) {
      bench.gpu_ahead_ns -= 7'000'000'000;
      bench.scope("Wrong", 100);
      bench.frame();
      bench.pass_ns(1'000'000);
    }
  };
  play_ms(100);
  CHECK(bench.stats().dropped_invalid > 90);
  CHECK(bench.device.clock_reads == 2 * reads_of_one);
  play_ms(1000);
  CHECK(bench.device.clock_reads == (2 + 8) * reads_of_one);
}

TEST_CASE("a GPU's clock that cannot be read is asked now and then, not at each frame") {
  TimerBench bench;
  bench.config().calibration_interval_ns = 80'000'000;
  REQUIRE(bench.create() == FLAMELET_OK);
  const uint64_t reads_of_one = bench.device.clock_reads;
  bench.device.clock_works = false;
  for (int i = 0; i < 160; ++i) {
    bench.frame();
    bench.pass_ns(1'000'000);
  }
  // Once when it was time, and seven times more in the interval after it.
  CHECK(bench.device.clock_reads == (1 + 1 + 7) * reads_of_one);
  bench.device.clock_works = true;
  for (int i = 0; i < 10; ++i) {
    bench.frame();
    bench.pass_ns(1'000'000);
  }
  CHECK(bench.stats().calibrations == 2);
}

TEST_CASE("the calibration that took the shortest counts, and its error is known") {
  const uint64_t costs_ns[] = {5000, 900, 40, 700, 3000};
  TimerBench bench;
  bench.device.on_clock_read = [&] { bench.pass_ns(costs_ns[(bench.device.clock_reads - 1) % 5]); };
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.device.clock_reads == 5);
  CHECK(bench.stats().calibration_error_ns == 20);
  const int64_t begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
  bench.scope("Pass", 100);
  bench.frame(2);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 1);
  CHECK(std::abs(spans[0].begin_ns - begin_ns) <= 20);
}

TEST_CASE("the clock is calibrated once in each interval, and drift is measured and followed") {
  TimerBench bench;
  bench.config().calibration_interval_ns = 10'000'000;
  REQUIRE(bench.create() == FLAMELET_OK);
  int64_t begin_ns = 0;
  for (int i = 0; i < 100; ++i) {
    begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
    bench.scope("Pass", 100);
    bench.frame();
    bench.pass_ns(1'000'000);
    bench.gpu_ahead_ns += 7;
  }
  CHECK(bench.stats().calibrations == 1 + 9);
  CHECK(bench.stats().calibration_drift_ns == 7 * 10);
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 100);
  CHECK(std::abs(spans.back().begin_ns - begin_ns) <= 7 * 10);
}

TEST_CASE("a GPU that counts in units of its own is placed by its rate") {
  TimerBench bench;
  bench.device.ticks_per_second = 19.2e6;  // one tick is 52.08 ns
  bench.device.clock = [&bench] { return 1'000'000 + bench.now_ns * 192 / 10'000; };
  bench.config().calibration_interval_ns = 1'000'000;
  REQUIRE(bench.create() == FLAMELET_OK);
  int64_t begin_ns = 0;
  for (int i = 0; i < 20; ++i) {
    begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
    bench.scope("Pass", 100'000);
    bench.frame();
  }
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 20);
  CHECK(std::abs(spans.back().begin_ns - begin_ns) <= 105);
  CHECK(std::abs(spans.back().end_ns - begin_ns - 100'010) <= 105);
  CHECK(std::abs(bench.stats().calibration_drift_ns) <= 105);
}

TEST_CASE("while the GPU's clock cannot be read the calibration before it holds") {
  TimerBench bench;
  bench.config().calibration_interval_ns = 0;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.device.clock_works = false;
  const int64_t begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
  bench.scope("Pass", 100);
  bench.frame(2);
  CHECK(bench.stats().calibrations == 1);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].begin_ns == begin_ns);
}

TEST_CASE("a read of the clock that is less exact than the calibration before is not taken, until that one is old") {
  uint64_t cost_ns = 100;
  TimerBench bench;
  bench.config().calibration_interval_ns = 1'000'000;
  bench.device.on_clock_read = [&] { bench.pass_ns(cost_ns); };
  REQUIRE(bench.create() == FLAMELET_OK);
  cost_ns = 400'000;
  for (int i = 0; i < 10; ++i) {
    bench.pass_ns(1'000'000);
    bench.frame();
  }
  CHECK(bench.stats().calibrations == 1);
  CHECK(bench.stats().calibration_error_ns == 50);
  bench.pass_ns(3'000'000'000);
  bench.frame();
  CHECK(bench.stats().calibrations == 2);
  CHECK(bench.stats().calibration_error_ns == 200'000);
  cost_ns = 100;
  bench.pass_ns(1'000'000);
  bench.frame();
  CHECK(bench.stats().calibration_error_ns == 50);
}

// ---- Gpu clock ----------------------------------------------------------------------------------------------------

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
