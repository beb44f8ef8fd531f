// SPDX-License-Identifier: MIT
//
// start.cpp: starts the recorder as the environment says, and stops it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flamelet/capture_file.h"
#include "flamelet/recorder.h"
#include "flamelet_shim/calls.h"
#include "platform/process.h"

namespace flamelet {
namespace {

constexpr size_t kDefaultMib = 64;
constexpr size_t kRoomyMib = 32;  // with less, the recorder's own limits
bool reports = false;

bool is_switched_off(const char* name) {
  const char* value = environment_of_user(name);
  if (value == nullptr || *value == 0 || strcmp(value, "on") == 0 || strcmp(value, "1") == 0) return false;
  if (strcmp(value, "off") == 0 || strcmp(value, "0") == 0) return true;
  fprintf(stderr, "flamelet: %s is '%s', and neither 'on' nor 'off'; it is taken for 'on'.\n", name, value);
  return false;
}

size_t wanted_bytes() {
  const char* value = environment_of_user("FLAMELET_BUDGET_MIB");
  if (value == nullptr) return kDefaultMib << 20;
  char* end = nullptr;
  const unsigned long mib = strtoul(value, &end, 10);
  if (*end == 0 && value[0] != '-' && mib >= 1 && mib <= (1ul << 20)) return size_t{mib} << 20;
  fprintf(stderr, "flamelet: FLAMELET_BUDGET_MIB is '%s', and not a number from 1 to 1048576; it takes %zu MiB.\n",
          value, kDefaultMib);
  return kDefaultMib << 20;
}

flamelet_config make_config() {
  flamelet_config config = flamelet_config_default();
  config.ring_path_from_environment = true;
  config.thread_times = !is_switched_off("FLAMELET_THREAD_TIMES");
  config.note = "by macros of another profiler";
  config.budget_bytes = wanted_bytes();
  if (config.budget_bytes >= kRoomyMib << 20) {
    config.max_tracks = FLAMELET_MAX_TRACKS;
    config.max_fibers = 1024;
    config.max_sites = 16384;
    config.max_strings = 131072;  // every text of a message that differs is one
    config.string_bytes = size_t{8} << 20;
  }
  const size_t least = flamelet_memory_required(&config);
  if (config.budget_bytes < least) {
    fprintf(stderr, "flamelet: FLAMELET_BUDGET_MIB is too small; it takes %zu KiB.\n", least >> 10);
    config.budget_bytes = least;
  }
  return config;
}

void report() {
  flamelet_shim_note notes[FLAMELET_SHIM_NOTE_KINDS_];
  const size_t count = flamelet_shim_notes(notes, FLAMELET_SHIM_NOTE_KINDS_);
  for (size_t i = 0; i < count; ++i)
    fprintf(stderr, "flamelet: %llu x %s\n", static_cast<unsigned long long>(notes[i].count), notes[i].what);
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

bool flamelet_shim_start(void) {
  reports = environment_of_user("FLAMELET_SHIM_REPORT") != nullptr;
  if (is_switched_off("FLAMELET_RECORD")) return false;
  const flamelet_config config = make_config();
  const flamelet_result result = flamelet_init(&config);
  if (result != FLAMELET_OK && result != FLAMELET_ERROR_ALREADY_INITIALIZED)
    fprintf(stderr, "flamelet: the recorder did not start: %s\n", flamelet_result_message(result));
  return result == FLAMELET_OK;
}

void flamelet_shim_stop(void) {
  if (reports) report();
  flamelet_shutdown();
}

bool flamelet_shim_is_started(void) {
  return flamelet_clock_info().kind != FLAMELET_CLOCK_NONE;
}

// ---- save capture

bool flamelet_shim_save_capture(const char* path, uint64_t* scopes) {
  char file[4096];
  const int size = snprintf(file, sizeof(file), "%s.flamelet", path);
  if (size < 0 || static_cast<size_t>(size) >= sizeof(file)) return false;
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) return false;
  const bool saved = flamelet_capture_update(capture) == FLAMELET_OK &&
                     flamelet_capture_save(capture, INT64_MIN, INT64_MAX, file) == FLAMELET_OK;
  flamelet_lane_info lane;
  for (size_t i = 0; saved && scopes != nullptr && flamelet_capture_lane(capture, i, &lane); ++i)
    if (lane.kind == FLAMELET_LANE_THREAD) *scopes += flamelet_capture_count_spans(capture, i, INT64_MIN, INT64_MAX);
  flamelet_capture_destroy(capture);
  return saved;
}
