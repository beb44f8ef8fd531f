// SPDX-License-Identifier: MIT
//
// What the overlay draws: how much of it, and with how many allocations.
#include <doctest/doctest.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lanes/lanes_page.h"
#include "overlay/drawn_text.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/recording.h"

using namespace flamelet_tests;
using flamelet::OverlayMode;
using flamelet::OverlayStats;
using namespace flamelet::ui;

namespace {

RecordedGame::Options big_game() {
  RecordedGame::Options options;
  options.workers = 4;
  options.details = 400;
  options.jobs_per_worker = 40;
  options.budget_bytes = size_t{96} << 20;
  return options;
}

}  // namespace

TEST_CASE("overlay drawing: drawn and merged are all zones in view at every zoom, within the limits of one draw list") {
  RecordedGame game(big_game(), 60);
  flamelet::OverlayConfig config = active_overlay();
  config.max_spans = 1u << 20;
  config.budget_bytes = size_t{192} << 20;
  DrawnPlayer player(config);
  REQUIRE(player.select_frames(5, 55));
  REQUIRE(player.stats().zones_in_view > 500000);
  REQUIRE(player.stats().zones_left_out == 0);
  player.move(700, 130);
  for (int i = 0; i < 70; ++i) {
    const OverlayStats stats = player.stats();
    CAPTURE(i);
    CAPTURE(stats.zones_in_view);
    REQUIRE(stats.zones_drawn + stats.zones_merged == stats.zones_in_view);
    REQUIRE(stats.canvas_commands <= 8);
    REQUIRE(stats.canvas_vertices <= 65535);
    REQUIRE(HeadlessImGui::vertices_sane());
    player.wheel(1);
  }
  CHECK(player.stats().zones_in_view < 50);
}

TEST_CASE_FIXTURE(FullGame<30>, "overlay drawing: the same frames give the same blocks and vertices on every machine") {
  DrawnPlayer player;
  REQUIRE(player.select_frames(20, 20));
  OverlayStats stats = player.stats();
  CHECK(stats.zones_in_view == 528);
  CHECK(stats.zones_drawn == 48);
  CHECK(stats.zones_merged == 480);
  CHECK(stats.canvas_commands == 1);
  CHECK(stats.canvas_vertices == 2174);
  REQUIRE(player.select_frames(10, 25));
  stats = player.stats();
  CHECK(stats.zones_in_view == 8449);
  CHECK(stats.zones_drawn == 484);
  CHECK(stats.canvas_vertices == 4588);
}

TEST_CASE("overlay drawing: more zones than blocks raise the merge limit") {
  // Scopes four pixels wide and four apart, on rows of 100 levels, on a canvas of 8,000 pixels.
  const recorder_test::Recording recording(recorder_test::with_thread_clock(flamelet_config_default(), 1000));
  for (int column = 0; column < 1000; ++column) {
    std::vector<flamelet_id> open;
    for (int depth = 0; depth < 100; ++depth) open.push_back(flamelet_begin("level", nullptr, nullptr));
    thread_now_ns += 400;
    for (; !open.empty(); open.pop_back()) flamelet_end(open.back());
    thread_now_ns += 400;
  }
  flamelet_frame();
  DrawnPlayer player(OverlayMode::kActive, 8192, 2000);
  const OverlayStats stats = player.stats();
  CHECK(stats.zones_in_view == 100000);
  CHECK(stats.zones_drawn + stats.zones_merged == 100000);
  CHECK(stats.merge_limit_px > 3);
  CHECK(stats.canvas_vertices <= 65535);
}

TEST_CASE("overlay drawing: spans beyond the memory are counted, and zooming in shows them") {
  RecordedGame game(big_game(), 30);
  flamelet::OverlayConfig config = active_overlay();
  config.max_spans = 20000;
  DrawnPlayer player(config);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  REQUIRE(player.select_frames(5, 25));
  CHECK(player.stats().zones_left_out > 100000);
  CHECK(player.stats().zones_in_view <= 20000);
  CHECK(player.stats().zones_in_view > 10000);
  // Where they are missing, their lane is hatched and says so.
  const auto is_hatched = [&] {
    const LanesPage& lanes = player.overlay->pages.get<LanesPage>();
    const Lane& lane = player.overlay->store.lanes()[0];
    const int y = static_cast<int>(lanes.canvas.y + lane.y + lane.height) - 5;
    float blocks_end = 0;
    for (uint32_t i = 0; i < lane.layout.block_count; ++i)
      blocks_end = std::max(blocks_end, lanes.canvas.blocks[lane.layout.first_block + i].x1);
    const DrawnTexts screen(0);
    for (int x = static_cast<int>(blocks_end) + 2; x < static_cast<int>(lanes.canvas.width) - 1; ++x)
      if (screen.pixel(static_cast<int>(lanes.canvas.x) + x, y) == color::kMerged) return true;
    return false;
  };
  CHECK(is_drawn("notread:zoomin\n"));
  CHECK(is_hatched());
  REQUIRE(player.select_frames(7, 7));
  CHECK(player.stats().zones_left_out == 0);
  CHECK_FALSE(is_drawn("notread:zoomin\n"));
}

TEST_CASE_FIXTURE(FullGame<300>, "overlay drawing: once everything was open, nothing is allocated any more") {
  OverlayPlayer player;
  const auto play = [&] {
    // Everything that a hand does in a minute: hover, zoom, pan, select, filter, the table, the bars, pause and resume.
    flamelet::overlay_set_paused(player.overlay, false);
    frames(20);
    player.frames(15);
    player.move(400, 150);
    player.wheel(3);
    player.drag(400, 150, 500, 150, 1);
    player.click();
    player.filter("ai", 5);
    flamelet::overlay_set_filter(player.overlay, "");
    player.type('0');
    player.move(900, 50);
    player.click();
    for (uint32_t i = flamelet::ui::kPageCount; i-- > 0;) {
      player.open_page(flamelet::ui::kPages[i].name);
      player.frames(20);
      // The answer of Why takes as many frames as the machine needs to read those before.
      while (player.state("page") == "\"why\"" && player.state("why_known") == "false") player.frames();
    }
    REQUIRE(player.state("page") == "\"lanes\"");
    player.move(400, 150);
    player.click(1);
    player.press(TestKey::kEscape);
    player.settle();
  };
  // Each play selects another frame. The longest answer of Why needs the largest of ImGui's buffers.
  for (int i = 0; i < 4; ++i) play();
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

TEST_CASE("overlay: in a low window, with text of any size, the pages with a bar of their own have rows, too") {
  RecordedGame game(RecordedGame::Options{}, 20);
  for (const char* page : {"page=tree\n", "page=flame\n"})
    for (int percent = 100; percent <= 200; percent += 10) {
      CAPTURE(percent);
      DrawnPlayer player(OverlayMode::kActive, 640, 360);
      player.load_settings(std::string(page) + "place=3\ntext_percent=" + std::to_string(percent) + "\n");
      REQUIRE(player.select_frames(9, 9));
      player.frames(30);
      CHECK(is_drawn("Frame"));
    }
}

TEST_CASE("overlay: the bars show the selected frame, also after a change of the text size or the window's width") {
  RecordedGame game(RecordedGame::Options{}, 150);
  DrawnPlayer player(OverlayMode::kActive, 1280, 720);
  REQUIRE(player.select_frames(61, 61));
  const auto bars_at_61 = [&] {
    const flamelet::ui::FrameHistory& history = player.overlay->history;
    const flamelet::ui::Array<flamelet::ui::FrameSum>& bars = history.sums;
    return std::count_if(bars.begin(), bars.end(), [](const flamelet::ui::FrameSum& sum) { return sum.longest == 61; });
  };
  REQUIRE(bars_at_61() == 1);
  player.load_settings("text_percent=300\n", 4);
  CHECK(bars_at_61() == 1);
  player.load_settings("text_percent=100\n", 4);
  ImGui::GetIO().DisplaySize = ImVec2(320, 360);
  player.load_settings("place=3\n", 4);
  CHECK(bars_at_61() == 1);
}

TEST_CASE_FIXTURE(FullGame<20>, "overlay: an empty page says why in as many lines as that takes") {
  DrawnPlayer player(OverlayMode::kActive, 640, 360);
  player.load_settings("page=locks\ntext_percent=200\n", 30);
  CHECK(is_drawn("\nnothread"));
  CHECK(is_drawn("frames\n"));
}

TEST_CASE_FIXTURE(FullGame<12>, "overlay: in a low window the details give way to the lanes") {
  DrawnPlayer low(flamelet::OverlayMode::kActive, 320, 240);
  CHECK(low.number("canvas_vertices") > 0);
  CHECK(low.number("lanes") > 0);
}

TEST_CASE("overlay drawing: scopes side by side have different colours, on the lanes and in the flame graph") {
  // Names that choose one colour.
  flamelet::Overlay* probe = nullptr;
  REQUIRE(flamelet::overlay_create(flamelet::OverlayConfig(), &probe) == FLAMELET_OK);
  std::vector<std::string> names = {"scope 0"};
  for (int i = 1; names.size() < 4; ++i) {
    const std::string name = "scope " + std::to_string(i);
    if (probe->styles.colors().of(name) == probe->styles.colors().of(names[0])) names.push_back(name);
  }
  flamelet::overlay_destroy(probe);
  const recorder_test::Recording recording(recorder_test::with_thread_clock(flamelet_config_default(), 1000));
  for (int frame = 0; frame < 4; ++frame) {
    for (const std::string& name : names) {
      const flamelet_id id = flamelet_begin(name.c_str(), "", nullptr);
      thread_now_ns += 20000;
      flamelet_end(id);
    }
    flamelet_frame();
  }
  for (const char* page : {"page=lanes", "page=flame"}) {
    OverlayPlayer player;
    player.load_settings(page, 30);
    for (size_t i = 1; i < names.size(); ++i)
      CHECK(player.overlay->styles.colors().of(names[i - 1]) != player.overlay->styles.colors().of(names[i]));
  }
}

TEST_CASE("overlay drawing: the wheel zooms the bars out to the first frame of a day, within a bar for each pixel") {
  RecordedGame game(RecordedGame::Options{}, 30);
  DrawnPlayer player;
  flamelet::ui::FrameHistory& history = player.overlay->history;
  constexpr uint64_t kDay = 12441600;
  for (uint64_t i = history.levels.next_index(); i < kDay; ++i)
    history.levels.add(i, 7000000 + (i == 99 ? 90000000 : 0));
  player.frames(2);
  player.move(history.x + history.width / 2, history.y + 10);
  for (int i = 0; i < 40; ++i) player.wheel(-1);
  CHECK(history.shift >= 13);
  CHECK(static_cast<float>(history.bars.count) <= history.width);
  REQUIRE(history.bars.count > 100);
  uint64_t frames = 0;
  for (const flamelet::ui::FrameSum& sum : history.sums) frames += sum.count;
  CHECK(frames == kDay);
  CHECK(history.sums[0].longest == 99);
  CHECK(history.bars[0].broken);
  CHECK(HeadlessImGui::vertices() < 65536);
  CHECK(HeadlessImGui::allocations_in([&] { player.frames(20); }) == 0);
  for (int i = 0; i < 40; ++i) player.wheel(1);
  CHECK(history.shift == 0);
}
