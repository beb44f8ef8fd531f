// SPDX-License-Identifier: MIT
#include "gpu_clock.h"

namespace flamelet {

uint64_t GpuClock::predict(uint64_t recorder_ticks) const {
  const bool later = recorder_ticks >= recorder_ticks_;
  const uint64_t since = later ? recorder_ticks - recorder_ticks_ : recorder_ticks_ - recorder_ticks;
  const double distance = static_cast<double>(since) * (rate_ / recorder_rate_);
  // Beyond 2^62 ticks a clock is broken, and the conversion undefined.
  const uint64_t whole = distance < 0x1p62 ? static_cast<uint64_t>(distance) : uint64_t{1} << 62;
  return later ? gpu_ticks_ + whole : gpu_ticks_ - whole;
}

int64_t GpuClock::calibrate(uint64_t raw, uint64_t recorder_ticks, double recorder_rate) {
  const bool first = recorder_rate_ == 0;
  recorder_rate_ = recorder_rate;
  const uint64_t predicted = first ? raw : predict(recorder_ticks);
  gpu_ticks_ = extend(raw, predicted);
  recorder_ticks_ = recorder_ticks;
  return static_cast<int64_t>(gpu_ticks_ - predicted);
}

}  // namespace flamelet
