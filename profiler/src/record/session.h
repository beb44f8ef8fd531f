// SPDX-License-Identifier: MIT
//
// session.h: whether the recorder runs, with which limits, and who uses its memory. One static object, constant-
// initialized, so that an event before main(), after exit or in a thread-local's destructor finds it valid.
//
// A session is the time from one init to its shutdown. Its memory, one block, is divided among pages (track.h), names
// (names.h) and fibers (thread.h). The shutdown frees it, which is why every use of it stands between enter() and leave()
// (thread.h) or under a SessionGuard.
#ifndef FLAMELET_SRC_SESSION_H
#define FLAMELET_SRC_SESSION_H

#include <stdint.h>

#include "flamelet/base.h"
#include "flamelet/recorder.h"
#include "platform/atomic.h"
#include "platform/process.h"
#include "record/clock.h"

namespace flamelet {

// Keeps the session's memory alive. Whoever reads pages or tables outside the record path holds one.
// Exported for the libraries on top of the recorder.

// False: no recorder runs. Else the shutdown waits for the release. Any thread; does not wait.
FLAMELET_API bool hold_session();
FLAMELET_API void release_session();

class SessionGuard {
 public:
  SessionGuard() : held_(hold_session()) {}
  ~SessionGuard() {
    if (held_) release_session();
  }
  SessionGuard(const SessionGuard&) = delete;
  SessionGuard& operator=(const SessionGuard&) = delete;
  explicit operator bool() const { return held_; }

 private:
  const bool held_;
};

// What is dropped, repaired or noticed. Each set of counts is added, cleared and read as a whole.

// Any thread; relaxed, because counts order nothing.
template <class Which, uint32_t kSize>
class Counts {
 public:
  void add(Which which, uint64_t amount = 1) { counts_[which].fetch_add_relaxed(amount); }
  void add(const Counts& other) {
    for (uint32_t i = 0; i < kSize; ++i) counts_[i].fetch_add_relaxed(other.counts_[i].load_relaxed());
  }
  void clear() {
    for (Atomic<uint64_t>& count : counts_) count.store_relaxed(0);
  }
  uint64_t operator[](Which which) const { return counts_[which].load_relaxed(); }

 private:
  Atomic<uint64_t> counts_[kSize];
};

// What flamelet_stats says about each of them.
enum TrackCount : uint32_t { kMissingEnds, kExtraEnds, kDroppedDepth, kDroppedNoPage, kDroppedNested, kTrackCounts };
using TrackCounts = Counts<TrackCount, kTrackCounts>;

enum SessionCount : uint32_t {
  kDroppedNoTrack,
  kDroppedFiber,
  kDroppedFrame,
  kDroppedSubmit,
  kSubmitCut,
  kFiberMisuse,
  kStringsOverflowed,
  kSitesOverflowed,
  kInternedOnTheSpot,
  kSessionCounts,
};
using SessionCounts = Counts<SessionCount, kSessionCounts>;

// What a capture and a ring file keep of these (flamelet_capture_dropped). Nothing but counts. Older files lack those from
// `waiting` on.
struct DropCounts {
  uint64_t no_track, no_page, depth, nested, fiber, frame, submit, strings, sites;
  uint64_t waiting;  // submitted begins and ends without a partner now
  uint64_t extra_ends, fiber_misuse;
  uint64_t submit_cut;
};
// Under a SessionGuard. Cost: a look at each track that there has been, up to FLAMELET_MAX_TRACKS.
DropCounts count_drops();

// Counts what DropCounts has, in the ring's file, too, where it outlives a process that ends without a shutdown. Cold: what
// records is not to be slower for what drops. Without a track: `track` is NULL.
struct Track;
__attribute__((cold, noinline)) void count_drop(Track* track, TrackCount which);
__attribute__((cold, noinline)) void count_drop(SessionCount which, uint64_t amount = 1);

// How this library was built, and what the program says of itself. Captures and ring files keep it.

// As it is saved. Each text ends with a 0, with zeros behind it.
struct BuildInfo {
  char library[128];  // "Flamelet 0.1.0, g++ 12.2.0, x86-64, inlined scopes, optimized"; "" if it is not known
  char note[128];     // flamelet_config.note
};

// `note` may be NULL.
BuildInfo describe_build(const char* note);
// Makes a description from a file valid, whatever it holds.
BuildInfo checked(const BuildInfo& info);

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

// Switches (switches.cpp): when threads were put on a processor and taken off it. The system notes it; whoever drains copies
// it into a track of its own, with the ids of the threads' tracks and the recorder's time, so threads that record have
// nothing to do.

// With a session: when it starts, after its clock and before anybody can call.
void begin_switches();
// Returns how many were copied; none while another thread does it. The caller keeps the session.
size_t drain_switches();
void end_switches();
// In the child of a fork.
void forget_switches();

void get_switch_stats(flamelet_stats* stats);
flamelet_thread_states switch_states();

}  // namespace flamelet

#endif  // FLAMELET_SRC_SESSION_H
