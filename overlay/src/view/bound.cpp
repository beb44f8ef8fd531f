// SPDX-License-Identifier: MIT
#include "view/bound.h"

namespace flamelet::ui {

namespace {

// At least nine tenths of a frame.
bool is_busy(int64_t work_ns, int64_t frame_ns) {
  return work_ns >= frame_ns - frame_ns / 10;
}

}  // namespace

Bound find_bound(const BoundInput& input) {
  if (input.frame_ns <= 0 || (input.cpu_ns < 0 && input.gpu_ns < 0)) return Bound::kUnknown;
  const bool cpu = is_busy(input.cpu_ns, input.frame_ns);
  const bool gpu = is_busy(input.gpu_ns, input.frame_ns);
  if (cpu && gpu) return Bound::kBalanced;
  if (cpu) return Bound::kCpu;
  if (gpu) return Bound::kGpu;
  if (input.cpu_ns < 0) return Bound::kUnknown;
  if (input.gpu_ns < 0) return Bound::kWaits;
  return input.spread_ns <= input.frame_ns / 10 ? Bound::kVsync : Bound::kBalanced;
}

}  // namespace flamelet::ui
