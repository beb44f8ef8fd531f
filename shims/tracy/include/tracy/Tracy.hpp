// SPDX-License-Identifier: MIT
//
// tracy/Tracy.hpp: Tracy's C++ macros, recorded by Flamelet. docs/tracy.md says what becomes of each. Without
// TRACY_ENABLE every macro is nothing, and its arguments need not exist.
#ifndef FLAMELET_TRACY_HPP
#define FLAMELET_TRACY_HPP

#include "../common/TracyColor.hpp"
#include "../common/TracySystem.hpp"
#include "../flamelet_tracy/place.h"

#define TracyParamTypeInt 0
#define TracyParamTypeBool 1
#define TracyParamTypeTrigger 2

#include "../flamelet_tracy/macros.hpp"

// ---- What other macros say, on or off ----------------------------------------------------------------------------------

#define ZoneNamed(variable, active) ZoneNamedNC(variable, nullptr, 0, active)
#define ZoneNamedN(variable, name, active) ZoneNamedNC(variable, name, 0, active)
#define ZoneNamedC(variable, color, active) ZoneNamedNC(variable, nullptr, color, active)
#define ZoneNamedS(variable, depth, active) ZoneNamedNCS(variable, nullptr, 0, depth, active)
#define ZoneNamedNS(variable, name, depth, active) ZoneNamedNCS(variable, name, 0, depth, active)
#define ZoneNamedCS(variable, color, depth, active) ZoneNamedNCS(variable, nullptr, color, depth, active)
#define ZoneTransient(variable, active) ZoneNamed(variable, active)
#define ZoneTransientN(variable, name, active) ZoneTransientNC(variable, name, 0, active)
#define ZoneTransientS(variable, depth, active) ZoneNamedS(variable, depth, active)

#define ZoneText(text, size) ZoneTextV(___tracy_scoped_zone, text, size)
#define ZoneTextF(...) ZoneTextVF(___tracy_scoped_zone, __VA_ARGS__)
#define ZoneName(text, size) ZoneNameV(___tracy_scoped_zone, text, size)
#define ZoneNameF(...) ZoneNameVF(___tracy_scoped_zone, __VA_ARGS__)
#define ZoneColor(color) ZoneColorV(___tracy_scoped_zone, color)
#define ZoneValue(value) ZoneValueV(___tracy_scoped_zone, value)
#define ZoneIsActive ZoneIsActiveV(___tracy_scoped_zone)

#define TracyMessage(text, size) TracyMessageCS(text, size, 0, TRACY_CALLSTACK)
#define TracyMessageL(text) TracyMessageLCS(text, 0, TRACY_CALLSTACK)
#define TracyMessageC(text, size, color) TracyMessageCS(text, size, color, TRACY_CALLSTACK)
#define TracyMessageLC(text, color) TracyMessageLCS(text, color, TRACY_CALLSTACK)
#define TracyMessageS(text, size, depth) TracyMessageCS(text, size, 0, depth)
#define TracyMessageLS(text, depth) TracyMessageLCS(text, 0, depth)
#define TracySectionEnter(...) TracySectionEnterCategory(0, __VA_ARGS__)

#define TracyAlloc(address, size) TracyAllocS(address, size, TRACY_CALLSTACK)
#define TracyAllocN(address, size, name) TracyAllocNS(address, size, TRACY_CALLSTACK, name)
#define TracyAllocS(address, size, depth) TracyAllocNS(address, size, depth, nullptr)
#define TracyFree(address) TracyFreeS(address, TRACY_CALLSTACK)
#define TracyFreeN(address, name) TracyFreeNS(address, TRACY_CALLSTACK, name)
#define TracyFreeS(address, depth) TracyFreeNS(address, depth, nullptr)
#define TracyMemoryDiscard(name) TracyMemoryDiscardS(name, TRACY_CALLSTACK)
// Nothing here needs a profiler that is still alive, so these are the same.
#define TracySecureAlloc(address, size) TracyAlloc(address, size)
#define TracySecureAllocN(address, size, name) TracyAllocN(address, size, name)
#define TracySecureAllocS(address, size, depth) TracyAllocS(address, size, depth)
#define TracySecureAllocNS(address, size, depth, name) TracyAllocNS(address, size, depth, name)
#define TracySecureFree(address) TracyFree(address)
#define TracySecureFreeN(address, name) TracyFreeN(address, name)
#define TracySecureFreeS(address, depth) TracyFreeS(address, depth)
#define TracySecureFreeNS(address, depth, name) TracyFreeNS(address, depth, name)
#define TracySecureMemoryDiscard(name) TracyMemoryDiscard(name)
#define TracySecureMemoryDiscardS(name, depth) TracyMemoryDiscardS(name, depth)

#endif  // FLAMELET_TRACY_HPP
