// SPDX-License-Identifier: MIT
//
// no_macros.hpp: the macros of Tracy.hpp without TRACY_ENABLE. Included by Tracy.hpp alone.
#ifndef FLAMELET_TRACY_NO_MACROS_HPP
#define FLAMELET_TRACY_NO_MACROS_HPP

#define TracyNoop

#define ZoneNamed(variable, active)
#define ZoneNamedN(variable, name, active)
#define ZoneNamedC(variable, color, active)
#define ZoneNamedNC(variable, name, color, active)
#define ZoneTransient(variable, active)
#define ZoneTransientN(variable, name, active)
#define ZoneTransientNC(variable, name, color, active)
#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneNamedS(variable, depth, active)
#define ZoneNamedNS(variable, name, depth, active)
#define ZoneNamedCS(variable, color, depth, active)
#define ZoneNamedNCS(variable, name, color, depth, active)
#define ZoneTransientS(variable, depth, active)
#define ZoneTransientNS(variable, name, depth, active)
#define ZoneScopedS(depth)
#define ZoneScopedNS(name, depth)
#define ZoneScopedCS(color, depth)
#define ZoneScopedNCS(name, color, depth)

#define ZoneText(text, size)
#define ZoneTextV(variable, text, size)
#define ZoneTextF(...)
#define ZoneTextVF(...)
#define ZoneName(text, size)
#define ZoneNameV(variable, text, size)
#define ZoneNameF(...)
#define ZoneNameVF(...)
#define ZoneColor(color)
#define ZoneColorV(variable, color)
#define ZoneValue(value)
#define ZoneValueV(variable, value)
#define ZoneIsActive false
#define ZoneIsActiveV(variable) false

#define FrameMark
#define FrameMarkNamed(name)
#define FrameMarkStart(name)
#define FrameMarkEnd(name)
#define FrameImage(image, width, height, offset, flip)

#define TracyLockable(type, variable) type variable
#define TracyLockableN(type, variable, description) type variable
#define TracySharedLockable(type, variable) type variable
#define TracySharedLockableN(type, variable, description) type variable
#define LockableBase(type) type
#define SharedLockableBase(type) type
#define LockMark(variable) (void)variable
#define LockableName(variable, text, size)

#define TracyPlot(name, value)
#define TracyPlotConfig(name, type, step, fill, color)

#define TracyAppInfo(text, size)
#define TracyLogString(...)
#define TracyMessage(text, size)
#define TracyMessageL(text)
#define TracyMessageC(text, size, color)
#define TracyMessageLC(text, color)
#define TracyMessageS(text, size, depth)
#define TracyMessageLS(text, depth)
#define TracyMessageCS(text, size, color, depth)
#define TracyMessageLCS(text, color, depth)

#define TracyAlloc(address, size)
#define TracyFree(address)
#define TracySecureAlloc(address, size)
#define TracySecureFree(address)
#define TracyMemoryDiscard(name)
#define TracySecureMemoryDiscard(name)
#define TracyAllocN(address, size, name)
#define TracyFreeN(address, name)
#define TracySecureAllocN(address, size, name)
#define TracySecureFreeN(address, name)
#define TracyAllocS(address, size, depth)
#define TracyFreeS(address, depth)
#define TracySecureAllocS(address, size, depth)
#define TracySecureFreeS(address, depth)
#define TracyMemoryDiscardS(name, depth)
#define TracySecureMemoryDiscardS(name, depth)
#define TracyAllocNS(address, size, depth, name)
#define TracyFreeNS(address, depth, name)
#define TracySecureAllocNS(address, size, depth, name)
#define TracySecureFreeNS(address, depth, name)

#define TracySourceCallbackRegister(callback, data)
#define TracyParameterRegister(callback, data)
#define TracyParameterSetup(index, name, type, value)
#define TracyIsConnected false
#define TracyIsStarted false
#define TracySetProgramName(name)

#define TracySectionEnter(...) 0
#define TracySectionEnterCategory(...) 0
#define TracySectionLeave(id)
#define TracySectionSetup(...)

#define TracyFiberEnter(fiber)
#define TracyFiberEnterHint(fiber, hint)
#define TracyFiberLeave

#endif  // FLAMELET_TRACY_NO_MACROS_HPP
