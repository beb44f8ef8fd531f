// SPDX-License-Identifier: MIT
//
// The loader calls every module's TLS callbacks when a thread exits. A slot says whether the thread is watched; not a
// fiber-local one, whose callback comes when a fiber is deleted, too.
#include "platform/thread_exit.h"

#include "platform/windows/windows.h"

namespace flamelet {
namespace {

DWORD exit_slot = TLS_OUT_OF_INDEXES;
void (*run_at_exit)() = nullptr;

void NTAPI on_thread(PVOID, DWORD reason, PVOID) {
  if (reason != DLL_THREAD_DETACH || exit_slot == TLS_OUT_OF_INDEXES || TlsGetValue(exit_slot) == nullptr) return;
  TlsSetValue(exit_slot, nullptr);
  run_at_exit();
}

}  // namespace

bool set_thread_exit(void (*at_exit)()) {
  if (exit_slot != TLS_OUT_OF_INDEXES) return true;
  run_at_exit = at_exit;
  exit_slot = TlsAlloc();
  return exit_slot != TLS_OUT_OF_INDEXES;
}

void watch_thread_exit() {
  TlsSetValue(exit_slot, &exit_slot);  // any but NULL
}

// The linker gathers the callbacks of a module in these sections.
extern "C" const PIMAGE_TLS_CALLBACK flamelet_tls_callback;
extern "C" const PIMAGE_TLS_CALLBACK flamelet_tls_callback __attribute__((section(".CRT$XLC"), used)) = on_thread;

}  // namespace flamelet
