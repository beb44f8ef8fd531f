// SPDX-License-Identifier: MIT
//
// thread_switches.h: when each thread of the process was put on a processor, and when and why it was taken off. The system
// notes it in memory that it shares with the process, and drops what finds no room there. One thread at a time makes a call.
#ifndef FLAMELET_PLATFORM_THREAD_SWITCHES_H
#define FLAMELET_PLATFORM_THREAD_SWITCHES_H

#include <stddef.h>

#include "flamelet/recorder.h"

namespace flamelet {

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

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_THREAD_SWITCHES_H
