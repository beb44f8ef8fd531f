// SPDX-License-Identifier: MIT
#include "lanes/run_line.h"

#include <algorithm>

namespace flamelet::ui {

bool run_shares(const flamelet_thread_time& time, const flamelet_frame_info& frame, RunShares* shares) {
  const double frame_ns = static_cast<double>(frame.end_ns - frame.begin_ns);
  if ((time.known & FLAMELET_TIME_RAN) == 0 || !(frame_ns > 0)) return false;
  // Mark and question are not the same moment, so the sum may be a little more than the frame.
  shares->ran = std::min(static_cast<double>(time.ran_ns) / frame_ns, 1.0);
  shares->ready = std::min(static_cast<double>(time.ready_ns) / frame_ns, 1 - shares->ran);
  shares->knows_ready = (time.known & FLAMELET_TIME_READY) != 0;
  return true;
}

RunSums sum_run_times(const flamelet_capture* capture, uint32_t lane, FrameRange range) {
  RunSums sums = {};
  sums.known = UINT32_MAX;
  flamelet_frame_info frame;
  flamelet_thread_time time;
  size_t position = range.valid ? flamelet_capture_find_frame(capture, range.first) : SIZE_MAX;
  for (; flamelet_capture_frame(capture, position, &frame) && frame.index <= range.last; ++position) {
    if (!flamelet_capture_thread_time(capture, position, lane, &time)) continue;
    ++sums.frames;
    sums.known &= time.known;
    sums.ran_ns += time.ran_ns;
    sums.ready_ns += time.ready_ns;
    sums.blocked_ns += std::max<int64_t>(frame.end_ns - frame.begin_ns - time.ran_ns - time.ready_ns, 0);
    sums.switches += time.switches;
    sums.major_faults += time.major_faults;
    sums.minor_faults += time.minor_faults;
  }
  if (sums.frames == 0) sums.known = 0;
  return sums;
}

}  // namespace flamelet::ui
