// SPDX-License-Identifier: MIT
//
// The HUD: its numbers, its limits, its place, and the way from it into the overlay.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "hud/hud.h"
#include "lanes/lanes_page.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "pages/scope/scope_page.h"
#include "shell/overlay_state.h"
#include "support/comma_locale.h"
#include "temporary_folder.h"

using namespace flamelet_tests;
using namespace flamelet::ui;

namespace {

struct HudGame {
  explicit HudGame(flamelet::OverlayConfig config = flamelet::OverlayConfig(),
                   RecordedGame::Options options = small_game())
      : game(options), player(in_hud(config)) {
    frames(40);
  }
  static flamelet::OverlayConfig in_hud(flamelet::OverlayConfig config) {
    config.mode = flamelet::OverlayMode::kHud;
    return config;
  }
  void frames(int count, double slowdown = 1) {
    for (int i = 0; i < count; ++i) {
      game.frame(slowdown);
      player.frames();
    }
  }
  void load(const std::string& text) {
    flamelet::overlay_load_settings(player.overlay, text.data(), text.size());
    frames(20);
  }
  // The middle of a line of the HUD, the frame's first.
  void click_line(int line) {
    player.move(static_cast<float>(player.number("hud_row_x_px")) + 60,
                static_cast<float>(player.number("hud_row_y_px") + (line + 0.4) * player.number("hud_row_height_px")));
    player.click();
  }
  static HeadlessImGui::Drawn drawn() { return HeadlessImGui::drawn("##flamelet_hud"); }

  RecordedGame game;
  OverlayPlayer player;
};

std::string eight_pins() {
  std::string text;
  for (const char* name : {"World::update", "Physics::solve_islands", "Physics::integrate", "Animation::update",
                           "wait for jobs", "Render::submit", "Contact::solve"})
    text += std::string("watch=1,0,1234567,") + name + "\n";
  return text + "watch=1,1,12345678,Scene pass\n";
}

}  // namespace

TEST_CASE("overlay HUD: with eight pins and budgets it is one draw command of at most 1,500 vertices") {
  HudGame g;
  g.load(eight_pins());
  CHECK(g.player.number("hud_lines") == 13);
  const HeadlessImGui::Drawn drawn = HudGame::drawn();
  CHECK(drawn.windows == 1);
  CHECK(drawn.commands <= 2);
  CHECK(drawn.vertices <= 1500);
  CHECK(drawn.vertices > 800);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: the game's own windows do not cover it, and keep the focus") {
  int hud = -1, inventory = -1;
  bool focused = false;
  for (int frame = 0; frame < 4; ++frame) {
    player.gui.frame([&] {
      flamelet::overlay_show(player.overlay);
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
      if (frame == 1) ImGui::SetNextWindowFocus();
      ImGui::Begin("inventory");
      focused = ImGui::IsWindowFocused();
      ImGui::End();
    });
    int at = 0;
    HeadlessImGui::for_each_list([&](const ImDrawList& list) {
      if (strstr(list._OwnerName, "flamelet_hud") != nullptr) hud = at;
      if (strcmp(list._OwnerName, "inventory") == 0) inventory = at;
      ++at;
    });
  }
  CHECK(focused);
  CHECK(inventory >= 0);
  CHECK(hud > inventory);
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: p99 and max say over how long, and a file's are those of all its frames") {
  const flamelet::Overlay& o = *player.overlay;
  frames(700);
  CHECK(o.numbers.frames == 300);
  const TemporaryFolder folder;
  const std::string path = folder.file("a.flamelet");
  REQUIRE(flamelet::overlay_save_capture(player.overlay, path.c_str()) == FLAMELET_OK);
  flamelet_load_report report;
  REQUIRE(flamelet::overlay_open_capture(player.overlay, path.c_str(), &report) == FLAMELET_OK);
  CHECK(o.numbers.frames == flamelet_capture_frame_count(o.capture) - 1);  // without the time before the first mark
  CHECK(o.numbers.frames > 700);
  int64_t sum_ns = 0;
  flamelet_frame_info frame;
  for (size_t i = 1; flamelet_capture_frame(o.capture, i, &frame); ++i) sum_ns += frame.end_ns - frame.begin_ns;
  CHECK(o.numbers.frames_ns == sum_ns);
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: counters have rows where pins leave room, and a setting takes them away") {
  CHECK(player.number("hud_lines") == 6);  // draw calls
  const int with = HudGame::drawn().vertices;
  load("hud_counters=0\n");
  CHECK(player.number("hud_lines") == 5);
  CHECK(HudGame::drawn().vertices < with - 20);
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: a counter of single events has no row, because the newest one is no state") {
  for (int i = 0; i < 30; ++i) {
    flamelet_counter("memory (B)", "memory", 5000000 + i);
    flamelet_counter("memory alloc (B each)", "memory", 568);
    frames(1);
  }
  frames(30);
  const HudNumbers& hud = player.overlay->hud;
  REQUIRE(hud.counter_count == 2);  // and draw calls
  CHECK(hud.counters[1].value == 5000029);
}

TEST_CASE("overlay HUD: it allocates nothing") {
  HudGame g({}, RecordedGame::Options{});
  g.frames(100);
  CHECK(HeadlessImGui::allocations_in([&] { g.frames(100); }) == 0);
  g.load(eight_pins());
  CHECK(HeadlessImGui::allocations_in([&] { g.frames(60); }) == 0);
}

TEST_CASE("overlay HUD: a pin shows the scope's time in a frame, and its budget, with a mark where that is exceeded") {
  HudGame g;
  g.load("watch=1,0,4000000,Physics::step\n");
  CHECK(g.player.state("pin_name") == "\"Physics::step\"");
  CHECK(g.player.number("pin_ns") > 2000000);
  CHECK(g.player.number("pin_ns") < 4000000);
  CHECK(g.player.number("pin_budget_ns") == 4000000);
  CHECK(g.player.state("pin_over") == "false");
  g.frames(1, 6);
  g.frames(30);
  CHECK(g.player.state("pin_over") == "true");
  g.frames(80);
  CHECK(g.player.state("pin_over") == "false");
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: a GPU scope has a pin of its own") {
  load("watch=1,1,0,Scene pass\n");
  CHECK(player.state("pin_on_gpu") == "true");
  CHECK(player.number("pin_ns") > 4000000);  // its CPU scope takes 1.3 ms
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: the GPU's time is a mean of 15 frames, as the frame's") {
  const std::string drawn = all_drawn_text();
  const GpuFrames& gpu = player.overlay->gpu;
  bool is_mean = false;  // of those that were the newest when it was refreshed
  for (uint64_t last = gpu.newest_frame(); last > gpu.newest_frame() - 15; --last) {
    int64_t sum_ns = 0;
    for (uint64_t back = 0; back < 15; ++back) {
      GpuFrame frame;
      REQUIRE(gpu.find(last - back, &frame));
      sum_ns += frame.busy_ns;
    }
    FixedText<32> text;
    text.add("GPU\n").add_ms(sum_ns / 15).add("ms\n");
    is_mean = is_mean || drawn.find(text.view()) != std::string::npos;
  }
  CAPTURE(drawn);
  CHECK(is_mean);
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: the bottleneck, and the longest frame of the last 5 seconds") {
  // The main thread works nearly all the time: its one wait takes a tenth of the frame.
  CHECK(player.state("hud_bottleneck") != "\"\"");
  frames(1, 10);
  const double slow = player.number("capture_frames") - 1;
  frames(30);
  CHECK(player.number("hud_worst_frame") == slow);
  frames(700);  // of about 9 ms
  CHECK(player.number("hud_worst_frame") > slow);
}

TEST_CASE("overlay HUD: budgets of the program; too many are refused") {
  const std::string text = "frame 50\nscope 2.5 Physics::step\n";
  flamelet_budget budgets[4];
  size_t count = 0;
  REQUIRE(flamelet_budgets_read(text.data(), text.size(), budgets, 4, &count, nullptr) == FLAMELET_OK);
  flamelet::OverlayConfig config;
  config.budgets = budgets;
  config.budget_count = count;
  HudGame g(config);
  CHECK(g.player.number("set_budget_ns") == 50000000);
  g.load("watch=1,0,0,Physics::step\n");
  CHECK(g.player.number("pin_budget_ns") == 2500000);
  CHECK(g.player.state("pin_over") == "true");
  CHECK(flamelet::overlay_set_budgets(g.player.overlay, nullptr, 0) == FLAMELET_OK);
  g.frames(20);
  CHECK(g.player.number("pin_budget_ns") == 0);
  CHECK(flamelet::overlay_set_budgets(g.player.overlay, nullptr, 1) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet::overlay_set_budgets(nullptr, budgets, count) == FLAMELET_ERROR_INVALID_ARGUMENT);
  const std::string name(64, 'x');
  const flamelet_budget bad = {{name.data(), 64}, 1000, FLAMELET_BUDGET_MAX, 1};
  CHECK(flamelet::overlay_set_budgets(g.player.overlay, &bad, 1) == FLAMELET_ERROR_LIMIT);
  config.budgets = &bad;
  config.budget_count = 1;
  flamelet::Overlay* overlay = nullptr;
  CHECK(flamelet::overlay_create(config, &overlay) == FLAMELET_ERROR_LIMIT);
  CHECK(overlay == nullptr);
  config.budgets = nullptr;
  CHECK(flamelet::overlay_create(config, &overlay) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: it stands in the chosen corner, inside of the window, at every size") {
  for (int corner = 0; corner < 4; ++corner)
    for (const int percent : {50, 100, 200}) {
      CAPTURE(corner);
      CAPTURE(percent);
      load("hud_corner=" + std::to_string(corner) + "\nhud_percent=" + std::to_string(percent) + "\n");
      const double x = player.number("hud_row_x_px"), width = player.number("hud_row_width_px");
      const double y = player.number("hud_row_y_px");
      CHECK(width ==
            doctest::Approx(312.0 * drawn_font_size(13.0f * static_cast<float>(percent) / 100) / 13).epsilon(0.02));
      CHECK((corner % 2 == 0 ? x < 30 : x + width > 1250));
      CHECK((corner / 2 == 0 ? y < 50 : y > 400));
      CHECK(x >= 0);
      CHECK(x + width <= 1280);
    }
  const flamelet::OverlayStats stats = player.stats();
  CHECK(stats.draw_ns > 0);
}

TEST_CASE("overlay HUD: clicks go through it, unless it is told to take them: then a row opens the overlay there") {
  HudGame g;
  g.load("watch=1,0,0,Physics::step\n");
  g.click_line(5);
  CHECK(g.player.state("mode") == "\"hud\"");
  CHECK_FALSE(ImGui::GetIO().WantCaptureMouse);
  g.load("hud_clicks=1\n");
  g.click_line(5);
  CHECK(g.player.state("mode") == "\"active\"");
  CHECK(g.player.state("page") == "\"scope\"");
  CHECK(g.player.state("scope_name") == "\"Physics::step\"");
  flamelet::overlay_set_mode(g.player.overlay, flamelet::OverlayMode::kHud);
  g.player.settle();
  const double worst = g.player.number("hud_worst_frame");
  g.click_line(4);
  CHECK(g.player.state("mode") == "\"active\"");
  CHECK(g.player.number("first_frame") == worst);
  CHECK(g.player.state("paused") == "true");
}

TEST_CASE("overlay HUD: a paused one takes clicks for the button that resumes, and then lets them through again") {
  HudGame g;
  flamelet::overlay_set_paused(g.player.overlay, true);
  g.frames(3);
  const auto move_to_button = [&g] { g.player.move_to("hud_resume"); };
  move_to_button();
  CHECK(ImGui::GetIO().WantCaptureMouse);
  CHECK(HudGame::drawn().commands <= 2);
  g.player.click();
  CHECK(g.player.state("paused") == "false");
  CHECK(g.player.state("mode") == "\"hud\"");
  g.player.move(1, 700);
  move_to_button();
  CHECK_FALSE(ImGui::GetIO().WantCaptureMouse);
}

TEST_CASE_FIXTURE(HudGame,
                  "overlay HUD: of a file, it says so, and its button and the mode key with Ctrl go back to the game") {
  frames(10);
  const TemporaryFolder folder;
  const std::string path = folder.file("a.flamelet");
  REQUIRE(flamelet::overlay_save_capture(player.overlay, path.c_str()) == FLAMELET_OK);
  for (const bool by_key : {false, true}) {
    REQUIRE(flamelet::overlay_open_capture(player.overlay, path.c_str(), nullptr) == FLAMELET_OK);
    player.settle();
    CHECK(is_drawn("a.flamelet"));
    if (by_key) {
      set_modifier(kCtrl, true);
      player.press(TestKey::kF1);
      set_modifier(kCtrl, false);
    } else {
      player.move_to("hud_resume");
      player.click();
    }
    CHECK(player.state("live_game") == "true");
    CHECK(player.state("mode") == "\"hud\"");
    CHECK_FALSE(is_drawn("a.flamelet"));
  }
}

TEST_CASE_FIXTURE(TemporaryFolder, "overlay HUD: a paused one stands still, whatever a file that is saved brings in") {
  flamelet::OverlayConfig config;
  config.capture_folder = path().c_str();
  HudGame g(config);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  g.load("watch=1,0,0,Physics::step\n");
  g.frames(60);
  flamelet::overlay_set_paused(g.player.overlay, true);
  g.player.frames(60);
  const std::string before = all_drawn_text();
  const HeadlessImGui::Drawn drawn = HudGame::drawn();
  for (int i = 0; i < 40; ++i) g.game.frame(20);
  g.player.press(TestKey::kF2);
  do g.player.frames();
  while (g.player.state("file_busy") == "true");
  g.player.frames(600);  // until the notice is gone
  CHECK(all_drawn_text() == before);
  CHECK(HudGame::drawn().vertices == drawn.vertices);
  flamelet::overlay_set_paused(g.player.overlay, false);
  g.frames(30);
  CHECK(all_drawn_text() != before);
}

TEST_CASE("overlay HUD: figures end in one line, with a mark before those over their budget") {
  HudGame g;
  g.load("watch=1,0,1000,Physics::step\nwatch=1,0,0,World::update\n");
  g.player.settle();
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  const DrawnTexts texts(0);
  const float right = static_cast<float>(g.player.number("hud_row_x_px") + g.player.number("hud_row_width_px"));
  int rows = 0;
  for (const DrawnText& text : texts.texts()) {
    if (text.x1 < right - 40) continue;
    ++rows;
    CAPTURE(text.text);
    CHECK(text.x1 > right - 12);
  }
  CHECK(rows >= 4);  // the worst frame, two scopes and a counter
}

TEST_CASE_FIXTURE(TemporaryFolder, "overlay HUD: it says for some seconds which file was saved") {
  flamelet::OverlayConfig config;
  config.capture_folder = path().c_str();
  HudGame g(config);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  const double lines = g.player.number("hud_lines");
  CHECK_FALSE(is_drawn("saved"));
  g.player.press(TestKey::kF2);
  do g.player.frames();
  while (g.player.state("file_busy") == "true");
  g.frames(2);
  CHECK(g.player.number("hud_lines") == lines + 1);
  CHECK(is_drawn("\nlast-5s-"));
  CHECK(HudGame::drawn().commands <= 2);
  g.frames(60 * 7);
  CHECK(g.player.number("hud_lines") == lines);
  CHECK_FALSE(is_drawn("saved"));
}

TEST_CASE("overlay HUD: with the overlay off, a line says for a moment which file was saved, or why none was") {
  const TemporaryFolder folder;
  const std::string missing = folder.file("missing");
  for (const bool works : {true, false}) {
    CAPTURE(works);
    flamelet::OverlayConfig config;
    config.capture_folder = works ? folder.path().c_str() : missing.c_str();
    HudGame g(config);
    flamelet::overlay_set_mode(g.player.overlay, flamelet::OverlayMode::kOff);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    g.player.press(TestKey::kF2);
    CHECK_FALSE(is_drawn("aved"));
    for (int i = 0; i < 100 && !is_drawn("aved"); ++i) g.player.frames();
    CHECK(is_drawn("saved\nlast-5s-") == works);
    CHECK(is_drawn("Notsaved:") == !works);
    const DrawnTexts drawn(0);
    REQUIRE(drawn.texts().size() >= 1);
    for (const DrawnText& text : drawn.texts()) CHECK(text.y0 > ImGui::GetIO().DisplaySize.y - 40);
    g.player.move(drawn.texts()[0].x0 + 2, drawn.texts()[0].y0 + 2);
    CHECK_FALSE(ImGui::GetIO().WantCaptureMouse);
    g.player.frames(60 * 3);
    CHECK_FALSE(is_drawn("aved"));
    g.player.overlay->status.say(flamelet::ui::Speaker::kFiles).add("Saved a.flamelet; 1 KiB in 1 ms");
    g.player.frames(2);
    CHECK(is_drawn("saved\na.flamelet\n"));
  }
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: pins and budgets of the user are settings") {
  load("watch=1,0,4000000,Physics::step\nwatch=0,0,1000000,AI\n");
  std::string text(flamelet::overlay_save_settings(player.overlay, nullptr, 0), '\0');
  flamelet::overlay_save_settings(player.overlay, text.data(), text.size() + 1);
  CHECK(text.find("watch=1,0,4000000,Physics::step\n") != std::string::npos);
  CHECK(text.find("watch=0,0,1000000,AI\n") != std::string::npos);
}

TEST_CASE_FIXTURE(Played, "overlay HUD: a scope is pinned and gets its budget on its page") {
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "Physics::step"));
  player.open_page("scope");
  player.frames(10);
  player.overlay->pages.get<ScopePage>().focus_budget = true;
  player.frames(3);
  for (const char c : {'3', '.', '5'}) player.type(c);
  player.press(TestKey::kEnter);
  player.frames(3);
  CHECK(player.overlay->watched.budget_of("Physics::step", false) == 3500000);
  player.overlay->watched.set_budget("Physics::step", false, 100);
  player.frames(3);
  CHECK(is_drawn("0.000100"));
  CHECK(flamelet::overlay_settings_changed(player.overlay));
}

TEST_CASE("overlay HUD: a budget is typed with a point or a comma, whatever the C library has") {
  for (const bool is_comma_locale : {false, true})
    for (const char sign : {'.', ','}) {
      CAPTURE(is_comma_locale);
      CAPTURE(sign);
      Played p;
      REQUIRE(flamelet::overlay_select_scope(p.player.overlay, "Physics::step"));
      p.player.open_page("scope");
      p.player.frames(10);
      p.player.overlay->pages.get<ScopePage>().focus_budget = true;
      std::optional<flamelet::tests::CommaLocale> commas;
      if (is_comma_locale) commas.emplace();
      if (commas && !commas->is_there()) return;
      p.player.frames(3);
      for (const char c : {'3', sign, '5'}) p.player.type(c);
      p.player.press(TestKey::kEnter);
      p.player.frames(3);
      CHECK(p.player.overlay->watched.budget_of("Physics::step", false) == 3500000);
      ImGui::GetStyle().AntiAliasedLinesUseTex = false;
      CHECK(is_drawn("3.50"));
    }
}

// ---- Bottleneck ---------------------------------------------------------------------------------------------------

namespace {

// A frame of 10 ms, and the rest in tenths of a millisecond.
Bottleneck bound(int cpu, int gpu, int spread = 5) {
  const auto ns = [](int tenths) { return tenths < 0 ? int64_t{-1} : int64_t{tenths} * 100000; };
  return find_bottleneck({10000000, ns(spread), ns(cpu), ns(gpu)});
}

}  // namespace

TEST_CASE("overlay bottleneck: who works for nine tenths of the frame sets its rate") {
  CHECK(bound(90, 50) == Bottleneck::kCpu);
  CHECK(bound(89, 50) != Bottleneck::kCpu);
  CHECK(bound(100, 89) == Bottleneck::kCpu);
  CHECK(bound(50, 90) == Bottleneck::kGpu);
  CHECK(bound(89, 130) == Bottleneck::kGpu);  // several queues may add up to more than a frame
  CHECK(bound(95, 95) == Bottleneck::kBalanced);
}

TEST_CASE("overlay bottleneck: with time to spare on both sides, steady frames wait for the display") {
  CHECK(bound(40, 60) == Bottleneck::kVsync);
  CHECK(bound(40, 60, 10) == Bottleneck::kVsync);
  CHECK(bound(40, 60, 11) == Bottleneck::kBalanced);
  CHECK(bound(0, 0) == Bottleneck::kVsync);
}

TEST_CASE("overlay bottleneck: what is not known is not said") {
  CHECK(find_bottleneck({}) == Bottleneck::kUnknown);
  CHECK(bound(-1, -1) == Bottleneck::kUnknown);
  CHECK(bound(-1, 50) == Bottleneck::kUnknown);
  CHECK(bound(-1, 95) == Bottleneck::kGpu);
  CHECK(bound(95, -1) == Bottleneck::kCpu);
  CHECK(bound(50, -1) == Bottleneck::kWaits);
}

TEST_CASE_FIXTURE(HudGame, "overlay HUD: what is switched off has no figure, and the HUD and the truth line say so") {
  struct AllOnAfterwards {
    ~AllOnAfterwards() { flamelet_category_set_enabled(nullptr, true); }
  } all_on_afterwards;
  flamelet_counter("bodies", "town", 41);
  load("watch=1,0,1000000,World::update\n");
  CHECK(is_drawn("\n41\n"));
  CHECK_FALSE(is_drawn("notrecorded"));
  flamelet_category_set_enabled("town", false);
  frames(40);
  CHECK(is_drawn("notrecorded:town"));
  CHECK_FALSE(is_drawn("\n41\n"));
  CHECK(is_drawn("\noff\n"));
  flamelet_category_set_enabled(nullptr, false);
  frames(40);
  CHECK(is_drawn("notrecorded:allcategories"));
  CHECK(is_drawn("\noff/1.00\n"));
  flamelet::overlay_set_mode(player.overlay, flamelet::OverlayMode::kActive);
  frames(20);
  CHECK(is_drawn("\nnotrecorded\nallcategories\n"));
  player.open_page("table");
  frames(40);
  CHECK(is_drawn("noscopesintheshownframes;notrecorded:allcategories"));
}

TEST_CASE("overlay HUD: a click on a counter brings its lane into sight") {
  flamelet::OverlayConfig config = HudGame::in_hud(flamelet::OverlayConfig());
  RecordedGame game(small_game());
  OverlayPlayer player(config, 1000, 420);
  for (int i = 0; i < 40; ++i) {
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) flamelet_counter(name, "", i);
    game.frame();
    player.frames();
  }
  player.load_settings("hud_clicks=1\n", 30);
  const std::string last = std::string(player.overlay->points.counters()[player.overlay->hud.counters[5].number].text);
  player.move(static_cast<float>(player.number("hud_row_x_px")) + 60,
              static_cast<float>(player.number("hud_row_y_px") + (5 + 5 + 0.4) * player.number("hud_row_height_px")));
  player.click();
  REQUIRE(player.state("mode") == "\"active\"");
  player.frames(5);
  const LanesPage& page = lanes_of(*player.overlay);
  bool found = false;
  for (const Lane& lane : player.overlay->store.lanes()) {
    if (lane.content != LaneContent::kCounters || lane.name != last) continue;
    found = true;
    const float y = page.canvas.y + lane.y;
    CHECK(y >= page.canvas.top);
    CHECK(y + lane.height <= page.canvas.bottom + 1);
  }
  CHECK(found);
}

TEST_CASE("overlay HUD: in a narrow window it is as large as it fits") {
  HudGame g;
  ImGui::GetIO().DisplaySize = ImVec2(640, 400);
  for (const char* size : {"hud_percent=300\n", "hud_percent=200\ntext_percent=200\n"}) {
    g.load(size);
    const double x = g.player.number("hud_row_x_px"), width = g.player.number("hud_row_width_px");
    CHECK(x + width <= 640);
    CHECK(width > 560);
  }
}

TEST_CASE("overlay HUD: in a low window the last rows are left out") {
  flamelet::OverlayConfig config = HudGame::in_hud(flamelet::OverlayConfig());
  RecordedGame game(small_game());
  OverlayPlayer player(config, 640, 400);
  player.load_settings("hud_percent=200\n" + eight_pins(), 1);
  for (int i = 0; i < 40; ++i) {
    game.frame();
    player.frames();
  }
  HeadlessImGui::for_each_list([](const ImDrawList& list) {
    for (const ImDrawVert& vertex : list.VtxBuffer) CHECK(vertex.pos.y <= 400);
  });
}
