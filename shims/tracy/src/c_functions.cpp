// SPDX-License-Identifier: MIT
//
// c_functions.cpp: Tracy's functions for C and for bindings.
#define TRACY_MANUAL_LIFETIME
#define TRACY_ENABLE
#include <stdlib.h>
#include <string.h>

#include "flamelet_shim/format.hpp"
#include "tracy/TracyC.h"

namespace {

size_t size_of(const char* text) {
  return text == nullptr ? 0 : strlen(text);
}

TracyCZoneCtx zone_of(flamelet_id id) {
  return {id, id != 0};
}

void note_call_stack(int32_t depth) {
  if (depth > 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
}

}  // namespace

// ---- Start and state ---------------------------------------------------------------------------------------------------

void ___tracy_set_thread_name(const char* name) {
  flamelet_shim_thread_name(name, 0);
}
void ___tracy_startup_profiler(void) {
  flamelet_shim_start();
}
void ___tracy_shutdown_profiler(void) {
  flamelet_shim_stop();
}
int32_t ___tracy_profiler_started(void) {
  return flamelet_shim_is_started();
}
int32_t ___tracy_connected(void) {
  return flamelet_enabled();
}
int64_t ___tracy_get_time(void) {
  return static_cast<int64_t>(flamelet_now_ticks());
}
int ___tracy_begin_sampling_profiling(void) {
  flamelet_shim_note_(FLAMELET_SHIM_NOTE_SAMPLING_);
  return 0;
}
void ___tracy_end_sampling_profiling(void) {}

// ---- Zones -------------------------------------------------------------------------------------------------------------

uint64_t ___tracy_alloc_srcloc(uint32_t line, const char* source, size_t source_size, const char* function,
                               size_t function_size, uint32_t color) {
  return ___tracy_alloc_srcloc_name(line, source, source_size, function, function_size, nullptr, 0, color);
}
uint64_t ___tracy_alloc_srcloc_name(uint32_t line, const char* source, size_t source_size, const char* function,
                                    size_t function_size, const char* name, size_t name_size, uint32_t color) {
  const flamelet_shim_place place = {name, name_size, function, function_size, source, source_size, line, color};
  return flamelet_shim_keep(&place);
}

TracyCZoneCtx ___tracy_emit_zone_begin(const ___tracy_source_location_data* at, int32_t active) {
  if (active == 0) return zone_of(0);
  const flamelet_shim_place place = {at->name, size_of(at->name), at->function, size_of(at->function),
                                     at->file, size_of(at->file), at->line,     at->color};
  return zone_of(flamelet_shim_begin_at(&place, nullptr));
}
TracyCZoneCtx ___tracy_emit_zone_begin_callstack(const ___tracy_source_location_data* place, int32_t depth,
                                                 int32_t active) {
  note_call_stack(depth);
  return ___tracy_emit_zone_begin(place, active);
}
TracyCZoneCtx ___tracy_emit_zone_begin_alloc(uint64_t place, int32_t active) {
  return zone_of(flamelet_shim_begin_kept(place, active != 0));
}
TracyCZoneCtx ___tracy_emit_zone_begin_alloc_callstack(uint64_t place, int32_t depth, int32_t active) {
  note_call_stack(depth);
  return ___tracy_emit_zone_begin_alloc(place, active);
}
void ___tracy_emit_zone_end(TracyCZoneCtx zone) {
  flamelet_scope_end_(zone.id);
}

void ___tracy_emit_zone_text(TracyCZoneCtx zone, const char* text, size_t size) {
  flamelet_shim_zone_text(zone.id, text, size);
}
void ___tracy_emit_zone_text_fmt(TracyCZoneCtx zone, const char* format, ...) {
  FLAMELET_SHIM_FORMAT_(text, format);
  flamelet_shim_zone_text(zone.id, text.data(), text.size());
}
void ___tracy_emit_zone_name(TracyCZoneCtx zone, const char* text, size_t size) {
  flamelet_shim_zone_name(zone.id, text, size);
}
void ___tracy_emit_zone_name_fmt(TracyCZoneCtx zone, const char* format, ...) {
  FLAMELET_SHIM_FORMAT_(text, format);
  flamelet_shim_zone_name(zone.id, text.data(), text.size());
}
void ___tracy_emit_zone_color(TracyCZoneCtx zone, uint32_t) {
  if (zone.id != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_ZONE_COLOR_);
}
void ___tracy_emit_zone_value(TracyCZoneCtx zone, uint64_t value) {
  flamelet_shim_zone_value(zone.id, value);
}

// ---- Memory ------------------------------------------------------------------------------------------------------------

void ___tracy_emit_memory_alloc(const void* address, size_t size) {
  flamelet_shim_alloc(address, size, nullptr);
}
void ___tracy_emit_memory_alloc_callstack(const void* address, size_t size, int32_t depth) {
  ___tracy_emit_memory_alloc_callstack_named(address, size, depth, nullptr);
}
void ___tracy_emit_memory_free(const void* address) {
  flamelet_shim_free(address, nullptr);
}
void ___tracy_emit_memory_free_callstack(const void* address, int32_t depth) {
  ___tracy_emit_memory_free_callstack_named(address, depth, nullptr);
}
void ___tracy_emit_memory_alloc_named(const void* address, size_t size, const char* pool) {
  flamelet_shim_alloc(address, size, pool);
}
void ___tracy_emit_memory_alloc_callstack_named(const void* address, size_t size, int32_t depth, const char* pool) {
  note_call_stack(depth);
  flamelet_shim_alloc(address, size, pool);
}
void ___tracy_emit_memory_free_named(const void* address, const char* pool) {
  flamelet_shim_free(address, pool);
}
void ___tracy_emit_memory_free_callstack_named(const void* address, int32_t depth, const char* pool) {
  note_call_stack(depth);
  flamelet_shim_free(address, pool);
}
void ___tracy_emit_memory_discard(const char* pool) {
  flamelet_shim_discard(pool);
}
void ___tracy_emit_memory_discard_callstack(const char* pool, int32_t depth) {
  note_call_stack(depth);
  flamelet_shim_discard(pool);
}

// ---- Messages, frames, plots -------------------------------------------------------------------------------------------

void ___tracy_emit_logString(int8_t severity, int32_t color, int32_t depth, size_t size, const char* text) {
  note_call_stack(depth);
  flamelet_shim_message(severity, static_cast<uint32_t>(color), text, size);
}
void ___tracy_emit_logStringL(int8_t severity, int32_t color, int32_t depth, const char* text) {
  ___tracy_emit_logString(severity, color, depth, size_of(text), text);
}
void ___tracy_emit_message_appinfo(const char* text, size_t size) {
  flamelet_shim_app_info(text, size);
}

void ___tracy_emit_frame_mark(const char* name) {
  if (name == nullptr)
    flamelet_frame();
  else
    flamelet_frame_named(name);
}
void ___tracy_emit_frame_mark_start(const char* name) {
  flamelet_shim_frame_start(name);
}
void ___tracy_emit_frame_mark_end(const char* name) {
  flamelet_shim_frame_end(name);
}
void ___tracy_emit_frame_image(const void*, uint16_t, uint16_t, uint8_t, int32_t) {
  flamelet_shim_note_(FLAMELET_SHIM_NOTE_FRAME_IMAGE_);
}

void ___tracy_emit_plot(const char* name, double value) {
  flamelet_shim_plot(name, value);
}
void ___tracy_emit_plot_float(const char* name, float value) {
  flamelet_shim_plot(name, static_cast<double>(value));
}
void ___tracy_emit_plot_int(const char* name, int64_t value) {
  flamelet_shim_plot(name, static_cast<double>(value));
}
void ___tracy_emit_plot_config(const char*, int32_t, int32_t, int32_t, uint32_t) {
  flamelet_shim_note_(FLAMELET_SHIM_NOTE_PLOT_CONFIG_);
}

// ---- Fibers ------------------------------------------------------------------------------------------------------------

void ___tracy_fiber_enter(const char* fiber) {
  flamelet_shim_fiber_enter(fiber);
}
void ___tracy_fiber_leave(void) {
  flamelet_shim_fiber_leave();
}
