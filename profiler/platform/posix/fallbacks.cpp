// SPDX-License-Identifier: MIT
//
// fallbacks.cpp: what is done where POSIX has no call for it. Linux has calls, in files of its own.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/process.h"
#include "platform/thread_account.h"

namespace flamelet {

const char* environment_of_user(const char* name) {
  if (getuid() != geteuid() || getgid() != getegid()) return nullptr;
  const char* value = getenv(name);
  return value != nullptr && value[0] != 0 ? value : nullptr;
}

void* allocate_huge_pages(size_t size, size_t alignment) {
  return allocate_aligned(size, alignment);
}

bool prepare_process_barrier() {
  return false;
}
bool process_barrier() {
  return false;
}
void* symbol_of_process(const char*) {
  return nullptr;
}

uint32_t this_thread_number() {
  return 0;
}
OpenAccount open_thread_account(uint32_t) {
  return {};
}
size_t most_open_accounts() {
  return 0;
}
void read_thread_account(OpenAccount*, uint32_t, ThreadAccount* account) {
  *account = {};
}
void close_thread_account(const OpenAccount&) {}
bool process_page_faults(PageFaults*) {
  return false;
}
bool thread_page_faults(uint32_t, PageFaults*) {
  return false;
}

void know_process_name() {}
#ifdef __APPLE__
bool this_thread_name(char (&name)[kThreadNameBytes]) {
  return pthread_getname_np(pthread_self(), name, sizeof name) == 0 && name[0] != 0;
}
#else
bool this_thread_name(char (&)[kThreadNameBytes]) {
  return false;
}
#endif

bool thread_name(uint32_t, char (&)[kThreadNameBytes]) {
  return false;
}

void find_machine() {}
void read_machine(MachineReading* reading) {
  *reading = {};
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
