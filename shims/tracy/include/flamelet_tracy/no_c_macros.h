// SPDX-License-Identifier: MIT
//
// no_c_macros.h: the macros of TracyC.h without TRACY_ENABLE. Included by TracyC.h alone.
#ifndef FLAMELET_TRACY_NO_C_MACROS_H
#define FLAMELET_TRACY_NO_C_MACROS_H

#include "flamelet_shim/unused.h"

#define TracyCIsStarted 0
#define TracyCIsConnected 0
#define TracyCZoneNC(zone, name, color, active) FLAMELET_SHIM_UNUSED_(active)
#define TracyCZoneNCS(zone, name, color, depth, active) FLAMELET_SHIM_UNUSED_(active)
#define TracyCZoneEnd(zone)
#define TracyCZoneText(zone, text, size) FLAMELET_SHIM_UNUSED2_(text, size)
#define TracyCZoneTextF(...)
#define TracyCZoneName(zone, text, size) FLAMELET_SHIM_UNUSED2_(text, size)
#define TracyCZoneNameF(...)
#define TracyCZoneColor(zone, color)
#define TracyCZoneValue(zone, value) FLAMELET_SHIM_UNUSED_(value)
#define TracyCMemoryDiscard(name)
#define TracyCAllocNS(address, size, depth, name) FLAMELET_SHIM_UNUSED2_(address, size)
#define TracyCFreeNS(address, depth, name) FLAMELET_SHIM_UNUSED_(address)
#define TracyCMemoryDiscardS(name, depth)
#define TracyCMessageCS(text, size, color, depth) FLAMELET_SHIM_UNUSED2_(text, size)
#define TracyCMessageLCS(text, color, depth) FLAMELET_SHIM_UNUSED_(text)
#define TracyCAppInfo(text, size) FLAMELET_SHIM_UNUSED2_(text, size)
#define TracyCFrameMark
#define TracyCFrameMarkNamed(name)
#define TracyCFrameMarkStart(name)
#define TracyCFrameMarkEnd(name)
#define TracyCFrameImage(image, width, height, offset, flip) FLAMELET_SHIM_UNUSED3_(image, width, height)
#define TracyCPlot(name, value) FLAMELET_SHIM_UNUSED_(value)
#define TracyCPlotF(name, value) FLAMELET_SHIM_UNUSED_(value)
#define TracyCPlotI(name, value) FLAMELET_SHIM_UNUSED_(value)
#define TracyCPlotConfig(name, type, step, fill, color)
#define TracyCLockAnnounce(lock)
#define TracyCLockTerminate(lock)
#define TracyCLockBeforeLock(lock)
#define TracyCLockAfterLock(lock)
#define TracyCLockAfterUnlock(lock)
#define TracyCLockAfterTryLock(lock, acquired) FLAMELET_SHIM_UNUSED_(acquired)
#define TracyCLockMark(lock)
#define TracyCLockCustomName(lock, name, size) FLAMELET_SHIM_UNUSED2_(name, size)
#define TracyCSharedLockAnnounce(lock)
#define TracyCSharedLockTerminate(lock)
#define TracyCSharedLockBeforeLock(lock)
#define TracyCSharedLockAfterLock(lock)
#define TracyCSharedLockAfterUnlock(lock)
#define TracyCSharedLockAfterTryLock(lock, acquired) FLAMELET_SHIM_UNUSED_(acquired)
#define TracyCSharedLockBeforeSharedLock(lock)
#define TracyCSharedLockAfterSharedLock(lock)
#define TracyCSharedLockAfterSharedUnlock(lock)
#define TracyCSharedLockAfterTrySharedLock(lock, acquired) FLAMELET_SHIM_UNUSED_(acquired)
#define TracyCSharedLockMark(lock)
#define TracyCSharedLockCustomName(lock, name, size) FLAMELET_SHIM_UNUSED2_(name, size)
#define TracyCBeginSamplingProfiling() 0
#define TracyCEndSamplingProfiling()
#define TracyCFiberEnter(fiber) FLAMELET_SHIM_UNUSED_(fiber)
#define TracyCFiberLeave

#endif  // FLAMELET_TRACY_NO_C_MACROS_H
