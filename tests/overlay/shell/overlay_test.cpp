// SPDX-License-Identifier: MIT
//
// The public functions of the overlay: creation, modes, settings, state, and what it draws in degenerate cases.
#include "flamelet/overlay.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "draw/text.h"
#include "flamelet/capture_builder.h"
#include "input/actions.h"
#include "lanes/lanes_page.h"
#include "overlay/built_frame.h"
#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"
#include "shell/overlay_state.h"
#include "support/building.h"
#include "support/counting_allocator.h"
#include "support/recording.h"

using namespace flamelet_tests;
using flamelet::Overlay;
using flamelet::OverlayConfig;
using flamelet::OverlayMode;
using flamelet::OverlayStats;
using flamelet::ui::Speaker;

TEST_CASE("overlay toolbar: of a frame whose GPU work comes later it says so") {
  RecordedGame game(small_game());
  game.frames(20);
  OverlayPlayer player(flamelet::OverlayMode::kActive, 1920);
  player.frames(10);
  const uint64_t known = player.overlay->gpu.newest_frame();
  for (const bool is_known : {true, false}) {
    REQUIRE(flamelet::overlay_select_frames(player.overlay, known + !is_known, known + !is_known));
    player.frames(10);
    CHECK(is_drawn("notknownyet\n") == !is_known);
    CHECK(is_drawn("\nlag") == is_known);
  }
}

TEST_CASE("overlay: of a file whose frames lack events nobody counted, some are lost") {
  recorder_test::Building building;
  building.span(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, 10, building.site("a"));
  building.frame(1, 0, 10, FLAMELET_FRAME_LOSSY);
  DrawnPlayer player;
  player.show(building.finish(), "damaged");
  CHECK(is_drawn("\nsome\n"));
}

TEST_CASE("overlay: what is overwritten during a pause is called that, and other loss is told for the newest frames") {
  RecordedGame::Options options;
  options.budget_bytes = size_t{4} << 20;
  RecordedGame game(options);
  REQUIRE(flamelet_enabled());
  DrawnPlayer player(OverlayMode::kActive);
  const auto play = [&](int rounds, uint32_t frames) {
    for (int i = 0; i < rounds; ++i) {
      game.frames(frames);
      player.frames(20);  // more than a quarter of a second, in which numbers are told anew
    }
  };
  play(3, 5);
  REQUIRE(player.number("lost") == 0);
  REQUIRE(player.number("overwritten_while_paused") == 0);
  SUBCASE("a pause") {
    player.press(TestKey::kSpace);
    REQUIRE(player.state("paused") == "true");
    game.frames(3000);
    player.press(TestKey::kSpace);
    play(2, 5);
    CHECK(player.number("lost") == 0);
    CHECK(player.number("overwritten_while_paused") > 1000);
    recorder_test::Building other;
    other.span(other.lane(FLAMELET_LANE_THREAD, "Main"), 0, 10, other.site("a"));
    player.show(other.finish(), "other", 20);
    CHECK(player.number("overwritten_while_paused") == 0);
    player.show(nullptr, nullptr, 20);
    CHECK(player.number("lost") == 0);
    CHECK(player.number("overwritten_while_paused") > 1000);
  }
  SUBCASE("off") {
    flamelet::overlay_set_mode(player.overlay, OverlayMode::kOff);
    player.frames(3);
    game.frames(3000);
    flamelet::overlay_set_mode(player.overlay, OverlayMode::kHud);
    play(2, 5);
    CHECK(player.number("lost") == 0);
    CHECK(player.number("overwritten_while_paused") > 1000);
  }
  SUBCASE("between two frames") {
    game.frames(3000);
    play(2, 5);
    CHECK(player.number("lost") > 1000);
    CHECK(player.number("overwritten_while_paused") == 0);
    play(70, 5);
    CHECK(player.number("lost") == 0);
  }
}

TEST_CASE(
    "overlay: a capture that a stray event makes decades long is read to its end, and shown where its events are") {
  recorder_test::Building building;
  const uint32_t site = building.site("point");
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "point");
  for (const int64_t at_ns : {int64_t{0}, int64_t{1718000000000000000}, int64_t{1718000000000000020}})
    flamelet_capture_builder_instant(building.builder, lane, at_ns, site, 0, 0);
  flamelet_capture_builder_start_at_zero(building.builder);
  OverlayPlayer player(OverlayMode::kActive);
  player.show(building.finish(), "decades");
  CHECK(player.number("view_begin_ns") >= -1000);
  CHECK(player.number("view_end_ns") <= 1000);
  for (int i = 0; i < 5000 && flamelet::overlay_reading(player.overlay); ++i) player.frames();
  CHECK_FALSE(flamelet::overlay_reading(player.overlay));
}

TEST_CASE("overlay: the window keeps its share of the program's window, which may be minimised meanwhile") {
  DrawnPlayer player(OverlayMode::kActive, 1280, 720);
  const double bars = player.number("bars_width_px");
  const double file = player.number("file_button_x_px");
  const auto resize = [&](float width, float height) {
    ImGui::GetIO().DisplaySize = ImVec2(width, height);
    player.frames(3);
  };
  resize(800, 600);
  CHECK(player.number("file_button_x_px") == file - 480);
  CHECK(player.number("bars_width_px") == bars - 480);
  resize(1, 1);
  resize(0, 0);
  resize(1280, 720);
  CHECK(player.number("file_button_x_px") == file);
  resize(1920, 1080);
  CHECK(player.number("bars_width_px") > bars + 500);
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay: exactly the memory that is required is enough, and one byte less is not") {
  OverlayConfig config;
  config.budget_bytes = flamelet::overlay_memory_required(config);
  REQUIRE(config.budget_bytes != 0);
  recorder_test::CountingAllocator allocator;
  config.allocator = allocator.get();
  Overlay* overlay = nullptr;
  CHECK(flamelet::overlay_create(config, &overlay) == FLAMELET_OK);
  flamelet::overlay_destroy(overlay);
  CHECK(allocator.allocations == 1);
  CHECK(allocator.frees == 1);
  CHECK(allocator.bytes == config.budget_bytes);
  CHECK(allocator.freed_bytes == config.budget_bytes);
  --config.budget_bytes;
  CHECK(flamelet::overlay_create(config, &overlay) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(overlay == nullptr);
  CHECK(allocator.allocations == 1);
}

TEST_CASE("overlay: a quarter of the default budget is left to its own capture, beyond the least that that needs") {
  const OverlayConfig config;
  CHECK(flamelet::overlay_memory_required(config) * 4 <= config.budget_bytes * 3);
}

TEST_CASE("overlay: bad configurations are refused") {
  Overlay* overlay = nullptr;
  const auto result_of = [&](auto change) {
    OverlayConfig config;
    change(config);
    return flamelet::overlay_create(config, &overlay);
  };
  CHECK(result_of([](OverlayConfig& c) { c.max_spans = 0; }) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(result_of([](OverlayConfig& c) { c.max_lanes = 0; }) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(result_of([](OverlayConfig& c) { c.max_frames = UINT32_MAX; }) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(result_of([](OverlayConfig& c) { c.frame_budget_ms = 0; }) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(result_of([](OverlayConfig& c) { c.frame_budget_ms = -NAN; }) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(result_of([](OverlayConfig& c) { c.mode = static_cast<OverlayMode>(9); }) == FLAMELET_ERROR_INVALID_ARGUMENT);
  recorder_test::CountingAllocator allocator;
  allocator.blocks_left = 0;
  CHECK(result_of([&](OverlayConfig& c) { c.allocator = allocator.get(); }) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(overlay == nullptr);
  CHECK(flamelet::overlay_create(OverlayConfig(), nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_FIXTURE(HeadlessImGui, "overlay: every call takes NULL") {
  frame([] {
    flamelet::overlay_show(nullptr);
    flamelet::overlay_window(nullptr, nullptr);
    flamelet::overlay_content(nullptr);
    flamelet::overlay_hud(nullptr);
  });
  flamelet::overlay_destroy(nullptr);
  flamelet::overlay_set_mode(nullptr, OverlayMode::kActive);
  flamelet::overlay_cycle_mode(nullptr);
  flamelet::overlay_set_paused(nullptr, true);
  flamelet::overlay_set_filter(nullptr, "x");
  flamelet::overlay_set_toggle_key(nullptr, 1);
  flamelet::overlay_load_settings(nullptr, "page=table", 10);
  CHECK(flamelet::overlay_mode(nullptr) == OverlayMode::kOff);
  CHECK_FALSE(flamelet::overlay_paused(nullptr));
  CHECK_FALSE(flamelet::overlay_select_frames(nullptr, 0, 0));
  CHECK_FALSE(flamelet::overlay_settings_changed(nullptr));
  CHECK(flamelet::overlay_save_settings(nullptr, nullptr, 0) == 0);
  CHECK(flamelet::overlay_write_state(nullptr, nullptr, 0) == 0);
}

TEST_CASE_FIXTURE(SmallGame<5>, "overlay: the mode key goes through the modes, and off draws nothing") {
  DrawnPlayer player(OverlayMode::kOff);
  CHECK(HeadlessImGui::vertices() == 0);
  CHECK(player.state("frame_bars") == "0");
  for (const char* mode : {"\"hud\"", "\"read-only\"", "\"active\"", "\"off\""}) {
    player.press(TestKey::kF1);
    CHECK(player.state("mode") == mode);
  }
  CHECK(HeadlessImGui::vertices() == 0);
}

TEST_CASE("overlay: without a mode key the program sets the mode") {
  OverlayPlayer player(OverlayMode::kOff);
  flamelet::overlay_set_toggle_key(player.overlay, -1);
  player.press(TestKey::kF1);
  CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kOff);
  flamelet::overlay_cycle_mode(player.overlay);
  CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kHud);
  flamelet::overlay_set_mode(player.overlay, static_cast<OverlayMode>(77));
  CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kOff);
}

TEST_CASE_FIXTURE(SmallGame<20>, "overlay: a read-only overlay leaves the mouse and the keys to the game") {
  OverlayPlayer player(OverlayMode::kReadOnly);
  player.move(640, 200);
  player.click();
  player.press(TestKey::kSpace);
  CHECK_FALSE(ImGui::GetIO().WantCaptureMouse);
  CHECK_FALSE(ImGui::GetIO().WantCaptureKeyboard);
  CHECK(player.state("paused") == "false");
  CHECK(player.state("selected_name") == "null");
  flamelet::overlay_set_mode(player.overlay, OverlayMode::kActive);
  player.frames(3);
  CHECK(ImGui::GetIO().WantCaptureMouse);
  CHECK(ImGui::GetIO().WantCaptureKeyboard);
}

TEST_CASE("overlay: the HUD is small, passes clicks through and shows numbers of the newest frames") {
  RecordedGame game(small_game(), 400);
  DrawnPlayer player(OverlayMode::kHud);
  player.move(1200, 30);
  CHECK_FALSE(ImGui::GetIO().WantCaptureMouse);
  CHECK(HeadlessImGui::commands() <= 2);
  CHECK(HeadlessImGui::vertices() <= 1500);
  CHECK(HeadlessImGui::vertices() > 200);
}

TEST_CASE("overlay: no recorder, no frames, one frame and no scopes are drawn") {
  for (const bool recorder : {false, true}) {
    for (const int frames : {0, 1, 2}) {
      CAPTURE(recorder);
      CAPTURE(frames);
      std::unique_ptr<RecordedGame> game;
      if (recorder) game = std::make_unique<RecordedGame>(small_game());
      if (game != nullptr)
        for (int i = 0; i < frames; ++i) game->frame();
      OverlayPlayer player;
      for (const char key : {'0', 'f', '.', ',', 'w', 's', 'a', 'd', 'v'}) player.type(key);
      for (const TestKey key : {TestKey::kLeft, TestKey::kRight, TestKey::kTab, TestKey::kSpace, TestKey::kBackspace})
        player.press(key);
      player.move(640, 200);
      player.wheel(3);
      player.drag(300, 200, 500, 210);
      player.drag(300, 50, 900, 50);
      player.filter("a", 3);
      CHECK(HeadlessImGui::vertices_sane());
    }
  }
}

TEST_CASE_FIXTURE(SmallGame<50>, "overlay: windows of any size are drawn") {
  for (const float width : {1.0f, 40.0f, 200.0f, 640.0f, 5000.0f}) {
    for (const float height : {1.0f, 30.0f, 90.0f, 3000.0f}) {
      DrawnPlayer player(OverlayMode::kActive, width, height);
      player.move(width / 2, height / 2);
      player.wheel(1);
      REQUIRE(HeadlessImGui::vertices_sane());
    }
  }
}

TEST_CASE_FIXTURE(SmallGame<30>, "overlay: content and menu item work in a window of the program") {
  OverlayPlayer player(OverlayMode::kOff);
  bool open = true;
  for (int i = 0; i < 4; ++i) {
    player.gui.frame([&] {
      ImGui::SetNextWindowSize(ImVec2(900, 500));
      ImGui::Begin("mine");
      flamelet::overlay_content(player.overlay);
      ImGui::End();
      flamelet::overlay_hud(player.overlay);
      flamelet::overlay_window(player.overlay, &open);
    });
  }
  CHECK(open);
  CHECK(player.number("frame_bars") > 20);
  CHECK(player.number("zones_in_view") > 0);
}

TEST_CASE("overlay: settings survive a round trip, and nonsense changes nothing") {
  Overlay* first = nullptr;
  Overlay* second = nullptr;
  REQUIRE(flamelet::overlay_create(OverlayConfig(), &first) == FLAMELET_OK);
  REQUIRE(flamelet::overlay_create(OverlayConfig(), &second) == FLAMELET_OK);
  const std::string wanted[] = {"toggle_key=77\n",   "budget_ns=8333333\n", "bar_px=9\n",
                                "hide_empty=1\n",    "show_details=0\n",    "why_always=1\n",
                                "critical_path=1\n", "pause_on_hitch=1\n",  "page=table\n"};
  for (const std::string& line : wanted) flamelet::overlay_load_settings(first, line.data(), line.size());
  const auto save = [](const Overlay* overlay) {
    std::string text(flamelet::overlay_save_settings(overlay, nullptr, 0), '\0');
    CHECK(flamelet::overlay_save_settings(overlay, text.data(), text.size() + 1) == text.size());
    return text;
  };
  for (const std::string& line : wanted) CHECK(save(first).find(line) != std::string::npos);
  CHECK(flamelet::overlay_toggle_key(first) == 77);
  flamelet::overlay_load_settings(first, "pause_on_kept=0", 15);  // an old name
  CHECK(save(first).find("pause_on_hitch=0\n") != std::string::npos);

  OverlayConfig odd;
  odd.frame_budget_ms = 5000;
  odd.save_seconds = 0.0001;
  Overlay* third = nullptr;
  REQUIRE(flamelet::overlay_create(odd, &third) == FLAMELET_OK);
  const std::string of_third = save(third);
  CHECK(flamelet::overlay_load_settings(third, of_third.data(), of_third.size()));
  flamelet::overlay_destroy(third);

  const std::string before = save(second);
  const std::string nonsense =
      "page=7\npage=\nbar_px=0\nbar_px=\nbudget_ns=-5\nbudget_ns=12x\nhide_empty=2\n=\n\nunknown=1\ntoggle_key="
      "99999999999999\n"
      "show_details";
  flamelet::overlay_load_settings(second, nonsense.data(), nonsense.size());
  CHECK(save(second) == before);
  flamelet::overlay_load_settings(second, "page=table\r\nbar_px=3", 20);
  CHECK(save(second).find("bar_px=3\n") != std::string::npos);
  CHECK(save(second).find("page=table\n") != std::string::npos);

  char small[8] = "xxxxxxx";
  CHECK(flamelet::overlay_save_settings(first, small, sizeof small) == save(first).size());
  CHECK(small[0] == 0);
  flamelet::overlay_destroy(first);
  flamelet::overlay_destroy(second);
}

TEST_CASE("overlay: names that are formats, ids, lines or bytes are only names") {
  const recorder_test::Recording recording(flamelet_config_default());
  const char* names[] = {"%s%n%d", "##id", "a###b", "two\nlines", "\x01\xFF\x80", "\"quoted\\\"", ""};
  for (int frame = 0; frame < 4; ++frame) {
    const flamelet_id outer = flamelet_begin("outer", nullptr, nullptr);
    for (const char* name : names) {
      const flamelet_id id = flamelet_begin(name, name, flamelet_intern(name));
      for (const uint64_t until = flamelet_now_ticks() + 20000; flamelet_now_ticks() < until;) continue;
      flamelet_end(id);
    }
    flamelet_end(outer);
    flamelet_frame();
  }
  OverlayPlayer player;
  player.filter("%s%n", 3);
  for (float y = 100; y < 200; y += 8)
    for (float x = 150; x < 1250; x += 60) player.move(x, y);
  CHECK(HeadlessImGui::vertices_sane());
  CHECK(player.state("filter") == "\"%s%n\"");
}

TEST_CASE_FIXTURE(SmallGame<20>, "overlay: a game selects frames and the longest scope of a name") {
  OverlayPlayer player;
  CHECK_FALSE(flamelet::overlay_select_scope(player.overlay, "Physics::step"));  // nothing was shown yet
  player.frames(2);
  CHECK_FALSE(flamelet::overlay_select_frames(player.overlay, 10, 1000));
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 10, 12));
  CHECK_FALSE(flamelet::overlay_select_scope(player.overlay, "no such scope"));
  REQUIRE(player.select_scope("Physics::step", 2));
  CHECK(flamelet::overlay_paused(player.overlay));
  CHECK(player.state("selected_name") == "\"Physics::step\"");
  CHECK(player.state("first_frame") == "10");
  CHECK(player.number("selected_begin_ns") >= player.number("view_begin_ns"));
  CHECK(player.number("selected_end_ns") <= player.number("view_end_ns"));
}

TEST_CASE_FIXTURE(SmallGame<4>, "overlay: a selected scope that does not run in the shown frames says so") {
  flamelet_end(flamelet_begin("once", "test", nullptr));
  frames(6);
  DrawnPlayer player;
  REQUIRE(flamelet::overlay_select_frames(player.overlay, 3, 4));
  REQUIRE(player.select_scope("once", 2));
  REQUIRE(player.select_frames(7, 8));
  CHECK(player.state("selected_name") == "\"once\"");
  CHECK(HeadlessImGui::vertices_sane());
}

TEST_CASE("overlay: Enter selects the longest scope in view, and stays at the frame, also where that began before it") {
  recorder_test::Building building;
  const uint32_t lane =
      flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string("Main"), false);
  building.span(lane, 5000000, 58000000, building.site("Simulate"));
  building.frame(1, 0, 10000000, lane);
  building.frame(2, 10000000, 60000000, lane);
  DrawnPlayer player;
  player.show(building.finish(), "two frames");
  REQUIRE(player.select_frames(2, 2));
  const std::string begin = player.state("view_begin_ns"), end = player.state("view_end_ns");
  player.press(TestKey::kEnter);
  CHECK(player.state("selected_name") == "\"Simulate\"");
  CHECK(player.state("first_frame") == "2");
  CHECK(player.state("view_begin_ns") == begin);
  CHECK(player.state("view_end_ns") == end);
}

TEST_CASE_FIXTURE(SmallGame<8>, "overlay: in a running game, the details say of which frame their figures are") {
  DrawnPlayer player;
  REQUIRE(player.select_scope("Physics::step", 2));
  player.press(TestKey::kSpace);
  player.frames(20);
  REQUIRE(player.state("paused") == "false");
  for (int i = 0; i < 10; ++i) {
    frames(1);
    player.frames(3);
    const flamelet::ui::FrameRange of = player.overlay->statistics.row_frames();
    CHECK(is_drawn("\nin#" + std::to_string(of.first) + "\n"));
    CHECK(static_cast<double>(of.last) == player.number("last_frame"));
  }
}

TEST_CASE_FIXTURE(OverlayPlayer, "overlay: a restarted recorder starts the overlay anew") {
  {
    RecordedGame game(small_game(), 40);
    frames(3);
    move(640, 110);
    click();
    CHECK(state("selected_name") == "\"Frame\"");
  }
  frames(3);  // what it has stays readable
  CHECK(number("zones_in_view") > 0);
  RecordedGame::Options other = small_game();
  other.seed = 9;
  RecordedGame game(other, 10);
  press(TestKey::kSpace);
  frames(10);
  CHECK(state("selected_name") == "null");
  CHECK(number("last_frame") < 12);
}

// ---- Json ---------------------------------------------------------------------------------------------------------

namespace overlay_json_test {

TEST_CASE("overlay JSON: a text is valid JSON and UTF-8, and what is no text is U+FFFD") {
  const struct {
    std::string text, json;
  } kCases[] = {{"plain", "plain"},
                {"\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x8E\xAE", "\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x8E\xAE"},
                {"a\xFF"
                 "b",
                 "a\xEF\xBF\xBD"
                 "b"},
                {"\xE9t\xE9", "\xEF\xBF\xBDt\xEF\xBF\xBD"},        // Latin-1
                {"cut \xE6\x97", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},  // before its end
                {"\xC0\xAF \xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                {"\"quoted\\\"\n\x01\x7F", "\\\"quoted\\\\\\\"\\u000a\\u0001\\u007f"},
                {"left\xE2\x80\xAEright", "left\\u202eright"}};
  for (const auto& each : kCases) {
    CAPTURE(each.json);
    flamelet::ui::FixedText<256> text;
    flamelet::ui::JsonObject json(&text, " ");
    json.add("text", std::string_view(each.text));
    json.close();
    CHECK(std::string(text.view()) == "{\"text\": \"" + each.json + "\"}");
  }
}

TEST_CASE("overlay JSON: a number is valid JSON, also of years of nanoseconds") {
  flamelet::ui::FixedText<256> text;
  flamelet::ui::JsonObject json(&text, " ");
  json.add_number("ms", 1.5);
  json.add_number("year", 31536000e9);
  json.add_number("before", -2e16);
  json.add_number("far", 1e30);
  json.add_number("nothing", NAN);
  json.close();
  CHECK(std::string(text.view()) ==
        "{\"ms\": 1.500, \"year\": 31536000000000000, \"before\": -20000000000000000, "
        "\"far\": 9000000000000000000, \"nothing\": null}");
}

}  // namespace overlay_json_test

// ---- The line below the toolbar that says what came of something --------------------------------------------------

TEST_CASE("status line: what one says takes the place of what another said, and each takes back only its own") {
  flamelet::ui::StatusLine line;
  CHECK(line.text().empty());
  line.say(Speaker::kFiles, true).add("Not saved");
  CHECK(line.text() == "Not saved");
  CHECK(line.is_bad());
  line.say(Speaker::kCompare).add("A is frame 7");
  CHECK(line.text() == "A is frame 7");
  CHECK(!line.is_bad());
  line.take_back(Speaker::kFiles);
  CHECK(line.text() == "A is frame 7");
  line.take_back(Speaker::kCompare);
  CHECK(line.text().empty());
  CHECK(!line.is_of(Speaker::kCompare));
}

TEST_CASE("status line: over a running game it stands at the bottom until it is closed, and moves nothing") {
  DrawnPlayer player;
  const double top = player.number("canvas_top_px"), bars_top = player.number("bars_top_px");
  player.overlay->status.say(Speaker::kHitches).add("one hitch was kept");
  player.frames(2);
  CHECK(player.state("file_notice") == "\"one hitch was kept\"");
  CHECK(player.number("canvas_top_px") == top);
  CHECK(player.number("bars_top_px") == bars_top);
  CHECK(player.number("close_status_y_px") > player.number("window_height_px") - 30);
  player.move_to("close_status");
  player.click();
  player.frames(2);
  CHECK(player.state("file_notice") == "\"\"");
  CHECK(player.number("canvas_top_px") == top);
}

// ---- All of the overlay at once, as flamelet_overlay_bench measures it ("everything") -----------------------------

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

TEST_CASE("overlay: a capture of nothing says so, and not how to make frames of its scopes") {
  recorder_test::Building building;
  DrawnPlayer player;
  player.show(building.finish(), "empty");
  const std::string all = all_drawn_text();
  CHECK(all.find("nothingwasrecorded\n") != std::string::npos);
  CHECK(all.find("frames-of") == std::string::npos);
}

TEST_CASE("overlay: frames without any event are shown where they are") {
  recorder_test::Building building;
  for (uint64_t i = 1; i <= 3; ++i)
    building.frame(i, static_cast<int64_t>(i) * 16000000, static_cast<int64_t>(i + 1) * 16000000);
  DrawnPlayer player;
  player.show(building.finish(), "frames");
  REQUIRE(player.select_frames(2, 2));
  CHECK(player.number("view_begin_ns") == 32000000);
  CHECK(player.number("view_end_ns") == 48000000);
  CHECK(is_drawn("3frames,48.00ms"));
  CHECK(is_drawn("noscopeshere"));
  CHECK_FALSE(is_drawn("nothingwasrecorded"));
}

TEST_CASE("overlay: a scope that is selected comes into sight") {
  recorder_test::Building building;
  const uint32_t site = building.site("Draw"), other = building.site("Job"), last = building.site("Wait");
  for (int i = 0; i < 20; ++i) {
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "T" + std::to_string(i));
    building.begin(lane, 0, i == 0 ? site : i == 19 ? last : other);
    building.end(lane, 100);
  }
  building.frame(1, 0, 1000);
  DrawnPlayer player;
  player.load_settings("text_percent=300\n", 4);
  player.show(building.finish(), "many lanes");
  const auto in_sight = [&] {
    player.frames(3);
    const flamelet::ui::LaneCanvas& canvas = flamelet::ui::lanes_of(*player.overlay).canvas;
    const flamelet::ui::SelectedSpan& span = player.overlay->selection.span;
    const float y = canvas.y + flamelet::ui::find_lane(*player.overlay, span.lane_kind, span.lane_id)->y;
    return y >= canvas.top && y < canvas.bottom;
  };
  REQUIRE(player.select_scope("Wait"));
  CHECK(in_sight());
  flamelet::overlay_select_scope(player.overlay, "Draw");
  CHECK(in_sight());
}

TEST_CASE("overlay: where all lanes are hidden, it says so, and which key shows them") {
  recorder_test::Building building;
  building.span(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, 900, building.site("Draw"));
  building.frame(1, 0, 1000);
  DrawnPlayer player;
  player.show(building.finish(), "one lane");
  CHECK_FALSE(is_drawn("hidden"));
  flamelet::ui::LaneChoices& choices = player.overlay->lane_choices;
  choices.of("Main")->hidden = true;
  choices.arrange(&player.overlay->store.lanes());
  player.frames(2);
  CHECK(is_drawn("theonlylaneishidden:Zshowsit\n"));
  choices.show_all();
  choices.arrange(&player.overlay->store.lanes());
  player.frames(2);
  CHECK_FALSE(is_drawn("hidden"));
}

TEST_CASE_FIXTURE(recorder_test::TickingRecording, "overlay: frames without scopes say what is true of them") {
  for (int frame = 0; frame < 9; ++frame) {
    if (frame == 6) flamelet_instant("door opens", "", nullptr);
    flamelet_frame();
  }
  DrawnPlayer player;
  REQUIRE(player.select_frames(2, 2));
  CHECK(is_drawn("noscopeshere\n"));
  REQUIRE(player.select_frames(6, 6));
  CHECK(is_drawn("noscopeshere,onlymessages\n"));
  CHECK_FALSE(is_drawn("nothingwasrecorded"));
  for (const char* category : {"physics", static_cast<const char*>(nullptr)}) {
    REQUIRE(flamelet_category_set_enabled(category, false) == FLAMELET_OK);
    flamelet_frame();
    flamelet::overlay_set_paused(player.overlay, false);
    player.frames(30);
    REQUIRE(player.select_frames(2, 2));
    CHECK(is_drawn(category != nullptr ? "noscopeshere;off,foratimeoralways:physics\n"
                                       : "noscopeshere;categorieswereoff,foratimeoralways\n"));
    REQUIRE(flamelet_category_set_enabled(category, true) == FLAMELET_OK);
  }
}
