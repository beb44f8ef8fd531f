// SPDX-License-Identifier: MIT
//
// thread.cpp: how a thread gets a track, enters and leaves it, and gives it back when it exits.
//
// A track's mode and gate are written by two sides: the control calls (init, shutdown, set_enabled) and the track's own thread in
// settle(). Both store sequentially consistently and look at the other side afterwards, so whichever comes last in the
// one order of all those steps has seen the other: no track is left with a mode or a gate that the recorder does not ask for.
#include "record/thread.h"

#include "platform/atomic.h"
#include "platform/process.h"
#include "platform/thread_account.h"
#include "platform/thread_local.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/session.h"

// ---- this thread

#define FLAMELET_CLOSED_HEAD_                                                    \
  {                                                                              \
    nullptr, FLAMELET_GATE_OFF_, FLAMELET_MODE_OFF_, 0, FLAMELET_DEPTH_BUSY_, {} \
  }

#ifdef FLAMELET_THREAD_IN_SLOTS_

using namespace flamelet;

uint64_t flamelet_thread_slot_ = kNoThreadSlot;
flamelet_track_head_ flamelet_no_track_ = FLAMELET_CLOSED_HEAD_;

// Threads that have no memory for their own share this one, and record nothing.
static flamelet_thread_ nobody = {&exited_head, 0, 0};

flamelet_thread_* flamelet_thread_call_(void) {
  const uint32_t slot = static_cast<uint32_t>(flamelet_thread_slot_);
  uintptr_t* words = slot == kNoThreadSlot ? nullptr : thread_words(slot);
  return words == nullptr ? &nobody : reinterpret_cast<flamelet_thread_*>(words);
}

// In front of all that may record in constructors of this module.
__attribute__((constructor(101))) static void take_slots() {
  static_assert(sizeof(flamelet_thread_) % sizeof(uintptr_t) == 0, "whole slots");
  flamelet_thread_slot_ = take_thread_words(sizeof(flamelet_thread_) / sizeof(uintptr_t));
}

#else

namespace flamelet {
flamelet_track_head_ unregistered_head = FLAMELET_CLOSED_HEAD_;
}

#ifdef FLAMELET_INLINE_RECORD_
extern "C" {
// used: with link-time optimization the name in the assembly of flamelet_head_() may be all that the compiler sees of it.
__attribute__((used)) __thread flamelet_thread_ flamelet_current_
    __attribute__((tls_model("initial-exec"))) = {&flamelet::unregistered_head, 0, 0};
}
#else
static thread_local flamelet_thread_ flamelet_current_ = {&flamelet::unregistered_head, 0, 0};
#endif

#endif

namespace flamelet {

flamelet_track_head_ exited_head = FLAMELET_CLOSED_HEAD_;

bool prepare_threads() {
#ifdef FLAMELET_THREAD_IN_SLOTS_
  return flamelet_thread_slot_ != kNoThreadSlot;
#else
  return true;
#endif
}

flamelet_thread_* this_thread() {
#ifdef FLAMELET_THREAD_IN_SLOTS_
  flamelet_thread_* thread = flamelet_this_thread_();
  if (thread->head == nullptr) thread->head = &unregistered_head;  // a new thread's
  return thread;
#elif defined(FLAMELET_INLINE_RECORD_)
  return flamelet_this_thread_();
#else
  return &flamelet_current_;
#endif
}

// relaxed, here and below: see thread.h.
flamelet_track_head_* current_head() {
  return as_atomic(this_thread()->head).load_relaxed();
}

void set_current_head(flamelet_track_head_* head) {
  as_atomic(this_thread()->head).store_relaxed(head);
  // flamelet_head_() reads it in assembly that does not name it: volatile assembly keeps its order.
  __asm__ volatile("" ::: "memory");
}

flamelet_track_head_* exchange_current_head(flamelet_track_head_* head) {
  return as_atomic(this_thread()->head).exchange_relaxed(head);
}

void set_this_thread(const flamelet_thread_& now) {
  flamelet_thread_* thread = this_thread();
  thread->begun_unrecorded = now.begun_unrecorded;
  thread->ended_unrecorded = now.ended_unrecorded;
  set_current_head(now.head);
}

}  // namespace flamelet

flamelet_track_head_* flamelet_this_track_call_(void) {
  return flamelet::current_head();
}

namespace flamelet {
namespace {

// Where a thread points while it gets a track: what a signal handler records in between is dropped, and counted.
flamelet_track_head_ registering_head = {nullptr, FLAMELET_GATE_SHUT_,  FLAMELET_MODE_CALLS_,
                                         0,       FLAMELET_DEPTH_BUSY_, {}};

Track* register_thread(Entry entry) {
  // A signal handler may get here while its own thread is in here, or before the exchange: then it has a track already.
  flamelet_track_head_* head = exchange_current_head(&registering_head);
  Track* track = head == &unregistered_head ? nullptr : track_of(head);
  if (track == nullptr) {
    track = claim_for_this_thread(may_be_disabled(entry), events_of(entry));
    if (track != nullptr) track->system_thread.store_release(this_thread_number());
  }
  set_current_head(track == nullptr ? &unregistered_head : &track->head);
  return track;
}

}  // namespace

void end_thread() {
  leave_signal_handlers();
  flamelet_track_head_* head = current_head();
  // Whoever runs the fiber next finds it idle, with the scopes that are open in it.
  if (this_thread_id() != 0 && head->fiber != 0) flamelet_fiber_switch(head->fiber, 0);
  set_current_head(&exited_head);
  if (is_recording_head(head)) give_back(track_of(head));
  while (Track* track = take_signal_track()) give_back(track);
}

bool is_recording_head(const flamelet_track_head_* head) {
  return head != &unregistered_head && head != &exited_head;
}

uint32_t this_thread_id() {
  flamelet_track_head_* head = current_head();
  if (!is_recording_head(head) || head == &registering_head) return 0;
  const Track* track = track_of(head);
  return track->session.load_relaxed() == recorder.session.load_relaxed() ? track->id.load_relaxed() : 0;
}

Track* claim_for_this_thread(bool while_disabled, uint32_t events) {
  const SessionGuard guard;
  if (!guard) return nullptr;
  Track* track = nullptr;
  if (while_disabled || recorder.mode.load_relaxed() == FLAMELET_MODE_CALLS_)
    track = claim_track(FLAMELET_TRACK_THREAD, events);
  if (track != nullptr) watch_thread_exit();
  return track;
}

// See track.h. The counts only grow, so that a handler may count in between.
static void take_unrecorded(Track* track, uint32_t depth) {
  flamelet_thread_* thread = this_thread();
  if (thread->ended_unrecorded >= thread->begun_unrecorded) return;
  const uint64_t count = thread->begun_unrecorded - thread->ended_unrecorded;
  thread->ended_unrecorded += count;
  track->unrecorded.begun(track->head.open, depth, count);
}

Track* enter(Entry entry, uint32_t* depth) {
  flamelet_track_head_* head = current_head();
  if (head == &exited_head) return nullptr;
  if (head == &registering_head) {
    count_drop(nullptr, kDroppedNested);
    return nullptr;
  }
  if (head == &unregistered_head) {
    Track* made = entry == Entry::kEnd ? nullptr : register_thread(entry);
    if (made == nullptr) return nullptr;
    head = &made->head;
  }
  Track* track = track_of(head);
  // relaxed: only so that callers that come after the stop do not keep the shutdown waiting; the next look decides.
  if (as_atomic(head->mode).load_relaxed() == FLAMELET_MODE_OFF_) return nullptr;
  *depth = static_cast<uint32_t>(as_atomic(head->depth).load_relaxed());
  if (*depth == FLAMELET_DEPTH_BUSY_) {
    count_drop(track, kDroppedNested);
    return nullptr;
  }
  as_atomic(head->depth).store_relaxed(uint64_t{FLAMELET_DEPTH_BUSY_});
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  // acquire: pairs with set_mode(), so that a thread that goes on in the next session finds what its init wrote. As in
  // flamelet_enter_, the shutdown's barrier orders it after the depth.
  const uint32_t mode = as_atomic(head->mode).load_acquire();
  bool allowed =
      mode == FLAMELET_MODE_INLINE_ || mode == FLAMELET_MODE_CALLS_ || (mode == FLAMELET_MODE_ENDS_ && !is_new(entry));
  if (allowed && track->session.load_relaxed() != recorder.session.load_relaxed()) {
    // The recorder was restarted since this thread last recorded: nothing of it is open any more. Begins that were only
    // counted are the thread's, whatever ran then: their ends come.
    allowed = take_place(events_of(entry));
    if (allowed) {
      set_up(track, FLAMELET_TRACK_THREAD, new_track_id());
      *depth = 0;
    }
  }
  if (!allowed) {
    as_atomic(head->depth).store_release(uint64_t{*depth});
    return nullptr;
  }
  take_unrecorded(track, *depth);
  // Perhaps the next event can take the inlined path. With other clocks none can, and the track's mode is the recorder's.
  if (mode != FLAMELET_MODE_INLINE_ && recorder.clock.is_inline()) settle(track);
  return track;
}

void leave(Track* track, uint32_t depth) {
  roll_if_full(track, depth);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  as_atomic(track->head.depth).store_release(uint64_t{depth});  // pairs with the shutdown's wait
}

bool threads_are_outside(bool barrier) {
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    const Track& track = tracks[i];
    // acquire: pairs with the release of every leave; what the thread did to the pages is over.
    if (as_atomic(track.head.depth).load_acquire() == FLAMELET_DEPTH_BUSY_) return false;
    // Without the barrier only a thread that has exited, or the caller, is surely outside.
    if (!barrier && !is_own_track(&track) && track.kind.load_relaxed() == FLAMELET_TRACK_THREAD &&
        track.state.load_acquire() == kTrackLive && track.session.load_relaxed() == recorder.session.load_relaxed())
      return false;
  }
  // External tracks have no thread, and nobody frees them.
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    if (tracks[i].kind.load_relaxed() == FLAMELET_TRACK_THREAD) continue;
    tracks[i].source.store_relaxed(uint64_t{0});
    tracks[i].state.store_release(kTrackFree);
  }
  return true;
}

void forget_other_threads() {
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    Track& track = tracks[i];
    if (is_own_track(&track)) {
      // The child's thread has another number than the one that forked.
      if (track.system_thread.load_relaxed() != 0) track.system_thread.store_relaxed(this_thread_number());
      continue;
    }
    as_atomic(track.head.depth).store_relaxed(uint64_t{0});
    track.source.store_relaxed(uint64_t{0});
    track.state.store_release(kTrackFree);
  }
}

}  // namespace flamelet

using namespace flamelet;

uint32_t flamelet_thread_id(void) {
  uint32_t depth;
  Track* track = enter(Entry::kAsk, &depth);
  if (track == nullptr) return 0;
  const uint32_t id = track->id.load_relaxed();
  leave(track, depth);
  return id;
}

// Also while disabled: engines name their threads once, when they start.
void flamelet_set_thread_name(const char* name) {
  uint32_t depth;
  Track* track = enter(Entry::kName, &depth);
  if (track == nullptr) return;
  // release: pairs with the acquire in get_track().
  track->name.store_release(intern_string(name));
  share_track(*track);
  leave(track, depth);
}

// Signal: while a signal handler runs between flamelet_signal_enter() and _leave(), its thread points at another
// track. So it records as any thread does, whatever the code that it interrupted was doing to the thread's own track.
//
// Handlers of one thread nest as calls do: one that interrupts these functions has put everything back when they go on.
// So no operation here is atomic towards other threads, and the compiler alone has to keep the order (signal fences).

namespace flamelet {
namespace {

// Handlers that interrupt handlers. What is beyond records as if there were no guard.
constexpr uint32_t kMaxLevels = 8;

struct SignalLevel {
  flamelet_thread_ interrupted;  // the thread's; head NULL: it was left as it was
  Track* track;                  // of handlers at this level; NULL before the first. Kept until the thread exits
};

FLAMELET_THREAD_LOCAL_ uint32_t running_handlers;
FLAMELET_THREAD_LOCAL_ SignalLevel signal_levels[kMaxLevels];

// The track of a level, or NULL: not recording, or none left.
Track* track_at(SignalLevel* level) {
  Track* track = level->track;
  if (track != nullptr && track->session.load_relaxed() == recorder.session.load_relaxed()) return track;
  level->track = nullptr;
  if (track != nullptr) give_back(track);  // of an earlier session
  return level->track = claim_for_this_thread(false, 0);
}

// The handler's track, which the thread still points at, is as its next handler expects it: nothing open, no fiber.
void close_what_is_open(Track* track) {
  if (track->head.fiber != 0) flamelet_fiber_switch(track->head.fiber, 0);
  uint32_t depth;
  if (as_atomic(track->head.depth).load_relaxed() == 0 || enter(Entry::kEnd, &depth) == nullptr) return;
  end_all(track, depth);
  leave(track, 0);
}

}  // namespace

bool is_own_track(const Track* track) {
  if (current_head() == &track->head) return true;
  if (!kHandlersInterrupt) return false;
  for (uint32_t i = 0; i < kMaxLevels; ++i) {
    if (signal_levels[i].track == track) return true;
    if (i < running_handlers && signal_levels[i].interrupted.head == &track->head) return true;
  }
  return false;
}

void leave_signal_handlers() {
  if (!kHandlersInterrupt) return;
  while (running_handlers != 0) flamelet_signal_leave();
}

Track* take_signal_track() {
  if (!kHandlersInterrupt) return nullptr;
  for (SignalLevel& level : signal_levels) {
    Track* track = level.track;
    level.track = nullptr;
    if (track != nullptr) return track;
  }
  return nullptr;
}

}  // namespace flamelet

using namespace flamelet;

void flamelet_signal_enter(void) {
  if (!kHandlersInterrupt) return;
  const uint32_t at = running_handlers;
  // First, so that a handler that interrupts this one uses the next level.
  running_handlers = at + 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (at >= kMaxLevels) return;
  SignalLevel* level = &signal_levels[at];
  flamelet_track_head_* head = current_head();
  // A thread without a track was not interrupted in recording: the handler's first event registers it.
  if (!is_recording_head(head)) return;
  Track* track = track_at(level);
  if (track == nullptr) return;
  track->unrecorded.clear();
  level->interrupted = *this_thread();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  set_this_thread({&track->head, 0, 0});
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (track->name.load_relaxed() == 0 && flamelet_enabled()) flamelet_set_thread_name("signal handler");
}

void flamelet_signal_leave(void) {
  if (!kHandlersInterrupt || running_handlers == 0) return;
  const uint32_t at = running_handlers - 1;
  if (at < kMaxLevels && signal_levels[at].interrupted.head != nullptr) {
    close_what_is_open(signal_levels[at].track);
    set_this_thread(signal_levels[at].interrupted);
    signal_levels[at].interrupted.head = nullptr;
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  running_handlers = at;
}
