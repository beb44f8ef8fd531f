// SPDX-License-Identifier: MIT
#include "lanes/lane_rows.h"

#include <doctest/doctest.h>

#include <limits>

#include "overlay/span_trees.h"

namespace lane_rows_test {

using namespace flamelet::ui;
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

TEST_CASE_FIXTURE(SpanTree, "overlay rows: a span is found by a time inside it and by its begin") {
  begin(100);
  begin(200);
  end(300);
  begin(400);
  end(500);
  end(600);
  const BuiltRows built(spans);
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

// ---- Lane layout --------------------------------------------------------------------------------------------------

namespace lane_layout_test {

using flamelet::ui::Array;
using flamelet::ui::Block;
using flamelet::ui::LaneLayout;
using flamelet::ui::LaneLayoutInput;
using flamelet::ui::LaneRows;
using flamelet::ui::TimeWindow;
using namespace flamelet_tests;

namespace {

struct Lane {
  explicit Lane(SpanTree tree, uint32_t block_capacity = 100000)
      : spans(std::move(tree.spans)), built(spans), block_storage(block_capacity), rows(built.lane) {
    blocks.data = block_storage.data();
    blocks.capacity = block_capacity;
  }
  LaneLayout layout(TimeWindow window, float width_px, float merge_limit_px = 3) {
    blocks.clear();
    LaneLayoutInput input;
    input.window = window;
    input.width_px = width_px;
    input.merge_limit_px = merge_limit_px;
    return layout_lane(rows, input, &blocks);
  }
  uint32_t in_window(TimeWindow window) const {
    uint32_t count = 0;
    for (const flamelet_span& span : spans)
      if ((span.end_ns > window.begin_ns || span.begin_ns >= window.begin_ns) && span.begin_ns < window.end_ns) ++count;
    return count;
  }
  std::vector<flamelet_span> spans;
  BuiltRows built;
  std::vector<Block> block_storage;
  LaneRows rows;
  Array<Block> blocks;
};

uint32_t zones(const LaneLayout& layout) {
  return layout.zones_drawn + layout.zones_merged;
}

}  // namespace

TEST_CASE("overlay lanes: drawn and merged add up to the spans in the window, at every zoom") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Lane lane(random_tree(seed, 2000, 1 + static_cast<uint32_t>(seed) % 12));
    const int64_t end_ns = lane.spans.back().end_ns + 2000;
    for (int i = 0; i < 200; ++i) {
      TimeWindow window;
      window.begin_ns = random.below(static_cast<uint32_t>(end_ns));
      window.end_ns = window.begin_ns + 1 + random.below(1u << random.below(22));
      const float width_px = static_cast<float>(1 + random.below(1300));
      const LaneLayout layout = lane.layout(window, width_px, static_cast<float>(random.below(9)) * 0.5f);
      REQUIRE(layout.complete);
      REQUIRE(zones(layout) == lane.in_window(window));
      REQUIRE(flamelet::ui::count_in_window(lane.rows, 0, lane.rows.span_count, window) == lane.in_window(window));
    }
  }
}

TEST_CASE("overlay lanes: blocks of a row stand from left to right and do not leave the canvas") {
  Lane lane(random_tree(7, 20000, 9));
  for (int64_t length_ns = 100; length_ns < lane.spans.back().end_ns; length_ns *= 3) {
    const LaneLayout layout = lane.layout({5000, 5000 + length_ns}, 640);
    for (uint32_t i = 1; i < layout.block_count; ++i) {
      const Block& left = lane.blocks[i - 1];
      const Block& right = lane.blocks[i];
      REQUIRE(right.depth >= left.depth);
      if (left.depth == right.depth) REQUIRE(left.x0 <= right.x0);
      REQUIRE(right.x0 >= 0);
      REQUIRE(right.x1 <= 641);
    }
  }
}

TEST_CASE("overlay lanes: a wide span is a block of its own with the times it has") {
  SpanTree tree;
  tree.begin(0, 1);
  tree.begin(100, 2);
  tree.end(400);
  tree.begin(500, 3);
  tree.end(900);
  tree.end(1000);
  Lane lane(std::move(tree));
  const LaneLayout layout = lane.layout({0, 1000}, 500);
  REQUIRE(layout.block_count == 3);
  CHECK(layout.row_count == 2);
  CHECK(lane.blocks[1].x0 == doctest::Approx(50));
  CHECK(lane.blocks[1].x1 == doctest::Approx(200));
  CHECK(lane.blocks[2].first == 2);
  CHECK(lane.blocks[2].flags == 0);
}

TEST_CASE("overlay lanes: a span that reaches out of the window is cut and marked, not dropped") {
  SpanTree tree;
  tree.begin(0);
  tree.begin(300);
  tree.end(800);
  tree.end(1000);
  Lane lane(std::move(tree));
  const LaneLayout layout = lane.layout({400, 600}, 200);
  REQUIRE(layout.block_count == 2);
  for (const Block& block : lane.blocks) {
    CHECK(block.x0 == 0);
    CHECK(block.x1 == 200);
    CHECK(block.flags == (flamelet::ui::kBlockCutLeft | flamelet::ui::kBlockCutRight));
  }
}

TEST_CASE("overlay lanes: narrow neighbours become one block with a count, and a wide gap parts them") {
  SpanTree tree;
  tree.begin(0);
  for (int i = 0; i < 10; ++i) {
    tree.begin(1000 + i * 2);
    tree.end(1001 + i * 2);
  }
  for (int i = 0; i < 5; ++i) {
    tree.begin(5000 + i * 2);
    tree.end(5001 + i * 2);
  }
  tree.end(10000);
  Lane lane(std::move(tree));
  const LaneLayout layout = lane.layout({0, 10000}, 1000);
  REQUIRE(layout.block_count == 3);
  CHECK(lane.blocks[1].zones == 10);
  CHECK(lane.blocks[2].zones == 5);
  CHECK(layout.zones_drawn == 1);
  CHECK(layout.zones_merged == 15);
}

TEST_CASE("overlay lanes: a million equal siblings become one block") {
  Lane lane(flat_tree(1000000, 90, 10));
  const LaneLayout layout = lane.layout({0, 100000000}, 1280);
  REQUIRE(layout.block_count == 2);
  CHECK(lane.blocks[1].zones == 1000000);
}

TEST_CASE("overlay lanes: ten thousand levels are laid out without recursion") {
  Lane lane(deep_tree(10000));
  const LaneLayout layout = lane.layout({0, 20000}, 1280, 0);
  CHECK(layout.row_count == 10000);
  CHECK(layout.zones_drawn == 10000);
  CHECK(zones(lane.layout({0, 20000}, 1280)) == 10000);
}

TEST_CASE("overlay lanes: windows and canvases without extent give no blocks") {
  Lane lane(random_tree(3, 100, 4));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(lane.layout({500, 500}, 640).block_count == 0);
  CHECK(lane.layout({500, 400}, 640).block_count == 0);
  CHECK(lane.layout({0, 1000}, 0).block_count == 0);
  CHECK(lane.layout({0, 1000}, -5).block_count == 0);
  CHECK(lane.layout({0, 1000}, nan).block_count == 0);
  Lane empty{SpanTree()};
  CHECK(empty.layout({0, 1000}, 640).block_count == 0);
}

TEST_CASE("overlay lanes: a window as wide as time itself gives finite blocks") {
  Lane lane(random_tree(3, 1000, 4));
  const LaneLayout layout = lane.layout({INT64_MIN, INT64_MAX}, 640);
  CHECK(zones(layout) == 1000);
  for (const Block& block : lane.blocks) {
    CHECK(block.x0 >= 0);
    CHECK(block.x1 <= 641);
  }
}

TEST_CASE("overlay lanes: a full block array stops the layout and says so") {
  Lane lane(random_tree(5, 5000, 6), 50);
  const LaneLayout layout = lane.layout({0, 1000000}, 4000, 0);
  CHECK_FALSE(layout.complete);
  CHECK(layout.block_count == 50);
  CHECK(zones(layout) <= 5000);
}

TEST_CASE("overlay lanes: the block under the mouse is the one that is drawn there") {
  Lane lane(random_tree(11, 5000, 8));
  const LaneLayout layout = lane.layout({0, 200000}, 900);
  for (uint32_t i = 0; i < layout.block_count; ++i) {
    const Block& block = lane.blocks[i];
    const float middle = (block.x0 + block.x1) * 0.5f;
    const uint32_t found = flamelet::ui::find_block(lane.blocks, layout, block.depth, middle, 0);
    REQUIRE(found < lane.blocks.count);
    // Blocks of one pixel may overlap; then the later one is on top.
    REQUIRE(lane.blocks[found].x0 <= middle);
    REQUIRE(lane.blocks[found].x1 > middle);
    REQUIRE(lane.blocks[found].depth == block.depth);
  }
  CHECK(flamelet::ui::find_block(lane.blocks, layout, 5000, 10, 3) == lane.blocks.count);
}

TEST_CASE("overlay lanes: the mouse finds a narrow block from a few pixels away, the nearer of two") {
  SpanTree tree;
  tree.begin(100);
  tree.end(101);
  tree.begin(110);
  tree.end(111);
  Lane lane(std::move(tree));
  const LaneLayout layout = lane.layout({0, 1000}, 1000, 0);
  CHECK(flamelet::ui::find_block(lane.blocks, layout, 0, 104, 4) == 0);
  CHECK(flamelet::ui::find_block(lane.blocks, layout, 0, 107.5f, 4) == 1);
  CHECK(flamelet::ui::find_block(lane.blocks, layout, 0, 98, 4) == 0);
  CHECK(flamelet::ui::find_block(lane.blocks, layout, 0, 50, 4) == lane.blocks.count);
}

}  // namespace lane_layout_test
