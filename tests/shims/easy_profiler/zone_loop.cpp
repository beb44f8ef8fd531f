// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <easy/profiler.h>

namespace {

void run_static(uint32_t zones) {
  EASY_BLOCK("around");
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      { EASY_BLOCK("zone"); }
      FORGET();
    })
  }
}

void run_named(uint32_t zones) {
  EASY_BLOCK("around");
  for (uint32_t i = 0; i < zones; i += 10) {
    const char* name = kNames[i / 10 % 5];
    TEN_TIMES({
      { EASY_BLOCK(name); }
      FORGET();
    })
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static}, {"named", run_named}};
  return run_zone_loop(loops, argc, argv);
}
