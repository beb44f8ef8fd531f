// SPDX-License-Identifier: MIT
//
// The page Scope.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "input/actions.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "pages/scope/scope_page.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/recording.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

struct ScopePlayed : Played {
  explicit ScopePlayed(const char* scope = "Island::solve", uint32_t frames = 60) : Played(frames) {
    for (int i = 0; i < 3; ++i) game.frame(5);
    game.frames(5);
    player.frames(10);
    REQUIRE(flamelet::overlay_select_scope(player.overlay, scope));
    player.open_page("scope");
    read();
  }
  void read() {
    player.frames(2);
    for (int i = 0; i < 1000 && player.state("scope_reading") == "true"; ++i) player.frames();
    player.frames(20);
  }
  float at(const char* picture, const char* axis, double share) const {
    const std::string name = std::string("scope_") + picture;
    const bool is_x = axis[0] == 'x';
    return floorf(static_cast<float>(player.number(name + (is_x ? "_x_px" : "_y_px")) +
                                     share * player.number(name + (is_x ? "_width_px" : "_height_px"))));
  }
  const ScopePage& view() const { return player.overlay->pages.get<ScopePage>(); }
};

}  // namespace

TEST_CASE("overlay scope page: it says what is to be done without a scope, and shows the selected one") {
  Played p;
  p.player.open_page("scope");
  CHECK(p.player.state("page") == "\"scope\"");
  CHECK(p.player.number("scope_calls") == 0);
  CHECK(HeadlessImGui::vertices_sane());
  REQUIRE(p.player.select_scope("Physics::step", 30));
  CHECK(p.player.number("scope_calls") == 1);
  CHECK(p.player.number("scope_median_ns") > 1e6);
  CHECK(p.player.number("scope_graph_frames") == p.player.number("capture_frames") - 3);  // the GPU is behind
  CHECK(p.player.state("scope_grouped_by") == "\"callers\"");
  CHECK(p.player.number("scope_groups") == 1);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay scope page: without a scope it says how to choose one, and Enter does that") {
  const recorder_test::TickingRecording recording;
  for (int i = 0; i < 3; ++i) flamelet_end(flamelet_begin("draw", "", nullptr));
  DrawnPlayer player;
  player.open_page("scope");
  player.frames(3);
  CHECK(is_drawn("Enterselects"));
  player.press(TestKey::kEnter);
  player.frames(3);
  CHECK(player.state("scope_name") == "\"draw\"");
  CHECK_FALSE(is_drawn("Enterselects"));
}

TEST_CASE("overlay scope page: one call is one figure, beside what is usual in a frame") {
  recorder_test::TickingRecording recording;
  DrawnPlayer player;
  for (uint64_t i = 0; i < 9; ++i) {
    const flamelet_id id = flamelet_begin("draw", "", nullptr);
    recording.clock.ticks += i == 5 ? 30000000 : 10000000;
    flamelet_end(id);
    flamelet_frame();
  }
  player.frames(10);
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 5, 5));
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "draw"));
  player.open_page("scope");
  player.frames(60);
  CHECK(player.number("scope_calls") == 1);
  const auto drawn = [] {
    std::string text = all_drawn_text();
    text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
    return text;
  };
  CHECK(drawn().find("inframe#51xtime30.00msineachof8framesmedian10.00msp9530.00ms") != std::string::npos);
  CHECK(drawn().find("median30.00ms") == std::string::npos);
  CHECK_FALSE(is_drawn("howlongitscallstook"));
  player.overlay->settings.scope_history = true;
  player.frames(60);
  CHECK(drawn().find("inallthatiskept9xmedian10.00ms") != std::string::npos);
  CHECK(is_drawn("howlongitscallstook"));
}

TEST_CASE("overlay scope page: a built capture's frame 0 is a frame") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main"), draw = building.site("draw");
  for (uint64_t i = 0; i < 9; ++i) {
    const int64_t begin_ns = static_cast<int64_t>(i) * 1000;
    building.begin(lane, begin_ns, draw);
    building.end(lane, begin_ns + 500);
    building.frame(i, begin_ns, begin_ns + 1000);
  }
  DrawnPlayer player;
  player.show(building.finish(), "built");
  REQUIRE(player.select_frames(5, 5));
  REQUIRE(player.select_scope("draw"));
  player.open_page("scope");
  player.frames(60);
  CHECK(is_drawn("\n9frames\n"));
}

TEST_CASE("overlay scope page: in a low window, what is read is summed up before it says that nothing is to be read") {
  flamelet_capture_config config = flamelet_capture_config_default();
  recorder_test::Building building(config);
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main"), draw = building.site("draw");
  for (uint64_t i = 1; i <= 1000; ++i) {
    for (int64_t call = 0; call < 400; ++call) {
      building.begin(lane, static_cast<int64_t>(i) * 100000 + call * 100, draw);
      building.end(lane, static_cast<int64_t>(i) * 100000 + call * 100 + 50);
    }
    building.frame(i, static_cast<int64_t>(i) * 100000, static_cast<int64_t>(i) * 100000 + 100000);
  }
  DrawnPlayer player(flamelet::OverlayMode::kActive, 400, 240);
  player.show(building.finish(), "built");
  REQUIRE(player.select_frames(150, 150));
  player.load_settings("page=scope\n", 1);
  REQUIRE(player.select_scope("draw", 1));
  do player.frames();
  while (player.overlay->pages.get<flamelet::ui::ScopePage>().reading(*player.overlay));
  CHECK(is_drawn("\n1,000frames\n"));
}

TEST_CASE("overlay scope page: a rare long call has a bar of its own, and leaves the axis to the others") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main"), site = building.site("tick");
  int64_t now_ns = 0;
  for (int i = 0; i < 300; ++i) {
    building.begin(lane, now_ns, site);
    building.end(lane, now_ns += i == 170 ? 50000000 : 5000000 + i % 100 * 2000);
  }
  DrawnPlayer player;
  flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "tick"));
  player.open_page("scope");
  player.frames(60);
  const ScopeSummary& summary = player.overlay->pages.get<ScopePage>().summary;
  const uint32_t bars = summary.bar_count();
  uint32_t calls = 0, used = 0;
  for (uint32_t i = 0; i < bars; ++i) {
    calls += summary.bar(i);
    used += summary.bar(i) != 0;
  }
  CHECK(calls == 300);
  CHECK(used > bars / 2);
  CHECK(summary.bar(bars - 1) == 1);
  CHECK(is_drawn("1above5.20ms\n"));
  const float x = static_cast<float>(player.number("scope_histogram_x_px")),
              width = static_cast<float>(player.number("scope_histogram_width_px")),
              y = static_cast<float>(player.number("scope_histogram_y_px")) + 60;
  player.move(x + width - 9, y);
  player.frames(60);
  CHECK(is_drawn("1callabove5.20ms,thelongest50.00ms\n"));
  player.click();
  player.frames(60);
  CHECK(player.number("scope_chosen") == 1);
  player.drag(x + 7, y, x + width - 15, y);
  player.frames(60);
  CHECK(player.number("scope_chosen") == 299);
  player.overlay->settings.scope_log_axis = true;
  player.frames(60);
  CHECK_FALSE(is_drawn("1above5.20ms\n"));
}

TEST_CASE("overlay scope page: the graph says how many frames a bar stands for") {
  ScopePlayed p("Physics::step", 1000);
  const uint32_t frames = p.view().sums.bars()[1].count;
  REQUIRE(frames > 1);
  CHECK(is_drawn("itstimeineachframe:" + std::to_string(frames) + "framesabar,thelongest"));
}

TEST_CASE("overlay scope page: of a name that is too long for a budget, it says so") {
  recorder_test::Building building;
  const std::string name(200, 'n');
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, std::string(90, 'l'));
  building.begin(lane, 0, building.site(name));
  building.end(lane, 500);
  building.frame(1, 0, 1000);
  DrawnPlayer player;
  player.show(building.finish(), "long");
  REQUIRE(player.select_frames(1, 1));
  player.move(60, static_cast<float>(player.number("canvas_top_px")) + 8);
  player.frames(3);
  CHECK(is_drawn(std::string(90, 'l') + "\n"));  // and the tooltip has all of the lane's
  REQUIRE(player.select_scope(name.c_str()));
  player.open_page("scope");
  player.frames(20);
  CHECK(is_drawn("itsnameistoolongfora"));
}

TEST_CASE("overlay scope page: without frames it has read all, and says that there are none") {
  const recorder_test::TickingRecording recording;
  for (int i = 0; i < 3; ++i) flamelet_end(flamelet_begin("draw", "", nullptr));
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "draw"));
  player.open_page("scope");
  player.frames(60);
  CHECK(player.number("scope_calls") == 3);
  CHECK(player.state("scope_reading") == "false");
  CHECK_FALSE(flamelet::overlay_reading(player.overlay));
  CHECK(is_drawn("noframes\n"));
}

TEST_CASE("overlay scope page: callers of one name are told apart by their category, and threads by their id") {
  recorder_test::Building building;
  const uint32_t solve = building.site("solve", "math");
  for (int lane_number = 0; lane_number < 2; ++lane_number) {
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "worker");
    int64_t now_ns = 0;
    for (const char* category : {"render", "physics"}) {
      building.begin(lane, now_ns, building.site("job", category));
      building.begin(lane, now_ns + 10, solve);
      building.end(lane, now_ns + 20);
      building.end(lane, now_ns += 1000);
    }
  }
  DrawnPlayer player;
  flamelet::overlay_show_capture(player.overlay, building.finish(), "built");
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "solve"));
  player.open_page("scope");
  const auto said = [&](GroupBy by) {
    player.overlay->settings.set(&Settings::scope_group, static_cast<int>(by));
    player.frames(60);
    return all_drawn_text();
  };
  std::string text = said(GroupBy::kCaller);
  CHECK(player.number("scope_groups") == 2);
  CHECK(text.find("render\n") != std::string::npos);
  CHECK(text.find("physics\n") != std::string::npos);
  text = said(GroupBy::kThread);
  CHECK(player.number("scope_groups") == 2);
  for (size_t i = 0; i < 2; ++i) {
    flamelet_lane_info info;
    REQUIRE(flamelet_capture_lane(building.capture, i, &info));
    CHECK(text.find("id" + std::to_string(info.id) + "\n") != std::string::npos);
  }
}

TEST_CASE_FIXTURE(ScopePlayed, "overlay scope page: Escape forgets the chosen calls, and then the scope") {
  player.overlay->pages.get<ScopePage>().chosen = {0, INT64_MAX};
  player.press(TestKey::kEscape);
  CHECK_FALSE(view().chosen.any());
  CHECK(player.state("scope_name") == "\"Island::solve\"");
  player.press(TestKey::kEscape);
  CHECK(player.state("scope_name") == "null");
}

TEST_CASE_FIXTURE(ScopePlayed, "overlay scope page: H is the whole history, L the log axis, and both are settings") {
  CHECK(player.number("scope_calls") == 4);
  player.move(300, 300);
  player.type('h');
  read();
  CHECK(player.state("scope_history") == "true");
  CHECK(player.number("scope_calls") == 4 * 68);
  CHECK(player.state("scope_complete") == "true");
  CHECK(player.state("scope_log_axis") == "false");
  player.type('l');
  read();
  CHECK(player.state("scope_log_axis") == "true");
  player.type('h');
  read();
  CHECK(player.number("scope_calls") == 4);
}

TEST_CASE("overlay scope page: shown frames and whole history stand side by side, and a click chooses one") {
  ScopePlayed p;
  const float y = p.at("histogram", "y", 0) - 47;
  const auto click = [&](float x) {
    p.player.move(x, y);
    p.player.click();
    p.read();
    p.player.settle();
  };
  click(150);
  CHECK(p.player.state("scope_history") == "true");
  click(150);  // it is chosen already
  CHECK(p.player.state("scope_history") == "true");
  click(50);
  CHECK(p.player.state("scope_history") == "false");
}

TEST_CASE("overlay scope page: the names of marks stand above the bars, where nothing is behind them") {
  ScopePlayed p;
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  for (const char* axis : {"scope_history=1\nscope_log_axis=0\n", "scope_log_axis=1\n"}) {
    flamelet::overlay_load_settings(p.player.overlay, axis, strlen(axis));
    p.read();
    const float x0 = p.at("histogram", "x", 0), x1 = p.at("histogram", "x", 1);
    const float y0 = p.at("histogram", "y", 0), y1 = p.at("histogram", "y", 1);
    const DrawnTexts drawn(0xFFFFFF);
    int names = 0;
    for (const DrawnText& text : drawn.texts()) {
      if (text.x0 < x0 || text.x1 > x1 || text.y0 < y0 || text.y1 > y1) continue;
      if (text.text.rfind("median", 0) != 0 && text.text.rfind("p9", 0) != 0) continue;
      CAPTURE(text.text);
      ++names;
      int crossed = 0;
      for (int y = static_cast<int>(text.y0); y < static_cast<int>(text.y1); ++y)
        for (int x = static_cast<int>(text.x0); x < static_cast<int>(text.x1); ++x)
          crossed += drawn.pixel(x, y) != Rgb{color::kCanvas};
      CHECK(crossed == 0);
    }
    CHECK(names == 3);
  }
}

TEST_CASE("overlay scope page: live, the history grows with the game and holds each call once") {
  Played p(30);
  REQUIRE(flamelet::overlay_select_scope(p.player.overlay, "Physics::step"));
  flamelet::overlay_set_paused(p.player.overlay, false);
  p.player.open_page("scope");
  p.player.move(300, 300);
  p.player.type('h');
  p.player.frames(60);
  const double before = p.player.number("scope_calls");
  CHECK(before >= 25);
  for (int i = 0; i < 40; ++i) {
    p.game.frame();
    p.player.frames();
  }
  p.player.frames(60);
  CHECK(p.player.number("scope_calls") == before + 40);
  CHECK(p.player.state("paused") == "false");
}

TEST_CASE(
    "overlay scope page: a drag over the histogram marks the frames with those calls, which can be stepped through") {
  ScopePlayed p;
  p.player.move(300, 300);
  p.player.type('h');
  p.read();
  const float y = p.at("histogram", "y", 0.5);
  p.player.drag(p.at("histogram", "x", 0.5), y, p.at("histogram", "x", 0.999), y);
  p.read();
  // Three frames were five times slower, two in a hundred 2.6 times.
  const double chosen = p.player.number("scope_chosen");
  CHECK(chosen >= 12);
  CHECK(chosen < 30);
  const double marked = p.player.number("scope_marked_frames");
  CHECK(marked >= 3);
  CHECK(marked <= chosen);
  CHECK(p.player.state("page") == "\"scope\"");
  // From the newest call back: each is in the range.
  double last = 1e18;
  int steps = 0;
  for (; steps < 100; ++steps) {
    p.player.type(',');
    const double begin = p.player.number("selected_begin_ns");
    if (begin >= last) break;
    last = begin;
    const double took = p.player.number("selected_end_ns") - begin;
    CHECK(took >= static_cast<double>(p.view().chosen.least_ns));
    CHECK(p.player.state("page") == "\"scope\"");
  }
  CHECK(steps >= static_cast<int>(chosen) - 4);  // the selected frame's own came first
  CHECK(p.player.number("scope_chosen") == chosen);
}

TEST_CASE("overlay scope page: a click on a frame goes there, and another click on the histogram chooses one bar") {
  ScopePlayed p;
  p.player.move(p.at("graph", "x", 0.98), p.at("graph", "y", 0.5));
  p.player.click();
  const double newest = p.player.number("first_frame");
  p.player.move(p.at("graph", "x", 0.9), p.at("graph", "y", 0.5));
  p.player.click();
  CHECK(p.player.number("first_frame") < newest);
  CHECK(p.player.state("page") == "\"scope\"");
  p.read();
  CHECK(p.player.number("scope_calls") == 4);
  const float y = p.at("histogram", "y", 0.5);
  p.player.move(p.at("histogram", "x", 0.99), y);
  p.player.settle();
  p.player.click();
  p.read();
  CHECK(p.player.number("scope_chosen") == 1);
}

TEST_CASE("overlay scope page: a row of callers or callees goes to that scope") {
  ScopePlayed p("Physics::solve_islands");
  CHECK(p.player.number("scope_groups") == 1);
  flamelet::overlay_load_settings(p.player.overlay, "scope_group=1\n", 14);
  p.read();
  CHECK(p.player.state("scope_grouped_by") == "\"callees\"");
  REQUIRE(p.player.number("scope_groups") == 1);
  p.player.move(p.at("graph", "x", 1) + 40, p.at("graph", "y", 0) + 27);
  p.player.click();
  CHECK(p.player.state("scope_name") == "\"Island::solve\"");
  p.read();
  CHECK(p.player.number("scope_calls") == 4);
}

TEST_CASE_FIXTURE(TemporaryFolder, "overlay scope page: of a file, too, and whatever the size of the window") {
  const std::string path = file("a.flamelet");
  {
    Played p;
    REQUIRE(flamelet::overlay_save_capture(p.player.overlay, path.c_str()) == FLAMELET_OK);
  }
  for (const auto& size : {ImVec2(320, 200), ImVec2(480, 320), ImVec2(640, 360), ImVec2(3840, 2160)}) {
    OverlayPlayer player(flamelet::OverlayMode::kActive, size.x, size.y);
    REQUIRE(flamelet::overlay_open_capture(player.overlay, path.c_str()) == FLAMELET_OK);
    player.frames(3);
    REQUIRE(flamelet::overlay_select_scope(player.overlay, "Contact::solve"));
    player.overlay->pages.open("scope");
    player.overlay->settings.scope_history = true;
    player.frames(60);
    CHECK(player.number("scope_calls") == 60 * 4 * 40);
    CHECK(HeadlessImGui::vertices_sane());
  }
}

TEST_CASE("overlay scope page: a narrow one has room for a budget, too, with and without a chosen range") {
  ScopePlayed p;
  ImGui::GetIO().DisplaySize = ImVec2(640, 360);
  p.player.frames(5);
  for (const bool chosen : {false, true}) {
    CAPTURE(chosen);
    if (chosen) p.player.overlay->pages.get<ScopePage>().chosen = {0, INT64_MAX};
    p.player.overlay->pages.get<ScopePage>().focus_budget = true;
    p.player.frames(5);
    REQUIRE(ImGui::GetIO().WantTextInput);
    p.player.type('7');
    p.player.press(TestKey::kEnter);
    CHECK(p.player.overlay->watched.budget_of("Island::solve", false) == 7000000);
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
    p.player.overlay->watched.set_budget("Island::solve", false, 0);
  }
}

TEST_CASE("overlay scope page: a scope's time on the GPU is not added to that on its thread") {
  RecordedGame game(small_game());
  const uint32_t track = flamelet_track_create("GPU 2", FLAMELET_TRACK_GPU, 1e9);
  flamelet_track_calibrate(track, thread_now_ns, thread_now_ns);
  for (int i = 0; i < 10; ++i) {
    const uint64_t begin_ns = thread_now_ns;
    const flamelet_id id = flamelet_begin("Pass", "", nullptr);  // what flamelet_gpu_begin() does
    thread_now_ns += 1000000;
    flamelet_end(id);
    flamelet_event pass[2] = {};
    for (uint64_t k = 0; k < 2; ++k)
      pass[k] = {begin_ns + 100000 + k * 7000000, id, "Pass", "", nullptr, 0, k == 0 ? 'B' : 'E', false, 0};
    REQUIRE(flamelet_submit(track, pass, 2) == 2);
    thread_now_ns += 9000000;
    flamelet_frame();
  }
  DrawnPlayer player;
  flamelet::Overlay& o = *player.overlay;
  player.open_page("scope");
  for (const bool on_gpu : {false, true}) {
    CAPTURE(on_gpu);
    REQUIRE(flamelet::overlay_select_frames(player.overlay, 3, 8));
    REQUIRE(flamelet::overlay_select_scope(player.overlay, "Pass"));  // the longest is the GPU's
    REQUIRE(o.selection.scope.on_gpu);
    if (!on_gpu) o.selection.select_scope({o.selection.scope.key, 0, false});
    player.frames(60);
    CHECK(o.pages.get<ScopePage>().summary.figures().count == 6);
    CHECK(o.pages.get<ScopePage>().summary.figures().max_ns == (on_gpu ? 7000000 : 1000000));
    REQUIRE(o.pages.get<ScopePage>().frames.find(5) != nullptr);
    CHECK(o.pages.get<ScopePage>().frames.find(5)->time_ns == (on_gpu ? 7000000 : 1000000));
    select_worst_instance(o, o);
    CHECK(o.selection.span.lane_kind == (on_gpu ? FLAMELET_LANE_GPU : FLAMELET_LANE_THREAD));
  }
}

TEST_CASE_FIXTURE(ScopePlayed, "overlay scope page: it allocates nothing") {
  const auto play = [&] {
    player.move(300, 300);
    player.type('h');
    read();
    const float y = at("histogram", "y", 0.5);
    player.drag(at("histogram", "x", 0.3), y, at("histogram", "x", 0.6), y);
    player.type('.');
    player.move(at("graph", "x", 0.9), at("graph", "y", 0.5));
    player.click();
    game.frame();
    player.press(TestKey::kSpace);
    player.frames(20);
    REQUIRE(flamelet::overlay_select_scope(player.overlay, "Island::solve"));
    read();
  };
  CHECK(HeadlessImGui::allocations_when_repeated(play) == 0);
}

// ---- The page Scope about the calls of one object or one thread, and what its lists leave out ---------------------

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
  CHECK(p.graph_top_ns() == 9000000);
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
  CHECK(p.graph_top_ns() == 9000000);

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

TEST_CASE_FIXTURE(LoadingPlayed, "overlay scope page: where objects are apart, the selected one's calls are shown") {
  player.overlay->settings.objects_apart = true;
  player.frames(3);
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Load"));
  read();
  CHECK(player.overlay->selection.scope.object != 0);
  CHECK(player.state("scope_calls_of") == "\"of Rock\"");
}

TEST_CASE_FIXTURE(PlayedFrames<30>, "overlay scope page: a live history of one thread grows with it") {
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Physics::step"));
  flamelet::overlay_set_paused(player.overlay, false);
  player.overlay->pages.open("scope");
  player.overlay->settings.scope_history = true;
  player.frames(60);
  player.overlay->settings.scope_group = 3;
  flamelet::ui::choose_calls(*player.overlay,
                             {CallChoice::Of::kThread, player.overlay->pages.get<ScopePage>().instances[0].lane});
  player.frames(60);
  CHECK(player.state("scope_calls_of") == "\"on Main\"");
  const double before = player.number("scope_calls"), frames = player.number("scope_graph_frames");
  CHECK(before >= 25);
  for (int i = 0; i < 40; ++i) {
    game.frame();
    player.frames();
  }
  player.frames(60);
  CHECK(player.number("scope_calls") == before + 40);
  CHECK(player.number("scope_graph_frames") == frames + 40);
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

TEST_CASE("overlay scope page: live, the page and the details are about one frame") {
  recorder_test::TickingRecording recording;
  DrawnPlayer player;
  int64_t took_ns[121] = {};
  int pictures = 0;
  for (int i = 0; i < 120; ++i) {
    const flamelet_id id = flamelet_begin("draw", "", nullptr);
    took_ns[i] = 10000000 + i * 100000;
    recording.clock.ticks += static_cast<uint64_t>(took_ns[i]);
    flamelet_end(id);
    flamelet_frame();
    player.frames();
    if (i == 20) {
      REQUIRE(flamelet::overlay_select_scope(player.overlay, "draw"));
      flamelet::overlay_set_paused(player.overlay, false);
      player.open_page("scope");
    }
    if (i < 40) continue;
    const uint64_t frame = player.overlay->timeline.shown().first;
    FixedText<128> page, details;
    page.add("inframe#").add_unsigned(frame).add("1xtime");
    details.add("in#").add_unsigned(frame).add("1x");
    std::string drawn = all_drawn_text();
    drawn.erase(std::remove(drawn.begin(), drawn.end(), '\n'), drawn.end());
    CAPTURE(drawn);
    CHECK(drawn.find(page.c_str()) != std::string::npos);
    CHECK(drawn.find(details.c_str()) != std::string::npos);
    CHECK(fabs(player.number("scope_max_ns") - static_cast<double>(took_ns[frame])) < 1000);
    ++pictures;
  }
  CHECK(pictures == 80);
}
