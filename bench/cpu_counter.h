// SPDX-License-Identifier: MIT
//
// cpu_counter.h: the CPU's counter, read in the way that costs least.
#ifndef FLAMELET_BENCH_CPU_COUNTER_H
#define FLAMELET_BENCH_CPU_COUNTER_H

#include <stdint.h>

namespace flamelet_bench {

__attribute__((always_inline)) inline uint64_t now_ticks() {
#ifdef __aarch64__
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return __builtin_ia32_rdtsc();
#endif
}

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_CPU_COUNTER_H
