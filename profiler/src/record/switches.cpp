// SPDX-License-Identifier: MIT
#include <string.h>

#include "platform/hash_index.h"
#include "platform/thread_account.h"
#include "record/session.h"
#include "record/track.h"

namespace flamelet {
namespace {

static_assert(kSwitchIn == static_cast<uint16_t>(SwitchKind::kIn) &&
                  kSwitchAsleep == static_cast<uint16_t>(SwitchKind::kOutAsleep) &&
                  kSwitchTakenOff == static_cast<uint16_t>(SwitchKind::kOutTakenOff) &&
                  kSwitchLost == static_cast<uint16_t>(SwitchKind::kLost),
              "the same numbers");

// The tracks of threads by the system's numbers, also of threads that ended since the last drain.
class TracksOfThreads {
 public:
  void fill() {
    memset(places_, 0, sizeof places_);
    const uint32_t slots = used_slots();
    for (uint32_t slot = 0; slot < slots; ++slot) add(tracks[slot]);
  }
  uint32_t find(uint32_t thread) const { return place_of(thread)->track; }

 private:
  struct Place {
    uint32_t thread;  // 0 = free
    uint32_t track;   // its id
  };
  static constexpr uint32_t kPlaces = 2 * FLAMELET_MAX_TRACKS;

  const Place* place_of(uint32_t thread) const {
    uint32_t at = hash_of_key(thread) % kPlaces;
    while (places_[at].thread != 0 && places_[at].thread != thread) at = (at + 1) % kPlaces;
    return &places_[at];
  }
  void add(const Track& track) {
    // A slot that changes hands has another id behind, or no number yet.
    const uint32_t id = track.id.load_acquire();
    const uint32_t thread = track.system_thread.load_acquire();
    if (id == 0 || thread == 0 || track.session.load_relaxed() != recorder.session.load_relaxed() ||
        track.id.load_relaxed() != id)
      return;
    Place* place = const_cast<Place*>(place_of(thread));
    if (place->thread == 0 || place->track < id) *place = {thread, id};
  }

  Place places_[kPlaces];
};

struct SwitchState {
  Atomic<uint32_t> lock;
  flamelet_thread_states states;
  SwitchMemory memory;
  Atomic<uint64_t> dropped;
  // Under the lock.
  Clock::Pair before;      // when it was last drained
  uint64_t newest_ticks;   // that was written
  uint64_t skip_until_ns;  // what is older is of no use, because some of it is lost
  uint32_t skipped;
  bool was_off;  // recording
  TracksOfThreads tracks_of_threads;
};
SwitchState switch_state = {};

// Recorder ticks, by two moments at which both clocks were read. Between them the error is that of the readings.
class SwitchTimes {
 public:
  SwitchTimes(const Clock::Pair& before, const Clock::Pair& now)
      : before_(before),
        // Where the counter was set back meanwhile, its rate is the best guess.
        ticks_per_ns_(now.os_ns > before.os_ns && now.ticks > before.ticks
                          ? static_cast<double>(now.ticks - before.ticks) /
                                static_cast<double>(now.os_ns - before.os_ns)
                          : recorder.clock.ticks_per_second() / 1e9) {}
  uint64_t ticks(uint64_t ns) const {
    const double since = static_cast<double>(static_cast<int64_t>(ns - before_.os_ns));
    return before_.ticks + static_cast<uint64_t>(static_cast<int64_t>(since * ticks_per_ns_));
  }

 private:
  const Clock::Pair before_;
  const double ticks_per_ns_;
};

void put_switch(uint64_t ticks, const SwitchEvent& event) {
  if (ticks < switch_state.newest_ticks) ticks = switch_state.newest_ticks;
  switch_state.newest_ticks = ticks;
  const uint64_t payload = write_switch(event);
  append(&tracks[kSwitchSlot], 0, ticks, make_code(WordType::kMore, make_more_id(MoreType::kSwitch, 1)), &payload, 1);
}

// Each switch is copied, or counted as dropped.
void take_switch(const ThreadSwitch& from, const SwitchTimes& times) {
  const uint16_t processor = static_cast<uint16_t>(from.processor);
  if (from.kind == SwitchKind::kLost) {
    const uint32_t lost = static_cast<uint32_t>(fitting(from.lost, 32));
    switch_state.dropped.fetch_add_relaxed(from.lost);
    if (from.until_ns > switch_state.skip_until_ns) switch_state.skip_until_ns = from.until_ns;
    put_switch(times.ticks(from.time_ns), {lost, processor, kSwitchLost});
  } else if (from.time_ns < switch_state.skip_until_ns) {
    switch_state.dropped.fetch_add_relaxed(1);
    ++switch_state.skipped;
  } else {
    if (switch_state.skipped != 0)
      put_switch(times.ticks(from.time_ns), {switch_state.skipped, processor, kSwitchLost});
    switch_state.skipped = 0;
    put_switch(times.ticks(from.time_ns),
               {switch_state.tracks_of_threads.find(from.thread), processor, static_cast<uint16_t>(from.kind)});
  }
}

}  // namespace

void begin_switches() {
  switch_state.states = FLAMELET_THREAD_STATES_OFF;
  switch_state.memory = {};
  switch_state.dropped.store_relaxed(0);
  if (!recorder.config.thread_states) return;
  switch_state.states = recorder.clock.kind() == FLAMELET_CLOCK_INJECTED ? FLAMELET_THREAD_STATES_OWN_CLOCK
                                                                         : open_thread_switches(&switch_state.memory);
  if (switch_state.states != FLAMELET_THREAD_STATES_RECORDED) return;
  set_up(&tracks[kSwitchSlot], FLAMELET_TRACK_EXTERNAL, kSwitchTrack);
  switch_state.before = recorder.clock.read_pair();
  switch_state.newest_ticks = switch_state.before.ticks;
  switch_state.skip_until_ns = 0;
  switch_state.skipped = 0;
  switch_state.was_off = false;
}

size_t drain_switches() {
  // acquire and release: what is drained into passes from one thread to the next.
  if (switch_state.states != FLAMELET_THREAD_STATES_RECORDED || !switch_state.lock.cas_acquire(0, 1)) return 0;
  const bool is_off = recorder.mode.load_relaxed() != FLAMELET_MODE_CALLS_;
  const Clock::Pair now = recorder.clock.read_pair();
  const SwitchTimes times(switch_state.before, now);
  size_t count = 0;
  ThreadSwitch next;
  begin_thread_switches();
  if (is_off && !switch_state.was_off) put_switch(switch_state.before.ticks, {0, 0, kSwitchLost});
  while (next_thread_switch(now.os_ns, &next)) {
    if (is_off) continue;
    if (count++ == 0) switch_state.tracks_of_threads.fill();
    take_switch(next, times);
  }
  end_thread_switches();
  switch_state.was_off = is_off;
  switch_state.before = now;
  switch_state.lock.store_release(0);
  return count;
}

void end_switches() {
  if (switch_state.states == FLAMELET_THREAD_STATES_RECORDED) close_thread_switches();
  switch_state.states = FLAMELET_THREAD_STATES_OFF;
}

void forget_switches() {
  forget_thread_switches();
  switch_state.states = FLAMELET_THREAD_STATES_OFF;
  switch_state.lock.store_relaxed(0);
}

flamelet_thread_states switch_states() {
  return switch_state.states;
}

void get_switch_stats(flamelet_stats* stats) {
  stats->thread_states = switch_state.states;
  stats->thread_states_bytes = switch_state.memory.bytes;
  stats->thread_states_missed = switch_state.memory.missed_threads;
  stats->dropped_switches = switch_state.dropped.load_relaxed();
}

}  // namespace flamelet

using namespace flamelet;

size_t flamelet_drain_switches(void) {
  const SessionGuard guard;
  return guard ? drain_switches() : 0;
}

const char* flamelet_thread_states_message(int states) {
  switch (states) {
    case FLAMELET_THREAD_STATES_OFF:
      return "off: flamelet_config.thread_states turns it on, unless FLAMELET_THREAD_STATES=off is set";
    case FLAMELET_THREAD_STATES_RECORDED:
      return "recorded";
    case FLAMELET_THREAD_STATES_NOT_HERE:
      return "not on this system";
    case FLAMELET_THREAD_STATES_NOT_IN_KERNEL:
      return "refused: this kernel is built without perf events";
    case FLAMELET_THREAD_STATES_PARANOID:
      return "refused: kernel.perf_event_paranoid is above 2. Allow it: sudo sysctl kernel.perf_event_paranoid=2";
    case FLAMELET_THREAD_STATES_FILTERED:
      return "refused: system calls are filtered, as in a container. Allow it: docker run --security-opt "
             "seccomp=unconfined";
    case FLAMELET_THREAD_STATES_OPEN_FILES:
      return "refused: the process may open no more files. Allow it: ulimit -n 4096";
    case FLAMELET_THREAD_STATES_LOCKED_MEMORY:
      return "refused: the user may lock no more memory for it. Allow it: sudo sysctl kernel.perf_event_mlock_kb=4096";
    case FLAMELET_THREAD_STATES_OWN_CLOCK:
      return "not with flamelet_config.clock: the system's times cannot be compared to it";
    case FLAMELET_THREAD_STATES_FAILED:
      return "refused: perf_event_open() failed";
    default:
      return "unknown: of a later version";
  }
}
