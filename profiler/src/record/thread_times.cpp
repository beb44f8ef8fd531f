// SPDX-License-Identifier: MIT
#include "record/thread_times.h"

#include "platform/thread_account.h"
#include "record/session.h"
#include "record/track.h"

namespace flamelet {
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

void find_threads(uint32_t slots) {
  for (uint32_t slot = 0; slot < slots; ++slot) {
    Known* known = &known_threads[slot];
    uint32_t id, thread;
    const bool lives = thread_in(tracks[slot], &id, &thread);
    if (!lives || known->track != id) forget(known);
    if (!lives || known->track == id) continue;
    known->track = id;
    known->thread = thread;
    known->account = open_thread_account(thread);
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
  pace = {};
}

}  // namespace flamelet
