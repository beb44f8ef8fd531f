// SPDX-License-Identifier: MIT
#include "platform/thread_account.h"

#include "platform/windows/windows.h"

namespace flamelet {

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

}  // namespace flamelet
