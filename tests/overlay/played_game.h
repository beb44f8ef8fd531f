// SPDX-License-Identifier: MIT
//
// played_game.h: an overlay over frames of the real recorder, and where the things on its screen are.
#pragma once

#include "overlay/headless_imgui.h"
#include "overlay/recorded_game.h"

namespace flamelet_tests {

// Where the mouse goes: a quarter into the frame, on the row of this depth of the main thread's lane.
struct Played {
  explicit Played(uint32_t frames = 60) : game(options()) {
    game.frames(frames);
    player.frames(3);
  }
  static RecordedGame::Options options() {
    RecordedGame::Options options;
    options.workers = 1;
    return options;
  }
  // Whole pixels: ImGui rounds the mouse to them.
  float x(double share) const {
    return floorf(static_cast<float>(player.number("canvas_left_px") + share * player.number("canvas_width_px")));
  }
  float row(int depth) const {
    return static_cast<float>(player.number("canvas_top_px") + 3 + (depth + 0.5) * player.number("row_height_px"));
  }
  float bar(double from_right) const {
    return static_cast<float>(player.number("bars_left_px") + player.number("bars_width_px") - 2.5 - from_right * 5);
  }
  float bars_y() const { return static_cast<float>(player.number("bars_top_px") + 20); }
  double view_ns() const { return player.number("view_end_ns") - player.number("view_begin_ns"); }
  double time_at(float pixel) const {
    const double share =
        (static_cast<double>(pixel) - player.number("canvas_left_px")) / player.number("canvas_width_px");
    return player.number("view_begin_ns") + share * view_ns();
  }

  RecordedGame game;
  OverlayPlayer player;
};

template <uint32_t kFrames>
struct PlayedFrames : Played {
  PlayedFrames() : Played(kFrames) {}
};

}  // namespace flamelet_tests
