// SPDX-License-Identifier: MIT
#include "measure.h"

#include <sched.h>
#include <time.h>

#include <cstdio>

namespace flamelet_bench {

__thread LimitRing limit_ring_of_thread = {};

LimitRing* make_limit_ring() {
  limit_ring_of_thread = {};
  return &limit_ring_of_thread;
}

double thread_cpu_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

std::vector<uint32_t> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  std::vector<uint32_t> cpus;
  for (uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

void pin_thread(uint32_t cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

// Not from /proc/self/statm, whose numbers the kernel adds up by bunches of pages.
size_t resident_bytes() {
  unsigned long kib = 0;
  char line[256];
  std::FILE* file = std::fopen("/proc/self/smaps_rollup", "r");
  if (file == nullptr) return 0;
  while (std::fgets(line, sizeof(line), file) != nullptr && std::sscanf(line, "Rss: %lu kB", &kib) != 1) {
  }
  std::fclose(file);
  return size_t{kib} * 1024;
}

}  // namespace flamelet_bench
