// SPDX-License-Identifier: MIT
//
// The page Scope about the calls of one object or one thread, and what its lists leave out.
#include <doctest/doctest.h>

#include <string>
#include <thread>

#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "pages/scope/scope_page.h"
#include "shell/overlay_state.h"
#include "support/recording.h"

namespace scope_calls_test {

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

// Frames in which two threads load objects: Tree 1 ms on the main thread, Rock 3 ms, and Rock 5 ms on the worker, and once
// nothing is named, for 7 ms.
struct LoadingGame {
  explicit LoadingGame(uint32_t frames) : recording(config()) {
    flamelet_set_thread_name("Main");
    std::thread worker([frames] {
      flamelet_set_thread_name("Worker");
      recorder_test::thread_now_ns = 1000;
      for (uint32_t i = 0; i < frames; ++i) {
        load("Rock", 5000000);
        recorder_test::thread_now_ns = 1000 + 20000000 * (uint64_t{i} + 1);
      }
    });
    worker.join();
    for (uint32_t i = 0; i < frames; ++i) {
      load("Tree", 1000000);
      load("Rock", 3000000);
      if (i == 0) load(nullptr, 7000000);
      recorder_test::thread_now_ns = 1000 + 20000000 * (uint64_t{i} + 1);
      flamelet_frame();
    }
  }
  static flamelet_config config() { return recorder_test::with_thread_clock(flamelet_config_default(), 1000); }
  static void load(const char* object, uint64_t ns) {
    const flamelet_id id = flamelet_begin("Load", "", object);
    recorder_test::thread_now_ns += ns;
    flamelet_end(id);
  }
  const recorder_test::Recording recording;
};

struct LoadingPlayed : LoadingGame {
  static constexpr uint32_t kFrames = 20;
  LoadingPlayed() : LoadingGame(kFrames) {
    player.frames(5);
    REQUIRE(flamelet::overlay_select_scope(player.overlay, "Load"));
    player.overlay->pages.open("scope");
    group_by("scope_history=1\nscope_group=2");
  }
  void read() {
    player.frames(2);
    for (int i = 0; i < 1000 && player.state("scope_reading") == "true"; ++i) player.frames();
    player.frames(20);
  }
  void group_by(const char* setting) {
    flamelet::overlay_load_settings(player.overlay, setting, strlen(setting));
    read();
  }
  // The row of the list beside the pictures.
  void click_row(int row) {
    player.settle();
    const double x = player.number("scope_histogram_x_px") + player.number("scope_histogram_width_px") + 40;
    player.move(floorf(static_cast<float>(x)),
                floorf(static_cast<float>(player.number("scope_histogram_y_px"))) + 27 + 17 * static_cast<float>(row));
    player.click();
    read();
  }
  // The time of the graph's longest frame.
  int64_t graph_top_ns() const { return player.overlay->pages.get<ScopePage>().sums.longest_ns(); }
  OverlayPlayer player;
};

}  // namespace

TEST_CASE(
    "overlay scope page: a row of objects or threads makes all of the page about its calls, and a click takes it "
    "back") {
  LoadingPlayed p;
  constexpr double kFrames = LoadingPlayed::kFrames;
  CHECK(p.player.state("scope_calls_of") == "\"all\"");
  CHECK(p.player.number("scope_calls") == 3 * kFrames + 1);
  CHECK(p.player.number("scope_groups") == 3);
  CHECK(p.graph_top_ns() == 16000000);
  p.click_row(0);  // the largest total
  CHECK(p.player.state("scope_calls_of") == "\"of Rock\"");
  CHECK(p.player.number("scope_calls") == 2 * kFrames);
  CHECK(p.player.number("scope_max_ns") == 5000000);
  CHECK(p.player.number("scope_total_ns") == kFrames * 8000000);
  CHECK(p.graph_top_ns() == 8000000);
  CHECK(p.player.number("scope_groups") == 3);  // to choose another one
  p.click_row(1);
  CHECK(p.player.state("scope_calls_of") == "\"of Tree\"");
  CHECK(p.player.number("scope_max_ns") == 1000000);
  CHECK(p.graph_top_ns() == 1000000);
  p.click_row(2);
  CHECK(p.player.state("scope_calls_of") == "\"without an object\"");
  CHECK(p.player.number("scope_calls") == 1);
  p.click_row(2);
  CHECK(p.player.state("scope_calls_of") == "\"all\"");
  CHECK(p.player.number("scope_calls") == 3 * kFrames + 1);
  CHECK(p.graph_top_ns() == 16000000);

  p.group_by("scope_group=3");
  CHECK(p.player.number("scope_groups") == 2);
  p.click_row(0);
  CHECK(p.player.state("scope_calls_of") == "\"on Worker\"");
  CHECK(p.player.number("scope_calls") == kFrames);
  CHECK(p.player.number("scope_total_ns") == kFrames * 5000000);
  CHECK(p.graph_top_ns() == 5000000);
  // Other lists are of these calls, too.
  p.group_by("scope_group=2");
  CHECK(p.player.number("scope_groups") == 1);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE(
    "overlay scope page: keys choose a row, its button and Escape give all calls back, and another scope forgets it") {
  LoadingPlayed p;
  const auto key = [&p](Key k) {
    press_chord(&p.player, {k});
    p.read();
  };
  key(Key::kDown);
  CHECK(p.player.state("scope_calls_of") == "\"all\"");
  key(Key::kEnter);
  CHECK(p.player.state("scope_calls_of") == "\"of Rock\"");
  key(Key::kEscape);
  CHECK(p.player.state("scope_calls_of") == "\"all\"");
  CHECK(p.player.state("selected_name") != "null");
  key(Key::kEnter);
  CHECK(p.player.state("scope_calls_of") == "\"of Rock\"");
  // The fourth button: shown frames, whole history, log axis, all objects.
  for (int i = 0; i < 4; ++i) key(flamelet::ui::key_of('i'));
  key(flamelet::ui::key_of('u'));
  CHECK(p.player.state("scope_calls_of") == "\"all\"");
  key(Key::kEnter);
  p.player.overlay->selection.select_scope({{1, 1}});
  p.read();
  CHECK(p.player.state("scope_calls_of") == "\"all\"");
}

TEST_CASE("overlay scope page: where objects are apart, the selected one's calls are shown") {
  LoadingPlayed p;
  p.player.overlay->settings.objects_apart = true;
  p.player.frames(3);
  REQUIRE(flamelet::overlay_select_scope(p.player.overlay, "Load"));
  p.read();
  CHECK(p.player.overlay->selection.scope.object != 0);
  CHECK(p.player.state("scope_calls_of") == "\"of Rock\"");
}

TEST_CASE("overlay scope page: a live history of one thread grows with it") {
  Played p(30);
  REQUIRE(flamelet::overlay_select_scope(p.player.overlay, "Physics::step"));
  flamelet::overlay_set_paused(p.player.overlay, false);
  p.player.overlay->pages.open("scope");
  p.player.overlay->settings.scope_history = true;
  p.player.frames(60);
  p.player.overlay->settings.scope_group = 3;
  flamelet::ui::choose_calls(*p.player.overlay,
                             {CallChoice::Of::kThread, p.player.overlay->pages.get<ScopePage>().instances[0].lane});
  p.player.frames(60);
  CHECK(p.player.state("scope_calls_of") == "\"on Main\"");
  const double before = p.player.number("scope_calls"), frames = p.player.number("scope_graph_frames");
  CHECK(before >= 25);
  for (int i = 0; i < 40; ++i) {
    p.game.frame();
    p.player.frames();
  }
  p.player.frames(60);
  CHECK(p.player.number("scope_calls") == before + 40);
  CHECK(p.player.number("scope_graph_frames") == frames + 40);
}

TEST_CASE("overlay scope page: calls without a row of their own are the list's last row") {
  const recorder_test::Recording recording(LoadingGame::config());
  OverlayPlayer player;
  constexpr uint32_t kObjects = ScopeGroups::kMost + 40;
  for (uint32_t i = 0; i < kObjects; ++i) LoadingGame::load(("object " + std::to_string(i)).c_str(), 1000 + i);
  flamelet_frame();
  LoadingGame::load("a", 1000);
  flamelet_frame();
  player.frames(5);
  flamelet::overlay_set_paused(player.overlay, true);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 0, 1));
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Load"));
  player.overlay->pages.open("scope");
  player.overlay->settings.scope_history = true;
  player.overlay->settings.scope_group = 2;
  player.frames(60);
  CHECK(player.number("scope_groups") == ScopeGroups::kMost);
  CHECK(player.number("scope_calls_without_group") == 41);
  double sum_ns = static_cast<double>(player.overlay->pages.get<ScopePage>().summary.groups().others().total_ns);
  for (uint32_t i = 0; i < ScopeGroups::kMost; ++i)
    sum_ns += static_cast<double>(player.overlay->pages.get<ScopePage>().summary.groups()[i].total_ns);
  CHECK(sum_ns == player.number("scope_total_ns"));
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  for (int i = 0; i < 300; ++i) press_chord(&player, {Key::kDown});
  std::string all;
  const DrawnTexts drawn(0x000000);
  for (const DrawnText& text : drawn.texts()) all += text.text;
  CHECK(all.find("allothers") != std::string::npos);
}

}  // namespace scope_calls_test
