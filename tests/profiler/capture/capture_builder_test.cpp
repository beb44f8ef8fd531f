// SPDX-License-Identifier: MIT
#include "flamelet/capture_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "flamelet/capture_file.h"
#include "support/building.h"

namespace {

using recorder_test::Building;
using recorder_test::read_spans;

flamelet_capture_builder_stats stats_of(const Building& b) {
  flamelet_capture_builder_stats stats;
  flamelet_capture_builder_get_stats(b.builder, &stats);
  return stats;
}

void save_and_load(Building* b, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) {
  const std::string bytes = recorder_test::save(b->capture, begin_ns, end_ns);
  flamelet_capture_destroy(b->capture);
  REQUIRE(flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &b->capture, nullptr) == FLAMELET_OK);
}

// "? 0-100, runs on 3 100-200, off by others 200-300"
std::string states_of(const flamelet_capture* capture, size_t lane) {
  std::vector<flamelet_state> states(FLAMELET_CURSOR_LEAST);
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, capture, lane, 0, 1'000'000, states.data(), states.size());
  std::string text;
  while (flamelet_state_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_state& state = cursor.states[i];
      const std::string by = state.by == FLAMELET_BY_OTHERS ? "others"
                             : state.by == FLAMELET_BY_UNKNOWN
                                 ? "a thread"
                                 : recorder_test::text_of(recorder_test::lane_of(capture, state.by).name);
      const std::string kinds[] = {"?", "runs on " + std::to_string(state.processor), "off by " + by, "asleep"};
      text += (text.empty() ? "" : ", ") + kinds[state.kind] + " " + std::to_string(state.begin_ns) + "-" +
              std::to_string(state.end_ns);
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  return text;
}

}  // namespace

TEST_CASE("capture builder: nested scopes over many pages come out as they went in") {
  Building b;
  const uint32_t outer = b.site("outer"), inner = b.site("inner");
  const uint32_t lane = b.lane(FLAMELET_LANE_THREAD, "main");
  const flamelet_id id = b.begin(lane, 5, outer, 0, b.string("all of it"));
  constexpr int kCount = 3000;
  for (int i = 0; i < kCount; ++i) {
    const std::string name = "name " + std::to_string(i % 10);
    b.begin(lane, 10 + 10 * i, inner, i % 2 == 0 ? 0 : b.string(name), 0);
    b.end(lane, 17 + 10 * i);
  }
  b.end(lane, 100000);
  CHECK(stats_of(b).events == 2 * kCount + 2);
  b.finish();
  const std::vector<flamelet_span> spans = read_spans(b.capture, 0);
  REQUIRE(spans.size() == kCount + 1);
  CHECK(spans[0].id == id);
  CHECK(spans[0].begin_ns == 5);
  CHECK(spans[0].end_ns == 100000);
  CHECK(spans[0].self_ns == 100000 - 5 - 7 * kCount);
  CHECK(std::string(flamelet_capture_string(b.capture, spans[0].object).text) == "all of it");
  for (int i = 0; i < kCount; ++i) {
    const flamelet_span& span = spans[static_cast<size_t>(i) + 1];
    CHECK(span.begin_ns == 10 + 10 * i);
    CHECK(span.end_ns == 17 + 10 * i);
    CHECK(span.parent == 0);
    CHECK(std::string(flamelet_capture_string(b.capture, span.name).text) ==
          (i % 2 == 0 ? "inner" : "name " + std::to_string(i % 10)));
  }
  const flamelet_lane_info info = recorder_test::lane_of(b.capture, 0);
  CHECK(std::string(info.name.text) == "main");
  CHECK(info.events_read == 2 * kCount + 2);
  CHECK(info.events_lost == 0);
}

TEST_CASE("capture builder: what has no place is left out and counted") {
  Building b;
  const uint32_t site = b.site("deep");
  const uint32_t lane = b.lane(FLAMELET_LANE_THREAD, "main");
  b.end(lane, 0);
  CHECK(stats_of(b).extra_ends == 1);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 3; ++i) b.begin(lane, 100, site);
  CHECK(stats_of(b).dropped_depth == 3);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 3; ++i) b.end(lane, 200);
  CHECK(stats_of(b).extra_ends == 1);
  flamelet_capture_builder_counter(b.builder, lane, 150, site, 1.5);
  flamelet_capture_builder_counter(b.builder, lane, -1, site, 2.5);
  CHECK(stats_of(b).time_clamped == 2);
  b.end(0, 300);
  b.end(lane + 1, 300);
  b.span(lane, 1, 2, site);
  CHECK(stats_of(b).dropped_lane == 3);
  b.finish();
  CHECK(read_spans(b.capture, 0).size() == FLAMELET_MAX_DEPTH);
}

TEST_CASE("capture builder: queues, intervals, frames and names survive a file") {
  Building b;
  const uint32_t draw = b.site("draw"), flip = b.site("flip");
  const uint32_t queue = b.lane(FLAMELET_LANE_GPU, "queue");
  CHECK(b.site("draw") == draw);
  b.span(queue, 500, 900, draw);
  b.span(queue, 100, 1000, draw, 77);  // late, and the parent
  flamelet_capture_builder_instant(b.builder, queue, 950, flip, 0, 0);
  flamelet_capture_builder_interval(b.builder, 1, 50, 1, 2000, 9, flip, 0, 0);
  flamelet_capture_builder_frame(b.builder, 3, 0, 1000, 0);
  flamelet_capture_builder_frame(b.builder, 4, 1000, 1500, FLAMELET_FRAME_PARTIAL);
  b.finish();

  save_and_load(&b);
  const std::vector<flamelet_span> spans = read_spans(b.capture, 0);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].id == 77);
  CHECK(spans[0].self_ns == 500);
  CHECK(spans[1].parent == 0);
  flamelet_point point;
  flamelet_capture_read_points(b.capture, 0, INT64_MIN, INT64_MAX, &point, 1, nullptr);
  REQUIRE(flamelet_capture_count_points(b.capture, 0, INT64_MIN, INT64_MAX) == 1);
  CHECK(point.time_ns == 950);
  flamelet_interval interval;
  REQUIRE(flamelet_capture_read_intervals(b.capture, INT64_MIN, INT64_MAX, &interval, 1) == 1);
  CHECK(interval.end_ns == 2000);
  CHECK(std::string(flamelet_capture_string(b.capture, interval.name).text) == "flip");
  REQUIRE(flamelet_capture_frame_count(b.capture) == 2);
  const flamelet_frame_info frame = recorder_test::frame_of(b.capture, 1);
  CHECK(frame.index == 4);
  CHECK(frame.flags == FLAMELET_FRAME_PARTIAL);
}

namespace {

// The same lane as the reader's answer must describe it, worked out with a plain stack. The spans stand in order.
struct Expected {
  int64_t begin_ns;
  int64_t end_ns;
  uint16_t depth;
  uint16_t flags;
  flamelet_id id;
};

// Nested spans in order, many of them without a length, at the begin, at the end and inside of others.
void make_spans(std::mt19937& random, int64_t begin_ns, int64_t end_ns, uint16_t depth, std::vector<Expected>* spans) {
  int64_t now_ns = begin_ns;
  for (auto i = random() % 5; i != 0 && spans->size() < 400; --i) {
    now_ns = std::min<int64_t>(end_ns, now_ns + static_cast<int64_t>(random() % 4));
    const int64_t end = std::min<int64_t>(end_ns, now_ns + static_cast<int64_t>(random() % 3 * (random() % 40)));
    spans->push_back({now_ns, end, depth, static_cast<uint16_t>(random() % 64), spans->size() + 1});
    if (depth < 30) make_spans(random, now_ns, end, static_cast<uint16_t>(depth + 1), spans);
    now_ns = end;
  }
}

void check_window(const Building& b, size_t lane, const std::vector<Expected>& expected, int64_t begin_ns,
                  int64_t end_ns) {
  const std::vector<flamelet_span> spans = read_spans(b.capture, lane, begin_ns, end_ns);
  size_t at = 0;
  for (const Expected& span : expected) {
    if (span.begin_ns >= end_ns || (span.begin_ns < begin_ns && span.end_ns <= begin_ns)) continue;
    REQUIRE(at < spans.size());
    const flamelet_span& found = spans[at++];
    CHECK(std::tie(found.id, found.begin_ns, found.end_ns, found.depth, found.flags) ==
          std::tie(span.id, span.begin_ns, span.end_ns, span.depth, span.flags));
  }
  CHECK(at == spans.size());
}

}  // namespace

TEST_CASE("capture builder: whole spans in order come back with their flags, depths and places") {
  std::mt19937 random(20);
  for (int round = 0; round < 12; ++round) {
    Building b;
    const uint32_t site = b.site("span");
    const flamelet_lane_kind kind = static_cast<flamelet_lane_kind>(round % 4);
    const uint32_t lane = flamelet_capture_builder_span_lane(b.builder, kind, 7, b.string("lane"), true);
    std::vector<Expected> expected;
    while (expected.size() < 300) {
      const int64_t begin_ns = expected.empty() ? -500 : expected.back().end_ns + 1000;
      make_spans(random, begin_ns, begin_ns + 300, 0, &expected);
    }
    for (const Expected& span : expected)
      b.span(lane, span.begin_ns, span.end_ns, site, span.id, span.depth, span.flags);
    b.finish();
    if (round % 2 == 0) save_and_load(&b);
    const flamelet_lane_info info = recorder_test::lane_of(b.capture, 0);
    CHECK(info.id == 7);
    CHECK(info.kind == kind);
    CHECK(std::string(info.name.text) == "lane");
    check_window(b, 0, expected, INT64_MIN, INT64_MAX);
    for (int i = 0; i < 40; ++i) {
      const Expected& near = expected[random() % expected.size()];
      const int64_t begin_ns = near.begin_ns + static_cast<int64_t>(random() % 5) - 2;
      check_window(b, 0, expected, begin_ns, begin_ns + 1 + static_cast<int64_t>(random() % 200));
    }
  }
}

TEST_CASE("capture builder: whole spans in any order are found in every window") {
  std::mt19937 random(21);
  Building b;
  const uint32_t site = b.site("span");
  const uint32_t lane = flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_THREAD, 0, 0, false);
  std::vector<Expected> expected;
  for (int64_t i = 0; i < 20000; ++i) expected.push_back({10 * i, 10 * i + 8, 1, 0, static_cast<flamelet_id>(i)});
  expected.push_back({0, 200000, 0, 0, 20000});  // around all the others
  std::vector<Expected> shuffled = expected;
  for (size_t i = 0; i + 50 < shuffled.size(); ++i) std::swap(shuffled[i], shuffled[i + random() % 50]);
  for (const Expected& span : shuffled) b.span(lane, span.begin_ns, span.end_ns, site, span.id);
  b.finish();
  std::sort(expected.begin(), expected.end(), [](const Expected& x, const Expected& y) {
    return x.begin_ns != y.begin_ns ? x.begin_ns < y.begin_ns : x.end_ns > y.end_ns;
  });
  check_window(b, 0, expected, INT64_MIN, INT64_MAX);
  for (int i = 0; i < 60; ++i) {
    const int64_t begin_ns = static_cast<int64_t>(random() % 200000);
    check_window(b, 0, expected, begin_ns, begin_ns + 1 + static_cast<int64_t>(random() % 300));
  }
}

TEST_CASE("capture builder: of whole spans that begin together the longer is the parent, and what sticks out is cut") {
  Building b;
  const uint32_t site = b.site("span");
  const uint32_t lane = flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_THREAD, 0, 0, false);
  b.span(lane, 10, 20, site, 2);
  b.span(lane, 10, 30, site, 1);
  b.span(lane, 25, 40, site, 3);
  b.finish();
  const std::vector<flamelet_span> spans = read_spans(b.capture, 0);
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].id == 1);
  CHECK(spans[1].id == 2);
  CHECK(spans[1].parent == 0);
  CHECK(spans[1].flags == 0);
  CHECK(spans[2].end_ns == 30);
  CHECK(spans[2].flags == FLAMELET_SPAN_CUT);
}

TEST_CASE_FIXTURE(Building, "capture builder: spans may nest deeper than a recorder's scopes") {
  const uint32_t scope = site("span");
  const uint32_t lane = flamelet_capture_builder_span_lane(builder, FLAMELET_LANE_THREAD, 0, 0, false);
  constexpr int64_t kDeep = 70000;
  for (int64_t i = 0; i < kDeep; ++i) span(lane, i, 2 * kDeep - i, scope);
  finish();
  const std::vector<flamelet_span> spans = read_spans(capture, 0);
  REQUIRE(spans.size() == kDeep);
  CHECK(spans[65534].depth == 65534);
  CHECK(spans.back().depth == UINT16_MAX);
  CHECK(spans.back().parent == kDeep - 2);
}

TEST_CASE("capture builder: lanes of whole spans take points of one time in order, and ids that are free") {
  Building b;
  const uint32_t tick = b.site("tick"), load = b.site("load");
  const uint32_t thread = flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_THREAD, 9, 0, true);
  const uint32_t fiber = flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_FIBER, 9, 0, true);
  const uint32_t other = flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_GPU, 9, 0, true);
  flamelet_capture_builder_counter(b.builder, fiber, 100, load, 0.5);
  flamelet_capture_builder_instant(b.builder, fiber, 100, tick, b.string("tock"), b.string("thing"));
  flamelet_capture_builder_counter(b.builder, fiber, -50, load, -2.5);
  flamelet_capture_builder_counter(b.builder, thread, 7, load, 1);
  flamelet_capture_builder_span(b.builder, other, nullptr);
  flamelet_capture_builder_name_lane(b.builder, other, b.string("late"));
  b.finish();
  save_and_load(&b);
  const flamelet_lane_info info[] = {recorder_test::lane_of(b.capture, 0), recorder_test::lane_of(b.capture, 1),
                                     recorder_test::lane_of(b.capture, 2)};
  CHECK(info[0].id == 9);
  CHECK(info[1].id == 9);
  CHECK(info[1].kind == FLAMELET_LANE_FIBER);
  CHECK(info[2].id == 3);
  CHECK(std::string(info[2].name.text) == "late");
  CHECK(std::string(info[1].name.text) == "fiber 9");
  std::vector<flamelet_point> points = recorder_test::read_points(b.capture, 1);
  REQUIRE(points.size() == 3);
  CHECK(points[0].time_ns == -50);
  CHECK(points[0].value == -2.5);
  CHECK(points[1].kind == FLAMELET_POINT_COUNTER);
  CHECK(points[1].value == 0.5);
  CHECK(points[2].kind == FLAMELET_POINT_INSTANT);
  CHECK(std::string(flamelet_capture_string(b.capture, points[2].name).text) == "tock");
  CHECK(std::string(flamelet_capture_string(b.capture, points[2].object).text) == "thing");
  points = recorder_test::read_points(b.capture, 0);
  REQUIRE(points.size() == 1);
  CHECK(points[0].value == 1);
}

TEST_CASE("capture builder: a lane gets another id than those of the frames' and the switches' tracks") {
  for (const uint32_t id : {UINT32_MAX, UINT32_MAX - 1}) {
    Building b;
    const uint32_t lane = flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_THREAD, id, 0, true);
    flamelet_capture_builder_counter(b.builder, lane, 7, b.site("load"), 1);
    b.finish();
    const flamelet_lane_info info = recorder_test::lane_of(b.capture, 0);
    CHECK(info.id == 1);
    CHECK(flamelet_capture_count_points(b.capture, 0, INT64_MIN, INT64_MAX) == 1);
  }
}

TEST_CASE("capture builder: lanes stand where they are told to, with all their pages, also in a file of a window") {
  Building building;
  const uint32_t site = building.site("scope");
  const flamelet_lane_kind kinds[] = {FLAMELET_LANE_FIBER, FLAMELET_LANE_GPU, FLAMELET_LANE_EXTERNAL};
  std::vector<uint32_t> lanes = {building.lane(FLAMELET_LANE_THREAD, "lane 0")};
  for (const flamelet_lane_kind kind : kinds)
    lanes.push_back(flamelet_capture_builder_span_lane(building.builder, kind, 0,
                                                       building.string("lane " + std::to_string(lanes.size())), false));
  lanes.push_back(building.lane(FLAMELET_LANE_THREAD, "lane 4"));
  // Many pages, those of the lanes in turns. A lane has as many spans at a time as its number says.
  for (int64_t i = 0; i < 1000; ++i) {
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      for (size_t n = 0; n <= lane; ++n) {
        if (lane != 0 && lane != 4) {
          building.span(lanes[lane], 10 * i, 10 * i + 5, site);
          continue;
        }
        building.begin(lanes[lane], 10 * i, site);
        building.end(lanes[lane], 10 * i);
      }
    }
  }
  // The last one first, the second one to where the fourth is; the others keep their places.
  flamelet_capture_builder_place_lane(building.builder, lanes[4], 0);
  flamelet_capture_builder_place_lane(building.builder, lanes[1], 4);
  flamelet_capture_builder_place_lane(building.builder, 77, 1);
  building.finish();
  const size_t expected[] = {4, 0, 2, 1, 3};
  for (const bool loaded : {false, true}) {
    CAPTURE(loaded);
    if (loaded) save_and_load(&building, 9000, 9100);
    REQUIRE(flamelet_capture_lane_count(building.capture) == 5);
    for (size_t lane = 0; lane < 5; ++lane) {
      const flamelet_lane_info info = recorder_test::lane_of(building.capture, lane);
      CHECK(std::string(info.name.text) == "lane " + std::to_string(expected[lane]));
      const auto count = [&](int64_t begin_ns, int64_t end_ns) {
        return flamelet_capture_count_spans(building.capture, lane, begin_ns, end_ns);
      };
      CHECK(count(9000, 9100) == 10 * (expected[lane] + 1));
      if (!loaded) CHECK(count(INT64_MIN, INT64_MAX) == 1000 * (expected[lane] + 1));
      // Whole spans of any time may stand on later pages, which are in the file; begins and ends not.
      if (loaded && expected[lane] == 4) CHECK(count(9700, INT64_MAX) == 0);
    }
  }
}

TEST_CASE("capture builder: intervals keep the tracks that they are given, and open ones their end") {
  Building b;
  const uint32_t site = b.site("job");
  flamelet_capture_builder_set_origin(b.builder, 1234567890123456789u);
  flamelet_capture_builder_interval(b.builder, 5, 10, 0, 90, 1, site, 0, 0);
  flamelet_capture_builder_interval(b.builder, 0, 20, 6, 70, 2, site, 0, 0);
  flamelet_capture_builder_interval(b.builder, 0, 20, 6, 70, 2, site, 0, 0);
  flamelet_capture_builder_frame(b.builder, 5, 100, 200, 0);
  flamelet_capture_builder_frame(b.builder, 5, 200, 300, 0);
  CHECK(stats_of(b).intervals_dropped == 1);
  CHECK(stats_of(b).frames_dropped == 1);
  CHECK(stats_of(b).events == 3);
  b.finish();
  save_and_load(&b);
  CHECK(flamelet_capture_clock(b.capture).origin_unix_ns == 1234567890123456789u);
  flamelet_interval found[2];
  REQUIRE(flamelet_capture_read_intervals(b.capture, INT64_MIN, INT64_MAX, found, 2) == 2);
  CHECK(found[0].begin_track == 5);
  CHECK(found[0].end_ns == 90);
  CHECK(found[0].flags == FLAMELET_SPAN_OPEN);
  CHECK(found[1].end_track == 6);
  CHECK(found[1].flags == FLAMELET_SPAN_MISSING_BEGIN);
}

TEST_CASE("capture builder: switches are states, also in files and in lanes of another order") {
  Building b;
  const uint32_t main = b.lane(FLAMELET_LANE_THREAD, "main");
  const uint32_t spans =
      flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_THREAD, 77, b.string("job"), false);
  flamelet_capture_builder_place_lane(b.builder, spans, 0);
  b.begin(main, 50, b.site("work"));
  b.end(main, 900);
  const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind state, uint32_t processor) {
    CHECK(flamelet_capture_builder_switch(b.builder, lane, time_ns, state, processor));
  };
  put(main, 100, FLAMELET_STATE_RUNNING, 3);
  put(main, 200, FLAMELET_STATE_TAKEN_OFF, 3);
  put(spans, 200, FLAMELET_STATE_RUNNING, 3);
  put(spans, 400, FLAMELET_STATE_ASLEEP, 3);
  put(FLAMELET_BY_UNKNOWN, 400, FLAMELET_STATE_RUNNING, 3);
  put(FLAMELET_BY_UNKNOWN, 450, FLAMELET_STATE_ASLEEP, 3);
  put(main, 450, FLAMELET_STATE_RUNNING, 3);
  put(main, 500, FLAMELET_STATE_TAKEN_OFF, 3);  // nobody comes
  put(main, 10000, FLAMELET_STATE_RUNNING, 0xFFFF);
  put(main, 20000, FLAMELET_STATE_ASLEEP, 0xFFFF);
  put(0, 30000, FLAMELET_STATE_UNKNOWN, 0);
  put(main, 40000, FLAMELET_STATE_RUNNING, 1);
  put(main, 50000, FLAMELET_STATE_ASLEEP, 1);
  CHECK(stats_of(b).events == 15);
  b.finish();
  for (int round = 0; round < 2; ++round) {
    const size_t lane = recorder_test::find_lane(b.capture, "main"), job = recorder_test::find_lane(b.capture, "job");
    CHECK(job == 0);
    CHECK(recorder_test::stats_of(b.capture).thread_states == FLAMELET_THREAD_STATES_RECORDED);
    CHECK(
        states_of(b.capture, lane) ==
        "? 0-100, runs on 3 100-200, off by job 200-400, off by a thread 400-450, runs on 3 450-500, "
        "off by others 500-10000, runs on 65535 10000-20000, asleep 20000-30000, ? 30000-40000, runs on 1 40000-50000");
    CHECK(states_of(b.capture, job) == "? 0-200, runs on 3 200-400, asleep 400-30000, ? 30000-50000");
    flamelet_state_times times;
    CHECK(flamelet_capture_state_times(b.capture, lane, 0, 20000, &times));
    CHECK(times.ns[FLAMELET_STATE_RUNNING] == 10150);
    CHECK(times.ns[FLAMELET_STATE_TAKEN_OFF] == 9750);
    CHECK(times.ns[FLAMELET_STATE_UNKNOWN] == 100);
    save_and_load(&b);
  }
}

TEST_CASE("capture builder: a switch that cannot be is refused and counted, and moves nothing") {
  Building b(with(recorder_test::small_capture_config(), &flamelet_capture_config::max_switches, 4));
  const uint32_t main = b.lane(FLAMELET_LANE_THREAD, "main"), queue = b.lane(FLAMELET_LANE_GPU, "queue");
  const auto put = [&](uint32_t lane, int64_t time_ns, int state, uint32_t processor = 0) {
    return flamelet_capture_builder_switch(b.builder, lane, time_ns, static_cast<flamelet_state_kind>(state),
                                           processor);
  };
  for (int64_t i = 0; i < 5; ++i)
    CHECK(put(main, 100 * i, i % 2 == 0 ? FLAMELET_STATE_RUNNING : FLAMELET_STATE_ASLEEP));
  for (const uint32_t lane : {0u, queue, 99u, FLAMELET_BY_OTHERS}) CHECK_FALSE(put(lane, 1000, FLAMELET_STATE_RUNNING));
  CHECK(stats_of(b).dropped_lane == 4);
  CHECK_FALSE(put(main, 399, FLAMELET_STATE_ASLEEP));  // before the newest one
  CHECK_FALSE(put(main, 1000, FLAMELET_STATE_COUNT));
  CHECK_FALSE(put(main, 1000, FLAMELET_STATE_RUNNING, 0x10000));
  CHECK(stats_of(b).switches_dropped == 3);
  CHECK(stats_of(b).events == 5);
  CHECK_FALSE(flamelet_capture_builder_switch(nullptr, main, 0, FLAMELET_STATE_RUNNING, 0));
  b.finish();
  CHECK(recorder_test::stats_of(b.capture).switches_held == 5);
  CHECK(states_of(b.capture, 0) == "runs on 0 0-100, asleep 100-200, runs on 0 200-300, asleep 300-400");
}

TEST_CASE("capture builder: there is room for as many switches as come") {
  Building b(with(recorder_test::small_capture_config(), &flamelet_capture_config::max_switches, 4));
  const uint32_t lanes[] = {b.lane(FLAMELET_LANE_THREAD, "a"), b.lane(FLAMELET_LANE_THREAD, "b")};
  constexpr int64_t kRounds = 1000;
  for (int64_t i = 0; i < kRounds; ++i) {
    const uint32_t lane = lanes[i % 3 == 0];
    flamelet_capture_builder_switch(b.builder, lane, 100 * i, FLAMELET_STATE_RUNNING, 0);
    flamelet_capture_builder_switch(b.builder, lane, 100 * i + 50, FLAMELET_STATE_ASLEEP, 0);
  }
  b.finish();
  const flamelet_capture_stats stats = recorder_test::stats_of(b.capture);
  CHECK(stats.switches_held == 2 * kRounds);
  CHECK(stats.switches_evicted == 0);
  flamelet_state_times times;
  REQUIRE(flamelet_capture_state_times(b.capture, 0, 0, 100 * kRounds, &times));
  CHECK(times.ns[FLAMELET_STATE_RUNNING] == 50 * (kRounds - 334));
  save_and_load(&b);
}

TEST_CASE("capture builder: frames have the thread that marks them, which has the id that it was given") {
  Building b;
  const uint32_t main = flamelet_capture_builder_thread_lane(b.builder, 4711, b.string("main"));
  const uint32_t other = flamelet_capture_builder_thread_lane(b.builder, 4711, b.string("other"));
  b.begin(main, 0, b.site("frame"));
  b.end(main, 5);
  flamelet_capture_builder_frame(b.builder, 1, 0, 10, 0);
  flamelet_capture_builder_mark_frames(b.builder, main);
  flamelet_capture_builder_frame(b.builder, 2, 10, 20, 0);
  flamelet_capture_builder_mark_frames(b.builder, other);
  flamelet_capture_builder_frame(b.builder, 3, 20, 30, 0);
  flamelet_capture_builder_mark_frames(b.builder, b.lane(FLAMELET_LANE_GPU, "queue"));
  flamelet_capture_builder_frame(b.builder, 4, 30, 40, 0);
  b.finish();
  save_and_load(&b);
  CHECK(recorder_test::lane_of(b.capture, 0).id == 4711);
  const uint32_t threads[] = {0, 4711, recorder_test::lane_of(b.capture, 1).id, 0};
  for (size_t i = 0; i < 4; ++i) {
    const flamelet_frame_info frame = recorder_test::frame_of(b.capture, i);
    CHECK(frame.thread == threads[i]);
  }
}

TEST_CASE("capture builder: what is left when the oldest spans had to go is found in every window") {
  std::mt19937 random(22);
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = flamelet_capture_memory_required(&config) + 50 * FLAMELET_PAGE_BYTES;
  Building b(config);
  const uint32_t site = b.site("span");
  const uint32_t lanes[2] = {flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_THREAD, 0, 0, false),
                             flamelet_capture_builder_span_lane(b.builder, FLAMELET_LANE_FIBER, 0, 0, false)};
  for (int64_t i = 0; i < 100000; ++i) {
    const int64_t begin_ns = 10 * i + static_cast<int64_t>(random() % 1000);
    b.span(lanes[random() % 8 == 0], begin_ns, begin_ns + static_cast<int64_t>(random() % 12), site,
           static_cast<flamelet_id>(i));
  }
  b.finish();
  CHECK(recorder_test::stats_of(b.capture).events_evicted != 0);
  for (size_t lane = 0; lane < 2; ++lane) {
    const std::vector<flamelet_span> all = read_spans(b.capture, lane);
    CHECK(all.size() > 1000);
    for (int i = 0; i < 100; ++i) {
      const int64_t begin_ns = all[random() % all.size()].begin_ns;
      const int64_t end_ns = begin_ns + 1 + static_cast<int64_t>(random() % 2000);
      size_t expected = 0;
      for (const flamelet_span& span : all)
        expected += span.begin_ns < end_ns && (span.begin_ns >= begin_ns || span.end_ns > begin_ns);
      // One that is cut ends earlier here than where its parent is not in the answer.
      const size_t found = flamelet_capture_count_spans(b.capture, lane, begin_ns, end_ns);
      CHECK(found >= expected);
      CHECK(found <= expected + 20);
    }
  }
}
