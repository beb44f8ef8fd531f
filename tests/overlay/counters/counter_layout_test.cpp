// SPDX-License-Identifier: MIT
#include "counters/counter_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "overlay/carved.h"
#include "overlay/span_trees.h"
#include "support/building.h"

namespace counter_layout_test {

using namespace flamelet::ui;
using flamelet_tests::Random;

namespace {

// Counters "c0", "c1" ... on one thread, as a capture.
struct Counters {
  explicit Counters(uint32_t counters, uint32_t max_bins = 1u << 15)
      : building(flamelet_capture_config_default()), lane(building.lane(FLAMELET_LANE_THREAD, "main")) {
    for (uint32_t i = 0; i < counters; ++i) sites.push_back(building.site("c" + std::to_string(i)));
    memory = flamelet_tests::carved([&](Carver* carver) {
      history.carve(carver, {64, 1u << 15, 1024});
      series.carve(carver, max_bins, 64);
      carver->take(&columns, 20000);
    });
    history.clear();
    series.clear();
  }
  void add(uint32_t counter, int64_t time_ns, double value) {
    flamelet_capture_builder_counter(building.builder, lane, time_ns, sites[counter], value);
    times.push_back(time_ns);
  }
  void finish(bool read_history = true) {
    building.finish();
    if (!read_history) return;
    history.begin_round(building.capture);
    while (history.step(building.capture, 100000000)) {
    }
  }
  CounterLine layout(uint32_t counter, View view, float width_px, uint32_t level) {
    CounterLine line;
    columns.clear();
    REQUIRE(lay_out_counter(series, counter, view, width_px, level, &columns, &line));
    return line;
  }
  recorder_test::Building building;
  const uint32_t lane;
  std::vector<char> memory;
  std::vector<uint32_t> sites;
  std::vector<int64_t> times;
  PointHistory history;
  CounterSeries series;
  Array<CounterColumn> columns;
};

}  // namespace

TEST_CASE("overlay counters: drawn and merged add up to the values in view, at every zoom") {
  for (const uint32_t room : {1u << 15, 500u}) {
    CAPTURE(room);
    Counters counters(1, room);
    Random random(3);
    int64_t now_ns = 1000;
    for (int i = 0; i < 20000; ++i) counters.add(0, now_ns += 1 + random.below(1u << random.below(18)), i);
    counters.finish();
    counters.series.read(counters.building.capture, {0, now_ns + 1}, &counters.history);
    for (int i = 0; i < 400; ++i) {
      View view;
      view.begin_ns = random.below(static_cast<uint32_t>(now_ns));
      view.end_ns = view.begin_ns + 50 + random.below(1u << random.below(31));
      const float width_px = static_cast<float>(1 + random.below(2000));
      const uint32_t level = counter_level(view, width_px, 3);
      const CounterLine line = counters.layout(0, view, width_px, level);
      const TimeWindow counted = counted_window(window_of(view), std::max(level, counters.series.bins().level()));
      REQUIRE(counted.begin_ns <= window_of(view).begin_ns);
      REQUIRE(counted.end_ns >= window_of(view).end_ns);
      const int64_t in_view = std::count_if(counters.times.begin(), counters.times.end(), [&](int64_t time_ns) {
        return time_ns >= counted.begin_ns && time_ns < counted.end_ns;
      });
      REQUIRE(line.count <= most_columns(counters.series, 0, view, level));
      REQUIRE(line.values_drawn + static_cast<int64_t>(line.values_merged) == in_view);
      // Columns are at most three pixels wide, unless the bins at hand are wider.
      if (room > 500) REQUIRE(line.count <= width_px / 1.5f + 4);
    }
  }
}

TEST_CASE("overlay counters: columns go from left to right and hold what the values were") {
  Counters counters(1);
  counters.add(0, 1000, 5);
  counters.add(0, 5000, 9);
  counters.add(0, 5001, 2);
  counters.add(0, 9000, 4);
  counters.finish();
  counters.series.read(counters.building.capture, {0, 10000}, &counters.history);
  const View view = {2000, 10000};
  const CounterLine line = counters.layout(0, view, 800, counter_level(view, 800, 3));
  REQUIRE(line.count == 3);
  CHECK(line.values_drawn == 1);
  CHECK(line.values_merged == 2);
  CHECK(counters.columns[0].x0 == 0);  // the value before the view
  CHECK(counters.columns[0].last == 5);
  CHECK(counters.columns[1].x0 == doctest::Approx(300));
  CHECK(counters.columns[1].min == 2);
  CHECK(counters.columns[1].max == 9);
  CHECK(counters.columns[1].last == 2);
  CHECK(counters.columns[2].x0 == doctest::Approx(700));
  CHECK(line.min == 2);
  CHECK(line.max == 9);
}

TEST_CASE("overlay counters: a value that is no number ends the one before, and is no part of the line") {
  Counters counters(1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  counters.add(0, 1000, 5);
  counters.add(0, 5000, nan);
  counters.add(0, 9000, -std::numeric_limits<double>::infinity());
  counters.add(0, 12000, 7);
  counters.add(0, 15000, nan);
  counters.finish();
  counters.series.read(counters.building.capture, {0, 20000}, &counters.history);
  CHECK(counters.series.value_at(0, 4000).value == 5);
  CHECK(std::isnan(counters.series.value_at(0, 6000).value));
  CHECK(counters.series.value_at(0, 13000).value == 7);
  const CounterLine line = counters.layout(0, {0, 20000}, 2000, 3);
  REQUIRE(line.count == 5);
  CHECK(line.values_drawn == 2);
  CHECK(line.min == 5);
  CHECK(line.max == 7);
  CHECK(counters.columns[1].min > counters.columns[1].max);
  // And before the window.
  counters.series.read(counters.building.capture, {16000, 20000}, &counters.history);
  CHECK(std::isnan(counters.series.value_at(0, 17000).value));
  CHECK(counters.layout(0, {16000, 20000}, 2000, 3).count == 0);
}

TEST_CASE("overlay counters: a value that was set long before the window is known in it") {
  Counters counters(2);
  counters.add(0, 1000, 42);
  for (int64_t i = 0; i < 1000; ++i) counters.add(1, 2000 + i * 1000000, static_cast<double>(i));
  counters.finish();
  counters.series.read(counters.building.capture, {500500000, 500600000}, &counters.history);
  CHECK(counters.series.bins().count() == 0);
  CHECK(counters.series.value_at(0, 500550000).value == 42);
  CHECK(counters.series.value_at(1, 500550000).value == 500);
  const CounterLine line = counters.layout(0, {500500000, 500600000}, 800, 4);
  CHECK(line.count == 1);
  CHECK(line.min == 42);
  CHECK_FALSE(counters.series.held_before(9).known);
}

TEST_CASE("overlay counters: a bin with values on both sides of the window's begin gives the right one") {
  Counters counters(1);
  // More values than the history has bins for: its bins are long.
  for (int64_t i = 0; i < 100000; ++i) counters.add(0, i * 10, static_cast<double>(i));
  counters.finish();
  for (const int64_t begin_ns : {123455, 700001, 999990}) {
    counters.series.read(counters.building.capture, {begin_ns, begin_ns + 4}, &counters.history);
    CAPTURE(begin_ns);
    CHECK(counters.series.held_before(0).value == static_cast<double>((begin_ns - 1) / 10));
  }
}

TEST_CASE("overlay counters: a value from before the window is found once the history has been read that far") {
  Counters counters(1);
  for (int64_t i = 0; i < 1000; ++i) counters.add(0, i * 1000000, static_cast<double>(i));
  counters.finish(false);
  counters.history.begin_round(counters.building.capture);
  counters.history.step(counters.building.capture, 10000000);
  counters.series.read(counters.building.capture, {500500000, 500600000}, &counters.history);
  const uint64_t generation = counters.series.generation();
  counters.series.complete(counters.building.capture, &counters.history);
  CHECK(counters.series.generation() == generation);
  while (counters.history.step(counters.building.capture, 100000000)) {
  }
  counters.series.complete(counters.building.capture, &counters.history);
  CHECK(counters.series.generation() != generation);
  CHECK(counters.series.held_before(0).value == 500);
}

TEST_CASE("overlay counters: the axis holds all values, has some height, and begins at 0 where that is near") {
  CHECK(counter_axis(10, 100).low == 0);
  CHECK(counter_axis(90, 100).low == 90);
  CHECK(counter_axis(-100, -10).high == 0);
  CHECK(counter_axis(-5, 5).low == -5);
  const CounterAxis noise = counter_axis(7868, 7872);  // no cliff
  CHECK(noise.place(7872) - noise.place(7868) < 0.02);
  CHECK(noise.place(7870) == doctest::Approx(0.5));
  CHECK(counter_axis(7, 7).place(7) == doctest::Approx(0.5));
  CHECK(counter_axis(7, 7).flat);
  CHECK(counter_axis(0, 0).place(0) == doctest::Approx(0.5));
  const CounterAxis large = counter_axis(1e308, 1e308);
  CHECK(large.high > large.low);
  CHECK(std::isfinite(large.place(1e308)));
}

}  // namespace counter_layout_test
