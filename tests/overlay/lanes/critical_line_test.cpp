// SPDX-License-Identifier: MIT
#include "lanes/connections.h"

#include <doctest/doctest.h>

#include <vector>

#include "overlay/span_trees.h"

namespace critical_line_test {

using namespace flamelet::ui;
using namespace flamelet_tests;

namespace {

// Two lanes of 1000 ns, 100 pixels below each other: Main has "Frame" with "Wait" in [200, 800), Worker has "Job" in
// [250, 780). A row is 10 pixels high, a nanosecond a pixel wide.
struct Lanes {
  Lanes() {
    trees[0].begin(0);
    trees[0].begin(200);
    trees[0].end(800);
    trees[0].end(1000);
    trees[1].begin(250);
    trees[1].end(780);
    for (uint32_t i = 0; i < 2; ++i) {
      rows[i].build(trees[i].spans);
      lanes[i].rows = rows[i].lane;
      lanes[i].capture_lane = 10 + i;
      lanes[i].y = 100 * static_cast<float>(i);
      lanes[i].height = 50;
    }
  }
  Array<Lane> all() { return {lanes, 2, 2}; }

  SpanTree trees[2];
  BuiltRows rows[2];
  Lane lanes[2];
};

flamelet_piece piece(uint32_t lane, int64_t begin_ns, int64_t end_ns) {
  flamelet_piece made = {};
  made.lane = lane;
  made.begin_ns = begin_ns;
  made.end_ns = end_ns;
  return made;
}

struct Line {
  explicit Line(size_t room = 64) : memory(room) {
    rects.data = memory.data();
    rects.capacity = static_cast<uint32_t>(room);
  }
  bool lay_out(const std::vector<flamelet_piece>& pieces, Lanes& lanes, View view, float width = 1000) {
    CriticalLineInput input;
    input.pieces = pieces.data();
    input.piece_count = pieces.size();
    input.view = view;
    input.width_px = width;
    input.row_px = 10;
    input.thickness_px = 2;
    input.least_px = 3;
    return lay_out_critical_line(input, lanes.all(), &rects);
  }
  std::vector<LineRect> memory;
  Array<LineRect> rects;
};

const std::vector<flamelet_piece> kPath = {piece(10, 0, 250), piece(11, 250, 780), piece(10, 780, 1000)};

void check_rect(const LineRect& rect, float x0, float y0, float x1, float y1) {
  CHECK(rect.x0 == x0);
  CHECK(rect.y0 == y0);
  CHECK(rect.x1 == x1);
  CHECK(rect.y1 == y1);
}

}  // namespace

TEST_CASE("overlay critical line: it runs along the scopes that were waited for, with steps between the lanes") {
  Lanes lanes;
  Line line;
  REQUIRE(line.lay_out(kPath, lanes, {0, 1000}));
  REQUIRE(line.rects.count == 5);
  check_rect(line.rects[0], 0, 8, 250, 10);     // Frame, in the first row of Main
  check_rect(line.rects[1], 250, 8, 252, 110);  // down to Worker
  check_rect(line.rects[2], 250, 108, 780, 110);
  check_rect(line.rects[3], 780, 18, 782, 110);  // and up again, to the wait's last 20 ns in the second row
  check_rect(line.rects[4], 780, 18, 1000, 20);
}

TEST_CASE("overlay critical line: what is outside of the view is cut, and what is on a hidden lane is left out") {
  Lanes lanes;
  Line line;
  REQUIRE(line.lay_out(kPath, lanes, {500, 600}));
  REQUIRE(line.rects.count == 1);
  check_rect(line.rects[0], 0, 108, 1000, 110);
  lanes.lanes[1].height = 0;
  REQUIRE(line.lay_out(kPath, lanes, {0, 1000}));
  REQUIRE(line.rects.count == 2);  // no step leads to what is not there
  check_rect(line.rects[1], 780, 18, 1000, 20);
  lanes.lanes[0].folded = true;
  REQUIRE(line.lay_out(kPath, lanes, {0, 1000}));
  check_rect(line.rects[1], 780, 8, 1000, 10);
  REQUIRE(line.lay_out({}, lanes, {0, 1000}));
  CHECK(line.rects.count == 0);
}

TEST_CASE("overlay critical line: a step at the right edge stays inside") {
  Lanes lanes;
  Line line;
  REQUIRE(line.lay_out({piece(10, 0, 999), piece(11, 999, 1000)}, lanes, {0, 1000}));
  for (const LineRect& rect : line.rects) CHECK(rect.x1 <= 1000);
  CHECK(line.rects.count == 3);
}

TEST_CASE("overlay critical line: of many short pieces the longest ones are drawn, as many as there is room for") {
  Lanes lanes;
  std::vector<flamelet_piece> pieces;
  for (int64_t at = 0; at < 1000; ++at) pieces.push_back(piece(at % 2 == 0 ? 10 : 11, at, at + 1));
  Line line(1024);
  REQUIRE(line.lay_out(pieces, lanes, {0, 1000}));
  CHECK(line.rects.count > 300);
  CHECK(line.rects.count <= 2 * 334);
  float end = 0;
  for (const LineRect& rect : line.rects) {
    if (rect.y1 - rect.y0 > 2) continue;  // a step
    CHECK(rect.x0 == end);
    end = rect.x1;
  }
  CHECK(end == 1000);
  Line small(16);
  CHECK_FALSE(small.lay_out(pieces, lanes, {0, 1000}));
  CHECK(small.rects.count == 16);
}

}  // namespace critical_line_test
