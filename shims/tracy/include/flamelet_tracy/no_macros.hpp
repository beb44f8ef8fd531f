// SPDX-License-Identifier: MIT
//
// no_macros.hpp: the macros of Tracy.hpp without TRACY_ENABLE. Included by Tracy.hpp alone.
#ifndef FLAMELET_TRACY_NO_MACROS_HPP
#define FLAMELET_TRACY_NO_MACROS_HPP

#include "flamelet_shim/unused.h"

#define TracyNoop

#define ZoneNamedNC(variable, name, color, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneTransientNC(variable, name, color, active) FLAMELET_SHIM_UNUSED_(name, active)
#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneNamedNCS(variable, name, color, depth, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneTransientNS(variable, name, depth, active) FLAMELET_SHIM_UNUSED_(name, active)
#define ZoneScopedS(depth)
#define ZoneScopedNS(name, depth)
#define ZoneScopedCS(color, depth)
#define ZoneScopedNCS(name, color, depth)

#define ZoneTextV(variable, text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define ZoneTextVF(variable, ...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__)
#define ZoneNameV(variable, text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define ZoneNameVF(variable, ...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__)
#define ZoneColorV(variable, color)
#define ZoneValueV(variable, value) FLAMELET_SHIM_UNUSED_(value)
#define ZoneIsActiveV(variable) false

#define FrameMark
#define FrameMarkNamed(name)
#define FrameMarkStart(name)
#define FrameMarkEnd(name)
#define FrameImage(image, width, height, offset, flip) FLAMELET_SHIM_UNUSED_(image, width, height, offset, flip)

#define TracyLockable(type, variable) type variable
#define TracyLockableN(type, variable, description) type variable
#define TracySharedLockable(type, variable) type variable
#define TracySharedLockableN(type, variable, description) type variable
#define LockableBase(type) type
#define SharedLockableBase(type) type
#define LockMark(variable) (void)variable
#define LockableName(variable, text, size) FLAMELET_SHIM_UNUSED_(text, size)

#define TracyPlot(name, value) FLAMELET_SHIM_UNUSED_(value)
#define TracyPlotConfig(name, type, step, fill, color)

#define TracyAppInfo(text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define TracyLogString(...)
#define TracyMessageCS(text, size, color, depth) FLAMELET_SHIM_UNUSED_(text, size)
#define TracyMessageLCS(text, color, depth) FLAMELET_SHIM_UNUSED_(text)

#define TracyMemoryDiscardS(name, depth)
#define TracyAllocNS(address, size, depth, name) FLAMELET_SHIM_UNUSED_(address, size)
#define TracyFreeNS(address, depth, name) FLAMELET_SHIM_UNUSED_(address)

#define TracySourceCallbackRegister(callback, data)
#define TracyParameterRegister(callback, data)
#define TracyParameterSetup(index, name, type, value)
#define TracyIsConnected false
#define TracyIsStarted false
#define TracySetProgramName(name) FLAMELET_SHIM_UNUSED_(name)

#define TracySectionEnterCategory(...) 0
#define TracySectionLeave(id)
#define TracySectionSetup(...)

#define TracyFiberEnter(fiber) FLAMELET_SHIM_UNUSED_(fiber)
#define TracyFiberEnterHint(fiber, hint) FLAMELET_SHIM_UNUSED_(fiber, hint)
#define TracyFiberLeave

#endif  // FLAMELET_TRACY_NO_MACROS_HPP
