// SPDX-License-Identifier: MIT
#include "measure.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace flamelet_bench {
namespace {

double measure_ns_per_tick() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const uint64_t begin_ticks = now_ticks();
  Clock::time_point end;
  do end = Clock::now();
  while (end - begin < std::chrono::milliseconds(100));
  return std::chrono::duration<double, std::nano>(end - begin).count() / static_cast<double>(now_ticks() - begin_ticks);
}

}  // namespace

double ns_per_tick() {
  static const double measured = measure_ns_per_tick();
  return measured;
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

}  // namespace flamelet_bench
