// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "platform/signals.h"

namespace flamelet {

void yield_thread() {
  sched_yield();
}

bool call_in_forked_child(void (*run)()) {
  return pthread_atfork(nullptr, nullptr, run) == 0;
}

// The system's own type is a number or a pointer.
bool Thread::start(void (*run)(void*), void* user) {
  run_ = run;
  user_ = user;
  const auto begin = [](void* self) -> void* {
    static_cast<Thread*>(self)->call();
    return nullptr;
  };
  pthread_t thread;
  static_assert(sizeof thread <= sizeof handle_, "process.h keeps room for it");
  const SignalsBlocked inherited;
  if (pthread_create(&thread, nullptr, begin, this) != 0) return false;
  memcpy(&handle_, &thread, sizeof thread);
  return true;
}

void Thread::join() {
  pthread_t thread;
  memcpy(&thread, &handle_, sizeof thread);
  pthread_join(thread, nullptr);
}

SignalsBlocked::SignalsBlocked() {
  static_assert(sizeof(sigset_t) <= sizeof before_, "signals.h keeps room for it");
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  memcpy(before_, &before, sizeof before);
}

SignalsBlocked::~SignalsBlocked() {
  sigset_t before;
  memcpy(&before, before_, sizeof before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace flamelet
