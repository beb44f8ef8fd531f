// SPDX-License-Identifier: MIT
//
// process_barrier.h: makes every running thread of the process pass a full memory barrier, at no cost to those threads
// before and after.
#ifndef FLAMELET_PLATFORM_PROCESS_BARRIER_H
#define FLAMELET_PLATFORM_PROCESS_BARRIER_H

namespace flamelet {

// Before the first barrier. False: this system has none.
bool prepare_process_barrier();
// False: not every thread has passed one.
bool process_barrier();

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_PROCESS_BARRIER_H
