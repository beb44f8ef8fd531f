// SPDX-License-Identifier: MIT
//
// measure.h: what every part of the bench needs: the time, a pinned thread, percentiles, the process's memory; the limit,
// which everything is compared with; and what is timed.
#pragma once

#include <stdint.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "flamelet/lock.h"

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

// Where a thread has its ring, found by the least that the system allows.
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

// ---- what is timed

// A frame is a function that records `scopes` scopes in a loop; every contender has one, and with it the frame of the limit
// that has the same shape.

constexpr uint32_t kScopesPerFrame = 1000;

struct Row {
  const char* name;
  void (*frame)(uint32_t scopes);
  void (*limit)(uint32_t scopes);
  void (*before_frame)() = nullptr;     // not timed
  uint64_t (*events)() = nullptr;       // recorded so far, in all; NULL = cannot be asked
  uint32_t events_per_frame = 0;        // what it must grow by: a contender that records less is not one
  void (*set_enabled)(bool) = nullptr;  // not NULL: measured while this is false
  uint32_t threads = 1;                 // that run the frame at the same time, each pinned
  double goal = 0;                      // ratio to the limit; 0 = none
};

// The limit's frames.
void limit_flat(uint32_t scopes);
void limit_nested(uint32_t scopes);
void limit_work(uint32_t scopes);
// Gives the calling thread its ring for the limit, and takes it back.
void open_limit_ring();
void close_limit_ring();
// Whether the newest events of the calling thread's ring are those of a frame that began at `begin_ticks`.
bool limit_recorded(uint64_t begin_ticks);

// Rows of Flamelet itself; the recorder runs. `cpus`: how many there are.
std::vector<Row> flamelet_rows(std::size_t cpus);
// Through a shared library, if it was built: a plug-in that records into a Flamelet of its own.
std::vector<Row> shared_library_rows();
// By the macros of other profilers: recorded by Flamelet's shims, or by those themselves if CMake was told where they are.
std::vector<Row> other_rows();

// 27 ns of something that the CPU cannot do ahead of time: each step needs the one before.
extern uint32_t work_steps;
void calibrate_work();
__attribute__((always_inline)) inline void work(uint64_t* state) {
  uint64_t value = *state;
  for (uint32_t i = 0; i < work_steps; ++i) value = value * 0x5851F42D4C957F2Du + 1;
  *state = value;
}

// What the bench finds in the plug-in, as the symbol "flamelet_bench_module".
struct SharedModule {
  bool (*start)();
  void (*flat)(uint32_t scopes);
  void (*function_calls)(uint32_t scopes);
  uint64_t (*events)();
};

// What is recorded where a lock is not free, without the time that a thread would wait: another thread holds it, in a scope,
// and sleeps.
class HeldLock {
 public:
  HeldLock() {
    ready_.lock();
    done_.lock();
    holder_ = std::thread([this] {
      FLAMELET_SCOPE("holds");
      flamelet_lock_taken(&lock_);
      ready_.unlock();
      done_.lock();
    });
    ready_.lock();
  }
  ~HeldLock() {
    done_.unlock();
    holder_.join();
  }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

  // A wait with its hand-over: what two threads record.
  void wait() const {
    const flamelet_wait wait = flamelet_wait_begin(&lock_, FLAMELET_WAIT_LOCK);
    flamelet_notify(&lock_);
    flamelet_wait_end(&lock_, wait, true);
  }

 private:
  mutable flamelet_lock lock_ = {"lock", nullptr, 0, 0, 0};
  std::mutex ready_, done_;
  std::thread holder_;
};

}  // namespace flamelet_bench
