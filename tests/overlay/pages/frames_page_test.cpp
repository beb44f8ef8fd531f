// SPDX-License-Identifier: MIT
//
// The page Frames.
#include <doctest/doctest.h>

#include "overlay/hands.h"
#include "overlay/played_game.h"

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

TEST_CASE("overlay frames: the slowest frame stands first, and a click shows it") {
  SlowFrames s;
  CHECK(s.player.number("listed_frames") == 60);
  CHECK(s.player.number("listed_first") == 20);
  CHECK(s.player.number("listed_median_ns") > 5e6);
  s.click_row(1);
  CHECK(s.player.state("page") == "\"frames\"");
  CHECK(s.player.state("paused") == "true");
  CHECK(s.player.number("first_frame") == 41);
  s.click_row(0);
  CHECK(s.player.number("first_frame") == 20);
  s.to_row(1);
  s.player.double_click();
  CHECK(s.player.state("page") == "\"lanes\"");
  CHECK(s.player.number("first_frame") == 41);
  CHECK(s.player.state("fitted") == "true");
}

TEST_CASE("overlay frames: keys open the page, walk through the rows, open one and sort") {
  SlowFrames s;
  s.player.type('1');
  REQUIRE(s.player.state("page") == "\"lanes\"");
  s.player.type('q');
  REQUIRE(s.player.state("page") == "\"frames\"");
  for (const double frame : {20, 41}) {
    if (!press_chord(&s.player, {flamelet::ui::Key::kDown})) return;  // an ImGui without such keys
    CHECK(s.player.number("first_frame") == frame);
  }
  press_chord(&s.player, {flamelet::ui::Key::kEnter});
  CHECK(s.player.state("page") == "\"lanes\"");
  CHECK(s.player.number("first_frame") == 41);
  s.player.type('q');
  s.player.type('c');
  CHECK(s.player.number("listed_column") == 2);
  CHECK(s.player.number("listed_first") == 20);
}

TEST_CASE("overlay frames: live, rows stand still under the mouse, and one that has gone is said to be gone") {
  SlowFrames s;
  s.to_row(0);
  s.game.frame(12);
  s.player.frames(40);
  CHECK(s.player.number("listed_first") == 20);
  s.player.move(600, 5);
  s.player.frames(40);
  CHECK(s.player.number("listed_frames") == 61);
  CHECK(s.player.number("listed_first") == 60);
}

TEST_CASE("overlay frames: a click on the numbers beside the bars lists the slowest frames") {
  SlowFrames s;
  s.player.type('1');
  s.player.move(static_cast<float>(s.player.number("bars_left_px")) - 60, s.bars_y());
  s.player.click();
  CHECK(s.player.state("page") == "\"frames\"");
}
