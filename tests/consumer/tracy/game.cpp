// SPDX-License-Identifier: MIT
//
// A program that was written for Tracy. It starts no recorder.
#include <tracy/Tracy.hpp>

#include <common/TracySystem.hpp>

void play(int frames);

void play(int frames) {
  tracy::SetThreadName("main");
  for (int frame = 0; frame < frames; ++frame) {
    ZoneScoped;
    {
      ZoneScopedN("physics");
      ZoneText("world", 5);
    }
    TracyPlot("bodies", frame);
    FrameMark;
  }
}
