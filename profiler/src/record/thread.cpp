// SPDX-License-Identifier: MIT
//
// thread.cpp: how a thread gets a track, enters and leaves it, and gives it back when it exits.
//
// A track's mode and gate are written by two sides: the control calls (init, shutdown, set_enabled) and the track's own thread in
// settle(). Both store sequentially consistently and look at the other side afterwards, so whichever comes last in the
// one order of all those steps has seen the other: no track is left with a mode or a gate that the recorder does not ask for.
#include "record/thread.h"

#include "platform/thread_account.h"
#include "platform/thread_exit.h"
#include "record/fiber.h"
#include "record/names.h"
#include "record/ring_file_writer.h"
#include "record/session.h"
#include "record/signal.h"

namespace flamelet {
namespace {

// Where a thread points while it gets a track: what a signal handler records in between is dropped, and counted.
flamelet_track_head_ registering_head = {nullptr, FLAMELET_GATE_SHUT_, FLAMELET_MODE_CALLS_, FLAMELET_DEPTH_BUSY_, {}};

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
  if (is_recording_head(head) && track_of(head)->fiber != 0) flamelet_fiber_switch(track_of(head)->fiber, 0);
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

// See unrecorded.h. The counts only grow, so that a handler may count in between.
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
    track_totals.ended_counts.add(kDroppedNested);
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
    track->counts.add(kDroppedNested);
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
