// SPDX-License-Identifier: MIT
//
// flamelet_tracy_zone_loop KIND ZONES
//
// Records that many zones: bench/count_instructions.cmake counts the instructions of two runs and takes the difference.
#include <tracy/TracyC.h>
#include <tracy/Tracy.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "flamelet/recorder.h"

namespace {

// clang-format off
#define TEN_TIMES(statement) \
  statement statement statement statement statement statement statement statement statement statement
#define FORGET() __asm__ volatile("" ::: "memory")
// clang-format on

void run_static(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      { ZoneScopedN("zone"); }
      FORGET();
    })
  }
}

void run_text(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      ZoneScopedN("zone");
      ZoneText("text", 4);
      FORGET();
    })
  }
}

void run_c(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    TEN_TIMES({
      TracyCZoneN(zone, "zone", 1);
      TracyCZoneEnd(zone);
      FORGET();
    })
  }
}

const char* const kNames[] = {"Enemy.update", "Door.open", "World.tick", "Camera.follow", "Hud.draw"};

void run_transient(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    const char* name = kNames[i / 10 % 5];
    TEN_TIMES({
      { ZoneTransientN(zone, name, true); }
      FORGET();
    })
  }
}

void run_alloc_srcloc(uint32_t zones) {
  for (uint32_t i = 0; i < zones; i += 10) {
    const char* name = kNames[i / 10 % 5];
    TEN_TIMES({
      ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(
          ___tracy_alloc_srcloc_name(10, "enemy.lua", 9, "update", 6, name, strlen(name), 0), 1));
      FORGET();
    })
  }
}

void run_plot(uint32_t plots) {
  for (uint32_t i = 0; i < plots; ++i) TracyPlot("plot", i);
}

void run_memory(uint32_t allocations) {
  static char space[1024];
  for (uint32_t i = 0; i < allocations; ++i) {
    TracyAlloc(&space[i % 1024], 16);
    TracyFree(&space[i % 1024]);
  }
}

struct Kind {
  const char* name;
  void (*run)(uint32_t count);
};
const Kind kKinds[] = {{"static", run_static},       {"text", run_text},           {"c", run_c},
                       {"transient", run_transient}, {"srcloc", run_alloc_srcloc}, {"plot", run_plot},
                       {"memory", run_memory}};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const uint32_t clock = flamelet_clock_info().kind;
  if (clock != FLAMELET_CLOCK_TSC && clock != FLAMELET_CLOCK_CNTVCT) {
    std::printf("the clock is not the CPU's counter\n");
    return 3;
  }
  for (const Kind& kind : kKinds) {
    if (std::strcmp(kind.name, argv[1]) != 0) continue;
    kind.run(static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)));
    return 0;
  }
  return 2;
}
