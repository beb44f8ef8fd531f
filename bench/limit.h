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

namespace flamelet_bench {

struct LimitEvent {
  uint64_t ticks;
  const void* site;  // NULL = an end
};
static_assert(sizeof(LimitEvent) == 16);

// As many bytes as the recorder's ring, so that both write through the same caches.
constexpr uint64_t kLimitRingBytes = uint64_t{32} << 20;
constexpr uint64_t kLimitMask = kLimitRingBytes / sizeof(LimitEvent) - 1;

struct LimitRing {
  LimitEvent* events;
  uint64_t index;
};
// __thread: a thread_local with extern linkage would be reached through a call that asks whether it is constructed.
extern __thread LimitRing limit_ring;

__attribute__((always_inline)) inline void limit_record(const void* site) {
  LimitEvent* event = &limit_ring.events[limit_ring.index++ & kLimitMask];
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
