// SPDX-License-Identifier: MIT
//
// thread_times.h: at a frame mark the system is asked how long each thread ran since the mark before. Whoever marks the
// frame asks for all threads, so those that record have nothing to do, and all figures are of one moment.
#ifndef FLAMELET_SRC_THREAD_TIMES_H
#define FLAMELET_SRC_THREAD_TIMES_H

#include "record/page.h"

namespace flamelet {

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

}  // namespace flamelet

#endif  // FLAMELET_SRC_THREAD_TIMES_H
