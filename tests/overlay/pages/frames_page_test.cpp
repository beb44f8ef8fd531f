// SPDX-License-Identifier: MIT
//
// The page Frames.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "pages/frames/frames_page.h"
#include "support/building.h"

using namespace flamelet_tests;

namespace {

// 60 frames, of which #20 took longest and #41 next to it.
struct SlowFrames : Played {
  SlowFrames() : Played(0) {
    for (int frame = 0; frame < 60; ++frame) game.frame(frame == 20 ? 9 : frame == 41 ? 6 : 1);
    player.frames(3);
    player.open_page("frames");
    player.frames(20);
  }
  void to_row(int row) {
    const double row_px = player.number("row_height_px");
    player.move(600, static_cast<float>(player.number("slow_frames_y_px") + (row + 0.5) * row_px));
  }
  void click_row(int row) {
    to_row(row);
    player.click();
    player.settle();
  }
};

}  // namespace

TEST_CASE_FIXTURE(SlowFrames, "overlay frames: the slowest frame stands first, and a click shows it") {
  CHECK(player.number("listed_frames") == 59);  // frame 0 is the time before the first mark
  CHECK(player.number("listed_first") == 20);
  CHECK(player.number("listed_median_ns") > 5e6);
  click_row(1);
  CHECK(player.state("page") == "\"frames\"");
  CHECK(player.state("paused") == "true");
  CHECK(player.number("first_frame") == 41);
  click_row(0);
  CHECK(player.number("first_frame") == 20);
  to_row(1);
  player.double_click();
  CHECK(player.state("page") == "\"lanes\"");
  CHECK(player.number("first_frame") == 41);
  CHECK(player.state("fitted") == "true");
}

TEST_CASE_FIXTURE(SlowFrames, "overlay frames: keys open the page, walk through the rows, open one and sort") {
  player.type('1');
  REQUIRE(player.state("page") == "\"lanes\"");
  player.type('q');
  REQUIRE(player.state("page") == "\"frames\"");
  for (const double frame : {20, 41}) {
    if (!press_chord(&player, {flamelet::ui::Key::kDown})) return;  // an ImGui without such keys
    CHECK(player.number("first_frame") == frame);
  }
  press_chord(&player, {flamelet::ui::Key::kEnter});
  CHECK(player.state("page") == "\"lanes\"");
  CHECK(player.number("first_frame") == 41);
  player.type('q');
  player.type('c');
  CHECK(player.number("listed_column") == 2);
  CHECK(player.number("listed_first") == 20);
}

TEST_CASE_FIXTURE(SlowFrames, "overlay frames: keys go on from the row of the shown frame") {
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 20, 20));
  player.frames(20);
  if (!press_chord(&player, {flamelet::ui::Key::kDown})) return;  // an ImGui without such keys
  CHECK(player.number("first_frame") == 41);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 20, 20));
  player.frames(20);
  press_chord(&player, {flamelet::ui::Key::kDown});
  CHECK(player.number("first_frame") == 41);
}

TEST_CASE("overlay frames: live, rows stand still under the mouse, and one that has gone is said to be gone") {
  SlowFrames s;
  s.to_row(0);
  s.game.frame(12);
  s.player.frames(40);
  CHECK(s.player.number("listed_first") == 20);
  s.player.move(600, 5);
  s.player.frames(40);
  CHECK(s.player.number("listed_frames") == 60);
  CHECK(s.player.number("listed_first") == 60);
}

TEST_CASE_FIXTURE(SlowFrames, "overlay frames: a click on the numbers beside the bars lists the slowest frames") {
  player.type('1');
  player.move(static_cast<float>(player.number("bars_left_px")) - 60, bars_y());
  player.click();
  CHECK(player.state("page") == "\"frames\"");
}

TEST_CASE("overlay frames: the time before the first mark is in no count and no figure") {
  for (const bool alone : {false, true}) {
    CAPTURE(alone);
    recorder_test::Building building;
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
    building.begin(lane, 0, building.site("start"));
    building.end(lane, 800000000);
    building.frame(0, 0, 800000000, FLAMELET_FRAME_PARTIAL);
    for (int64_t i = 0; i < (alone ? 0 : 5); ++i)
      building.frame(static_cast<uint64_t>(i + 1), 800000000 + i * 10000000, 810000000 + i * 10000000);
    OverlayPlayer player;
    player.show(building.finish(), "built");
    std::string said = all_drawn_text();
    CHECK((said.find("5frames,800.00ms") != std::string::npos) == !alone);
    CHECK((said.find("of5frames") != std::string::npos) == !alone);
    CHECK((said.find("1frame,800.00ms") != std::string::npos) == alone);
    CHECK(player.overlay->numbers.frame_times.max_ns == (alone ? 800000000 : 10000000));
    player.open_page("frames");
    player.frames(20);
    CHECK(player.number("listed_frames") == (alone ? 1 : 5));
    CHECK(player.number("listed_median_ns") == (alone ? 8e8 : 1e7));
    CHECK(player.number("frame_bars") == (alone ? 1 : 6));
  }
}

TEST_CASE("overlay frames: of more frames than the list has room for, it has the slowest, and says so") {
  flamelet::OverlayConfig config = active_overlay();
  config.max_frames = 128;
  for (const uint64_t count : {512u, 700u, 2000u}) {
    CAPTURE(count);
    recorder_test::Building building;
    std::vector<int64_t> lengths;
    int64_t now_ns = 0;
    for (uint64_t i = 1; i <= count; ++i) {
      lengths.push_back(i == 7 ? 50000000 : i < 40 ? 20000000 : 10000000 + static_cast<int64_t>(i * 7919 % count));
      building.frame(i, now_ns, now_ns + lengths.back());
      now_ns += lengths.back();
    }
    DrawnPlayer player(config);
    flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
    player.open_page("frames");
    player.frames(20);
    const flamelet::ui::FramesPage& page = player.overlay->pages.get<flamelet::ui::FramesPage>();
    REQUIRE(page.rows.count == 512);
    std::sort(lengths.begin(), lengths.end());
    for (uint32_t i = 0; i < page.rows.count; ++i) REQUIRE(page.rows[i].duration_ns == lengths[count - 1 - i]);
    CHECK(page.rows[0].index == 7);
    if (count <= 1024)
      CHECK(page.median_ns == lengths[(count - 1) / 2]);
    else
      CHECK(page.median_ns == player.overlay->numbers.frame_times.median_ns);
    const std::string said = all_drawn_text();
    CHECK((said.find("frame,of512;") != std::string::npos) == (count == 512));
    CHECK((said.find("frame,theslowest512,of700;") != std::string::npos) == (count == 700));
    CHECK((said.find("frame,theslowest512,of2,000;") != std::string::npos) == (count == 2000));
  }
}
