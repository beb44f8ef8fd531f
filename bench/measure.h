// SPDX-License-Identifier: MIT
//
// measure.h: what every part of the bench needs: the time, a pinned thread, percentiles, the process's memory.
#ifndef FLAMELET_BENCH_MEASURE_H
#define FLAMELET_BENCH_MEASURE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu_counter.h"

namespace flamelet_bench {

// The rate of now_ticks(), measured against the OS clock at the first call.
double ns_per_tick();

// What the calling thread has used, whatever else ran: for what takes milliseconds and waits for nobody.
double thread_cpu_ns();

// CPUs that this process may run on.
std::vector<uint32_t> usable_cpus();
void pin_thread(uint32_t cpu);

// 0 <= fraction <= 1. Reorders the samples.
double percentile(std::vector<double>* samples, double fraction);
double mean(const std::vector<double>& samples);

size_t resident_bytes();

}  // namespace flamelet_bench

#endif  // FLAMELET_BENCH_MEASURE_H
