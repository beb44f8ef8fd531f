// SPDX-License-Identifier: MIT
#include "gate.h"

#include <doctest/doctest.h>

#include <random>

using namespace flamelet::tools;

namespace {

using Runs = std::vector<std::vector<int64_t>>;

std::vector<int64_t> count_to(int64_t last) {
  std::vector<int64_t> run;
  for (int64_t i = 1; i <= last; ++i) run.push_back(i);
  return run;
}

// Runs that are slow or fast as a whole: a frame tells little that the others of its run do not.
Runs uneven_runs(std::mt19937_64* random, size_t count, double run_noise, double frame_noise) {
  std::normal_distribution<double> normal;
  Runs runs;
  for (size_t i = 0; i < count; ++i) {
    runs.emplace_back();
    const double level = 1e6 * (1 + run_noise * normal(*random));
    for (int frame = 0; frame < 100; ++frame)
      runs.back().push_back(static_cast<int64_t>(level * (1 + frame_noise * normal(*random))));
  }
  return runs;
}

}  // namespace

TEST_CASE("frame bootstrap: values are those of all frames, by nearest rank") {
  const Runs runs[2] = {{count_to(50), count_to(100)}, {{10, 20, 30, 40}}};
  const FrameIntervals frames = bootstrap_frames(runs, 80, 200, 1);
  CHECK(frames.side[0][kP50].value == 38);  // rank 75 of 1 1 2 2 ... 50 50 51 ... 100
  CHECK(frames.side[0][kP99].value == 99);
  CHECK(frames.side[0][kOverBudget].value == doctest::Approx(20.0 / 150));
  CHECK(frames.side[1][kP50].value == 20);
  CHECK(frames.side[1][kP95].value == 40);
  CHECK(frames.side[1][kOverBudget].value == 0);
  CHECK(frames.change[kP50].value == doctest::Approx(20.0 / 38 - 1));
  CHECK(frames.change[kOverBudget].value == doctest::Approx(-20.0 / 150));
}

TEST_CASE("frame bootstrap: frames that are all alike have intervals without a width") {
  const Runs runs[2] = {{{7, 7, 7}, {7, 7}}, {{9}}};
  const FrameIntervals frames = bootstrap_frames(runs, 8, 50, 3);
  for (const FrameFigure figure : {kP50, kP95, kP99}) {
    CHECK(frames.side[0][figure].low == 7);
    CHECK(frames.side[0][figure].high == 7);
    CHECK(frames.change[figure].low == doctest::Approx(9.0 / 7 - 1));
  }
  CHECK(frames.side[1][kOverBudget].low == 1);
  CHECK(frames.change[kOverBudget].high == 1);
}

TEST_CASE("frame bootstrap: the same seed gives the same intervals") {
  std::mt19937_64 random(5);
  const Runs runs[2] = {uneven_runs(&random, 5, 0.02, 0.1), uneven_runs(&random, 5, 0.02, 0.1)};
  const auto low = [&](uint64_t seed) { return bootstrap_frames(runs, 1e6, 200, seed).change[kP95].low; };
  CHECK(low(1) == low(1));
  CHECK(low(1) != low(2));
}

TEST_CASE("frame bootstrap: an interval knows that frames of one run are alike") {
  std::mt19937_64 random(11);
  const auto width = [&](const Runs& runs) {
    const Runs both[2] = {runs, runs};
    const Interval p50 = bootstrap_frames(both, 0, 400, 1).side[0][kP50];
    return p50.high - p50.low;
  };
  // Runs that differ by 5 % and frames by 1 %: the mean of ten runs is known to 5 % / sqrt(10), two such each way.
  const double uneven = width(uneven_runs(&random, 10, 0.05, 0.01));
  CHECK(uneven > 1e6 * 0.05);
  CHECK(uneven < 1e6 * 0.12);
  CHECK(width(uneven_runs(&random, 10, 0, 0.01)) < uneven / 10);
}

TEST_CASE("frame bootstrap: about 95 % of the intervals hold the truth" * doctest::test_suite("gate")) {
  std::mt19937_64 random(3);
  int held = 0;
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    const Runs runs[2] = {uneven_runs(&random, 10, 0.02, 0.05), uneven_runs(&random, 10, 0.02, 0.05)};
    const Interval change = bootstrap_frames(runs, 0, 200, 1).change[kP50];
    held += change.low <= 0 && change.high >= 0;
  }
  CHECK(held >= kTries * 88 / 100);  // intervals from ten runs are known to be a little narrow
  CHECK(held <= kTries * 99 / 100);
}
