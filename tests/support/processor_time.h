// SPDX-License-Identifier: MIT
//
// processor_time.h: what a thread has run for, and work that takes as long as it should. (POSIX)
#pragma once

#include <stdint.h>
#include <time.h>

namespace recorder_test {

inline int64_t cpu_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Works until this thread has run for so long.
inline void burn(int64_t ns) {
  const int64_t until = cpu_ns() + ns;
  while (cpu_ns() < until) {
  }
}

}  // namespace recorder_test
