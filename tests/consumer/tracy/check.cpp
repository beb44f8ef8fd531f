// SPDX-License-Identifier: MIT
//
// Plays the program, and looks at what was recorded.
#include <flamelet/recorder.h>

#include <cstdio>

void play(int frames);

int main() {
  play(3);
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  std::printf("%llu frames, %llu events\n", static_cast<unsigned long long>(stats.frames),
              static_cast<unsigned long long>(stats.events_recorded));
  // Two zones (4 events), a text and a plot in each frame, and the marks: one at the start.
  return stats.frames == 3 && stats.events_recorded == 3 * 7 + 1 ? 0 : 1;
}
