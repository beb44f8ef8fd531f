// SPDX-License-Identifier: MIT
//
// Runs each file, and looks at what was recorded.
#include <flamelet/recorder.h>

#include <cstdio>

void run_easy_profiler();
void run_microprofile();
void run_optick();
extern "C" void run_remotery(void);

int main() {
  run_easy_profiler();
  run_microprofile();
  run_optick();
  run_remotery();
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  std::printf("%llu events\n", static_cast<unsigned long long>(stats.events_recorded));
  // A zone each, and the mark at the start.
  return stats.events_recorded == 4 * 2 + 1 ? 0 : 1;
}
