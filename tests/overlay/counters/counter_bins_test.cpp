// SPDX-License-Identifier: MIT
#include "counters/counter_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "overlay/carved.h"
#include "overlay/span_trees.h"

namespace counter_bins_test {

using namespace flamelet::ui;
using flamelet_tests::Random;

namespace {

struct Value {
  uint32_t counter;
  int64_t time_ns;
  double value;
};

struct Bins {
  Bins(uint32_t max_bins, uint32_t max_counters) {
    memory = flamelet_tests::carved([&](Carver* carver) { bins.carve(carver, max_bins, max_counters, true); });
    bins.clear();
  }
  void add(const std::vector<Value>& values) {
    for (const Value& value : values) bins.add(value.counter, value.time_ns, value.value);
    bins.build();
  }
  std::vector<char> memory;
  CounterBins bins;
};

std::vector<Value> random_values(uint64_t seed, uint32_t count, uint32_t counters) {
  Random random(seed);
  std::vector<Value> values;
  int64_t now_ns = -500000;
  for (uint32_t i = 0; i < count; ++i) {
    now_ns += random.below(1u << random.below(20));
    values.push_back({random.below(counters), now_ns, static_cast<double>(random.below(100000)) - 5000});
  }
  return values;
}

// What the bins of a counter say in all, at one level.
struct Sum {
  uint64_t count = 0;
  double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity();
  bool ordered = true, aligned = true;
};
Sum sum_of(const CounterBins& bins, uint32_t counter, uint32_t level) {
  Sum sum;
  const CounterBin* before = nullptr;
  for (const CounterBin& bin : bins.bins(counter, level)) {
    sum.count += bin.count;
    sum.min = std::min(sum.min, bin.min);
    sum.max = std::max(sum.max, bin.max);
    if (before != nullptr && before->last_ns > bin.first_ns) sum.ordered = false;
    if (bin.first_ns >> std::max(level, bins.level()) != bin.last_ns >> std::max(level, bins.level()))
      sum.aligned = false;
    before = &bin;
  }
  return sum;
}

}  // namespace

TEST_CASE("overlay counter bins: each level has every value once, whatever the room is") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    constexpr uint32_t kCounters = 5;
    const std::vector<Value> values = random_values(seed, 5000, kCounters);
    for (const uint32_t room : {8000u, 3000u, 300u, 40u}) {
      CAPTURE(room);
      Bins bins(room, kCounters);
      bins.add(values);
      CHECK(bins.bins.left_out() == 0);
      CHECK((bins.bins.level() == 0) == (room == 8000));
      for (uint32_t counter = 0; counter < kCounters; ++counter) {
        Sum wanted;
        for (const Value& value : values) {
          if (value.counter != counter) continue;
          ++wanted.count;
          wanted.min = std::min(wanted.min, value.value);
          wanted.max = std::max(wanted.max, value.value);
        }
        for (uint32_t level = 0; level < 40; ++level) {
          const Sum sum = sum_of(bins.bins, counter, level);
          REQUIRE(sum.count == wanted.count);
          REQUIRE(sum.min == wanted.min);
          REQUIRE(sum.max == wanted.max);
          REQUIRE(sum.ordered);
          REQUIRE(sum.aligned);
        }
      }
    }
  }
}

TEST_CASE("overlay counter bins: a coarser level has at most half as many bins, down to a few") {
  std::vector<Value> values;
  for (int64_t i = 0; i < 10000; ++i) values.push_back({0, i * 1000 + i % 7, static_cast<double>(i)});
  Bins bins(20000, 1);
  bins.add(values);
  const auto count = [&](uint32_t level) {
    const CounterBinRange range = bins.bins.bins(0, level);
    return range.end() - range.begin();
  };
  CHECK(count(0) == 10000);
  for (uint32_t level = 10; level < 24; ++level) {
    CAPTURE(level);
    const int64_t at_level = (int64_t{10000} * 1000 >> level) + 1;
    CHECK(count(level) <= std::max<int64_t>(2 * at_level, 32));
  }
}

TEST_CASE("overlay counter bins: the last value before a time is found") {
  Bins bins(100, 2);
  bins.add({{0, 100, 1}, {1, 150, 7}, {0, 200, 2}});
  CHECK(bins.bins.last_before(0, 100) == nullptr);
  REQUIRE(bins.bins.last_before(0, 101) != nullptr);
  CHECK(bins.bins.last_before(0, 101)->last == 1);
  CHECK(bins.bins.last_before(0, 5000)->last == 2);
  CHECK(bins.bins.last_before(1, 5000)->last == 7);
}

TEST_CASE(
    "overlay counter bins: values that are no number are counted, and those of several threads are put in order") {
  Bins bins(100, 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  bins.add({{0, 300, 3}, {0, 400, nan}, {0, 400, std::numeric_limits<double>::infinity()}, {0, 100, 1}, {0, 200, 2}});
  CHECK(bins.bins.not_finite() == 2);
  std::vector<double> values;
  for (const CounterBin& bin : bins.bins.bins(0, 0)) values.push_back(bin.last);
  CHECK(values == std::vector<double>{1, 2, 3});
}

TEST_CASE("overlay counter bins: without room, what lies before the capture goes first") {
  Bins bins(64, 1);
  for (int64_t i = 0; i < 64; ++i) bins.bins.add(0, i * 1000, 1);
  bins.bins.forget_before(32000);
  for (int64_t i = 64; i < 70; ++i) bins.bins.add(0, i * 1000, 1);
  CHECK(bins.bins.level() == 0);
  CHECK(bins.bins.count() == 38);
}

}  // namespace counter_bins_test
