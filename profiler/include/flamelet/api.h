// SPDX-License-Identifier: MIT
//
// flamelet/api.h: the recorder as a table of function pointers, for plug-ins that are loaded at run time and do not link
// against Flamelet: the host hands them the table. A plug-in that does link against the shared library needs none.
//
//   host     plugin_start(flamelet_get_api(FLAMELET_API_VERSION));
//   plug-in  flamelet_id scope = api->begin("plug-in work", "plug-in", NULL);
//            ...
//            api->end(scope);
//
// Threads:   each entry as its function in recorder.h says.
// Lifetime:  the table is static in the host. Names that a plug-in passes must stay where they are until it is unloaded.
//            Their text is copied at first use and compared afterwards: what was recorded keeps its names, and another
//            plug-in that is loaded at the same address has its own.
// Cost:      a call through a pointer more than the functions themselves.
#ifndef FLAMELET_API_H
#define FLAMELET_API_H

#include "flamelet/recorder.h"

FLAMELET_EXTERN_C_BEGIN

// Grows by one when entries are added at the end. Entries never change or go.
#define FLAMELET_API_VERSION 1u

typedef struct flamelet_api {
  uint32_t version;  // of the host's table: at least the version that was asked for
  uint32_t size;     // of the host's table, in bytes
  bool (*enabled)(void);
  flamelet_id (*begin)(const char* name, const char* category, const char* object);
  void (*end)(flamelet_id id);
  flamelet_id (*next)(flamelet_id id, const char* name, const char* category);
  void (*end_top)(void);
  void (*instant)(const char* name, const char* category, const char* object);
  void (*counter)(const char* name, const char* category, double value);
  flamelet_id (*interval_begin)(const char* name, const char* category, const char* object);
  void (*interval_end)(flamelet_id id);
  void (*frame)(void);
  const char* (*intern)(const char* text);
  const char* (*intern_bytes)(const char* text, size_t size);
  void (*set_thread_name)(const char* name);
  uint32_t (*thread_id)(void);
  uint32_t (*fiber_create)(const char* name);
  void (*fiber_destroy)(uint32_t fiber);
  void (*fiber_switch)(uint32_t from, uint32_t to);
  uint32_t (*track_create)(const char* name, flamelet_track_kind kind, double clock_ticks_per_second);
  void (*track_destroy)(uint32_t track);
  flamelet_result (*track_calibrate)(uint32_t track, uint64_t source_ticks, uint64_t recorder_ticks);
  size_t (*submit)(uint32_t track, const flamelet_event* events, size_t count);
  uint64_t (*now_ticks)(void);
  void (*signal_enter)(void);
  void (*signal_leave)(void);
} flamelet_api;

// The table, or NULL if this library is older than `version`. Works before flamelet_init() and after the shutdown.
FLAMELET_API const flamelet_api* flamelet_get_api(uint32_t version);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_API_H
