// SPDX-License-Identifier: MIT
//
// limit_ring.h: where a thread has its ring for the limit, found by the least that the system allows.
#ifndef FLAMELET_BENCH_LIMIT_RING_H
#define FLAMELET_BENCH_LIMIT_RING_H

#include <stdint.h>

namespace flamelet_bench {

struct LimitEvent {
  uint64_t ticks;
  const void* site;  // NULL = an end
};
static_assert(sizeof(LimitEvent) == 16);

struct LimitRing {
  LimitEvent* events;
  uint64_t index;
};

#ifdef _WIN32
// __thread is a call there. A slot of TlsAlloc() below 64 lies in the thread's own block; what it holds may stay in a
// register from scope to scope. make_limit_ring() fills it.
extern uint64_t limit_slot;
__attribute__((always_inline)) inline LimitRing* limit_ring() {
  LimitRing* ring;
  __asm__("movq %%gs:0x1480(,%1,8), %0" : "=r"(ring) : "r"(limit_slot));
  return ring;
}
#else
// __thread: a thread_local with extern linkage would be reached through a call that asks whether it is constructed.
extern __thread LimitRing limit_ring_of_thread;
__attribute__((always_inline)) inline LimitRing* limit_ring() {
  return &limit_ring_of_thread;
}
#endif

// Gives the calling thread a ring, which is all 0: what limit_ring() returns from its next function on.
LimitRing* make_limit_ring();

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_LIMIT_RING_H
