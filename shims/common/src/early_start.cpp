// SPDX-License-Identifier: MIT
//
// early_start.cpp: the start before everything else, and the end after it. Linked only where a file's start.h names it.
#include "flamelet_shim/calls.h"
#include "platform/atomic.h"

namespace {

// Not where one ran already: whoever started it ends it.
bool started = false;
flamelet::Atomic<uint32_t> tried;

}  // namespace

int flamelet_shim_start_at_first_use(void) {
  // Once: a library that is loaded later does not start again what the program has shut down.
  if (tried.cas_relaxed(0, 1)) started = flamelet_shim_start();
  return 1;
}

#ifdef __GNUC__
// The first priority that programs may use, and the last one to end: static objects of the program may record before
// and after main().
__attribute__((constructor(101))) static void start_early() {
  flamelet_shim_start_at_first_use();
}
__attribute__((destructor(101))) static void stop_late() {
  if (started) flamelet_shim_stop();
}
#endif
