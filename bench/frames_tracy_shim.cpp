// SPDX-License-Identifier: MIT
//
// frames_tracy_shim.cpp: Tracy's macros, recorded by Flamelet's shim.
#define FLAMELET_SHIM_NO_START
#include <tracy/TracyC.h>
#include <tracy/Tracy.hpp>

#include "flamelet/recorder.h"
#include "frames.h"
#include "limit.h"

namespace flamelet_bench {
namespace {

const char* const kNames[] = {"Enemy.update", "Door.open", "World.tick", "Camera.follow", "Hud.draw"};

uint64_t recorded() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
}

void flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { ZoneScopedN("flat"); }
    forget();
  }
}

void run_time_name(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { ZoneTransientN(zone, kNames[i % 5], true); }
    forget();
  }
}

void run_time_place(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    const char* name = kNames[i % 5];
    ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(
        ___tracy_alloc_srcloc_name(10, "enemy.lua", 9, "update", 6, name, strlen(name), 0), 1));
    forget();
  }
}

}  // namespace

std::vector<Row> tracy_shim_rows() {
  const auto row = [](const char* name, void (*frame)(uint32_t), double goal) {
    Row made = {name, frame, limit_flat};
    made.events = recorded;
    made.events_per_frame = 2 * kScopesPerFrame;
    made.goal = goal;
    return made;
  };
  return {row("shim, ZoneScopedN", flat, 1.03), row("shim, ZoneTransientN, 5 names", run_time_name, 1.10),
          row("shim, alloc_srcloc_name, 5 names", run_time_place, 0)};
}

}  // namespace flamelet_bench
