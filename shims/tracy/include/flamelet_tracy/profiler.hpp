// SPDX-License-Identifier: MIT
//
// profiler.hpp: what programs call without a macro, and what the macros of C++ need beside calls.h.
#ifndef FLAMELET_TRACY_PROFILER_HPP
#define FLAMELET_TRACY_PROFILER_HPP

#include <string.h>

#include "flamelet_shim/calls.h"
#include "flamelet_shim/format.hpp"
#include "flamelet_tracy/start.h"
#include "flamelet_tracy/zone.hpp"

namespace tracy {

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
