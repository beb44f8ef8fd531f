// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <microprofile.h>

namespace {

const char* const kNames[] = {"Enemy.update", "Door.open", "World.tick", "Camera.follow", "Hud.draw"};

void run_static(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      { MICROPROFILE_SCOPEI("group", "zone", MP_RED); }
      FORGET();
    })
  }
}

void run_named(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    const char* name = kNames[i / 10 % 5];
    TEN_TIMES({
      { MICROPROFILE_SCOPE_CSTR(name); }
      FORGET();
    })
  }
}

void run_pair(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      MICROPROFILE_ENTERI("group", "zone", MP_RED);
      MICROPROFILE_LEAVE();
      FORGET();
    })
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static}, {"named", run_named}, {"pair", run_pair}};
  return run_zone_loop(loops, argc, argv);
}
