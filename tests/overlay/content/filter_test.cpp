// SPDX-License-Identifier: MIT
#include "content/filter.h"

#include <doctest/doctest.h>

#include <vector>

#include "overlay/span_trees.h"

using namespace flamelet::ui;
using flamelet_tests::random_tree;
using flamelet_tests::SpanTree;

TEST_CASE("overlay filter: a part of the name in either case matches") {
  CHECK(matches("Physics::step", "phys"));
  CHECK(matches("Physics::step", "STEP"));
  CHECK(matches("Physics::step", ""));
  CHECK(matches("", ""));
  CHECK_FALSE(matches("Physics::step", "stop"));
  CHECK_FALSE(matches("ai", "ai_"));
  CHECK_FALSE(matches("", "a"));
  CHECK(matches("\xC3\x84rger", "\xC3\x84"));
}

TEST_CASE("overlay filter: the text is no pattern and no format") {
  CHECK(matches("100%s", "%s"));
  CHECK_FALSE(matches("abc", "."));
  CHECK_FALSE(matches("abc", "*"));
}

TEST_CASE("overlay filter: a match inside a match counts, but its time does not count twice") {
  SpanTree tree;
  tree.begin(0, 1);
  tree.begin(100, 2);
  tree.begin(150, 2);
  tree.end(180);
  tree.end(400);
  tree.begin(500, 2);
  tree.end(600);
  tree.end(1000);
  FilterSum sum;
  const auto is_match = [](const flamelet_span& span) { return span.name == 2; };
  sum_matches(tree.spans.data(), static_cast<uint32_t>(tree.spans.size()), is_match, &sum);
  CHECK(sum.count == 3);
  CHECK(sum.total_ns == 400);
  // A later piece of a call that fibers were switched in has time, and is no call.
  tree.spans.back().flags = FLAMELET_SPAN_RESUMED;
  sum = {};
  sum_matches(tree.spans.data(), static_cast<uint32_t>(tree.spans.size()), is_match, &sum);
  CHECK(sum.count == 2);
  CHECK(sum.total_ns == 400);
}

TEST_CASE("overlay filter: the sum of everything is the time of the outermost spans") {
  const SpanTree tree = random_tree(4, 3000, 7);
  int64_t outermost_ns = 0;
  for (const flamelet_span& span : tree.spans)
    if (span.depth == 0) outermost_ns += span.end_ns - span.begin_ns;
  FilterSum sum;
  sum_matches(
      tree.spans.data(), 3000, [](const flamelet_span&) { return true; }, &sum);
  CHECK(sum.count == 3000);
  CHECK(sum.total_ns == outermost_ns);
}

TEST_CASE("overlay filter: a range's matches are a difference of two counts") {
  const SpanTree tree = random_tree(5, 500, 7, 4);
  std::vector<uint64_t> bits(Matches::words_for(500));
  std::vector<uint32_t> before(bits.size());
  const Matches found = find_matches(
      tree.spans.data(), 500, [](const flamelet_span& span) { return span.name == 3; }, bits.data(), before.data());
  for (uint32_t first = 0; first <= 500; first += 37) {
    for (uint32_t end = first; end <= 500; end += 41) {
      uint32_t expected = 0;
      for (uint32_t i = first; i < end; ++i) expected += tree.spans[i].name == 3;
      REQUIRE(found.before_span(end) - found.before_span(first) == expected);
    }
  }
}
