// SPDX-License-Identifier: MIT
//
// tracy/TracyC.h: Tracy's macros for C, recorded by Flamelet; from C99 on. docs/tracy.md says what becomes of each.
// Without TRACY_ENABLE every macro is nothing, and its arguments need not exist.
#ifndef FLAMELET_TRACY_C_H
#define FLAMELET_TRACY_C_H

#include <stddef.h>
#include <stdint.h>

#include "../flamelet_tracy/place.h"
#include "flamelet_shim/calls.h"
#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED) && !defined(TRACY_MANUAL_LIFETIME)
#include "flamelet_shim/start.h"
#endif

enum TracyPlotFormatEnum {
  TracyPlotFormatNumber,
  TracyPlotFormatMemory,
  TracyPlotFormatPercentage,
  TracyPlotFormatWatt
};

enum TracyMessageSeverity {
  TracyMessageSeverityTrace,
  TracyMessageSeverityDebug,
  TracyMessageSeverityInfo,
  TracyMessageSeverityWarning,
  TracyMessageSeverityError,
  TracyMessageSeverityFatal
};

FLAMELET_EXTERN_C_BEGIN
void ___tracy_set_thread_name(const char* name);
FLAMELET_EXTERN_C_END
#define TracyCSetThreadName(name) ___tracy_set_thread_name(name);

#ifdef TRACY_ENABLE
// The functions under the macros, which bindings of other languages call by these names.

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
#else
typedef const void* TracyCZoneCtx;
typedef const void* TracyCLockCtx;
typedef const void* TracyCSharedLockCtx;
#endif

// Many macros end with a semicolon of their own: programs leave it out behind those.

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)

#ifndef TRACY_CALLSTACK
#define TRACY_CALLSTACK 0
#endif

#ifdef TRACY_MANUAL_LIFETIME
#define TracyCIsStarted ___tracy_profiler_started()
#else
#define TracyCIsStarted 1
#endif
#define TracyCIsConnected ___tracy_connected()

// ---- Zones -----------------------------------------------------------------------------------------------------------

FLAMELET_FORCE_INLINE_ TracyCZoneCtx flamelet_tracy_begin_zone_(flamelet_site* site, bool active) {
  TracyCZoneCtx zone;
  zone.id = active ? flamelet_scope_begin_(site) : 0;
  zone.active = zone.id != 0;
  return zone;
}
FLAMELET_NOT_INSTRUMENTED_ static inline TracyCZoneCtx flamelet_tracy_begin_zone_deep_(flamelet_site* site, int depth,
                                                                                       bool active) {
  TracyCZoneCtx zone = flamelet_tracy_begin_zone_(site, active);
  if (zone.active && depth > 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  return zone;
}
FLAMELET_FORCE_INLINE_ void flamelet_tracy_end_zone_(TracyCZoneCtx zone) {
  flamelet_scope_end_(zone.id);
}

#define FLAMELET_TRACY_C_PLACE_(name, color)                             \
  static flamelet_site TracyConcat(flamelet_tracy_place_, TracyLine) = { \
      0, name, "", TracyFile, TracyFunction, TracyLine, (uint32_t)(color)};
#define FLAMELET_TRACY_C_ZONE_(zone, name, color, active) \
  FLAMELET_TRACY_C_PLACE_(name, color)                    \
  TracyCZoneCtx zone = flamelet_tracy_begin_zone_(&TracyConcat(flamelet_tracy_place_, TracyLine), (active) != 0);
#define FLAMELET_TRACY_C_DEEP_ZONE_(zone, name, color, depth, active) \
  FLAMELET_TRACY_C_PLACE_(name, color)                                \
  TracyCZoneCtx zone =                                                \
      flamelet_tracy_begin_zone_deep_(&TracyConcat(flamelet_tracy_place_, TracyLine), depth, (active) != 0);

#define TracyCZoneNC(zone, name, color, active) FLAMELET_TRACY_C_ZONE_(zone, name, color, active)
#define TracyCZoneNCS(zone, name, color, depth, active) FLAMELET_TRACY_C_DEEP_ZONE_(zone, name, color, depth, active)
#ifdef __cplusplus
#define FLAMELET_TRACY_NULL_ nullptr
#else
#define FLAMELET_TRACY_NULL_ NULL
#endif

#define TracyCZoneText(zone, text, size) ___tracy_emit_zone_text(zone, text, size);
#define TracyCZoneTextF(...) ___tracy_emit_zone_text_fmt(__VA_ARGS__);
#define TracyCZoneName(zone, text, size) ___tracy_emit_zone_name(zone, text, size);
#define TracyCZoneNameF(...) ___tracy_emit_zone_name_fmt(__VA_ARGS__);
#define TracyCZoneValue(zone, value) ___tracy_emit_zone_value(zone, value);

// ---- Memory ------------------------------------------------------------------------------------------------------------

#define TracyCAllocNS(address, size, depth, name) ___tracy_emit_memory_alloc_callstack_named(address, size, depth, name)
#define TracyCFreeNS(address, depth, name) ___tracy_emit_memory_free_callstack_named(address, depth, name)

// ---- Messages, frames, plots -------------------------------------------------------------------------------------------

#define TracyCMessageCS(text, size, color, depth) \
  ___tracy_emit_logString(TracyMessageSeverityInfo, (int32_t)(color), depth, size, text)
#define TracyCMessageLCS(text, color, depth) \
  ___tracy_emit_logStringL(TracyMessageSeverityInfo, (int32_t)(color), depth, text)
#define TracyCAppInfo(text, size) ___tracy_emit_message_appinfo(text, size);

#define TracyCFrameImage(image, width, height, offset, flip) \
  ___tracy_emit_frame_image(image, width, height, offset, flip);

#define TracyCPlot(name, value) ___tracy_emit_plot(name, value);
#define TracyCPlotF(name, value) ___tracy_emit_plot_float(name, value);
#define TracyCPlotI(name, value) ___tracy_emit_plot_int(name, value);

// ---- Locks -------------------------------------------------------------------------------------------------------------

#define FLAMELET_TRACY_C_LOCK_PLACE_                                                                 \
  static const struct ___tracy_source_location_data TracyConcat(flamelet_tracy_lock_, TracyLine) = { \
      FLAMELET_TRACY_NULL_, TracyFunction, TracyFile, TracyLine, 0};
#define TracyCLockAnnounce(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_ lock = ___tracy_announce_lockable_ctx(&TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCLockAfterTryLock(lock, acquired) ___tracy_after_try_lock_lockable_ctx(lock, acquired);
#define TracyCLockMark(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_ ___tracy_mark_lockable_ctx(lock, &TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCLockCustomName(lock, name, size) ___tracy_custom_name_lockable_ctx(lock, name, size);

#define TracyCSharedLockAnnounce(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_         \
  lock = ___tracy_announce_shared_lockable_ctx(&TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCSharedLockAfterTryLock(lock, acquired) ___tracy_after_try_lock_shared_lockable_ctx(lock, acquired);
#define TracyCSharedLockAfterTrySharedLock(lock, acquired) \
  ___tracy_after_try_lock_shared_shared_lockable_ctx(lock, acquired);
#define TracyCSharedLockMark(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_     \
  ___tracy_mark_shared_lockable_ctx(lock, &TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCSharedLockCustomName(lock, name, size) ___tracy_custom_name_shared_lockable_ctx(lock, name, size);

// ---- The rest ----------------------------------------------------------------------------------------------------------

#define TracyCBeginSamplingProfiling() ___tracy_begin_sampling_profiling()

#ifdef TRACY_FIBERS
#define TracyCFiberEnter(fiber) ___tracy_fiber_enter(fiber);
#define TracyCFiberLeave ___tracy_fiber_leave();
#endif

#else

// ---- Switched off ----------------------------------------------------------------------------------------------------

#include "flamelet_shim/unused.h"

#define TracyCIsStarted 0
#define TracyCIsConnected 0
#define TracyCZoneNC(zone, name, color, active) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(active);)
#define TracyCZoneNCS(zone, name, color, depth, active) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(active);)
#define TracyCZoneText(zone, text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size);)
#define TracyCZoneTextF(...)
#define TracyCZoneName(zone, text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size);)
#define TracyCZoneNameF(...)
#define TracyCZoneValue(zone, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCAllocNS(address, size, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(address, size))
#define TracyCFreeNS(address, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(address))
#define TracyCMessageCS(text, size, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size))
#define TracyCMessageLCS(text, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text))
#define TracyCAppInfo(text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size);)
#define TracyCFrameImage(image, width, height, offset, flip) \
  FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED3_(image, width, height);)
#define TracyCPlot(name, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCPlotF(name, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCPlotI(name, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCLockAnnounce(lock)
#define TracyCLockAfterTryLock(lock, acquired) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(acquired);)
#define TracyCLockMark(lock)
#define TracyCLockCustomName(lock, name, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(name, size);)
#define TracyCSharedLockAnnounce(lock)
#define TracyCSharedLockAfterTryLock(lock, acquired) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(acquired);)
#define TracyCSharedLockAfterTrySharedLock(lock, acquired) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(acquired);)
#define TracyCSharedLockMark(lock)
#define TracyCSharedLockCustomName(lock, name, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(name, size);)
#define TracyCBeginSamplingProfiling() 0
#define TracyCFiberEnter(fiber) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(fiber);)
#define TracyCFiberLeave

#endif

// ---- What other macros say, on or off ----------------------------------------------------------------------------------

#define TracyCZoneEnd(zone) FLAMELET_TRACY_ON_(flamelet_tracy_end_zone_(zone);)
#define TracyCZoneColor(zone, color) FLAMELET_TRACY_ON_(___tracy_emit_zone_color(zone, color);)
#define TracyCMemoryDiscard(name) FLAMELET_TRACY_ON_(___tracy_emit_memory_discard_callstack(name, TRACY_CALLSTACK);)
#define TracyCMemoryDiscardS(name, depth) FLAMELET_TRACY_ON_(___tracy_emit_memory_discard_callstack(name, depth))
#define TracyCFrameMark FLAMELET_TRACY_ON_(___tracy_emit_frame_mark(0);)
#define TracyCFrameMarkNamed(name) FLAMELET_TRACY_ON_(___tracy_emit_frame_mark(name);)
#define TracyCFrameMarkStart(name) FLAMELET_TRACY_ON_(___tracy_emit_frame_mark_start(name);)
#define TracyCFrameMarkEnd(name) FLAMELET_TRACY_ON_(___tracy_emit_frame_mark_end(name);)
#define TracyCPlotConfig(name, type, step, fill, color) \
  FLAMELET_TRACY_ON_(___tracy_emit_plot_config(name, type, step, fill, color);)
#define TracyCLockTerminate(lock) FLAMELET_TRACY_ON_(___tracy_terminate_lockable_ctx(lock);)
#define TracyCLockBeforeLock(lock) FLAMELET_TRACY_ON_(___tracy_before_lock_lockable_ctx(lock);)
#define TracyCLockAfterLock(lock) FLAMELET_TRACY_ON_(___tracy_after_lock_lockable_ctx(lock);)
#define TracyCLockAfterUnlock(lock) FLAMELET_TRACY_ON_(___tracy_after_unlock_lockable_ctx(lock);)
#define TracyCSharedLockTerminate(lock) FLAMELET_TRACY_ON_(___tracy_terminate_shared_lockable_ctx(lock);)
#define TracyCSharedLockBeforeLock(lock) FLAMELET_TRACY_ON_(___tracy_before_lock_shared_lockable_ctx(lock);)
#define TracyCSharedLockAfterLock(lock) FLAMELET_TRACY_ON_(___tracy_after_lock_shared_lockable_ctx(lock);)
#define TracyCSharedLockAfterUnlock(lock) FLAMELET_TRACY_ON_(___tracy_after_unlock_shared_lockable_ctx(lock);)
#define TracyCSharedLockBeforeSharedLock(lock) \
  FLAMELET_TRACY_ON_(___tracy_before_lock_shared_shared_lockable_ctx(lock);)
#define TracyCSharedLockAfterSharedLock(lock) FLAMELET_TRACY_ON_(___tracy_after_lock_shared_shared_lockable_ctx(lock);)
#define TracyCSharedLockAfterSharedUnlock(lock) \
  FLAMELET_TRACY_ON_(___tracy_after_unlock_shared_shared_lockable_ctx(lock);)
#define TracyCEndSamplingProfiling() FLAMELET_TRACY_ON_(___tracy_end_sampling_profiling())

#define TracyCZone(zone, active) TracyCZoneNC(zone, FLAMELET_TRACY_NULL_, 0, active)
#define TracyCZoneN(zone, name, active) TracyCZoneNC(zone, name, 0, active)
#define TracyCZoneC(zone, color, active) TracyCZoneNC(zone, FLAMELET_TRACY_NULL_, color, active)
#define TracyCZoneS(zone, depth, active) TracyCZoneNCS(zone, FLAMELET_TRACY_NULL_, 0, depth, active)
#define TracyCZoneNS(zone, name, depth, active) TracyCZoneNCS(zone, name, 0, depth, active)
#define TracyCZoneCS(zone, color, depth, active) TracyCZoneNCS(zone, FLAMELET_TRACY_NULL_, color, depth, active)

#define TracyCAlloc(address, size) TracyCAllocS(address, size, TRACY_CALLSTACK)
#define TracyCAllocN(address, size, name) TracyCAllocNS(address, size, TRACY_CALLSTACK, name)
#define TracyCAllocS(address, size, depth) TracyCAllocNS(address, size, depth, FLAMELET_TRACY_NULL_)
#define TracyCFree(address) TracyCFreeS(address, TRACY_CALLSTACK)
#define TracyCFreeN(address, name) TracyCFreeNS(address, TRACY_CALLSTACK, name)
#define TracyCFreeS(address, depth) TracyCFreeNS(address, depth, FLAMELET_TRACY_NULL_)
// Nothing here needs a profiler that is still alive, so these are the same.
#define TracyCSecureAlloc(address, size) TracyCAlloc(address, size)
#define TracyCSecureAllocN(address, size, name) TracyCAllocN(address, size, name)
#define TracyCSecureAllocS(address, size, depth) TracyCAllocS(address, size, depth)
#define TracyCSecureAllocNS(address, size, depth, name) TracyCAllocNS(address, size, depth, name)
#define TracyCSecureFree(address) TracyCFree(address)
#define TracyCSecureFreeN(address, name) TracyCFreeN(address, name)
#define TracyCSecureFreeS(address, depth) TracyCFreeS(address, depth)
#define TracyCSecureFreeNS(address, depth, name) TracyCFreeNS(address, depth, name)
#define TracyCSecureMemoryDiscard(name) TracyCMemoryDiscard(name)
#define TracyCSecureMemoryDiscardS(name, depth) TracyCMemoryDiscardS(name, depth)

#define TracyCMessage(text, size) TracyCMessageCS(text, size, 0, TRACY_CALLSTACK)
#define TracyCMessageL(text) TracyCMessageLCS(text, 0, TRACY_CALLSTACK)
#define TracyCMessageC(text, size, color) TracyCMessageCS(text, size, color, TRACY_CALLSTACK)
#define TracyCMessageLC(text, color) TracyCMessageLCS(text, color, TRACY_CALLSTACK)
#define TracyCMessageS(text, size, depth) TracyCMessageCS(text, size, 0, depth)
#define TracyCMessageLS(text, depth) TracyCMessageLCS(text, 0, depth)

#endif  // FLAMELET_TRACY_C_H
