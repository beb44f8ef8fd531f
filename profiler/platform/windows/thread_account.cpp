// SPDX-License-Identifier: MIT
//
// thread_account.cpp: what a thread ran, and the memory of the process. When a thread was switched, Windows tells only
// administrators (ETW).
#include "platform/thread_account.h"

#include "platform/windows/windows.h"

#include <psapi.h>

namespace flamelet {

// Since Windows 10, version 1607.
static HRESULT(WINAPI* get_description)(HANDLE, PWSTR*) = nullptr;

uint32_t this_thread_number() {
  return GetCurrentThreadId();
}

OpenAccount open_thread_account(uint32_t thread) {
  const KeepLastError kept;
  return {reinterpret_cast<intptr_t>(OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, thread)), {0, thread}};
}

size_t most_open_accounts() {
  return SIZE_MAX;
}

// The program has not closed the handle.
static bool is_same_thread(const OpenAccount& open) {
  return GetThreadId(reinterpret_cast<HANDLE>(open.handle)) == open.identity.file;
}

void read_thread_account(OpenAccount* open, uint32_t thread, ThreadAccount* account) {
  *account = {};
  const KeepLastError kept;
  ULONG64 cycles;
  if (open->handle == 0) return;
  if (!is_same_thread(*open)) *open = open_thread_account(thread);
  if (open->handle == 0 || !QueryThreadCycleTime(reinterpret_cast<HANDLE>(open->handle), &cycles)) return;
  account->ran = cycles;
  account->known = kKnowsRan | kRanInCycles;
}

void close_thread_account(const OpenAccount& open) {
  const KeepLastError kept;
  if (open.handle != 0 && is_same_thread(open)) CloseHandle(reinterpret_cast<HANDLE>(open.handle));
}

bool process_page_faults(PageFaults*) {
  return false;
}
bool thread_page_faults(uint32_t, PageFaults*) {
  return false;
}

void find_machine() {}
void read_machine(MachineReading* reading) {
  const KeepLastError kept;
  *reading = {};
  PROCESS_MEMORY_COUNTERS memory;
  if (!K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory)) return;
  reading->resident_bytes = memory.WorkingSetSize;
  reading->known = kKnowsResident;
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
bool thread_name(uint32_t, char (&)[kThreadNameBytes]) {
  return false;
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
