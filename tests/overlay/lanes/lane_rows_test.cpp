// SPDX-License-Identifier: MIT
#include "lanes/lane_rows.h"

#include <doctest/doctest.h>

#include "overlay/span_trees.h"

using flamelet::ui::LaneRows;
using namespace flamelet_tests;

namespace {

LaneRows build(std::vector<flamelet_span>& spans, std::vector<uint32_t>& order, std::vector<uint32_t>& row_begin) {
  order.assign(spans.size() + 1, 0);
  row_begin.assign(spans.size() + 2, 0);
  return flamelet::ui::build_rows(spans.data(), static_cast<uint32_t>(spans.size()), order.data(), row_begin.data());
}

}  // namespace

TEST_CASE("overlay rows: every span stands once, in the row of its depth, by begin time") {
  std::vector<flamelet_span> spans = random_tree(1, 3000, 10).spans;
  std::vector<uint32_t> order, row_begin;
  const LaneRows lane = build(spans, order, row_begin);
  REQUIRE(lane.row_begin[lane.row_count] == spans.size());
  for (uint32_t row = 0; row < lane.row_count; ++row) {
    for (uint32_t i = lane.row_begin[row]; i < lane.row_begin[row + 1]; ++i) {
      REQUIRE(spans[order[i]].depth == row);
      if (i > lane.row_begin[row]) REQUIRE(spans[order[i - 1]].end_ns <= spans[order[i]].begin_ns);
    }
  }
}

TEST_CASE("overlay rows: what a capture answers is left as it is") {
  std::vector<flamelet_span> spans = random_tree(2, 3000, 10).spans;
  const std::vector<flamelet_span> before = spans;
  std::vector<uint32_t> order, row_begin;
  build(spans, order, row_begin);
  for (size_t i = 0; i < spans.size(); ++i) {
    REQUIRE(spans[i].begin_ns == before[i].begin_ns);
    REQUIRE(spans[i].end_ns == before[i].end_ns);
    REQUIRE(spans[i].parent == before[i].parent);
    REQUIRE(spans[i].subtree_end == before[i].subtree_end);
    REQUIRE(spans[i].depth == before[i].depth);
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
    std::vector<uint32_t> order, row_begin;
    const LaneRows lane = build(spans, order, row_begin);
    for (uint32_t i = 0; i < lane.span_count; ++i) {
      const flamelet_span& span = spans[i];
      REQUIRE(span.end_ns >= span.begin_ns);
      REQUIRE(span.subtree_end > i);
      REQUIRE(span.subtree_end <= lane.span_count);
      REQUIRE(span.depth < lane.row_count);
      if (span.depth == 0) {
        REQUIRE(span.parent == FLAMELET_NO_PARENT);
      } else {
        REQUIRE(span.parent < i);
        REQUIRE(spans[span.parent].subtree_end >= span.subtree_end);
        REQUIRE(spans[span.parent].begin_ns <= span.begin_ns);
        REQUIRE(spans[span.parent].end_ns >= span.end_ns);
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
  std::vector<flamelet_span> spans = tree.spans;
  std::vector<uint32_t> order, row_begin;
  const LaneRows lane = build(spans, order, row_begin);
  CHECK(flamelet::ui::find_span(lane, 100, 0) == 0);
  CHECK(flamelet::ui::find_span(lane, 600, 0) == lane.span_count);
  CHECK(flamelet::ui::find_span(lane, 450, 1) == 2);
  CHECK(flamelet::ui::find_span(lane, 350, 1) == lane.span_count);
  CHECK(flamelet::ui::find_span(lane, 450, 2) == lane.span_count);
  CHECK(flamelet::ui::find_span_beginning(lane, 200, 1) == 1);
  CHECK(flamelet::ui::find_span_beginning(lane, 201, 1) == lane.span_count);
}
