// SPDX-License-Identifier: MIT
#include "lanes/lane_rows.h"

#include <doctest/doctest.h>

#include "overlay/span_trees.h"

namespace lane_rows_test {

using flamelet::ui::LaneRows;
using namespace flamelet_tests;

TEST_CASE("overlay rows: every span stands once, in the row of its depth, by begin time") {
  const BuiltRows built(random_tree(1, 3000, 10).spans);
  const LaneRows& lane = built.lane;
  const uint32_t* order = lane.order;
  REQUIRE(lane.row_begin[lane.row_count] == lane.span_count);
  for (uint32_t row = 0; row < lane.row_count; ++row) {
    for (uint32_t i = lane.row_begin[row]; i < lane.row_begin[row + 1]; ++i) {
      REQUIRE(lane.spans[order[i]].depth == row);
      if (i > lane.row_begin[row]) REQUIRE(lane.spans[order[i - 1]].end_ns <= lane.spans[order[i]].begin_ns);
    }
  }
}

TEST_CASE("overlay rows: what a capture answers is left as it is") {
  const std::vector<flamelet_span> before = random_tree(2, 3000, 10).spans;
  const BuiltRows built(before);
  const LaneRows& lane = built.lane;
  REQUIRE(lane.span_count == before.size());
  for (uint32_t i = 0; i < lane.span_count; ++i) {
    REQUIRE(lane.spans[i].begin_ns == before[i].begin_ns);
    REQUIRE(lane.spans[i].end_ns == before[i].end_ns);
    REQUIRE(flamelet::ui::subtree_end(lane, i) == before[i].subtree_end);
    REQUIRE(lane.spans[i].depth == before[i].depth);
    REQUIRE(lane.spans[i].name == before[i].name);
    REQUIRE(flamelet::ui::self_ns_of(lane, i) == before[i].self_ns);
  }
}

TEST_CASE("overlay rows: spans of any content are made safe to walk") {
  Random random(99);
  for (int round = 0; round < 300; ++round) {
    std::vector<flamelet_span> spans(1 + random.below(200));
    for (flamelet_span& span : spans) {
      span = {};
      span.begin_ns = static_cast<int64_t>(random.next());
      span.end_ns = static_cast<int64_t>(random.next());
      span.parent = static_cast<uint32_t>(random.next());
      span.subtree_end = static_cast<uint32_t>(random.next() >> random.below(60));
      span.depth = static_cast<uint16_t>(random.next());
    }
    const BuiltRows built(spans);
    const LaneRows& lane = built.lane;
    for (uint32_t i = 0; i < lane.span_count; ++i) {
      const flamelet::ui::LaneSpan span = lane.spans[i];
      const uint32_t end = flamelet::ui::subtree_end(lane, i);
      REQUIRE(span.end_ns >= span.begin_ns);
      REQUIRE(end > i);
      REQUIRE(end <= lane.span_count);
      REQUIRE(span.depth < lane.row_count);
      const uint32_t parent = flamelet::ui::parent_of(lane, i);
      if (span.depth == 0) {
        REQUIRE(parent == lane.span_count);
      } else {
        REQUIRE(parent < i);
        REQUIRE(flamelet::ui::subtree_end(lane, parent) >= end);
        REQUIRE(lane.spans[parent].begin_ns <= span.begin_ns);
        REQUIRE(lane.spans[parent].end_ns >= span.end_ns);
      }
    }
    flamelet::ui::count_in_window(lane, 0, lane.span_count, {INT64_MIN, INT64_MAX});
  }
}

TEST_CASE("overlay rows: a span is found by a time inside it and by its begin") {
  SpanTree tree;
  tree.begin(100);
  tree.begin(200);
  tree.end(300);
  tree.begin(400);
  tree.end(500);
  tree.end(600);
  const BuiltRows built(tree.spans);
  const LaneRows& lane = built.lane;
  CHECK(flamelet::ui::find_span(lane, 100, 0) == 0);
  CHECK(flamelet::ui::find_span(lane, 600, 0) == lane.span_count);
  CHECK(flamelet::ui::find_span(lane, 450, 1) == 2);
  CHECK(flamelet::ui::find_span(lane, 350, 1) == lane.span_count);
  CHECK(flamelet::ui::find_span(lane, 450, 2) == lane.span_count);
  CHECK(flamelet::ui::find_span_beginning(lane, 200, 1) == 1);
  CHECK(flamelet::ui::find_span_beginning(lane, 201, 1) == lane.span_count);
}

TEST_CASE("overlay rows: without room for a span, or for one so deep, it is left out and the others stay") {
  const std::vector<flamelet_span> from = random_tree(3, 300, 10).spans;
  BuiltRows room;
  flamelet::ui::SpanTable* table = room.begin(300, 0, 3);
  flamelet::ui::RowBuilder builder(table, room.order(), 100, room.row_begin(), 3);
  uint32_t added = 0, deep = 0;
  for (const flamelet_span& span : from) {
    if (builder.add(span))
      ++added;
    else if (added < 100)
      deep += span.depth >= 3;
  }
  const LaneRows lane = builder.finish();
  CHECK(deep > 0);
  CHECK(added == 100);
  CHECK(lane.span_count == 100);
  CHECK(lane.row_count == 3);
  CHECK(lane.row_begin[3] == 100);
}

TEST_CASE("overlay rows: times are exact however far they are, and without room for such, no later span comes") {
  std::vector<flamelet_span> from;
  const auto add = [&](int64_t begin_ns, int64_t end_ns, uint16_t depth) {
    flamelet_span span = {};
    span.begin_ns = begin_ns;
    span.end_ns = end_ns;
    span.depth = depth;
    from.push_back(span);
  };
  const int64_t s = 1000000000, h = 3600 * s;
  add(-90 * h, 90 * h, 0);
  add(0, 4 * s, 1);
  add(4 * s, 4 * s + UINT32_MAX - 1, 1);
  add(10 * s, 10 * s + UINT32_MAX, 1);
  add(50 * h, 50 * h + 1, 1);
  const BuiltRows built(from);
  for (uint32_t i = 0; i < from.size(); ++i) {
    CHECK(built.lane.spans[i].begin_ns == from[i].begin_ns);
    CHECK(built.lane.spans[i].end_ns == from[i].end_ns);
  }
  BuiltRows room;
  flamelet::ui::SpanTable* table = room.begin(100, 1, 10);
  flamelet::ui::RowBuilder builder(table, room.order(), 100, room.row_begin(), 10);
  CHECK(builder.add(from[1]));
  CHECK(builder.add(from[4]));
  CHECK_FALSE(builder.add(from[0]));
  CHECK_FALSE(builder.add(from[1]));
  CHECK(builder.finish().span_count == 2);
}

}  // namespace lane_rows_test
