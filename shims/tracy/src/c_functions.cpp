// SPDX-License-Identifier: MIT
//
// c_functions.cpp: Tracy's functions for C and for bindings.
#define TRACY_MANUAL_LIFETIME
#define TRACY_ENABLE
#include <stdlib.h>
#include <string.h>

#include "flamelet/lock.h"
#include "flamelet_shim/format.hpp"
#include "platform/thread_local.h"
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

// A function of Tracy's, and the call that it is.
#define CALL(type, name, parameters, call) \
  type name parameters {                   \
    return call;                           \
  }

// ---- Start and state ---------------------------------------------------------------------------------------------------

CALL(void, ___tracy_set_thread_name, (const char* name), flamelet_shim_thread_name(name, 0))
void ___tracy_startup_profiler(void) {
  flamelet_shim_start();
}
CALL(void, ___tracy_shutdown_profiler, (void), flamelet_shim_stop())
CALL(int32_t, ___tracy_profiler_started, (void), flamelet_shim_is_started())
CALL(int32_t, ___tracy_connected, (void), flamelet_enabled())
CALL(int64_t, ___tracy_get_time, (void), static_cast<int64_t>(flamelet_now_ticks()))
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
CALL(TracyCZoneCtx, ___tracy_emit_zone_begin_alloc, (uint64_t place, int32_t active),
     zone_of(flamelet_shim_begin_kept(place, active != 0)))
TracyCZoneCtx ___tracy_emit_zone_begin_alloc_callstack(uint64_t place, int32_t depth, int32_t active) {
  note_call_stack(depth);
  return ___tracy_emit_zone_begin_alloc(place, active);
}
CALL(void, ___tracy_emit_zone_end, (TracyCZoneCtx zone), flamelet_scope_end_(zone.id))

CALL(void, ___tracy_emit_zone_text, (TracyCZoneCtx zone, const char* text, size_t size),
     flamelet_shim_zone_text(zone.id, text, size))
void ___tracy_emit_zone_text_fmt(TracyCZoneCtx zone, const char* format, ...) {
  FLAMELET_SHIM_FORMAT_(text, format);
  flamelet_shim_zone_text(zone.id, text.data(), text.size());
}
CALL(void, ___tracy_emit_zone_name, (TracyCZoneCtx zone, const char* text, size_t size),
     flamelet_shim_zone_name(zone.id, text, size))
void ___tracy_emit_zone_name_fmt(TracyCZoneCtx zone, const char* format, ...) {
  FLAMELET_SHIM_FORMAT_(text, format);
  flamelet_shim_zone_name(zone.id, text.data(), text.size());
}
void ___tracy_emit_zone_color(TracyCZoneCtx zone, uint32_t) {
  if (zone.id != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_ZONE_COLOR_);
}
CALL(void, ___tracy_emit_zone_value, (TracyCZoneCtx zone, uint64_t value), flamelet_shim_zone_value(zone.id, value))

// ---- Memory ------------------------------------------------------------------------------------------------------------

CALL(void, ___tracy_emit_memory_alloc, (const void* address, size_t size), flamelet_shim_alloc(address, size, nullptr))
CALL(void, ___tracy_emit_memory_alloc_callstack, (const void* address, size_t size, int32_t depth),
     ___tracy_emit_memory_alloc_callstack_named(address, size, depth, nullptr))
CALL(void, ___tracy_emit_memory_free, (const void* address), flamelet_shim_free(address, nullptr))
CALL(void, ___tracy_emit_memory_free_callstack, (const void* address, int32_t depth),
     ___tracy_emit_memory_free_callstack_named(address, depth, nullptr))
CALL(void, ___tracy_emit_memory_alloc_named, (const void* address, size_t size, const char* pool),
     flamelet_shim_alloc(address, size, pool))
void ___tracy_emit_memory_alloc_callstack_named(const void* address, size_t size, int32_t depth, const char* pool) {
  note_call_stack(depth);
  flamelet_shim_alloc(address, size, pool);
}
CALL(void, ___tracy_emit_memory_free_named, (const void* address, const char* pool), flamelet_shim_free(address, pool))
void ___tracy_emit_memory_free_callstack_named(const void* address, int32_t depth, const char* pool) {
  note_call_stack(depth);
  flamelet_shim_free(address, pool);
}
CALL(void, ___tracy_emit_memory_discard, (const char* pool), flamelet_shim_discard(pool))
void ___tracy_emit_memory_discard_callstack(const char* pool, int32_t depth) {
  note_call_stack(depth);
  flamelet_shim_discard(pool);
}

// ---- Messages, frames, plots -------------------------------------------------------------------------------------------

void ___tracy_emit_logString(int8_t severity, int32_t color, int32_t depth, size_t size, const char* text) {
  note_call_stack(depth);
  flamelet_shim_message(severity, static_cast<uint32_t>(color), text, size);
}
CALL(void, ___tracy_emit_logStringL, (int8_t severity, int32_t color, int32_t depth, const char* text),
     ___tracy_emit_logString(severity, color, depth, size_of(text), text))
CALL(void, ___tracy_emit_message_appinfo, (const char* text, size_t size), flamelet_shim_app_info(text, size))

void ___tracy_emit_frame_mark(const char* name) {
  if (name == nullptr)
    flamelet_frame();
  else
    flamelet_frame_named(name);
}
CALL(void, ___tracy_emit_frame_mark_start, (const char* name), flamelet_shim_frame_start(name))
CALL(void, ___tracy_emit_frame_mark_end, (const char* name), flamelet_shim_frame_end(name))
CALL(void, ___tracy_emit_frame_image, (const void*, uint16_t, uint16_t, uint8_t, int32_t),
     flamelet_shim_note_(FLAMELET_SHIM_NOTE_FRAME_IMAGE_))

CALL(void, ___tracy_emit_plot, (const char* name, double value), flamelet_shim_plot(name, value))
CALL(void, ___tracy_emit_plot_float, (const char* name, float value),
     flamelet_shim_plot(name, static_cast<double>(value)))
CALL(void, ___tracy_emit_plot_int, (const char* name, int64_t value),
     flamelet_shim_plot(name, static_cast<double>(value)))
CALL(void, ___tracy_emit_plot_config, (const char*, int32_t, int32_t, int32_t, uint32_t),
     flamelet_shim_note_(FLAMELET_SHIM_NOTE_PLOT_CONFIG_))

// ---- Fibers ------------------------------------------------------------------------------------------------------------

CALL(void, ___tracy_fiber_enter, (const char* fiber), flamelet_shim_fiber_enter(fiber))
CALL(void, ___tracy_fiber_leave, (void), flamelet_shim_fiber_leave())

// ---- Locks -----------------------------------------------------------------------------------------------------------

// They tell what happened after it happened: so there is a flow from who gives it back only if the next thread does not have
// it yet.

struct flamelet_shim_lock {
  flamelet_lock lock;
  flamelet_shim_lock_names names;
};

namespace {

FLAMELET_THREAD_LOCAL_ flamelet_wait waiting;

flamelet_shim_lock* announce(const ___tracy_source_location_data* place) {
  flamelet_shim_lock* lock = static_cast<flamelet_shim_lock*>(calloc(1, sizeof(flamelet_shim_lock)));
  if (lock != nullptr) lock->lock.name = place->name != nullptr ? place->name : place->function;
  return lock;
}

void terminate(flamelet_shim_lock* lock) {
  if (lock != nullptr) flamelet_shim_lock_end(&lock->names);
  free(lock);
}

int32_t before_lock(flamelet_shim_lock* lock, flamelet_wait_kind kind) {
  if (lock == nullptr) return 0;
  waiting = flamelet_wait_begin(&lock->lock, kind);
  return 1;
}

void after_lock(flamelet_shim_lock* lock) {
  if (lock == nullptr) return;
  flamelet_wait_end(&lock->lock, waiting, true);
  waiting = {};
  flamelet_lock_taken(&lock->lock);
}

}  // namespace

// Tracy has them by other names for a lock that can be shared, and for a hold that is.
#define LOCK_FUNCTIONS(Context, kind)                                                         \
  Context ___tracy_announce_##kind##_ctx(const ___tracy_source_location_data* place) {        \
    return announce(place);                                                                   \
  }                                                                                           \
  void ___tracy_terminate_##kind##_ctx(Context lock) {                                        \
    terminate(lock);                                                                          \
  }                                                                                           \
  void ___tracy_mark_##kind##_ctx(Context lock, const ___tracy_source_location_data* place) { \
    if (lock != nullptr) flamelet_shim_lock_mark(&lock->lock, place->function);               \
  }                                                                                           \
  void ___tracy_custom_name_##kind##_ctx(Context lock, const char* name, size_t size) {       \
    if (lock != nullptr) flamelet_shim_lock_name(&lock->lock, &lock->names, name, size);      \
  }
#define HOLD_FUNCTIONS(Context, kind, wait_kind)                              \
  int32_t ___tracy_before_lock_##kind##_ctx(Context lock) {                   \
    return before_lock(lock, wait_kind);                                      \
  }                                                                           \
  void ___tracy_after_lock_##kind##_ctx(Context lock) {                       \
    after_lock(lock);                                                         \
  }                                                                           \
  void ___tracy_after_unlock_##kind##_ctx(Context lock) {                     \
    if (lock != nullptr) flamelet_lock_shared_freed(&lock->lock);             \
  }                                                                           \
  void ___tracy_after_try_lock_##kind##_ctx(Context lock, int32_t acquired) { \
    if (lock != nullptr && acquired != 0) flamelet_lock_taken(&lock->lock);   \
  }
LOCK_FUNCTIONS(TracyCLockCtx, lockable)
LOCK_FUNCTIONS(TracyCSharedLockCtx, shared_lockable)
HOLD_FUNCTIONS(TracyCLockCtx, lockable, FLAMELET_WAIT_LOCK)
HOLD_FUNCTIONS(TracyCSharedLockCtx, shared_lockable, FLAMELET_WAIT_LOCK)
HOLD_FUNCTIONS(TracyCSharedLockCtx, shared_shared_lockable, FLAMELET_WAIT_SHARED_LOCK)
