// SPDX-License-Identifier: MIT
//
// frame_bootstrap.h: how long frames take, with intervals. Frames of one run are not independent of each other: a run is
// slow as a whole, and a slow frame seldom comes alone. So runs are drawn first, with replacement, and then blocks of
// consecutive frames within each (two-stage bootstrap: Davison and Hinkley 1997, Bootstrap Methods, 3.8; circular blocks:
// Politis and Romano 1992; of n^(1/3) frames: Kuensch 1989). An interval has the middle 95 % of what the draws give
// (percentile interval: Efron and Tibshirani 1993, 13).
#ifndef FLAMELET_TOOLS_FRAME_BOOTSTRAP_H
#define FLAMELET_TOOLS_FRAME_BOOTSTRAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flamelet::tools {

enum FrameFigure : size_t { kP50, kP95, kP99, kOverBudget, kFrameFigures };

// The durations rise. Percentiles are of the nearest rank; the share is that above the budget.
double frame_figure(FrameFigure figure, const std::vector<int64_t>& sorted_ns, double budget_ns);

struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;
};

// All frames of all runs of each side.
struct FrameIntervals {
  Interval side[2][kFrameFigures];  // nanoseconds; kOverBudget: a share of 1
  Interval change[kFrameFigures];   // second / first - 1; kOverBudget: second - first
};

// runs[side][run] has the durations of its frames in their order, at least one.
FrameIntervals bootstrap_frames(const std::vector<std::vector<int64_t>> (&runs)[2], double budget_ns, size_t draws,
                                uint64_t seed);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_FRAME_BOOTSTRAP_H
