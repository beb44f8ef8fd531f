// SPDX-License-Identifier: MIT
//
// program.cpp: a game's worth of easy_profiler's macros.
#include "program.h"

#include <easy/arbitrary_value.h>
#include <easy/profiler.h>

#include <string>
#include <thread>

#include "systems.h"

namespace {

// Runs before main().
struct Early {
  Early() {
    EASY_MAIN_THREAD;
    EASY_BLOCK("static initializer");
  }
};
Early early;

}  // namespace

static void begin_wave(int frame) {
  EASY_NONSCOPED_BLOCK("wave", profiler::colors::Red);
  EASY_NONSCOPED_BLOCK("part of the wave " + std::to_string(frame));
}

static void end_wave() {
  EASY_END_BLOCK
  EASY_END_BLOCK
}

static void statuses() {
  EASY_FUNCTION();
  {
    EASY_BLOCK("forced", profiler::FORCE_ON);
    EASY_BLOCK("without children", profiler::ON_WITHOUT_CHILDREN, profiler::colors::Dark)
    EASY_BLOCK("child", profiler::FORCE_ON_WITHOUT_CHILDREN);
  }
  {
    EASY_BLOCK("off with all inside", profiler::OFF_RECURSIVE);
    EASY_END_BLOCK;
    EASY_FUNCTION(profiler::OFF);
  }
  EASY_NONSCOPED_BLOCK("off and open", profiler::OFF);
  EASY_END_BLOCK;
}

static void values(int frame) {
  EASY_BLOCK(EASY_CONST_NAME("values"));
  const float vector[] = {0.5f, 1, -2.25f};
  const std::string text = "frame " + std::to_string(frame) + " %n";
  EASY_VALUE("vector", vector);
  EASY_ARRAY("part of it", vector, 2u, EASY_VIN(vector));
  EASY_VALUE("unsigned", 4000000000u, EASY_GLOBAL_VIN);
  EASY_VALUE("yes", frame % 2 == 0, profiler::colors::Green);
  EASY_VALUE("letter", 'x');
  EASY_VALUE("off", 1, profiler::OFF);
  EASY_TEXT("text", text);
  EASY_TEXT("literal", "100 %s", EASY_VIN(frame));
  EASY_STRING("cut", text.c_str(), 5u);
  EASY_EVENT("event off", profiler::OFF);
}

static void worker(const char* name) {
  EASY_THREAD_SCOPE(name);
  EASY_BLOCK("work");
  EASY_VALUE("jobs", 1);
}

static void pool_thread() {
  EASY_THREAD("pool")
  EASY_BLOCK("outer") {
    EASY_BLOCK("inner")
    EASY_END_BLOCK
  }
}

void play() {
  EASY_PROFILER_ENABLE;
  EASY_SET_EVENT_TRACING_ENABLED(false);
  EASY_SET_LOW_PRIORITY_EVENT_TRACING(true);
  EASY_EVENT_TRACING_SET_LOG("log");
  const char* const log = EASY_EVENT_TRACING_LOG;
  profiler::setContextSwitchLogFilename(log);
  profiler::startListen();
  for (int frame = 0; frame < 5; ++frame) {
    EASY_BLOCK("frame");
    if (!profiler::isEnabled()) EASY_EVENT("not enabled");
    update_systems(frame);
    begin_wave(frame);
    statuses();
    values(frame);
    end_wave();
  }
  EASY_NONSCOPED_BLOCK("last frame");
  EASY_END_BLOCK;
  std::thread(worker, "worker 1").join();
  std::thread(worker, "worker 2").join();
  std::thread(pool_thread).join();
  EASY_PROFILER_DISABLE;
  EASY_START_CAPTURE;
  EASY_STOP_CAPTURE;
  EASY_PROFILER_ENABLE;
}
