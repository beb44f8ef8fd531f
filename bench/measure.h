// SPDX-License-Identifier: MIT
//
// measure.h: what every part of the bench needs: the time, a pinned thread, percentiles, the process's memory; and the
// limit, which everything is compared with.
#ifndef FLAMELET_BENCH_MEASURE_H
#define FLAMELET_BENCH_MEASURE_H

#include <stdint.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/limit_ring.h"

namespace flamelet_bench {

// The CPU's counter, read in the way that costs least.
__attribute__((always_inline)) inline uint64_t now_ticks() {
#ifdef __aarch64__
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return __builtin_ia32_rdtsc();
#endif
}

// The rate of now_ticks(), measured against the OS clock at the first call.
double ns_per_tick();

// What the calling thread has used, whatever else ran: for what takes milliseconds and waits for nobody.
double thread_cpu_ns();

// CPUs that this process may run on.
std::vector<uint32_t> usable_cpus();
void pin_thread(uint32_t cpu);

// 0 <= fraction <= 1. Reorders the samples.
double percentile(std::vector<double>* samples, double fraction);
double mean(const std::vector<double>& samples);

size_t resident_bytes();

// ---- the limit
//
// The least that any recorder with timestamps can do: a scope is two reads of the CPU's counter and two 16-byte stores into a
// ring of the thread's own. No switch, no full check, no reader.
//
// The ring is memory that escapes (the bench looks at what it holds), and forget() stands behind every scope, so no
// store can be deleted or moved from one scope to the next.

// As many bytes as the recorder's ring, so that both write through the same caches.
constexpr uint64_t kLimitRingBytes = uint64_t{32} << 20;
constexpr uint64_t kLimitMask = kLimitRingBytes / sizeof(LimitEvent) - 1;

__attribute__((always_inline)) inline void limit_record(const void* site) {
  LimitRing* const ring = limit_ring();
  LimitEvent* event = &ring->events[ring->index++ & kLimitMask];
  event->ticks = now_ticks();
  event->site = site;
}

// Behind each scope of every contender: the compiler knows nothing of memory after it. Not inside the scope, where it
// would force the scope object of some contenders out of its register.
__attribute__((always_inline)) inline void forget() {
  __asm__ volatile("" ::: "memory");
}

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_MEASURE_H
