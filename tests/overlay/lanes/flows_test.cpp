// SPDX-License-Identifier: MIT
//
// Arrows of flows over the lanes.
#include <doctest/doctest.h>

#include "overlay/headless_imgui.h"
#include "support/recording.h"

using namespace flamelet_tests;

namespace {

// Ten frames in which "Submit" begins two flows, of which "Run" ends one. A scope takes a hundred readings of the clock.
void record_frames() {
  for (uint64_t frame = 0; frame < 10; ++frame) {
    for (const char* name : {"Submit", "Run"}) {
      const flamelet_id id = flamelet_begin(name, "", nullptr);
      for (int i = 0; i < 50; ++i) flamelet_now_ticks();
      if (name[0] == 'S') {
        flamelet_flow_begin(2 * frame + 1);
        flamelet_flow_begin(2 * frame + 2);
      } else {
        flamelet_flow_end(2 * frame + 1);
      }
      for (int i = 0; i < 50; ++i) flamelet_now_ticks();
      flamelet_end(id);
    }
    flamelet_frame();
  }
}

}  // namespace

TEST_CASE("overlay flows: the selected scope shows where its flows lead, and what never ended is counted") {
  const recorder_test::TickingRecording recording;
  record_frames();
  OverlayPlayer player;
  player.frames(3);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
  player.frames(2);
  CHECK(player.number("flow_arrows") == 0);
  const double vertices = player.number("canvas_vertices");
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Submit"));
  player.frames(2);
  CHECK(player.number("flow_arrows") == 2);
  CHECK(player.number("flows_begun") == 2);
  CHECK(player.number("flows_open") == 1);
  CHECK(player.number("canvas_vertices") > vertices);
  CHECK(HeadlessImGui::vertices_sane());
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Run"));
  player.frames(2);
  CHECK(player.number("flow_arrows") == 1);
  CHECK(player.number("flows_ended") == 1);
  CHECK(player.number("flows_open") == 0);
}

TEST_CASE("overlay flows: the scope under the mouse comes before the selected one") {
  const recorder_test::TickingRecording recording;
  record_frames();
  OverlayPlayer player;
  player.frames(3);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Submit"));
  const float x = static_cast<float>(player.number("canvas_left_px") + 0.75 * player.number("canvas_width_px"));
  player.move(x, static_cast<float>(player.number("canvas_top_px") + player.number("row_height_px")));
  REQUIRE(player.state("hovered_name") == "\"Run\"");
  CHECK(player.number("flows_ended") == 1);
  CHECK(player.number("flow_arrows") == 1);
}

TEST_CASE("overlay flows: a hovered scope's flows are read without an allocation") {
  const recorder_test::TickingRecording recording;
  record_frames();
  OverlayPlayer player;
  player.frames(3);
  const auto play = [&] {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 3, 3));
    REQUIRE(flamelet::overlay_select_scope(player.overlay, "Submit"));
    player.frames(3);
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 6, 6));
    player.frames(3);
  };
  play();
  play();
  const size_t before = player.gui.allocations();
  for (int i = 0; i < 5; ++i) play();
  CHECK(player.gui.allocations() == before);
}
