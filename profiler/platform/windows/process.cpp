// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <malloc.h>

#include "platform/thread_account.h"
#include "platform/thread_local.h"
#include "platform/windows/windows.h"

#include <psapi.h>

namespace flamelet {

void yield_thread() {
  SwitchToThread();
}

// No program gets more rights than who starts it. Not getenv(): it has lost what the code page cannot say.
const char* environment_of_user(const char* name) {
  static char value[4096];
  wchar_t wide[sizeof value], wide_name[64] = {};
  for (size_t i = 0; name[i] != 0 && i < 63; ++i) wide_name[i] = static_cast<wchar_t>(name[i]);  // ASCII
  const DWORD size = GetEnvironmentVariableW(wide_name, wide, sizeof value);
  if (size == 0 || size >= sizeof value) return nullptr;
  return WideCharToMultiByte(CP_UTF8, 0, wide, -1, value, sizeof value, nullptr, nullptr) != 0 ? value : nullptr;
}

void* symbol_of_process(const char*) {
  return nullptr;
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
SignalsBlocked::SignalsBlocked() {}
SignalsBlocked::~SignalsBlocked() {}

// ---- aligned memory

void* allocate_aligned(size_t size, size_t alignment) {
  return _aligned_malloc(size, alignment);
}

void free_aligned(void* memory) {
  _aligned_free(memory);
}

// Large pages need a privilege that few processes have.
void* allocate_huge_pages(size_t size, size_t alignment) {
  return allocate_aligned(size, alignment);
}

// ---- system clock

uint64_t os_clock_ns() {
  LARGE_INTEGER count, frequency;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&frequency);
  const uint64_t ticks = static_cast<uint64_t>(count.QuadPart), rate = static_cast<uint64_t>(frequency.QuadPart);
  return ticks / rate * 1'000'000'000 + ticks % rate * 1'000'000'000 / rate;
}

uint64_t unix_clock_ns() {
  FILETIME time;
  GetSystemTimeAsFileTime(&time);
  const uint64_t since_1601 = (uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime) * 100;
  return since_1601 - 11'644'473'600u * uint64_t{1'000'000'000};
}

// The loader calls every module's TLS callbacks when a thread exits, and none of a module that was unloaded. A slot says
// whether the thread is watched; not a fiber-local one, whose callback comes when a fiber is deleted, too.

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
__attribute__((section(".CRT$XLC"), used)) const PIMAGE_TLS_CALLBACK tls_callback = on_event;

// ---- threads: what each ran, and the memory of the process. When a thread was switched, Windows tells only administrators
// (ETW).

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
