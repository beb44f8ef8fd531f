// SPDX-License-Identifier: MIT
//
// frame.cpp: frame marks. They are events on a track of their own, so readers get them, and count their loss, like any
// other. Frames are marked while recording is disabled, too: the game goes on, and its frame bars with it.
#include "record/frame.h"

#include <string.h>

#include "flamelet/recorder.h"
#include "platform/process.h"
#include "platform/thread_account.h"
#include "record/names.h"
#include "record/ring_file.h"
#include "record/session.h"
#include "record/thread.h"
#include "record/track.h"

namespace flamelet {

Frames frame_marks = {};

// Before a page's 44-bit times become ambiguous, its thread is sent through the slow path, which takes a new one.
void sweep_old_pages() {
  constexpr uint64_t kSweepTicks = kMaxPageAgeTicks / 16;
  if (!recorder.clock.is_inline()) return;  // the slow path sees to it by itself
  const uint64_t now = recorder.clock.now_ticks();
  if (now - frame_marks.last_sweep_ticks.load_relaxed() < kSweepTicks) return;
  frame_marks.last_sweep_ticks.store_relaxed(now);
  for (Track& track : tracks) {
    if (track.kind.load_relaxed() != FLAMELET_TRACK_THREAD ||
        now - track.base_ticks.load_relaxed() < kMaxPageAgeTicks / 2)
      continue;
    // Only from "inline": any other mode stays what the recorder made it.
    as_atomic(track.head.mode).cas_relaxed(FLAMELET_MODE_INLINE_, FLAMELET_MODE_CALLS_);
  }
}

namespace {

// Whether the clock went back since the latest mark, or further than a frame can be long. The frame in which it passes its
// latest time again began at a time before that.
bool clock_jumped(uint64_t now) {
  const uint64_t latest = frame_marks.latest_ticks.load_relaxed();
  const bool was_behind = frame_marks.clock_is_behind.load_relaxed() != 0;
  const bool is_behind = now < latest;
  frame_marks.clock_is_behind.store_relaxed(is_behind ? 1u : 0u);
  if (is_behind) return true;
  frame_marks.latest_ticks.store_relaxed(now);
  if (was_behind) return true;
  return static_cast<double>(now - latest) > kMostFrameSeconds * recorder.clock.ticks_per_second();
}

}  // namespace

void mark_frame(uint64_t index, bool ended_partial) {
  Track* track = &tracks[kFrameSlot];
  uint64_t now = recorder.clock.now_ticks();
  uint64_t payload[kFramePayloadWords + kThreadTimeWords * kMostThreadTimes];
  payload[1] = this_thread_id();
  const uint32_t times = take_thread_times(&now, payload + kFramePayloadWords);
  payload[0] = index | (ended_partial ? kFramePartialBit : 0) | (clock_jumped(now) ? kFrameClockBit : 0);
  append(track, 0, now, make_code(WordType::kFrame, times), payload, kFramePayloadWords + kThreadTimeWords * times);
  roll_if_full(track, 0);
  sweep_old_pages();
}

namespace {

// The set of this name, or NULL: there are too many.
FrameSet* frame_set(uint32_t string) {
  const uint32_t name = string + 1;
  for (FrameSet& set : frame_marks.sets) {
    // A place is free once, so its name never changes.
    if (set.name.load_relaxed() == name || set.name.cas_relaxed(0, name) || set.name.load_relaxed() == name)
      return &set;
  }
  return nullptr;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_frame(void) {
  const SessionGuard guard;
  if (!guard) return;
  // acquire and release: the frame track's fields pass from one frame's thread to the next.
  if (frame_marks.lock.cas_acquire(0, 1)) {
    const uint64_t index = frame_marks.count.load_relaxed() + 1;
    mark_frame(index, frame_marks.partial.exchange_relaxed(0) != 0 || !flamelet_enabled());
    frame_marks.count.store_relaxed(index);
    record_machine();
    frame_marks.lock.store_release(0);
    recorder.clock.calibrate();
    share_clock();
    share_waiting();
    drain_switches();
  } else {
    count_drop(kDroppedFrame);
  }
}

// An event of the calling thread and not of the frame track, so that marks of several threads do not meet.
void flamelet_frame_named(const char* name) {
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track == nullptr) return;
  const uint32_t set_name = intern_string(name);
  FrameSet* set = frame_set(set_name);
  if (set != nullptr) {
    const uint32_t switches = frame_marks.switches.load_relaxed();
    const bool partial = set->switches.exchange_relaxed(switches) != switches;
    const uint64_t payload = named_frame_mark(set_name, set->marks.fetch_add_relaxed(1) + 1, partial);
    append(track, depth, recorder.clock.now_ticks(), make_code(WordType::kMore, make_more_id(MoreType::kNamedFrame, 1)),
           &payload, 1);
  } else {
    count_drop(kDroppedFrame);
  }
  leave(track, depth);
}

namespace flamelet {

// ---- thread times

namespace {

struct Known {
  uint32_t track;  // its id; 0: nothing is open here
  uint32_t thread;
  OpenAccount account;
  ThreadAccount now, before;
  uint64_t asked;     // ask_number of `now`
  PageFaults faults;  // when it was last asked for them
  uint64_t ran_when_asked;
  bool knows_faults;
};

Known known_threads[FLAMELET_MAX_TRACKS];
// The process's page faults when its threads were last asked. Until it has had more, none has to be asked again.
PageFaults known_faults;
bool knows_faults;
constexpr uint64_t kFewMinorFaults = 1024;  // take a quarter of a millisecond, and more

AskPace pace;
uint64_t ask_number;

// Another thread may fork at any time. So what stands here is never closed before it is forgotten, or the child would
// close whatever has the same number by then.
void forget(Known* known) {
  const OpenAccount account = known->account;
  *known = {};
  close_thread_account(account);
}

// The thread that has the track in a slot; false: none, or one whose number is not known.
bool thread_in(const Track& track, uint32_t* id, uint32_t* thread) {
  if (track.state.load_acquire() != kTrackLive || track.kind.load_relaxed() != FLAMELET_TRACK_THREAD) return false;
  *id = track.id.load_acquire();
  *thread = track.system_thread.load_acquire();
  const bool is_current = track.session.load_relaxed() == recorder.session.load_relaxed();
  return *id != 0 && *thread != 0 && is_current && track.id.load_relaxed() == *id;
}

uint64_t difference(uint64_t now, uint64_t before) {
  return now > before ? now - before : 0;
}

// How many nanoseconds so many ticks of the processor's counter are, if that is the recorder's clock.
bool to_ns(uint64_t cycles, uint64_t* ns) {
  if (!recorder.clock.is_inline()) return false;
  *ns = static_cast<uint64_t>(static_cast<double>(cycles) * 1e9 / recorder.clock.ticks_per_second());
  return true;
}

// A thread that has not run since it was asked for its faults has had no further one: most threads sleep most of the time.
bool may_have_faulted(const Known& known) {
  return (known.now.known & kKnowsRan) == 0 || known.now.ran != known.ran_when_asked;
}

// Whether the process had enough page faults since its threads were asked for theirs.
bool has_faulted(bool* tells) {
  PageFaults faults = {};
  *tells = process_page_faults(&faults);
  const bool faulted = !*tells || !knows_faults || faults.major != known_faults.major ||
                       faults.minor - known_faults.minor >= kFewMinorFaults;
  if (faulted) known_faults = faults;
  knows_faults = *tells;
  return faulted;
}

// Those that found too many open; of them only the time on a processor is known.
Atomic<uint32_t> threads_missed;

bool may_open_another(uint32_t slots) {
  size_t open = 0;
  for (uint32_t slot = 0; slot < slots; ++slot) open += known_threads[slot].account.handle != 0 ? 1u : 0u;
  return open < most_open_accounts();
}

void find_threads(uint32_t slots) {
  for (uint32_t slot = 0; slot < slots; ++slot) {
    Known* known = &known_threads[slot];
    uint32_t id, thread;
    const bool lives = thread_in(tracks[slot], &id, &thread);
    if (!lives || known->track != id) forget(known);
    if (!lives || known->track == id) continue;
    known->track = id;
    known->thread = thread;
    if (may_open_another(slots))
      known->account = open_thread_account(thread);
    else
      threads_missed.fetch_add_relaxed(1);
  }
}

// What changed since it was asked before. `faulted`: some thread of the process did.
ThreadTime update(Known* known, bool faulted) {
  const PageFaults faults_before = known->faults;
  const bool knew_faults = known->knows_faults;
  const bool is_new = known->asked == 0;
  const bool was_asked = !is_new && known->asked + 1 == ask_number;
  const ThreadAccount &now = known->now, &before = known->before;
  if (is_new || (faulted && may_have_faulted(*known))) {
    known->ran_when_asked = now.ran;
    known->knows_faults = thread_page_faults(known->thread, &known->faults);
  }
  known->asked = ask_number;

  ThreadTime time = {};
  time.thread = known->track;
  if (!was_asked) return time;  // there is nothing to compare with
  const uint32_t both = now.known & before.known;
  time.ran_ns = difference(now.ran, before.ran);
  const bool knows_ran = (both & kKnowsRan) != 0 && ((both & kRanInCycles) == 0 || to_ns(time.ran_ns, &time.ran_ns));
  time.ready_ns = difference(now.ready_ns, before.ready_ns);
  time.switches = difference(now.switches, before.switches);
  time.major_faults = difference(known->faults.major, faults_before.major);
  time.minor_faults = difference(known->faults.minor, faults_before.minor);
  time.known = (knows_ran ? kTimeRan : 0u) | ((both & kKnowsReady) != 0 ? kTimeReady : 0u) |
               ((both & kKnowsSwitches) != 0 ? kTimeSwitches : 0u) |
               (known->knows_faults && knew_faults ? kTimeMajorFaults | kTimeMinorFaults : 0u);
  return time;
}

// Reads the accounts of all threads, and returns when: no thread's processor time is of another frame than its events.
uint64_t read_accounts(uint32_t slots, uint32_t threads) {
  constexpr double kMostNs = 50'000, kMostNsOfThread = 5'000;
  for (uint32_t slot = 0; slot < slots; ++slot) known_threads[slot].before = known_threads[slot].now;
  const double most = (kMostNs + kMostNsOfThread * threads) / 1e9 * recorder.clock.ticks_per_second();
  return read_at_one_moment(
      static_cast<uint64_t>(most), [] { return recorder.clock.now_ticks(); },
      [slots] {
        for (uint32_t slot = 0; slot < slots; ++slot) {
          Known* known = &known_threads[slot];
          if (known->track != 0) read_thread_account(&known->account, known->thread, &known->now);
        }
      });
}

}  // namespace

uint32_t take_thread_times(uint64_t* now, uint64_t* words) {
  // A clock of the program's own may not be the system's: then nothing could be compared with the frames.
  const bool is_comparable = recorder.clock.kind() != FLAMELET_CLOCK_INJECTED;
  if (!recorder.config.thread_times || !is_comparable || recorder.mode.load_relaxed() != FLAMELET_MODE_CALLS_) {
    pace = {};
    return 0;
  }
  const uint32_t threads = track_totals.live.load_relaxed();
  if (!pace.is_due(*now, threads, recorder.clock.ticks_per_second())) {
    pace.not_asked(*now);
    return 0;
  }
  const uint32_t slots = used_slots();
  find_threads(slots);
  bool tells_faults;
  const bool faulted = has_faulted(&tells_faults);
  *now = read_accounts(slots, threads);
  ++ask_number;
  const bool tells = pace.asked(*now);
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < slots; ++slot) {
    if (known_threads[slot].track == 0) continue;
    const ThreadTime time = update(&known_threads[slot], faulted && tells_faults);
    if (!tells || time.known == 0 || count == kMostThreadTimes) continue;
    write_thread_time(time, words + kThreadTimeWords * count++);
  }
  return count;
}

void end_thread_times() {
  for (Known& known : known_threads) forget(&known);
  knows_faults = false;
  threads_missed.store_relaxed(0);
  pace = {};
}

uint32_t thread_times_missed() {
  return threads_missed.load_relaxed();
}

// ---- What the machine did, at each mark of a frame

namespace {

// What was read last, and the values that were recorded last.
struct Machine {
  bool is_wanted, is_found, was_read;
  uint64_t read_ticks;
  MachineReading reading;
  double resident_mib, processor_mhz, limited_ms, host_ms, memory_ms;
};
Machine machine;

// A value that goes up and down a little all the time is recorded when it has changed by 1 %.
void record_level(const char* name, double value, double* recorded) {
  const double change = value < *recorded ? *recorded - value : value - *recorded;
  if (change * 100 <= *recorded) return;
  flamelet_counter(name, FLAMELET_MACHINE_CATEGORY, value);
  *recorded = value;
}

// How much since the reading before: nothing is recorded where it goes on being 0.
void record_growth(const char* name, uint64_t now, uint64_t before, double* recorded) {
  const double ms = now > before ? static_cast<double>(now - before) / 1e6 : 0;
  if (ms == 0 && *recorded == 0) return;
  flamelet_counter(name, FLAMELET_MACHINE_CATEGORY, ms);
  *recorded = ms;
}

void record_changes(const MachineReading& now, const MachineReading& before) {
  if ((now.known & kKnowsResident) != 0)
    record_level(FLAMELET_MACHINE_MEMORY, static_cast<double>(now.resident_bytes) / (1 << 20), &machine.resident_mib);
  if ((now.known & kKnowsProcessor) != 0)
    record_level(FLAMELET_MACHINE_CLOCK, static_cast<double>(now.processor_hz) / 1e6, &machine.processor_mhz);
  const uint32_t both = now.known & before.known;
  if ((both & kKnowsLimited) != 0)
    record_growth(FLAMELET_MACHINE_LIMITED, now.limited_ns, before.limited_ns, &machine.limited_ms);
  if ((both & kKnowsHost) != 0) record_growth(FLAMELET_MACHINE_HOST, now.host_ns, before.host_ns, &machine.host_ms);
  if ((both & kKnowsMemory) != 0)
    record_growth(FLAMELET_MACHINE_STALLED, now.memory_ns, before.memory_ns, &machine.memory_ms);
}

}  // namespace

void begin_machine() {
  machine = {};
  const char* const value = environment_of_user("FLAMELET_MACHINE_COUNTERS");
  machine.is_wanted = recorder.config.thread_times && recorder.clock.kind() != FLAMELET_CLOCK_INJECTED &&
                      (value == nullptr || strcmp(value, "off") != 0);
}

void record_machine() {
  constexpr double kSeconds = 0.1;
  if (!machine.is_wanted || recorder.mode.load_relaxed() != FLAMELET_MODE_CALLS_) return;
  const uint64_t now = recorder.clock.now_ticks();
  if (machine.was_read && static_cast<double>(now - machine.read_ticks) < kSeconds * recorder.clock.ticks_per_second())
    return;
  if (this_thread_id() == 0) return;  // a thread that only marks frames gets no lane by that
  if (!machine.is_found) find_machine();
  machine.is_found = true;
  const MachineReading before = machine.reading;
  read_machine(&machine.reading);
  if (machine.was_read) record_changes(machine.reading, before);
  machine.was_read = true;
  machine.read_ticks = now;
}

}  // namespace flamelet
