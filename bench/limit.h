// SPDX-License-Identifier: MIT
//
// limit.h: the least that any recorder with timestamps can do, which everything is compared with: a scope is two reads
// of the CPU's counter and two 16-byte stores into a ring of the thread's own. No switch, no full check, no reader.
//
// The ring is memory that escapes (the bench looks at what it holds), and forget() stands behind every scope, so no
// store can be deleted or moved from one scope to the next.
#ifndef FLAMELET_BENCH_LIMIT_H
#define FLAMELET_BENCH_LIMIT_H

#include <stdint.h>

#include "cpu_counter.h"
#include "platform/limit_ring.h"

namespace flamelet_bench {

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

#endif  // FLAMELET_BENCH_LIMIT_H
