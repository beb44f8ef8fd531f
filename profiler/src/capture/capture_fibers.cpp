// SPDX-License-Identifier: MIT
#include "capture/capture_fibers.h"

namespace flamelet {

void FiberRuns::attach(FiberRun* runs, uint32_t capacity) {
  runs_ = runs;
  capacity_ = capacity;
}

RunId FiberRuns::add(FiberRunList* list, const FiberRun& run) {
  if (capacity_ == 0) return 0;
  // The ring overwrites the run that arrived first. Links to it die; it can be the newest of no list but one whose
  // other runs are gone too, because inserted runs are few and near the end.
  if (end_ - first_ == capacity_) ++first_;
  const RunId id = end_++;

  RunId next = 0;
  RunId previous = list->newest;
  while (holds(previous) && (*this)[previous].begin_ticks > run.begin_ticks) {
    next = previous;
    previous = (*this)[previous].previous;
  }
  FiberRun& added = (*this)[id];
  added = run;
  added.previous = previous;
  added.next = next;
  if (holds(previous)) (*this)[previous].next = id;
  if (next != 0) {
    (*this)[next].previous = id;
  } else {
    list->newest = id;
  }
  return id;
}

}  // namespace flamelet
