// SPDX-License-Identifier: MIT
//
// program.cpp: says when zones record: before, in and after main(), and around what the program starts itself.
#include <tracy/Tracy.hpp>

#include <cstdio>

#include "flamelet/recorder.h"

extern const bool early_zone_is_active;
bool record_zone();

bool record_zone() {
  ZoneScopedN("zone");
  return ZoneIsActive;
}

namespace {

struct AtTheEnd {
  ~AtTheEnd() { std::printf("after main %d\n", record_zone()); }
};
AtTheEnd at_the_end;

const char* start_own_recorder() {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{8} << 20;
  return flamelet_result_message(flamelet_init(&config));
}

}  // namespace

int main() {
  std::printf("before main %d\n", early_zone_is_active);
  std::printf("in main %d\n", record_zone());
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  std::printf("budget %zu KiB\n", stats.budget_bytes >> 10);
#ifdef TRACY_MANUAL_LIFETIME
  for (int round = 0; round < 2; ++round) {
    std::printf("started %d\n", TracyIsStarted);
    tracy::StartupProfiler();
    std::printf("started %d, records %d\n", TracyIsStarted, record_zone());
    tracy::ShutdownProfiler();
  }
#endif
  FrameImage(nullptr, 0, 0, 0, false);
  std::printf("own recorder: %s\n", start_own_recorder());
  std::printf("then %d\n", record_zone());
  return 0;
}
