// SPDX-License-Identifier: MIT
#include "span_batches.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/building.h"

namespace {

using namespace flamelet::tools;

// One lane of spans that nest, many of them of no length, with no time between many of them.
flamelet_capture* random_capture(unsigned seed, recorder_test::Building* building, int64_t* end_ns) {
  const uint32_t site = building->site("scope");
  const uint32_t lane = building->lane(FLAMELET_LANE_THREAD, "scope");
  std::mt19937 random(seed);
  int depth = 0;
  *end_ns = 1000;
  for (int i = 0; i < 400; ++i) {
    if (random() % 2 == 0) *end_ns += static_cast<int64_t>(random() % 3);
    if (depth == 0 || (depth < 5 && random() % 2 == 0)) {
      building->begin(lane, *end_ns, site);
      ++depth;
    } else {
      building->end(lane, *end_ns);
      --depth;
    }
  }
  return building->finish();
}

bool is_same(const flamelet_span& a, const flamelet_span& b) {
  return a.id == b.id && a.begin_ns == b.begin_ns && a.end_ns == b.end_ns && a.self_ns == b.self_ns &&
         a.parent == b.parent && a.subtree_end == b.subtree_end && a.depth == b.depth && a.flags == b.flags;
}

void check_same(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns, size_t batch) {
  const std::vector<flamelet_span> all = recorder_test::read_spans(capture, 0, begin_ns, end_ns);
  std::vector<flamelet_span> joined;
  read_span_batches(
      capture, 0, begin_ns, end_ns,
      [&](const flamelet_span* spans, size_t count) {
        const uint32_t offset = static_cast<uint32_t>(joined.size());
        for (size_t i = 0; i < count; ++i) {
          joined.push_back(spans[i]);
          joined.back().subtree_end += offset;
          if (spans[i].parent != FLAMELET_NO_PARENT) joined.back().parent += offset;
        }
      },
      batch);
  REQUIRE(joined.size() == all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    REQUIRE(is_same(all[i], joined[i]));
  }
}

}  // namespace

TEST_CASE("span batches: together they are the answer for the whole window") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    recorder_test::Building building;
    int64_t end_ns = 0;
    flamelet_capture* const capture = random_capture(seed, &building, &end_ns);
    for (const size_t batch : {size_t{1}, size_t{2}, size_t{7}, size_t{50}, size_t{1000}}) {
      CAPTURE(batch);
      check_same(capture, INT64_MIN, INT64_MAX, batch);
      check_same(capture, 1000 + seed, end_ns - 50, batch);
    }
  }
}

TEST_CASE("span batches: a piece has about as many spans as were asked for") {
  recorder_test::Building building;
  int64_t end_ns = 0;
  flamelet_capture* const capture = random_capture(5, &building, &end_ns);
  const size_t all = flamelet_capture_count_spans(capture, 0, INT64_MIN, INT64_MAX);
  size_t pieces = 0, most = 0;
  read_span_batches(
      capture, 0, INT64_MIN, INT64_MAX,
      [&](const flamelet_span*, size_t count) {
        ++pieces;
        most = std::max(most, count);
      },
      all / 8);
  CHECK(pieces >= 4);
  CHECK(most < all / 2);
}
