// SPDX-License-Identifier: MIT
//
// flamelet/api.h: the recorder as a table of function pointers, for plug-ins that are loaded at run time and do not
// link Flamelet. The host links flamelet::api and passes them the table. A plug-in that links the shared library needs
// no table.
//
//   host     plugin_start(flamelet_get_api(FLAMELET_API_VERSION));
//   plug-in  flamelet_id scope = api->begin("plug-in work", "plug-in", NULL);
//            ...
//            api->end(scope);
//
// Threads:   each entry has the rules of its function in recorder.h, site.h or events.h.
// Lifetime:  the table is static in the host. The names that a plug-in passes must not move until it is unloaded. Their
//            text is copied at first use and compared later. So the recording keeps them, and another plug-in that is
//            loaded at the same address gets its own.
// Cost:      that of the functions, and a call through a pointer.
#ifndef FLAMELET_API_H
#define FLAMELET_API_H

#include "flamelet/events.h"
#include "flamelet/recorder.h"
#include "flamelet/site.h"

FLAMELET_EXTERN_C_BEGIN

// Grows by one when entries are added at the end. From version 1.0 on, entries never change and are never removed.
#define FLAMELET_API_VERSION 5u

// Entry x is the function flamelet_x.
typedef struct flamelet_api {
  uint32_t version;  // of the host's table: at least the version passed to flamelet_get_api()
  uint32_t size;     // of the host's table, in bytes

  // Set-up: only for a plug-in that is the engine's profiler; otherwise the host does it.
  flamelet_config (*config_default)(void);
  size_t (*memory_required)(const flamelet_config* config);
  flamelet_result (*init)(const flamelet_config* config);
  flamelet_result (*shutdown)(void);
  void (*set_enabled)(bool enabled);
  bool (*enabled)(void);
  const char* (*result_message)(int result);

  // Scopes
  flamelet_id (*begin)(const char* name, const char* category, const char* object);
  void (*end)(flamelet_id id);
  flamelet_id (*next)(flamelet_id id, const char* name, const char* category);
  void (*end_top)(void);
  void (*instant)(const char* name, const char* category, const char* object);
  void (*counter)(const char* name, const char* category, double value);
  flamelet_id (*interval_begin)(const char* name, const char* category, const char* object);
  void (*interval_end)(flamelet_id id);
  void (*frame)(void);
  void (*frame_named)(const char* name);

  // Strings, threads, fibers, signal handlers
  const char* (*intern)(const char* text);
  const char* (*intern_bytes)(const char* text, size_t size);
  void (*set_thread_name)(const char* name);
  void (*set_track_name)(uint32_t track, const char* name);
  uint32_t (*thread_id)(void);
  uint32_t (*fiber_create)(const char* name);
  void (*fiber_destroy)(uint32_t fiber);
  void (*fiber_switch)(uint32_t from, uint32_t to);
  void (*signal_enter)(void);
  void (*signal_leave)(void);

  // External tracks, time, numbers
  uint32_t (*track_create)(const char* name, flamelet_track_kind kind, double clock_ticks_per_second);
  void (*track_destroy)(uint32_t track);
  flamelet_result (*track_calibrate)(uint32_t track, uint64_t source_ticks, uint64_t recorder_ticks);
  size_t (*submit)(uint32_t track, const flamelet_event* events, size_t count);
  uint64_t (*now_ticks)(void);
  flamelet_clock (*clock_info)(void);
  void (*get_stats)(flamelet_stats* stats);

  // Events, as they were recorded
  flamelet_events_config (*events_config_default)(void);
  size_t (*events_memory_required)(const flamelet_events_config* config);
  flamelet_result (*events_create)(const flamelet_events_config* config, flamelet_events** events);
  void (*events_destroy)(flamelet_events* events);
  flamelet_result (*events_copy)(flamelet_events* events, flamelet_event* dest, uint64_t start, size_t count,
                                 uint64_t* actual_start, size_t* actual_count);
  flamelet_result (*events_buffer)(flamelet_events* events, flamelet_buffer* buffer);
  bool (*events_pin_page)(const void* page);
  void (*events_unpin_page)(const void* page);
  size_t (*events_decode_page)(const void* page, flamelet_event* events, size_t capacity);
  double (*event_value)(const flamelet_event* event);

  // From version 3 on
  void (*flow_begin)(uint64_t id);
  void (*flow_end)(uint64_t id);

  // From version 4 on
  flamelet_result (*category_set_enabled)(const char* category, bool enabled);
  bool (*category_enabled)(const char* category);
  flamelet_result (*categories_apply)(const char* list);
  uint32_t (*categories)(flamelet_category* list, uint32_t capacity);

  // From version 5 on: sites that are made at run time
  flamelet_site* (*site_create)(const char* name, const char* function, const char* file, uint32_t line,
                                const char* category, uint32_t color);
  flamelet_id (*site_begin)(flamelet_site* site);
  void (*site_end)(flamelet_id id);
  flamelet_id (*site_next)(flamelet_id id, flamelet_site* site);
  double (*measure_scope_ns)(flamelet_scope_kind kind);
} flamelet_api;

// The table, or NULL if this library is older than `version`. Works before flamelet_init() and after the shutdown.
FLAMELET_API const flamelet_api* flamelet_get_api(uint32_t version);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_API_H
