// SPDX-License-Identifier: MIT
//
// frames_others.cpp: contenders with the macros of other profilers. Tracy's are recorded by Flamelet's shim or, if CMake was
// told where it is, by Tracy's client, to which no server is connected: it keeps what it records, and grows.
#ifdef FLAMELET_BENCH_TRACY
#include <tracy/Tracy.hpp>
#else
#define FLAMELET_SHIM_NO_START
#include <tracy/TracyC.h>
#include <tracy/Tracy.hpp>

#include "flamelet/recorder.h"
#endif

#ifdef FLAMELET_BENCH_SPALL
#include <spall.h>
#endif

#include "measure.h"

namespace flamelet_bench {
namespace {

void flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { ZoneScopedN("flat"); }
    forget();
  }
}

#ifdef FLAMELET_BENCH_TRACY

std::vector<Row> tracy_rows() {
  return {{"Tracy, flat, not connected", flat, limit_flat}};
}

#else

const char* const kNames[] = {"Enemy.update", "Door.open", "World.tick", "Camera.follow", "Hud.draw"};

uint64_t recorded() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
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

std::vector<Row> tracy_rows() {
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

#endif

#ifdef FLAMELET_BENCH_SPALL

// Spall's manual tracing, as its examples use it: a buffer of the thread's own, written out when it is full. Here it goes to
// /dev/null. Those writes are in the times.
SpallProfile profile;
thread_local SpallBuffer buffer;
unsigned char buffer_bytes[1 << 20];

void spall_flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    spall_buffer_begin(&profile, &buffer, "flat", 4, __builtin_ia32_rdtsc());
    spall_buffer_end(&profile, &buffer, __builtin_ia32_rdtsc());
    forget();
  }
}

std::vector<Row> spall_rows() {
  if (!spall_init_file("/dev/null", 1, &profile)) return {};
  buffer.data = buffer_bytes;
  buffer.length = sizeof(buffer_bytes);
  if (!spall_buffer_init(&profile, &buffer)) return {};
  return {{"Spall, flat", spall_flat, limit_flat}};
}

#endif

}  // namespace

std::vector<Row> other_rows() {
  std::vector<Row> rows = tracy_rows();
#ifdef FLAMELET_BENCH_SPALL
  for (const Row& row : spall_rows()) rows.push_back(row);
#endif
  return rows;
}

}  // namespace flamelet_bench
