// SPDX-License-Identifier: MIT
//
// All of the overlay at once, as flamelet_overlay_bench measures it ("everything").
#include <doctest/doctest.h>

#include "overlay/built_frame.h"

using namespace flamelet_tests;

TEST_CASE(
    "whole overlay: 50,000 scopes, 64 counters, details and a table of 2,000 rows: one draw list, no allocation") {
  BuiltFrame frame;
  frame.scopes(50000, 2000);
  frame.counters(64, 10000, " MiB");
  OverlayPlayer player(flamelet::OverlayMode::kActive, 1280, 1080);
  show_built_frame(&player, frame.finish());
  look_at_everything(&player);

  const flamelet::OverlayStats stats = player.stats();
  CHECK(stats.zones_in_view == 50001);
  CHECK(stats.zones_drawn + stats.zones_merged == 50001);
  CHECK(player.number("table_rows") == 2001);
  CHECK(player.number("counter_columns") >= 64 * 40);
  CHECK(player.state("selected_name") == "\"scope 0007\"");
  CHECK(HeadlessImGui::vertices_sane());
  CHECK(stats.canvas_commands <= 8);
  CHECK(stats.canvas_vertices <= 65535);
  CHECK(HeadlessImGui::vertices() <= 65535);
  CHECK(HeadlessImGui::commands() <= 12);
  const size_t before = player.gui.allocations();
  player.frames(100);
  CHECK(player.gui.allocations() == before);
}
