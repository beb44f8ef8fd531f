// SPDX-License-Identifier: MIT
//
// Lanes of intervals on the page Lanes.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/capture_builder.h"
#include "lanes/lane_rows.h"
#include "lanes/span_store.h"
#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "overlay/span_trees.h"
#include "support/building.h"
#include "support/recording.h"

namespace interval_lanes_test {

using namespace flamelet_tests;

namespace {

void pass(int readings) {
  for (int i = 0; i < readings; ++i) flamelet_now_ticks();
}

// Eight frames. Streaming block 1 goes through all of them, block 2 and 3 overlap in the fifth, block 4 never ends.
void record_frames() {
  flamelet_set_thread_name("Main");
  const flamelet_id first = flamelet_interval_begin("Stream block", "streaming", "block 1");
  for (int frame = 0; frame < 8; ++frame) {
    const flamelet_id scope = flamelet_begin("Frame", "", nullptr);
    pass(100);
    if (frame == 5) {
      const flamelet_id a = flamelet_interval_begin("Stream block", "streaming", "block 2");
      pass(100);
      const flamelet_id b = flamelet_interval_begin("Stream block", "streaming", "block 3");
      pass(100);
      flamelet_interval_end(a);
      pass(100);
      std::thread([b] {
        flamelet_set_thread_name("Loader");
        flamelet_interval_end(b);
      }).join();
      flamelet_interval_begin("Quest", "quests", nullptr);
    }
    pass(100);
    flamelet_end(scope);
    flamelet_frame();
  }
  flamelet_interval_end(first);
}

float lane_row_y(const OverlayPlayer& player, const std::string& lane, int row) {
  const std::string text = player.whole_state();
  const size_t at = text.find("\"lane\": \"" + lane + "\", \"kind\": \"interval\"");
  REQUIRE(at != std::string::npos);
  const double top = atof(text.c_str() + text.find("\"top_px\": ", at) + strlen("\"top_px\": "));
  return static_cast<float>(top + (row + 0.5) * player.number("row_height_px"));
}

}  // namespace

TEST_CASE("overlay intervals: they have lanes by category, and do not stretch the frame") {
  const recorder_test::TickingRecording recording;
  record_frames();
  DrawnPlayer player;
  REQUIRE(player.select_frames(6, 6));
  const double frame_ns = player.number("view_end_ns") - player.number("view_begin_ns");
  CHECK(frame_ns < 8000);
  CHECK(player.number("interval_lanes") == 2);
  CHECK(player.number("intervals") == 4);
  CHECK(player.number("intervals_drawn") + player.number("intervals_merged") == 2);  // block 1, and the quest
  CHECK(player.number("intervals_open") == 1);
  CHECK(player.number("zones_in_view") == 1);
  REQUIRE(player.select_frames(5, 5));
  CHECK(player.number("intervals_drawn") + player.number("intervals_merged") == 4);
}

TEST_CASE("overlay intervals: a click selects one, and says which threads began and ended it") {
  const recorder_test::TickingRecording recording;
  record_frames();
  DrawnPlayer player;
  REQUIRE(player.select_frames(5, 5));
  const float x = static_cast<float>(player.number("canvas_left_px") + 0.55 * player.number("canvas_width_px"));
  player.move(x, lane_row_y(player, "streaming", 2));
  CHECK(player.state("hovered_name") == "\"Stream block\"");
  player.click();
  CHECK(player.state("selected_name") == "\"Stream block\"");
  CHECK(player.state("interval_begun_on") == "\"Main\"");
  CHECK(player.state("interval_ended_on") == "\"Loader\"");
  CHECK(HeadlessImGui::vertices_sane());
  player.press(TestKey::kEscape);
  CHECK(player.state("interval_begun_on") == "null");
}

TEST_CASE("overlay intervals: page Scope does not count calls of one, but says that it has none") {
  const recorder_test::TickingRecording recording;
  record_frames();
  DrawnPlayer player;
  REQUIRE(player.select_frames(5, 5));
  const float x = static_cast<float>(player.number("canvas_left_px") + 0.55 * player.number("canvas_width_px"));
  player.move(x, lane_row_y(player, "streaming", 2));
  player.click();
  player.open_page("scope");
  player.frames(10);
  CHECK(is_drawn("Thisisaninterval"));
  CHECK_FALSE(is_drawn("0x"));
}

TEST_CASE_FIXTURE(recorder_test::TickingRecording, "overlay intervals: reading them anew allocates nothing") {
  record_frames();
  DrawnPlayer player;
  const auto play = [&] {
    REQUIRE(player.select_frames(5, 5));
    REQUIRE(player.select_frames(2, 4));
  };
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

TEST_CASE("overlay intervals: a lane with more than there is room for is hatched, and the truth line says so") {
  recorder_test::Building building{flamelet_capture_config_default()};
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
  building.frame(1, 0, 1000000, lane);
  const uint32_t site = building.site("hold", "lock");
  for (uint32_t i = 0; i < 1000; ++i)
    flamelet_capture_builder_interval(building.builder, 1, i * 1000, 1, i * 1000 + 500, i + 1, site, 0, 0);
  flamelet::OverlayConfig config = active_overlay();
  config.max_intervals = 100;
  DrawnPlayer player(config);
  player.show(building.finish(), "built", 5);
  CHECK(player.number("intervals_left_out") == 900);
  CHECK(player.number("zones_left_out") == 900);
  CHECK(is_drawn("notread:zoomin\n"));
  const double x = player.number("canvas_left_px") + 0.8 * player.number("canvas_width_px");
  player.move(static_cast<float>(x), static_cast<float>(player.number("canvas_top_px")) + 30);
  for (int i = 0; i < 20; ++i) player.wheel(1);
  player.frames(5);
  CHECK(player.number("intervals_left_out") == 0);
  CHECK(player.number("intervals_drawn") > 0);
  CHECK_FALSE(is_drawn("notread"));
}

}  // namespace interval_lanes_test

// ---- Interval store -----------------------------------------------------------------------------------------------

namespace interval_store_test {

using namespace flamelet::ui;
using flamelet_tests::Random;

namespace {

struct Intervals {
  explicit Intervals(uint32_t room = 4096) : memory(size_t{8} << 20) {
    for (const char* category : {"", "streaming", "quests"}) sites.push_back(building.site("Load", category));
    Carver carver(memory.data());
    store.carve(&carver, room);
    carver.take(&blocks, 16384);
    REQUIRE(carver.used() <= memory.size());
    store.clear();
  }
  void add(int64_t begin_ns, int64_t end_ns, uint32_t site = 0, bool open = false) {
    ++next_id;
    flamelet_capture_builder_interval(building.builder, 1, begin_ns, open ? 0 : 2, end_ns, next_id, sites[site], 0, 0);
    times.push_back({begin_ns, end_ns});
  }
  void finish() { store.read(building.finish(), {0, 1000000000}); }
  LaneLayout layout(const LaneRows& rows, TimeWindow window, float width_px) {
    blocks.clear();
    LaneLayoutInput input;
    input.window = window;
    input.width_px = width_px;
    return layout_lane(rows, input, &blocks);
  }
  std::vector<char> memory;
  recorder_test::Building building{flamelet_capture_config_default()};
  std::vector<uint32_t> sites;
  std::vector<TimeWindow> times;
  flamelet_id next_id = 0;
  IntervalStore store;
  Array<Block> blocks;
};

}  // namespace

TEST_CASE_FIXTURE(Intervals, "overlay intervals: no two of one row overlap, and as few rows are used as overlap") {
  add(0, 100);
  add(50, 150);
  add(100, 200);
  add(120, 130);
  finish();
  REQUIRE(store.groups().count == 1);
  const LaneRows& rows = store.groups()[0].rows;
  CHECK(rows.span_count == 4);
  CHECK(rows.row_count == 3);
  for (uint32_t row = 0; row < rows.row_count; ++row)
    for (uint32_t i = rows.row_begin[row] + 1; i < rows.row_begin[row + 1]; ++i)
      CHECK(rows.spans[rows.order[i - 1]].end_ns <= rows.spans[rows.order[i]].begin_ns);
}

TEST_CASE("overlay intervals: drawn and merged add up to the intervals in the window, at every zoom") {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Intervals f;
    int64_t now_ns = 1000;
    for (int i = 0; i < 3000; ++i) {
      now_ns += random.below(1u << random.below(14));
      f.add(now_ns, now_ns + random.below(1u << random.below(18)), random.below(3));
    }
    f.finish();
    REQUIRE(f.store.groups().count == 3);
    for (int i = 0; i < 100; ++i) {
      TimeWindow window;
      window.begin_ns = random.below(static_cast<uint32_t>(now_ns));
      window.end_ns = window.begin_ns + 1 + random.below(1u << random.below(24));
      uint32_t in_window = 0;
      for (const TimeWindow& time : f.times)
        if (time.end_ns > window.begin_ns && time.begin_ns < window.end_ns) ++in_window;
      uint32_t shown = 0;
      for (const IntervalGroup& group : f.store.groups()) {
        const LaneLayout layout = f.layout(group.rows, window, static_cast<float>(1 + random.below(1300)));
        REQUIRE(layout.complete);
        shown += layout.zones_drawn + layout.zones_merged;
      }
      REQUIRE(shown == in_window);
    }
  }
}

TEST_CASE("overlay intervals: one that is open is cut at the right edge, and at the left where it began before") {
  Intervals f;
  f.add(1000, 9000, 1, true);
  f.finish();
  REQUIRE(f.store.groups().count == 1);
  CHECK(f.store.groups()[0].category == "streaming");
  const LaneLayout layout = f.layout(f.store.groups()[0].rows, {2000, 5000}, 600);
  REQUIRE(layout.block_count == 1);
  CHECK(f.blocks[0].flags == (kBlockCutLeft | kBlockCutRight));
  CHECK(f.blocks[0].x0 == 0);
  CHECK(f.blocks[0].x1 == 600);
  REQUIRE(f.store.find(1) != nullptr);
  CHECK((f.store.find(1)->flags & FLAMELET_SPAN_OPEN) != 0);
}

TEST_CASE_FIXTURE(Intervals, "overlay intervals: an interval keeps its row while others come and go") {
  add(0, 1000);
  add(100, 5000);
  finish();
  CHECK(store.groups()[0].rows.spans[1].depth == 1);
  // Another capture without the first one: the second one stays where it was.
  Intervals later;
  later.next_id = 1;
  later.add(100, 5000);
  later.add(200, 300);
  store.read(later.building.finish(), {0, 10000});
  const LaneRows& rows = store.groups()[0].rows;
  REQUIRE(rows.span_count == 2);
  CHECK(store.of(rows, 0).id == 3);
  CHECK(rows.spans[0].depth == 0);
  CHECK(store.of(rows, 1).id == 2);
  CHECK(rows.spans[1].depth == 1);
}

TEST_CASE("overlay intervals: without room for all, those in the window are read, and the rest is counted") {
  Intervals f(100);
  for (int64_t i = 0; i < 1000; ++i) f.add(i * 100, i * 100 + 50);
  f.finish();
  CHECK(f.store.count() == 100);
  CHECK(f.store.left_out() == 900);
  f.store.read(f.building.capture, {50000, 55000});
  CHECK(f.store.count() == 50);
  CHECK(f.store.left_out() == 0);
}

TEST_CASE("overlay intervals: more at one time than there are rows are all there") {
  Intervals f;
  for (int64_t i = 0; i < 600; ++i) f.add(i, 100000);
  f.finish();
  const LaneRows& rows = f.store.groups()[0].rows;
  CHECK(rows.row_count == IntervalStore::kMostRows);
  CHECK(rows.span_count == 600);
  const LaneLayout layout = f.layout(rows, {0, 200000}, 1000);
  CHECK(layout.zones_drawn + layout.zones_merged == 600);
}

}  // namespace interval_store_test
