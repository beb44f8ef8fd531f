// SPDX-License-Identifier: MIT
//
// gpu_clock.h: the GPU's clock on a 64-bit line, and where it must be at a time of the recorder's clock.
//
// A GPU may count in as few as 30 bits (OpenGL 4.6 core, 4.2.3), so a reading is one of many times. The recorder's clock
// tells which: the prediction from the newest calibration is far better than half a turn, as long as calibrations are
// closer than the clocks need to drift apart by that.
#ifndef FLAMELET_GPU_SRC_GPU_CLOCK_H
#define FLAMELET_GPU_SRC_GPU_CLOCK_H

#include <cstdint>

namespace flamelet {

class GpuClock {
 public:
  GpuClock(uint32_t bits, double ticks_per_second) : unused_bits_(64 - bits), rate_(ticks_per_second) {}

  // The time that reads as `raw` and is nearest to `near`. With 64 bits it is `raw` itself.
  uint64_t extend(uint64_t raw, uint64_t near) const {
    const uint64_t ahead = (raw - near) << unused_bits_;
    return near + static_cast<uint64_t>(static_cast<int64_t>(ahead) >> unused_bits_);
  }

  // The GPU's time when the recorder's clock read `recorder_ticks`.
  uint64_t predict(uint64_t recorder_ticks) const;

  // The clock read `raw` at `recorder_ticks`. Returns how many ticks it had gone ahead of the prediction.
  int64_t calibrate(uint64_t raw, uint64_t recorder_ticks, double recorder_rate);

  double ticks_per_second() const { return rate_; }
  // From the newest calibration.
  uint64_t gpu_ticks() const { return gpu_ticks_; }
  uint64_t recorder_ticks() const { return recorder_ticks_; }
  double recorder_ns_per_tick() const { return 1e9 / recorder_rate_; }

 private:
  uint32_t unused_bits_;
  double rate_;
  uint64_t gpu_ticks_ = 0;
  uint64_t recorder_ticks_ = 0;
  double recorder_rate_ = 0;  // 0 = not calibrated yet
};

}  // namespace flamelet

#endif  // FLAMELET_GPU_SRC_GPU_CLOCK_H
