// SPDX-License-Identifier: MIT
//
// The line below the toolbar that says what came of something.
#include <doctest/doctest.h>

#include "overlay/hands.h"
#include "shell/overlay_state.h"

using namespace flamelet_tests;
using flamelet::ui::Speaker;

TEST_CASE("status line: what one says takes the place of what another said, and each takes back only its own") {
  flamelet::ui::StatusLine line;
  CHECK(line.text().empty());
  line.say(Speaker::kFiles, true).add("Not saved");
  CHECK(line.text() == "Not saved");
  CHECK(line.is_bad());
  line.say(Speaker::kCompare).add("A is frame 7");
  CHECK(line.text() == "A is frame 7");
  CHECK(!line.is_bad());
  line.take_back(Speaker::kFiles);
  CHECK(line.text() == "A is frame 7");
  line.take_back(Speaker::kCompare);
  CHECK(line.text().empty());
  CHECK(!line.is_of(Speaker::kCompare));
}

TEST_CASE("status line: it stands below the toolbar until it is closed") {
  OverlayPlayer player;
  player.frames(3);
  const double top = player.number("canvas_top_px");
  player.overlay->status.say(Speaker::kHitches).add("one hitch was kept");
  player.frames(2);
  CHECK(player.state("file_notice") == "\"one hitch was kept\"");
  CHECK(player.number("canvas_top_px") > top);
  player.move(static_cast<float>(player.number("close_status_x_px")),
              static_cast<float>(player.number("close_status_y_px")));
  player.click();
  player.frames(2);
  CHECK(player.state("file_notice") == "\"\"");
  CHECK(player.number("canvas_top_px") == top);
}
