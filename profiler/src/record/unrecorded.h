// SPDX-License-Identifier: MIT
//
// unrecorded.h: begins by call that were not recorded (switched off, too deep, ...) and whose ends are still to come.
// flamelet_end_top() names no scope, so it has to know whether the innermost begin is one of those. Kept for each thread
// and fiber, with the scope that was open around them.
//
// While recording is off, a thread only counts such begins and their ends (flamelet_thread_). They are those inside the
// scope that is innermost then: that can change only by the slow path, which begins by moving the counts here (enter()).
#ifndef FLAMELET_SRC_UNRECORDED_H
#define FLAMELET_SRC_UNRECORDED_H

#include "flamelet/detail/record.h"

namespace flamelet {

// `depth` is how many scopes are open, and `open` their ids, as in the track's head.
class UnrecordedBegins {
 public:
  void begun(const uint64_t* open, uint64_t depth, uint64_t count) {
    drop_ended(open, depth);
    if (run_.count != 0 && (run_.depth == depth || outers_ == kMaxOuter)) {
      run_.count += count;
      return;
    }
    if (run_.count != 0) outer_[outers_++] = run_;
    run_ = {open[depth], depth, count};
  }
  // Whether an end belongs to one of them.
  bool ended(const uint64_t* open, uint64_t depth) {
    drop_ended(open, depth);
    if (run_.count == 0 || run_.depth != depth) return false;
    --run_.count;
    return true;
  }

 private:
  // Changes between recorded and unrecorded in one stack of open scopes; what is beyond is counted with the last.
  static constexpr uint32_t kMaxOuter = 15;
  // Begins one after the other, without a recorded one between them.
  struct Run {
    uint64_t around;  // id of the open scope around them; 0 = none
    uint64_t depth;   // how deep that one is
    uint64_t count;
  };

  // Runs whose scope has ended ended with it. Empty ones say nothing.
  void drop_ended(const uint64_t* open, uint64_t depth) {
    while (run_.count == 0 || run_.depth > depth || run_.around != open[run_.depth]) {
      if (outers_ == 0) {
        run_ = {};
        return;
      }
      run_ = outer_[--outers_];
    }
  }

  Run run_;  // the innermost
  uint32_t outers_;
  Run outer_[kMaxOuter];  // outermost first
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_UNRECORDED_H
