// SPDX-License-Identifier: MIT
//
// What the flight recorder costs a frame: flamelet_flight_update() while nothing happens, when a trigger takes its frames,
// and while some 16 MiB of pages are copied. Each frame has 20,000 scopes. Times are CPU times of the thread.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "flamelet/flamelet.h"
#include "flamelet/flight.h"

namespace {

constexpr int kScopes = 20000, kTriggers = 25;

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

void record_frame() {
  for (int i = 0; i < kScopes / 10; ++i) {
    FLAMELET_SCOPE("group");
    for (int k = 0; k < 9; ++k) {
      FLAMELET_SCOPE("part");
    }
  }
  flamelet_frame();
}

void print(const char* what, std::vector<double> us) {
  std::sort(us.begin(), us.end());
  if (us.empty()) return;
  std::printf("%-44s %7zu updates   median %7.1f us   p99 %7.1f us   max %7.1f us\n", what, us.size(),
              us[us.size() / 2], us[us.size() * 99 / 100], us.back());
}

// One update, timed, after a frame.
double update(flamelet_capture* capture, flamelet_flight* flight) {
  record_frame();
  flamelet_capture_update(capture);
  const double begin = cpu_us();
  if (flamelet_flight_update(flight) != FLAMELET_OK) std::abort();
  return cpu_us() - begin;
}

bool is_busy(const flamelet_flight* flight) {
  flamelet_flight_stats stats;
  flamelet_flight_get_stats(flight, &stats);
  return stats.busy;
}

void measure(flamelet_capture* capture, const flamelet_flight_config& config) {
  flamelet_flight* flight = nullptr;
  if (flamelet_flight_create(&config, capture, &flight) != FLAMELET_OK) std::abort();
  std::vector<double> idle, begin, copy, watched, per_trigger;
  for (int i = 0; i < 100; ++i) idle.push_back(update(capture, flight));
  uint64_t frames = 0;
  for (int i = 0; i < kTriggers; ++i) {
    flamelet_flight_trigger(flight, "bench");
    begin.push_back(update(capture, flight));
    double sum = begin.back();
    while (is_busy(flight)) {
      copy.push_back(update(capture, flight));
      sum += copy.back();
      ++frames;
    }
    per_trigger.push_back(sum);
  }
  flamelet_flight_set_scope_budget(flight, "group", INT64_MAX);
  update(capture, flight);
  for (int i = 0; i < 100; ++i) watched.push_back(update(capture, flight));
  flamelet_flight_info info = {};
  flamelet_flight_get(flight, 0, &info);
  flamelet_flight_stats stats;
  flamelet_flight_get_stats(flight, &stats);
  std::printf("%d triggers, %.1f MiB each, copied in %.0f updates; %llu pages missed\n", kTriggers,
              static_cast<double>(info.bytes) / (1 << 20), static_cast<double>(frames) / kTriggers,
              static_cast<unsigned long long>(stats.pages_missed));
  print("nothing happens", idle);
  print("a trigger takes its frames", begin);
  print("a piece is copied", copy);
  print("all updates of one trigger together", per_trigger);
  print("nothing happens, a scope has a budget", watched);
  flamelet_flight_destroy(flight);
}

}  // namespace

int main() {
  const flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  flamelet_capture* capture = nullptr;
  const flamelet_capture_config capture_config = flamelet_capture_config_default();
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) return 1;
  for (int i = 0; i < 200; ++i) {
    record_frame();
    flamelet_capture_update(capture);
  }
  flamelet_flight_config flight_config = flamelet_flight_config_default();
  flight_config.store_bytes = size_t{64} << 20;
  flight_config.frames_before = 52;
  flight_config.frames_after = 0;
  flight_config.dead_time_ms = 0;
  flight_config.median_factor = 0;
  flight_config.ring_share = 0;
  measure(capture, flight_config);
  flamelet_capture_destroy(capture);
  return flamelet_shutdown() == FLAMELET_OK ? 0 : 1;
}
