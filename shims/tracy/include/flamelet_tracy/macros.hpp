// SPDX-License-Identifier: MIT
//
// macros.hpp: the macros of Tracy.hpp with and without TRACY_ENABLE. Included by Tracy.hpp alone.
#ifndef FLAMELET_TRACY_MACROS_HPP
#define FLAMELET_TRACY_MACROS_HPP

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)
#include <string.h>

#include "flamelet_tracy/profiler.hpp"
#include "flamelet_tracy/start.h"

// Tracy's locks are flamelet::Lockable (flamelet/lock.h), with marks and names that change.
namespace tracy {

template <class T>
class Lockable : public flamelet::Lockable<T> {
 public:
  FLAMELET_NOT_INSTRUMENTED_ explicit Lockable(const SourceLocationData* place) noexcept(
      std::is_nothrow_default_constructible<T>::value)
      : flamelet::Lockable<T>(place->name) {}
  FLAMELET_NOT_INSTRUMENTED_ ~Lockable() { flamelet_shim_lock_end(&names_); }

  FLAMELET_NOT_INSTRUMENTED_ void Mark(const SourceLocationData* place) noexcept {
    if constexpr (Lockable::kRecords) flamelet_shim_lock_mark(&this->lock_, place->function);
  }
  FLAMELET_NOT_INSTRUMENTED_ void CustomName(const char* text, size_t size) noexcept {
    if constexpr (Lockable::kRecords) flamelet_shim_lock_name(&this->lock_, &names_, text, size);
  }

 private:
  flamelet_shim_lock_names names_ = {nullptr, 0};
};

template <class T>
using SharedLockable = Lockable<T>;

}  // namespace tracy

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

#define ZoneNamedNC(variable, name, color, active) FLAMELET_TRACY_ZONE_(variable, name, color, active)
#define ZoneNamedNCS(variable, name, color, depth, active) FLAMELET_TRACY_ZONE_(variable, name, color, depth, active)

#define ZoneTransientNC(variable, name, color, active) FLAMELET_TRACY_TRANSIENT_(variable, name, color, 0, active)
#define ZoneTransientNS(variable, name, depth, active) FLAMELET_TRACY_TRANSIENT_(variable, name, 0, depth, active)

#define ZoneScoped ZoneNamed(___tracy_scoped_zone, true)
#define ZoneScopedN(name) ZoneNamedN(___tracy_scoped_zone, name, true)
#define ZoneScopedC(color) ZoneNamedC(___tracy_scoped_zone, color, true)
#define ZoneScopedNC(name, color) ZoneNamedNC(___tracy_scoped_zone, name, color, true)
#define ZoneScopedS(depth) ZoneNamedS(___tracy_scoped_zone, depth, true)
#define ZoneScopedNS(name, depth) ZoneNamedNS(___tracy_scoped_zone, name, depth, true)
#define ZoneScopedCS(color, depth) ZoneNamedCS(___tracy_scoped_zone, color, depth, true)
#define ZoneScopedNCS(name, color, depth) ZoneNamedNCS(___tracy_scoped_zone, name, color, depth, true)

#define ZoneTextV(variable, text, size) (variable).Text(text, size)
#define ZoneTextVF(variable, ...) (variable).TextFmt(__VA_ARGS__)
#define ZoneNameV(variable, text, size) (variable).Name(text, size)
#define ZoneNameVF(variable, ...) (variable).NameFmt(__VA_ARGS__)
#define ZoneColorV(variable, color) (variable).Color(static_cast<uint32_t>(color))
#define ZoneValueV(variable, value) (variable).Value(static_cast<uint64_t>(value))
#define ZoneIsActiveV(variable) (variable).IsActive()

// ---- Frames, plots, messages -------------------------------------------------------------------------------------------

#define FrameMark flamelet_frame()
#define FrameMarkNamed(name) flamelet_frame_named(name)
#define FrameMarkStart(name) flamelet_shim_frame_start(name)
#define FrameMarkEnd(name) flamelet_shim_frame_end(name)
#define FrameImage(image, width, height, offset, flip) \
  ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_FRAME_IMAGE_, image, width, height, offset, flip)

#define TracyPlot(name, value) ::tracy::Profiler::PlotData(name, value)
#define TracyPlotConfig(name, type, step, fill, color) \
  ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PLOT_CONFIG_, name, type, step, fill, color)

#define TracyAppInfo(text, size) flamelet_shim_app_info(text, size)
#define FLAMELET_TRACY_LOG_(...) \
  ::tracy::Profiler::LogString(::tracy::MessageSourceType::User, ::tracy::MessageSeverity::Info, __VA_ARGS__)
#define TracyLogString(severity, color, depth, ...)                                                             \
  ::tracy::Profiler::LogString(::tracy::MessageSourceType::User, severity, static_cast<uint32_t>(color), depth, \
                               __VA_ARGS__)
#define TracyMessageCS(text, size, color, depth) FLAMELET_TRACY_LOG_(static_cast<uint32_t>(color), depth, size, text)
#define TracyMessageLCS(text, color, depth) FLAMELET_TRACY_LOG_(static_cast<uint32_t>(color), depth, text)

// ---- Memory ------------------------------------------------------------------------------------------------------------

#define TracyAllocNS(address, size, depth, name) ::tracy::Profiler::MemAllocCallstackNamed(address, size, depth, name)
#define TracyFreeNS(address, depth, name) ::tracy::Profiler::MemFreeCallstackNamed(address, depth, name)
#define TracyMemoryDiscardS(name, depth) ::tracy::Profiler::MemDiscardCallstack(name, depth)

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

#define TracySourceCallbackRegister(callback, data) \
  ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_SOURCE_CALLBACK_, callback, data)
#define TracyParameterRegister(callback, data) ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PARAMETER_, callback, data)
#define TracyParameterSetup(index, name, type, value) \
  ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PARAMETER_, index, name, type, value)
#define TracySetProgramName(name) ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PROGRAM_NAME_, name)
#define TracyIsConnected flamelet_enabled()
#define TracyIsStarted flamelet_shim_is_started()

#define TracySectionEnterCategory(category, ...) ::tracy::Profiler::SectionEnter(category, __VA_ARGS__)
#define TracySectionLeave(id) ::tracy::Profiler::SectionLeave(id)
#define TracySectionSetup(...) ::tracy::Profiler::SectionSetup(__VA_ARGS__)

#ifdef TRACY_FIBERS
#define TracyFiberEnter(fiber) flamelet_shim_fiber_enter(fiber)
#define TracyFiberEnterHint(fiber, hint) ::tracy::Profiler::EnterFiber(fiber, hint)
#define TracyFiberLeave flamelet_shim_fiber_leave()
#endif

#else

// ---- Switched off ----------------------------------------------------------------------------------------------------

#include "flamelet_shim/unused.h"

#define TracyNoop

#define ZoneNamedNC(variable, name, color, active) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(active))
#define ZoneTransientNC(variable, name, color, active) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(name, active))
#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneNamedNCS(variable, name, color, depth, active) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(active))
#define ZoneTransientNS(variable, name, depth, active) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(name, active))
#define ZoneScopedS(depth)
#define ZoneScopedNS(name, depth)
#define ZoneScopedCS(color, depth)
#define ZoneScopedNCS(name, color, depth)

#define ZoneTextV(variable, text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text, size))
#define ZoneTextVF(variable, ...) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(__VA_ARGS__))
#define ZoneNameV(variable, text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text, size))
#define ZoneNameVF(variable, ...) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(__VA_ARGS__))
#define ZoneColorV(variable, color)
#define ZoneValueV(variable, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value))
#define ZoneIsActiveV(variable) false

#define FrameMark
#define FrameMarkNamed(name)
#define FrameMarkStart(name)
#define FrameMarkEnd(name)
#define FrameImage(image, width, height, offset, flip) \
  FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(image, width, height, offset, flip))

#define TracyLockable(type, variable) type variable
#define TracyLockableN(type, variable, description) type variable
#define TracySharedLockable(type, variable) type variable
#define TracySharedLockableN(type, variable, description) type variable
#define LockableBase(type) type
#define SharedLockableBase(type) type
#define LockMark(variable) (void)variable
#define LockableName(variable, text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text, size))

#define TracyPlot(name, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value))
#define TracyPlotConfig(name, type, step, fill, color)

#define TracyAppInfo(text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text, size))
#define TracyLogString(...)
#define TracyMessageCS(text, size, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text, size))
#define TracyMessageLCS(text, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text))

#define TracyMemoryDiscardS(name, depth)
#define TracyAllocNS(address, size, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(address, size))
#define TracyFreeNS(address, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(address))

#define TracySourceCallbackRegister(callback, data)
#define TracyParameterRegister(callback, data)
#define TracyParameterSetup(index, name, type, value)
#define TracyIsConnected false
#define TracyIsStarted false
#define TracySetProgramName(name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(name))

#define TracySectionEnterCategory(...) 0
#define TracySectionLeave(id)
#define TracySectionSetup(...)

#define TracyFiberEnter(fiber) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(fiber))
#define TracyFiberEnterHint(fiber, hint) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(fiber, hint))
#define TracyFiberLeave

#endif

#endif  // FLAMELET_TRACY_MACROS_HPP
