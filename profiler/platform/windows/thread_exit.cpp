// SPDX-License-Identifier: MIT
//
// The loader calls every module's TLS callbacks when a thread exits, and none of a module that was unloaded. A slot says
// whether the thread is watched; not a fiber-local one, whose callback comes when a fiber is deleted, too.
#include "platform/thread_exit.h"

#include "platform/thread_words.h"
#include "platform/windows/windows.h"

namespace flamelet {
namespace {

// The first slots of a thread are in its own block (TEB.TlsSlots), the others in memory that comes with the first use.
constexpr uint32_t kSlotsInBlock = 64;
constexpr size_t kSlotsAt = 0x1480, kMoreSlotsAt = 0x1780;

uint32_t words_slot = kNoThreadSlot;
uint32_t words_count = 0;
uint32_t exit_slot = kNoThreadSlot;
void (*run_at_exit)() = nullptr;

void free_slots(const uint32_t* slots, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) TlsFree(slots[i]);
}

void NTAPI on_event(PVOID, DWORD reason, PVOID process_ends) {
  if (reason == DLL_THREAD_DETACH && exit_slot != kNoThreadSlot && TlsGetValue(exit_slot) != nullptr) {
    TlsSetValue(exit_slot, nullptr);
    run_at_exit();
  }
  if (reason != DLL_PROCESS_DETACH || process_ends != nullptr) return;
  if (exit_slot != kNoThreadSlot) TlsFree(exit_slot);
  for (uint32_t i = 0; i < words_count; ++i) TlsFree(words_slot + i);
}

}  // namespace

uint32_t take_thread_words(uint32_t count) {
  static_assert(kNoThreadSlot == TLS_OUT_OF_INDEXES, "the same");
  constexpr uint32_t kMost = 2 * kSlotsInBlock;
  uint32_t slots[kMost];
  uint32_t taken = 0;
  while (taken < kMost) {
    const uint32_t slot = TlsAlloc();
    if (slot == kNoThreadSlot) break;
    slots[taken++] = slot;
    if (taken < count) continue;
    const uint32_t first = slots[taken - count];
    if (slot - first != count - 1 || (first < kSlotsInBlock) != (slot < kSlotsInBlock)) continue;
    free_slots(slots, taken - count);
    words_slot = first;
    words_count = count;
    return first;
  }
  free_slots(slots, taken);
  return kNoThreadSlot;
}

uintptr_t* thread_words(uint32_t first_slot) {
  char* block;  // NtCurrentTeb(), of which g++ warns
  __asm__ volatile("{movq %%gs:0x30, %0|mov %0, qword ptr gs:[0x30]}" : "=r"(block));
  if (first_slot < kSlotsInBlock) return reinterpret_cast<uintptr_t*>(block + kSlotsAt) + first_slot;
  uintptr_t** const more = reinterpret_cast<uintptr_t**>(block + kMoreSlotsAt);
  if (*more == nullptr) TlsSetValue(first_slot, nullptr);
  return *more == nullptr ? nullptr : *more + (first_slot - kSlotsInBlock);
}

bool set_thread_exit(void (*at_exit)()) {
  if (exit_slot != kNoThreadSlot) return true;
  run_at_exit = at_exit;
  exit_slot = TlsAlloc();
  return exit_slot != kNoThreadSlot;
}

void watch_thread_exit() {
  TlsSetValue(exit_slot, &exit_slot);  // any but NULL
}

// The linker gathers the callbacks of a module in these sections.
extern "C" const PIMAGE_TLS_CALLBACK flamelet_tls_callback;
extern "C" const PIMAGE_TLS_CALLBACK flamelet_tls_callback __attribute__((section(".CRT$XLC"), used)) = on_event;

}  // namespace flamelet
