// SPDX-License-Identifier: MIT
#include "lanes/span_store.h"

#include <doctest/doctest.h>

#include <vector>

#include "lanes/lane_rows.h"
#include "overlay/recorded_game.h"
#include "overlay/span_trees.h"
#include "support/capture.h"

using namespace flamelet::ui;

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

// ---- Span neighbors -----------------------------------------------------------------------------------------------

namespace {

// a(0-100) { b(10-30) { c(12-14) }  d(40-90) { e(41-42)  f(50-80) } }  g(200-300)
struct Walked {
  Walked() {
    add(0, 100, 0, 6, 1);
    add(10, 30, 1, 3, 2);
    add(12, 14, 2, 3, 3);
    add(40, 90, 1, 6, 4);
    add(41, 42, 2, 5, 5);
    add(50, 80, 2, 6, 6);
    add(200, 300, 0, 7, 7);
    rows.build(spans);
    lane = rows.lane;
  }
  void add(int64_t begin_ns, int64_t end_ns, uint16_t depth, uint32_t subtree_end, uint32_t name) {
    flamelet_span span = {};
    span.begin_ns = begin_ns;
    span.end_ns = end_ns;
    span.depth = depth;
    span.subtree_end = subtree_end;
    span.name = name;
    spans.push_back(span);
  }
  std::vector<flamelet_span> spans;
  flamelet_tests::BuiltRows rows;
  LaneRows lane;
};

}  // namespace

TEST_CASE("span neighbours: parents, longest children, and neighbours on a row") {
  const Walked w;
  const uint32_t none = w.lane.span_count;
  CHECK(parent_of(w.lane, 0) == none);
  CHECK(parent_of(w.lane, 3) == 0);
  CHECK(parent_of(w.lane, 5) == 3);
  CHECK(parent_of(w.lane, 2) == 1);
  CHECK(longest_child(w.lane, 0) == 3);
  CHECK(longest_child(w.lane, 3) == 5);
  CHECK(longest_child(w.lane, 6) == none);
  CHECK(along_row(w.lane, 2, 1) == 4);  // a cousin
  CHECK(along_row(w.lane, 5, -1) == 4);
  CHECK(along_row(w.lane, 5, 1) == none);
  CHECK(along_row(w.lane, 0, 1) == 6);
  CHECK(along_row(w.lane, 0, -1) == none);
}

TEST_CASE("span neighbours: a span is found again by its times, and the outermost one by a time") {
  const Walked w;
  for (uint32_t i = 0; i < w.lane.span_count; ++i) CHECK(find_same_span(w.lane, w.spans[i]) == i);
  flamelet_span other = w.spans[2];
  other.end_ns += 1;
  CHECK(find_same_span(w.lane, other) == w.lane.span_count);
  other.depth = 9;
  CHECK(find_same_span(w.lane, other) == w.lane.span_count);
  CHECK(nearest_root(w.lane, -5) == 0);
  CHECK(nearest_root(w.lane, 50) == 0);
  CHECK(nearest_root(w.lane, 120) == 0);
  CHECK(nearest_root(w.lane, 180) == 6);
  CHECK(nearest_root(w.lane, 900) == 6);
  CHECK(nearest_root(LaneRows(), 0) == 0);
  CHECK(longest_in(w.lane, {0, 1000}) == 0);
  CHECK(longest_in(w.lane, {150, 1000}) == 6);
  CHECK(longest_in(w.lane, {120, 150}) == w.lane.span_count);
}

TEST_CASE("span neighbours: the longest in a window lies mostly in it, and only without one reaches into it") {
  const Walked w;
  CHECK(longest_in(w.lane, {1, 200}) == 0);
  CHECK(longest_in(w.lane, {45, 75}) == 3);
  CHECK(longest_in(w.lane, {55, 75}) == 5);
  CHECK(longest_in(w.lane, {60, 70}) == 0);
}
