// SPDX-License-Identifier: MIT
#include "hud/bottleneck.h"

namespace flamelet::ui {

namespace {

// At least nine tenths of a frame.
bool is_busy(int64_t work_ns, int64_t frame_ns) {
  return work_ns >= frame_ns - frame_ns / 10;
}

}  // namespace

Bottleneck find_bottleneck(const BottleneckInput& input) {
  if (input.frame_ns <= 0 || (input.cpu_ns < 0 && input.gpu_ns < 0)) return Bottleneck::kUnknown;
  const bool cpu = is_busy(input.cpu_ns, input.frame_ns);
  const bool gpu = is_busy(input.gpu_ns, input.frame_ns);
  if (cpu && gpu) return Bottleneck::kBalanced;
  if (cpu) return Bottleneck::kCpu;
  if (gpu) return Bottleneck::kGpu;
  if (input.cpu_ns < 0) return Bottleneck::kUnknown;
  if (input.gpu_ns < 0) return Bottleneck::kWaits;
  return input.spread_ns <= input.frame_ns / 10 ? Bottleneck::kVsync : Bottleneck::kBalanced;
}

}  // namespace flamelet::ui
