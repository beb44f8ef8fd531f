// SPDX-License-Identifier: MIT
//
// program.cpp: a game's worth of Optick's macros.
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

static void load_level(int level) {
  OPTICK_CATEGORY(OPTICK_FUNC, Optick::Category::Rendering);
  OPTICK_TAG("level", level);
  {
    OPTICK_EVENT("read", Optick::Category::Wait);
    OPTICK_TAG("file", "level %s.bin");
    OPTICK_TAG("bytes", static_cast<uint64_t>(level) << 33);
  }
  OPTICK_PUSH("build");
  for (int part = 0; part < 3; ++part) {
    OPTICK_PUSH("part");
    OPTICK_TAG("part", part);
    { OPTICK_EVENT_DYNAMIC(part == 1 ? "middle part" : "outer part"); }
    OPTICK_POP();
  }
  OPTICK_TAG("center", 1.5f, -2.0f, 0.0f);
  OPTICK_POP();
  {
    OPTICK_GPU_EVENT("upload");
    OPTICK_TAG("texture", 7u);
  }
  OPTICK_FRAME_FLIP(Optick::FrameType::GPU);
  OPTICK_UPDATE();
}

// What a tool of the game does with the profiler.
static void captures() {
  OPTICK_EVENT("captures");
  OPTICK_SET_MEMORY_ALLOCATOR(nullptr, nullptr, nullptr);
  OPTICK_GPU_INIT_D3D12(nullptr, nullptr, 0);
  OPTICK_GPU_INIT_VULKAN(nullptr, nullptr, nullptr, nullptr, 0, nullptr);
  static Optick::EventStorage* const storage = nullptr;
  OPTICK_STORAGE_REGISTER("queue");
  OPTICK_STORAGE_EVENT(storage, nullptr, 1, 2);
  OPTICK_STORAGE_PUSH(storage, nullptr, 1);
  OPTICK_STORAGE_POP(storage, 2);
  OPTICK_STOP_CAPTURE();
  OPTICK_START_CAPTURE();
  OPTICK_SAVE_CAPTURE("/no/such/folder/game");
  OPTICK_TAG("saved", "no");
  {
    OPTICK_CATEGORY("after it", Optick::Category::Audio);
    OPTICK_TAG("voices", 12);
    OPTICK_TAG("volume", 0.75f);
    OPTICK_PUSH("mix");
    { OPTICK_EVENT(Optick::Category::Audio); }
    OPTICK_POP();
  }
}

static void main_loop() {
  for (int frame = 0; frame < 4; ++frame) {
    OPTICK_FRAME("main thread");
    if (!Optick::IsActive()) OPTICK_TAG("not active", frame);
    update_systems(frame);
    custom_events();
    load_level(frame);
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

// Nothing calls it, but it compiles with all that such callbacks use.
static bool state_changed(Optick::State::Type state) {
  static const uint8_t pixel[4] = {};
  switch (state) {
    case Optick::State::START_CAPTURE:
    case Optick::State::STOP_CAPTURE:
    case Optick::State::CANCEL_CAPTURE:
      break;
    case Optick::State::DUMP_CAPTURE:
      Optick::AttachSummary("version", "1");
      Optick::AttachFile(Optick::File::OPTICK_IMAGE, "icon.bmp", pixel, sizeof pixel);
      Optick::AttachFile(Optick::File::OPTICK_TEXT, "log.txt", "log.txt");
      Optick::AttachFile(Optick::File::OPTICK_OTHER, "data", L"data");
      break;
  }
  return true;
}

void play() {
  const Optick::StateCallback callback = state_changed;
  OPTICK_SET_STATE_CHANGED_CALLBACK(callback);
  main_loop();
  captures();
  std::thread(worker, "worker 1").join();
  std::thread(pool_thread).join();
  OPTICK_SHUTDOWN();
}
