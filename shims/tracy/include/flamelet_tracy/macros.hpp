// SPDX-License-Identifier: MIT
//
// macros.hpp: the macros of Tracy.hpp with TRACY_ENABLE. Included by Tracy.hpp alone.
#ifndef FLAMELET_TRACY_MACROS_HPP
#define FLAMELET_TRACY_MACROS_HPP

#include <string.h>

#include "flamelet_tracy/lock.hpp"
#include "flamelet_tracy/profiler.hpp"
#include "flamelet_tracy/start.h"
#include "flamelet_tracy/zone.hpp"

#ifndef TRACY_CALLSTACK
#define TRACY_CALLSTACK 0
#endif

#define TracyNoop ((void)::tracy::ProfilerAvailable())

// ---- Zones -----------------------------------------------------------------------------------------------------------

// All zones of a function have one name, so an inner one hides an outer one.
#if defined(TRACY_ALLOW_SHADOW_WARNING) || !defined(__GNUC__)
#define FLAMELET_TRACY_HIDES_(...) __VA_ARGS__
#else
#define FLAMELET_TRACY_HIDES_(...)                                                           \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") __VA_ARGS__; \
  _Pragma("GCC diagnostic pop")
#endif

// A static place and what follows it: a zone, with the place as its first argument.
#define FLAMELET_TRACY_PLACE_(name, color)                                                                            \
  static constexpr const char* TracyConcat(flamelet_tracy_name_, TracyLine) = name;                                   \
  static flamelet_site TracyConcat(flamelet_tracy_place_, TracyLine) = {0,                                            \
                                                                        TracyConcat(flamelet_tracy_name_, TracyLine), \
                                                                        "",                                           \
                                                                        TracyFile,                                    \
                                                                        TracyFunction,                                \
                                                                        TracyLine,                                    \
                                                                        static_cast<uint32_t>(color)}
#define FLAMELET_TRACY_ZONE_(variable, name, color, ...)    \
  FLAMELET_TRACY_HIDES_(FLAMELET_TRACY_PLACE_(name, color); \
                        ::tracy::ScopedZone variable(&TracyConcat(flamelet_tracy_place_, TracyLine), __VA_ARGS__))
#define FLAMELET_TRACY_TRANSIENT_(variable, name, color, depth, active)                                      \
  FLAMELET_TRACY_HIDES_(static flamelet_shim_names TracyConcat(flamelet_tracy_names_, TracyLine);            \
                        static const ::tracy::SourceLocationData TracyConcat(flamelet_tracy_at_, TracyLine){ \
                            nullptr, TracyFunction, TracyFile, TracyLine, static_cast<uint32_t>(color)};     \
                        ::tracy::ScopedZone variable(TracyConcat(flamelet_tracy_names_, TracyLine),          \
                                                     TracyConcat(flamelet_tracy_at_, TracyLine), name, depth, active))

#define ZoneNamed(variable, active) FLAMELET_TRACY_ZONE_(variable, nullptr, 0, active)
#define ZoneNamedN(variable, name, active) FLAMELET_TRACY_ZONE_(variable, name, 0, active)
#define ZoneNamedC(variable, color, active) FLAMELET_TRACY_ZONE_(variable, nullptr, color, active)
#define ZoneNamedNC(variable, name, color, active) FLAMELET_TRACY_ZONE_(variable, name, color, active)
#define ZoneNamedS(variable, depth, active) FLAMELET_TRACY_ZONE_(variable, nullptr, 0, depth, active)
#define ZoneNamedNS(variable, name, depth, active) FLAMELET_TRACY_ZONE_(variable, name, 0, depth, active)
#define ZoneNamedCS(variable, color, depth, active) FLAMELET_TRACY_ZONE_(variable, nullptr, color, depth, active)
#define ZoneNamedNCS(variable, name, color, depth, active) FLAMELET_TRACY_ZONE_(variable, name, color, depth, active)

#define ZoneTransient(variable, active) ZoneNamed(variable, active)
#define ZoneTransientN(variable, name, active) FLAMELET_TRACY_TRANSIENT_(variable, name, 0, 0, active)
#define ZoneTransientNC(variable, name, color, active) FLAMELET_TRACY_TRANSIENT_(variable, name, color, 0, active)
#define ZoneTransientS(variable, depth, active) ZoneNamedS(variable, depth, active)
#define ZoneTransientNS(variable, name, depth, active) FLAMELET_TRACY_TRANSIENT_(variable, name, 0, depth, active)

#define ZoneScoped ZoneNamed(___tracy_scoped_zone, true)
#define ZoneScopedN(name) ZoneNamedN(___tracy_scoped_zone, name, true)
#define ZoneScopedC(color) ZoneNamedC(___tracy_scoped_zone, color, true)
#define ZoneScopedNC(name, color) ZoneNamedNC(___tracy_scoped_zone, name, color, true)
#define ZoneScopedS(depth) ZoneNamedS(___tracy_scoped_zone, depth, true)
#define ZoneScopedNS(name, depth) ZoneNamedNS(___tracy_scoped_zone, name, depth, true)
#define ZoneScopedCS(color, depth) ZoneNamedCS(___tracy_scoped_zone, color, depth, true)
#define ZoneScopedNCS(name, color, depth) ZoneNamedNCS(___tracy_scoped_zone, name, color, depth, true)

#define ZoneText(text, size) ___tracy_scoped_zone.Text(text, size)
#define ZoneTextV(variable, text, size) (variable).Text(text, size)
#define ZoneTextF(...) ___tracy_scoped_zone.TextFmt(__VA_ARGS__)
#define ZoneTextVF(variable, ...) (variable).TextFmt(__VA_ARGS__)
#define ZoneName(text, size) ___tracy_scoped_zone.Name(text, size)
#define ZoneNameV(variable, text, size) (variable).Name(text, size)
#define ZoneNameF(...) ___tracy_scoped_zone.NameFmt(__VA_ARGS__)
#define ZoneNameVF(variable, ...) (variable).NameFmt(__VA_ARGS__)
#define ZoneColor(color) ___tracy_scoped_zone.Color(static_cast<uint32_t>(color))
#define ZoneColorV(variable, color) (variable).Color(static_cast<uint32_t>(color))
#define ZoneValue(value) ___tracy_scoped_zone.Value(static_cast<uint64_t>(value))
#define ZoneValueV(variable, value) (variable).Value(static_cast<uint64_t>(value))
#define ZoneIsActive ___tracy_scoped_zone.IsActive()
#define ZoneIsActiveV(variable) (variable).IsActive()

// ---- Frames, plots, messages -------------------------------------------------------------------------------------------

#define FrameMark flamelet_frame()
#define FrameMarkNamed(name) flamelet_frame_named(name)
#define FrameMarkStart(name) flamelet_shim_frame_start(name)
#define FrameMarkEnd(name) flamelet_shim_frame_end(name)
#define FrameImage(image, width, height, offset, flip) \
  ::tracy::Ignore(FLAMELET_SHIM_NOTE_FRAME_IMAGE_, image, width, height, offset, flip)

#define TracyPlot(name, value) ::tracy::Profiler::PlotData(name, value)
#define TracyPlotConfig(name, type, step, fill, color) \
  ::tracy::Ignore(FLAMELET_SHIM_NOTE_PLOT_CONFIG_, name, type, step, fill, color)

#define TracyAppInfo(text, size) flamelet_shim_app_info(text, size)
#define FLAMELET_TRACY_LOG_(...) \
  ::tracy::Profiler::LogString(::tracy::MessageSourceType::User, ::tracy::MessageSeverity::Info, __VA_ARGS__)
#define TracyLogString(severity, color, depth, ...)                                                             \
  ::tracy::Profiler::LogString(::tracy::MessageSourceType::User, severity, static_cast<uint32_t>(color), depth, \
                               __VA_ARGS__)
#define TracyMessage(text, size) FLAMELET_TRACY_LOG_(0, TRACY_CALLSTACK, size, text)
#define TracyMessageL(text) FLAMELET_TRACY_LOG_(0, TRACY_CALLSTACK, text)
#define TracyMessageC(text, size, color) FLAMELET_TRACY_LOG_(static_cast<uint32_t>(color), TRACY_CALLSTACK, size, text)
#define TracyMessageLC(text, color) FLAMELET_TRACY_LOG_(static_cast<uint32_t>(color), TRACY_CALLSTACK, text)
#define TracyMessageS(text, size, depth) FLAMELET_TRACY_LOG_(0, depth, size, text)
#define TracyMessageLS(text, depth) FLAMELET_TRACY_LOG_(0, depth, text)
#define TracyMessageCS(text, size, color, depth) FLAMELET_TRACY_LOG_(static_cast<uint32_t>(color), depth, size, text)
#define TracyMessageLCS(text, color, depth) FLAMELET_TRACY_LOG_(static_cast<uint32_t>(color), depth, text)

// ---- Memory ------------------------------------------------------------------------------------------------------------

#define TracyAlloc(address, size) TracyAllocS(address, size, TRACY_CALLSTACK)
#define TracyAllocN(address, size, name) TracyAllocNS(address, size, TRACY_CALLSTACK, name)
#define TracyAllocS(address, size, depth) TracyAllocNS(address, size, depth, nullptr)
#define TracyAllocNS(address, size, depth, name) ::tracy::Profiler::MemAllocCallstackNamed(address, size, depth, name)
#define TracyFree(address) TracyFreeS(address, TRACY_CALLSTACK)
#define TracyFreeN(address, name) TracyFreeNS(address, TRACY_CALLSTACK, name)
#define TracyFreeS(address, depth) TracyFreeNS(address, depth, nullptr)
#define TracyFreeNS(address, depth, name) ::tracy::Profiler::MemFreeCallstackNamed(address, depth, name)
#define TracyMemoryDiscard(name) TracyMemoryDiscardS(name, TRACY_CALLSTACK)
#define TracyMemoryDiscardS(name, depth) ::tracy::Profiler::MemDiscardCallstack(name, depth)
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

// ---- Locks -------------------------------------------------------------------------------------------------------------

#define FLAMELET_TRACY_LOCK_(lockable, variable, description)                                       \
  lockable variable {                                                                               \
    []() noexcept -> const ::tracy::SourceLocationData* {                                           \
      static constexpr ::tracy::SourceLocationData place{description, "", TracyFile, TracyLine, 0}; \
      return &place;                                                                                \
    }()                                                                                             \
  }
#define TracyLockableN(type, variable, description) FLAMELET_TRACY_LOCK_(::tracy::Lockable<type>, variable, description)
#define TracySharedLockableN(type, variable, description) \
  FLAMELET_TRACY_LOCK_(::tracy::SharedLockable<type>, variable, description)
#define TracyLockable(type, variable) TracyLockableN(type, variable, #type " " #variable)
#define TracySharedLockable(type, variable) TracySharedLockableN(type, variable, #type " " #variable)
#define LockableBase(type) ::tracy::Lockable<type>
#define SharedLockableBase(type) ::tracy::SharedLockable<type>
#define LockMark(variable) ::tracy::MarkLock(variable, TracyFunction)
#define LockableName(variable, text, size) (variable).CustomName(text, size)

// ---- The rest ----------------------------------------------------------------------------------------------------------

#define TracySourceCallbackRegister(callback, data) ::tracy::Ignore(FLAMELET_SHIM_NOTE_SOURCE_CALLBACK_, callback, data)
#define TracyParameterRegister(callback, data) ::tracy::Ignore(FLAMELET_SHIM_NOTE_PARAMETER_, callback, data)
#define TracyParameterSetup(index, name, type, value) \
  ::tracy::Ignore(FLAMELET_SHIM_NOTE_PARAMETER_, index, name, type, value)
#define TracySetProgramName(name) ::tracy::Ignore(FLAMELET_SHIM_NOTE_PROGRAM_NAME_, name)
#define TracyIsConnected flamelet_enabled()
#define TracyIsStarted flamelet_shim_is_started()

#define TracySectionEnter(...) ::tracy::Profiler::SectionEnter(0, __VA_ARGS__)
#define TracySectionEnterCategory(category, ...) ::tracy::Profiler::SectionEnter(category, __VA_ARGS__)
#define TracySectionLeave(id) ::tracy::Profiler::SectionLeave(id)
#define TracySectionSetup(...) ::tracy::Profiler::SectionSetup(__VA_ARGS__)

#ifdef TRACY_FIBERS
#define TracyFiberEnter(fiber) flamelet_shim_fiber_enter(fiber)
#define TracyFiberEnterHint(fiber, hint) ::tracy::Profiler::EnterFiber(fiber, hint)
#define TracyFiberLeave flamelet_shim_fiber_leave()
#endif

#endif  // FLAMELET_TRACY_MACROS_HPP
