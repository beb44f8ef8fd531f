// SPDX-License-Identifier: MIT
//
// unrecorded.h: begins by call that were not recorded (switched off, too deep, ...) and whose ends are still to come.
// flamelet_end_top() names no scope, so it has to know whether the innermost begin is one of those. Kept for each thread
// and fiber, as a count for each depth of open scopes.
//
// While recording is off, a thread only counts such begins and their ends (flamelet_thread_). They are those inside the
// scope that is innermost then: that can change only by the slow path, which begins by moving the counts here (enter()).
#ifndef FLAMELET_SRC_UNRECORDED_H
#define FLAMELET_SRC_UNRECORDED_H

#include <string.h>

#include "flamelet/detail/record.h"

namespace flamelet {

// `depth` is how many scopes are open, and `open` their ids, as in the track's head.
class UnrecordedBegins {
 public:
  void begun(const uint64_t* open, uint64_t depth, uint64_t count) {
    if (around_[depth] != open[depth]) counts_[depth] = 0;
    around_[depth] = open[depth];
    counts_[depth] += static_cast<uint32_t>(count);
  }
  // Whether an end belongs to one of them.
  bool ended(const uint64_t* open, uint64_t depth) {
    if (counts_[depth] == 0 || around_[depth] != open[depth]) return false;
    --counts_[depth];
    return true;
  }

  void clear() { memset(counts_, 0, sizeof counts_); }
  // What is inside the scopes that are open, and no more: `counts` has depth + 1 elements.
  void save(const uint64_t* open, uint64_t depth, uint32_t* counts) const {
    for (uint64_t i = 0; i <= depth; ++i) counts[i] = around_[i] == open[i] ? counts_[i] : 0;
  }
  void restore(const uint64_t* open, uint64_t depth, const uint32_t* counts) {
    const size_t levels = static_cast<size_t>(depth) + 1;
    memcpy(around_, open, sizeof(*around_) * levels);
    memcpy(counts_, counts, sizeof(*counts_) * levels);
  }

 private:
  // [i] counts the begins directly inside open scope number i, and is void as soon as another scope is number i: a begin
  // that was not recorded ends with the scope around it.
  uint64_t around_[FLAMELET_MAX_DEPTH + 1];
  uint32_t counts_[FLAMELET_MAX_DEPTH + 1];
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_UNRECORDED_H
