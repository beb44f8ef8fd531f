// SPDX-License-Identifier: MIT
//
// Lanes of counters on the page Lanes.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "flamelet/capture_builder.h"
#include "lanes/lanes_page.h"
#include "overlay/built_frame.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/recording.h"

using namespace flamelet_tests;
using namespace recorder_test;

namespace {

// Frames of a scope each, with counters in them.
void record_frames(uint64_t frames) {
  for (uint64_t frame = 0; frame < frames; ++frame) {
    const flamelet_id id = flamelet_begin("Frame", "", nullptr);
    for (int i = 0; i < 30; ++i) {
      flamelet_counter("draw calls", "", static_cast<double>(2000 + i));
      flamelet_counter("textures MiB", "", 100 + i * 0.5);
      flamelet_counter("meshes MiB", "", 50 - i);
    }
    flamelet_end(id);
    flamelet_frame();
  }
}

void record_many_counters(int rounds, int counters, const char* unit = "") {
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < counters; ++i) {
      const std::string name = "counter " + std::to_string(i) + unit;
      flamelet_counter(flamelet_intern(name.c_str()), "", (round * 31 + i * 17) % 100);
    }
}

struct LanePlace {
  float y, height;
};
LanePlace place_of(const OverlayPlayer& player, const std::string& lane) {
  const std::string text = player.whole_state();
  const size_t at = text.find("\"lane\": \"" + lane + "\", \"kind\": \"counter\"");
  REQUIRE(at != std::string::npos);
  const auto number = [&](const char* field) {
    return static_cast<float>(atof(text.c_str() + text.find(field, at) + strlen(field)));
  };
  return {number("\"top_px\": "), number("\"height_px\": ")};
}

float middle_x(const OverlayPlayer& player) {
  return static_cast<float>(player.number("canvas_left_px") + 0.5 * player.number("canvas_width_px"));
}

}  // namespace

TEST_CASE_FIXTURE(TickingRecording, "overlay counters: each has a lane, but those of one unit share one") {
  record_frames(10);
  DrawnPlayer player;
  REQUIRE(player.select_frames(5, 5));
  CHECK(player.number("counters") == 3);
  CHECK(player.number("counter_lanes") == 2);
  CHECK(player.number("lanes") == 1);
  CHECK(player.number("values_drawn") + player.number("values_merged") == 30);
  CHECK(player.number("counter_min") == 2000);
  CHECK(player.number("counter_max") == 2029);
  CHECK(player.number("counter_last") == 2029);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(TickingRecording, "overlay counters: one that does not change in view is one row, until it does") {
  for (int frame = 0; frame < 10; ++frame) {
    for (int i = 0; i < 3; ++i) {
      flamelet_counter("lights", "", 7);
      flamelet_counter("agents", "", frame == 8 ? i : 0);
      flamelet_counter("draw calls", "", i);
    }
    flamelet_frame();
  }
  DrawnPlayer player;
  const auto rows = [&player](const char* lane) {
    return place_of(player, lane).height / static_cast<float>(player.number("row_height_px"));
  };
  REQUIRE(player.select_frames(5, 5));
  CHECK(rows("lights") == 1);
  CHECK(rows("agents") == 1);
  CHECK(rows("draw calls") == 3);
  CHECK(is_drawn("lights\n"));
  CHECK(is_drawn("7\n"));
  REQUIRE(player.select_frames(8, 8));
  CHECK(rows("lights") == 1);
  CHECK(rows("agents") == 3);
  REQUIRE(player.select_frames(5, 5));
  CHECK(rows("agents") == 1);
  REQUIRE(player.select_frames(2, 8));
  CHECK(rows("lights") == 1);
  CHECK(rows("agents") == 3);
}

TEST_CASE_FIXTURE(TickingRecording, "overlay counters: a lane of flat ones writes nothing into the next lane") {
  for (int frame = 0; frame < 10; ++frame) {
    for (int i = 0; i < 12; ++i) {
      const std::string name = "load " + std::to_string(i) + " [%]";
      flamelet_counter(flamelet_intern(name.c_str()), "", 10 * i);
    }
    flamelet_counter("small [MiB]", "", 3);
    flamelet_counter("large [MiB]", "", 9);
    flamelet_counter("lights", "", 7);
    flamelet_frame();
  }
  DrawnPlayer player;
  REQUIRE(player.select_frames(5, 5));
  REQUIRE(is_drawn("lights\n"));
  const DrawnTexts drawn(0);
  for (const DrawnText& text : drawn.texts()) {
    CAPTURE(text.text);
    CAPTURE(text.over);
    CHECK_FALSE((text.overlaps && text.text != "?"));
  }
}

TEST_CASE_FIXTURE(TickingRecording,
                  "overlay counters: a lane folds by a click on its name, and its menu merges it with the one above") {
  record_frames(10);
  DrawnPlayer player;
  REQUIRE(player.select_frames(5, 5));
  const LanePlace before = place_of(player, "draw calls");
  player.move(static_cast<float>(player.number("canvas_left_px")) - 60, before.y + 6);
  player.click();
  CHECK(place_of(player, "draw calls").height < before.height);
  player.settle();
  player.click();
  CHECK(place_of(player, "draw calls").height == before.height);
  const LanePlace below = place_of(player, "textures MiB");
  const auto choose = [&](int item) {
    player.settle();
    player.click(1);
    for (int i = 0; i < item; ++i) press_chord(&player, {flamelet::ui::Key::kDown});
    press_chord(&player, {flamelet::ui::Key::kEnter});
    player.frames(3);
  };
  player.move(static_cast<float>(player.number("canvas_left_px")) - 60, below.y + 6);
  choose(2);  // below "fold"
  CHECK(player.number("counter_lanes") == 1);
  player.move(static_cast<float>(player.number("canvas_left_px")) - 60, before.y + 6);
  choose(2);
  CHECK(player.number("counter_lanes") == 3);
}

TEST_CASE_FIXTURE(TickingRecording, "overlay counters: lanes that the user merged are merged in the next run") {
  record_frames(10);
  const auto load = [](OverlayPlayer* player, const std::string& text) { player->load_settings(text); };
  std::string text;
  {
    DrawnPlayer player;
    REQUIRE(player.select_frames(5, 5));
    REQUIRE(player.number("counter_lanes") == 2);
    flamelet::ui::CounterTable& counters = player.overlay->points.counters();
    REQUIRE(counters.merge_lanes(counters[1].lane, counters[0].lane));
    player.frames(3);
    CHECK(player.number("counter_lanes") == 1);
    text.resize(flamelet::overlay_save_settings(player.overlay, nullptr, 0));
    flamelet::overlay_save_settings(player.overlay, text.data(), text.size() + 1);
  }
  CHECK(text.find("counter=1,draw calls\n") != std::string::npos);
  CHECK(text.find("counter=1,meshes MiB\n") != std::string::npos);
  OverlayPlayer player;
  load(&player, text);  // before the counters are known
  REQUIRE(player.select_frames(5, 5));
  CHECK(player.number("counter_lanes") == 1);
  load(&player, "counter=0,meshes MiB\n");  // and after
  CHECK(player.number("counter_lanes") == 2);
  // Lines that say nothing, or no number, change nothing.
  load(&player,
       "counter=\ncounter=,draw calls\ncounter=x,draw calls\ncounter=-1,draw calls\ncounter=130,draw calls\n"
       "counter=99999999999,draw calls\ncounter=2\ncounter=2,\ncounter=2," +
           std::string(64, 'x') + "\n");
  CHECK(player.number("counter_lanes") == 2);
  std::string again(flamelet::overlay_save_settings(player.overlay, nullptr, 0), '\0');
  flamelet::overlay_save_settings(player.overlay, again.data(), again.size() + 1);
  CHECK(again.find("counter=1,draw calls\n") != std::string::npos);
  CHECK(again.find("counter=0,meshes MiB\n") != std::string::npos);
  CHECK(again.find("xxx") == std::string::npos);
}

TEST_CASE_FIXTURE(
    TickingRecording,
    "overlay counters: neighbours differ in colour, whatever their names chose, in every theme and palette") {
  DrawnPlayer player;
  const flamelet::Overlay& o = *player.overlay;
  // 40 counters, of which 10 chose the first one's colour; four share a lane.
  std::vector<std::string> names = {"a MiB", "b MiB", "c MiB", "d MiB", "counter"};
  for (int i = 0; names.size() < 40; ++i) {
    const std::string name = "counter " + std::to_string(i);
    if (names.size() >= 15 || o.styles.colors().of(name) == o.styles.colors().of("counter")) names.push_back(name);
  }
  for (const std::string& name : names) flamelet_counter(flamelet_intern(name.c_str()), "", 1);
  flamelet_frame();
  player.frames(30);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 0));
  for (int theme = 0; theme < 3; ++theme)
    for (int palette = 0; palette < 4; ++palette) {
      const std::string look = "theme=" + std::to_string(theme) + "\npalette=" + std::to_string(palette) + "\n";
      CAPTURE(look);
      player.load_settings(look);
      const flamelet::ui::CounterTable& counters = o.points.counters();
      REQUIRE(counters.count() == 40);
      std::vector<flamelet::ui::Rgb> above;
      for (const flamelet::ui::Lane& lane : o.store.lanes()) {
        if (lane.content != flamelet::ui::LaneContent::kCounters) continue;
        std::vector<flamelet::ui::Rgb> own;
        for (uint32_t i = 0; i < counters.count(); ++i) {
          if (counters[i].lane != lane.counter) continue;
          const flamelet::ui::Rgb color = flamelet::ui::counter_color(o, flamelet::ui::lanes_of(o), i);
          CHECK(std::count(own.begin(), own.end(), color) == 0);
          CHECK(std::count(above.begin(), above.end(), color) == 0);
          CHECK(flamelet::ui::contrast(color, flamelet::ui::color::kCanvas) >= 3);
          own.push_back(color);
        }
        above = own;
      }
    }
}

TEST_CASE_FIXTURE(TickingRecording, "overlay counters: the mouse over a line reads the value there") {
  record_frames(10);
  DrawnPlayer player;
  REQUIRE(player.select_frames(5, 5));
  const int before = HeadlessImGui::vertices();
  const LanePlace place = place_of(player, "textures MiB");
  player.move(middle_x(player), place.y + place.height / 2);
  CHECK(HeadlessImGui::drawn("##Tooltip").windows == 1);
  CHECK(HeadlessImGui::vertices() > before);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(TickingRecording,
                  "overlay counters: where one is no number, its line has a gap, and label and state say so") {
  for (int i = 0; i < 10; ++i) flamelet_counter("ratio MiB", "", 5);
  flamelet_counter("ratio MiB", "", std::numeric_limits<double>::quiet_NaN());
  flamelet_end(flamelet_begin("Frame", "", nullptr));
  flamelet_frame();
  DrawnPlayer player;
  REQUIRE(player.select_frames(0, 0));
  player.frames(10);
  CHECK(player.state("counter_last") == "null");
  CHECK(player.number("counter_max") == 5);
  CHECK(is_drawn("notanumber\n"));
  CHECK(HeadlessImGui::vertices_sane());
  player.move(static_cast<float>(player.number("canvas_left_px") + player.number("canvas_width_px")) - 2,
              place_of(player, "ratio MiB").y + 5);
  player.frames(3);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay counters: lines are drawn and read without an allocation, live and paused") {
  RecordedGame game(small_game(), 400);  // more than there are bars: these take no more memory
  OverlayPlayer player;
  player.frames(60);
  const auto play = [&] {
    game.frames(10);
    player.frames(20);
    REQUIRE(player.select_frames(390, 394));
    player.wheel(4);
    player.frames(3);
    flamelet::overlay_set_paused(player.overlay, false);
  };
  player.move(middle_x(player), 300);
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

TEST_CASE("overlay counters: a view with more values than bins merges, and reads them one by one where it is narrow") {
  const TickingRecording recording(size_t{16} << 20);
  for (int i = 0; i < 60000; ++i) flamelet_counter("noise", "", i % 17);
  flamelet_frame();
  flamelet::OverlayConfig config = active_overlay();
  config.max_counters = 16;
  config.max_counter_values = 4096;
  OverlayPlayer player(config);
  player.frames(60);
  REQUIRE(player.select_frames(0, 0));
  CHECK(player.number("values_drawn") + player.number("values_merged") >= 60000);
  CHECK(player.number("counter_max") == 16);
  CHECK(player.number("counter_values_left_out") == 0);
  player.move(middle_x(player), place_of(player, "noise").y + 5);
  for (int i = 0; i < 60; ++i) player.wheel(3);
  CHECK(player.number("values_merged") == 0);
  CHECK(player.number("values_drawn") >= 1);
}

TEST_CASE("overlay counters: hundreds in sight stay within a draw list of 16 bit indices") {
  const TickingRecording recording(size_t{16} << 20);
  record_many_counters(300, 64, " MiB");
  flamelet_frame();
  OverlayPlayer player(flamelet::OverlayMode::kActive, 1920, 2160);
  player.frames(60);
  REQUIRE(player.select_frames(0, 0));
  CHECK(player.number("counters") == 64);
  CHECK(player.number("counter_columns") > 64);
  CHECK(player.number("counter_columns") <= 6000);
  CHECK(player.number("canvas_vertices") < 65536);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay counters: nor do they leave it beside the labels of a lane that is pinned") {
  const TickingRecording recording(size_t{16} << 20);
  flamelet_set_thread_name("pinned");
  const std::string wide(300, 'w');
  flamelet_id ids[25];
  for (flamelet_id& id : ids) id = flamelet_begin(flamelet_intern(wide.c_str()), "", nullptr);
  record_many_counters(99, 60);
  for (int i = 24; i >= 0; --i) flamelet_end(ids[i]);
  flamelet_frame();
  OverlayPlayer player(flamelet::OverlayMode::kActive, 1920, 6000);
  const char settings[] = "lane=0,2,0,pinned\n";
  player.load_settings(settings, 60);
  REQUIRE(player.select_frames(0, 0));
  CHECK(player.number("counter_columns") > 2000);
  CHECK(player.number("canvas_vertices") < 65536);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay counters: a file of many lanes and few values is read within a few frames") {
  Building building;
  const uint32_t site = building.site("load");
  constexpr int64_t kLanes = 500, kApartNs = 20000000;
  for (int64_t i = 0; i < kLanes; ++i) {
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "lane " + std::to_string(i));
    building.counter(lane, i * kApartNs, site, 1);
  }
  building.frame(1, 0, kLanes * kApartNs);
  DrawnPlayer player;
  flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
  int frames = 0;
  do player.frames();
  while (player.overlay->points.reading() && ++frames < 200);
  CHECK(frames < 20);
}

TEST_CASE("overlay counters: one without a name says so, and one without a number has no range") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("");
  for (int64_t i = 0; i < 4; ++i) building.counter(lane, i * 200, site, std::numeric_limits<double>::quiet_NaN());
  building.frame(1, 0, 1000);
  DrawnPlayer player;
  player.show(building.finish(), "counters", 20);
  CHECK(is_drawn("(noname)"));
  CHECK_FALSE(is_drawn("0to1"));
}

TEST_CASE("overlay counters: a value at the very end of a file without frames is its last one") {
  Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  building.counter(lane, 0, building.site("load"), 2);
  building.counter(lane, 20000, building.site("load"), 300);
  DrawnPlayer player;
  flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
  player.frames(3);
  CHECK(player.number("counter_last") == 300);
  CHECK(player.number("counter_max") == 300);
}

TEST_CASE_FIXTURE(BuiltFrame, "overlay counters: while a file is being read, its newest value is the newest so far") {
  counters(2, 500000, " ms");
  const flamelet_capture* capture = finish();
  DrawnPlayer player;
  flamelet::overlay_show_capture(player.overlay, capture, "built");
  player.select_frames(0, 0);
  const LanePlace lane = place_of(player, "counter 0 ms");
  player.move(static_cast<float>(player.number("canvas_left_px")) - 60, lane.y + 6);
  REQUIRE(player.overlay->points.reading());
  CHECK(is_drawn("newestsofar\n"));
  for (int i = 0; i < 5000 && player.overlay->points.reading(); ++i) player.frames(1);
  player.frames(2);
  CHECK_FALSE(is_drawn("newestsofar\n"));
  CHECK(is_drawn("newest\n"));
}

TEST_CASE("overlay counters: the tooltips and labels of many counters fit, and say how many they leave out") {
  BuiltFrame built;
  built.counters(11, 30, " %");
  const flamelet_capture* capture = built.finish();
  DrawnPlayer player;
  show_built_frame(&player, capture);
  const LanePlace lane = place_of(player, "counter 0 %");
  const std::string all = all_drawn_text();
  CHECK(all.find("and4more\n") != std::string::npos);
  CHECK(all.find("counter6\n") != std::string::npos);  // the unit stands above
  for (const bool over_label : {false, true}) {
    player.move(over_label ? static_cast<float>(player.number("canvas_left_px")) - 60 : middle_x(player), lane.y + 6);
    player.frames(2);
    size_t names = 0;
    const DrawnTexts drawn(0);
    for (const DrawnText& text : drawn.texts()) {
      if (text.window.find("Tooltip") == std::string::npos) continue;
      CHECK(text.y1 <= 720);
      names += text.text.find("counter") == 0;
    }
    CHECK(names == 11);
  }
}
