// SPDX-License-Identifier: MIT
#include "lanes/connections.h"

#include <doctest/doctest.h>

#include <vector>

#include "overlay/span_trees.h"
#include "support/building.h"

using namespace flamelet::ui;
using recorder_test::Building;

namespace {

// Two threads with a scope in [0, 1000) each, and on the second one "Job" in [300, 600). The lanes are 50 pixels below
// each other, rows 10 pixels high, and a nanosecond is a pixel wide.
struct Flows {
  Flows() {
    for (const char* name : {"Main", "Worker"}) lanes_of_builder.push_back(building.lane(FLAMELET_LANE_THREAD, name));
  }
  void begin(uint32_t lane, int64_t time_ns, uint64_t id) { mark(lane, time_ns, id, false); }
  void end(uint32_t lane, int64_t time_ns, uint64_t id) { mark(lane, time_ns, id, true); }
  void finish() {
    for (uint32_t lane = 0; lane < 2; ++lane) {
      const uint32_t track = lanes_of_builder[lane];
      building.begin(track, 0, building.site("Frame"));
      add_marks(lane, 0, 300);
      if (lane == 1) building.begin(track, 300, building.site("Job"));
      add_marks(lane, 300, 600);
      if (lane == 1) building.end(track, 600);
      add_marks(lane, 600, 1000);
      building.end(track, 1000);
    }
    capture = building.finish();
    Carver measure(nullptr);
    carve(&measure);
    memory.resize(measure.used());
    Carver carver(memory.data());
    carve(&carver);
    store.read(capture, {0, 1000});
    for (uint32_t i = 0; i < 2; ++i) {
      store.lanes()[i].y = 50 * static_cast<float>(i);
      store.lanes()[i].height = 40;
    }
  }
  // The arrows of the scope with these times on this lane.
  std::vector<FlowLine> lines(uint32_t lane, TimeWindow scope, View view = {0, 1000}) {
    arrows.choose(capture, {-1000, 2000}, store.generation(), lane, scope);
    arrows.lay_out(view, 1000, 10, store.lanes());
    return std::vector<FlowLine>(arrows.lines().begin(), arrows.lines().end());
  }

  Building building;
  std::vector<uint32_t> lanes_of_builder;
  flamelet_capture* capture = nullptr;
  std::vector<char> memory;
  SpanStore store;
  FlowArrows arrows;

 private:
  struct Mark {
    uint32_t lane;
    int64_t time_ns;
    uint64_t id;
    bool ends;
  };

  void mark(uint32_t lane, int64_t time_ns, uint64_t id, bool ends) { marks.push_back({lane, time_ns, id, ends}); }
  void add_marks(uint32_t lane, int64_t begin_ns, int64_t end_ns) {
    for (const Mark& mark : marks)
      if (mark.lane == lane && mark.time_ns >= begin_ns && mark.time_ns < end_ns)
        flamelet_capture_builder_flow(building.builder, lanes_of_builder[lane], mark.time_ns, mark.id, mark.ends);
  }
  void carve(Carver* carver) {
    store.carve(carver, 1024, 8);
    arrows.carve(carver);
  }

  std::vector<Mark> marks;
};

constexpr TimeWindow kMain = {0, 1000};
constexpr TimeWindow kJob = {300, 600};

}  // namespace

TEST_CASE_FIXTURE(Flows, "overlay flows: an arrow leads from where a flow begins to each of its ends") {
  begin(0, 100, 7);
  end(1, 350, 7);
  end(1, 500, 7);
  finish();
  const std::vector<FlowLine> from_main = lines(0, kMain);
  REQUIRE(from_main.size() == 2);
  CHECK(from_main[0].x0 == 100);
  CHECK(from_main[0].y0 == 10);  // the lower edge of Main's first row
  CHECK(from_main[0].x1 == 350);
  CHECK(from_main[0].y1 == 60);  // the upper edge of Worker's second one
  CHECK(from_main[1].x1 == 500);
  for (const FlowLine& line : from_main) CHECK((line.has_begin && line.has_end && !line.open));
  CHECK(arrows.counts().begun == 1);
  CHECK(arrows.counts().ended == 0);
  CHECK(lines(1, kJob).size() == 2);
  CHECK(arrows.counts().ended == 2);
  CHECK(lines(1, {300, 400}).size() == 1);
  CHECK(lines(1, {700, 800}).empty());
}

TEST_CASE_FIXTURE(Flows, "overlay flows: what does not pair is drawn as far as it is known, and counted") {
  end(1, 310, 1);    // ended before it began
  begin(0, 320, 1);  // and then never ended
  begin(0, 100, 2);  // begun twice
  begin(0, 200, 2);
  end(1, 400, 2);
  finish();
  const std::vector<FlowLine> main = lines(0, kMain);
  REQUIRE(main.size() == 3);
  CHECK(arrows.counts().begun == 3);
  CHECK(arrows.counts().open == 2);
  CHECK(arrows.counts().begun_again == 1);
  int open = 0;
  for (const FlowLine& line : main) {
    open += line.open;
    CHECK(line.has_begin);
    CHECK(line.has_end == !line.open);
  }
  CHECK(open == 2);
  const std::vector<FlowLine> job = lines(1, kJob);
  REQUIRE(job.size() == 2);
  CHECK(arrows.counts().missing_begins == 1);
  CHECK(job[0].open);
  CHECK_FALSE(job[0].has_begin);
}

TEST_CASE_FIXTURE(Flows, "overlay flows: arrows end at the edges of the view, and lead to no lane that is hidden") {
  begin(0, 100, 7);
  end(1, 500, 7);
  finish();
  const std::vector<FlowLine> cut = lines(0, kMain, {200, 400});
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].x0 == 0);
  CHECK(cut[0].x1 == 1000);
  CHECK(cut[0].y0 == doctest::Approx(10 + 50.0 / 4));
  CHECK_FALSE(cut[0].has_begin);
  CHECK_FALSE(cut[0].has_end);
  CHECK(lines(0, kMain, {600, 700}).empty());
  store.lanes()[1].height = 0;
  CHECK(lines(0, kMain).empty());
}

TEST_CASE_FIXTURE(Flows, "overlay flows: there is room for so many arrows, and the others are counted") {
  for (uint64_t id = 1; id <= 100; ++id) {
    begin(0, 100, id);
    end(1, 400, id);
  }
  finish();
  CHECK(lines(0, kMain).size() == FlowArrows::kMostArrows);
  CHECK(arrows.left_out() == 100 - FlowArrows::kMostArrows);
  arrows.clear();
  CHECK(arrows.left_out() == 0);
}

TEST_CASE(
    "overlay flows: those of the scope are found behind any number of others, and all of one id or a word about it") {
  Flows f;
  for (uint64_t id = 1; id <= 9000; ++id) {
    f.begin(0, 100, id);
    f.end(1, 700, id);
  }
  f.begin(0, 100, 10000);
  f.end(1, 400, 10000);
  f.finish();
  CHECK(f.lines(1, kJob).size() == 1);
  CHECK(f.arrows.counts().ended == 1);
  CHECK(f.arrows.counts().complete);
  Flows many;
  many.begin(0, 100, 1);
  for (int i = 0; i < 5000; ++i) many.end(1, 400, 1);
  many.finish();
  many.lines(1, kJob);
  CHECK_FALSE(many.arrows.counts().complete);
}

TEST_CASE("overlay flows: an arrow within one row runs below it, and not through its label") {
  Flows flows;
  flows.begin(0, 100, 1);
  flows.end(0, 800, 1);
  flows.finish();
  const std::vector<FlowLine> lines = flows.lines(0, {0, 1000});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].y0 == 10);  // rows are 10 pixels high
  CHECK(lines[0].y1 == 10);
}

// ---- Critical line ------------------------------------------------------------------------------------------------

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
