// SPDX-License-Identifier: MIT
//
// A key and not a thread_local with a destructor: registering that one allocates, and a thread's first event may come
// from a signal handler. The first 32 keys of a process have their place in the thread itself.
#include "platform/thread_exit.h"

#include <pthread.h>

namespace flamelet {
namespace {

pthread_key_t exit_key;
bool exit_key_exists = false;  // atomic
void (*run_at_exit)() = nullptr;

void end_thread(void*) {
  run_at_exit();
}

// If this library is unloaded while threads go on, none of them may call into it when it exits.
__attribute__((destructor)) void stop_watching() {
  if (!exit_key_exists) return;
  __atomic_store_n(&exit_key_exists, false, __ATOMIC_RELAXED);
  pthread_key_delete(exit_key);
}

}  // namespace

bool set_thread_exit(void (*at_exit)()) {
  if (exit_key_exists) return true;
  run_at_exit = at_exit;
  // relaxed: whoever publishes that threads may be watched publishes this, too.
  __atomic_store_n(&exit_key_exists, pthread_key_create(&exit_key, end_thread) == 0, __ATOMIC_RELAXED);
  return exit_key_exists;
}

// relaxed: a thread that comes after the unloading must not take a key that the system has given to somebody else. One
// that comes during it still can, between these two calls; a lock is nothing for a signal handler.
void watch_thread_exit() {
  if (__atomic_load_n(&exit_key_exists, __ATOMIC_RELAXED)) pthread_setspecific(exit_key, &exit_key);  // any but NULL
}

}  // namespace flamelet
