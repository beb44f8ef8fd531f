// SPDX-License-Identifier: MIT
//
// bottleneck.h: what limits the frames' rate, as one word. The rule stands in docs/overlay.md.
#ifndef FLAMELET_OVERLAY_SRC_BOTTLENECK_H
#define FLAMELET_OVERLAY_SRC_BOTTLENECK_H

#include <stdint.h>

namespace flamelet::ui {

enum class Bottleneck : uint32_t {
  kUnknown,
  kCpu,       // one thread works all the time
  kGpu,       // the GPU does
  kVsync,     // neither does, and the frames are steady: something else sets the rate
  kBalanced,  // both do; or neither, and the frames are not steady
  kWaits,     // no thread does, and nothing is known of the GPU
};

// Figures of the newest frames.
struct BottleneckInput {
  int64_t frame_ns = 0;   // the median frame; 0 = none
  int64_t spread_ns = 0;  // from the 10th to the 90th percentile
  int64_t cpu_ns = -1;    // a frame's work of the thread that works the most; negative = not known
  int64_t gpu_ns = -1;    // and of the GPU
};

Bottleneck find_bottleneck(const BottleneckInput& input);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_BOTTLENECK_H
