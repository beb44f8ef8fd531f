// SPDX-License-Identifier: MIT
#include "record/thread_times.h"

#include "platform/thread_account.h"
#include "record/session.h"
#include "record/track.h"

namespace flamelet {
namespace {

// A thread's account at the newest mark.
struct Known {
  uint32_t track;  // its id; 0: nothing is open here
  uint32_t thread;
  intptr_t handle;  // 0: not open
  uint64_t mark;    // index of the mark, plus 1
  ThreadAccount account;
  PageFaults faults;  // when it was last asked
  uint64_t ran_when_asked;
  bool knows_faults;
};

Known known_threads[FLAMELET_MAX_TRACKS];
// Of the process, when its threads were last asked. Until it has had more, none of them has to be asked again.
PageFaults known_faults;
bool knows_faults;
constexpr uint64_t kFewMinorFaults = 1024;  // take a quarter of a millisecond, and more

// Another thread may fork at any time. So what stands here is never closed before it is forgotten, or the child would
// close whatever has the same number by then.
void forget(Known* known) {
  const intptr_t handle = known->handle;
  *known = {};
  close_thread_account(handle);
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
  return (known.account.known & kKnowsRan) == 0 || known.account.ran != known.ran_when_asked;
}

// Brings `known` up to date and tells what changed since the mark before. `faulted`: some thread of the process did.
ThreadTime update(Known* known, uint64_t index, bool faulted) {
  const Known before = *known;
  read_thread_account(known->handle, known->thread, &known->account);
  const ThreadAccount& now = known->account;
  if (before.mark == 0 || (faulted && may_have_faulted(*known))) {
    known->ran_when_asked = now.ran;
    known->knows_faults = thread_page_faults(known->thread, &known->faults);
  }
  known->mark = index + 1;

  ThreadTime time = {};
  time.thread = known->track;
  if (before.mark != index) return time;  // of another frame, or the first one: there is nothing to compare with
  const uint32_t both = now.known & before.account.known;
  time.ran_ns = difference(now.ran, before.account.ran);
  const bool knows_ran = (both & kKnowsRan) != 0 && ((both & kRanInCycles) == 0 || to_ns(time.ran_ns, &time.ran_ns));
  time.ready_ns = difference(now.ready_ns, before.account.ready_ns);
  time.switches = difference(now.switches, before.account.switches);
  time.major_faults = difference(known->faults.major, before.faults.major);
  time.minor_faults = difference(known->faults.minor, before.faults.minor);
  time.known = (knows_ran ? kTimeRan : 0u) | ((both & kKnowsReady) != 0 ? kTimeReady : 0u) |
               ((both & kKnowsSwitches) != 0 ? kTimeSwitches : 0u) |
               (known->knows_faults && before.knows_faults ? kTimeMajorFaults | kTimeMinorFaults : 0u);
  return time;
}

}  // namespace

uint32_t take_thread_times(uint64_t index, uint64_t* words) {
  // A clock of the program's own may not be the system's: then nothing could be compared with the frames.
  const bool is_comparable = recorder.clock.kind() != FLAMELET_CLOCK_INJECTED;
  if (!recorder.config.thread_times || !is_comparable || recorder.mode.load_relaxed() != FLAMELET_MODE_CALLS_) return 0;
  PageFaults faults = {};
  const bool tells_faults = process_page_faults(&faults);
  const bool faulted = !tells_faults || !knows_faults || faults.major != known_faults.major ||
                       faults.minor - known_faults.minor >= kFewMinorFaults;
  if (faulted) known_faults = faults;
  knows_faults = tells_faults;
  uint32_t count = 0;
  const uint32_t slots = used_slots();
  for (uint32_t slot = 0; slot < slots; ++slot) {
    Known* known = &known_threads[slot];
    uint32_t id, thread;
    if (!thread_in(tracks[slot], &id, &thread)) {
      forget(known);
      continue;
    }
    if (known->track != id) {
      forget(known);
      known->track = id;
      known->thread = thread;
      known->handle = open_thread_account(thread);
    }
    const ThreadTime time = update(known, index, faulted && tells_faults);
    if (time.known == 0 || count == kMostThreadTimes) continue;
    write_thread_time(time, words + kThreadTimeWords * count++);
  }
  return count;
}

void end_thread_times() {
  for (Known& known : known_threads) forget(&known);
  knows_faults = false;
}

}  // namespace flamelet
