// SPDX-License-Identifier: MIT
//
// program.cpp: a game's worth of Tracy's macros. It includes Tracy's headers and nothing else that records.
#include "program.h"

#include <tracy/Tracy.hpp>

#include <cmath>
#include <common/TracySystem.hpp>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

#include "systems.h"

namespace {

// Runs before main().
struct Early {
  Early() {
    tracy::SetThreadName("main");
    ZoneScopedN("static initializer");
    TracyMessageLC("before main", 0x123456);
    static char space;
    TracyAllocN(&space, 5, "early");
    ZoneTransientN(transient, "early name", true);
  }
};
Early early;

}  // namespace

static void zones_of_every_kind(int frame) {
  ZoneScopedS(8);
  {
    ZoneScopedNS("with a call stack", 4);
    { ZoneScopedC(0x112233); }
    { ZoneScopedCS(tracy::Color::SteelBlue4, 2); }
    { ZoneScopedNCS("all of it", 0x445566, 2); }
  }
  {
    ZoneNamed(a, true);
    ZoneNamedC(b, 0x778899, true);
    ZoneNamedS(c, 3, frame == 1);
    ZoneNamedNS(d, "named deep", 3, true);
    ZoneNamedCS(e, 0x10, 3, true);
    ZoneNamedNCS(f, "named deep in colour", 0x20, 3, true);
    ZoneColorV(f, 0xff0000);
    ZoneNameV(f, "renamed", 7);
    ZoneNameVF(f, "renamed %s", "again");
    ZoneTextVF(f, "%d of %d", frame, 3);
    ZoneTextVF(a, "plain");
  }
  ZoneColor(tracy::Color::Green);
  ZoneName("every kind", 10);
  ZoneNameF("every kind %d", frame);
  ZoneText("half of it", 4);
  if (ZoneIsActive) TracyMessageL("active");
}

static void zones_with_names_of_the_run(int frame) {
  for (int i = 0; i < 5; ++i) {
    const std::string name = "asset " + std::to_string(i);
    ZoneTransientN(load, name.c_str(), true);
    const std::string text = name + " of frame " + std::to_string(frame);
    ZoneTextV(load, text.c_str(), text.size());
    ZoneTransientNS(part, (name + " part").c_str(), 2, i % 2 == 0);
  }
  ZoneTransient(unnamed, true);
  ZoneTransientS(deep, 2, true);
  // One buffer with one name after the other.
  char buffer[32];
  for (int i = 0; i < 4; ++i) {
    std::snprintf(buffer, sizeof(buffer), "script %d %%s", i);
    ZoneTransientNC(script, buffer, 0x334455, true);
  }
}

static void messages(int frame) {
  const std::string text = "frame " + std::to_string(frame);
  TracyMessage(text.data(), text.size());
  TracyMessageC(text.data(), text.size(), 0x0000ff);
  TracyMessageL("100 %s %d %n");
  TracyMessageLC("red", tracy::Color::Red);
  TracyMessageS(text.data(), text.size(), 5);
  TracyMessageLS("literal", 5);
  TracyMessageCS(text.data(), text.size(), 0x00ff00, 5);
  TracyMessageLCS("literal in green", 0x00ff00, 5);
  TracyLogString(tracy::MessageSeverity::Warning, 0, 0, "careful");
  TracyLogString(tracy::MessageSeverity::Error, 0xff00ff, 0, "wrong");
}

static void plots(int frame) {
  TracyPlotConfig("heap", tracy::PlotFormatType::Memory, true, true, 0);
  TracyPlot("integers", frame);
  TracyPlot("integers", static_cast<int64_t>(-5) * frame);
  TracyPlot("floats", 0.5f * static_cast<float>(frame));
  TracyPlot("doubles", 0.25 * frame);
  TracyPlot("doubles", std::nan(""));
  TracyPlot("sizes", sizeof(int));
}

static void memory(int frame) {
  static char space[64];
  TracyAlloc(&space[0], 10);
  TracyAllocS(&space[1], 20, 3);
  TracyAllocNS(&space[2], 30, 3, "arena");
  TracyAllocN(&space[3], 40, "arena");
  TracyAllocN(&space[0], 50, "arena");  // live in another pool, too
  TracySecureAlloc(&space[4], 60);
  TracySecureAllocN(&space[5], 70, "secure");
  TracyFree(&space[0]);
  TracyFreeS(&space[1], 3);
  TracyFreeNS(&space[2], 3, "arena");
  TracyFreeN(&space[3], "arena");
  TracySecureFree(&space[4]);
  TracySecureFreeN(&space[5], "secure");
  if (frame % 2 == 0)
    TracyMemoryDiscard("arena");
  else
    TracyMemoryDiscardS("arena", 2);
  TracyAllocN(&space[6 + frame], 7, "left");
}

static TracyLockable(std::mutex, global_lock);
static TracySharedLockableN(std::shared_mutex, shared_lock, "the world");

struct Worker {
  TracyLockable(std::recursive_mutex, lock);
  TracyLockableN(std::mutex, named, "worker's queue");

  void work() {
    ZoneScopedN("work");
    const std::lock_guard<LockableBase(std::recursive_mutex)> outer(lock);
    LockMark(lock);
    if (named.try_lock()) named.unlock();
    named.lock();
    named.unlock();
  }
};

static void locks() {
  ZoneScopedN("locks");
  Worker worker;
  worker.work();
  LockableName(worker.named, "renamed queue", 13);
  worker.work();
  {
    const std::unique_lock<LockableBase(std::mutex)> guard(global_lock);
    ZoneScopedN("with the lock");
  }
  { const std::unique_lock<SharedLockableBase(std::shared_mutex)> writer(shared_lock); }
  { const std::shared_lock<SharedLockableBase(std::shared_mutex)> reader(shared_lock); }
}

static void fibers() {
  static const char* const names[] = {"fiber a", "fiber b"};
  ZoneScopedN("scheduler");
  TracyFiberEnter(names[0]);
  {
    ZoneScopedN("in a");
    TracyFiberEnter(names[1]);
    { ZoneScopedN("in b"); }
    TracyFiberEnterHint(names[0], 1);
    { ZoneScopedN("in a again"); }
  }
  TracyFiberLeave;
  { ZoneScopedN("after fibers"); }
}

static void sections(int frame) {
  const auto level = TracySectionEnter("level");
  const auto boss = TracySectionEnterCategory(3, "boss");
  TracySectionSetup(3, "bosses");
  TracySectionLeave(level);
  if (frame != 0) TracySectionLeave(boss);
}

static void thread_of(const char* name, int rounds) {
  tracy::SetThreadNameWithHint(name, 1);
  ZoneScopedN("thread");
  for (int i = 0; i < rounds; ++i) {
    ZoneScopedN("round");
    FrameMarkNamed("rounds");
    TracyPlot("round", i);
  }
}

static void early_again() {
  TracyAllocN(&early, 7, "early");
  TracyMessageLC("before main", 0x123456);
  ZoneTransientN(transient, "early name", true);
}

void play() {
  early_again();
  TracySetProgramName("game");
  TracyParameterRegister(nullptr, nullptr);
  TracyParameterSetup(0, "speed", TracyParamTypeInt, 1);
  TracySourceCallbackRegister(nullptr, nullptr);
  TracyAppInfo("version 12", 10);
  if (!TracyIsConnected || !TracyIsStarted) TracyMessageL("not connected");
  for (int frame = 0; frame < 5; ++frame) {
    FrameMarkStart("simulation");
    update_systems(frame);
    FrameMarkEnd("simulation");
    zones_of_every_kind(frame);
    zones_with_names_of_the_run(frame);
    messages(frame);
    plots(frame);
    memory(frame);
    locks();
    fibers();
    sections(frame);
    FrameImage(nullptr, 0, 0, 0, false);
    FrameMarkNamed("server tick");
    FrameMark;
  }
  std::thread first(thread_of, "worker 1", 3);
  first.join();
  std::thread second(thread_of, "worker 2", 7);
  second.join();
  std::thread(play_in_c).join();
}
