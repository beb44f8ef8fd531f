// SPDX-License-Identifier: MIT
#include "lanes/lane_rows.h"

#include <doctest/doctest.h>

#include <vector>

#include "overlay/span_trees.h"

using namespace flamelet::ui;

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
