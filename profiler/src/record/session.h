// SPDX-License-Identifier: MIT
//
// session.h: whether the recorder runs, with which limits, and who uses its memory. One static object, constant-
// initialized, so that an event before main(), after exit or in a thread-local's destructor finds it valid.
//
// A session is the time from one init to its shutdown. Its memory, one block, is divided among pages (ring.h), names
// (names.h) and fibers (fiber.h). The shutdown frees it, which is why every use of it stands between enter() and leave()
// (thread.h) or under a SessionGuard.
#ifndef FLAMELET_SRC_SESSION_H
#define FLAMELET_SRC_SESSION_H

#include "flamelet/recorder.h"
#include "platform/atomic.h"
#include "platform/process.h"
#include "record/build.h"
#include "record/clock.h"
#include "record/counts.h"
#include "record/session_guard.h"

namespace flamelet {

enum class State : uint32_t { kStopped, kStopping, kRunning };

struct Recorder {
  Atomic<State> state;
  // The mode that tracks should have: off (not running), ends only (disabled), calls (recording).
  Atomic<uint32_t> mode;
  Atomic<uint32_t> control;  // who is inside init, shutdown or set_enabled
  Atomic<uint32_t> session;  // counts inits
  // Changes when all sites have to register again: with each init, and when a category is switched. Sites' words and the
  // tracks' gates carry it. Less than FLAMELET_SITE_OFF_, and not 0.
  Atomic<uint32_t> site_number;
  Atomic<uint32_t> users;  // SessionGuards
  bool barrier_works;      // the process-wide barrier of the shutdown exists here

  flamelet_config config;
  BuildInfo build;
  size_t memory_bytes;
  char* memory;
  Clock clock;
  SessionCounts counts;           // of what belongs to no track
  Atomic<uint32_t> measure_lock;  // flamelet_measure_scope_ns() runs
};

extern Recorder recorder;

// One control call at a time: flamelet_set_enabled(), and what switches categories. Short; waits for init and shutdown.
void lock_control();
void unlock_control();
// Under that lock. What the sites' categories say now holds for all that begins later.
void register_sites_again();

// Waits for a condition, not longer than that; false if it never held.
template <class Condition>
bool wait_for(uint64_t limit_ns, Condition condition) {
  const uint64_t start = os_clock_ns();
  while (!condition()) {
    if (os_clock_ns() - start > limit_ns) return false;
    yield_thread();
  }
  return true;
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_SESSION_H
