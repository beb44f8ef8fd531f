// SPDX-License-Identifier: MIT
//
// unrecorded.h: begins by call that were not recorded (switched off, too deep, ...) and whose ends are still to come.
// flamelet_end_top() names no scope, so it has to know whether the innermost begin is one of those. Kept for each thread
// and fiber: at how many open scopes they were made.
#ifndef FLAMELET_SRC_UNRECORDED_H
#define FLAMELET_SRC_UNRECORDED_H

#include "flamelet/detail/record.h"

#include "platform/thread_local.h"

namespace flamelet {

class UnrecordedBegins {
 public:
  void begun(uint64_t depth) {
    if (run_.depth != depth || run_.count == 0) begin_run(depth);
    ++run_.count;
  }
  // Whether an end at this depth belongs to one of them.
  bool ended(uint64_t depth) {
    drop_deeper(depth);
    if (run_.count == 0 || run_.depth != depth) return false;
    --run_.count;
    return true;
  }

 private:
  // Changes between recorded and unrecorded in one stack of open scopes; what is beyond is counted with the last.
  static constexpr uint32_t kMaxOuter = 15;
  struct Run {
    uint64_t depth;  // open scopes around it
    uint64_t count;
  };

  // They ended with the scope around them.
  void drop_deeper(uint64_t depth) {
    while (run_.count == 0 || run_.depth > depth) {
      if (outers_ == 0) {
        run_.count = 0;
        return;
      }
      run_ = outer_[--outers_];
    }
  }
  __attribute__((noinline)) void begin_run(uint64_t depth) {
    drop_deeper(depth);
    if (run_.count != 0 && (run_.depth == depth || outers_ == kMaxOuter)) return;
    if (run_.count != 0) outer_[outers_++] = run_;
    run_ = {depth, 0};
  }

  Run run_;  // the innermost
  uint32_t outers_;
  Run outer_[kMaxOuter];  // outermost first
};

// Of threads that have no track yet, or whose track is busy: the recorder was interrupted.
extern FLAMELET_THREAD_LOCAL_ uint64_t unrecorded_without_track;

}  // namespace flamelet

#endif  // FLAMELET_SRC_UNRECORDED_H
