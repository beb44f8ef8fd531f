// SPDX-License-Identifier: MIT
#include "measure.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace flamelet_bench {
namespace {

uint64_t clock_ns(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

double measure_ns_per_tick() {
  const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC), begin_ticks = now_ticks();
  uint64_t end_ns;
  do end_ns = clock_ns(CLOCK_MONOTONIC);
  while (end_ns - begin_ns < 100'000'000);
  return static_cast<double>(end_ns - begin_ns) / static_cast<double>(now_ticks() - begin_ticks);
}

}  // namespace

double ns_per_tick() {
  static const double measured = measure_ns_per_tick();
  return measured;
}

double thread_cpu_ns() {
  return static_cast<double>(clock_ns(CLOCK_THREAD_CPUTIME_ID));
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

double percentile(std::vector<double>* samples, double fraction) {
  if (samples->empty()) return 0;
  const auto at = samples->begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(samples->size() - 1));
  std::nth_element(samples->begin(), at, samples->end());
  return *at;
}

double mean(const std::vector<double>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
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
