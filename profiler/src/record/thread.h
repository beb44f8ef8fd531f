// SPDX-License-Identifier: MIT
//
// thread.h: how a thread gets a track, enters and leaves it, and gives it back when it exits.
#ifndef FLAMELET_SRC_THREAD_H
#define FLAMELET_SRC_THREAD_H

#include "flamelet/detail/on_top.h"
#include "flamelet/detail/record.h"
#include "flamelet/recorder.h"
#include "platform/atomic.h"
#include "record/track.h"

namespace flamelet {

// This thread: what belongs to the calling thread (flamelet_thread_): above all where it points, the head of its track or
// one that stands for none. Only the thread and its signal handlers use it, and each handler puts back what it found.

// What threads without a track point at: closed gate, busy depth. Its mode says whether it is worth asking.
#ifdef FLAMELET_THREAD_IN_SLOTS_
static constexpr flamelet_track_head_& unregistered_head = flamelet_no_track_;
#else
extern flamelet_track_head_ unregistered_head;
#endif
// ... and those whose track was given back: later destructors of the thread record nothing.
extern flamelet_track_head_ exited_head;

// Before the first session. False: the system has no room for it.
bool prepare_threads();

flamelet_thread_* this_thread();
void set_this_thread(const flamelet_thread_& now);
flamelet_track_head_* current_head();
void set_current_head(flamelet_track_head_* head);
// Returns what it was. No signal handler comes in between.
flamelet_track_head_* exchange_current_head(flamelet_track_head_* head);

// How a call enters a track, in the low two bits; above them, how many events are missing if there is no track. Of a scope
// those are both, because its end gets the id 0, or is not called at all. One number, because enter() is on each slow path.
enum class Entry : uint32_t {
  kAsk = 0,              // nothing is recorded: only while recording
  kNew = 1 << 2,         // something begins: only while recording
  kPair = 2 << 2,        // something begins that has an end
  kEnd = 1,              // something that the calling thread began ends: also while switched off
  kName = 2,             // a name is set: also while disabled
  kFinish = 1 << 2 | 2,  // something that any thread began ends
};
inline bool is_new(Entry entry) {
  return (static_cast<uint32_t>(entry) & 3) == 0;
}
inline bool may_be_disabled(Entry entry) {
  return (static_cast<uint32_t>(entry) & 3) == 2;
}
inline uint32_t events_of(Entry entry) {
  return static_cast<uint32_t>(entry) >> 2;
}
// The calling thread's track with its depth busy until leave(). NULL: nothing can be recorded now (off, no slot, nested
// in a signal handler); what is dropped by that is counted.
Track* enter(Entry entry, uint32_t* depth);
void leave(Track* track, uint32_t depth);

// Whether a thread that points at it has a track, or is about to get one.
bool is_recording_head(const flamelet_track_head_* head);

// The id of the calling thread's track; 0 if it has recorded nothing in this session.
uint32_t this_thread_id();

// Claims a track that the calling thread gives back when it exits. NULL: not recording, or none left (then that many events
// are counted).
Track* claim_for_this_thread(bool while_disabled, uint32_t events);

// The calling thread exits. Later events of it are ignored.
void end_thread();

// For the shutdown, after the mode was cleared everywhere: true once no thread is inside the record path. `barrier`: the
// process-wide barrier was passed since.
bool threads_are_outside(bool barrier);
// In the child of a fork: the other threads do not exist.
void forget_other_threads();

// Signal: the tracks that a thread's signal handlers record on.

// Is it one of the calling thread's: its own, or one of its signal handlers'?
bool is_own_track(const Track* track);
// For the exit: leaves the handlers that the calling thread ends in; then takes the tracks that handlers had, one by one,
// until there is none (NULL).
void leave_signal_handlers();
Track* take_signal_track();

// ---- What record.cpp does for fast_calls.cpp ----------------------------------------------------------------------

// flamelet_begin(), whatever it meets.
__attribute__((cold)) flamelet_id begin_by_name(const char* name, const char* category, const char* object);

// A begin by call gave 0. The thread is not entered.
void count_unrecorded();
// Whether an end by call belongs to a begin that was not recorded. The thread is not entered.
bool ends_unrecorded();

// ---- Fibers (fiber.cpp) -------------------------------------------------------------------------------------------

// The stacks of open scopes that are not running: those of fibers, and a thread's own while a fiber runs on it.

struct SavedStack {
  Atomic<uint32_t> id;     // stays behind with the name when the fiber ends, so that a later reader finds them
  Atomic<uint32_t> state;  // kFiberFree, ...
  uint32_t serial;         // how many fibers had this place
  Atomic<uint32_t> name;   // string id
  uint32_t depth;
  // The innermost open scope, for who waits for a lock. top_word 0: there is none.
  Atomic<uint64_t> top_word, top_strings, top_ticks;
  bool has_run;  // readers know of it
  uint64_t open[FLAMELET_MAX_DEPTH + 1];
  uint64_t strings[FLAMELET_MAX_DEPTH + 1];
  uint64_t ticks[FLAMELET_MAX_DEPTH + 1];
  uint32_t unrecorded[FLAMELET_MAX_DEPTH + 1];                            // track.h
  alignas(uint64_t) char small_local[FLAMELET_SMALL_FIBER_LOCAL_BYTES_];  // detail/on_top.h
  alignas(uint64_t) char local[FLAMELET_FIBER_LOCAL_BYTES_];
};
enum : uint32_t { kFiberFree = 0, kFiberCreated = 1, kFiberIdle = 2, kFiberRunning = 3 };

struct Fibers {
  SavedStack* places;           // config.max_fibers
  SavedStack* homes;            // one for each track; NULL = there are no fibers
  Atomic<uint32_t> next_place;  // where the search for a free one begins
  Atomic<uint32_t> live;
};
extern Fibers fibers;
// NULL: it has ended, or never was.
SavedStack* find_fiber(uint32_t id);

}  // namespace flamelet

#endif  // FLAMELET_SRC_THREAD_H
