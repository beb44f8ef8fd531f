// SPDX-License-Identifier: MIT
#include "importer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "flamelet/capture_builder.h"
#include "rounds.h"

using flamelet::formats::SpanNesting;

namespace {

struct Times {
  int64_t begin_ns, end_ns;
};

bool is_known_to_nest(const std::vector<Times>& spans, bool keeps_order) {
  SpanNesting nesting;
  for (const Times& span : spans) nesting.add(1, span.begin_ns, span.end_ns, keeps_order);
  return nesting.all_nest();
}

size_t cut_in_capture(const std::vector<Times>& spans, bool keeps_order) {
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = flamelet_capture_memory_required(&config) + 8 * FLAMELET_PAGE_BYTES;
  flamelet_capture_builder* builder = nullptr;
  REQUIRE(flamelet_capture_builder_create(&config, &builder) == FLAMELET_OK);
  const uint32_t lane = flamelet_capture_builder_span_lane(builder, FLAMELET_LANE_THREAD, 0, 0, keeps_order);
  for (const Times& times : spans) {
    flamelet_span span = {};
    span.begin_ns = times.begin_ns;
    span.end_ns = times.end_ns;
    span.depth = FLAMELET_DEPTH_UNKNOWN;
    flamelet_capture_builder_span(builder, lane, &span);
  }
  flamelet_capture* capture = nullptr;
  flamelet_capture_builder_finish(builder, &capture);
  std::vector<flamelet_span> read(spans.size());
  flamelet_capture_read_spans(capture, 0, INT64_MIN, INT64_MAX, read.data(), read.size(), nullptr);
  flamelet_capture_destroy(capture);
  return static_cast<size_t>(
      std::count_if(read.begin(), read.end(), [](const auto& span) { return (span.flags & FLAMELET_SPAN_CUT) != 0; }));
}

int64_t up_to(std::mt19937& random, uint32_t most) {
  return static_cast<int64_t>(random() % (most + 1));
}

// As calls are: parents first.
void add_calls(std::mt19937& random, int depth, int64_t* now_ns, std::vector<Times>* spans) {
  for (int64_t left = up_to(random, 3); left != 0; --left) {
    const size_t at = spans->size();
    *now_ns += up_to(random, 1);
    spans->push_back({*now_ns, 0});
    if (depth < 5) add_calls(random, depth + 1, now_ns, spans);
    *now_ns += up_to(random, 2);
    (*spans)[at].end_ns = *now_ns;
  }
}

}  // namespace

TEST_CASE("span nesting: calls nest, parents first or children first") {
  const std::vector<Times> parents_first = {{0, 100}, {0, 50}, {10, 20}, {20, 50}, {60, 100}, {100, 200}};
  CHECK(is_known_to_nest(parents_first, true));
  CHECK(is_known_to_nest(parents_first, false));
  const std::vector<Times> children_first = {{10, 20}, {20, 50}, {5, 50}, {60, 100}, {0, 100}, {100, 200}};
  CHECK(is_known_to_nest(children_first, true));
  CHECK(is_known_to_nest(children_first, false));
}

TEST_CASE("span nesting: of a child that comes before a parent with its begin, the order decides") {
  CHECK(is_known_to_nest({{0, 10}, {0, 20}}, false));
  CHECK_FALSE(is_known_to_nest({{0, 10}, {0, 20}}, true));
}

TEST_CASE("span nesting: each lane is looked at alone, and one that does not nest counts for all") {
  SpanNesting nesting;
  nesting.add(1, 0, 10, false);
  nesting.add(2, 5, 15, false);
  nesting.add(1, 10, 20, false);
  CHECK(nesting.all_nest());
  nesting.add(2, 10, 20, false);
  CHECK_FALSE(nesting.all_nest());
}

TEST_CASE("span nesting: a parent of more spans than are remembered is not known to nest") {
  std::vector<Times> spans;
  for (int64_t i = 0; i < 100000; ++i) spans.push_back({10 * i, 10 * i + 5});
  CHECK(is_known_to_nest(spans, true));
  spans.push_back({5, 1000000});
  CHECK_FALSE(is_known_to_nest(spans, true));
}

TEST_CASE("span nesting: whatever a capture cuts is never said to nest") {
  size_t nested = 0, cut = 0;
  for (uint32_t seed = 1; seed <= rounds(400); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<Times> spans;
    int64_t now_ns = 0;
    for (int i = 0; i < 4; ++i) add_calls(random, 0, &now_ns, &spans);
    if (seed % 2 == 0)
      std::stable_sort(spans.begin(), spans.end(), [](const Times& a, const Times& b) { return a.end_ns < b.end_ns; });
    for (uint32_t changes = seed % 3; changes != 0 && !spans.empty(); --changes) {
      Times& changed = spans[random() % spans.size()];
      if (seed % 5 == 0)
        std::swap(changed, spans[random() % spans.size()]);
      else
        changed.end_ns += up_to(random, 2);
    }
    for (const bool keeps_order : {false, true}) {
      CAPTURE(keeps_order);
      const bool known = is_known_to_nest(spans, keeps_order);
      const size_t cut_here = cut_in_capture(spans, keeps_order);
      if (known) CHECK(cut_here == 0);
      nested += known;
      cut += cut_here != 0;
    }
  }
  CHECK(nested > 0);  // both happen
  CHECK(cut > 0);
}
