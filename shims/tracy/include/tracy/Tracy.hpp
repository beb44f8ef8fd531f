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

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)
#include <string.h>

#include "flamelet_shim/calls.h"
#include "flamelet_shim/format.hpp"

// ---- What programs call without a macro, and what the macros of C++ need beside calls.h --------------------------------

namespace tracy {

// One zone. Its place is static where a macro names it; then begin and end are those of FLAMELET_SCOPE().

struct SourceLocationData {
  const char* name;
  const char* function;
  const char* file;
  uint32_t line;
  uint32_t color;
};

class ScopedZone {
 public:
  // What the macros make.
  __attribute__((always_inline, no_instrument_function)) ScopedZone(flamelet_site* site, bool active) noexcept
      : id_(active ? flamelet_scope_begin_(site) : 0) {}
  FLAMELET_NOT_INSTRUMENTED_ ScopedZone(flamelet_site* site, int32_t depth, bool active) noexcept
      : ScopedZone(site, active) {
    note(depth);
  }

  __attribute__((always_inline, no_instrument_function))
  ScopedZone(flamelet_shim_names& known, const SourceLocationData& at, const char* name, int32_t depth,
             bool active) noexcept
      : id_(active ? flamelet_shim_begin_named_(&known, name, at.function, at.file, at.line, at.color) : 0) {
    note(depth);
  }

  // What programs make themselves. The place may be anywhere; its texts are copied.
  FLAMELET_NOT_INSTRUMENTED_ explicit ScopedZone(const SourceLocationData* place, int32_t depth = -1,
                                                 bool active = true) noexcept
      : id_(active ? begin(*place) : 0) {
    note(depth);
  }
  FLAMELET_NOT_INSTRUMENTED_ ScopedZone(uint32_t line, const char* file, size_t file_size, const char* function,
                                        size_t function_size, const char* name, size_t name_size, uint32_t color,
                                        int32_t depth = -1, bool active = true) noexcept
      : id_(0) {
    const flamelet_shim_place place = {name, name_size, function, function_size, file, file_size, line, color};
    if (active) id_ = flamelet_shim_begin_at(&place, nullptr);
    note(depth);
  }
  FLAMELET_NOT_INSTRUMENTED_ ScopedZone(uint32_t line, const char* file, size_t file_size, const char* function,
                                        size_t function_size, const char* name, size_t name_size, int32_t depth,
                                        bool active = true) noexcept
      : ScopedZone(line, file, file_size, function, function_size, name, name_size, 0u, depth, active) {}

  __attribute__((always_inline, no_instrument_function)) ~ScopedZone() noexcept { flamelet_scope_end_(id_); }
  ScopedZone(const ScopedZone&) = delete;
  ScopedZone(ScopedZone&&) = delete;
  ScopedZone& operator=(const ScopedZone&) = delete;
  ScopedZone& operator=(ScopedZone&&) = delete;

  // The id goes by value, so that a zone stays in a register.
  FLAMELET_NOT_INSTRUMENTED_ void Text(const char* text, size_t size) const noexcept {
    flamelet_shim_zone_text(id_, text, size);
  }
  FLAMELET_NOT_INSTRUMENTED_ void Name(const char* text, size_t size) const noexcept {
    flamelet_shim_zone_name(id_, text, size);
  }
  FLAMELET_NOT_INSTRUMENTED_ void Value(uint64_t value) const noexcept { flamelet_shim_zone_value(id_, value); }
  FLAMELET_NOT_INSTRUMENTED_ void Color(uint32_t) const noexcept {
    if (id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_ZONE_COLOR_);
  }
  FLAMELET_NOT_INSTRUMENTED_ FLAMELET_SHIM_PRINTF_(2, 3) void TextFmt(const char* format, ...) const noexcept {
    if (id_ == 0) return;
    FLAMELET_SHIM_FORMAT_(text, format);
    Text(text.data(), text.size());
  }
  FLAMELET_NOT_INSTRUMENTED_ FLAMELET_SHIM_PRINTF_(2, 3) void NameFmt(const char* format, ...) const noexcept {
    if (id_ == 0) return;
    FLAMELET_SHIM_FORMAT_(text, format);
    Name(text.data(), text.size());
  }
  FLAMELET_NOT_INSTRUMENTED_ bool IsActive() const noexcept { return id_ != 0; }

 private:
  FLAMELET_NOT_INSTRUMENTED_ static size_t size_of(const char* text) noexcept {
    return text == nullptr ? 0 : strlen(text);
  }
  FLAMELET_NOT_INSTRUMENTED_ static flamelet_id begin(const SourceLocationData& at) noexcept {
    const flamelet_shim_place place = {at.name, size_of(at.name), at.function, size_of(at.function),
                                       at.file, size_of(at.file), at.line,     at.color};
    return flamelet_shim_begin_at(&place, nullptr);
  }
  FLAMELET_NOT_INSTRUMENTED_ void note(int32_t depth) const noexcept {
    if (depth > 0 && id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  }

  flamelet_id id_;
};

enum class MessageSourceType : uint8_t { User, Tracy };
enum class MessageSeverity : uint8_t { Trace, Debug, Info, Warning, Error, Fatal };
enum class PlotFormatType : uint8_t { Number, Memory, Percentage, Watt };

FLAMELET_NOT_INSTRUMENTED_ inline void StartupProfiler() {
  flamelet_shim_start();
}
FLAMELET_NOT_INSTRUMENTED_ inline void ShutdownProfiler() {
  flamelet_shim_stop();
}
FLAMELET_NOT_INSTRUMENTED_ inline bool IsProfilerStarted() {
  return flamelet_shim_is_started();
}
FLAMELET_NOT_INSTRUMENTED_ inline bool ProfilerAvailable() {
  return flamelet_shim_is_started();
}
template <class Lock>
FLAMELET_NOT_INSTRUMENTED_ void MarkLock(Lock& lock, const char* function) {
  const SourceLocationData place = {nullptr, function, nullptr, 0, 0};
  lock.Mark(&place);
}

class Profiler {
 public:
  // In ticks of the recorder's clock.
  FLAMELET_NOT_INSTRUMENTED_ static int64_t GetTime() { return static_cast<int64_t>(flamelet_now_ticks()); }
  FLAMELET_NOT_INSTRUMENTED_ bool IsConnected() const { return flamelet_enabled(); }

  FLAMELET_NOT_INSTRUMENTED_ static void SendFrameMark(const char* name) {
    if (name == nullptr)
      flamelet_frame();
    else
      flamelet_frame_named(name);
  }
  template <class Number>
  FLAMELET_NOT_INSTRUMENTED_ static void PlotData(const char* name, Number value) {
    flamelet_shim_plot(name, static_cast<double>(value));
  }
  FLAMELET_NOT_INSTRUMENTED_ static void LogString(MessageSourceType, MessageSeverity severity, uint32_t color,
                                                   int32_t depth, size_t size, const char* text) {
    note_call_stack(depth);
    flamelet_shim_message(static_cast<int>(severity), color, text, size);
  }
  FLAMELET_NOT_INSTRUMENTED_ static void LogString(MessageSourceType source, MessageSeverity severity, uint32_t color,
                                                   int32_t depth, const char* text) {
    LogString(source, severity, color, depth, strlen(text), text);
  }

  FLAMELET_NOT_INSTRUMENTED_ FLAMELET_SHIM_ADDRESS_ONLY_ static void MemAllocCallstackNamed(const void* address,
                                                                                            size_t size, int32_t depth,
                                                                                            const char* pool) {
    note_call_stack(depth);
    flamelet_shim_alloc(address, size, pool);
  }
  FLAMELET_NOT_INSTRUMENTED_ static void MemFreeCallstackNamed(const void* address, int32_t depth, const char* pool) {
    note_call_stack(depth);
    flamelet_shim_free(address, pool);
  }
  FLAMELET_NOT_INSTRUMENTED_ static void MemDiscardCallstack(const char* pool, int32_t depth) {
    note_call_stack(depth);
    flamelet_shim_discard(pool);
  }

  FLAMELET_NOT_INSTRUMENTED_ static void EnterFiber(const char* fiber, int32_t group_hint) {
    if (group_hint != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_GROUP_HINT_);
    flamelet_shim_fiber_enter(fiber);
  }
  FLAMELET_NOT_INSTRUMENTED_ static void LeaveFiber() { flamelet_shim_fiber_leave(); }

  // An interval. The id is for SectionLeave(), on any thread.
  FLAMELET_NOT_INSTRUMENTED_ FLAMELET_SHIM_PRINTF_(2, 3) static uint32_t
      SectionEnter(uint16_t category, const char* format, ...) {
    if (category != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_SECTION_CATEGORY_);
    FLAMELET_SHIM_FORMAT_(text, format);
    return flamelet_shim_section_begin(text.data(), text.size());
  }
  FLAMELET_NOT_INSTRUMENTED_ static void SectionLeave(uint32_t id) { flamelet_shim_section_end(id); }
  FLAMELET_NOT_INSTRUMENTED_ FLAMELET_SHIM_PRINTF_(2, 3) static void SectionSetup(uint16_t, const char*, ...) {
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_SECTION_CATEGORY_);
  }

 private:
  FLAMELET_NOT_INSTRUMENTED_ static void note_call_stack(int32_t depth) {
    if (depth > 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  }
};

FLAMELET_NOT_INSTRUMENTED_ inline Profiler& GetProfiler() {
  static Profiler profiler;
  return profiler;
}

}  // namespace tracy

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
#define ZoneValueV(variable, value) (variable).Value(static_cast<uint64_t>(value))
#define ZoneIsActiveV(variable) (variable).IsActive()

// ---- Frames, plots, messages -------------------------------------------------------------------------------------------

#define FrameImage(image, width, height, offset, flip) \
  ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_FRAME_IMAGE_, image, width, height, offset, flip)

#define TracyPlot(name, value) ::tracy::Profiler::PlotData(name, value)

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

// ---- Locks -------------------------------------------------------------------------------------------------------------

#define FLAMELET_TRACY_LOCK_(lockable, variable, description)                                       \
  lockable variable {                                                                               \
    []() FLAMELET_NOT_INSTRUMENTED_ -> const ::tracy::SourceLocationData* {                         \
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

#define TracySetProgramName(name) ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PROGRAM_NAME_, name)
#define TracyIsConnected flamelet_enabled()
#define TracyIsStarted flamelet_shim_is_started()

#define TracySectionEnterCategory(category, ...) ::tracy::Profiler::SectionEnter(category, __VA_ARGS__)

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
#define ZoneValueV(variable, value) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(value))
#define ZoneIsActiveV(variable) false

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

#define TracyAppInfo(text, size) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text, size))
#define TracyLogString(...)
#define TracyMessageCS(text, size, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text, size))
#define TracyMessageLCS(text, color, depth) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(text))

#define TracyAllocNS(address, size, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(address, size))
#define TracyFreeNS(address, depth, name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(address))

#define TracyIsConnected false
#define TracyIsStarted false
#define TracySetProgramName(name) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(name))

#define TracySectionEnterCategory(...) 0

#define TracyFiberEnter(fiber) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(fiber))
#define TracyFiberEnterHint(fiber, hint) FLAMELET_TRACY_OFF_(FLAMELET_SHIM_UNUSED_(fiber, hint))
#define TracyFiberLeave

#endif

// ---- What other macros say, on or off ----------------------------------------------------------------------------------

#define ZoneColorV(variable, color) FLAMELET_TRACY_ON_((variable).Color(static_cast<uint32_t>(color)))
#define FrameMark FLAMELET_TRACY_ON_(flamelet_frame())
#define FrameMarkNamed(name) FLAMELET_TRACY_ON_(flamelet_frame_named(name))
#define FrameMarkStart(name) FLAMELET_TRACY_ON_(flamelet_shim_frame_start(name))
#define FrameMarkEnd(name) FLAMELET_TRACY_ON_(flamelet_shim_frame_end(name))
#define TracyPlotConfig(name, type, step, fill, color) \
  FLAMELET_TRACY_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PLOT_CONFIG_, name, type, step, fill, color))
#define TracyMemoryDiscardS(name, depth) FLAMELET_TRACY_ON_(::tracy::Profiler::MemDiscardCallstack(name, depth))
#define TracySourceCallbackRegister(callback, data) \
  FLAMELET_TRACY_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_SOURCE_CALLBACK_, callback, data))
#define TracyParameterRegister(callback, data) \
  FLAMELET_TRACY_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PARAMETER_, callback, data))
#define TracyParameterSetup(index, name, type, value) \
  FLAMELET_TRACY_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_PARAMETER_, index, name, type, value))
#define TracySectionLeave(id) FLAMELET_TRACY_ON_(::tracy::Profiler::SectionLeave(id))
#define TracySectionSetup(...) FLAMELET_TRACY_ON_(::tracy::Profiler::SectionSetup(__VA_ARGS__))

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
