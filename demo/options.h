// SPDX-License-Identifier: MIT
//
// The command line.
#pragma once

#include <flamelet/overlay.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trouble.h"

namespace demo {

struct Options {
  uint64_t frames = 0;  // 0 = until the window is closed
  bool headless = false;
  uint64_t seed = 1;
  int threads = 0;  // 0 = chosen from the machine
  int width = 1280;
  int height = 720;
  float scale = 0.0f;  // 0 = chosen from the renderer
  bool vsync = false;

  flamelet::OverlayMode overlay = flamelet::OverlayMode::kOff;
  bool select_worst = false;
  std::string screenshot;
  uint64_t screenshot_frame = 0;  // 0 = the last
  bool no_settings = false;
  std::string dump;
  std::string capture;
  std::string perf_log;
  std::string flight;  // folder for hitches
  bool small_memory = false;
  bool states = false;  // of threads
  std::vector<Trouble> troubles;
  double heavier_percent = 0;

  // Whether the user's settings of the overlay are loaded and saved. What is to be the same each time has none.
  bool keeps_settings() const { return !no_settings && !headless && frames == 0; }
};

// Returns nothing if the program has to end with `exit_code`: help was printed, or an error.
std::optional<Options> parse_options(int argc, char** argv, int& exit_code);

}  // namespace demo
