// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <stdlib.h>

#include "platform/process_barrier.h"
#include "platform/signals.h"
#include "platform/windows/windows.h"

namespace flamelet {

void yield_thread() {
  SwitchToThread();
}

// No program gets more rights than who starts it.
const char* environment_of_user(const char* name) {
  const char* value = getenv(name);
  return value != nullptr && value[0] != 0 ? value : nullptr;
}

// There is no fork().
bool call_in_forked_child(void (*)()) {
  return true;
}

bool prepare_process_barrier() {
  return true;
}

bool process_barrier() {
  FlushProcessWriteBuffers();
  return true;
}

// No handler interrupts a thread and records on it.
SignalsBlocked::SignalsBlocked() : before_() {}
SignalsBlocked::~SignalsBlocked() {}

}  // namespace flamelet
