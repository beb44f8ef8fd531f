// SPDX-License-Identifier: MIT
#include "measure.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
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

// ---- the limit

uint32_t work_steps = 0;

namespace {

const char limit_site = 0;
constexpr std::align_val_t kPage{4096};

}  // namespace

void open_limit_ring() {
  LimitRing* const ring = make_limit_ring();
  ring->events = static_cast<LimitEvent*>(::operator new(kLimitRingBytes, kPage));
  std::memset(ring->events, 1, kLimitRingBytes);  // touched, like the recorder's
}

void close_limit_ring() {
  ::operator delete(limit_ring()->events, kPage);
  limit_ring()->events = nullptr;
}

bool limit_recorded(uint64_t begin_ticks) {
  const uint64_t end_ticks = now_ticks();
  for (uint64_t i = 1; i <= 2 * kScopesPerFrame; ++i) {
    const LimitEvent& event = limit_ring()->events[(limit_ring()->index - i) & kLimitMask];
    if (event.ticks < begin_ticks || event.ticks > end_ticks) return false;
    if (event.site != nullptr && event.site != &limit_site) return false;
  }
  return true;
}

void limit_flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    limit_record(&limit_site);
    limit_record(nullptr);
    forget();
  }
}

void limit_nested(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes / 8; ++i) {
    for (int depth = 0; depth < 8; ++depth) limit_record(&limit_site);
    for (int depth = 0; depth < 8; ++depth) limit_record(nullptr);
    forget();
  }
}

void limit_work(uint32_t scopes) {
  uint64_t state = 1;
  for (uint32_t i = 0; i < scopes; ++i) {
    limit_record(&limit_site);
    work(&state);
    limit_record(nullptr);
    forget();
  }
  __asm__ volatile("" ::"r"(state));
}

void calibrate_work() {
  // The fastest of some runs: the steps' own time, whatever else the machine does.
  constexpr uint32_t kSteps = 1000;
  constexpr double kWorkNs = 27;
  double best_ns = 1e9;
  for (int run = 0; run < 1000; ++run) {
    uint64_t state = 1;
    work_steps = kSteps;
    const uint64_t begin = now_ticks();
    work(&state);
    __asm__ volatile("" ::"r"(state));
    const double ns = static_cast<double>(now_ticks() - begin) * ns_per_tick();
    if (ns < best_ns) best_ns = ns;
  }
  work_steps = static_cast<uint32_t>(kWorkNs * kSteps / best_ns + 0.5);
}

}  // namespace flamelet_bench
