// SPDX-License-Identifier: MIT
//
// All of the overlay at once, as flamelet_overlay_bench measures it ("everything").
#include <doctest/doctest.h>

#include "overlay/built_frame.h"
#include "shell/overlay_state.h"
#include "support/building.h"

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
  CHECK(HeadlessImGui::allocations_in([&] { player.frames(100); }) == 0);
}

TEST_CASE("whole overlay: of a capture without frames that has 400,000 spans on one lane, no number is cut") {
  constexpr int64_t kSpans = 400000, kLongest = 390000;
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{256} << 20;
  recorder_test::Building building(config);
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main"), step = building.site("Step");
  int64_t now_ns = 0;
  for (int64_t i = 0; i < kSpans; ++i) {
    building.begin(lane, now_ns, step);
    now_ns += i == kLongest ? 5000000 : 9000;
    building.end(lane, now_ns);
    now_ns += 1000;
  }
  OverlayPlayer player;
  flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
  flamelet::overlay_set_filter(player.overlay, "Step");
  const flamelet::Overlay& o = *player.overlay;
  player.frames(3);
  player.open_page("table");
  do player.frames();
  while (flamelet::overlay_reading(player.overlay));
  constexpr int64_t kTotalNs = (kSpans - 1) * 9000 + 5000000;
  CHECK(player.number("filter_count") == kSpans);
  CHECK(player.number("filter_total_ns") == kTotalNs);
  REQUIRE(o.statistics.row_count() == 1);
  CHECK(o.statistics.row(0).count == kSpans);
  CHECK(o.statistics.row(0).total_ns == kTotalNs);
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Step"));
  CHECK(player.number("selected_end_ns") - player.number("selected_begin_ns") == 5000000);
  flamelet::overlay_set_filter(player.overlay, "");
  player.overlay->selection.select_scope({o.selection.scope.key, 0, false});
  player.open_page("lanes");
  player.press(TestKey::kTab);
  CHECK(player.number("selected_end_ns") - player.number("selected_begin_ns") == 5000000);
}
