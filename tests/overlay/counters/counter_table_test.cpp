// SPDX-License-Identifier: MIT
#include "counters/counter_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "overlay/carved.h"
#include "overlay/span_trees.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace flamelet::ui;

namespace {

std::string text_of(double value) {
  FixedText<64> text;
  add_counter_value(&text, value);
  return std::string(text.view());
}

struct Recorded {
  explicit Recorded(uint32_t max_counters = 16) {
    memory = flamelet_tests::carved([&](Carver* carver) { history.carve(carver, {max_counters, 1024, 1024}); });
    history.clear();
  }
  void read() {
    capture.update();
    history.begin_round(capture);
    while (history.step(capture, 1000)) {
    }
  }
  const recorder_test::TickingRecording recording;
  recorder_test::Capture capture{flamelet_capture_config_default()};
  std::vector<char> memory;
  PointHistory history;
};

}  // namespace

TEST_CASE("overlay counters: the unit is the last word of the name, where it is a unit") {
  const std::pair<const char*, const char*> names[] = {{"memory MiB", "MiB"},
                                                       {"frame ms", "ms"},
                                                       {"load [percent]", "percent"},
                                                       {"texture memory (MB)", "MB"},
                                                       {"draw calls", ""},
                                                       {"MiB", ""},
                                                       {"", ""},
                                                       {" ms", ""},
                                                       {"a)", ""}};
  for (const auto& [name, unit] : names) CHECK(unit_of(name) == unit);
}

TEST_CASE("overlay counters: a value has the digits that are worth reading") {
  const double inf = std::numeric_limits<double>::infinity();
  const std::pair<double, const char*> values[] = {{2314, "2,314"},
                                                   {-2314, "-2,314"},
                                                   {0, "0"},
                                                   {16.42, "16.42"},
                                                   {123.44, "123.4"},
                                                   {0.031, "0.031000"},
                                                   {0.5, "0.500"},
                                                   {123456.7, "123,457"},
                                                   {1.2e21, "1.20e21"},
                                                   {3e-9, "3.00e-9"},
                                                   {std::nan(""), "not a number"},
                                                   {inf, "inf"},
                                                   {-inf, "-inf"}};
  for (const auto& [value, text] : values) CHECK(text_of(value) == text);
}

TEST_CASE("overlay counters: a short value takes few characters") {
  const auto short_text_of = [](double value) {
    FixedText<64> text;
    add_short_value(&text, value, 1);
    return std::string(text.view());
  };
  CHECK(short_text_of(9999) == "9,999");
  CHECK(short_text_of(-1000000000030) == "-1.0e12");
  CHECK(short_text_of(9.99e299) == "1.0e300");
  CHECK(short_text_of(0.00002) == "2.0e-5");
  CHECK(short_text_of(0) == "0");
}

TEST_CASE("overlay counters: counters of one unit share a lane, until the user takes them apart or merges others") {
  Recorded r;
  for (const char* name : {"used MiB", "draw calls", "free MiB", "agents"}) flamelet_counter(name, "", 1);
  flamelet_counter("agents", "", 7);
  r.read();
  CounterTable& counters = r.history.counters();
  REQUIRE(counters.count() == 4);
  CHECK(counters[0].text == "used MiB");
  CHECK(counters[2].lane == 0);
  CHECK(counters.lane_size(0) == 2);
  CHECK(counters.leads(1));
  CHECK(counters[3].last == 7);
  const uint32_t version = counters.version();
  counters.merge_lanes(3, 1);
  CHECK(counters[3].lane == 1);
  counters.part_lane(0);
  CHECK(counters[2].lane == 2);
  CHECK(counters.version() != version);
}

TEST_CASE("overlay counters: that there are more than the limit is known") {
  Recorded r(2);
  for (const char* name : {"a", "b", "c", "d"}) flamelet_counter(name, "", 1);
  r.read();
  CHECK(r.history.counters().count() == 2);
  CHECK(r.history.counters().left_out());
}

TEST_CASE_FIXTURE(Recorded, "overlay points: what is recorded later is read later, and nothing twice") {
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 10; ++i) {
      flamelet_instant("hello", "", nullptr);
      flamelet_counter("n", "", round * 10 + i);
    }
    read();
    CHECK(history.messages().count() == static_cast<uint32_t>(round + 1) * 10);
    CHECK(history.counters()[0].last == round * 10 + 9);
  }
  for (uint32_t i = 1; i < history.messages().count(); ++i)
    CHECK(history.messages()[i - 1].time_ns <= history.messages()[i].time_ns);
}

TEST_CASE_FIXTURE(Recorded, "overlay points: more points than the scratch array holds are all read") {
  constexpr uint32_t kMany = 20000;
  for (uint32_t i = 0; i < kMany; ++i) flamelet_counter("n", "", i);
  read();
  CHECK(history.counters()[0].last == kMany - 1);
}

TEST_CASE("counters: a value is told with its unit, bytes as many of them, and its name without it") {
  const auto told = [](double value, std::string_view unit) {
    FixedText<64> text;
    add_counter_value(&text, value, unit);
    return std::string(text.view());
  };
  CHECK(told(568, "B") == "568 B");
  CHECK(told(3 * 1048576, "bytes") == "3.0 MiB");
  CHECK(told(16.421, "ms") == "16.42 ms");
  CHECK(told(2314, "") == "2,314");
  const auto name = [](std::string_view text) { return std::string(name_without_unit(text, unit_of(text))); };
  CHECK(name("memory (B)") == "memory");
  CHECK(name("frame_time_ms") == "frame_time");
  CHECK(name("Memory, MiB") == "Memory");
  CHECK(name("draw calls") == "draw calls");
  CHECK(is_of_events(unit_of("memory alloc (B each)")));
  CHECK_FALSE(is_of_events(unit_of("memory (B)")));
}

// ---- Counter bins -------------------------------------------------------------------------------------------------

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
  for (const CounterBin& bin : bins.bins.bins(0, 0)) values.push_back(std::isfinite(bin.last) ? bin.last : -1);
  CHECK(values == std::vector<double>{1, 2, 3, -1});
  CounterBin all = *bins.bins.last_before(0, INT64_MAX);
  for (const CounterBin& bin : bins.bins.bins(0, 0)) all.merge(bin);
  CHECK(all.min == 1);
  CHECK(all.max == 3);
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

// ----  -------------------------------------------------------------------------------------------------------------

namespace counter_layout_test {

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
    building.counter(lane, time_ns, sites[counter], value);
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
  CHECK_FALSE(counters.series.held_before(9).known());
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

TEST_CASE("overlay counters: of a counter of two threads the newest value before the window is known") {
  for (const int64_t bin_values : {1, 100000}) {
    CAPTURE(bin_values);
    Counters counters(1);
    const uint32_t other = counters.building.lane(FLAMELET_LANE_THREAD, "other");
    for (int64_t i = 0; i < bin_values; ++i) counters.add(0, i * 10, static_cast<double>(i));
    counters.building.counter(other, 444446, counters.sites[0], -2);
    counters.building.counter(other, 555555, counters.sites[0], -3);
    counters.add(0, 2000000, -4);
    counters.finish();
    const struct {
      int64_t begin_ns;
      double one, many;
    } rows[] = {{444449, -2, -2}, {444455, -2, 44445}, {555559, -3, -3}, {700005, -3, 70000}};
    for (const auto& row : rows) {
      CAPTURE(row.begin_ns);
      counters.series.read(counters.building.capture, {row.begin_ns, row.begin_ns + 1}, &counters.history);
      CHECK(counters.series.held_before(0).value == (bin_values == 1 ? row.one : row.many));
    }
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

TEST_CASE("overlay counter axis: a range beyond the largest number has its values in their places") {
  const flamelet::ui::CounterAxis axis = flamelet::ui::counter_axis(-1e308, 1e308);
  CHECK(axis.place(-1e308) == 0);
  CHECK(axis.place(0) == doctest::Approx(0.5));
  CHECK(axis.place(1e308) == 1);
}
