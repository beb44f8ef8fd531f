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
