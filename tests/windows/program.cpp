// SPDX-License-Identifier: MIT
//
// program.cpp WHAT [ARGUMENT]: what the tests run as a process of its own, with the recorder in flamelet.dll. It exits
// with 0 if all was as expected, and with the number of the check that was not.
#include <windows.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/api.h"
#include "flamelet/capture.h"
#include "flamelet/flamelet.h"

namespace {

constexpr int kScopes = 1000;

void record_scopes(int count) {
  for (int i = 0; i < count; ++i) FLAMELET_SCOPE("work");
}

uint64_t events_recorded() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
}

uint32_t tracks_live() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.tracks_live;
}

// On each of many threads, one after the other and two at a time: nothing is lost, and each gives its track back.
int record_on_threads() {
  flamelet_config config = flamelet_config_default();
  config.max_tracks = 4;
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  const uint64_t before = events_recorded();
  for (int round = 0; round < 50; ++round) {
    std::thread first([] { record_scopes(kScopes); }), second([] { record_scopes(kScopes); });
    first.join();
    second.join();
  }
  if (events_recorded() - before != 50 * 2 * 2 * kScopes) return 2;
  if (tracks_live() != 0) return 3;
  return flamelet_shutdown() == FLAMELET_OK ? 0 : 4;
}

// `path` is a plug-in that records, also on a thread of its own, and is unloaded while another thread records.
int unload_while_recording(const char* path) {
  constexpr int kLoads = 20;
  flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  flamelet_set_thread_name("main");
  std::atomic<bool> stop{false};
  // However long the loads take: what it records leaves the plug-in's scopes in the ring.
  std::thread other([&stop] {
    for (int recorded = 0; !stop; SwitchToThread())
      if (recorded < 400000) record_scopes(10), recorded += 10;
  });
  for (int i = 0; i < kLoads; ++i) {
    const HMODULE plugin = LoadLibraryA(path);
    if (plugin == nullptr) return 2;
    using Work = void (*)(const flamelet_api*);
    const Work work = reinterpret_cast<Work>(reinterpret_cast<void*>(GetProcAddress(plugin, "plugin_work")));
    if (work == nullptr) return 3;
    work(nullptr);
    std::thread(work, nullptr).join();
    if (FreeLibrary(plugin) == 0) return 4;
  }
  stop = true;
  other.join();
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) return 5;
  if (flamelet_capture_update(capture) != FLAMELET_OK) return 6;
  int found = 0;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture, lane, INT64_MIN, INT64_MAX));
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size(), nullptr);
    for (const flamelet_span& span : spans)
      found += flamelet_capture_string(capture, span.name).text == std::string("plug-in macro") ? 1 : 0;
  }
  flamelet_capture_destroy(capture);
  if (found != 2 * kLoads) return 7;
  return flamelet_shutdown() == FLAMELET_OK ? 0 : 8;
}

// Ends the process as a debugger or the task manager does, with a scope open, while another thread records.
int be_killed(const char* ring) {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{4} << 20;
  config.ring_path = ring;
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  flamelet_set_thread_name("main");
  std::thread([] {
    for (;;) record_scopes(10), SwitchToThread();
  }).detach();
  record_scopes(kScopes);
  FLAMELET_SCOPE("the end");
  TerminateProcess(GetCurrentProcess(), 9);
  return 2;
}

// The plug-in shuts the recorder down from its DllMain(), when the system has ended the thread that records.
int end_with(const char* plugin) {
  flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  if (LoadLibraryA(plugin) == nullptr) return 2;
  std::atomic<bool> runs{false};
  std::thread([&runs] {
    record_scopes(10);
    runs = true;
    for (;;) record_scopes(10);
  }).detach();
  while (!runs) SwitchToThread();
  std::exit(0);
}

// For `flamelet record`: ends with an exit code, or crashes in a scope.
int be_recorded(const std::string& end) {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{4} << 20;
  config.ring_path_from_environment = true;
  if (flamelet_init(&config) != FLAMELET_OK) return 100;
  flamelet_frame();
  record_scopes(100);
  flamelet_frame();
  FLAMELET_SCOPE("the end");
  if (end == "crash") RaiseException(STATUS_ACCESS_VIOLATION, EXCEPTION_NONCONTINUABLE, 0, nullptr);
  return std::atoi(end.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const char* argument = count > 2 ? arguments[2] : "";
  if (what == "threads") return record_on_threads();
  if (what == "unload") return unload_while_recording(argument);
  if (what == "killed") return be_killed(argument);
  if (what == "dllmain") return end_with(argument);
  if (what == "recorded") return be_recorded(argument);
  return 99;
}
