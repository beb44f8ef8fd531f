// SPDX-License-Identifier: MIT
//
// process.h: the process and its threads, seen from one of them.
#ifndef FLAMELET_PLATFORM_PROCESS_H
#define FLAMELET_PLATFORM_PROCESS_H

#include <stdint.h>

namespace flamelet {

// Lets another thread run.
void yield_thread();

// A variable of the environment; NULL if it is empty, not there, or if the program runs with more rights than its user.
// In UTF-8, until the next call; one thread at a time.
const char* environment_of_user(const char* name);

// From now on `run` is called in every child that fork() makes. Once a process; false: it will not be called. Where there
// is no fork() there is nothing to do.
bool call_in_forked_child(void (*run)());

// One more thread. No signal handler runs on it.
class Thread {
 public:
  // Calls run(user) on it. False: there is none to be had, or there are no threads here.
  bool start(void (*run)(void* user), void* user);
  // Waits for its end. Once for each start.
  void join();

  void call() { run_(user_); }  // the new thread's own call

 private:
  void (*run_)(void* user) = nullptr;
  void* user_ = nullptr;
  uint64_t handle_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_PROCESS_H
