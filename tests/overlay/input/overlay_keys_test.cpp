// SPDX-License-Identifier: MIT
//
// The overlay under the keys, through ImGui's own input, on frames of the real recorder.
#include <doctest/doctest.h>

#include <algorithm>

#include "overlay/drawn_text.h"
#include "overlay/hands.h"
#include "overlay/played_game.h"
#include "shell/overlay_state.h"
#include "temporary_folder.h"

namespace overlay_keys_test {

using namespace flamelet_tests;
using flamelet::OverlayMode;
using flamelet::ui::key_of;

TEST_CASE("overlay input: live, the view follows the newest frame; Space stops it and starts it again") {
  Played p;
  const double first = p.player.number("last_frame");
  p.game.frames(30);
  p.player.frames(10);
  CHECK(p.player.number("last_frame") > first + 20);
  p.player.move(p.x(0.5), p.row(10));
  p.player.press(TestKey::kSpace);
  CHECK(p.player.state("paused") == "true");
  const double kept = p.player.number("last_frame");
  p.game.frames(30);
  p.player.frames(10);
  CHECK(p.player.number("last_frame") == kept);
  p.player.press(TestKey::kSpace);
  p.player.frames(10);
  CHECK(p.player.number("last_frame") > kept + 20);
}

TEST_CASE("overlay input: keys zoom, pan and show the whole frame again") {
  Played p;
  p.player.move(p.x(0.5), p.row(2));
  p.player.press(TestKey::kSpace);
  const double frame_ns = p.view_ns();
  p.player.type('w');
  p.player.type('w');
  CHECK(p.view_ns() == doctest::Approx(frame_ns * 0.64));
  const double begin = p.player.number("view_begin_ns");
  p.player.type('d');
  CHECK(p.player.number("view_begin_ns") > begin);
  p.player.type('a');
  CHECK(p.player.number("view_begin_ns") == doctest::Approx(begin));
  p.player.type('s');
  CHECK(p.view_ns() == doctest::Approx(frame_ns * 0.8));
  p.player.type('0');
  CHECK(p.view_ns() == doctest::Approx(frame_ns));
  CHECK(p.player.state("fitted") == "true");
}

TEST_CASE("overlay input: F zooms to the selected scope, . and , go to its next and previous instance") {
  Played p;
  p.player.move(p.x(0.25), p.row(4));
  p.player.click();
  REQUIRE(p.player.state("selected_name") == "\"Island::solve\"");
  const double first = p.player.number("selected_begin_ns");
  p.player.type('.');
  const double second = p.player.number("selected_begin_ns");
  CHECK(p.player.state("selected_name") == "\"Island::solve\"");
  CHECK(second > first);
  p.player.type(',');
  CHECK(p.player.number("selected_begin_ns") == first);
  p.player.type('f');
  CHECK(p.view_ns() < 2e6);
  // Beyond the frame, the view comes along.
  for (int i = 0; i < 8; ++i) p.player.type(',');
  const double earlier = p.player.number("selected_begin_ns");
  CHECK(earlier < first - 15e6);
  CHECK(p.player.number("view_begin_ns") <= earlier);
  CHECK(p.player.number("view_end_ns") >= p.player.number("selected_end_ns"));
}

TEST_CASE("overlay input: Tab finds the longest instance in the capture") {
  Played p(10);
  p.game.frame(4);
  p.game.frames(10);
  p.player.frames(10);
  p.player.move(p.x(0.25), p.row(1));
  p.player.click();
  REQUIRE(p.player.state("selected_name") == "\"World::update\"");
  const double chosen_ns = p.player.number("selected_end_ns") - p.player.number("selected_begin_ns");
  p.player.press(TestKey::kTab);
  const double worst_ns = p.player.number("selected_end_ns") - p.player.number("selected_begin_ns");
  CHECK(p.player.state("selected_name") == "\"World::update\"");
  CHECK(worst_ns > chosen_ns * 1.3);
  p.player.press(TestKey::kTab);
  CHECK(p.player.number("selected_end_ns") - p.player.number("selected_begin_ns") == worst_ns);
}

TEST_CASE("overlay input: the frame of an instance that lies in another one is shown, until Backspace") {
  Played p(10);
  p.game.frame(4);
  p.game.frames(10);
  p.player.frames(10);
  p.player.move(p.x(0.25), p.row(1));
  p.player.click();
  REQUIRE(p.player.state("selected_name") == "\"World::update\"");
  const std::string frame = p.player.state("last_frame");
  const double begin = p.player.number("view_begin_ns");
  p.player.press(TestKey::kTab);
  CHECK(p.player.state("first_frame") == "10");
  CHECK(p.player.state("last_frame") == "10");
  CHECK(p.player.state("fitted") == "true");
  CHECK(p.player.number("view_begin_ns") <= p.player.number("selected_begin_ns"));
  CHECK(p.player.number("view_end_ns") >= p.player.number("selected_end_ns"));
  p.player.type(',');
  CHECK(p.player.state("last_frame") == "9");
  p.player.press(TestKey::kBackspace);
  CHECK(p.player.state("last_frame") == "10");
  p.player.press(TestKey::kBackspace);
  CHECK(p.player.state("last_frame") == frame);
  CHECK(p.player.number("view_begin_ns") == begin);
  CHECK(p.player.state("fitted") == "true");
}

TEST_CASE("overlay input: an instance within the frames that are shown leaves them as they are") {
  Played p;
  p.player.drag(p.bar(30), p.bars_y(), p.bar(21), p.bars_y());
  p.player.move(p.x(0.01), p.row(1));
  p.player.click();
  REQUIRE(p.player.state("scope_name") != "null");
  const std::string first = p.player.state("first_frame");
  const std::string last = p.player.state("last_frame");
  p.player.type('.');
  CHECK(p.player.state("first_frame") == first);
  CHECK(p.player.state("last_frame") == last);
}

TEST_CASE("overlay input: Escape closes an open menu and does nothing else") {
  Played p;
  flamelet::overlay_set_filter(p.player.overlay, "Physics");
  const auto any_popup = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  const auto check = [&] {
    p.player.settle();
    REQUIRE(any_popup());
    p.player.type('t');  // keys are the menu's
    p.player.press(TestKey::kEscape);
    CHECK_FALSE(any_popup());
    CHECK(p.player.state("page") == "\"lanes\"");
    CHECK(p.player.state("mode") == "\"active\"");
    CHECK(p.player.state("filter") == "\"Physics\"");
  };
  SUBCASE("of a scope") {
    p.player.move(p.x(0.25), p.row(1));
    p.player.click(1);
    check();
  }
  SUBCASE("File") {
    p.player.move_to("file_button");
    p.player.click();
    check();
  }
}

TEST_CASE("overlay input: the menu of a measured stretch takes no key but its own, and Escape clears the stretch") {
  Played p;
  const auto measure = [&] {
    p.player.settle();
    p.player.drag(p.x(0.2), p.row(14), p.x(0.2) + 200, p.row(14));
    REQUIRE(p.player.state("menu_open") == "true");
    REQUIRE(p.player.number("measured_ns") > 0);
  };
  measure();
  const double length = p.view_ns();
  p.player.type('w');
  CHECK(p.view_ns() < length);
  CHECK(p.player.state("menu_open") == "false");
  CHECK(p.player.number("measured_ns") > 0);
  measure();
  p.player.type('6');
  CHECK(p.player.state("page") == "\"compare\"");
  p.player.type('1');
  p.player.frames(3);
  CHECK(p.player.state("page") == "\"lanes\"");
  CHECK(p.player.state("menu_open") == "false");
  flamelet::overlay_set_filter(p.player.overlay, "Physics");
  measure();
  p.player.press(TestKey::kEscape);
  CHECK(p.player.state("menu_open") == "false");
  CHECK(p.player.number("measured_ns") == 0);
  CHECK(p.player.state("filter") == "\"Physics\"");
  measure();
  press_chord(&p.player, {flamelet::ui::Key::kDown});
  press_chord(&p.player, {flamelet::ui::Key::kDown});
  press_chord(&p.player, {flamelet::ui::Key::kEnter});
  CHECK(p.player.state("page") == "\"table\"");
}

TEST_CASE("overlay input: Backspace takes back a run of one key or of the wheel") {
  Played p;
  p.player.move(p.x(0.5), p.row(2));
  p.player.press(TestKey::kSpace);
  const double whole = p.view_ns();
  p.player.type('w');
  p.player.type('w');
  const double zoomed = p.view_ns();
  p.player.settle();
  p.player.wheel(1);
  p.player.wheel(1);
  const double more = p.view_ns(), begin = p.player.number("view_begin_ns");
  REQUIRE(more < zoomed);
  p.player.type('d');
  p.player.type('d');
  REQUIRE(p.player.number("view_begin_ns") > begin);
  p.player.press(TestKey::kBackspace);
  CHECK(p.player.number("view_begin_ns") == doctest::Approx(begin));
  p.player.press(TestKey::kBackspace);
  CHECK(p.view_ns() == doctest::Approx(zoomed));
  p.player.press(TestKey::kBackspace);
  CHECK(p.view_ns() == doctest::Approx(whole));
  CHECK(p.player.state("fitted") == "true");
}

TEST_CASE("overlay input: a menu is gone when the game has the input back") {
  Played p;
  p.player.move(p.x(0.25), p.row(1));
  p.player.click(1);
  REQUIRE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  flamelet::overlay_set_mode(p.player.overlay, OverlayMode::kReadOnly);
  p.player.frames(3);
  CHECK_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
}

TEST_CASE("overlay input: the list of keys shows all of its text in a narrow window, too") {
  const auto help_vertices = [] { return HeadlessImGui::drawn("##flamelet_help").vertices; };
  const auto open_help = [](OverlayPlayer* player) {
    player->move_to("file_button", 30);
    player->click();
    player->frames(3);
    REQUIRE(player->state("help_open") == "true");
  };
  int wide = 0;
  {
    DrawnPlayer player(OverlayMode::kActive, 1280, 1600);
    open_help(&player);
    wide = help_vertices();
    CHECK(wide > 1000);
  }
  DrawnPlayer player(OverlayMode::kActive, 640, 1600);
  open_help(&player);
  CHECK(help_vertices() == wide);
}

TEST_CASE("overlay input: / goes to the filter, which takes the keys, and Escape comes back out step by step") {
  Played p;
  p.player.move(p.x(0.25), p.row(1));
  p.player.click();
  p.player.type('/');
  for (const char c : {'a', 'i', '_'}) p.player.type(c);
  CHECK(p.player.state("filter") == "\"ai_\"");
  CHECK(p.player.number("filter_count") == 42);  // ai_update, ai_path and 40 times ai_think
  CHECK(p.player.state("fitted") == "true");     // 'a' did not pan
  p.player.move(p.x(0.5), p.row(14));
  p.player.settle();
  p.player.press(TestKey::kEscape);  // leaves the text field, which takes back what was typed
  CHECK(p.player.state("filter") == "\"\"");
  CHECK(p.player.state("selected_name") == "\"World::update\"");
  p.player.press(TestKey::kEscape);
  CHECK(p.player.state("selected_name") == "null");
  CHECK(p.player.state("mode") == "\"active\"");
  p.player.press(TestKey::kEscape);  // one too many: the next turn of the wheel must not move the game's camera
  CHECK(p.player.state("mode") == "\"active\"");
}

TEST_CASE(
    "overlay input: Enter selects in the frame, not a background job that takes many, and so the next one stays") {
  RecordedGame game(Played::options());
  const uint32_t track = flamelet_track_create("streaming", FLAMELET_TRACK_EXTERNAL, 1e9);
  flamelet_track_calibrate(track, 1000000, 1000000);
  game.frames(40);
  flamelet_event job[2] = {};
  job[0].time_ticks = 2000000;
  job[1].time_ticks = 500000000;
  job[0].id = job[1].id = 1;
  job[0].type = 'B';
  job[1].type = 'E';
  job[0].name = job[1].name = "Load level";
  REQUIRE(flamelet_submit(track, job, 2) == 2);
  DrawnPlayer player;
  REQUIRE(player.select_frames(10, 10));
  player.press(TestKey::kEnter);
  CHECK(player.state("selected_name") == "\"Frame\"");
  player.press(TestKey::kEnter);
  CHECK(player.state("first_frame") == "10");
  CHECK(player.state("last_frame") == "10");
}

TEST_CASE("overlay input: a filter that matches counters alone says so, and not that there is no match") {
  Played p;
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  p.player.press(TestKey::kSpace);
  p.player.filter("draw calls", 20);
  CHECK(is_drawn("1counter"));
  p.player.filter("draw c?", 20);
  CHECK(is_drawn("nomatchanywhere"));
}

TEST_CASE("overlay input: the filter's sum is the time of the outermost matches") {
  Played p;
  p.player.move(p.x(0.5), p.row(14));
  p.player.press(TestKey::kSpace);
  p.player.filter("Physics::");
  CHECK(p.player.number("filter_count") == 4);
  const double sum_ns = p.player.number("filter_total_ns");
  p.player.filter("Physics::step");
  CHECK(p.player.number("filter_count") == 1);
  CHECK(p.player.number("filter_total_ns") == sum_ns);
  CHECK(sum_ns > 0);
}

TEST_CASE("overlay input: T turns to the next page, with Shift to the one before") {
  Played p;
  p.player.move(p.x(0.5), p.row(10));
  press_chord(&p.player, {key_of('t')});
  press_chord(&p.player, {key_of('t')});
  CHECK(p.player.state("page") == "\"tree\"");
  press_chord(&p.player, {key_of('t'), flamelet::ui::kShift});
  CHECK(p.player.state("page") == "\"flame\"");
}

TEST_CASE("overlay input: a key that is held turns one page; one that zooms goes on") {
  Played p;
  p.player.move(p.x(0.5), p.row(10));
  p.player.gui.letter('t', true);
  p.player.frames();
  for (int i = 0; i < 30; ++i) {
    p.player.gui.repeat_letter('t');
    p.player.frames();
  }
  p.player.gui.repeat_letter('t');  // a slow frame gets both at once
  p.player.gui.letter('t', false);
  p.player.frames();
  CHECK(p.player.state("page") == "\"flame\"");
  p.player.type('t');
  CHECK(p.player.state("page") == "\"tree\"");

#if IMGUI_VERSION_NUM < 18700
  p.player.gui.repeat_letter('t');  // down and up between two frames
  p.player.frames();
  CHECK(p.player.state("page") == "\"table\"");
#endif

  const double before = p.view_ns();
  p.player.gui.letter('w', true);
  for (int i = 0; i < 60; ++i) {
    p.player.gui.repeat_letter('w');
    p.player.frames();
  }
  p.player.gui.letter('w', false);
  CHECK(p.view_ns() < 0.3 * before);
}

#if IMGUI_VERSION_NUM < 18700
TEST_CASE("overlay input: letters, digits and signs are keys, too, where SDL types no characters") {
  Played p;
  p.player.move(p.x(0.5), p.row(10));
  ImGui::GetIO().BackendPlatformName = "imgui_impl_sdl";
  const auto scancode = [&](int code, int frames) {
    ImGui::GetIO().KeysDown[code] = true;
    p.player.frames(frames);
    ImGui::GetIO().KeysDown[code] = false;
    p.player.frames(2);
  };
  scancode(31, 3);  // "2"
  CHECK(p.player.state("page") == "\"flame\"");
  scancode(23, 200);  // "t", which does not go on while it is held
  CHECK(p.player.state("page") == "\"tree\"");
  scancode(56, 3);  // "/", without Shift
  CHECK(p.player.state("help_open") == "false");
  CHECK(ImGui::GetIO().WantTextInput);
  p.player.press(TestKey::kEscape);
  const double before = p.view_ns();
  scancode(26, 60);  // "w" zooms on
  CHECK(p.view_ns() < 0.5 * before);
  // Where they type, that counts alone, once.
  ImGui::GetIO().AddInputCharacter('t');
  scancode(23, 3);
  CHECK(p.player.state("page") == "\"table\"");
  ImGui::GetIO().AddInputCharacter(' ');  // down and up between two frames
  p.player.frames(2);
  CHECK(p.player.state("paused") == "true");
  ImGui::GetIO().BackendPlatformName = nullptr;
}
#endif

TEST_CASE("overlay input: keys do nothing while the mouse is elsewhere and another window has the focus") {
  Played p;
  p.player.move(640, 715);
  for (int i = 0; i < 3; ++i)
    p.player.gui.frame([&] {
      ImGui::SetNextWindowFocus();
      ImGui::Begin("other");
      ImGui::End();
      flamelet::overlay_show(p.player.overlay);
    });
  p.player.press(TestKey::kSpace);
  CHECK(p.player.state("paused") == "false");
}

TEST_CASE("overlay input: Escape clears a filter that the program has set") {
  Played p;
  p.player.move(p.x(0.5), p.row(14));
  p.player.filter("Physics");
  p.player.press(TestKey::kEscape);
  CHECK(p.player.state("filter") == "\"\"");
  CHECK(p.player.state("mode") == "\"active\"");
}

TEST_CASE("overlay input: an active overlay has Escape wherever the mouse is, and never leaves by it") {
  Played p;
  p.player.move(640, 700);  // over the game, and a click there takes the focus away
  p.player.click();
  p.player.settle();
  CHECK_FALSE(ImGui::GetIO().WantCaptureMouse);
  for (int i = 0; i < 3; ++i) {
    p.player.press(TestKey::kEscape);
    CHECK(ImGui::GetIO().WantCaptureKeyboard);
  }
  CHECK(p.player.state("mode") == "\"active\"");
}

TEST_CASE("overlay input: an overlay that has just become active has the keys before the next frame begins") {
  DrawnPlayer player(OverlayMode::kReadOnly);
  REQUIRE_FALSE(ImGui::GetIO().WantCaptureKeyboard);
  player.gui.key(TestKey::kF1, true);
  player.frames(1);
  REQUIRE(flamelet::overlay_mode(player.overlay) == OverlayMode::kActive);
  CHECK(ImGui::GetIO().WantCaptureKeyboard);  // an Escape of this moment is the overlay's
}

TEST_CASE("overlay input: F2 in a paused game leaves the bars as they are") {
  const TemporaryFolder folder;
  RecordedGame game(Played::options());
  flamelet::OverlayConfig config;
  config.mode = OverlayMode::kActive;
  config.capture_folder = folder.path().c_str();
  OverlayPlayer player(config);
  game.frames(20);
  player.frames(3);
  player.press(TestKey::kSpace);
  const uint64_t newest = player.overlay->history.newest;
  game.frames(20);
  player.press(TestKey::kF2);
  while (player.state("file_busy") == "true") player.frames();
  player.frames(5);
  CHECK(folder.count() == 1);
  CHECK(player.overlay->history.newest == newest);
  player.press(TestKey::kSpace);
  player.frames(20);
  CHECK(player.overlay->history.newest == newest + 20);
}

TEST_CASE("overlay input: F1 and F2 act while a text field has the focus") {
  const TemporaryFolder folder;
  RecordedGame game(Played::options());
  flamelet::OverlayConfig config;
  config.mode = OverlayMode::kActive;
  config.capture_folder = folder.path().c_str();
  OverlayPlayer player(config);
  game.frames(20);
  player.frames(3);
  player.type('/');
  player.type('a');
  REQUIRE(ImGui::GetIO().WantTextInput);
  SUBCASE("F1") {
    player.press(TestKey::kF1);
    CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kOff);
    player.frames(3);
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
  }
  SUBCASE("F2") {
    player.press(TestKey::kF2);
    while (player.state("file_busy") == "true") player.frames();
    CHECK(folder.count() == 1);
    CHECK(player.state("filter") == "\"a\"");
    CHECK(ImGui::GetIO().WantTextInput);
  }
}

TEST_CASE("overlay input: the filter is seen wherever it is typed, and its letters are no commands") {
  struct Size {
    float width, height, scale;
  };
  for (const Size size : {Size{1280, 720, 1}, Size{640, 360, 1}, Size{640, 360, 2}, Size{320, 240, 2}}) {
    CAPTURE(size.width);
    CAPTURE(size.scale);
    RecordedGame game(Played::options());
    OverlayPlayer player(OverlayMode::kActive, size.width, size.height);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
#if IMGUI_VERSION_NUM >= 19200
    ImGui::GetStyle().FontScaleMain = size.scale;
#else
    ImGui::GetIO().FontGlobalScale = size.scale;
#endif
    game.frames(20);
    player.frames(3);
    const std::string path = player.state("critical_path"), page = player.state("page");
    const auto seen = [](const char* text) {
      const DrawnTexts drawn(0);
      return std::any_of(drawn.texts().begin(), drawn.texts().end(),
                         [text](const DrawnText& t) { return t.text == text && !t.cut; });
    };
    player.gui.letter('/', true);
    player.frames(1);
    player.gui.letter('/', false);
    for (const char c : {'p', 'a', '2'}) {  // each in the frame after the one before
      player.gui.letter(c, true);
      player.frames(1);
      player.gui.letter(c, false);
    }
    player.frames(3);
    CHECK(player.state("critical_path") == path);
    CHECK(player.state("page") == page);
    for (const char c : {'p', 'a', '2'}) player.type(c);
    const std::string typed = player.state("filter");
    CHECK(typed.find("pa2\"") != std::string::npos);
    CHECK(seen(typed.substr(1, typed.size() - 2).c_str()));
    player.press(TestKey::kEscape);
    flamelet::overlay_set_filter(player.overlay, "Phy");  // by the program
    player.frames(3);
    CHECK(seen("Phy"));
    player.press(TestKey::kEscape);
    CHECK(player.state("filter") == "\"\"");
    player.type('p');
    CHECK(player.state("critical_path") != path);
  }
}

TEST_CASE("overlay input: each page begins with its first row and its first button under the keys") {
  Played p;
  p.player.press(TestKey::kSpace);
  p.player.open_page("table");
  p.player.frames(20);
  p.player.move(5, 5);
  const auto press = [&](Key key) { press_chord(&p.player, {key}); };
  for (int i = 0; i < 4; ++i) press(Key::kDown);
  CHECK(p.player.number("row") == 3);
  p.player.type('3');
  p.player.frames(20);
  REQUIRE(p.player.state("page") == "\"tree\"");
  for (int i = 0; i < 3; ++i) p.player.type('i');
  CHECK(p.player.number("marked_button") == 2);
  press(Key::kDown);
  CHECK(p.player.number("row") == 0);
  p.player.type('7');
  p.player.frames(20);
  p.player.type('i');
  CHECK(p.player.number("marked_button") == 0);
}

TEST_CASE("overlay input: the peek key is a letter like others while the program's user types") {
  OverlayPlayer player(OverlayMode::kOff);
#if IMGUI_VERSION_NUM < 18700
  player.overlay->settings.peek_key = 'j';
#else
  player.overlay->settings.peek_key = ImGuiKey_J;
#endif
  char typed[16] = {};
  bool console = true;
  const auto frames = [&](int count) {
    for (int i = 0; i < count; ++i)
      player.gui.frame([&] {
        if (console) {
          ImGui::Begin("console");
          if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
          ImGui::InputText("##line", typed, sizeof typed);
          ImGui::End();
        }
        flamelet::overlay_show(player.overlay);
      });
  };
  const auto hold = [&](bool down) {
    player.gui.letter('j', down);
    frames(3);
  };
  frames(5);
  REQUIRE(ImGui::GetIO().WantTextInput);
  hold(true);
  CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kOff);
  hold(false);
  CHECK(std::string(typed) == "j");
  console = false;
  frames(5);
  hold(true);
  CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kActive);
  hold(false);
  CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kOff);
}

TEST_CASE("overlay input: the arrows scroll the list of keys in a low window to the line that Enter would do") {
  OverlayPlayer player(OverlayMode::kActive, 1280, 300);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  player.frames(3);
  const auto shows_last_line = [] { return is_drawn("recursion"); };  // "fold recursion, or keep it"
  REQUIRE(press_chord(&player, {Key::kQuestion}));
  CHECK_FALSE(shows_last_line());
  press_chord(&player, {Key::kUp});  // from the first one to the last
  player.frames(3);
  CHECK(shows_last_line());
  press_chord(&player, {Key::kDown});
  player.frames(3);
  CHECK_FALSE(shows_last_line());
}

}  // namespace overlay_keys_test
