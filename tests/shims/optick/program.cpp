// SPDX-License-Identifier: MIT
//
// program.cpp: a game's worth of Optick's macros; the same file is built with the shim and with the stand-in.
#include "program.h"

#include <optick.h>

#include <string>
#include <thread>

#include "systems.h"

namespace {

// Runs before main().
struct Early {
  Early() {
    OPTICK_APP("game");
    OPTICK_EVENT("static initializer");
  }
};
Early early;

}  // namespace

static void custom_events() {
  OPTICK_EVENT();
  static Optick::EventDescription* const description =
      Optick::EventDescription::Create("custom", "file.lua", 12, 0xFF112233);
  { OPTICK_CUSTOM_EVENT(description); }
  for (int i = 0; i < 20; ++i) {
    const std::string name = "entity " + std::to_string(i);
    OPTICK_EVENT_DYNAMIC(name.c_str());
    OPTICK_PUSH_DYNAMIC(name.c_str());
    OPTICK_POP();
  }
  { OPTICK_CUSTOM_EVENT(Optick::EventDescription::CreateShared("shared %s")); }
  OPTICK_TAG("address", static_cast<uint64_t>(1) << 63);
  OPTICK_TAG("negative", -5);
}

static void main_loop() {
  for (int frame = 0; frame < 4; ++frame) {
    OPTICK_FRAME("main thread");
    if (!Optick::IsActive()) OPTICK_TAG("not active", frame);
    update_systems(frame);
    custom_events();
    OPTICK_UPDATE();
    OPTICK_GPU_CONTEXT(nullptr);
    OPTICK_GPU_FLIP(nullptr);
    OPTICK_STORAGE_PUSH(nullptr, nullptr, 0);
    { OPTICK_FRAME_EVENT(Optick::FrameType::GPU); }
  }
}

static void worker(const char* name) {
  OPTICK_THREAD(name);
  OPTICK_CATEGORY("worker", Optick::Category::AI);
  OPTICK_EVENT();
}

static void pool_thread() {
  OPTICK_START_THREAD("pool"){OPTICK_EVENT("job")} OPTICK_STOP_THREAD()
}

void play() {
  OPTICK_SET_STATE_CHANGED_CALLBACK(nullptr);
  main_loop();
  std::thread(worker, "worker 1").join();
  std::thread(pool_thread).join();
  OPTICK_SHUTDOWN();
}
