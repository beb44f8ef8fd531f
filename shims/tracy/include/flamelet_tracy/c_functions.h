// SPDX-License-Identifier: MIT
//
// c_functions.h: the functions under the macros of TracyC.h, which bindings of other languages call by these names.
// Included by TracyC.h alone.
#ifndef FLAMELET_TRACY_C_FUNCTIONS_H
#define FLAMELET_TRACY_C_FUNCTIONS_H

#include "flamelet_shim/calls.h"

FLAMELET_EXTERN_C_BEGIN

struct ___tracy_source_location_data {
  const char* name;
  const char* function;
  const char* file;
  uint32_t line;
  uint32_t color;
};

struct ___tracy_c_zone_context {
  flamelet_id id;
  int32_t active;  // 1 where a zone was recorded
};
typedef struct ___tracy_c_zone_context TracyCZoneCtx;

typedef struct flamelet_shim_lock* TracyCLockCtx;
typedef struct flamelet_shim_lock* TracyCSharedLockCtx;

#ifdef __GNUC__
#define FLAMELET_TRACY_C_PRINTF_ __attribute__((__format__(__printf__, 2, 3)))
#else
#define FLAMELET_TRACY_C_PRINTF_
#endif

void ___tracy_startup_profiler(void);
void ___tracy_shutdown_profiler(void);
int32_t ___tracy_profiler_started(void);
int32_t ___tracy_connected(void);
int64_t ___tracy_get_time(void);

// A place is for one begin, which must come.
uint64_t ___tracy_alloc_srcloc(uint32_t line, const char* source, size_t source_size, const char* function,
                               size_t function_size, uint32_t color);
uint64_t ___tracy_alloc_srcloc_name(uint32_t line, const char* source, size_t source_size, const char* function,
                                    size_t function_size, const char* name, size_t name_size, uint32_t color);

TracyCZoneCtx ___tracy_emit_zone_begin(const struct ___tracy_source_location_data* place, int32_t active);
TracyCZoneCtx ___tracy_emit_zone_begin_callstack(const struct ___tracy_source_location_data* place, int32_t depth,
                                                 int32_t active);
TracyCZoneCtx ___tracy_emit_zone_begin_alloc(uint64_t place, int32_t active);
TracyCZoneCtx ___tracy_emit_zone_begin_alloc_callstack(uint64_t place, int32_t depth, int32_t active);
void ___tracy_emit_zone_end(TracyCZoneCtx zone);
void ___tracy_emit_zone_text(TracyCZoneCtx zone, const char* text, size_t size);
FLAMELET_TRACY_C_PRINTF_ void ___tracy_emit_zone_text_fmt(TracyCZoneCtx zone, const char* format, ...);
void ___tracy_emit_zone_name(TracyCZoneCtx zone, const char* text, size_t size);
FLAMELET_TRACY_C_PRINTF_ void ___tracy_emit_zone_name_fmt(TracyCZoneCtx zone, const char* format, ...);
void ___tracy_emit_zone_color(TracyCZoneCtx zone, uint32_t color);
void ___tracy_emit_zone_value(TracyCZoneCtx zone, uint64_t value);

FLAMELET_SHIM_ADDRESS_ONLY_ void ___tracy_emit_memory_alloc(const void* address, size_t size);
FLAMELET_SHIM_ADDRESS_ONLY_ void ___tracy_emit_memory_alloc_callstack(const void* address, size_t size, int32_t depth);
void ___tracy_emit_memory_free(const void* address);
void ___tracy_emit_memory_free_callstack(const void* address, int32_t depth);
FLAMELET_SHIM_ADDRESS_ONLY_ void ___tracy_emit_memory_alloc_named(const void* address, size_t size, const char* pool);
FLAMELET_SHIM_ADDRESS_ONLY_ void ___tracy_emit_memory_alloc_callstack_named(const void* address, size_t size,
                                                                            int32_t depth, const char* pool);
void ___tracy_emit_memory_free_named(const void* address, const char* pool);
void ___tracy_emit_memory_free_callstack_named(const void* address, int32_t depth, const char* pool);
void ___tracy_emit_memory_discard(const char* pool);
void ___tracy_emit_memory_discard_callstack(const char* pool, int32_t depth);

void ___tracy_emit_logString(int8_t severity, int32_t color, int32_t depth, size_t size, const char* text);
void ___tracy_emit_logStringL(int8_t severity, int32_t color, int32_t depth, const char* text);
void ___tracy_emit_message_appinfo(const char* text, size_t size);

void ___tracy_emit_frame_mark(const char* name);
void ___tracy_emit_frame_mark_start(const char* name);
void ___tracy_emit_frame_mark_end(const char* name);
void ___tracy_emit_frame_image(const void* image, uint16_t width, uint16_t height, uint8_t offset, int32_t flip);

void ___tracy_emit_plot(const char* name, double value);
void ___tracy_emit_plot_float(const char* name, float value);
void ___tracy_emit_plot_int(const char* name, int64_t value);
void ___tracy_emit_plot_config(const char* name, int32_t type, int32_t step, int32_t fill, uint32_t color);

// Who calls before_lock is recorded as waiting until after_lock, also where the lock was free.
TracyCLockCtx ___tracy_announce_lockable_ctx(const struct ___tracy_source_location_data* place);
void ___tracy_terminate_lockable_ctx(TracyCLockCtx lock);
int32_t ___tracy_before_lock_lockable_ctx(TracyCLockCtx lock);
void ___tracy_after_lock_lockable_ctx(TracyCLockCtx lock);
void ___tracy_after_unlock_lockable_ctx(TracyCLockCtx lock);
void ___tracy_after_try_lock_lockable_ctx(TracyCLockCtx lock, int32_t acquired);
void ___tracy_mark_lockable_ctx(TracyCLockCtx lock, const struct ___tracy_source_location_data* place);
void ___tracy_custom_name_lockable_ctx(TracyCLockCtx lock, const char* name, size_t size);

TracyCSharedLockCtx ___tracy_announce_shared_lockable_ctx(const struct ___tracy_source_location_data* place);
void ___tracy_terminate_shared_lockable_ctx(TracyCSharedLockCtx lock);
int32_t ___tracy_before_lock_shared_lockable_ctx(TracyCSharedLockCtx lock);
void ___tracy_after_lock_shared_lockable_ctx(TracyCSharedLockCtx lock);
void ___tracy_after_unlock_shared_lockable_ctx(TracyCSharedLockCtx lock);
void ___tracy_after_try_lock_shared_lockable_ctx(TracyCSharedLockCtx lock, int32_t acquired);
int32_t ___tracy_before_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock);
void ___tracy_after_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock);
void ___tracy_after_unlock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock);
void ___tracy_after_try_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock, int32_t acquired);
void ___tracy_mark_shared_lockable_ctx(TracyCSharedLockCtx lock, const struct ___tracy_source_location_data* place);
void ___tracy_custom_name_shared_lockable_ctx(TracyCSharedLockCtx lock, const char* name, size_t size);

void ___tracy_fiber_enter(const char* fiber);
void ___tracy_fiber_leave(void);

// There is no sampling: begin answers 0.
int ___tracy_begin_sampling_profiling(void);
void ___tracy_end_sampling_profiling(void);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_TRACY_C_FUNCTIONS_H
