// SPDX-License-Identifier: MIT
//
// capture_fibers.h: where the fibers ran. A run is a stretch of one fiber on one thread inside one page: from the
// switch to it, or the page's start, to the next switch, or the page's end. Each run begins with the fiber's open
// scopes, so a fiber's lane is its runs decoded one after the other, as a thread's lane is its pages.
//
// Runs stand in a ring: the newest win. Each fiber's runs are a list in the order of their begin. They arrive thread by
// thread, so a new one may belong a few places before the end, and is inserted there.
#ifndef FLAMELET_SRC_CAPTURE_FIBERS_H
#define FLAMELET_SRC_CAPTURE_FIBERS_H

#include "capture/page_store.h"

namespace flamelet {

using RunId = uint64_t;  // counts runs from 1; 0 = none

struct FiberRun {
  static constexpr uint16_t kPageStart = UINT16_MAX;
  static constexpr uint16_t kPageEnd = UINT16_MAX;

  uint64_t begin_ticks;
  uint64_t end_ticks;  // of the switch away from it, unless it goes to the page's end
  uint64_t ticket;     // of the page, which is gone if its place has another one
  RunId previous;      // of the same fiber, by begin
  RunId next;
  uint32_t place;       // of the page in the store
  uint16_t first_word;  // the kFiber word, or kPageStart
  uint16_t end_word;    // the next kFiber word, or kPageEnd
};

struct FiberRunList {
  RunId newest = 0;
};

class FiberRuns {
 public:
  void attach(FiberRun* runs, uint32_t capacity);
  void clear() { first_ = end_; }

  bool holds(RunId id) const { return id >= first_ && id < end_; }
  FiberRun& operator[](RunId id) { return runs_[id % capacity_]; }
  const FiberRun& operator[](RunId id) const { return runs_[id % capacity_]; }

  // Puts a run into the list, behind those that began before it or with it. 0 if the capacity is 0.
  RunId add(FiberRunList* list, const FiberRun& run);

 private:
  FiberRun* runs_ = nullptr;
  uint32_t capacity_ = 0;
  RunId first_ = 1;
  RunId end_ = 1;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CAPTURE_FIBERS_H
