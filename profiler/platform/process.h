// SPDX-License-Identifier: MIT
//
// process.h: the process and its threads, seen from one of them.
#ifndef FLAMELET_PLATFORM_PROCESS_H
#define FLAMELET_PLATFORM_PROCESS_H

namespace flamelet {

// Lets another thread run.
void yield_thread();

// A variable of the environment; NULL if it is empty, not there, or if the program runs with more rights than its user.
// In UTF-8, until the next call; one thread at a time.
const char* environment_of_user(const char* name);

// From now on `run` is called in every child that fork() makes. Once a process; false: it will not be called. Where there
// is no fork() there is nothing to do.
bool call_in_forked_child(void (*run)());

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_PROCESS_H
