// SPDX-License-Identifier: MIT
//
// The page of call paths: the capture's and the program's own.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "flamelet/span_tree.h"
#include "flamelet/statistics.h"
#include "overlay/built_frame.h"
#include "overlay/carved.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "pages/calls_view.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/recording.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using namespace flamelet::ui;
using flamelet::overlay_show_tree;

namespace {

struct UserCalls {
  explicit UserCalls(uint32_t max_nodes = 16384) {
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    config.max_nodes = max_nodes;
    config.max_blocks = max_nodes;
    memory.resize(flamelet_call_tree_memory_required(&config));
    REQUIRE(flamelet_call_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK);
    thread = flamelet_call_thread_create(tree);
  }
  void call(uint32_t id, uint64_t samples) {
    flamelet_call_thread_enter(thread, id);
    flamelet_call_thread_sample(thread, samples);
    flamelet_call_thread_exit(thread);
  }
  std::vector<char> memory;
  flamelet_call_tree* tree = nullptr;
  flamelet_call_thread* thread = nullptr;
};

// On the Tree page, with the program's tree shown.
void open_user_tree(OverlayPlayer& player, flamelet_call_tree* tree) {
  REQUIRE(overlay_show_tree(player.overlay, "script", tree));
  flamelet::overlay_load_settings(player.overlay, "page=tree", 9);
  calls_of(*player.overlay).show_source(kFirstUser);
  player.frames(3);
}

void open_tree(OverlayPlayer& player) {
  player.load_settings("page=tree", 20);
}

}  // namespace

TEST_CASE_FIXTURE(FullGame<30>, "overlay tree: what a scope took on all its paths is what the statistics say") {
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 12, 15));
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Island::solve"));
  open_tree(player);
  flamelet::Overlay& o = *player.overlay;
  const Array<PathNode>& nodes = calls_of(o).tree.nodes();
  REQUIRE(nodes.count > 15);
  uint32_t compared = 0;
  for (const PathNode& node : nodes) {
    const flamelet_scope_statistics* row = o.statistics.find({node.scope, 0});
    REQUIRE(row != nullptr);
    uint64_t self = 0, calls = 0;
    for (const PathNode& other : nodes) {
      if (other.scope != node.scope) continue;
      self += other.self;
      calls += other.calls;
    }
    CHECK(self == static_cast<uint64_t>(row->self_ns));
    CHECK(calls == row->count);
    ++compared;
  }
  CHECK(compared == nodes.count);
  CHECK(player.state("tree_selected_calls") == "16");
  CHECK(player.number("tree_callers") == 1);
  CHECK(player.number("tree_callees") == 1);
}

TEST_CASE("overlay tree: without frames, scopes or paths it says so") {
  for (const bool recorder : {false, true}) {
    std::unique_ptr<RecordedGame> game;
    if (recorder) game = std::make_unique<RecordedGame>(RecordedGame::Options{});
    OverlayPlayer player;
    open_tree(player);
    CHECK(player.state("tree_paths") == "0");
    CHECK(player.state("tree_rows") == "0");
    CHECK(HeadlessImGui::vertices_sane());
    UserCalls empty;
    open_user_tree(player, empty.tree);
    CHECK(player.state("tree_paths") == "0");
    CHECK(HeadlessImGui::vertices_sane());
  }
}

TEST_CASE("overlay tree: calls that had no room are told on the pages Tree, Flame and Compare") {
  BuiltFrame built;
  built.scopes(5000, 5000);
  DrawnPlayer player;
  show_built_frame(&player, built.finish());
  for (const char* page : {"tree", "flame"}) {
    player.open_page(page);
    player.frames(20);
    CHECK(is_drawn("noroomfor905calls:"));
  }
  CHECK(player.state("tree_complete") == "false");
  for (int side = 0; side < 2; ++side) {
    player.move(400, 300);
    player.type('b');
    player.frames(30);
  }
  CHECK(is_drawn("noroomfor1,810calls:"));
}

TEST_CASE_FIXTURE(UserCalls, "overlay tree: a tree of the program's own is shown while it grows, and taken away") {
  flamelet_call_tree_set_name(tree, 7, "update()");
  call(7, 40);
  OverlayPlayer player;
  open_user_tree(player, tree);
  CHECK(player.state("tree_source") == "\"script\"");
  CHECK(player.state("tree_sources") == "3");
  CHECK(player.state("tree_paths") == "1");
  CHECK(player.state("tree_total") == "40");
  call(8, 2);
  player.frames(20);
  CHECK(player.state("tree_paths") == "2");
  CHECK(player.state("tree_total") == "42");
  select_block(*player.overlay, calls_of(*player.overlay), 7);
  player.frames();
  CHECK(player.state("tree_selected_self") == "40");
  CHECK(player.state("tree_callers") == "1");
  UserCalls other;
  REQUIRE(overlay_show_tree(player.overlay, "script", other.tree, 1e6));
  player.frames(2);
  CHECK(player.state("tree_paths") == "0");
  CHECK(player.state("tree_selected_self") == "0");
  CHECK(overlay_show_tree(player.overlay, "script", nullptr));
  CHECK_FALSE(overlay_show_tree(player.overlay, "script", nullptr));
  player.frames(2);
  CHECK(player.state("tree_source") == "\"CPU\"");
  CHECK(player.state("tree_sources") == "2");
}

TEST_CASE_FIXTURE(UserCalls, "overlay tree: so many trees are kept, by their names") {
  OverlayPlayer player;
  CHECK_FALSE(overlay_show_tree(nullptr, "x", tree));
  CHECK_FALSE(overlay_show_tree(player.overlay, nullptr, tree));
  CHECK_FALSE(overlay_show_tree(player.overlay, "", tree));
  for (uint32_t i = 0; i < flamelet::kOverlayMaxTrees; ++i)
    CHECK(overlay_show_tree(player.overlay, ("tree " + std::to_string(i)).c_str(), tree));
  CHECK_FALSE(overlay_show_tree(player.overlay, "one more", tree));
  CHECK(overlay_show_tree(player.overlay, "tree 3", tree));
  calls_of(*player.overlay).show_source(kFirstUser + 5);
  CHECK(overlay_show_tree(player.overlay, "tree 2", nullptr));
  open_tree(player);
  CHECK(player.state("tree_source") == "\"tree 5\"");
  const std::string long_name(100, 'n');
  CHECK(overlay_show_tree(player.overlay, long_name.c_str(), tree));
  CHECK(overlay_show_tree(player.overlay, long_name.c_str(), nullptr));
}

TEST_CASE("overlay flame: ten thousand paths are drawn within the limits of one draw list") {
  UserCalls calls(20000);
  for (uint32_t i = 1; i <= 100; ++i) {
    for (uint32_t j = 1; j <= 99; ++j) {
      flamelet_call_thread_enter(calls.thread, i);
      calls.call(200 + j, i * j % 97 + 1);
      flamelet_call_thread_exit(calls.thread);
    }
  }
  flamelet::OverlayConfig config = active_overlay();
  config.max_paths = 16384;
  OverlayPlayer big(config);
  open_user_tree(big, calls.tree);
  CHECK(big.state("tree_paths") == "10000");
  CHECK(big.state("tree_complete") == "true");
  big.load_settings("page=flame", 2);
  CHECK(big.number("flame_drawn") + big.number("flame_merged") == 10000);
  CHECK(big.number("flame_drawn") > 50);
  const HeadlessImGui::Drawn flame = HeadlessImGui::drawn("/##flame_");
  CHECK(flame.windows == 1);
  CHECK(flame.commands <= 2);
  CHECK(flame.vertices < 20000);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(FullGame<30>, "overlay flame: a double-click goes into a path, and another one out of it") {
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 12, 15));
  player.load_settings("page=flame", 20);
  const double drawn = player.number("flame_drawn");
  CHECK(drawn + player.number("flame_merged") == player.number("tree_paths"));
  // The second row of the graph, below the bar of choices.
  const auto row_y = [&](int row) {
    return static_cast<float>(player.number("flame_y_px") + (row + 0.5) * player.number("row_height_px"));
  };
  player.move(200, row_y(1));
  player.double_click();
  CHECK(player.state("flame_zoomed") == "true");
  CHECK(player.state("scope_name") != "null");
  CHECK(player.number("flame_drawn") < drawn);
  player.settle();
  player.move(200, row_y(1));
  player.double_click();
  CHECK(player.state("flame_zoomed") == "false");
  CHECK(player.number("flame_drawn") == drawn);
}

TEST_CASE("overlay tree: the keys turn the pages and fold recursion") {
  const recorder_test::Recording recording(flamelet_config_default());
  for (int frame = 0; frame < 8; ++frame) {
    flamelet_id open[6];
    for (int depth = 0; depth < 6; ++depth)
      open[depth] = flamelet_begin(depth % 2 == 0 ? "eval" : "apply", "", nullptr);
    for (int depth = 6; depth-- > 0;) flamelet_end(open[depth]);
    flamelet_frame();
  }
  {
    DrawnPlayer player;
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 2, 5));
    player.move(400, 300);
    for (const char* page : {"\"flame\"", "\"tree\""}) {
      player.type('t');
      CHECK(player.state("page") == page);
    }
    player.frames(20);
    CHECK(player.state("tree_paths") == "3");
    player.type('r');
    player.frames(20);
    CHECK(player.state("tree_paths") == "6");
    CHECK(player.state("tree_folds_recursion") == "false");
    player.type('r');
    player.frames(20);
    CHECK(player.state("tree_paths") == "3");
    player.type('t');
    CHECK(player.state("page") == "\"table\"");
    for (uint32_t i = 3; i < kPageCount; ++i) player.type('t');
    CHECK(player.state("page") == "\"lanes\"");
  }
}

TEST_CASE_FIXTURE(FullGame<30>, "overlay tree: keys go on from the row of the selected scope") {
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 12, 12));
  open_tree(player);
  PathTree& tree = calls_of(*player.overlay).tree;
  REQUIRE(tree.rows().count > 3);
  const auto scope_of = [&](uint32_t row) { return tree.nodes()[tree.rows()[row]].scope; };
  player.overlay->selection.select_scope({scope_of(1), 0, false});
  player.frames(3);
  press_chord(&player, {flamelet::ui::Key::kDown});
  CHECK(player.overlay->selection.scope.is(scope_of(2)));
  press_chord(&player, {flamelet::ui::Key::kDown});
  CHECK(player.overlay->selection.scope.is(scope_of(3)));
  // The row has the time inside the frame, the line below that of the calls.
  CHECK(is_drawn("totalofthewholecalls\n"));
}

TEST_CASE_FIXTURE(UserCalls, "overlay tree: callers and callees beyond the lists are said") {
  flamelet_call_thread_enter(thread, 1000);
  for (uint32_t i = 1; i <= 100; ++i) call(i, 10);
  flamelet_call_thread_exit(thread);
  OverlayPlayer player;
  open_user_tree(player, tree);
  player.frames(3);
  select_block(*player.overlay, calls_of(*player.overlay), calls_of(*player.overlay).tree.nodes()[0].id);
  player.frames(3);
  CHECK(player.number("tree_callees") == CallsView::kMostNeighbours);
  CHECK(player.number("tree_callees_found") == 100);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  player.frames();
  std::string all;
  const DrawnTexts drawn(0x000000);
  for (const DrawnText& text : drawn.texts()) all += text.text;
  CHECK(all.find("calls:64of100") != std::string::npos);
}

TEST_CASE("overlay tree: the whole history is what its frames add up to, and grows with new ones") {
  RecordedGame game(RecordedGame::Options{}, 20);
  DrawnPlayer player;
  flamelet::Overlay& o = *player.overlay;
  calls_of(o).whole_history = true;
  open_tree(player);
  const auto frames_called = [&] {
    uint64_t calls = 0;
    for (const PathNode& node : calls_of(o).tree.nodes())
      if (path_look(o, o, node).name == "Frame") calls += node.calls;
    return calls;
  };
  const uint64_t before = frames_called();
  CHECK(before >= 12);
  CHECK(before <= 20);
  game.frames(10);
  player.frames(60);
  CHECK(frames_called() == before + 10);
}

TEST_CASE("overlay tree: the whole history of saved frames is these, without what else is on their pages") {
  const TemporaryFolder folder;
  RecordedGame game(RecordedGame::Options{}, 20);
  DrawnPlayer player;
  flamelet::Overlay& o = *player.overlay;
  REQUIRE(flamelet::overlay_save_capture(&o, folder.file("part").c_str(), 10, 14) == FLAMELET_OK);
  REQUIRE(flamelet::overlay_open_capture(&o, folder.file("part").c_str()) == FLAMELET_OK);
  calls_of(o).whole_history = true;
  open_tree(player);
  player.frames(60);
  uint64_t calls = 0;
  for (const PathNode& node : calls_of(o).tree.nodes())
    if (path_look(o, o, node).name == "Frame") calls += node.calls;
  CHECK(calls == 5);
}

TEST_CASE("overlay tree: a year in which hardly anything is takes no longer to read than a day") {
  constexpr int64_t kDayNs = int64_t{86400} * 1000000000;
  recorder_test::Building building;
  const uint32_t lane =
      flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string("Main"), false);
  building.span(lane, 0, 1000, building.site("Begin"));
  building.span(lane, 365 * kDayNs, 365 * kDayNs + 1000, building.site("End"));
  const flamelet_capture* const capture = building.finish();
  RangePaths paths;
  const std::vector<char> memory = carved([&](Carver* carver) { paths.carve(carver, 64, 64, 4); });
  paths.begin(capture, {0, 366 * kDayNs}, FLAMELET_LANE_BIT(FLAMELET_LANE_THREAD), true);
  uint32_t steps = 1;
  while (!paths.step(64)) ++steps;
  CHECK(steps < 100);
  const uint32_t ids[] = {1};
  CHECK(flamelet_call_tree_sequence(paths.calls(), ids, 1).calls == 1);
}
