// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include "platform/process_barrier.h"
#include "platform/signals.h"
#include "platform/windows/windows.h"

namespace flamelet {

void yield_thread() {
  SwitchToThread();
}

// No program gets more rights than who starts it. Not getenv(): it has lost what the code page cannot say.
const char* environment_of_user(const char* name) {
  static char value[4096];
  wchar_t wide[sizeof value];
  const WidePath wide_name(name);
  const DWORD size = wide_name.good() ? GetEnvironmentVariableW(wide_name.text(), wide, sizeof value) : 0;
  if (size == 0 || size >= sizeof value) return nullptr;
  return WideCharToMultiByte(CP_UTF8, 0, wide, -1, value, sizeof value, nullptr, nullptr) != 0 ? value : nullptr;
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
