// SPDX-License-Identifier: MIT
//
// The numbers that are printed when the game ends.
#pragma once

#include <flamelet/gpu.h>
#include <flamelet/overlay.h>

#include <cstdio>
#include <vector>

namespace demo {

struct SummaryInput {
  std::vector<float> frame_ms;  // of every frame that was drawn
  size_t blocks = 0;
  size_t lanterns = 0;
  uint32_t lanterns_home = 0;
  uint32_t explosions = 0;
  flamelet::OverlayStats overlay = {};
  const flamelet_gpu* gpu = nullptr;  // may be NULL
};

// Needs the recorder still running: reads what its ring holds.
void print_summary(std::FILE* file, SummaryInput input);

}  // namespace demo
