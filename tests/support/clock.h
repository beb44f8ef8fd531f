// SPDX-License-Identifier: MIT
//
// clock.h: clocks for a recorder that tests move.
#pragma once

#include <atomic>
#include <cstdint>

#include "flamelet/recorder.h"

namespace recorder_test {

// A clock that moves by `step` with every reading, and by hand.
struct ManualClock {
  explicit ManualClock(uint64_t from = 1000, uint64_t by = 10) : ticks(from), step(by) {}

  std::atomic<uint64_t> ticks;
  std::atomic<uint64_t> step;

  static uint64_t read(void* self) {
    ManualClock* clock = static_cast<ManualClock*>(self);
    return clock->ticks.fetch_add(clock->step.load());
  }
};

inline flamelet_config with_clock(flamelet_config config, ManualClock* clock, double ticks_per_second = 1e9) {
  config.clock = ManualClock::read;
  config.clock_user = clock;
  config.clock_ticks_per_second = ticks_per_second;
  return config;
}

// The time of a clock that stands until a test moves it, and of one that each thread has for itself: threads that run
// one after the other can overlap on it.
inline uint64_t now_ns = 0;
inline thread_local uint64_t thread_now_ns = 0;

inline flamelet_config with_still_clock(flamelet_config config, uint64_t begin_ns, double ticks_per_second = 1e9) {
  now_ns = begin_ns;
  config.clock = [](void*) { return now_ns; };
  config.clock_ticks_per_second = ticks_per_second;
  return config;
}

inline flamelet_config with_thread_clock(flamelet_config config, uint64_t begin_ns) {
  thread_now_ns = begin_ns;
  config.clock = [](void*) { return thread_now_ns; };
  config.clock_ticks_per_second = 1e9;
  return config;
}

}  // namespace recorder_test
