// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "flamelet/scope.h"
#include "flamelet/span_tree.h"
#include "flamelet/statistics.h"
#include "support/building.h"
#include "support/captured_recording.h"
#include "support/read.h"

namespace {

using recorder_test::Building;

constexpr size_t kPiece = FLAMELET_CURSOR_LEAST;

// 30,000 spans with no time between many of them: well nested ones on a thread's lane, and on a GPU's any.
struct RandomLanes : Building {
  explicit RandomLanes(unsigned seed) {
    std::mt19937 random(seed);
    const uint32_t scope = site("scope"), thread = lane(FLAMELET_LANE_THREAD, "thread");
    const uint32_t gpu = lane(FLAMELET_LANE_GPU, "gpu");
    int64_t now_ns = 1000;
    for (int spans = 0, depth = 0; spans < 30000;) {
      now_ns += static_cast<int64_t>(random() % 3);
      // Up to 60 deep, and down to the outermost at times, so that pieces end at any depth.
      const bool goes_down = (spans / 500) % 2 == 0;
      if (depth == 0 || (depth < 60 && random() % (goes_down ? 3 : 5) > 1)) {
        begin(thread, now_ns, scope);
        ++depth, ++spans;
      } else {
        end(thread, now_ns);
        --depth;
      }
    }
    for (int i = 0; i < 30000; ++i) {
      const int64_t at_ns = i / 4 + static_cast<int64_t>(random() % 100);
      span(gpu, at_ns, at_ns + static_cast<int64_t>(random() % (i % 97 == 0 ? 5000 : 20)), scope);
    }
    finish();
  }
};

// What the pieces say of a window, with `parent` and self times as in one answer.
std::vector<flamelet_span> joined_pieces(const flamelet_capture* capture, size_t lane, int64_t begin_ns,
                                         int64_t end_ns) {
  std::vector<flamelet_span> piece(kPiece), all;
  std::vector<uint32_t> place(kPiece);  // in `all`, of each span of the piece
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, lane, begin_ns, end_ns, piece.data(), piece.size());
  while (flamelet_span_cursor_next(&cursor)) {
    REQUIRE(cursor.count <= piece.size());
    REQUIRE(cursor.count > cursor.again);
    uint32_t open = all.empty() ? FLAMELET_NO_PARENT : static_cast<uint32_t>(all.size() - 1);
    for (size_t i = cursor.again; i-- > 0;) {
      while (all[open].depth != piece[i].depth) open = all[open].parent;
      REQUIRE(all[open].begin_ns == piece[i].begin_ns);
      REQUIRE(all[open].end_ns == piece[i].end_ns);
      REQUIRE((piece[i].flags & FLAMELET_SPAN_AGAIN) != 0);
      all[open].self_ns += piece[i].self_ns;
      place[i] = open;
    }
    for (size_t i = cursor.again; i < cursor.count; ++i) {
      place[i] = static_cast<uint32_t>(all.size());
      all.push_back(piece[i]);
      if (piece[i].parent != FLAMELET_NO_PARENT) all.back().parent = place[piece[i].parent];
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  CHECK(cursor.count == 0);
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  return all;
}

void check_window(const flamelet_capture* capture, size_t lane, int64_t begin_ns, int64_t end_ns) {
  CAPTURE(lane);
  CAPTURE(begin_ns);
  CAPTURE(end_ns);
  const std::vector<flamelet_span> expected = recorder_test::read_spans(capture, lane, begin_ns, end_ns);
  const std::vector<flamelet_span> found = joined_pieces(capture, lane, begin_ns, end_ns);
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    REQUIRE(found[i].id == expected[i].id);
    REQUIRE(found[i].begin_ns == expected[i].begin_ns);
    REQUIRE(found[i].end_ns == expected[i].end_ns);
    REQUIRE(found[i].self_ns == expected[i].self_ns);
    REQUIRE(found[i].parent == expected[i].parent);
    REQUIRE(found[i].depth == expected[i].depth);
    REQUIRE(found[i].flags == expected[i].flags);
  }
}

}  // namespace

TEST_CASE("span cursor: the pieces together are the answer for the whole window") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    const RandomLanes lanes(seed);
    for (size_t lane = 0; lane < 2; ++lane) {
      check_window(lanes.capture, lane, INT64_MIN, INT64_MAX);
      check_window(lanes.capture, lane, 3000 + seed, INT64_MAX);
      check_window(lanes.capture, lane, 2000, 7000 + seed);
      check_window(lanes.capture, lane, 4000, 4001);
      check_window(lanes.capture, lane, 5000, 5000);
    }
  }
}

// The array has room for a tenth and less.
TEST_CASE("span cursor: statistics and call trees of the pieces are those of the whole lane") {
  Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "thread");
  const uint32_t level = building.site("level"), call = building.site("call"), leaf = building.site("leaf");
  constexpr int kCalls = 10 * static_cast<int>(kPiece);
  int64_t now_ns = 0;
  building.begin(lane, now_ns, level);
  building.begin(lane, now_ns += 5, level);  // a recursion
  for (int i = 0; i < kCalls; ++i) {
    building.begin(lane, now_ns += 1, call);
    building.begin(lane, now_ns += 1, leaf);
    building.end(lane, now_ns += 3);
    building.end(lane, now_ns += 2);
  }
  building.end(lane, now_ns += 10);
  building.end(lane, now_ns += 20);
  building.finish();

  flamelet_span_tree_config config = flamelet_span_tree_config_default();
  config.max_spans = kPiece;
  std::vector<unsigned char> tree_memory(flamelet_span_tree_memory_required(&config));
  std::vector<unsigned char> memory(flamelet_statistics_memory_required(10, 1000));
  flamelet_span_tree* tree = nullptr;
  flamelet_statistics* statistics = nullptr;
  REQUIRE(flamelet_span_tree_create(&config, tree_memory.data(), tree_memory.size(), &tree) == FLAMELET_OK);
  REQUIRE(flamelet_statistics_create(10, memory.data(), memory.size(), &statistics) == FLAMELET_OK);
  std::vector<flamelet_span> piece(kPiece);
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, building.capture, 0, INT64_MIN, INT64_MAX, piece.data(), piece.size());
  while (flamelet_span_cursor_next(&cursor)) {
    flamelet_statistics_add(statistics, cursor.spans, cursor.count);
    flamelet_span_tree_add_spans(tree, cursor.spans, cursor.count, INT64_MIN, INT64_MAX);
  }
  const flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
  CHECK(summary.span_count == 2 + 2 * kCalls);
  CHECK(cursor.result == FLAMELET_OK);
  REQUIRE(summary.row_count == 3);
  struct Expected {
    uint64_t count;
    int64_t total_ns, self_ns;
  };
  const Expected expected[] = {
      {2, 7 * kCalls + 35, kCalls + 35}, {kCalls, 6 * kCalls, 3 * kCalls}, {kCalls, 3 * kCalls, 3 * kCalls}};
  for (size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(summary.rows[i].count == expected[i].count);
    CHECK(summary.rows[i].total_ns == expected[i].total_ns);
    CHECK(summary.rows[i].self_ns == expected[i].self_ns);
    CHECK(summary.rows[i].incomplete_count == 0);
  }
  const auto check_tree = [&] {
    flamelet_call_totals totals[3];
    REQUIRE(flamelet_call_tree_blocks(flamelet_span_tree_calls(tree), FLAMELET_CALL_ORDER_OVERALL, totals, 3) == 3);
    for (size_t i = 0; i < 3; ++i) {
      CAPTURE(i);
      CHECK(totals[i].calls == expected[i].count);
      CHECK(totals[i].overall_samples == static_cast<uint64_t>(expected[i].total_ns));
      CHECK(totals[i].self_samples == static_cast<uint64_t>(expected[i].self_ns));
    }
  };
  check_tree();
  flamelet_span_tree_clear(tree);
  CHECK(flamelet_span_tree_add_window(tree, building.capture, INT64_MIN, INT64_MAX) == 2 + 2 * kCalls);
  check_tree();
}

TEST_CASE("span cursor: more spans in one nanosecond than fit into the array come one after the other") {
  Building building;
  const uint32_t gpu = building.lane(FLAMELET_LANE_GPU, "gpu"), site = building.site("scope");
  for (size_t i = 0; i < 3 * kPiece; ++i) building.span(gpu, 100, 100, site, i + 1);
  building.span(gpu, 100, 200, site, 7);
  building.finish();
  check_window(building.capture, 0, 0, 1000);
}

TEST_CASE("span cursor: what cannot be read is said") {
  Building building;
  const uint32_t gpu = building.lane(FLAMELET_LANE_GPU, "gpu"), site = building.site("scope");
  for (int64_t i = 0; i < static_cast<int64_t>(2 * kPiece); ++i) building.span(gpu, i, 10000 - i, site);
  building.finish();
  std::vector<flamelet_span> spans(kPiece);
  flamelet_span_cursor cursor;
  size_t count = 0;
  flamelet_span_cursor_start(&cursor, building.capture, 0, 0, 20000, spans.data(), spans.size());
  while (flamelet_span_cursor_next(&cursor)) count += cursor.count - cursor.again;
  CHECK(cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL);  // they nest too deep
  CHECK(count < 2 * kPiece);

  flamelet_span_cursor_start(&cursor, building.capture, 0, 0, 20000, spans.data(), kPiece - 1);
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL);
  flamelet_span_cursor_start(&cursor, building.capture, 1, 0, 20000, spans.data(), kPiece);
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_INVALID_ARGUMENT);

  CHECK(flamelet_capture_read_spans(building.capture, 0, 0, 20000, spans.data(), kPiece, &count) ==
        FLAMELET_ERROR_BUFFER_TOO_SMALL);
  CHECK(count == 2 * kPiece);
  CHECK(flamelet_capture_read_spans(building.capture, 1, 0, 20000, spans.data(), kPiece, &count) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(count == 0);
}

TEST_CASE("span cursor: it ends with an error if the capture is updated in between") {
  recorder_test::CapturedRecording recording;
  for (size_t i = 0; i < 2 * kPiece; ++i) {
    FLAMELET_SCOPE("scope");
  }
  const flamelet_capture* const capture = recording.capture();
  std::vector<flamelet_span> spans(kPiece);
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, 0, INT64_MIN, INT64_MAX, spans.data(), spans.size());
  REQUIRE(flamelet_span_cursor_next(&cursor));
  { FLAMELET_SCOPE("scope"); }
  recording.capture();
  CHECK_FALSE(flamelet_span_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_CHANGED);
  CHECK(cursor.count == 0);
}

TEST_CASE("point cursor: the pieces together are all points of the window, in order") {
  Building building;
  const uint32_t lanes[] = {building.lane(FLAMELET_LANE_THREAD, "thread"), building.lane(FLAMELET_LANE_GPU, "gpu")};
  const uint32_t site = building.site("value");
  std::mt19937 random(1);
  for (const uint32_t lane : lanes) {
    int64_t at_ns = 0;
    for (int i = 0; i < 10000; ++i) {
      at_ns += random() % 50 == 0;
      flamelet_capture_builder_counter(building.builder, lane, at_ns, site, i);
    }
  }
  building.finish();
  std::vector<flamelet_point> piece(kPiece);
  for (size_t lane = 0; lane < 2; ++lane) {
    for (const int64_t begin_ns : {int64_t{INT64_MIN}, int64_t{0}, int64_t{77}}) {
      const std::vector<flamelet_point> expected = recorder_test::read_points(building.capture, lane, begin_ns, 150);
      size_t count = 0;
      flamelet_point_cursor cursor;
      flamelet_point_cursor_start(&cursor, building.capture, lane, begin_ns, 150, piece.data(), piece.size());
      while (flamelet_point_cursor_next(&cursor))
        for (size_t i = 0; i < cursor.count; ++i, ++count) {
          REQUIRE(count < expected.size());
          REQUIRE(piece[i].time_ns == expected[count].time_ns);
          REQUIRE(piece[i].value == expected[count].value);
          REQUIRE(piece[i].kind == expected[count].kind);
        }
      CHECK(cursor.result == FLAMELET_OK);
      CHECK(count == expected.size());
    }
  }
}

TEST_CASE("flow cursor: a piece has all ends of its ids") {
  Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "thread");
  constexpr uint64_t kFlows = 2000, kManyEnds = 1500;
  for (uint64_t id = 1; id <= kFlows; ++id)
    flamelet_capture_builder_flow(building.builder, lane, static_cast<int64_t>(id), id, false);
  for (uint64_t id = 1; id <= kFlows; ++id)
    flamelet_capture_builder_flow(building.builder, lane, static_cast<int64_t>(kFlows + id), id, true);
  building.finish();
  std::vector<flamelet_flow> piece(kPiece);
  flamelet_flow_cursor cursor;
  flamelet_flow_cursor_start(&cursor, building.capture, INT64_MIN, INT64_MAX, piece.data(), piece.size());
  uint64_t id = 0;
  while (flamelet_flow_cursor_next(&cursor)) {
    REQUIRE(cursor.count % 2 == 0);
    for (size_t i = 0; i < cursor.count; i += 2) {
      REQUIRE(piece[i].id == ++id);
      REQUIRE(piece[i].flags == 0);
      REQUIRE(piece[i + 1].flags == FLAMELET_FLOW_IS_END);
      REQUIRE(piece[i + 1].begin == i);
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  CHECK(id == kFlows);

  Building many;
  const uint32_t thread = many.lane(FLAMELET_LANE_THREAD, "thread");
  for (uint64_t i = 0; i < kManyEnds; ++i)
    flamelet_capture_builder_flow(many.builder, thread, static_cast<int64_t>(i), 1, i != 0);
  many.finish();
  flamelet_flow_cursor_start(&cursor, many.capture, INT64_MIN, INT64_MAX, piece.data(), piece.size());
  CHECK_FALSE(flamelet_flow_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL);
}
