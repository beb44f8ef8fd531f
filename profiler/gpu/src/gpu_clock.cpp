// SPDX-License-Identifier: MIT
#include "gpu_clock.h"

namespace flamelet {

uint64_t GpuClock::predict(uint64_t ticks) const {
  const bool later = ticks >= ticks_;
  const double distance_ns = static_cast<double>(later ? ticks - ticks_ : ticks_ - ticks) * ns_per_tick_;
  // Beyond 2^62 ns (146 years) a clock is broken, and the conversion undefined.
  const uint64_t whole_ns = distance_ns < 0x1p62 ? static_cast<uint64_t>(distance_ns) : uint64_t{1} << 62;
  return later ? gpu_ns_ + whole_ns : gpu_ns_ - whole_ns;
}

int64_t GpuClock::calibrate(uint64_t raw, uint64_t ticks, double ticks_per_second) {
  const bool first = ns_per_tick_ == 0;
  ns_per_tick_ = 1e9 / ticks_per_second;
  const uint64_t predicted_ns = first ? raw : predict(ticks);
  gpu_ns_ = extend(raw, predicted_ns);
  ticks_ = ticks;
  return static_cast<int64_t>(gpu_ns_ - predicted_ns);
}

}  // namespace flamelet
