// SPDX-License-Identifier: MIT
//
// c_macros.h: the macros of TracyC.h with and without TRACY_ENABLE. Included by TracyC.h alone. Many end with a semicolon of their
// own: programs leave it out behind those.
#ifndef FLAMELET_TRACY_C_MACROS_H
#define FLAMELET_TRACY_C_MACROS_H

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)
#include "flamelet_tracy/c_functions.h"

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

#define TracyCZoneEnd(zone) flamelet_tracy_end_zone_(zone);
#define TracyCZoneText(zone, text, size) ___tracy_emit_zone_text(zone, text, size);
#define TracyCZoneTextF(...) ___tracy_emit_zone_text_fmt(__VA_ARGS__);
#define TracyCZoneName(zone, text, size) ___tracy_emit_zone_name(zone, text, size);
#define TracyCZoneNameF(...) ___tracy_emit_zone_name_fmt(__VA_ARGS__);
#define TracyCZoneColor(zone, color) ___tracy_emit_zone_color(zone, color);
#define TracyCZoneValue(zone, value) ___tracy_emit_zone_value(zone, value);

// ---- Memory ------------------------------------------------------------------------------------------------------------

#define TracyCMemoryDiscard(name) ___tracy_emit_memory_discard_callstack(name, TRACY_CALLSTACK);
#define TracyCAllocNS(address, size, depth, name) ___tracy_emit_memory_alloc_callstack_named(address, size, depth, name)
#define TracyCFreeNS(address, depth, name) ___tracy_emit_memory_free_callstack_named(address, depth, name)
#define TracyCMemoryDiscardS(name, depth) ___tracy_emit_memory_discard_callstack(name, depth)

// ---- Messages, frames, plots -------------------------------------------------------------------------------------------

#define TracyCMessageCS(text, size, color, depth) \
  ___tracy_emit_logString(TracyMessageSeverityInfo, (int32_t)(color), depth, size, text)
#define TracyCMessageLCS(text, color, depth) \
  ___tracy_emit_logStringL(TracyMessageSeverityInfo, (int32_t)(color), depth, text)
#define TracyCAppInfo(text, size) ___tracy_emit_message_appinfo(text, size);

#define TracyCFrameMark ___tracy_emit_frame_mark(0);
#define TracyCFrameMarkNamed(name) ___tracy_emit_frame_mark(name);
#define TracyCFrameMarkStart(name) ___tracy_emit_frame_mark_start(name);
#define TracyCFrameMarkEnd(name) ___tracy_emit_frame_mark_end(name);
#define TracyCFrameImage(image, width, height, offset, flip) \
  ___tracy_emit_frame_image(image, width, height, offset, flip);

#define TracyCPlot(name, value) ___tracy_emit_plot(name, value);
#define TracyCPlotF(name, value) ___tracy_emit_plot_float(name, value);
#define TracyCPlotI(name, value) ___tracy_emit_plot_int(name, value);
#define TracyCPlotConfig(name, type, step, fill, color) ___tracy_emit_plot_config(name, type, step, fill, color);

// ---- Locks -------------------------------------------------------------------------------------------------------------

#define FLAMELET_TRACY_C_LOCK_PLACE_                                                                 \
  static const struct ___tracy_source_location_data TracyConcat(flamelet_tracy_lock_, TracyLine) = { \
      FLAMELET_TRACY_NULL_, TracyFunction, TracyFile, TracyLine, 0};
#define TracyCLockAnnounce(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_ lock = ___tracy_announce_lockable_ctx(&TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCLockTerminate(lock) ___tracy_terminate_lockable_ctx(lock);
#define TracyCLockBeforeLock(lock) ___tracy_before_lock_lockable_ctx(lock);
#define TracyCLockAfterLock(lock) ___tracy_after_lock_lockable_ctx(lock);
#define TracyCLockAfterUnlock(lock) ___tracy_after_unlock_lockable_ctx(lock);
#define TracyCLockAfterTryLock(lock, acquired) ___tracy_after_try_lock_lockable_ctx(lock, acquired);
#define TracyCLockMark(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_ ___tracy_mark_lockable_ctx(lock, &TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCLockCustomName(lock, name, size) ___tracy_custom_name_lockable_ctx(lock, name, size);

#define TracyCSharedLockAnnounce(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_         \
  lock = ___tracy_announce_shared_lockable_ctx(&TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCSharedLockTerminate(lock) ___tracy_terminate_shared_lockable_ctx(lock);
#define TracyCSharedLockBeforeLock(lock) ___tracy_before_lock_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterLock(lock) ___tracy_after_lock_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterUnlock(lock) ___tracy_after_unlock_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterTryLock(lock, acquired) ___tracy_after_try_lock_shared_lockable_ctx(lock, acquired);
#define TracyCSharedLockBeforeSharedLock(lock) ___tracy_before_lock_shared_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterSharedLock(lock) ___tracy_after_lock_shared_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterSharedUnlock(lock) ___tracy_after_unlock_shared_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterTrySharedLock(lock, acquired) \
  ___tracy_after_try_lock_shared_shared_lockable_ctx(lock, acquired);
#define TracyCSharedLockMark(lock) \
  FLAMELET_TRACY_C_LOCK_PLACE_     \
  ___tracy_mark_shared_lockable_ctx(lock, &TracyConcat(flamelet_tracy_lock_, TracyLine));
#define TracyCSharedLockCustomName(lock, name, size) ___tracy_custom_name_shared_lockable_ctx(lock, name, size);

// ---- The rest ----------------------------------------------------------------------------------------------------------

#define TracyCBeginSamplingProfiling() ___tracy_begin_sampling_profiling()
#define TracyCEndSamplingProfiling() ___tracy_end_sampling_profiling()

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
#define TracyCZoneEnd(zone)
#define TracyCZoneText(zone, text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size);)
#define TracyCZoneTextF(...)
#define TracyCZoneName(zone, text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size);)
#define TracyCZoneNameF(...)
#define TracyCZoneColor(zone, color)
#define TracyCZoneValue(zone, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCMemoryDiscard(name)
#define TracyCAllocNS(address, size, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(address, size))
#define TracyCFreeNS(address, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(address))
#define TracyCMemoryDiscardS(name, depth)
#define TracyCMessageCS(text, size, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size))
#define TracyCMessageLCS(text, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text))
#define TracyCAppInfo(text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(text, size);)
#define TracyCFrameMark
#define TracyCFrameMarkNamed(name)
#define TracyCFrameMarkStart(name)
#define TracyCFrameMarkEnd(name)
#define TracyCFrameImage(image, width, height, offset, flip) \
  FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED3_(image, width, height);)
#define TracyCPlot(name, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCPlotF(name, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCPlotI(name, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value);)
#define TracyCPlotConfig(name, type, step, fill, color)
#define TracyCLockAnnounce(lock)
#define TracyCLockTerminate(lock)
#define TracyCLockBeforeLock(lock)
#define TracyCLockAfterLock(lock)
#define TracyCLockAfterUnlock(lock)
#define TracyCLockAfterTryLock(lock, acquired) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(acquired);)
#define TracyCLockMark(lock)
#define TracyCLockCustomName(lock, name, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(name, size);)
#define TracyCSharedLockAnnounce(lock)
#define TracyCSharedLockTerminate(lock)
#define TracyCSharedLockBeforeLock(lock)
#define TracyCSharedLockAfterLock(lock)
#define TracyCSharedLockAfterUnlock(lock)
#define TracyCSharedLockAfterTryLock(lock, acquired) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(acquired);)
#define TracyCSharedLockBeforeSharedLock(lock)
#define TracyCSharedLockAfterSharedLock(lock)
#define TracyCSharedLockAfterSharedUnlock(lock)
#define TracyCSharedLockAfterTrySharedLock(lock, acquired) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(acquired);)
#define TracyCSharedLockMark(lock)
#define TracyCSharedLockCustomName(lock, name, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED2_(name, size);)
#define TracyCBeginSamplingProfiling() 0
#define TracyCEndSamplingProfiling()
#define TracyCFiberEnter(fiber) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(fiber);)
#define TracyCFiberLeave

#endif

#endif  // FLAMELET_TRACY_C_MACROS_H
