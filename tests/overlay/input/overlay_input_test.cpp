// SPDX-License-Identifier: MIT
//
// The overlay under the mouse, through ImGui's own input, on frames of the real recorder.
#include <doctest/doctest.h>

#include "input/actions.h"
#include "lanes/lanes_page.h"
#include "overlay/drawn_text.h"
#include "overlay/gesture_scene.h"
#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace flamelet_tests;
using flamelet::OverlayMode;

TEST_CASE_FIXTURE(PlayedFrames<20>, "overlay input: the arrows step through the frames, paused, and stop at the ends") {
  player.move(x(0.5), row(10));
  const double newest = player.number("last_frame");
  player.press(TestKey::kLeft);
  CHECK(player.state("paused") == "true");
  CHECK(player.number("last_frame") == newest - 1);
  player.press(TestKey::kLeft);
  CHECK(player.number("last_frame") == newest - 2);
  player.press(TestKey::kRight);
  CHECK(player.number("last_frame") == newest - 1);
  CHECK(player.state("fitted") == "true");
  for (int i = 0; i < 40; ++i) player.press(TestKey::kLeft);
  CHECK(player.number("last_frame") <= 1);
  CHECK(player.number("zones_in_view") > 0);
}

TEST_CASE_FIXTURE(recorder_test::Building, "overlay input: the arrows step over frames that were overwritten") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "Main"), step = site("step");
  int64_t at_ns = 0;
  for (const uint64_t index : {uint64_t{1}, uint64_t{2}, uint64_t{1} << 40, (uint64_t{1} << 40) + 1}) {
    begin(thread, at_ns, step);
    end(thread, at_ns + 5000000);
    frame(index, at_ns, at_ns + 5000000);
    at_ns += 20000000;
  }
  finish();
  DrawnPlayer player;
  player.show(capture, "with a gap");
  REQUIRE(player.select_frames(2, 2));
  player.press(TestKey::kRight);
  CHECK(player.state("first_frame") == "1099511627776");
  player.press(TestKey::kLeft);
  CHECK(player.state("first_frame") == "2");
  flamelet::ui::extend_frames(*player.overlay, *player.overlay, 1);
  CHECK(player.state("last_frame") == "1099511627776");
  flamelet::ui::extend_frames(*player.overlay, *player.overlay, -1);
  CHECK(player.state("last_frame") == "2");
  // Nor does one count from the one to the other.
  REQUIRE(player.select_scope("step"));
  for (const char* history : {"page=scope\nscope_history=1\n", "scope_history=0\n"}) player.load_settings(history, 20);
}

TEST_CASE_FIXTURE(PlayedFrames<20>,
                  "overlay input: a drag ends with the button, also where its page or mode does not see it") {
  player.gui.mouse(x(0.3), row(3));
  player.gui.button(1, true);
  player.frames();
  player.load_settings("page=table\n", 1);
  player.gui.button(1, false);
  player.frames();
  player.load_settings("page=lanes\n");
  CHECK_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  player.move(bar(8), bars_y());
  player.gui.button(0, true);
  player.frames();
  const auto mode = [&](OverlayMode wanted) {
    flamelet::overlay_set_mode(player.overlay, wanted);
    player.frames(2);
  };
  mode(OverlayMode::kHud);
  player.gui.button(0, false);
  player.frames();
  mode(OverlayMode::kActive);
  player.move(bar(2), bars_y());
  player.move(x(0.3), row(3));
  CHECK(player.state("first_frame") == player.state("last_frame"));
}

TEST_CASE_FIXTURE(Played, "overlay input: a zoom keeps its place in the frame while stepping and following") {
  player.move(x(0.25), row(3));
  player.wheel(4);
  player.press(TestKey::kSpace);
  const double length = view_ns();
  const double before = player.number("view_begin_ns");
  player.press(TestKey::kLeft);
  CHECK(view_ns() == doctest::Approx(length));
  CHECK(player.number("view_begin_ns") < before);
  player.press(TestKey::kSpace);
  game.frames(20);
  player.frames(10);
  CHECK(view_ns() == doctest::Approx(length));
  CHECK(player.number("view_begin_ns") > before);
}

TEST_CASE_FIXTURE(Played, "overlay input: a zoom into a paused frame ends with the pause") {
  player.move(x(0.25), row(3));
  player.press(TestKey::kSpace);
  player.wheel(8);
  CHECK(player.state("fitted") == "false");
  player.press(TestKey::kSpace);
  game.frames(20);
  player.frames(10);
  CHECK(player.state("fitted") == "true");
}

TEST_CASE_FIXTURE(Played, "overlay input: the wheel zooms at the cursor") {
  player.move(x(0.4), row(2));
  player.press(TestKey::kSpace);
  const float at = x(0.4);
  const double under = time_at(at);
  const double length = view_ns();
  for (int i = 0; i < 5; ++i) player.wheel(1);
  CHECK(view_ns() == doctest::Approx(length / 3.0517578125));  // 1.25 ^ 5
  CHECK(time_at(at) == doctest::Approx(under).epsilon(1e-9));
  for (int i = 0; i < 5; ++i) player.wheel(-1);
  CHECK(view_ns() == doctest::Approx(length));
  player.gui.shift(true);
  player.wheel(1);
  CHECK(view_ns() < length / 1.5);
  player.gui.shift(false);
}

TEST_CASE_FIXTURE(Played, "overlay input: a right drag pans by what the mouse moved, and Backspace goes back") {
  player.move(x(0.5), row(2));
  player.press(TestKey::kSpace);
  player.wheel(4);
  const double begin = player.number("view_begin_ns");
  const double per_px = view_ns() / player.number("canvas_width_px");
  player.drag(x(0.5), row(2), x(0.5) - 100, row(2), 1);
  CHECK(player.number("view_begin_ns") == doctest::Approx(begin + 100 * per_px));
  CHECK(player.state("selected_name") == "null");
  player.press(TestKey::kBackspace);
  CHECK(player.number("view_begin_ns") == doctest::Approx(begin));
}

TEST_CASE_FIXTURE(Played, "overlay input: a click selects the scope under the mouse and stops the view") {
  player.move(x(0.25), row(1));
  CHECK(player.state("hovered_name") == "\"World::update\"");
  player.click();
  CHECK(player.state("selected_name") == "\"World::update\"");
  CHECK(player.state("paused") == "true");
  CHECK(player.number("selected_end_ns") > player.number("selected_begin_ns"));
  player.settle();
  player.move(x(0.5), row(14));
  player.click();
  CHECK(player.state("selected_name") == "null");
}

TEST_CASE_FIXTURE(Played, "overlay input: a double click zooms to the scope, beside one it shows the whole frame") {
  player.move(x(0.25), row(1));
  const double frame_ns = view_ns();
  player.double_click();
  const double scope_ns = player.number("selected_end_ns") - player.number("selected_begin_ns");
  CHECK(view_ns() < frame_ns);
  CHECK(view_ns() == doctest::Approx(scope_ns * 1.16).epsilon(0.01));
  CHECK(player.number("view_begin_ns") < player.number("selected_begin_ns"));
  CHECK(player.number("view_end_ns") > player.number("selected_end_ns"));
  player.settle();
  player.move(x(0.5), row(14));
  player.double_click();
  CHECK(player.state("fitted") == "true");
  CHECK(view_ns() == doctest::Approx(frame_ns));
}

TEST_CASE_FIXTURE(Played, "overlay input: hovering the bars previews a frame and leaves no trace") {
  const std::string kept = player.state("last_frame");
  player.move(bar(20), bars_y());
  CHECK(player.state("previewing") == "true");
  CHECK(player.state("last_frame") != kept);
  player.move(x(0.5), row(14));
  CHECK(player.state("previewing") == "false");
  CHECK(player.state("last_frame") == kept);
  CHECK(player.state("paused") == "false");
}

TEST_CASE("overlay input: lanes are as tall after a look at a frame of deeper scopes as before it") {
  const recorder_test::TickingRecording recording;
  for (int frame = 0; frame < 40; ++frame) {
    flamelet_id open[6];
    const int depth = frame == 20 ? 6 : 2;
    for (int i = 0; i < depth; ++i) {
      open[i] = flamelet_begin("Scope", "", nullptr);
      for (int reading = 0; reading < 500; ++reading) flamelet_now_ticks();
    }
    for (int i = depth; i-- > 0;) flamelet_end(open[i]);
    flamelet_frame();
  }
  DrawnPlayer player;
  REQUIRE(player.select_frames(39, 39));
  const double height = player.number("height_px");
  const auto& history = player.overlay->history;
  player.move(history.x + history.bars[20].x0 + 2, history.y + 20);
  REQUIRE(player.number("first_frame") == 20);
  CHECK(player.number("height_px") > height);
  player.move(1, 1);
  CHECK(player.number("first_frame") == 39);
  CHECK(player.number("height_px") == height);
}

TEST_CASE("overlay input: with a filter, too, a click takes what stood there, and not what has just come there") {
  const recorder_test::Recording recording(recorder_test::with_thread_clock(flamelet_config_default(), 1000));
  DrawnPlayer player;
  player.filter("frame");
  for (int frame = 0; frame < 12; ++frame) {
    player.gui.button(0, frame > 1);
    player.frames();
    const flamelet_id id = flamelet_begin(frame % 2 == 0 ? "even frame" : "odd frame", "", nullptr);
    thread_now_ns += 20000;
    flamelet_end(id);
    flamelet_frame();
    player.frames(frame);
    if (frame == 1) player.move(700, static_cast<float>(player.number("canvas_top_px")) + 10);
    const std::string there = player.state("hovered_name");
    player.gui.button(0, false);
    player.frames();
    if (frame > 1) CHECK(there != "null");
    if (frame > 1) CHECK(player.state("selected_name") == there);
    flamelet::overlay_set_paused(player.overlay, false);
    player.frames(30);
  }
}

TEST_CASE("overlay input: the overview moves the bars, and a frame that is chosen elsewhere comes into sight") {
  CHECK(Played(60).player.state("overview_x_px") == "(no such field)");  // all fit
  Played p(1000);
  auto& history = p.player.overlay->history;
  const auto in_sight = [&](uint64_t frame) {
    return flamelet::ui::find_sum(history.sums, frame) != history.sums.count;
  };
  const float x = static_cast<float>(p.player.number("overview_x_px"));
  const float y = static_cast<float>(p.player.number("overview_y_px")) + 4;
  const float width = static_cast<float>(p.player.number("overview_width_px"));
  REQUIRE(width > 500);
  CHECK(in_sight(999));
  p.player.move(x + width * 0.5f, y);
  p.player.click();
  CHECK(in_sight(500));
  CHECK(!in_sight(999));
  p.player.drag(x + width * 0.5f, y, x + 1, y);
  CHECK(in_sight(0));
  p.player.drag(x + 1, y, x + width - 1, y);
  CHECK(in_sight(999));
  // Of two frames each, wherever the pairs begin.
  history.shift = 1;
  for (const uint64_t scroll : {10u, 11u}) {
    history.scroll = scroll;
    p.player.frames();
    CHECK(history.bars.count == history.sums.count);
  }
  history.shift = 0;
  history.scroll = 0;
  CHECK(p.player.number("bars_scroll") == 0);
  CHECK(p.player.state("paused") == "false");

  p.player.move(1, 1);
  REQUIRE(p.player.select_frames(300, 300));
  CHECK(in_sight(300));
  flamelet::ui::scroll_bars(*p.player.overlay, 400);  // what the user does then stays
  p.player.frames(3);
  CHECK(!in_sight(300));
}

TEST_CASE("overlay input: what is said of a capture without frames is not about frames") {
  recorder_test::Building building;
  for (const char* name : {"worker 0", "worker 1"}) {
    const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, name);
    building.begin(lane, 1000, building.site("job"));
    building.end(lane, 2000);
    building.begin(lane, 3000, building.site("rest"));
    building.end(lane, 10000);
  }
  OverlayPlayer player;
  player.show(building.finish(), "foreign", 5);
  REQUIRE(player.select_scope("job", 20));
  const std::string said = all_drawn_text();
  // Two lanes have it: the command wants one of them.
  CHECK(said.find("--frames-of'worker0:job'") != std::string::npos);
  CHECK(said.find("ofthecapture") != std::string::npos);
  CHECK(said.find("inthecapture") != std::string::npos);
  CHECK(said.find("offrame") == std::string::npos);
  CHECK(said.find("inshownframes") == std::string::npos);
  player.overlay->selection.select_scope(player.overlay->selection.scope.part());
  player.frames(3);
  CHECK(is_drawn("--frames-of'worker0:job'"));
  player.open_page("frames");
  player.frames(3);
  CHECK(is_drawn("noframes:flameletview--frames-ofNAME"));
}

TEST_CASE("overlay input: a key that can do nothing in a viewer says so, and ? leaves out those that are not read") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
  building.begin(lane, 1000, building.site("tick"));
  building.end(lane, 9000);
  building.frame(1, 0, 10000);
  flamelet::OverlayConfig config;
  config.capture = building.finish();
  OverlayPlayer player(config);
  const auto frames = [&](int count) {
    for (int i = 0; i < count; ++i)
      player.gui.frame([&] {
        ImGui::SetNextWindowPos(ImVec2(0, 0));
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("viewer", nullptr, ImGuiWindowFlags_NoDecoration);
        flamelet::overlay_content(player.overlay);
        ImGui::End();
      });
  };
  flamelet::overlay_show_capture(player.overlay, config.capture, "file");
  frames(5);
  const auto type = [&](const flamelet::ui::Chord& chord) {
    player.overlay->status.clear();
    flamelet_tests::set_chord(chord, true);
    frames(1);
    flamelet_tests::set_chord(chord, false);
    frames(2);
    return std::string(player.overlay->status.text());
  };
  using flamelet::ui::Key;
  using flamelet::ui::key_of;
  CHECK(type({Key::kSpace}).find("nothing to pause") != std::string::npos);
  CHECK(type({key_of('x')}).find("no HUD") != std::string::npos);
  flamelet_tests::set_chord({Key::kEscape}, true);
  frames(1);
  flamelet_tests::set_chord({Key::kEscape}, false);
  frames(2);
  CHECK(player.overlay->status.text() == "");
  CHECK(type({key_of('y')}).find("the program's") != std::string::npos);
  CHECK(type({Key::kLeft, flamelet::ui::kShift}).find("no frame before this one") != std::string::npos);
  CHECK(type({key_of('k')}) == "");
  for (uint32_t i = 0; i < flamelet::ui::kSettingCount; ++i)
    if (std::string("place") == flamelet::ui::kSettingTable[i].name)
      CHECK_FALSE(flamelet::ui::kSettingTable[i].offered(*player.overlay));
  type({Key::kQuestion});
  frames(3);
  const std::string help = all_drawn_text();
  CHECK(help.find("wholeframe") != std::string::npos);
  CHECK(help.find("savethelastseconds") == std::string::npos);
  CHECK(help.find("off,HUD,read-only,active") == std::string::npos);
}

TEST_CASE("overlay input: without hitches their keys go from one frame over the budget to the next") {
  recorder_test::Building building;
  int64_t now_ns = 0;
  const auto frame = [&](uint64_t index, int64_t ms, uint32_t flags = 0) {
    building.frame(index, now_ns, now_ns + ms * 1000000, flags);
    now_ns += ms * 1000000;
  };
  frame(0, 500, FLAMELET_FRAME_PARTIAL);  // before the first mark: no frame of the game
  for (const int64_t ms : {10, 30, 10, 10, 17, 16, 60, 10}) frame(static_cast<uint64_t>(now_ns / 1000), ms);
  OverlayPlayer player;
  player.show(building.finish(), "file");
  flamelet_frame_info info;
  const auto shows = [&](size_t position) {
    flamelet_capture_frame(building.capture, position, &info);
    return player.number("first_frame") == static_cast<double>(info.index);
  };
  const auto press = [&](flamelet::ui::Key key) { return press_chord(&player, {key, flamelet::ui::kShift}); };
  REQUIRE(shows(7));  // the longest
  CHECK(player.overlay->status.text() == "");
  for (const size_t position : {5u, 2u, 2u}) {
    if (!press(flamelet::ui::Key::kLeft)) return;  // an ImGui without such keys
    CHECK(shows(position));
  }
  CHECK(player.overlay->status.text() == "no frame before this one is over the budget");
  for (const size_t position : {5u, 7u, 7u}) {
    press(flamelet::ui::Key::kRight);
    CHECK(shows(position));
  }
  CHECK(player.overlay->status.text() == "no frame after this one is over the budget");
}

TEST_CASE(
    "overlay input: of a file with more frames than there is room for, it is said that the older ones do not count") {
  recorder_test::Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "main");
  for (int64_t i = 0; i < 400; ++i) {
    building.begin(lane, i * 10000 + 10, building.site("tick"));
    building.end(lane, i * 10000 + 9000);
    building.frame(static_cast<uint64_t>(i), i * 10000, (i + 1) * 10000);
  }
  const flamelet_capture* capture = building.finish();
  flamelet::OverlayConfig config = active_overlay();
  for (const bool room : {false, true}) {
    config.max_frames = room ? 4096 : 64;
    OverlayPlayer player(config);
    flamelet::overlay_show_capture(player.overlay, capture, "file");
    REQUIRE(player.select_frames(3, 3));
    REQUIRE(flamelet::overlay_select_scope(player.overlay, "tick"));
    player.open_page("scope");
    player.frames(60);
    const std::string said = all_drawn_text();
    CHECK((said.find("ofthenewest300") != std::string::npos) == !room);
    CHECK((said.find("of400frames") != std::string::npos) == room);
    CHECK((said.find("olderframesnotcounted") != std::string::npos) == !room);
  }
}

TEST_CASE_FIXTURE(recorder_test::Building, "overlay input: time between frames is no part of them") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "main");
  for (const int64_t begin_ns : {0, 20000000}) {
    begin(thread, begin_ns, site("tick"));
    end(thread, begin_ns == 0 ? 8000000 : 36000000);
  }
  frame(1, 0, 16000000);
  frame(2, 20000000, 36000000);
  OverlayPlayer player;
  flamelet::overlay_show_capture(player.overlay, finish(), "foreign");
  REQUIRE(player.select_frames(1, 2));
  REQUIRE(flamelet::overlay_select_scope(player.overlay, "tick"));  // the longer one
  player.frames(10);
  const std::string said = all_drawn_text();
  CHECK(said.find("32.00msin2frames") != std::string::npos);
  CHECK(said.find("50.0%") != std::string::npos);
}

TEST_CASE(
    "overlay input: a capture without frames has its scopes over time in their place, and a hint how to get some") {
  const recorder_test::TickingRecording recording;
  for (int i = 0; i < 2000; ++i) flamelet_end(flamelet_begin("tick", "", nullptr));
  recorder_test::Capture capture(recorder_test::Captured::kNow);
  OverlayPlayer player;
  flamelet::overlay_show_capture(player.overlay, capture, "foreign");
  const flamelet::ui::Activity& activity = player.overlay->activity;
  for (int i = 0; i < 2000 && !activity.slices.full(); ++i) player.frames(1);  // each has little time for it
  REQUIRE(activity.slices.full());
  player.frames(1);
  CHECK(activity.most >= 2);
  const flamelet::ui::LanesPage& lanes = player.overlay->pages.get<flamelet::ui::LanesPage>();
  CHECK(player.number("activity_x_px") == lanes.canvas.x);
  CHECK(player.number("activity_width_px") == lanes.canvas.width);
  CHECK(!flamelet::overlay_reading(player.overlay));
  CHECK(is_drawn("--frames-of'NAME'"));
  player.overlay->selection.clear();
  flamelet::overlay_select_scope(player.overlay, "tick");
  player.frames(3);
  CHECK(is_drawn("--frames-of'tick'"));
  for (int i = 0; i < 8; ++i) player.type('w');
  const double length = player.number("view_end_ns") - player.number("view_begin_ns");
  player.move(static_cast<float>(player.number("activity_x_px") + 0.75 * player.number("activity_width_px")),
              static_cast<float>(player.number("activity_y_px")) + 20);
  player.click();
  CHECK(player.number("view_end_ns") - player.number("view_begin_ns") == doctest::Approx(length));
  const double middle = (player.number("view_end_ns") + player.number("view_begin_ns")) / 2;
  const flamelet::ui::TimeWindow all = activity.window;
  const double share = (middle - static_cast<double>(all.begin_ns)) / static_cast<double>(all.end_ns - all.begin_ns);
  CHECK(share == doctest::Approx(0.75).epsilon(0.02));
}

TEST_CASE("overlay input: a click on a bar keeps its frame, a drag keeps several, in either direction") {
  Played p;
  p.player.move(p.bar(20), p.bars_y());
  const std::string hovered = p.player.state("last_frame");
  p.player.click();
  p.player.move(p.x(0.5), p.row(14));
  CHECK(p.player.state("paused") == "true");
  CHECK(p.player.state("first_frame") == hovered);
  CHECK(p.player.state("last_frame") == hovered);

  p.player.drag(p.bar(30), p.bars_y(), p.bar(21), p.bars_y());
  p.player.move(p.x(0.5), p.row(14));
  const double first = p.player.number("first_frame");
  CHECK(p.player.number("last_frame") == first + 9);
  CHECK(p.player.state("fitted") == "true");
  const double several_ns = p.view_ns();
  p.player.drag(p.bar(21), p.bars_y(), p.bar(30), p.bars_y());
  CHECK(p.player.number("first_frame") == first);
  CHECK(p.player.number("last_frame") == first + 9);
  CHECK(p.view_ns() == doctest::Approx(several_ns));

  // A drag may begin beside the bars, where a click chooses nothing.
  p.player.move(static_cast<float>(p.player.number("bars_left_px")) + 4, p.bars_y());
  p.player.click();
  CHECK(p.player.number("first_frame") == first);
  p.player.drag(static_cast<float>(p.player.number("bars_left_px")) + 4, p.bars_y(), p.bar(30), p.bars_y());
  CHECK(p.player.number("first_frame") < first);
  CHECK(p.player.number("last_frame") == first);
  p.player.drag(p.bar(21), p.bars_y(), p.bar(30), p.bars_y());

  p.player.gui.shift(true);
  p.player.move(p.bar(15), p.bars_y());
  p.player.click();
  p.player.gui.shift(false);
  CHECK(p.player.number("first_frame") == first);
  CHECK(p.player.number("last_frame") == first + 15);
}

TEST_CASE_FIXTURE(PlayedFrames<300>, "overlay input: the bars hold still under the mouse while the game runs on") {
  player.move(bar(20), bars_y());
  const std::string hovered = player.state("last_frame");
  game.frames(25);
  player.frames(15);
  CHECK(player.state("last_frame") == hovered);
  CHECK(player.state("previewing") == "true");
}

TEST_CASE_FIXTURE(Played, "overlay input: a left drag measures, Escape forgets it") {
  const double per_px = view_ns() / player.number("canvas_width_px");
  player.drag(x(0.2), row(14), x(0.2) + 200, row(14));
  CHECK(player.number("measured_ns") == doctest::Approx(200 * per_px).epsilon(0.02));
  CHECK(player.state("selected_name") == "null");
  CHECK(player.state("paused") == "true");
  player.move(x(0.9), row(14));
  player.click();  // closes the menu
  player.settle();
  player.press(TestKey::kEscape);
  CHECK(player.number("measured_ns") == 0);
}

TEST_CASE_FIXTURE(Played, "overlay input: a second click on a label unfolds the lane") {
  const double zones = player.number("zones_in_view");
  player.move(60, row(0));
  player.click();
  CHECK(player.number("zones_in_view") < zones);
  player.settle();
  player.click();
  player.settle();
  CHECK(player.number("zones_in_view") == zones);
}

TEST_CASE_FIXTURE(Played, "overlay input: the label of a lane has a tooltip with its whole name") {
  player.move(x(0.5), row(14));
  CHECK(HeadlessImGui::drawn("##Tooltip").windows == 0);
  player.move(60, row(0));
  player.frames(2);
  CHECK(HeadlessImGui::drawn("##Tooltip").windows == 1);
}

TEST_CASE_FIXTURE(Played, "overlay input: the table is a click away, and a row selects its scope") {
  player.open_page("table");
  player.frames(20);
  CHECK(player.state("page") == "\"table\"");
  CHECK(player.number("table_rows") > 15);
  CHECK_FALSE(is_drawn("inview\n"));  // that is of the lanes
  player.move(300, static_cast<float>(player.number("bars_top_px")) + 95);
  player.click();
  CHECK(player.state("scope_name") != "null");
}

TEST_CASE("overlay input: a double click on a row of the table goes to its longest call in the shown frames") {
  Played p;
  for (const uint64_t frame : {10u, 20u, 30u}) {
    REQUIRE(p.player.select_frames(frame, frame));
    p.player.open_page("table");
    p.player.frames(20);
    p.player.settle();
    p.player.move(300, static_cast<float>(p.player.number("bars_top_px")) + 95);
    p.player.double_click();
    CHECK(p.player.state("page") == "\"lanes\"");
    CHECK(p.player.state("selected_name") != "null");
    CHECK(p.player.number("first_frame") == static_cast<double>(frame));
    CHECK(is_drawn("inview\n"));
  }
}

TEST_CASE_FIXTURE(Played, "overlay input: the settings are not covered by the tooltip of a scope") {
  player.move(x(0.25), row(4));
  player.frames(2);
  CHECK(HeadlessImGui::drawn("##Tooltip").windows == 1);
  player.overlay->panel.open = true;
  player.frames(2);
  CHECK(HeadlessImGui::drawn("##Tooltip").windows == 0);
}

TEST_CASE("overlay input: the list of keys is not covered by the tooltip of the button that opened it") {
  Played p;
  p.player.move_to("file_button", 30);
  CHECK(HeadlessImGui::drawn("##Tooltip").windows == 1);
  p.player.click();
  p.player.frames(3);
  REQUIRE(p.player.state("help_open") == "true");
  CHECK(HeadlessImGui::drawn("##Tooltip").windows == 0);
}

// ---- Slow frame ---------------------------------------------------------------------------------------------------

// A click or a key that comes and goes within one slow frame still counts. ImGui tells of all of them from 1.87 on; 1.86
// tells of characters that were typed, and its backends of a button that was down.

#if IMGUI_VERSION_NUM >= 18700

namespace {

// Down and up, before the next frame begins.
void press_at_once(Chord chord) {
  set_chord(chord, true);
  set_chord(chord, false);
}

}  // namespace

TEST_CASE("slow frame: a click between two frames selects the scope, a double-click zooms to it") {
  for (const int clicks : {1, 2}) {
    CAPTURE(clicks);
    Scene s;
    s.player().gui.mouse(s.played.x(0.25), s.played.row(1));
    for (int i = 0; i < clicks; ++i) {
      s.player().gui.button(0, true);
      s.player().gui.button(0, false);
    }
    s.player().frames(clicks == 1 ? 5 : 8);
    if (clicks == 1) CHECK(s.player().state("selected_name") == "\"World::update\"");
    if (clicks == 2) CHECK(s.player().state("fitted") == "false");
  }
}

TEST_CASE("slow frame: a modifier that goes before the frame begins still counts, one that comes later does not") {
  Scene s;
  for (int i = 0; i < 3; ++i) press_chord(&s.player(), {flamelet::ui::key_of('t')});
  const auto with_shift = [&](bool before, bool after) {
    set_modifier(flamelet::ui::kShift, before);
    s.player().frames(2);
    set_chord({flamelet::ui::key_of('t')}, true);
    set_modifier(flamelet::ui::kShift, after);
    set_chord({flamelet::ui::key_of('t')}, false);
    s.player().frames(3);
    set_modifier(flamelet::ui::kShift, false);
    s.player().frames(2);
    return s.player().state("page");
  };
  CHECK(with_shift(true, false) == "\"tree\"");
  CHECK(with_shift(false, true) == "\"table\"");
}

TEST_CASE_FIXTURE(Scene, "slow frame: keys between two frames act, each as often as it was pressed") {
  press_at_once({Key::kSpace});
  player().frames(4);
  CHECK(player().state("paused") == "true");
  const double frame = player().number("last_frame");
  for (int i = 0; i < 3; ++i) press_at_once({Key::kLeft});
  player().frames(10);
  CHECK(player().number("last_frame") == frame - 3);
  press_at_once({Key::kRight, flamelet::ui::kCtrl | flamelet::ui::kShift});
  player().frames(4);
  CHECK(player().number("last_frame") == frame - 2);
  CHECK(player().number("first_frame") == frame - 3);
}

TEST_CASE_FIXTURE(Scene, "slow frame: the mode key and a gamepad's button between two frames act") {
  set_pad(Pad::kY, true);
  set_pad(Pad::kY, false);
  player().frames(4);
  CHECK(player().state("paused") == "true");
  player().gui.key(TestKey::kF1, true);
  player().gui.key(TestKey::kF1, false);
  player().frames(4);
  CHECK(player().state("mode") == "\"off\"");
}

#else

TEST_CASE_FIXTURE(Scene, "slow frame: a letter that was typed between two frames acts") {
  for (const char letter : {'t', 't'}) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    player().frames(2);
  }
  CHECK(player().state("page") == "\"tree\"");
}

TEST_CASE("slow frame: a button that was down in no more than one frame clicks") {
  Scene s;  // as imgui_impl_glfw and imgui_impl_sdl tell it
  s.over(0.25, 1);
  ImGui::GetIO().MouseDown[0] = true;
  s.player().frames();
  ImGui::GetIO().MouseDown[0] = false;
  s.player().frames(3);
  CHECK(s.player().state("selected_name") == "\"World::update\"");
}

#endif
