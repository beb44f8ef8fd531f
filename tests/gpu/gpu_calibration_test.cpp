// SPDX-License-Identifier: MIT
//
// Where the GPU's times lie on the recorder's clock.
#include <doctest/doctest.h>

#include <cstdlib>
#include <vector>

#include "gpu/gpu_bench.h"

using namespace gpu_test;

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
