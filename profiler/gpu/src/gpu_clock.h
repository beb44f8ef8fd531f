// SPDX-License-Identifier: MIT
//
// gpu_clock.h: the GPU's clock on a 64-bit line, and where it must be at a time of the recorder's clock.
//
// A GPU counts nanoseconds in as few as 30 bits (OpenGL 4.6 core, 4.2.3), so a reading is one of many times. The
// recorder's clock tells which: the prediction from the newest calibration is far better than half a turn, as long as
// calibrations are closer than the clocks need to drift apart by that.
#ifndef FLAMELET_GPU_SRC_GPU_CLOCK_H
#define FLAMELET_GPU_SRC_GPU_CLOCK_H

#include <cstdint>

namespace flamelet {

class GpuClock {
 public:
  explicit GpuClock(uint32_t bits) : unused_bits_(64 - bits) {}

  // The time that reads as `raw` and is nearest to `near_ns`. With 64 bits it is `raw` itself.
  uint64_t extend(uint64_t raw, uint64_t near_ns) const {
    const uint64_t ahead = (raw - near_ns) << unused_bits_;
    return near_ns + static_cast<uint64_t>(static_cast<int64_t>(ahead) >> unused_bits_);
  }

  // The GPU's time when the recorder's clock read `ticks`.
  uint64_t predict(uint64_t ticks) const;

  // The clock read `raw` at `ticks`. Returns how many nanoseconds it had gone ahead of the prediction.
  int64_t calibrate(uint64_t raw, uint64_t ticks, double ticks_per_second);

  // Of the newest calibration.
  uint64_t gpu_ns() const { return gpu_ns_; }
  uint64_t ticks() const { return ticks_; }
  double ns_per_tick() const { return ns_per_tick_; }

 private:
  uint32_t unused_bits_;
  uint64_t gpu_ns_ = 0;
  uint64_t ticks_ = 0;
  double ns_per_tick_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_GPU_SRC_GPU_CLOCK_H
