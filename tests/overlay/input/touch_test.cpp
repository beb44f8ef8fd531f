// SPDX-License-Identifier: MIT
//
// Where fingers pan. What each gesture does is in gestures_test.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "input/touch_gestures.h"
#include "lanes/lanes_page.h"
#include "overlay/gesture_scene.h"

using namespace flamelet_tests;
using namespace flamelet::ui;
using Phase = TouchGestures::Phase;

namespace {

// Whether a finger that moves to the right there pans the lanes.
bool pans(Scene& scene, float y) {
  const double before_ns = scene.player().number("view_begin_ns");
  scene.swipe(scene.played.x(0.4), y, scene.played.x(0.4) + 150, y);
  return scene.player().number("view_begin_ns") < before_ns;
}

}  // namespace

TEST_CASE("overlay touch: one finger pans also where the canvas is empty below the lanes") {
  Scene scene;
  const flamelet::ui::LaneCanvas& canvas = flamelet::ui::lanes_of(scene.overlay()).canvas;
  const float bottom = canvas.bottom - 5;
  REQUIRE(bottom > canvas.y + canvas.height);
  CHECK(pans(scene, bottom));
}

TEST_CASE("overlay touch: one finger below a window of lanes that has more of them pans nothing") {
  Scene scene;
  scene.low_window();
  const flamelet::ui::LaneCanvas& canvas = flamelet::ui::lanes_of(scene.overlay()).canvas;
  const float below = canvas.bottom + 5;
  REQUIRE(below < canvas.y + canvas.height);
  CHECK_FALSE(pans(scene, below));
}

// ---- Touch gestures -----------------------------------------------------------------------------------------------

namespace {

// What the mouse does, frame by frame: "m" moved there, "L"/"R" a button went down, "l"/"r" up, "-" it is nowhere.
struct Screen {
  Screen() { gestures.set_scale(1, {100, 100, 400, 300}); }
  void touch(uint64_t finger, Phase phase, float x, float y) { gestures.touch(finger, phase, x, y, now_s); }
  std::string frames(int count) {
    std::string seen;
    for (int i = 0; i < count; ++i) {
      now_s += 1.0 / 60;
      TouchMouse mouse;
      if (!gestures.next_frame(now_s, &mouse)) continue;
      int changes = 0;
      for (int button = 0; button < 2; ++button) {
        if (mouse.down[button] == before.down[button]) continue;
        seen += mouse.down[button] ? "LR"[button] : "lr"[button];
        ++changes;
      }
      CHECK(changes <= 1);
      if (changes == 0 && mouse.present && (!before.present || mouse.x != before.x || mouse.y != before.y)) seen += 'm';
      if (!mouse.present && before.present) seen += '-';
      before = mouse;
    }
    return seen;
  }

  TouchGestures gestures;
  TouchMouse before;
  double now_s = 10;
};

}  // namespace

TEST_CASE_FIXTURE(Screen, "touch: a tap is a click where the finger was") {
  touch(1, Phase::kBegan, 200, 150);
  touch(1, Phase::kMoved, 203, 152);
  touch(1, Phase::kEnded, 203, 152);
  CHECK(frames(8) == "mLl-");
  CHECK(frames(8) == "");
}

TEST_CASE_FIXTURE(Screen, "touch: a long press is a click of the right button, while the finger is still there") {
  touch(1, Phase::kBegan, 200, 150);
  CHECK(frames(20) == "");
  CHECK(frames(20) == "mRr");
  touch(1, Phase::kMoved, 300, 150);
  touch(1, Phase::kEnded, 300, 150);
  CHECK(frames(8) == "-");
}

TEST_CASE("touch: one finger drags, with the right button over the pan area and the left one elsewhere") {
  Screen s;
  const auto drag = [&](float x) {
    s.touch(7, Phase::kBegan, x, 150);
    std::string seen = s.frames(2);
    s.touch(7, Phase::kMoved, x + 20, 150);
    seen += s.frames(4);
    CHECK(s.before.x == x + 20);
    s.touch(7, Phase::kMoved, x + 40, 150);
    s.touch(7, Phase::kEnded, x + 45, 150);
    return seen + s.frames(6);
  };
  CHECK(drag(200) == "mRmmmr-");
  CHECK(drag(20) == "mLmmml-");
}

TEST_CASE_FIXTURE(Screen, "touch: two fingers pinch, and the drag that one began ends first") {
  touch(1, Phase::kBegan, 200, 150);
  touch(1, Phase::kMoved, 220, 150);
  CHECK(frames(4) == "mRm");
  touch(2, Phase::kBegan, 320, 150);
  CHECK(frames(4) == "r");
  CHECK_FALSE(gestures.take_pinch().any);
  touch(2, Phase::kMoved, 420, 150);
  const Pinch pinch = gestures.take_pinch();
  CHECK(pinch.any);
  CHECK(pinch.factor == doctest::Approx(0.5));
  CHECK(pinch.x == 320);
  CHECK(pinch.moved_x == 50);
  // What is left of it drags no more, and taps nothing.
  touch(2, Phase::kEnded, 420, 150);
  touch(1, Phase::kMoved, 260, 150);
  touch(1, Phase::kEnded, 260, 150);
  CHECK(frames(6) == "-");
}

TEST_CASE("touch: nonsense leaves no button down") {
  std::minstd_rand random(3);
  Screen s;
  for (int i = 0; i < 20000; ++i) {
    const Phase phase = static_cast<Phase>(random() % 4);
    const float x = random() % 50 == 0 ? NAN : static_cast<float>(random() % 600);
    s.touch(random() % 4, phase, x, static_cast<float>(random() % 500));
    if (random() % 3 == 0) s.frames(static_cast<int>(random() % 40));
  }
  for (uint64_t finger = 0; finger < 4; ++finger) s.touch(finger, Phase::kCancelled, 0, 0);
  s.frames(100);
  CHECK_FALSE(s.before.down[0]);
  CHECK_FALSE(s.before.down[1]);
  CHECK_FALSE(s.before.present);
}
