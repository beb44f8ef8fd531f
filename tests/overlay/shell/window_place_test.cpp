// SPDX-License-Identifier: MIT
//
// Where the overlay's window stands: at the top or the bottom, with a height that is dragged, or over all of the screen.
#include <doctest/doctest.h>

#include "overlay/hands.h"
#include "shell/overlay_state.h"

using namespace flamelet_tests;
using flamelet::ui::key_of;
using flamelet::ui::WindowPlaceChoice;

namespace {

void place(OverlayPlayer* player, WindowPlaceChoice choice) {
  player->overlay->settings.place = static_cast<int>(choice);
  player->frames(4);
}

float page_height(const OverlayPlayer& player) {
  return static_cast<float>(player.number("window_height_px"));
}

}  // namespace

TEST_CASE("overlay window: it stands at the top or the bottom, as high as its edge was dragged") {
  DrawnPlayer player;
  place(&player, WindowPlaceChoice::kBottom);
  const float height = page_height(player);
  CHECK(player.number("window_y_px") == doctest::Approx(720 - height));
  player.drag(640, 720 - height + 2, 640, 720 - height + 102);  // the upper edge
  player.frames(3);
  CHECK(page_height(player) == doctest::Approx(height - 100).epsilon(0.02));
  CHECK(player.number("window_y_px") + player.number("window_height_px") == doctest::Approx(720));
  place(&player, WindowPlaceChoice::kTop);
  CHECK(player.number("window_y_px") == 0);
  CHECK(page_height(player) == doctest::Approx(height - 100).epsilon(0.02));
}

TEST_CASE("overlay window: full screen goes along with the screen, and the height before it comes back") {
  DrawnPlayer player;
  place(&player, WindowPlaceChoice::kTop);
  const float height = page_height(player);
  const double bars = player.number("bars_width_px");
  place(&player, WindowPlaceChoice::kFullScreen);
  const double lanes_top = player.number("canvas_top_px");
  CHECK(player.number("bars_width_px") == bars);
  ImGui::GetIO().DisplaySize = ImVec2(1600, 900);
  player.frames(4);
  CHECK(player.number("bars_width_px") == doctest::Approx(bars + 320));
  CHECK(player.number("canvas_top_px") == lanes_top);
  ImGui::GetIO().DisplaySize = ImVec2(1280, 720);
  player.frames(4);
  place(&player, WindowPlaceChoice::kTop);
  CHECK(page_height(player) == height);
}

TEST_CASE("overlay window: from full screen it goes back to where it was, by its key") {
  DrawnPlayer player;
  player.drag(1278, 517, 1000, 401);  // the lower right corner
  const float height = page_height(player);
  const double bars = player.number("bars_width_px");
  REQUIRE(height < 450);
  const auto press_full = [&] {
    press_chord(&player, {key_of('y')});
    player.frames(3);
  };
  press_full();
  CHECK(page_height(player) == 720);
  press_full();
  CHECK(page_height(player) == height);
  CHECK(player.number("bars_width_px") == bars);
  place(&player, WindowPlaceChoice::kBottom);
  press_full();
  CHECK(page_height(player) == 720);
  press_full();
  CHECK(player.overlay->settings.place == static_cast<int>(WindowPlaceChoice::kBottom));
  CHECK(player.number("window_y_px") + page_height(player) == 720);
  place(&player, WindowPlaceChoice::kFree);
  CHECK(page_height(player) == height);
}

TEST_CASE("overlay window: one that begins in full screen has its usual height at the top, and where it is free") {
  OverlayPlayer player;
  place(&player, WindowPlaceChoice::kFullScreen);
  place(&player, WindowPlaceChoice::kTop);
  CHECK(page_height(player) == 518);
  OverlayPlayer other;
  place(&other, WindowPlaceChoice::kFullScreen);
  place(&other, WindowPlaceChoice::kFree);
  CHECK(page_height(other) == 518);
}

TEST_CASE("overlay window: the height that its edge was dragged to is kept in the settings") {
  DrawnPlayer player;
  place(&player, WindowPlaceChoice::kBottom);
  flamelet::overlay_settings_changed(player.overlay);
  player.drag(640, 720 - 518 + 2, 640, 720 - 518 + 102);
  player.frames(3);
  CHECK(flamelet::overlay_settings_changed(player.overlay));
  char text[4096];
  REQUIRE(flamelet::overlay_save_settings(player.overlay, text, sizeof text) < sizeof text);
  OverlayPlayer later;
  flamelet::overlay_load_settings(later.overlay, text, strlen(text));
  later.frames(4);
  CHECK(page_height(later) == page_height(player));
  CHECK(page_height(later) < 430);
}
