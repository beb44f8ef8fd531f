// SPDX-License-Identifier: MIT
//
// program.cpp: a game's worth of microprofile's macros.
#include "program.h"

#include <microprofile.h>

#include <string>
#include <thread>

#include "systems.h"

MICROPROFILE_DECLARE(physics_timer);
MICROPROFILE_DECLARE_LOCAL_COUNTER(allocations);
MICROPROFILE_DEFINE_LOCAL_COUNTER(allocations, "allocations");
MICROPROFILE_DECLARE_LOCAL_COUNTER(triangles);
MICROPROFILE_DEFINE_LOCAL_COUNTER(triangles, "triangles");
MICROPROFILE_DECLARE_GPU(shadow_pass);
MICROPROFILE_DEFINE_GPU(shadow_pass, "shadows", MP_RED);
MICROPROFILE_DEFINE_SECTION(level_section, "level section", MP_CYAN);
MICROPROFILE_DEFINE(level_timer, "levels", "level timer", MP_GOLD);

static int32_t watched = 0;

static void timers() {
  MICROPROFILE_SCOPE_TOKEN(MicroProfileGetToken("group", "token", 0x10, MicroProfileTokenTypeCpu, 0));
  { MICROPROFILE_SCOPE(physics_timer); }
  { MICROPROFILE_SECTIONI("section", MP_BLUE); }
  for (int i = 0; i < 10; ++i) {
    const std::string name = "entity " + std::to_string(i) + " %s";
    MICROPROFILE_SCOPE_CSTR(name.c_str());
  }
  MICROPROFILE_SCOPEGPU(shadow_pass);
  MICROPROFILE_SCOPEGPUI("gpu", MP_RED);
}

static void timeline(int frame) {
  MICROPROFILE_TIMELINE_TOKEN(level);
  MICROPROFILE_TIMELINE_ENTER(level, MP_GREEN, "level");
  MICROPROFILE_TIMELINE_TOKEN(wave);
  MICROPROFILE_TIMELINE_ENTERF(wave, MP_GREEN, "wave %d", frame);
  MICROPROFILE_TIMELINE_LEAVE(level);
  MICROPROFILE_TIMELINE_ENTER_STATIC(MP_YELLOW, "static wave");
  { MICROPROFILE_TIMELINE_SCOPE(MP_YELLOW, "scope %d", frame); }
  MICROPROFILE_TIMELINE_LEAVE(wave);
  MICROPROFILE_TIMELINE_LEAVE_STATIC("static wave");
}

static void counters(int frame) {
  MICROPROFILE_COUNTER_CONFIG("watched", MICROPROFILE_COUNTER_FORMAT_BYTES, 100, 0);
  MICROPROFILE_COUNTER_LOCAL_ADD(allocations, 5);
  MICROPROFILE_COUNTER_LOCAL_SUB(allocations, 2);
  MICROPROFILE_COUNTER_LOCAL_UPDATE_ADD(allocations);
  if (frame == 1) MICROPROFILE_COUNTER_SET_INT32_PTR("watched", &watched);
  if (frame == 3) MICROPROFILE_COUNTER_CLEAR_PTR("watched");
  watched = frame * 10;
}

static int64_t wide = 0;

static void level(int frame) {
  MICROPROFILE_SECTION(level_section);
  MICROPROFILE_SCOPEI("levels", "level", MP_GOLD);
  const auto token = MicroProfileGetToken("levels", "by token", 0x10, MicroProfileTokenTypeCpu, 0);
  MICROPROFILE_ENTER_TOKEN(token);
  for (int part = 0; part < 3; ++part) {
    MICROPROFILE_ENTER(level_timer);
    MICROPROFILE_SCOPE_CSTR(part == 1 ? "middle part" : "outer part");
    MICROPROFILE_COUNTER_LOCAL_SET(triangles, 100 * part);
    MICROPROFILE_COUNTER_LOCAL_ADD(triangles, frame);
    MICROPROFILE_COUNTER_LOCAL_UPDATE_SET(triangles);
    { MICROPROFILE_CONDITIONAL_SCOPEI(part != 1, "levels", "conditional", MP_GOLD); }
  }
  for (int part = 0; part < 3; ++part) MICROPROFILE_LEAVE();
  MICROPROFILE_LEAVE();
  const auto counter = MICROPROFILE_COUNTER_GET_TOKEN("tokens", 0);
  MICROPROFILE_COUNTER_TOKEN_SET(counter, 10);
  MICROPROFILE_COUNTER_TOKEN_ADD(counter, frame);
  MICROPROFILE_COUNTER_TOKEN_SUB(counter, 3);
  MICROPROFILE_CONDITIONAL(MICROPROFILE_COUNTER_ADD("conditional", 1));
  if (frame == 0) MICROPROFILE_COUNTER_SET_INT64_PTR("wide", &wide);
  if (frame == 4) MICROPROFILE_COUNTER_CLEAR_PTR("wide");
  wide = int64_t{1} << (40 + frame);
}

static void ignored() {
  MICROPROFILE_REGISTER_GROUP("levels", "game", MP_GOLD);
  MICROPROFILE_FORCEENABLECPUGROUP("levels");
  MICROPROFILE_FORCEDISABLECPUGROUP("none");
  MICROPROFILE_COUNTER_CONFIG_ONCE("tokens", MICROPROFILE_COUNTER_FORMAT_DEFAULT, 100, 0);
  MICROPROFILE_COUNTER_SET_LIMIT("tokens", 100);
  MICROPROFILE_SCOPEGPU_TOKEN(MicroProfileGetToken("GPU", "pass", MP_RED, MicroProfileTokenTypeGpu, 0));
  MICROPROFILE_SCOPEGPU_CSTR("pass at run time");
  MICROPROFILE_GPU_ENTER(shadow_pass);
  MICROPROFILE_GPU_LEAVE();
  MICROPROFILE_GPU_ENTERI("GPU", "inline pass", MP_RED);
  MICROPROFILE_GPU_LEAVE();
}

static void worker(const char* name) {
  MicroProfileOnThreadCreate(name);
  MICROPROFILE_SCOPEI("threads", "work", MP_AUTO);
  MICROPROFILE_COUNTER_ADD("jobs", 1);
  MicroProfileOnThreadExit();
}

void play() {
  MicroProfileOnThreadCreate("main");
  MicroProfileSetEnableAllGroups(true);
  for (int frame = 0; frame < 5; ++frame) {
    update_systems(frame);
    timers();
    timeline(frame);
    counters(frame);
    level(frame);
    ignored();
    MicroProfileFlip(nullptr);
  }
  std::thread(worker, "worker 1").join();
  std::thread(worker, "worker 2").join();
  MicroProfileShutdown();
}
