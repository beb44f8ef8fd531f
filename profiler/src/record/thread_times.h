// SPDX-License-Identifier: MIT
//
// thread_times.h: at each frame mark the system is asked how long each thread ran since the mark before. Whoever marks the
// frame asks for all threads, so those that record have nothing to do, and all figures are of one moment.
#ifndef FLAMELET_SRC_THREAD_TIMES_H
#define FLAMELET_SRC_THREAD_TIMES_H

#include "record/page.h"

namespace flamelet {

// Writes what is known of the frame that ends before the mark `index`, kThreadTimeWords a thread, and returns of how many
// threads. Under the frame lock.
uint32_t take_thread_times(uint64_t index, uint64_t* words);

// Closes what it keeps open: when the session ends, and in the child of a fork.
void end_thread_times();

}  // namespace flamelet

#endif  // FLAMELET_SRC_THREAD_TIMES_H
