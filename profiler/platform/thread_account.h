// SPDX-License-Identifier: MIT
//
// thread_account.h: what the system has charged a thread with, asked by another thread of the process. No call changes
// errno or the system's last error, and all may be made in a signal handler.
#ifndef FLAMELET_PLATFORM_THREAD_ACCOUNT_H
#define FLAMELET_PLATFORM_THREAD_ACCOUNT_H

#include <stdint.h>

namespace flamelet {

// Since the thread began. Only what `known` names is told.
struct ThreadAccount {
  uint64_t ran;       // time on a processor
  uint64_t ready_ns;  // ready to run, without a processor; without the stretch that has not ended yet
  uint64_t switches;  // times it was put on a processor
  uint32_t known;
};
enum : uint32_t {
  kKnowsRan = 1,
  kKnowsReady = 2,
  kKnowsSwitches = 4,
  kRanInCycles = 8,  // `ran` is in ticks of the processor's counter and not in nanoseconds
};

// The calling thread's number by which the others find it. 0: this system tells nothing.
uint32_t this_thread_number();

// Keeps open what it takes to ask again and again. 0: nothing was opened; it can be read and closed all the same.
intptr_t open_thread_account(uint32_t thread);
void read_thread_account(intptr_t handle, uint32_t thread, ThreadAccount* account);
void close_thread_account(intptr_t handle);  // also in a forked child, for what its parent had open

// Page faults that waited for a disk, since the beginning. That of a thread costs far more to ask. False: not known.
bool process_major_faults(uint64_t* faults);
bool thread_major_faults(uint32_t thread, uint64_t* faults);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_THREAD_ACCOUNT_H
