// SPDX-License-Identifier: MIT
//
// A click or a key that comes and goes within one slow frame still counts. ImGui tells of all of them from 1.87 on; 1.86
// tells of characters that were typed, and its backends of a button that was down.
#include <doctest/doctest.h>

#include "overlay/gesture_scene.h"

using namespace flamelet_tests;

#if IMGUI_VERSION_NUM >= 18700

namespace {

// Down and up, before the next frame begins.
void press_at_once(Chord chord) {
  set_chord(chord, true);
  set_chord(chord, false);
}

}  // namespace

TEST_CASE("slow frame: a click between two frames selects the scope") {
  Scene s;
  s.player().gui.mouse(s.played.x(0.25), s.played.row(1));
  s.player().gui.button(0, true);
  s.player().gui.button(0, false);
  s.player().frames(5);
  CHECK(s.player().state("selected_name") == "\"World::update\"");
}

TEST_CASE("slow frame: a double-click between two frames zooms to the scope") {
  Scene s;
  s.player().gui.mouse(s.played.x(0.25), s.played.row(1));
  for (int i = 0; i < 2; ++i) {
    s.player().gui.button(0, true);
    s.player().gui.button(0, false);
  }
  s.player().frames(8);
  CHECK(s.player().state("fitted") == "false");
}

TEST_CASE("slow frame: keys between two frames act, each as often as it was pressed") {
  Scene s;
  press_at_once({Key::kSpace});
  s.player().frames(4);
  CHECK(s.player().state("paused") == "true");
  const double frame = s.player().number("last_frame");
  for (int i = 0; i < 3; ++i) press_at_once({Key::kLeft});
  s.player().frames(10);
  CHECK(s.player().number("last_frame") == frame - 3);
  press_at_once({Key::kRight, flamelet::ui::kCtrl | flamelet::ui::kShift});
  s.player().frames(4);
  CHECK(s.player().number("last_frame") == frame - 2);
  CHECK(s.player().number("first_frame") == frame - 3);
}

TEST_CASE("slow frame: the mode key and a gamepad's button between two frames act") {
  Scene s;
  set_pad(Pad::kY, true);
  set_pad(Pad::kY, false);
  s.player().frames(4);
  CHECK(s.player().state("paused") == "true");
  s.player().gui.key(TestKey::kF1, true);
  s.player().gui.key(TestKey::kF1, false);
  s.player().frames(4);
  CHECK(s.player().state("mode") == "\"off\"");
}

#else

TEST_CASE("slow frame: a letter that was typed between two frames acts") {
  Scene s;
  for (const char letter : {'t', 't'}) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    s.player().frames(2);
  }
  CHECK(s.player().state("page") == "\"tree\"");
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
