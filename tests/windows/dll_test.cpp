// SPDX-License-Identifier: MIT
//
// The recorder in a DLL, and what Windows does with threads, modules and processes.
#include <doctest/doctest.h>
#include <process.h>
#include <windows.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/flamelet.h"
#include "support/loaded.h"
#include "support/read.h"
#include "temporary_folder.h"

using namespace recorder_test;

namespace {

intptr_t run_program(const char* what, const std::string& argument = "") {
  return _spawnl(_P_WAIT, WINDOWS_PROGRAM, "program", what, argument.c_str(), nullptr);
}

template <class Function>
Function find_function(HMODULE dll, const char* name) {
  const auto function = reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(dll, name)));
  const bool found = function != nullptr;
  REQUIRE(found);
  return function;
}

}  // namespace

TEST_CASE("windows: threads of a program that uses flamelet.dll lose nothing, and give their tracks back") {
  CHECK(run_program("threads") == 0);
}

TEST_CASE("windows: a plug-in that shares flamelet.dll is unloaded while others record, and its names stay") {
  CHECK(run_program("unload", WINDOWS_PLUGIN) == 0);
}

TEST_CASE("windows: a shutdown from DllMain, when the recording threads were ended, does not hang or crash") {
  for (int i = 0; i < 5; ++i) CHECK(run_program("dllmain", WINDOWS_SHUTDOWN_PLUGIN) == 0);
}

TEST_CASE("windows: of a process that was terminated the ring file has everything") {
  const TemporaryFolder folder;
  const std::string ring = folder.file("ring");
  REQUIRE(run_program("killed", ring) == 9);
  Recovered recovered(ring);
  REQUIRE(recovered.result == FLAMELET_OK);
  CHECK(!recovered.report.shut_down);
  CHECK(recovered.report.pages_refused <= 1);  // that the other thread was taking
  const std::vector<flamelet_span> spans = read_spans(recovered.capture, find_lane(recovered.capture, "main"));
  REQUIRE(spans.size() == 1001);
  CHECK(text_of(recovered.capture, spans[999].name) == "work");
  CHECK(text_of(recovered.capture, spans[1000].name) == "the end");
  CHECK(spans[1000].flags == FLAMELET_SPAN_OPEN);
}

TEST_CASE("windows: flamelet.dll can be unloaded before a thread that recorded exits, and leaves no slot behind") {
  const DWORD slot = TlsAlloc();
  TlsFree(slot);
  for (int i = 0; i < 10; ++i) {
    const HMODULE dll = LoadLibraryA(WINDOWS_DLL);
    REQUIRE(dll != nullptr);
    const flamelet_config config =
        find_function<decltype(&flamelet_config_default)>(dll, "flamelet_config_default_abi3")();
    REQUIRE(find_function<decltype(&flamelet_init)>(dll, "flamelet_init")(&config) == FLAMELET_OK);
    std::atomic<int> step{0};
    std::thread thread([&] {
      const flamelet_id id = find_function<decltype(&flamelet_begin)>(dll, "flamelet_begin")("scope", "", nullptr);
      find_function<decltype(&flamelet_end)>(dll, "flamelet_end")(id);
      step = id == 0 ? 2 : 1;
      while (step != 3) std::this_thread::yield();
    });
    while (step == 0) std::this_thread::yield();
    CHECK(step == 1);
    CHECK(find_function<decltype(&flamelet_shutdown)>(dll, "flamelet_shutdown")() == FLAMELET_OK);
    CHECK(FreeLibrary(dll) != 0);
    CHECK(GetModuleHandleA(WINDOWS_DLL) == nullptr);
    step = 3;
    thread.join();
  }
  const DWORD after = TlsAlloc();
  CHECK(after == slot);
  TlsFree(after);
}

TEST_CASE("windows: with every slot of a thread's own block taken, the recorder takes others, and loses nothing") {
  constexpr uint64_t kEvents = 7;  // of the plug-in's work
  std::vector<DWORD> taken;
  do taken.push_back(TlsAlloc());
  while (taken.back() < 64);
  const HMODULE plugin = LoadLibraryA(WINDOWS_PLUGIN);
  const HMODULE dll = GetModuleHandleA(WINDOWS_DLL);
  REQUIRE((plugin != nullptr && dll != nullptr));
  CHECK(*find_function<uint64_t*>(dll, "flamelet_thread_slot_abi2") >= 64);
  const flamelet_config config =
      find_function<decltype(&flamelet_config_default)>(dll, "flamelet_config_default_abi3")();
  const auto get_stats = find_function<decltype(&flamelet_get_stats)>(dll, "flamelet_get_stats");
  const auto work = find_function<void (*)(const void*)>(plugin, "plugin_work");
  REQUIRE(find_function<decltype(&flamelet_init)>(dll, "flamelet_init")(&config) == FLAMELET_OK);
  flamelet_stats before, after;
  get_stats(&before);
  for (int i = 0; i < 20; ++i) {
    work(nullptr);
    std::thread(work, nullptr).join();
  }
  get_stats(&after);
  CHECK(after.events_recorded - before.events_recorded == 40 * kEvents);
  CHECK(after.tracks_live == 1);
  CHECK(find_function<decltype(&flamelet_shutdown)>(dll, "flamelet_shutdown")() == FLAMELET_OK);
  CHECK(FreeLibrary(plugin) != 0);
  for (const DWORD slot : taken) TlsFree(slot);
}

TEST_CASE("windows: recording does not change the program's last error") {
  const flamelet_config config = flamelet_config_default();
  SetLastError(1234);
  { FLAMELET_SCOPE("before the first init"); }
  CHECK(GetLastError() == 1234);
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  SetLastError(1234);
  {
    FLAMELET_SCOPE("first");
    FLAMELET_SCOPE_DYNAMIC("second");
    flamelet_frame();
  }
  CHECK(GetLastError() == 1234);
  CHECK(flamelet_shutdown() == FLAMELET_OK);
}
