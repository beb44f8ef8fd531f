// SPDX-License-Identifier: MIT
//
// tracy/TracyC.h: Tracy's macros for C, recorded by Flamelet; from C99 on. docs/tracy.md says what becomes of each.
// Without TRACY_ENABLE every macro is nothing, and its arguments need not exist.
#ifndef FLAMELET_TRACY_C_H
#define FLAMELET_TRACY_C_H

#include <stddef.h>
#include <stdint.h>

#include "../flamelet_tracy/place.h"
#include "../flamelet_tracy/start.h"
#include "flamelet_shim/calls.h"

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
#include "../flamelet_tracy/c_functions.h"
#else
typedef const void* TracyCZoneCtx;
typedef const void* TracyCLockCtx;
typedef const void* TracyCSharedLockCtx;
#endif
#include "../flamelet_tracy/c_macros.h"

// ---- What other macros say, on or off ----------------------------------------------------------------------------------

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
