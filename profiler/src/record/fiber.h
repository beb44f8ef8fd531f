// SPDX-License-Identifier: MIT
//
// fiber.h: the stacks of open scopes that are not running: those of fibers, and a thread's own while a fiber runs on it.
#ifndef FLAMELET_SRC_FIBER_H
#define FLAMELET_SRC_FIBER_H

#include "flamelet/detail/fiber_local.h"
#include "flamelet/recorder.h"
#include "platform/atomic.h"
#include "record/track.h"

namespace flamelet {

struct SavedStack {
  Atomic<uint32_t> id;     // stays behind with the name when the fiber ends, so that a later reader finds them
  Atomic<uint32_t> state;  // kFiberFree, ...
  uint32_t serial;         // how many fibers had this place
  Atomic<uint32_t> name;   // string id
  uint32_t depth;
  uint64_t open[FLAMELET_MAX_DEPTH + 1];
  uint64_t strings[FLAMELET_MAX_DEPTH + 1];
  uint64_t ticks[FLAMELET_MAX_DEPTH + 1];
  uint32_t unrecorded[FLAMELET_MAX_DEPTH + 1];                            // track.h
  alignas(uint64_t) char small_local[FLAMELET_SMALL_FIBER_LOCAL_BYTES_];  // detail/fiber_local.h
  alignas(uint64_t) char local[FLAMELET_FIBER_LOCAL_BYTES_];
};
enum : uint32_t { kFiberFree = 0, kFiberCreated = 1, kFiberIdle = 2, kFiberRunning = 3 };

struct Fibers {
  SavedStack* places;           // config.max_fibers
  SavedStack* homes;            // one for each track; NULL = there are no fibers
  Atomic<uint32_t> next_place;  // where the search for a free one begins
  Atomic<uint32_t> live;
};
extern Fibers fibers;

}  // namespace flamelet

#endif  // FLAMELET_SRC_FIBER_H
