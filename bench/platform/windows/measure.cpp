// SPDX-License-Identifier: MIT
#include "measure.h"

#include <cstdlib>

#include "platform/windows/windows.h"

#include <psapi.h>

namespace flamelet_bench {

uint64_t limit_slot = TlsAlloc();

// It is not given back: a thread of the bench has one until the end.
LimitRing* make_limit_ring() {
  LimitRing* const ring = new LimitRing();
  if (limit_slot >= 64 || TlsSetValue(static_cast<DWORD>(limit_slot), ring) == 0) std::abort();
  return ring;
}

// All of the time that passed: the system counts a thread's own in steps of 10 ms and more.
double thread_cpu_ns() {
  return static_cast<double>(now_ticks()) * ns_per_tick();
}

std::vector<uint32_t> usable_cpus() {
  DWORD_PTR mine = 0, all = 0;
  GetProcessAffinityMask(GetCurrentProcess(), &mine, &all);
  std::vector<uint32_t> cpus;
  for (uint32_t cpu = 0; cpu < 64; ++cpu)
    if ((mine >> cpu & 1) != 0) cpus.push_back(cpu);
  return cpus;
}

void pin_thread(uint32_t cpu) {
  SetThreadAffinityMask(GetCurrentThread(), DWORD_PTR{1} << cpu);
}

size_t resident_bytes() {
  PROCESS_MEMORY_COUNTERS counters = {};
  K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  return counters.WorkingSetSize;
}

}  // namespace flamelet_bench
