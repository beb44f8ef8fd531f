// SPDX-License-Identifier: MIT
//
// thread_account.cpp: what a thread ran. When it was switched, Windows tells only administrators (ETW).
#include "platform/thread_account.h"

#include "platform/thread_switches.h"
#include "platform/windows/windows.h"

namespace flamelet {

// Since Windows 10, version 1607.
static HRESULT(WINAPI* get_description)(HANDLE, PWSTR*) = nullptr;

uint32_t this_thread_number() {
  return GetCurrentThreadId();
}

intptr_t open_thread_account(uint32_t thread) {
  const KeepLastError kept;
  return reinterpret_cast<intptr_t>(OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, thread));
}

void read_thread_account(intptr_t handle, uint32_t, ThreadAccount* account) {
  *account = {};
  const KeepLastError kept;
  ULONG64 cycles;
  if (handle == 0 || !QueryThreadCycleTime(reinterpret_cast<HANDLE>(handle), &cycles)) return;
  account->ran = cycles;
  account->known = kKnowsRan | kRanInCycles;
}

void close_thread_account(intptr_t handle) {
  const KeepLastError kept;
  if (handle != 0) CloseHandle(reinterpret_cast<HANDLE>(handle));
}

bool process_page_faults(PageFaults*) {
  return false;
}
bool thread_page_faults(uint32_t, PageFaults*) {
  return false;
}

void know_process_name() {
  const KeepLastError kept;
  const HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
  if (kernel == nullptr) return;
  get_description = reinterpret_cast<decltype(get_description)>(
      reinterpret_cast<void*>(GetProcAddress(kernel, "GetThreadDescription")));
}

bool this_thread_name(char (&name)[kThreadNameBytes]) {
  const KeepLastError kept;
  PWSTR wide = nullptr;
  if (get_description == nullptr || get_description(GetCurrentThread(), &wide) < 0) return false;
  // A name that does not fit is none: it could only be cut inside of a character.
  const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, name, sizeof name, nullptr, nullptr);
  LocalFree(wide);
  return size > 1;
}

flamelet_thread_states open_thread_switches(SwitchMemory* memory) {
  *memory = {};
  return FLAMELET_THREAD_STATES_NOT_HERE;
}
void begin_thread_switches() {}
bool next_thread_switch(uint64_t, ThreadSwitch*) {
  return false;
}
void end_thread_switches() {}
void close_thread_switches() {}
void forget_thread_switches() {}

}  // namespace flamelet
