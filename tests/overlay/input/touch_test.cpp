// SPDX-License-Identifier: MIT
//
// Where fingers pan. What each gesture does is in gestures_test.cpp.
#include <doctest/doctest.h>

#include "lanes/lanes_page.h"
#include "overlay/gesture_scene.h"

using namespace flamelet_tests;

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
