// SPDX-License-Identifier: MIT
//
// thread_account.h: what the system has charged a thread with, asked by another thread of the process; what it calls it;
// when it was switched; and what the machine as a whole did.
#ifndef FLAMELET_PLATFORM_THREAD_ACCOUNT_H
#define FLAMELET_PLATFORM_THREAD_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "flamelet/recorder.h"
#include "platform/file.h"

namespace flamelet {

// Thread account. No call changes errno or the system's last error, and all may be made in a signal handler.

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
// How many may be open at a time, so that enough files are left to the program.
size_t most_open_accounts();
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
// Likewise of a this_thread_number(). False also where only the thread itself can ask.
bool thread_name(uint32_t thread, char (&name)[kThreadNameBytes]);
// Looks up what the process is called. Before the first call of the other one; one thread at a time.
void know_process_name();

// Thread switches: when each thread of the process was put on a processor, and when and why it was taken off. The system
// notes it in memory that it shares with the process, and drops what finds no room there. One thread at a time makes a call,
// and none in a signal handler.

enum class SwitchKind : uint32_t {
  kIn,           // the thread runs from here on
  kOutAsleep,    // it waits for something, or has ended
  kOutTakenOff,  // it could run on
  kLost,         // nothing is known of any thread from here on
};

struct ThreadSwitch {
  uint64_t time_ns;  // os_clock_ns()
  uint32_t thread;   // this_thread_number()
  uint32_t processor;
  SwitchKind kind;
  uint64_t lost;      // kLost: how many, if the system told that already
  uint64_t until_ns;  // kLost: from there on, what comes is whole again
};

// What the system shares.
struct SwitchMemory {
  size_t bytes;
  uint32_t
      missed_threads;  // that ran already, and of which nothing will be known: too many files would have to be open
};

// FLAMELET_THREAD_STATES_RECORDED, or why not; then nothing is open. Threads that start while this runs may be missed.
flamelet_thread_states open_thread_switches(SwitchMemory* memory);
// Has to be followed by end_thread_switches().
void begin_thread_switches();
// The next one of all processors, by time. False: there is none before `until_ns`, which is a time before the begin.
bool next_thread_switch(uint64_t until_ns, ThreadSwitch* next);
// Gives the room of those that were taken back to the system.
void end_thread_switches();
void close_thread_switches();
// In the child of a fork, instead of the close. The memory is the parent's alone.
void forget_thread_switches();

// What the machine as a whole did, beside the process. No call changes errno or the system's last error.

// The times only grow: what counts is how much between two readings.
struct MachineReading {
  uint64_t resident_bytes;  // of the process
  uint64_t processor_hz;    // of the one that the calling thread is on
  uint64_t
      limited_ns;      // a limit of processor time held threads back, such as a container's; of all processors together
  uint64_t host_ns;    // a virtual machine's host gave its processors to others; of all together
  uint64_t memory_ns;  // threads of the machine waited for memory
  uint32_t known;
};
enum : uint32_t {
  kKnowsResident = 1,
  kKnowsProcessor = 2,
  kKnowsLimited = 4,
  kKnowsHost = 8,
  kKnowsMemory = 16,
};

// Looks up where the process's limit stands. Before the first reading of a process; one thread at a time, as the next one.
void find_machine();
// Keeps nothing open. 10 to 30 us on Linux.
void read_machine(MachineReading* reading);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_THREAD_ACCOUNT_H
