// SPDX-License-Identifier: MIT
//
// Why the selected frame was slow: the row below the details, and the page.
#include <doctest/doctest.h>

#include <string>

#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"

using namespace flamelet_tests;

namespace {

constexpr uint64_t kSlow = 60;  // its physics take twenty times as long

// 60 frames that are alike, a slow one, and four more.
struct SlowGame {
  explicit SlowGame(uint32_t frames_before = 60) : game(small_game()) {
    for (uint32_t i = 0; i < frames_before; ++i) game.frame();
    game.frame(20);
    for (int i = 0; i < 4; ++i) game.frame();
    player.frames(3);
  }
  void select(uint64_t first, uint64_t last) {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, first, last));
    player.frames(100);
  }
  std::string text() const { return std::string(player.overlay->why.text()); }
  void open(const char* page) { flamelet::overlay_load_settings(player.overlay, page, strlen(page)); }
  // On a row of the page's tables.
  void move_to(const char* table, int row) {
    const float height = static_cast<float>(player.number("row_height_px"));
    player.move(200, static_cast<float>(player.number(table)) + (static_cast<float>(row) + 0.5f) * height);
  }
  std::string innermost(uint32_t path) { return std::string(flamelet::ui::why_name(*player.overlay, path).name); }

  RecordedGame game;
  OverlayPlayer player;
};

}  // namespace

TEST_CASE("overlay why: a slow frame has a row that says why, and a click on it opens the page") {
  SlowGame g;
  g.select(kSlow, kSlow);
  REQUIRE(g.player.state("why_known") == "true");
  CHECK(g.player.number("why_frame") == kSlow);
  CHECK(g.player.number("why_causes") >= 1);
  CHECK(g.player.state("why_verdict") == "\"uninstrumented\"");
  CHECK(g.text().find("more than usual") != std::string::npos);
  CHECK(g.text().find("Island::solve") != std::string::npos);
  REQUIRE(g.player.number("why_row_y_px") > 0);
  g.player.move(200, static_cast<float>(g.player.number("why_row_y_px")) + 5);
  g.player.click();
  CHECK(g.player.state("page") == "\"why\"");
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay why: a frame within the budget has a row only if the settings ask for it") {
  SlowGame g;
  flamelet::overlay_load_settings(g.player.overlay, "budget_ns=100000000", 19);
  g.select(kSlow, kSlow);
  CHECK(g.player.number("why_row_y_px") == 0);
  CHECK(g.player.state("why_known") == "false");  // nothing shows it
  g.open("why_always=1");
  g.player.frames(100);
  CHECK(g.player.number("why_row_y_px") > 0);
  CHECK(g.player.state("why_known") == "true");
}

TEST_CASE("overlay why: the page, which says more, stands in place of the row") {
  SlowGame g;
  g.select(kSlow, kSlow);
  REQUIRE(g.player.number("why_row_y_px") > 0);
  g.player.open_page("why");
  CHECK(g.player.number("why_row_y_px") == 0);
  CHECK(g.player.state("why_known") == "true");
  g.player.open_page("table");
  CHECK(g.player.number("why_row_y_px") > 0);
}

TEST_CASE("overlay why: while the game runs nothing is explained; the button on the page pauses") {
  SlowGame g;
  g.open("page=why");
  g.player.frames(100);
  CHECK(g.player.state("why_known") == "false");
  CHECK(g.player.state("why_frame") == "0");
  g.player.move(60, static_cast<float>(g.player.number("bars_top_px") + g.player.number("bars_height_px")) + 14);
  g.player.click();
  g.player.frames(100);
  CHECK(g.player.state("paused") == "true");
  CHECK(g.player.state("why_known") == "true");
}

TEST_CASE("overlay why: of several selected frames the longest is explained") {
  SlowGame g;
  g.select(kSlow - 3, kSlow + 2);
  CHECK(g.player.number("why_frame") == kSlow);
  g.select(kSlow - 3, kSlow - 2);
  CHECK(g.player.number("why_frame") < kSlow);
}

TEST_CASE("overlay why: what makes the answer unsure is said first") {
  SlowGame g(5);
  g.open("page=why");
  g.select(5, 5);
  REQUIRE(g.player.state("why_known") == "true");
  CHECK(g.player.overlay->why.doubtful());
  CHECK(g.text().find("There is little to compare with") == 0);
}

TEST_CASE("overlay why: a line of the page selects its scope, and a double-click shows it in the lanes") {
  SlowGame g;
  g.open("page=why");
  g.select(kSlow, kSlow);
  REQUIRE(g.player.number("why_causes") >= 1);
  const flamelet_explanation& why = g.player.overlay->why.answer();
  g.move_to("why_causes_y_px", 0);
  g.player.click();
  CHECK(g.player.number("selected_begin_ns") == static_cast<double>(why.causes[0].span_begin_ns));
  CHECK(g.player.number("selected_end_ns") == static_cast<double>(why.causes[0].span_end_ns));
  CHECK(g.player.state("selected_name") == "\"" + g.innermost(why.causes[0].path) + "\"");
  g.player.settle();
  g.move_to("why_pieces_y_px", 0);
  g.player.double_click();
  CHECK(g.player.state("page") == "\"lanes\"");
  CHECK(g.player.state("selected_name") == "\"" + g.innermost(why.pieces[0].path) + "\"");
  CHECK(g.player.number("view_begin_ns") <= static_cast<double>(why.pieces[0].span_begin_ns));
  CHECK(g.player.number("view_end_ns") >= static_cast<double>(why.pieces[0].span_end_ns));
}

TEST_CASE("overlay why: a scope that began in the frame before is selected, and the explained frame stays") {
  RecordedGame game(small_game());
  for (int i = 0; i < 10; ++i) game.frame();
  const flamelet_id across = flamelet_begin("Across", "", nullptr);
  for (int i = 0; i < 2; ++i) game.frame();
  flamelet_end(across);
  for (int i = 0; i < 4; ++i) game.frame();
  OverlayPlayer player;
  player.frames(3);
  flamelet::overlay_load_settings(player.overlay, "page=why", 8);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 11, 11));
  player.frames(100);
  REQUIRE(player.state("why_known") == "true");
  const flamelet_explanation& why = player.overlay->why.answer();
  uint32_t row = 0;
  while (row < why.piece_count && why.pieces[row].span_begin_ns >= why.frame.begin_ns) ++row;
  REQUIRE(row < why.piece_count);
  const double height = player.number("row_height_px");
  const auto row_y = [&] {
    return static_cast<float>(player.number("why_pieces_y_px") + (static_cast<double>(row) + 0.5) * height);
  };
  player.move(200, 300);
  for (int i = 0; i < 200 && row_y() > 310; ++i) player.wheel(-1);
  player.move(200, row_y());
  player.click();
  CHECK(player.state("selected_name") == "\"Across\"");
  CHECK(player.number("first_frame") == 11);
  CHECK(player.number("why_frame") == 11);
}

TEST_CASE("overlay why: the row says on which lane there was no scope, and what is only probable") {
  SlowGame g;
  g.select(kSlow, kSlow);
  flamelet_cause cause = {};
  flamelet_explain_scope scope = {};
  while (g.player.overlay->why.scope(cause.path, &scope) && (scope.lane == UINT32_MAX || scope.name != UINT32_MAX))
    ++cause.path;
  REQUIRE(scope.lane != UINT32_MAX);
  cause.verdict = FLAMELET_VERDICT_UNINSTRUMENTED;
  const auto text_of = [&] {
    flamelet::ui::FixedText<128> text;
    flamelet::ui::add_why_place(*g.player.overlay, cause, 3, &text);
    text.add(' ');
    flamelet::ui::add_why_verdict(cause, &text);
    return std::string(text.view());
  };
  CHECK(text_of().find(": no scope (uninstrumented)") != std::string::npos);
  cause.flags = FLAMELET_PIECE_PROBABLY;
  CHECK(text_of().find(": no scope (uninstrumented, probably)") != std::string::npos);
}

TEST_CASE("overlay why: a frame without a scope, or without frames at all, says so") {
  OverlayPlayer player;
  flamelet::overlay_load_settings(player.overlay, "page=why\nwhy_always=1", 21);
  flamelet::overlay_set_paused(player.overlay, true);
  player.frames(10);
  CHECK(player.state("why_known") == "false");
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay why: row and page allocate nothing") {
  SlowGame g;
  const auto play = [&] {
    g.select(kSlow - 4, kSlow - 4);
    g.select(kSlow, kSlow);
    g.player.open_page("why");
    g.move_to("why_causes_y_px", 0);
    g.player.click();
    g.player.wheel(-3);
    g.player.wheel(3);
    g.player.settle();
    g.player.open_page("lanes");
  };
  g.open("why_always=1");
  play();
  play();
  const size_t before = g.player.gui.allocations();
  for (int i = 0; i < 5; ++i) play();
  CHECK(g.player.gui.allocations() == before);
}

TEST_CASE("overlay why: P draws the critical path over the lanes, and takes it away") {
  SlowGame g;
  g.select(kSlow, kSlow);
  g.player.move(400, 300);
  const double vertices = g.player.number("canvas_vertices");
  CHECK(g.player.number("critical_line_rects") == 0);
  g.player.type('p');
  g.player.frames(3);
  CHECK(g.player.state("critical_path") == "true");
  const double rects = g.player.number("critical_line_rects");
  CHECK(rects >= 1);
  CHECK(g.player.number("canvas_vertices") >= vertices + 8 * rects);
  CHECK(HeadlessImGui::vertices_sane());
  g.player.type('p');
  CHECK(g.player.number("canvas_vertices") == vertices);
}
