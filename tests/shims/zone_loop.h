// SPDX-License-Identifier: MIT
//
// zone_loop.h: a program that records so many zones of one kind; bench/count_instructions.cmake counts the instructions of
// two runs and takes the difference.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "flamelet/recorder.h"

// clang-format off
#define TEN_TIMES(...) \
  __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
#define FORGET() __asm__ volatile("" ::: "memory")
// clang-format on

// A function that runs the statement so many times; `name` is in turn one of a few.
#define ZONE_LOOP(function, ...)                              \
  void function(uint32_t zones) {                             \
    for (uint32_t i = 0; i < zones; i += 10) {                \
      [[maybe_unused]] const char* name = kNames[i / 10 % 5]; \
      TEN_TIMES({                                             \
        __VA_ARGS__                                           \
        FORGET();                                             \
      })                                                      \
    }                                                         \
  }

const char* const kNames[] = {"Enemy.update", "Door.open", "World.tick", "Camera.follow", "Hud.draw"};

struct ZoneLoop {
  const char* name;
  void (*run)(uint32_t zones);
};

template <size_t count>
int run_zone_loop(const ZoneLoop (&loops)[count], int argc, char** argv) {
  if (argc != 3) return 2;
  const uint32_t clock = flamelet_clock_info().kind;
  if (clock != FLAMELET_CLOCK_TSC && clock != FLAMELET_CLOCK_CNTVCT) {
    std::printf("the clock is not the CPU's counter\n");
    return 3;
  }
  for (const ZoneLoop& loop : loops) {
    if (std::strcmp(loop.name, argv[1]) != 0) continue;
    loop.run(static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)));
    return 0;
  }
  return 2;
}
