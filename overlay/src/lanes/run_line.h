// SPDX-License-Identifier: MIT
//
// run_line.h: how long a thread ran in each frame, as a line in three parts: it ran; it was ready and had no processor; it
// slept or was blocked. The parts show how much of the frame, not when.
#ifndef FLAMELET_OVERLAY_SRC_RUN_LINE_H
#define FLAMELET_OVERLAY_SRC_RUN_LINE_H

#include "flamelet/capture.h"
#include "lanes/viewport.h"

namespace flamelet::ui {

// Shares of a frame. What is left is blocked or asleep; without `knows_ready`, ready is among it.
struct RunShares {
  double ran, ready;
  bool knows_ready;
};
// False: nothing is known.
bool run_shares(const flamelet_thread_time& time, const flamelet_frame_info& frame, RunShares* shares);

// The sums over a range of frames, of the thread of a lane.
struct RunSums {
  int64_t ran_ns, ready_ns, blocked_ns;
  uint64_t switches, major_faults, minor_faults;
  uint32_t known;   // FLAMELET_TIME_* that every frame told
  uint32_t frames;  // of which something is known
};
RunSums sum_run_times(const flamelet_capture* capture, uint32_t lane, FrameRange range);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_RUN_LINE_H
