// SPDX-License-Identifier: MIT
#include "lanes/span_store.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "overlay/recorded_game.h"
#include "support/capture.h"

namespace span_store_test {

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

struct Fixture {
  explicit Fixture(uint32_t max_spans = 100000, uint32_t max_lanes = 16)
      : game(RecordedGame::Options{}), memory(size_t{32} << 20) {
    game.frames(12);
    update();
    Carver carver(memory.data());
    store.carve(&carver, max_spans, max_lanes);
    REQUIRE(carver.used() <= memory.size());
  }
  void update() { capture.update(); }
  TimeWindow all() const {
    TimeWindow window;
    flamelet_capture_extent(capture, &window.begin_ns, &window.end_ns);
    ++window.end_ns;
    return window;
  }
  RecordedGame game;
  std::vector<char> memory;
  recorder_test::Capture capture{flamelet_capture_config_default()};
  SpanStore store;
};

}  // namespace

TEST_CASE("overlay spans: all lanes are read, threads first and the GPU behind them") {
  Fixture f;
  f.store.read(f.capture, f.all());
  REQUIRE(f.store.lanes().count == 4);
  const char* names[] = {"Main", "Worker 0", "Worker 1", "GPU"};
  for (uint32_t i = 0; i < 4; ++i) {
    CHECK(f.store.lanes()[i].name == names[i]);
    CHECK(f.store.lanes()[i].rows.span_count > 0);
    CHECK(f.store.lanes()[i].left_out == 0);
  }
  CHECK(f.store.lanes()[0].instant_count == 12);
  CHECK(f.store.covers({f.all().begin_ns + 5, f.all().end_ns - 5}));
  CHECK_FALSE(f.store.covers({f.all().begin_ns - 1, f.all().end_ns}));
}

TEST_CASE("overlay spans: what the user did to a lane outlives the next read") {
  Fixture f;
  f.store.read(f.capture, f.all());
  f.store.lanes()[1].folded = true;
  f.store.lanes()[3].hidden = true;
  f.game.frames(3);
  f.update();
  f.store.read(f.capture, f.all());
  CHECK(f.store.lanes()[1].folded);
  CHECK_FALSE(f.store.lanes()[2].folded);
  CHECK(f.store.lanes()[3].hidden);
  f.store.clear(true);
  f.store.read(f.capture, f.all());
  CHECK_FALSE(f.store.lanes()[1].folded);
}

TEST_CASE("overlay spans: too many for the memory are shared among the lanes and counted") {
  Fixture whole;
  whole.store.read(whole.capture, whole.all());
  const uint32_t found = whole.store.span_count();
  uint32_t of_lane[4];
  for (uint32_t i = 0; i < 4; ++i) of_lane[i] = whole.store.lanes()[i].rows.span_count;

  const uint32_t room = found / 3;
  std::vector<char> memory(size_t{8} << 20);
  Carver carver(memory.data());
  SpanStore store;
  store.carve(&carver, room, 16);
  recorder_test::Capture capture(flamelet_capture_config_default());
  capture.update();
  store.read(capture, {0, INT64_MAX / 2});
  CHECK(store.span_count() <= room);
  CHECK(store.span_count() + store.left_out() == found);
  for (uint32_t i = 0; i < 4; ++i) {
    const Lane& lane = store.lanes()[i];
    CHECK(lane.rows.span_count + lane.left_out == of_lane[i]);
    CHECK(lane.rows.span_count == doctest::Approx(of_lane[i] / 3.0).epsilon(0.1));
  }
}

TEST_CASE("overlay spans: of more lanes than the table holds, those with spans in the window are read, or counted") {
  Fixture f(100000, 2);
  f.store.read(f.capture, f.all());
  CHECK(f.store.lanes().count == 2);
  CHECK(f.store.lanes_left_out() == 2);
  // A time at which just two lanes, and not the first two, have a span.
  REQUIRE(flamelet_capture_lane_count(f.capture) == 4);
  const auto busy = [&](size_t lane, int64_t at_ns) {
    return flamelet_capture_count_spans(f.capture, lane, at_ns, at_ns + 1) != 0;
  };
  size_t gpu = 0;
  flamelet_lane_info info;
  while (flamelet_capture_lane(f.capture, gpu, &info) && info.kind != FLAMELET_LANE_GPU) ++gpu;
  int64_t at_ns = f.all().begin_ns;
  const auto busy_lanes = [&] { return busy(0, at_ns) + busy(1, at_ns) + busy(2, at_ns) + busy(3, at_ns); };
  while (at_ns < f.all().end_ns && !(busy_lanes() == 2 && busy(gpu, at_ns))) at_ns += 10000;
  f.store.read(f.capture, {at_ns, at_ns + 1});
  REQUIRE(f.store.lanes().count == 2);
  CHECK(f.store.lanes()[1].name == "GPU");
  CHECK(f.store.lanes_left_out() == 0);
}

TEST_CASE("overlay spans: the filter's matches of a subtree are known without walking it") {
  Fixture f;
  f.store.read(f.capture, f.all());
  f.store.find_filter_matches([](const LaneSpan& span) { return span.depth == 2; });
  for (const Lane& lane : f.store.lanes()) {
    uint32_t expected = 0;
    for (uint32_t i = 0; i < lane.rows.span_count; ++i) expected += lane.rows.spans[i].depth == 2;
    CHECK(lane.matches.before_span(lane.rows.span_count) == expected);
  }
}

}  // namespace span_store_test
