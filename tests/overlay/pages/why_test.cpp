// SPDX-License-Identifier: MIT
//
// Why the selected frame was slow: the row below the details, and the page.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "pages/why/why_page.h"
#include "shell/overlay_state.h"
#include "support/building.h"

namespace why_test {

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
  std::string text() const { return std::string(flamelet::ui::why_of(*player.overlay).text()); }
  void open(const char* page) { flamelet::overlay_load_settings(player.overlay, page, strlen(page)); }
  // On a row of the page's tables.
  void move_to(const char* table, int row) {
    const float height = static_cast<float>(player.number("row_height_px"));
    player.move(200, static_cast<float>(player.number(table)) + (static_cast<float>(row) + 0.5f) * height);
  }
  std::string innermost(uint32_t path) {
    return std::string(flamelet::ui::why_name(*player.overlay, flamelet::ui::why_of(*player.overlay), path).name);
  }

  RecordedGame game;
  OverlayPlayer player;
};

}  // namespace

TEST_CASE_FIXTURE(SlowGame, "overlay why: a slow frame has a row that says why, and a click on it opens the page") {
  select(kSlow, kSlow);
  REQUIRE(player.state("why_known") == "true");
  CHECK(player.number("why_frame") == kSlow);
  CHECK(player.number("why_causes") >= 1);
  CHECK(player.state("why_verdict") == "\"uninstrumented\"");
  CHECK(text().find("more than usual") != std::string::npos);
  CHECK(text().find("Island::solve") != std::string::npos);
  REQUIRE(player.number("why_row_y_px") > 0);
  player.move(200, static_cast<float>(player.number("why_row_y_px")) + 5);
  player.click();
  CHECK(player.state("page") == "\"why\"");
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: a frame within the budget has a row only if the settings ask for it") {
  flamelet::overlay_load_settings(player.overlay, "budget_ns=100000000", 19);
  select(kSlow, kSlow);
  CHECK(player.number("why_row_y_px") == 0);
  CHECK(player.state("why_known") == "false");  // nothing shows it
  open("why_always=1");
  player.frames(100);
  CHECK(player.number("why_row_y_px") > 0);
  CHECK(player.state("why_known") == "true");
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: until the answer is there, the overlay says that it reads") {
  open("page=why");
  REQUIRE(flamelet::overlay_select_frames(player.overlay, kSlow, kSlow));
  int frames = 0;
  for (; frames == 0 || flamelet::overlay_reading(player.overlay); ++frames) player.frames();
  CHECK(player.state("why_known") == "true");
  player.frames(20);
  CHECK_FALSE(flamelet::overlay_reading(player.overlay));
  CHECK_FALSE(flamelet::overlay_reading(nullptr));
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: the page, which says more, stands in place of the row") {
  select(kSlow, kSlow);
  REQUIRE(player.number("why_row_y_px") > 0);
  player.open_page("why");
  CHECK(player.number("why_row_y_px") == 0);
  CHECK(player.state("why_known") == "true");
  player.open_page("table");
  CHECK(player.number("why_row_y_px") > 0);
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: while the game runs nothing is explained; the button on the page pauses") {
  open("page=why");
  player.frames(100);
  CHECK(player.state("why_known") == "false");
  CHECK(player.state("why_frame") == "0");
  player.move(60, static_cast<float>(player.number("bars_top_px") + player.number("bars_height_px")) + 14);
  player.click();
  player.frames(100);
  CHECK(player.state("paused") == "true");
  CHECK(player.state("why_known") == "true");
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: of several selected frames the longest is explained") {
  select(kSlow - 3, kSlow + 2);
  CHECK(player.number("why_frame") == kSlow);
  CHECK(is_drawn("#60whyslow:"));
  open("why_always=1\n");
  select(kSlow - 3, kSlow - 2);
  CHECK(is_drawn("asslowasusual:"));
  CHECK(player.number("why_frame") < kSlow);
}

TEST_CASE("overlay why: what makes the answer unsure is said first") {
  SlowGame g(5);
  g.open("page=why");
  g.select(5, 5);
  REQUIRE(g.player.state("why_known") == "true");
  CHECK(flamelet::ui::why_of(*g.player.overlay).doubtful());
  CHECK(g.text().find("There is little to compare with") == 0);
}

TEST_CASE("overlay why: a line of the page selects its scope, and a double-click shows it in the lanes") {
  SlowGame g;
  g.open("page=why");
  g.select(kSlow, kSlow);
  REQUIRE(g.player.number("why_causes") >= 1);
  for (flamelet::ui::Lane& lane : g.player.overlay->store.lanes()) lane.folded = true;
  const flamelet_explanation& why = flamelet::ui::why_of(*g.player.overlay).answer();
  g.move_to("why_causes_y_px", 0);
  g.player.click();
  CHECK(g.player.number("selected_begin_ns") == static_cast<double>(why.causes[0].span_begin_ns));
  CHECK(g.player.number("selected_end_ns") == static_cast<double>(why.causes[0].span_end_ns));
  CHECK(g.player.state("selected_name") == "\"" + g.innermost(why.causes[0].path) + "\"");
  g.player.settle();
  g.move_to("why_pieces_y_px", 0);
  g.player.double_click();
  CHECK(g.player.state("page") == "\"lanes\"");
  const flamelet_piece& longest = *std::max_element(
      why.pieces, why.pieces + why.piece_count,
      [](const flamelet_piece& a, const flamelet_piece& b) { return a.end_ns - a.begin_ns < b.end_ns - b.begin_ns; });
  CHECK(g.player.state("selected_name") == "\"" + g.innermost(longest.path) + "\"");
  CHECK(g.player.number("view_begin_ns") <= static_cast<double>(longest.span_begin_ns));
  CHECK(g.player.number("view_end_ns") >= static_cast<double>(longest.span_end_ns));
  // It is to be seen there.
  const flamelet::ui::SelectedSpan& selected = g.player.overlay->selection.span;
  REQUIRE(selected.span.depth != 0);
  for (const flamelet::ui::Lane& lane : g.player.overlay->store.lanes())
    CHECK(lane.folded == (lane.id != selected.lane_id || lane.kind != selected.lane_kind));
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: of a frame that is as slow as usual, nothing took longer than usual") {
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  open("page=why");
  for (const bool over : {false, true}) {
    if (over) flamelet::overlay_load_settings(player.overlay, "budget_ns=1000000", 17);
    select(kSlow - 2, kSlow - 2);
    REQUIRE(player.state("why_known") == "true");
    CHECK((player.number("why_causes") == 0) != over);
    CHECK(is_drawn("\nnothing\n") != over);
    CHECK(is_drawn("\nwhattookmost\n") == over);
  }
}

TEST_CASE("overlay why: the column of verdicts says what the sentence says of work that is rare") {
  constexpr int64_t kMs = 1000000;
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), draw = building.site("Draw");
  const uint32_t collect = building.site("Collect");
  int64_t now_ns = 0;
  for (uint32_t i = 0; i <= 40; ++i) {
    const int64_t begin_ns = now_ns;
    building.begin(main, now_ns, draw);
    building.end(main, now_ns += 10 * kMs);
    if (i == 30 || i == 40) {
      building.begin(main, now_ns, collect);
      building.end(main, now_ns += 15 * kMs);
    }
    building.frame(i + 1, begin_ns, now_ns);
  }
  DrawnPlayer player;
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  player.show(building.finish(), "built");
  flamelet::overlay_load_settings(player.overlay, "page=why", 8);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 41, 41));
  player.frames(100);
  CHECK(std::string(flamelet::ui::why_of(*player.overlay).text()).find("Collect: rare, 15.0 ms in 1 of") !=
        std::string::npos);
  CHECK(is_drawn("\nrare\n"));
  CHECK_FALSE(is_drawn("\nnew\n"));
}

TEST_CASE(
    "overlay why: the path is a bar over the frame, and a list with the longest first and the short ones in one row") {
  SlowGame g;
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  g.open("page=why");
  g.select(kSlow, kSlow);
  const flamelet_explanation& why = flamelet::ui::why_of(*g.player.overlay).answer();
  const int64_t frame_ns = why.frame.end_ns - why.frame.begin_ns;
  uint32_t others = 0, longest = 0;
  for (uint32_t i = 0; i < why.piece_count; ++i) {
    const int64_t took_ns = why.pieces[i].end_ns - why.pieces[i].begin_ns;
    others += took_ns < frame_ns / 100;
    if (took_ns > why.pieces[longest].end_ns - why.pieces[longest].begin_ns) longest = i;
  }
  REQUIRE(others > 1);
  g.player.move(200, 400);
  for (int i = 0; i < 20; ++i) g.player.wheel(-1);
  CHECK(is_drawn(std::to_string(others) + "others\n"));
  for (int i = 0; i < 20; ++i) g.player.wheel(1);
  // A click into the bar, in the middle of the longest piece.
  const flamelet_piece& piece = why.pieces[longest];
  const double middle = static_cast<double>((piece.begin_ns + piece.end_ns) / 2 - why.frame.begin_ns);
  g.player.move(static_cast<float>(g.player.number("why_path_x_px") +
                                   g.player.number("why_path_width_px") * middle / static_cast<double>(frame_ns)),
                static_cast<float>(g.player.number("why_path_y_px")) + 5);
  g.player.click();
  CHECK(g.player.state("selected_name") == "\"" + g.innermost(piece.path) + "\"");
  CHECK(g.player.number("selected_begin_ns") == static_cast<double>(piece.span_begin_ns));
}

TEST_CASE("overlay why: a scope that began in the frame before is selected, and the explained frame stays") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
  for (uint32_t i = 0; i < 16; ++i) {
    const int64_t begin_ns = int64_t{i} * 1000;
    if (i == 10) building.begin(lane, begin_ns + 50, building.site("Across"));
    building.begin(lane, begin_ns + 100, building.site("Work"));
    building.end(lane, begin_ns + 300);
    if (i == 11) building.end(lane, begin_ns + 900);
    building.frame(i, begin_ns, begin_ns + 1000, lane);
  }
  DrawnPlayer player;
  player.show(building.finish(), "built");
  flamelet::overlay_load_settings(player.overlay, "page=why", 8);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 11, 11));
  player.frames(100);
  REQUIRE(player.state("why_known") == "true");
  // The longest piece: from the end of Work to the own end.
  player.move(200, static_cast<float>(player.number("why_pieces_y_px") + 0.5 * player.number("row_height_px")));
  player.click();
  CHECK(player.state("selected_name") == "\"Across\"");
  CHECK(player.number("first_frame") == 11);
  CHECK(player.number("why_frame") == 11);
}

TEST_CASE("overlay why: what is usually lost in one scope is not known, and is left blank") {
  constexpr int64_t kMs = 1000000;
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), draw = building.site("Draw");
  flamelet_capture_builder_switch(building.builder, main, 0, FLAMELET_STATE_RUNNING, 0);
  for (uint32_t i = 0; i <= 40; ++i) {
    const int64_t begin_ns = int64_t{i} * 10 * kMs, end_ns = begin_ns + (i < 40 ? 10 : 25) * kMs;
    building.begin(main, begin_ns, draw);
    building.end(main, end_ns);
    building.frame(i + 1, begin_ns, end_ns);
  }
  flamelet_capture_builder_switch(building.builder, main, 404 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
  flamelet_capture_builder_switch(building.builder, main, 419 * kMs, FLAMELET_STATE_RUNNING, 0);
  flamelet_capture_builder_switch(building.builder, main, 500 * kMs, FLAMELET_STATE_ASLEEP, 0);
  DrawnPlayer player;
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  player.show(building.finish(), "built");
  flamelet::overlay_load_settings(player.overlay, "page=why", 8);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 41, 41));
  player.frames(100);
  const flamelet_explanation& why = flamelet::ui::why_of(*player.overlay).answer();
  CAPTURE(std::string(flamelet::ui::why_of(*player.overlay).text()));
  REQUIRE(why.cause_count == 1);
  REQUIRE(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
  REQUIRE(why.causes[0].calls == 1);
  std::string row;
  const DrawnTexts texts(0);
  for (const DrawnText& part : texts.texts())
    if (fabs(static_cast<double>(part.y0) - player.number("why_causes_y_px")) < 14) row += part.text + ' ';
  CHECK(row == "now Draw Main +15.00ms preempted 15.00ms 1(1) ");
}

namespace {

// 40 frames of 10 ms and a longer one, with passes on a GPU, the first of which takes longer in that one.
struct GpuFrames {
  static constexpr int64_t kMs = 1000000;

  void pass(const char* name, int64_t begin_ns, int64_t end_ns) {
    building.span(gpu, begin_ns, end_ns, building.site(name));
  }
  void work(uint32_t site, int64_t begin_ns, int64_t end_ns) {
    building.begin(main, begin_ns, site);
    building.end(main, end_ns);
  }
  const flamelet_cause& first_cause() {
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    player.show(building.finish(), "built");
    flamelet::overlay_load_settings(player.overlay, "page=why", 8);
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 41, 41));
    player.frames(100);
    const flamelet_explanation& answer = flamelet::ui::why_of(*player.overlay).answer();
    REQUIRE(answer.cause_count != 0);
    return answer.causes[0];
  }

  recorder_test::Building building;
  uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
  uint32_t gpu =
      flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_GPU, 0, building.string("GPU"), false);
  uint32_t draw = building.site("Draw"), present = building.site("Present", "wait");
  DrawnPlayer player;
};

}  // namespace

TEST_CASE_FIXTURE(GpuFrames, "overlay why: of work that others seldom wait for, the row says why its surplus is more") {
  for (int64_t i = 0; i <= 40; ++i) {
    const int64_t begin_ns = i * 10 * kMs, shadows_ns = begin_ns + (i == 40 ? 66 : 2) * kMs;
    pass("Shadows", begin_ns + kMs, shadows_ns);
    pass("Bloom", shadows_ns, shadows_ns + 4 * kMs);
    work(draw, begin_ns, begin_ns + (i == 40 ? 1 : 10) * kMs);
    building.frame(static_cast<uint64_t>(i) + 1, begin_ns, begin_ns + (i == 40 ? 71 : 10) * kMs);
  }
  pass("Shadows", 470 * kMs, 471 * kMs);  // of the next frame
  work(present, 401 * kMs, 470 * kMs + 20000);
  const flamelet_cause& cause = first_cause();
  REQUIRE(cause.usual_ns == kMs);
  REQUIRE(cause.surplus_ns > cause.time_ns - kMs);
  CHECK(is_drawn("usuallynotwaitedfor;GPU"));
}

TEST_CASE_FIXTURE(GpuFrames, "overlay why: the list says for whom a wait probably was, as the sentence does") {
  for (int64_t i = 0; i <= 40; ++i) {
    const int64_t begin_ns = i * 10 * kMs, longer_ns = i == 40 ? 20 * kMs : 0;
    work(draw, begin_ns, begin_ns + kMs);
    work(present, begin_ns + kMs, begin_ns + 10 * kMs + longer_ns);
    pass("Shadows", begin_ns + 2 * kMs, begin_ns + 3 * kMs + longer_ns);
    pass("Bloom", begin_ns + 9600000 + longer_ns, begin_ns + 10600000 + longer_ns);
    building.frame(static_cast<uint64_t>(i) + 1, begin_ns, begin_ns + 10 * kMs + longer_ns);
  }
  REQUIRE((first_cause().flags & FLAMELET_PIECE_PROBABLY) != 0);
  CHECK(is_drawn("waits,probablyforShadows;Main"));
}

TEST_CASE("overlay why: the row says what `flamelet why` says; without room, what follows the frame") {
  SlowGame g;
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  g.select(kSlow, kSlow);
  const std::string sentence(flamelet::ui::why_of(*g.player.overlay).sentence());
  const std::string last = sentence.substr(sentence.rfind(". ") + 2);
  REQUIRE(sentence.find("Frame 60 took") == 0);
  REQUIRE(last.find("Main spent") == 0);
  const auto shows = [&](const std::string& text) {
    std::string wanted, drawn;  // without spaces, and with a '?' for each character that is not ASCII
    for (const char c : text)
      if (static_cast<signed char>(c) >= 0 ? c != ' ' : (c & 0x40) != 0)
        wanted += static_cast<signed char>(c) >= 0 ? c : '?';
    const DrawnTexts texts(0);
    for (const DrawnText& part : texts.texts())
      if (fabs(static_cast<double>(part.y0) - g.player.number("why_row_y_px")) < 20) drawn += part.text;
    return drawn.find(wanted) != std::string::npos;
  };
  CHECK(shows(sentence));
  ImGui::GetIO().DisplaySize = ImVec2(700, 720);
  g.player.frames(5);
  CHECK_FALSE(shows(sentence));
  CHECK(shows(last));
}

TEST_CASE("overlay why: a frame that is as long as all others is explained, if that is over the budget") {
  SlowGame g;
  g.open("budget_ns=3000000\npage=why");
  g.select(kSlow - 4, kSlow - 4);
  REQUIRE(g.player.state("why_known") == "true");
  CHECK(g.text().find("over its budget; up to") != std::string::npos);
  CHECK(g.text().find("Most took Main: Frame") != std::string::npos);
  CHECK_FALSE(flamelet::ui::why_of(*g.player.overlay).doubtful());
}

TEST_CASE_FIXTURE(OverlayPlayer, "overlay why: a frame without a scope, or without frames at all, says so") {
  flamelet::overlay_load_settings(overlay, "page=why\nwhy_always=1", 21);
  flamelet::overlay_set_paused(overlay, true);
  frames(10);
  CHECK(state("why_known") == "false");
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: row and page allocate nothing") {
  const auto play = [&] {
    select(kSlow - 4, kSlow - 4);
    select(kSlow, kSlow);
    player.open_page("why");
    move_to("why_causes_y_px", 0);
    player.click();
    player.wheel(-3);
    player.wheel(3);
    player.settle();
    player.open_page("lanes");
  };
  open("why_always=1");
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

TEST_CASE_FIXTURE(SlowGame, "overlay why: P draws the critical path over the lanes, and takes it away") {
  select(kSlow, kSlow);
  player.move(400, 300);
  const double vertices = player.number("canvas_vertices");
  CHECK(player.number("critical_line_rects") == 0);
  player.type('p');
  player.frames(3);
  CHECK(player.state("critical_path") == "true");
  const double rects = player.number("critical_line_rects");
  CHECK(rects >= 1);
  CHECK(player.number("canvas_vertices") >= vertices + 8 * rects);
  CHECK(HeadlessImGui::vertices_sane());
  player.type('p');
  CHECK(player.number("canvas_vertices") == vertices);
}

}  // namespace why_test
