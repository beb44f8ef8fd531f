// SPDX-License-Identifier: MIT
//
// thread.cpp: how a thread gets a track, enters and leaves it, and gives it back when it exits.
//
// go and gate are written by two sides: the control calls (init, shutdown, set_enabled) and the track's own thread in
// settle(). Both store sequentially consistently and look at the other side afterwards, so whichever comes last in the
// one order of all those steps has seen the other: no track is left with a go or a gate that the mode does not ask for.
#include "record/ring_reader.h"
#include "record/session.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace flamelet {

Recorder recorder = {};
Track tracks[FLAMELET_MAX_TRACKS + 1] = {};
flamelet_track_head_ unregistered_head = {nullptr, FLAMELET_GATE_OFF_, FLAMELET_GO_OFF_, FLAMELET_DEPTH_BUSY_, {}};

namespace {

// Where a thread points while it gets a track: what a signal handler records in between is dropped, and counted.
flamelet_track_head_ registering_head = {nullptr, FLAMELET_GATE_SHUT_, FLAMELET_GO_SLOW_, FLAMELET_DEPTH_BUSY_, {}};
// ... and after its track was given back: later destructors of the thread record nothing.
flamelet_track_head_ exited_head = {nullptr, FLAMELET_GATE_OFF_, FLAMELET_GO_OFF_, FLAMELET_DEPTH_BUSY_, {}};

}  // namespace
}  // namespace flamelet

#ifdef FLAMELET_INLINE_RECORD_
extern "C" {
// used: with link-time optimization the name in the assembly of flamelet_head_() may be all that the compiler sees of it.
__attribute__((used)) __thread flamelet_track_head_* flamelet_current_ __attribute__((tls_model("initial-exec"))) =
    &flamelet::unregistered_head;
}
#else
static thread_local flamelet_track_head_* flamelet_current_ = &flamelet::unregistered_head;
#endif

namespace flamelet {
namespace {

// One of max_tracks places, or false (counted).
bool take_place() {
  uint32_t live = peek(&recorder.tracks_live);
  do {
    if (live >= recorder.config.max_tracks) {
      count(&recorder.dropped_no_track);
      return false;
    }
    // relaxed: a count; the slot's own state orders its reuse.
  } while (
      !__atomic_compare_exchange_n(&recorder.tracks_live, &live, live + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return true;
}

// The calling thread exits. Later events of it are ignored.
void end_thread(void*) {
  leave_signal_handlers();
  flamelet_track_head_* head = current_head();
  // Whoever runs the fiber next finds it idle, with the scopes that are open in it.
  if (is_recording_head(head) && track_of(head)->fiber != 0) flamelet_fiber_switch(track_of(head)->fiber, 0);
  set_current_head(&exited_head);
  if (is_recording_head(head)) give_back(track_of(head));
  while (Track* track = take_signal_track()) give_back(track);
}

#if defined(_WIN32)
struct ThreadExit {
  bool armed = false;
  ~ThreadExit() { end_thread(nullptr); }
};
thread_local ThreadExit thread_exit;

void watch_this_thread() {
  thread_exit.armed = true;  // the first use registers the destructor
}
#else
// A key and not a thread_local with a destructor: registering that one allocates, and a thread's first event may come
// from a signal handler. The first 32 keys of a process have their place in the thread itself.
pthread_key_t exit_key;
bool exit_key_exists = false;

void watch_this_thread() {
  // relaxed: a thread that comes after the unloading must not take a key that the system has given to somebody else. One
  // that comes during it still can, between these two calls; a lock is nothing for a signal handler.
  if (peek(&exit_key_exists)) pthread_setspecific(exit_key, &exit_key);  // any value but NULL
}

// If this library is unloaded while threads go on, none of them may call into it when it exits.
__attribute__((destructor)) void stop_watching() {
  if (!exit_key_exists) return;
  put(&exit_key_exists, false);
  pthread_key_delete(exit_key);
}
#endif

Track* register_thread(Entry entry) {
  // A signal handler may get here while its own thread is in here, or before the exchange: then it has a track already.
  flamelet_track_head_* head = __atomic_exchange_n(&flamelet_current_, &registering_head, __ATOMIC_RELAXED);
  Track* track = head == &unregistered_head ? nullptr : track_of(head);
  if (track == nullptr) track = claim_for_this_thread(entry == Entry::kFinish);
  set_current_head(track == nullptr ? &unregistered_head : &track->head);
  return track;
}

uint32_t new_track_id() {
  uint32_t id;
  do {
    id = __atomic_add_fetch(&recorder.next_track_id, 1u, __ATOMIC_RELAXED);
  } while (id == 0 || id == kFrameTrack);  // after 2^32 threads
  return id;
}

}  // namespace

// relaxed: only this thread and its signal handlers use it, and each handler puts back what it found.
flamelet_track_head_* current_head() {
#ifdef FLAMELET_INLINE_RECORD_
  return flamelet_head_();
#else
  return flamelet_current_;
#endif
}
void set_current_head(flamelet_track_head_* head) {
  __atomic_store_n(&flamelet_current_, head, __ATOMIC_RELAXED);
  // flamelet_head_() reads it in assembly that does not name it: volatile assembly keeps its order.
  __asm__ volatile("" ::: "memory");
}
bool is_recording_head(const flamelet_track_head_* head) {
  return head != &unregistered_head && head != &exited_head;
}

Track* claim_for_this_thread(bool while_disabled) {
  if (!begin_read()) return nullptr;
  Track* track = nullptr;
  if (while_disabled || peek(&recorder.mode) == FLAMELET_GO_SLOW_) track = claim_track(FLAMELET_TRACK_THREAD);
  if (track != nullptr) watch_this_thread();
  end_read();
  return track;
}

bool begin_read() {
  // relaxed: only so that callers that come after the stop do not keep the shutdown waiting; what follows decides.
  if (static_cast<State>(peek(&recorder.state)) != State::kRunning) return false;
  // seq_cst with the shutdown, which sets the state and then reads users: one of the two sees the other.
  __atomic_fetch_add(&recorder.users, 1u, __ATOMIC_SEQ_CST);
  if (static_cast<State>(__atomic_load_n(&recorder.state, __ATOMIC_SEQ_CST)) == State::kRunning) return true;
  end_read();
  return false;
}

// release: pairs with the acquire in the shutdown.
void end_read() {
  __atomic_fetch_sub(&recorder.users, 1u, __ATOMIC_RELEASE);
}

#if defined(_WIN32)
bool watch_thread_exits() {
  return true;
}
#else
// Under the control lock.
bool watch_thread_exits() {
  if (!exit_key_exists) put(&exit_key_exists, pthread_key_create(&exit_key, end_thread) == 0);
  return exit_key_exists;
}
#endif

void set_up(Track* track, flamelet_track_kind kind, uint32_t id) {
  track->head.open[0] = 0;
  track->page = nullptr;
  track->fiber = 0;
  track->calibrated = false;
  put(&track->source, uint64_t{0});
  put(&track->base_ticks, uint64_t{0});
  put(&track->missing_ends, uint64_t{0});
  put(&track->extra_ends, uint64_t{0});
  put(&track->dropped_depth, uint64_t{0});
  put(&track->dropped_no_page, uint64_t{0});
  put(&track->dropped_nested, uint64_t{0});
  // No id while the rest changes. release: get_track() loads each of these with acquire and then the id again, so that
  // it does not take anything of the new track for the old one's.
  put(&track->id, 0u);
  __atomic_store_n(&track->head.cursor, static_cast<uint64_t*>(nullptr), __ATOMIC_RELEASE);
  __atomic_store_n(&track->first_event, uint64_t{0}, __ATOMIC_RELEASE);
  __atomic_store_n(&track->other_words, 0u, __ATOMIC_RELEASE);
  __atomic_store_n(&track->name, 0u, __ATOMIC_RELEASE);
  __atomic_store_n(&track->kind, static_cast<uint32_t>(kind), __ATOMIC_RELEASE);
  __atomic_store_n(&track->session, peek(&recorder.session), __ATOMIC_RELEASE);
  __atomic_store_n(&track->id, id, __ATOMIC_RELEASE);
  share_track(*track);
}

void settle(Track* track) {
  for (;;) {
    const uint32_t mode = __atomic_load_n(&recorder.mode, __ATOMIC_SEQ_CST);
    const bool fast = mode == FLAMELET_GO_SLOW_ && recorder.clock.is_inline() && track->page != nullptr &&
                      peek(&track->kind) == FLAMELET_TRACK_THREAD;
    __atomic_store_n(&track->head.gate, fast ? track->session : closed_gate(mode), __ATOMIC_SEQ_CST);
    __atomic_store_n(&track->head.go, fast ? FLAMELET_GO_FAST_ : mode, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&recorder.mode, __ATOMIC_SEQ_CST) == mode) return;
  }
}

Track* claim_track(flamelet_track_kind kind) {
  if (!take_place()) return nullptr;
  for (;;) {
    Track* best = nullptr;
    for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
      Track* track = &tracks[i];
      if (peek(&track->state) == kTrackFree &&
          (best == nullptr || peek(&track->released_at) < peek(&best->released_at)))
        best = track;
    }
    if (best == nullptr) {  // threads of earlier sessions still hold slots, or one that exits just now
      count(&recorder.dropped_no_track);
      __atomic_fetch_sub(&recorder.tracks_live, 1u, __ATOMIC_RELAXED);
      return nullptr;
    }
    uint32_t expected = kTrackFree;
    // acquire: pairs with the release of the last user. seq_cst: set_enabled() stores the mode and then walks the live
    // tracks; either it finds this one, or settle() finds its mode.
    if (!__atomic_compare_exchange_n(&best->state, &expected, kTrackLive, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      continue;
    set_up(best, kind, new_track_id());
    put(&best->head.depth, uint64_t{0});
    settle(best);
    return best;
  }
}

void release_track(Track* track) {
  close_page(track, recorder.clock.now_ticks());
  share_track(*track, true);
  count(&recorder.retired_events, peek(&track->first_event));
  // The id first, and release behind it: pairs with slot_ends().
  put(&track->ended_id, peek(&track->id));
  __atomic_fetch_add(&track->ended_events, peek(&track->first_event), __ATOMIC_RELEASE);
  count(&recorder.missing_ends, peek(&track->missing_ends));
  count(&recorder.extra_ends, peek(&track->extra_ends));
  count(&recorder.dropped_depth, peek(&track->dropped_depth));
  count(&recorder.dropped_no_page, peek(&track->dropped_no_page));
  count(&recorder.dropped_nested, peek(&track->dropped_nested));
  put(&track->released_at, __atomic_add_fetch(&recorder.release_counter, uint64_t{1}, __ATOMIC_RELAXED));
  __atomic_fetch_sub(&recorder.tracks_live, 1u, __ATOMIC_RELAXED);
  put(&track->head.gate, uint64_t{FLAMELET_GATE_OFF_});
  put(&track->head.go, FLAMELET_GO_OFF_);
  __atomic_store_n(&track->head.depth, uint64_t{0}, __ATOMIC_RELEASE);  // pairs with the shutdown's wait
  __atomic_store_n(&track->state, kTrackFree, __ATOMIC_RELEASE);        // pairs with the acquire in claim_track
}

void end_all(Track* track, uint32_t depth) {
  if (depth == 0) return;
  append(track, depth, recorder.clock.now_ticks(), make_code(WordType::kEndTo, 0));
  count(&track->missing_ends, depth);
}

void give_back(Track* track) {
  flamelet_track_head_* head = &track->head;
  const uint32_t depth = static_cast<uint32_t>(peek(&head->depth));
  put(&head->depth, uint64_t{FLAMELET_DEPTH_BUSY_});
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (peek(&head->go) != FLAMELET_GO_OFF_ && track->session == peek(&recorder.session)) {
    // Busy: the thread was cancelled inside the recorder, or left it by a jump. How much is open is not known any more.
    if (depth != FLAMELET_DEPTH_BUSY_) end_all(track, depth);
    release_track(track);
  } else {
    // The session that this track belonged to is over, and its pages with it.
    __atomic_store_n(&head->depth, uint64_t{0}, __ATOMIC_RELEASE);
    __atomic_store_n(&track->state, kTrackFree, __ATOMIC_RELEASE);  // pairs with the acquire in claim_track
  }
}

Track* enter(Entry entry, uint32_t* depth) {
  flamelet_track_head_* head = current_head();
  if (head == &exited_head) return nullptr;
  if (head == &registering_head) {
    count(&recorder.dropped_nested);
    return nullptr;
  }
  if (head == &unregistered_head) {
    Track* made = entry == Entry::kEnd ? nullptr : register_thread(entry);
    if (made == nullptr) return nullptr;
    head = &made->head;
  }
  Track* track = track_of(head);
  // relaxed: only so that callers that come after the stop do not keep the shutdown waiting; the next look decides.
  if (peek(&head->go) == FLAMELET_GO_OFF_) return nullptr;
  *depth = static_cast<uint32_t>(peek(&head->depth));
  if (*depth == FLAMELET_DEPTH_BUSY_) {
    count(&track->dropped_nested);
    return nullptr;
  }
  put(&head->depth, uint64_t{FLAMELET_DEPTH_BUSY_});
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  // acquire: pairs with set_mode(), so that a thread that goes on in the next session finds what its init wrote. As in
  // flamelet_enter_, the shutdown's barrier orders it after the depth.
  const uint32_t go = __atomic_load_n(&head->go, __ATOMIC_ACQUIRE);
  bool allowed =
      go == FLAMELET_GO_FAST_ || go == FLAMELET_GO_SLOW_ || (go == FLAMELET_GO_ENDS_ && entry != Entry::kNew);
  if (allowed && track->session != peek(&recorder.session)) {
    // The recorder was restarted since this thread last recorded: nothing of it is open any more.
    allowed = take_place();
    if (allowed) {
      set_up(track, FLAMELET_TRACK_THREAD, new_track_id());
      *depth = 0;
    }
  }
  if (!allowed) {
    __atomic_store_n(&head->depth, uint64_t{*depth}, __ATOMIC_RELEASE);
    return nullptr;
  }
  // Perhaps the next event can take the inlined path. With other clocks none can, and go is as the mode made it.
  if (go != FLAMELET_GO_FAST_ && recorder.clock.is_inline()) settle(track);
  return track;
}

void leave(Track* track, uint32_t depth) {
  roll_if_full(track, depth);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&track->head.depth, uint64_t{depth}, __ATOMIC_RELEASE);  // pairs with the shutdown's wait
}

bool threads_are_outside(bool barrier) {
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    const Track& track = tracks[i];
    // acquire: pairs with the release of every leave; what the thread did to the pages is over.
    if (__atomic_load_n(&track.head.depth, __ATOMIC_ACQUIRE) == FLAMELET_DEPTH_BUSY_) return false;
    // Without the barrier only a thread that has exited, or the caller, is surely outside.
    if (!barrier && !is_own_track(&track) && peek(&track.kind) == FLAMELET_TRACK_THREAD &&
        __atomic_load_n(&track.state, __ATOMIC_ACQUIRE) == kTrackLive &&
        peek(&track.session) == peek(&recorder.session))
      return false;
  }
  // External tracks have no thread, and nobody frees them.
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    if (peek(&tracks[i].kind) == FLAMELET_TRACK_THREAD) continue;
    put(&tracks[i].source, uint64_t{0});
    __atomic_store_n(&tracks[i].state, kTrackFree, __ATOMIC_RELEASE);
  }
  return true;
}

void forget_other_threads() {
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    if (is_own_track(&tracks[i])) continue;
    put(&tracks[i].head.depth, uint64_t{0});
    __atomic_store_n(&tracks[i].state, kTrackFree, __ATOMIC_RELEASE);
  }
}

}  // namespace flamelet

using namespace flamelet;

uint32_t flamelet_thread_id(void) {
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track == nullptr) return 0;
  const uint32_t id = peek(&track->id);
  leave(track, depth);
  return id;
}

// Also while disabled: engines name their threads once, when they start.
void flamelet_set_thread_name(const char* name) {
  uint32_t depth;
  Track* track = enter(Entry::kFinish, &depth);
  if (track == nullptr) return;
  // release: pairs with the acquire in get_track().
  __atomic_store_n(&track->name, intern_string(name), __ATOMIC_RELEASE);
  share_track(*track);
  leave(track, depth);
}

void flamelet_set_track_name(uint32_t id, const char* name) {
  if (id == 0 || !begin_read()) return;
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    if (__atomic_load_n(&tracks[i].state, __ATOMIC_ACQUIRE) != kTrackLive || peek(&tracks[i].id) != id) continue;
    __atomic_store_n(&tracks[i].name, intern_string(name), __ATOMIC_RELEASE);
    share_track(tracks[i]);
  }
  end_read();
}
