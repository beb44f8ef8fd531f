// SPDX-License-Identifier: MIT
//
// thread_account.h: what the system has charged a thread with, asked by another thread of the process; and what it calls
// it. No call changes errno or the system's last error, and all may be made in a signal handler.
#ifndef FLAMELET_PLATFORM_THREAD_ACCOUNT_H
#define FLAMELET_PLATFORM_THREAD_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "platform/file.h"

namespace flamelet {

// Since the thread began. Only what `known` names is told.
struct ThreadAccount {
  uint64_t ran;       // time on a processor
  uint64_t ready_ns;  // ready to run, without a processor; without the stretch that has not ended yet
  uint64_t switches;  // times it was put on a processor
  uint32_t known;
};
enum : uint32_t {
  kKnowsRan = 1,
  kKnowsReady = 2,
  kKnowsSwitches = 4,
  kRanInCycles = 8,  // `ran` is in ticks of the processor's counter and not in nanoseconds
};

// The calling thread's number by which the others find it. 0: this system tells nothing.
uint32_t this_thread_number();

// What it takes to ask again and again. Handle 0: nothing is open; it can be read and closed all the same.
struct OpenAccount {
  intptr_t handle;
  FileIdentity identity;
};
OpenAccount open_thread_account(uint32_t thread);
// What the program has closed meanwhile is opened again.
void read_thread_account(OpenAccount* open, uint32_t thread, ThreadAccount* account);
void close_thread_account(const OpenAccount& open);  // also in a forked child, for what its parent had open

// Page faults since the beginning: those that waited for a disk, and the others, most of which give new memory.
struct PageFaults {
  uint64_t major, minor;
};
// False: not known. Those of a thread cost far more to ask: the system writes a long text.
bool process_page_faults(PageFaults* faults);
bool thread_page_faults(uint32_t thread, PageFaults* faults);

constexpr size_t kThreadNameBytes = 64;  // room for a name and its zero

// The calling thread's name, in UTF-8. False: it has none, or the one that threads have from their process.
bool this_thread_name(char (&name)[kThreadNameBytes]);
// Looks up what the process is called. Before the first call of the other one; one thread at a time.
void know_process_name();

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_THREAD_ACCOUNT_H
