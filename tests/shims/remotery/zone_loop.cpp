// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <Remotery.h>

namespace {

const char* const kNames[] = {"Enemy.update", "Door.open", "World.tick", "Camera.follow", "Hud.draw"};

void run_static(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      { rmt_ScopedCPUSample(zone, 0); }
      FORGET();
    })
  }
}

void run_named(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    const char* name = kNames[i / 10 % 5];
    TEN_TIMES({
      {
        rmt_BeginCPUSampleDynamic(name, 0);
        rmt_EndCPUSample();
      }
      FORGET();
    })
  }
}

void run_pair(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      rmt_BeginCPUSample(zone, 0);
      rmt_EndCPUSample();
      FORGET();
    })
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static}, {"named", run_named}, {"pair", run_pair}};
  return run_zone_loop(loops, argc, argv);
}
