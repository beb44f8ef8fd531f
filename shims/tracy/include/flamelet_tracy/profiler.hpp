// SPDX-License-Identifier: MIT
//
// profiler.hpp: what programs call without a macro, and what the macros of C++ need beside calls.h.
#ifndef FLAMELET_TRACY_PROFILER_HPP
#define FLAMELET_TRACY_PROFILER_HPP

#include <string.h>

#include "flamelet_shim/calls.h"
#include "flamelet_shim/format.hpp"
#include "flamelet_tracy/start.h"

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

#endif  // FLAMELET_TRACY_PROFILER_HPP
