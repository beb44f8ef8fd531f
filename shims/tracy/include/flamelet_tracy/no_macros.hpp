// SPDX-License-Identifier: MIT
//
// no_macros.hpp: the macros of Tracy.hpp without TRACY_ENABLE. Included by Tracy.hpp alone.
#ifndef FLAMELET_TRACY_NO_MACROS_HPP
#define FLAMELET_TRACY_NO_MACROS_HPP

#include "flamelet_shim/unused.h"

#define TracyNoop

#define ZoneNamed(variable, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneNamedN(variable, name, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneNamedC(variable, color, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneNamedNC(variable, name, color, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneTransient(variable, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneTransientN(variable, name, active) FLAMELET_SHIM_UNUSED_(name, active)
#define ZoneTransientNC(variable, name, color, active) FLAMELET_SHIM_UNUSED_(name, active)
#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneNamedS(variable, depth, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneNamedNS(variable, name, depth, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneNamedCS(variable, color, depth, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneNamedNCS(variable, name, color, depth, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneTransientS(variable, depth, active) FLAMELET_SHIM_UNUSED_(active)
#define ZoneTransientNS(variable, name, depth, active) FLAMELET_SHIM_UNUSED_(name, active)
#define ZoneScopedS(depth)
#define ZoneScopedNS(name, depth)
#define ZoneScopedCS(color, depth)
#define ZoneScopedNCS(name, color, depth)

#define ZoneText(text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define ZoneTextV(variable, text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define ZoneTextF(...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__)
#define ZoneTextVF(variable, ...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__)
#define ZoneName(text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define ZoneNameV(variable, text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define ZoneNameF(...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__)
#define ZoneNameVF(variable, ...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__)
#define ZoneColor(color)
#define ZoneColorV(variable, color)
#define ZoneValue(value) FLAMELET_SHIM_UNUSED_(value)
#define ZoneValueV(variable, value) FLAMELET_SHIM_UNUSED_(value)
#define ZoneIsActive false
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
#define TracyMessage(text, size) FLAMELET_SHIM_UNUSED_(text, size)
#define TracyMessageL(text) FLAMELET_SHIM_UNUSED_(text)
#define TracyMessageC(text, size, color) FLAMELET_SHIM_UNUSED_(text, size)
#define TracyMessageLC(text, color) FLAMELET_SHIM_UNUSED_(text)
#define TracyMessageS(text, size, depth) FLAMELET_SHIM_UNUSED_(text, size)
#define TracyMessageLS(text, depth) FLAMELET_SHIM_UNUSED_(text)
#define TracyMessageCS(text, size, color, depth) FLAMELET_SHIM_UNUSED_(text, size)
#define TracyMessageLCS(text, color, depth) FLAMELET_SHIM_UNUSED_(text)

#define TracyAlloc(address, size) FLAMELET_SHIM_UNUSED_(address, size)
#define TracyFree(address) FLAMELET_SHIM_UNUSED_(address)
#define TracySecureAlloc(address, size) FLAMELET_SHIM_UNUSED_(address, size)
#define TracySecureFree(address) FLAMELET_SHIM_UNUSED_(address)
#define TracyMemoryDiscard(name)
#define TracySecureMemoryDiscard(name)
#define TracyAllocN(address, size, name) FLAMELET_SHIM_UNUSED_(address, size)
#define TracyFreeN(address, name) FLAMELET_SHIM_UNUSED_(address)
#define TracySecureAllocN(address, size, name) FLAMELET_SHIM_UNUSED_(address, size)
#define TracySecureFreeN(address, name) FLAMELET_SHIM_UNUSED_(address)
#define TracyAllocS(address, size, depth) FLAMELET_SHIM_UNUSED_(address, size)
#define TracyFreeS(address, depth) FLAMELET_SHIM_UNUSED_(address)
#define TracySecureAllocS(address, size, depth) FLAMELET_SHIM_UNUSED_(address, size)
#define TracySecureFreeS(address, depth) FLAMELET_SHIM_UNUSED_(address)
#define TracyMemoryDiscardS(name, depth)
#define TracySecureMemoryDiscardS(name, depth)
#define TracyAllocNS(address, size, depth, name) FLAMELET_SHIM_UNUSED_(address, size)
#define TracyFreeNS(address, depth, name) FLAMELET_SHIM_UNUSED_(address)
#define TracySecureAllocNS(address, size, depth, name) FLAMELET_SHIM_UNUSED_(address, size)
#define TracySecureFreeNS(address, depth, name) FLAMELET_SHIM_UNUSED_(address)

#define TracySourceCallbackRegister(callback, data)
#define TracyParameterRegister(callback, data)
#define TracyParameterSetup(index, name, type, value)
#define TracyIsConnected false
#define TracyIsStarted false
#define TracySetProgramName(name) FLAMELET_SHIM_UNUSED_(name)

#define TracySectionEnter(...) 0
#define TracySectionEnterCategory(...) 0
#define TracySectionLeave(id)
#define TracySectionSetup(...)

#define TracyFiberEnter(fiber) FLAMELET_SHIM_UNUSED_(fiber)
#define TracyFiberEnterHint(fiber, hint) FLAMELET_SHIM_UNUSED_(fiber, hint)
#define TracyFiberLeave

#endif  // FLAMELET_TRACY_NO_MACROS_HPP
