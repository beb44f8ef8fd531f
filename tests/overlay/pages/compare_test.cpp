// SPDX-License-Identifier: MIT
//
// The page Compare: two ranges of the live run, and a file.
#include <doctest/doctest.h>

#include <string>

#include "flamelet/capture_file.h"
#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "pages/compare/compare_page.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

// Frames 0 to 19 are alike; in frames 20 to 39 physics take four times as long.
struct TwoHalves {
  TwoHalves() : game(small_game()) {
    for (int i = 0; i < 40; ++i) game.frame(i < 20 ? 1 : 4);
    player.frames(3);
  }
  void set(uint64_t first, uint64_t last) {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, first, last));
    player.move(400, 300);
    player.type('b');
    player.frames(30);
  }
  const ComparedPaths& paths() const { return player.overlay->pages.get<ComparePage>().paths; }
  uint32_t number_of(const char* name) const {
    for (uint32_t i = 1; i < paths().path_count(); ++i)
      if (strcmp(paths().path(i).name, name) == 0) return i;
    return ComparedPaths::kNone;
  }
  void move_to_row(int row) {
    const double height = player.number("row_height_px");
    player.move(100, static_cast<float>(player.number("compare_rows_y_px") + (row + 0.5) * height));
  }

  RecordedGame game;
  OverlayPlayer player;
};

// One thread that ticks each millisecond, for half of it; without frames unless they are asked for.
const flamelet_capture* ticking(recorder_test::Building* building, int ticks, bool frames = false) {
  const uint32_t lane = building->lane(FLAMELET_LANE_THREAD, "main"), tick = building->site("tick");
  for (int64_t i = 0; i < ticks; ++i) {
    if (frames) building->frame(static_cast<uint64_t>(i), i * 1000000, (i + 1) * 1000000);
    building->begin(lane, i * 1000000, tick);
    building->end(lane, i * 1000000 + 500000);
  }
  building->begin(lane, ticks * int64_t{1000000} - 1, tick);
  building->end(lane, ticks * int64_t{1000000});
  return building->finish();
}

}  // namespace

TEST_CASE_FIXTURE(TwoHalves, "overlay compare: B sets A, then B, and the page lists what changed, the most first") {
  set(5, 14);
  CHECK(player.state("compare_a") == "true");
  CHECK(player.state("compare_b") == "false");
  CHECK(player.state("page") == "\"lanes\"");
  set(25, 34);
  CHECK(player.state("compare_b") == "true");
  REQUIRE(player.state("page") == "\"compare\"");
  CHECK(player.number("compare_paths") > 15);
  // Four islands a frame, and their own time grows from 260 us to four times as much.
  const flamelet_compared_path first = paths().path(paths().rows()[0]);
  CHECK(std::string(first.name) == "Island::solve");
  CHECK(first.side[0].calls == 4);
  CHECK(first.side[1].calls == 4);
  CHECK(first.side[1].self > 3 * first.side[0].self);
  for (uint32_t i = 1; i < paths().rows().count; ++i)
    REQUIRE(std::abs(paths().change_of(paths().path(paths().rows()[i - 1]))) >=
            std::abs(paths().change_of(paths().path(paths().rows()[i]))));
  CHECK(player.number("compare_flame_blocks") > 10);
  CHECK(is_drawn("Island::solveself+"));
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(TwoHalves, "overlay compare: a third B begins anew, and the button clears both") {
  set(5, 14);
  set(25, 34);
  set(6, 8);
  CHECK(player.state("compare_a") == "true");
  CHECK(player.state("compare_b") == "false");
  player.overlay->pages.get<ComparePage>().clear();
  player.frames(2);
  CHECK(player.state("compare_a") == "false");
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(TwoHalves, "overlay compare: equal frames do not differ, whatever they are divided by") {
  set(5, 5);
  set(5, 5);
  REQUIRE(paths().complete());
  for (uint32_t i = 1; i < paths().path_count(); ++i) {
    const flamelet_compared_path path = paths().path(i);
    CHECK((path.side[0].is_there && path.side[1].is_there));
    CHECK(paths().change_of(path) == 0);
  }
}

TEST_CASE("overlay compare: stretches that are not equally long are compared by the second, and it says so") {
  recorder_test::Building all, half, framed;
  const flamelet_capture* const a = ticking(&all, 100);
  const flamelet_capture* const b = ticking(&half, 50);
  const flamelet_capture* const with_frames = ticking(&framed, 50, true);
  for (const bool has_frames : {false, true}) {
    CAPTURE(has_frames);
    OverlayPlayer player;
    const auto set = [&](const flamelet_capture* capture, const char* title) {
      player.show(capture, title);
      if (capture == with_frames) REQUIRE(flamelet::overlay_select_frames(player.overlay, 10, 39));
      player.move(400, 300);
      player.type('b');
      player.frames(30);
    };
    set(has_frames ? with_frames : a, "one");
    CHECK(player.state("compare_per") == "\"\"");
    set(b, "two");
    REQUIRE(player.state("page") == "\"compare\"");
    CHECK(player.state("compare_per") == "\"second\"");
    const ComparedPaths& paths = player.overlay->pages.get<ComparePage>().paths;
    REQUIRE(paths.path_count() == 2);
    for (const flamelet_compare_figures& side : paths.path(1).side) {
      CHECK(side.calls == doctest::Approx(1000).epsilon(0.03));
      CHECK(side.total == doctest::Approx(5e8).epsilon(0.001));
    }
    const std::string said = all_drawn_text();
    CHECK(said.find("persecond") != std::string::npos);
    CHECK(said.find("two50.00ms,noframes") != std::string::npos);
    CHECK((said.find("one#10-#39,mean1.00ms") != std::string::npos) == has_frames);
    CHECK((said.find("one100.00ms,noframes") != std::string::npos) != has_frames);
  }
}

TEST_CASE_FIXTURE(recorder_test::Building, "overlay compare: the mean frame is without the time between the frames") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "main"), step = site("step");
  for (int64_t i = 0; i < 10; ++i) {
    span(thread, i * 20000000, i * 20000000 + 5000000, step);
    frame(static_cast<uint64_t>(i + 1), i * 20000000, i * 20000000 + 5000000);
  }
  finish();
  DrawnPlayer player;
  player.show(capture, "calls");
  REQUIRE(player.select_frames(1, 10));
  player.type('b');
  player.load_settings("page=compare\n", 30);
  CHECK(all_drawn_text().find("#1-#10,mean5.00ms") != std::string::npos);
}

TEST_CASE("overlay compare: ranges of frames are compared by the frame, however many each has, and it says so") {
  TwoHalves g;
  g.set(5, 14);
  g.set(10, 14);
  CHECK(g.player.state("compare_per") == "\"frame\"");
  CHECK(is_drawn("perframe"));
  const flamelet_compared_path island = g.paths().path(g.number_of("Island::solve"));
  CHECK(island.side[0].calls == 4);
  CHECK(island.side[1].calls == 4);
}

TEST_CASE("overlay compare: a row is selected by a click, with its histogram, and shown in the lanes by two") {
  TwoHalves g;
  g.set(5, 14);
  g.set(25, 34);
  g.move_to_row(0);
  CHECK(g.player.number("compare_histogram_bins") == 0);
  g.player.click();
  CHECK(g.player.state("compare_selected") == "\"Island::solve\"");
  CHECK(g.player.number("compare_change") > 0);
  CHECK(g.player.number("compare_histogram_bins") >= 2);
  const ScopeHistogram* histogram = g.paths().histograms().find("Island::solve");
  REQUIRE(histogram != nullptr);
  uint32_t calls[2] = {0, 0};
  for (int side = 0; side < 2; ++side)
    for (const uint32_t count : histogram->calls[side]) calls[side] += count;
  CHECK(calls[0] == 40);
  CHECK(calls[1] == 40);
  g.player.settle();
  g.player.double_click();
  CHECK(g.player.state("page") == "\"lanes\"");
  CHECK(g.player.state("selected_name") == "\"Island::solve\"");
}

TEST_CASE_FIXTURE(TemporaryFolder, "overlay compare: A stays when another capture is shown, so that a file can be B") {
  const std::string path = file("b.flamelet");
  TwoHalves g;
  REQUIRE(flamelet::overlay_save_capture(g.player.overlay, path.c_str(), 25, 34) == FLAMELET_OK);
  g.set(5, 14);
  REQUIRE(flamelet::overlay_open_capture(g.player.overlay, path.c_str()) == FLAMELET_OK);
  g.player.frames(3);
  // One that was not read yet is not A, and nothing says so.
  OverlayPlayer other;
  other.frames(3);
  flamelet::ui::set_compared_side(*other.overlay);
  REQUIRE(other.overlay->status.text().find("A: ") == 0);
  REQUIRE(flamelet::overlay_open_capture(other.overlay, path.c_str()) == FLAMELET_OK);
  CHECK(other.overlay->status.text().empty());
  g.player.gui.make_current();
  g.set(26, 33);
  REQUIRE(g.paths().complete());
  const flamelet_compared_path island = g.paths().path(g.number_of("Island::solve"));
  CHECK(island.side[0].calls == 4);
  CHECK(island.side[1].calls == 4);
  CHECK(island.side[1].self > 3 * island.side[0].self);
  CHECK(std::string(g.paths().side(0).title) == "this run");
  CHECK(std::string(g.paths().side(1).title).find("b.flamelet") != std::string::npos);
  // The same with two files: what is shown goes while a side is being read.
  REQUIRE(flamelet::overlay_select_frames(g.player.overlay, 26, 26));
  g.player.move(400, 300);
  g.player.gui.letter('b', true);
  g.player.frames(1);
  g.player.gui.letter('b', false);
  g.player.show(nullptr, nullptr, 5);
  CHECK(g.player.state("compare_reading") == "false");
}

TEST_CASE_FIXTURE(TwoHalves, "overlay compare: the filter chooses rows, and dims the rest of the graph") {
  set(5, 5);
  set(25, 25);
  const ComparePage& page = player.overlay->pages.get<ComparePage>();
  const auto dimmed = [] {
    int vertices = 0;
    HeadlessImGui::for_each_list([&](const ImDrawList& list) {
      for (const ImDrawVert& vertex : list.VtxBuffer) vertices += vertex.col == pack(color::kDimmed);
    });
    return vertices;
  };
  const uint32_t all = paths().rows().count;
  REQUIRE(all > 2);
  CHECK(dimmed() == 0);
  player.filter("PHYSICS");
  CHECK(page.paths.rows().count > 0);
  CHECK(page.paths.rows().count < all);
  for (const uint32_t row : paths().rows()) CHECK(matches(paths().path(row).name, "physics"));
  CHECK(dimmed() > 0);
  player.filter("no such");
  CHECK(paths().rows().count == 0);
  CHECK(is_drawn("noscopeherematchesthefilter"));
  player.filter("");
  CHECK(paths().rows().count == all);
  player.open_page("scope");
  CHECK_FALSE(is_drawn("doesnotfilterthispage"));
  player.filter("physics");
  CHECK(is_drawn("doesnotfilterthispage"));
}

TEST_CASE("overlay compare: the pages Tree and Flame, whose reader it takes, show their paths again") {
  TwoHalves g;
  REQUIRE(flamelet::overlay_select_frames(g.player.overlay, 5, 14));
  g.player.open_page("tree");
  g.player.frames(5);
  const double paths = g.player.number("tree_paths"), total = g.player.number("tree_total");
  REQUIRE(paths > 15);
  g.set(5, 14);
  CHECK(g.player.state("page") == "\"tree\"");
  CHECK(g.player.number("tree_paths") == paths);
  CHECK(g.player.number("tree_total") == total);
  g.set(25, 34);
  CHECK(g.player.number("compare_paths") == paths);
  g.player.open_page("flame");
  g.player.frames(5);
  CHECK(g.player.number("tree_paths") == paths);
  CHECK(g.player.number("tree_total") > total);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay compare: another order is a click on a header away; without room a button chooses the picture") {
  TwoHalves g;
  g.set(5, 14);
  g.set(25, 34);
  CHECK(is_drawn("\n1.00\n"));  // calls of a mean frame, as in `flamelet diff`
  ComparedPaths& paths = g.player.overlay->pages.get<ComparePage>().paths;
  const auto name_of = [&](uint32_t row) { return std::string(paths.path(paths.rows()[row]).name); };
  paths.sort_by(CompareColumn::kTotalB, true);
  CHECK(name_of(0) == "Frame");
  paths.sort_by(CompareColumn::kChange, true);
  CHECK(name_of(0) == "Physics::solve_islands");  // of the total; "Frame" has a wait in it
  paths.sort_by(CompareColumn::kCallsA, false);
  CHECK(paths.change_of(paths.path(paths.rows()[0])) == 0);
  for (uint32_t i = 1; i < paths.rows().count; ++i)
    CHECK(paths.path(paths.rows()[i - 1]).side[0].calls <= paths.path(paths.rows()[i]).side[0].calls);
  paths.sort_by(CompareColumn::kPath, false);
  for (uint32_t i = 1; i < paths.rows().count; ++i) CHECK(flamelet::compare_names(name_of(i - 1), name_of(i)) <= 0);
  CHECK(name_of(0) == "ai_path");  // without regard to case
  // B's flame graph has every path that B has, below its caller.
  for (uint32_t i = 0; i < paths.nodes().count; ++i) {
    const PathNode& node = paths.nodes()[i];
    CHECK(node.subtree_end > i);
    uint64_t children = 0;
    for (uint32_t child = i + 1; child < node.subtree_end; child = paths.nodes()[child].subtree_end) {
      CHECK(paths.nodes()[child].depth == node.depth + 1);
      children += paths.nodes()[child].total;
    }
    CHECK(children <= node.total);
  }
  CHECK(paths.nodes().count == paths.path_count() - 1);
}

TEST_CASE_FIXTURE(TwoHalves, "overlay compare: the details of a selected scope are about the frames that are shown") {
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
  REQUIRE(player.select_scope("Physics::step", 20));
  player.open_page("compare");
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 14));
  player.frames(20);
  const flamelet::Overlay& o = *player.overlay;
  const flamelet_scope_statistics* row = o.statistics.find(o.selection.scope.part());
  REQUIRE(row != nullptr);
  CHECK(row->count == 10);
}

TEST_CASE_FIXTURE(SmallGame<40>, "overlay compare: in a small window with large text it still says what to do next") {
  const TemporaryFolder folder;
  OverlayPlayer player(flamelet::OverlayMode::kActive, 640, 500);  // its window is a part of that
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  REQUIRE(flamelet::overlay_save_capture(player.overlay, folder.file("a").c_str()) == FLAMELET_OK);
  REQUIRE(flamelet::overlay_open_capture(player.overlay, folder.file("a").c_str()) == FLAMELET_OK);
  player.load_settings("text_percent=200");
  player.open_page("compare");
  CHECK(is_drawn("ChoosetheframesofA"));
  player.type('b');
  player.frames(5);
  CHECK(is_drawn("ChoosetheframesofB"));
  CHECK(is_drawn("PressBon"));
  CHECK(player.state("file_notice") == "\"A: a");
}

TEST_CASE("overlay compare: of a call that began before, the calls say so") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
  for (int64_t i = 0; i < 4; ++i) building.frame(static_cast<uint64_t>(i), i * 1000, (i + 1) * 1000, lane);
  for (const int64_t begin_ns : {500, 2100}) {
    building.begin(lane, begin_ns, building.site("load"));
    building.end(lane, begin_ns == 500 ? 1800 : 2900);
  }
  DrawnPlayer player;
  player.show(building.finish(), "built");
  for (const uint64_t frame : {1u, 2u}) {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, frame, frame));
    player.move(400, 300);
    player.type('b');
    player.frames(30);
  }
  REQUIRE(player.state("compare_b") == "true");
  CHECK(is_drawn("\nbefore\n"));
  player.move(100, static_cast<float>(player.number("compare_rows_y_px") + 0.5 * player.number("row_height_px")));
  player.click();
  CHECK(is_drawn("beganbefore\n"));
}

TEST_CASE_FIXTURE(TwoHalves, "overlay compare: it allocates nothing") {
  const auto play = [&] {
    set(5, 14);
    set(25, 34);
    move_to_row(1);
    player.click();
    player.settle();
    player.open_page("lanes");
  };
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

TEST_CASE("overlay compare: a scope without a name is told by words, as in the table") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main"), tick = building.site("");
  for (int64_t i = 0; i < 2; ++i) {
    building.frame(static_cast<uint64_t>(i), i * 1000000, (i + 1) * 1000000);
    building.begin(lane, i * 1000000, tick);
    building.end(lane, i * 1000000 + 500000 + i * 100000);
  }
  DrawnPlayer player;
  player.show(building.finish(), "built");
  for (const uint64_t frame : {0u, 1u}) {
    REQUIRE(player.select_frames(frame, frame));
    player.move(400, 300);
    player.type('b');
    player.frames(30);
  }
  REQUIRE(player.state("page") == "\"compare\"");
  CHECK(is_drawn("\n(noname)\n"));
  const ComparedPaths& paths = player.overlay->pages.get<ComparePage>().paths;
  CHECK(paths.histograms().find("(no name)") != nullptr);
}

TEST_CASE("overlay compare: of a capture without frames, no page speaks of shown frames") {
  recorder_test::Building building;
  DrawnPlayer player;
  player.show(ticking(&building, 50), "built", 5);
  player.open_page("compare");
  CHECK(is_drawn("Therearenoframes:Btakesall"));
  for (const char* page : {"tree", "scope", "locks"}) {
    player.open_page(page);
    player.frames(20);
    CHECK_FALSE(is_drawn("shownframes"));
  }
  recorder_test::Building empty;
  player.show(empty.finish(), "empty", 60);
  player.open_page("scope");
  CHECK(is_drawn("Therearenoscopes."));
}

TEST_CASE_FIXTURE(TwoHalves, "overlay compare: what it says goes after a while, and leaves the truth line its place") {
  set(5, 14);
  CHECK(is_drawn("PressBonothers"));
  player.frames(700);
  CHECK_FALSE(is_drawn("PressBonothers"));
  CHECK(is_drawn("\ndropped\n"));
}
