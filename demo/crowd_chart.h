// SPDX-License-Identifier: MIT
//
// How crowded the town is: a chart that is made a piece in each step, on whichever worker comes to it. So it is a job on
// a fiber, whose scope goes from thread to thread.
#pragma once

#include <flamelet/recorder.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "agents.h"

namespace demo {

class CrowdChart {
 public:
  CrowdChart();

  // The next piece.
  void step(const Agents& agents);
  // Lanterns in the most crowded cell of the last whole chart.
  uint32_t most() const { return most_; }

 private:
  static constexpr size_t kPieces = 10;
  static constexpr int kSide = 16;

  const uint32_t fiber_;  // 0 = none
  flamelet_id scope_ = 0;
  size_t piece_ = 0;
  std::array<uint32_t, size_t{kSide} * kSide> cells_{};
  uint32_t most_ = 0;
};

}  // namespace demo
