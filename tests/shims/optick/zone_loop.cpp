// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <optick.h>

namespace {

const char* const kNames[] = {"Enemy.update", "Door.open", "World.tick", "Camera.follow", "Hud.draw"};

void run_static(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      { OPTICK_EVENT("zone"); }
      FORGET();
    })
  }
}

void run_named(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    const char* name = kNames[i / 10 % 5];
    TEN_TIMES({
      { OPTICK_EVENT_DYNAMIC(name); }
      FORGET();
    })
  }
}

void run_pair(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      OPTICK_PUSH("zone");
      OPTICK_POP();
      FORGET();
    })
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static}, {"named", run_named}, {"pair", run_pair}};
  return run_zone_loop(loops, argc, argv);
}
