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

TEST_CASE_FIXTURE(Played, "overlay input: keys zoom, pan and show the whole frame again") {
  player.move(x(0.5), row(2));
  player.press(TestKey::kSpace);
  const double frame_ns = view_ns();
  player.type('w');
  player.type('w');
  CHECK(view_ns() == doctest::Approx(frame_ns * 0.64));
  const double begin = player.number("view_begin_ns");
  player.type('d');
  CHECK(player.number("view_begin_ns") > begin);
  player.type('a');
  CHECK(player.number("view_begin_ns") == doctest::Approx(begin));
  player.type('s');
  CHECK(view_ns() == doctest::Approx(frame_ns * 0.8));
  player.type('0');
  CHECK(view_ns() == doctest::Approx(frame_ns));
  CHECK(player.state("fitted") == "true");
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

TEST_CASE_FIXTURE(PlayedFrames<10>, "overlay input: Tab finds the longest instance in the capture") {
  game.frame(4);
  game.frames(10);
  player.frames(10);
  player.move(x(0.25), row(1));
  player.click();
  REQUIRE(player.state("selected_name") == "\"World::update\"");
  const double chosen_ns = player.number("selected_end_ns") - player.number("selected_begin_ns");
  player.press(TestKey::kTab);
  const double worst_ns = player.number("selected_end_ns") - player.number("selected_begin_ns");
  CHECK(player.state("selected_name") == "\"World::update\"");
  CHECK(worst_ns > chosen_ns * 1.3);
  player.press(TestKey::kTab);
  CHECK(player.number("selected_end_ns") - player.number("selected_begin_ns") == worst_ns);
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

TEST_CASE_FIXTURE(Played, "overlay input: an instance within the frames that are shown leaves them as they are") {
  player.drag(bar(30), bars_y(), bar(21), bars_y());
  player.move(x(0.01), row(1));
  player.click();
  REQUIRE(player.state("scope_name") != "null");
  const std::string first = player.state("first_frame");
  const std::string last = player.state("last_frame");
  player.type('.');
  CHECK(player.state("first_frame") == first);
  CHECK(player.state("last_frame") == last);
}

TEST_CASE_FIXTURE(Played, "overlay input: Escape closes an open menu and does nothing else") {
  flamelet::overlay_set_filter(player.overlay, "Physics");
  const auto any_popup = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  const auto check = [&] {
    player.settle();
    REQUIRE(any_popup());
    player.type('t');  // keys are the menu's
    player.press(TestKey::kEscape);
    CHECK_FALSE(any_popup());
    CHECK(player.state("page") == "\"lanes\"");
    CHECK(player.state("mode") == "\"active\"");
    CHECK(player.state("filter") == "\"Physics\"");
  };
  SUBCASE("of a scope") {
    player.move(x(0.25), row(1));
    player.click(1);
    check();
  }
  SUBCASE("File") {
    player.move_to("file_button");
    player.click();
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

TEST_CASE_FIXTURE(Played, "overlay input: Backspace takes back a run of one key or of the wheel") {
  player.move(x(0.5), row(2));
  player.press(TestKey::kSpace);
  const double whole = view_ns();
  player.type('w');
  player.type('w');
  const double zoomed = view_ns();
  player.settle();
  player.wheel(1);
  player.wheel(1);
  const double more = view_ns(), begin = player.number("view_begin_ns");
  REQUIRE(more < zoomed);
  player.type('d');
  player.type('d');
  REQUIRE(player.number("view_begin_ns") > begin);
  player.press(TestKey::kBackspace);
  CHECK(player.number("view_begin_ns") == doctest::Approx(begin));
  player.press(TestKey::kBackspace);
  CHECK(view_ns() == doctest::Approx(zoomed));
  player.press(TestKey::kBackspace);
  CHECK(view_ns() == doctest::Approx(whole));
  CHECK(player.state("fitted") == "true");
}

TEST_CASE_FIXTURE(Played, "overlay input: a menu is gone when the game has the input back") {
  player.move(x(0.25), row(1));
  player.click(1);
  REQUIRE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  flamelet::overlay_set_mode(player.overlay, OverlayMode::kReadOnly);
  player.frames(3);
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

TEST_CASE_FIXTURE(Played, "overlay input: Enter selects the longest match of the filter") {
  player.filter("AI_PATH");
  player.press(TestKey::kEnter);
  CHECK(player.state("selected_name") == "\"ai_path\"");
  for (int i = 0; i < 2; ++i) player.press(TestKey::kEscape);
  player.filter("no such scope");
  player.press(TestKey::kEnter);
  CHECK(player.state("selected_name") == "null");
}

TEST_CASE("overlay input: a filter that matches counters alone says so, and not that there is no match") {
  Played p;
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  p.player.press(TestKey::kSpace);
  p.player.filter("draw calls", 20);
  CHECK(is_drawn("1counter"));
  p.player.filter("draw c?", 20);
  CHECK(is_drawn("noscopematches"));
}

TEST_CASE_FIXTURE(Played, "overlay input: the filter's sum is the time of the outermost matches") {
  player.move(x(0.5), row(14));
  player.press(TestKey::kSpace);
  player.filter("Physics::");
  CHECK(player.number("filter_count") == 4);
  const double sum_ns = player.number("filter_total_ns");
  player.filter("Physics::step");
  CHECK(player.number("filter_count") == 1);
  CHECK(player.number("filter_total_ns") == sum_ns);
  CHECK(sum_ns > 0);
}

TEST_CASE_FIXTURE(Played, "overlay input: a key that is held turns one page; one that zooms goes on") {
  player.move(x(0.5), row(10));
  player.gui.letter('t', true);
  player.frames();
  for (int i = 0; i < 30; ++i) {
    player.gui.repeat_letter('t');
    player.frames();
  }
  player.gui.repeat_letter('t');  // a slow frame gets both at once
  player.gui.letter('t', false);
  player.frames();
  CHECK(player.state("page") == "\"flame\"");
  player.type('t');
  CHECK(player.state("page") == "\"tree\"");

#if IMGUI_VERSION_NUM < 18700
  player.gui.repeat_letter('t');  // down and up between two frames
  player.frames();
  CHECK(player.state("page") == "\"table\"");
#endif

  const double before = view_ns();
  player.gui.letter('w', true);
  for (int i = 0; i < 60; ++i) {
    player.gui.repeat_letter('w');
    player.frames();
  }
  player.gui.letter('w', false);
  CHECK(view_ns() < 0.3 * before);
}

#if IMGUI_VERSION_NUM < 18700
TEST_CASE_FIXTURE(Played, "overlay input: letters, digits and signs are keys, too, where SDL types no characters") {
  player.move(x(0.5), row(10));
  ImGui::GetIO().BackendPlatformName = "imgui_impl_sdl";
  const auto scancode = [&](int code, int frames) {
    ImGui::GetIO().KeysDown[code] = true;
    player.frames(frames);
    ImGui::GetIO().KeysDown[code] = false;
    player.frames(2);
  };
  scancode(31, 3);  // "2"
  CHECK(player.state("page") == "\"flame\"");
  scancode(23, 200);  // "t", which does not go on while it is held
  CHECK(player.state("page") == "\"tree\"");
  scancode(56, 3);  // "/", without Shift
  CHECK(player.state("help_open") == "false");
  CHECK(ImGui::GetIO().WantTextInput);
  player.press(TestKey::kEscape);
  const double before = view_ns();
  scancode(26, 60);  // "w" zooms on
  CHECK(view_ns() < 0.5 * before);
  // Where they type, that counts alone, once.
  ImGui::GetIO().AddInputCharacter('t');
  scancode(23, 3);
  CHECK(player.state("page") == "\"table\"");
  ImGui::GetIO().AddInputCharacter(' ');  // down and up between two frames
  player.frames(2);
  CHECK(player.state("paused") == "true");
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

TEST_CASE_FIXTURE(Played, "overlay input: an active overlay has Escape wherever the mouse is, and never leaves by it") {
  player.move(640, 700);  // over the game, and a click there takes the focus away
  player.click();
  player.settle();
  CHECK_FALSE(ImGui::GetIO().WantCaptureMouse);
  for (int i = 0; i < 3; ++i) {
    player.press(TestKey::kEscape);
    CHECK(ImGui::GetIO().WantCaptureKeyboard);
  }
  CHECK(player.state("mode") == "\"active\"");
}

TEST_CASE("overlay input: an overlay that has just become active has the keys before the next frame begins") {
  DrawnPlayer player(OverlayMode::kReadOnly);
  REQUIRE_FALSE(ImGui::GetIO().WantCaptureKeyboard);
  player.gui.key(TestKey::kF1, true);
  player.frames(1);
  REQUIRE(flamelet::overlay_mode(player.overlay) == OverlayMode::kActive);
  CHECK(ImGui::GetIO().WantCaptureKeyboard);  // an Escape of this moment is the overlay's
}

namespace {

// Twenty frames, in an overlay that saves into the folder.
struct SavingGame : TemporaryFolder {
  RecordedGame game{Played::options(), 20};
  DrawnPlayer player{active_overlay(path().c_str())};
};

}  // namespace

TEST_CASE_FIXTURE(SavingGame, "overlay input: F2 in a paused game leaves the bars as they are") {
  player.press(TestKey::kSpace);
  const uint64_t newest = player.overlay->history.newest;
  game.frames(20);
  player.press(TestKey::kF2);
  while (player.state("file_busy") == "true") player.frames();
  player.frames(5);
  CHECK(count() == 1);
  CHECK(player.overlay->history.newest == newest);
  player.press(TestKey::kSpace);
  player.frames(20);
  CHECK(player.overlay->history.newest == newest + 20);
}

TEST_CASE_FIXTURE(SavingGame, "overlay input: F1 and F2 act while a text field has the focus") {
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
    CHECK(count() == 1);
    CHECK(player.state("filter") == "\"a\"");
    CHECK(ImGui::GetIO().WantTextInput);
  }
}

TEST_CASE_FIXTURE(Played, "overlay input: all that is typed after / is the filter's, however fast it comes") {
  const std::string path = player.state("critical_path");
  const auto type = [&](const char* letters, bool in_one_frame) {
    for (const char* c = letters; *c != 0; ++c) {
      player.gui.letter(*c, true);
      if (!in_one_frame) player.frames();
    }
    player.frames(2);
    for (const char* c = letters; *c != 0; ++c) player.gui.letter(*c, false);
    player.frames(2 * static_cast<int>(strlen(letters)) + 4);
  };
  for (const bool in_one_frame : {false, true}) {
    CAPTURE(in_one_frame);
    type("/phy4", in_one_frame);
    CHECK(player.state("filter") == "\"phy4\"");
    CHECK(player.state("critical_path") == path);
    CHECK(player.state("page") == "\"lanes\"");
    player.gui.key(TestKey::kEnter, true);
    player.frames();
    player.gui.key(TestKey::kEnter, false);
    player.type('3');  // in the very next frame
    CHECK(player.state("page") == "\"tree\"");
    player.type('1');
    player.press(TestKey::kEscape);
    player.press(TestKey::kEscape);
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

TEST_CASE("overlay input: where the filter's field has no room, a button opens it") {
  uint32_t buttons = 0;
  for (float width = 400; width <= 1280; width += 80) {
    RecordedGame game(Played::options());
    OverlayPlayer player(OverlayMode::kActive, width, 600);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    game.frames(20);
    player.frames(3);
    const DrawnTexts drawn(0);
    for (const DrawnText& text : drawn.texts()) {
      if (text.y0 > 60 || (text.text != "filter/" && text.text != "/")) continue;
      CAPTURE(width);
      ++buttons;
      player.move(text.x0 + 1, (text.y0 + text.y1) / 2);
      player.click();
      player.frames(3);
      player.type('q');
      CHECK(player.state("filter") == "\"q\"");
    }
  }
  CHECK(buttons > 6);
}

TEST_CASE_FIXTURE(Played, "overlay input: each page begins with its first row and its first button under the keys") {
  player.press(TestKey::kSpace);
  player.open_page("table");
  player.frames(20);
  player.move(5, 5);
  const auto press = [&](Key key) { press_chord(&player, {key}); };
  for (int i = 0; i < 4; ++i) press(Key::kDown);
  CHECK(player.number("row") == 3);
  player.type('3');
  player.frames(20);
  REQUIRE(player.state("page") == "\"tree\"");
  for (int i = 0; i < 3; ++i) player.type('i');
  CHECK(player.number("marked_button") == 2);
  player.overlay->selection.clear();  // keys go on from the row of a selected scope
  press(Key::kDown);
  CHECK(player.number("row") == 0);
  player.type('7');
  player.frames(20);
  player.type('i');
  CHECK(player.number("marked_button") == 0);
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

TEST_CASE("overlay input: the number of no key, which another version of ImGui may have saved, is none") {
  DrawnPlayer player;
  player.load_settings("toggle_key=290\nsave_key=700000\npeek_key=700001\n");
  for (const char list : {'o', '?'}) {
    player.type(list);
    CHECK(player.state("mode") == "\"active\"");
  }
}

#if IMGUI_VERSION_NUM >= 18700
TEST_CASE("overlay input: of the peek key's changes that queue up the newest counts") {
  OverlayPlayer player(OverlayMode::kOff);
  player.overlay->settings.peek_key = ImGuiKey_F5;
  player.frames(2);
  for (int i = 0; i < 20; ++i) {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_F5, true);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_F5, false);
  }
  ImGui::GetIO().AddKeyEvent(ImGuiKey_F5, true);
  player.frames();
  CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kActive);
  for (int i = 0; i < 20; ++i) {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_F5, false);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_F5, true);
  }
  ImGui::GetIO().AddKeyEvent(ImGuiKey_F5, false);
  for (int i = 0; i < 60; ++i) {
    player.frames();
    CHECK(flamelet::overlay_mode(player.overlay) == OverlayMode::kOff);
  }
}
#endif

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
