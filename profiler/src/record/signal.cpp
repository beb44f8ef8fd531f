// SPDX-License-Identifier: MIT
//
// signal.cpp: while a signal handler runs between flamelet_signal_enter() and _leave(), its thread points at another
// track. So it records as any thread does, whatever the code that it interrupted was doing to the thread's own track.
//
// Handlers of one thread nest as calls do: one that interrupts these functions has put everything back when they go on.
// So no operation here is atomic towards other threads, and the compiler alone has to keep the order (signal fences).
#include "record/signal.h"

#include "platform/signals.h"
#include "platform/thread_local.h"
#include "record/session.h"
#include "record/thread.h"

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

// The track of a level, or NULL: not recording, or none left (counted).
Track* track_at(SignalLevel* level) {
  Track* track = level->track;
  if (track != nullptr && track->session.load_relaxed() == recorder.session.load_relaxed()) return track;
  level->track = nullptr;
  if (track != nullptr) give_back(track);  // of an earlier session
  return level->track = claim_for_this_thread(false, 0);
}

// The handler's track, which the thread still points at, is as its next handler expects it: nothing open, no fiber.
void close_what_is_open(Track* track) {
  if (track->fiber != 0) flamelet_fiber_switch(track->fiber, 0);
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
