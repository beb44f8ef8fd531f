// SPDX-License-Identifier: MIT
//
// run_times.h: how long a thread ran in the chosen frames, had no processor, and slept.
#ifndef FLAMELET_OVERLAY_SRC_RUN_TIMES_H
#define FLAMELET_OVERLAY_SRC_RUN_TIMES_H

#include "lanes/viewport.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

struct Lane;

// The sums over a range of frames, of the thread of a lane.
struct RunSums {
  int64_t ran_ns, ready_ns, blocked_ns;
  uint64_t switches, major_faults, minor_faults;
  uint32_t known;   // FLAMELET_TIME_* that every frame told
  uint32_t frames;  // of which something is known
};
RunSums sum_run_times(const flamelet_capture* capture, uint32_t lane, FrameRange range);

// As rows of the tooltip of a lane's label; its states, where they are known, with their colours.
void show_run_times(Overlay& o, const Lane& lane, float column);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_RUN_TIMES_H
