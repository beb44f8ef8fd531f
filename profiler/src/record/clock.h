// SPDX-License-Identifier: MIT
//
// clock.h: which clock is read, and how fast it runs. The rate of a CPU counter is never taken on trust: it is
// measured against the operating system's monotonic clock, from init on, in the background of calls that come anyway.
#ifndef FLAMELET_SRC_CLOCK_H
#define FLAMELET_SRC_CLOCK_H

#include "flamelet/recorder.h"
#include "platform/atomic.h"

namespace flamelet {

class Clock {
 public:
  void start(const flamelet_config& config);

  // Any thread.
  uint64_t now_ticks() const;
  flamelet_clock_kind kind() const { return kind_; }
  // True if the inlined record path reads this clock.
  bool is_inline() const { return kind_ == FLAMELET_CLOCK_TSC || kind_ == FLAMELET_CLOCK_CNTVCT; }

  // Measures the rate once more unless it is final, each time from twice as far as the time before. So a rate is never
  // older than half the session, and most calls only read the clock. Any thread.
  void calibrate();
  // Both calibrate first: nobody gets a rate that was never measured.
  flamelet_clock info();
  double ticks_per_second();

  // This clock and os_clock_ns(), at one moment.
  struct Pair {
    uint64_t ticks;
    uint64_t os_ns;
  };
  Pair read_pair() const;

 private:
  flamelet_clock_kind kind_ = FLAMELET_CLOCK_NONE;
  flamelet_clock_function function_ = nullptr;
  void* user_ = nullptr;
  Pair origin_ = {0, 0};
  uint64_t origin_unix_ns_ = 0;
  Atomic<uint64_t> rate_bits_;  // the double's
  Atomic<uint64_t> next_at_;    // ticks since the origin at which the rate is measured again
  Atomic<bool> final_;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CLOCK_H
