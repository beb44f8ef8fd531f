// SPDX-License-Identifier: MIT
//
// frame.h: frame marks, and what is done with them: looking after old pages.
#ifndef FLAMELET_SRC_FRAME_H
#define FLAMELET_SRC_FRAME_H

#include "platform/atomic.h"
#include "record/page.h"

namespace flamelet {

// The frames of one name: flamelet_frame_named().
struct FrameSet {
  Atomic<uint32_t> name;      // string id, plus 1; 0 = free
  Atomic<uint32_t> switches;  // Frames::switches at its newest mark
  Atomic<uint64_t> marks;
};

// A longer one is a jump of the clock.
constexpr double kMostFrameSeconds = 3600;

struct Frames {
  Atomic<uint32_t> lock;
  Atomic<uint32_t> partial;  // the running frame is partial
  Atomic<uint64_t> count;
  Atomic<uint64_t> last_sweep_ticks;
  Atomic<uint64_t> latest_ticks;     // of the marks
  Atomic<uint32_t> clock_is_behind;  // the newest mark is earlier than that
  Atomic<uint32_t> switches;         // of recording, on or off
  FrameSet sets[FLAMELET_MAX_FRAME_SETS];
};
extern Frames frame_marks;

// Under the frame lock, or before anyone else can call.
void mark_frame(uint64_t index, bool ended_partial);
// Threads that record rarely may sit on a page for hours. Called with the frame marks, and by readers.
void sweep_old_pages();

// Thread times: at a frame mark the system is asked how long each thread ran since the mark before. Whoever marks the
// frame asks for all threads, so those that record have nothing to do, and all figures are of one moment.

// Calls read() and returns when it did, by now(). If the caller lost its processor in between, for more than `most` ticks,
// then what was read and the time are not of one moment: both are taken again.
template <class Now, class Read>
uint64_t read_at_one_moment(uint64_t most, Now now, Read read) {
  constexpr int kMostTries = 3;
  uint64_t before = now();
  for (int tries = 1;; ++tries) {
    read();
    const uint64_t after = now();
    if (after - before <= most || tries == kMostTries) return after;
    before = after;
  }
}

// Which marks ask. An answer takes about a microsecond a thread, so marks that follow each other fast do not: asking takes
// one or two hundredths of the time at most. Times are in ticks.
class AskPace {
 public:
  // Whether a mark asks, for so many threads.
  bool is_due(uint64_t now, uint32_t threads, double ticks_per_second) const {
    constexpr double kLeastOfThread = 100e-6, kMost = 2e-3;
    const double wait = kLeastOfThread * (threads < 2 ? 2 : threads);
    return !asked_before_ || static_cast<double>(now - asked_) >= (wait < kMost ? wait : kMost) * ticks_per_second;
  }
  // A mark asked. Whether the answer is of the frame that ends with it: of one that began when it was asked last, or only a
  // little later.
  bool asked(uint64_t now) {
    const bool tells = asked_before_ && marked_ - asked_ <= (now - marked_) / 16;
    asked_before_ = true;
    asked_ = marked_ = now;
    return tells;
  }
  void not_asked(uint64_t now) { marked_ = now; }

 private:
  bool asked_before_ = false;
  uint64_t asked_ = 0;   // the mark that asked last
  uint64_t marked_ = 0;  // the newest mark
};

// Writes what is known of the frame that ends now, kThreadTimeWords a thread, and returns of how many threads. `now` is the
// mark's time, and later if the threads were asked: the time at which they were. Under the frame lock.
uint32_t take_thread_times(uint64_t* now, uint64_t* words);

// Closes what it keeps open: when the session ends, and in the child of a fork.
void end_thread_times();
// flamelet_stats
uint32_t thread_times_missed();

// ---- Counters of the machine (machine.cpp) ------------------------------------------------------------------------

// Counters of the machine, in the category "machine". Ten times a second whoever marks a frame asks the system,
// and records what has changed in the thread's own track, if it has one.

// With a session: when it starts, after its clock. Off with config.thread_times, and by FLAMELET_MACHINE_COUNTERS=off.
void begin_machine();
// Under the frame lock, behind a mark.
void record_machine();

}  // namespace flamelet

#endif  // FLAMELET_SRC_FRAME_H
