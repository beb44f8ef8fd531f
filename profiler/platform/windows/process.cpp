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

namespace {

// With the calling convention of the system.
DWORD WINAPI begin_thread(void* begin) {
  static_cast<Thread*>(begin)->call();
  return 0;
}

}  // namespace

bool Thread::start(void (*run)(void*), void* user) {
  run_ = run;
  user_ = user;
  const HANDLE thread = CreateThread(nullptr, 0, begin_thread, this, 0, nullptr);
  handle_ = reinterpret_cast<uintptr_t>(thread);
  return thread != nullptr;
}

void Thread::join() {
  const HANDLE thread = reinterpret_cast<HANDLE>(static_cast<uintptr_t>(handle_));
  WaitForSingleObject(thread, INFINITE);
  CloseHandle(thread);
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
