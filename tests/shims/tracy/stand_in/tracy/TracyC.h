/* SPDX-License-Identifier: MIT */
/* */
/* The stand-in for tracy/TracyC.h: counts each call. Only what program.c uses. */
#ifndef STAND_IN_TRACY_C_H
#define STAND_IN_TRACY_C_H

#include <stdio.h>
#include <string.h>

#include "counting.h"

typedef struct {
  int active;
} TracyCZoneCtx;
typedef const char* TracyCLockCtx;
typedef const char* TracyCSharedLockCtx;

#define TracyCSetThreadName(n) counting_thread(n);
#define TracyCZone(z, a) TracyCZoneN(z, __func__, a)
#define TracyCZoneN(z, n, a) TracyCZoneCtx z = {counting_begin(n, a)};
#define TracyCZoneC(z, c, a) TracyCZone(z, a)
#define TracyCZoneNC(z, n, c, a) TracyCZoneN(z, n, a)
#define TracyCZoneS(z, d, a) TracyCZone(z, a)
#define TracyCZoneNS(z, n, d, a) TracyCZoneN(z, n, a)
#define TracyCZoneCS(z, c, d, a) TracyCZone(z, a)
#define TracyCZoneNCS(z, n, c, d, a) TracyCZoneN(z, n, a)
#define TracyCZoneEnd(z) counting_end(z.active);
#define TracyCZoneText(z, t, s) counting_zone("text", z.active, t, s);
#define TracyCZoneTextF(z, f, x)          \
  {                                       \
    char made[256];                       \
    snprintf(made, sizeof(made), f, x);   \
    TracyCZoneText(z, made, strlen(made)) \
  }
#define TracyCZoneName(z, t, s) counting_zone("name", z.active, t, s);
#define TracyCZoneNameF(z, f, x)          \
  {                                       \
    char made[256];                       \
    snprintf(made, sizeof(made), f, x);   \
    TracyCZoneName(z, made, strlen(made)) \
  }
#define TracyCZoneValue(z, v) counting_value(z.active, v);
#define TracyCZoneColor(z, c) ((void)0);

/* What bindings call: a place is its name. */
static const char* stand_in_place_name;
static inline uint64_t ___tracy_alloc_srcloc(uint32_t line, const char* file, size_t file_size, const char* function,
                                             size_t function_size, uint32_t color) {
  (void)line, (void)file, (void)file_size, (void)function_size, (void)color;
  stand_in_place_name = function;
  return 1;
}
static inline uint64_t ___tracy_alloc_srcloc_name(uint32_t line, const char* file, size_t file_size,
                                                  const char* function, size_t function_size, const char* name,
                                                  size_t name_size, uint32_t color) {
  (void)line, (void)file, (void)file_size, (void)function, (void)function_size, (void)name_size, (void)color;
  stand_in_place_name = name;
  return 1;
}
static inline TracyCZoneCtx ___tracy_emit_zone_begin_alloc(uint64_t place, int active) {
  TracyCZoneCtx zone = {counting_begin(stand_in_place_name, active)};
  (void)place;
  return zone;
}
static inline void ___tracy_emit_zone_end(TracyCZoneCtx zone) {
  counting_end(zone.active);
}

#define TracyCAlloc(p, s) counting_alloc(p, s, NULL)
#define TracyCFree(p) counting_free(p, NULL)
#define TracyCAllocN(p, s, n) counting_alloc(p, s, n)
#define TracyCFreeN(p, n) counting_free(p, n)
#define TracyCAllocS(p, s, d) counting_alloc(p, s, NULL)
#define TracyCFreeS(p, d) counting_free(p, NULL)
#define TracyCAllocNS(p, s, d, n) counting_alloc(p, s, n)
#define TracyCFreeNS(p, d, n) counting_free(p, n)
#define TracyCSecureAlloc(p, s) counting_alloc(p, s, NULL)
#define TracyCSecureFree(p) counting_free(p, NULL)
#define TracyCMemoryDiscard(n) counting_discard(n);
#define TracyCMessage(t, s) counting_message("message", 0, t, s)
#define TracyCMessageL(t) counting_message("message", 0, t, strlen(t))
#define TracyCMessageC(t, s, c) counting_message("message", c, t, s)
#define TracyCMessageLC(t, c) counting_message("message", c, t, strlen(t))
#define TracyCMessageS(t, s, d) TracyCMessage(t, s)
#define TracyCMessageLS(t, d) TracyCMessageL(t)
#define TracyCMessageCS(t, s, c, d) TracyCMessageC(t, s, c)
#define TracyCMessageLCS(t, c, d) TracyCMessageLC(t, c)
#define TracyCAppInfo(t, s) counting_app_info(t, s);
#define TracyCFrameMark counting_frame(NULL);
#define TracyCFrameMarkNamed(n) counting_frame(n);
#define TracyCFrameMarkStart(n)
#define TracyCFrameMarkEnd(n) counting_frame_end(n);
#define TracyCFrameImage(i, w, h, o, f) (void)(i);
#define TracyCPlot(n, v) counting_plot(n, v);
#define TracyCPlotF(n, v) counting_plot(n, (double)(v));
#define TracyCPlotI(n, v) counting_plot(n, (double)(v));
#define TracyCPlotConfig(n, t, s, f, c)
#define TracyCIsConnected 1
#define TracyCIsStarted 1
#define TracyPlotFormatMemory 1
#define TracyPlotFormatNumber 0

#define TracyCLockAnnounce(l) l = __func__;
#define TracyCLockTerminate(l) (void)l;
#define TracyCLockBeforeLock(l) counting_begin(l, 1);
#define TracyCLockAfterLock(l) counting_end(1);
#define TracyCLockAfterUnlock(l) (void)l;
#define TracyCLockAfterTryLock(l, a) (void)(l), (void)(a);
#define TracyCLockMark(l) counting_mark(l);
#define TracyCLockCustomName(l, n, s) l = n;
#define TracyCSharedLockAnnounce(l) l = __func__;
#define TracyCSharedLockTerminate(l) (void)l;
#define TracyCSharedLockBeforeSharedLock(l) counting_begin(l, 1);
#define TracyCSharedLockAfterSharedLock(l) counting_end(1);
#define TracyCSharedLockAfterSharedUnlock(l) (void)l;
#define TracyCSharedLockCustomName(l, n, s) l = n;
#define TracyCFiberEnter(n) counting_fiber(n);
#define TracyCFiberLeave counting_fiber(NULL);

#endif
