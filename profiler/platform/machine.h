// SPDX-License-Identifier: MIT
//
// machine.h: what the machine as a whole did, beside the process. No call changes errno or the system's last error.
#ifndef FLAMELET_PLATFORM_MACHINE_H
#define FLAMELET_PLATFORM_MACHINE_H

#include <stdint.h>

namespace flamelet {

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

#endif  // FLAMELET_PLATFORM_MACHINE_H
