// SPDX-License-Identifier: MIT
//
// api.hpp: what the macros of microprofile.h stand on, and what programs call without them.
#ifndef FLAMELET_MICROPROFILE_API_HPP
#define FLAMELET_MICROPROFILE_API_HPP

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "flamelet_shim/calls.h"
#include "flamelet_shim/format.hpp"
#include "flamelet_shim/open_scopes.h"
#include "flamelet_shim/start.h"

using MicroProfileToken = uint64_t;
using MicroProfileTimelineToken = uint32_t;

enum MicroProfileTokenType { MicroProfileTokenTypeCpu, MicroProfileTokenTypeGpu };

enum MicroProfileCounterFormat {
  MICROPROFILE_COUNTER_FORMAT_DEFAULT = 0,
  MICROPROFILE_COUNTER_FORMAT_BYTES = 1,
};

enum MicroProfileCounterFlags {
  MICROPROFILE_COUNTER_FLAG_NONE = 0,
  MICROPROFILE_COUNTER_FLAG_DETAILED = 0x1,
  MICROPROFILE_COUNTER_FLAG_DETAILED_GRAPH = 0x2,
  MICROPROFILE_COUNTER_FLAG_DOUBLE = 0x40,
};

#define MICROPROFILE_INVALID_TOKEN (~uint64_t{0})
#define MICROPROFILE_FLIP_FLAG_START_WEBSERVER 1u
#define MICROPROFILE_FLIP_FLAG_DEFAULT MICROPROFILE_FLIP_FLAG_START_WEBSERVER

// The same token for the same content. A group is a category.
MicroProfileToken MicroProfileGetToken(const char* group, const char* name, uint32_t color, MicroProfileTokenType type,
                                       uint32_t flags);
// The same, once for a token that is MICROPROFILE_INVALID_TOKEN at first.
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileGetTokenC(MicroProfileToken* token, const char* group,
                                                             const char* name, uint32_t color,
                                                             MicroProfileTokenType type, uint32_t flags) {
  if (*token == MICROPROFILE_INVALID_TOKEN) *token = MicroProfileGetToken(group, name, color, type, flags);
}
// Pair with each other, on one thread.
inline void MicroProfileEnter(MicroProfileToken token);
inline void MicroProfileLeave();

// Intervals of the category "section": they may overlap, and end on another thread.
MicroProfileTimelineToken MicroProfileTimelineEnter(uint32_t color, const char* name);
FLAMELET_SHIM_PRINTF_(2, 3)
MicroProfileTimelineToken MicroProfileTimelineEnterf(uint32_t color, const char* format, ...);
void MicroProfileTimelineLeave(MicroProfileTimelineToken token);
// By the name; one of each name at one time. Category "frame".
void MicroProfileTimelineEnterStatic(uint32_t color, const char* name);
void MicroProfileTimelineLeaveStatic(const char* name);

// A counter has one value for all threads; each change is recorded. A process has 511 counters; further ones share one
// that is named "(overflow)", and are counted (flamelet_shim_notes).
MicroProfileToken MicroProfileGetCounterToken(const char* name, uint32_t flags);
void MicroProfileCounterAdd(MicroProfileToken counter, int64_t count);
void MicroProfileCounterSet(MicroProfileToken counter, int64_t count);
void MicroProfileCounterSetDouble(MicroProfileToken counter, double value);
int64_t MicroProfileCounterGet(MicroProfileToken counter);
// Read and recorded at each flip, until it is set to NULL. `size`: 4 or 8.
void MicroProfileCounterSetPtr(const char* name, void* value, uint32_t size);

// A frame mark.
void MicroProfileFlip(void* gpu_context, uint32_t flags = MICROPROFILE_FLIP_FLAG_DEFAULT);

void MicroProfileOnThreadCreate(const char* name);
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileOnThreadExit() {}
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileInit() {}
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileShutdown() {}  // the recorder ends at exit
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileSetEnableAllGroups(bool enable) {
  flamelet_set_enabled(enable);
}
FLAMELET_NOT_INSTRUMENTED_ inline bool MicroProfileGetEnableAllGroups() {
  return flamelet_enabled();
}
FLAMELET_NOT_INSTRUMENTED_ inline int MicroProfileEnabled() {
  return flamelet_enabled();
}
FLAMELET_NOT_INSTRUMENTED_ inline uint64_t MicroProfileTick() {
  return flamelet_now_ticks();
}
FLAMELET_NOT_INSTRUMENTED_ inline int64_t MicroProfileTicksPerSecondCpu() {
  return static_cast<int64_t>(flamelet_clock_info().ticks_per_second);
}

// ---- Ignored: nothing is shown or summed up while the program runs ---------------------------------------------------

FLAMELET_NOT_INSTRUMENTED_ inline float MicroProfileGetTime(const char*, const char*) {
  return 0;
}
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileToggleFrozen() {}
FLAMELET_NOT_INSTRUMENTED_ inline int MicroProfileIsFrozen() {
  return 0;
}
struct MicroProfileThreadLogGpu;
FLAMELET_NOT_INSTRUMENTED_ inline MicroProfileThreadLogGpu* MicroProfileThreadLogGpuAlloc() {
  return nullptr;
}
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileThreadLogGpuFree(MicroProfileThreadLogGpu*) {}

namespace flamelet_microprofile {

FLAMELET_NOT_INSTRUMENTED_ inline flamelet_site* site_of(MicroProfileToken token) noexcept {
  return reinterpret_cast<flamelet_site*>(static_cast<uintptr_t>(token));
}
extern flamelet_site no_token_site;  // of a token that is not initialized yet
FLAMELET_NOT_INSTRUMENTED_ inline int64_t take(int64_t* counter) noexcept {
  const int64_t value = *counter;
  *counter = 0;
  return value;
}

class Scope {
 public:
  // NULL: none; a token that is not initialized yet, for one.
  __attribute__((always_inline, no_instrument_function)) explicit Scope(flamelet_site* place) noexcept
      : id_(place != nullptr ? flamelet_scope_begin_(place) : 0) {}
  __attribute__((always_inline, no_instrument_function)) FLAMELET_NOT_INSTRUMENTED_ Scope(
      flamelet_shim_names& known, const char* name, const char* function, const char* file, uint32_t line) noexcept
      : id_(flamelet_shim_begin_named_(&known, name, function, file, line, 0)) {}
  __attribute__((always_inline, no_instrument_function)) ~Scope() noexcept { flamelet_scope_end_(id_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  flamelet_id id_;
};

class TimelineScope {
 public:
  FLAMELET_NOT_INSTRUMENTED_ explicit TimelineScope(MicroProfileTimelineToken token) noexcept : token_(token) {}
  FLAMELET_NOT_INSTRUMENTED_ ~TimelineScope() noexcept { MicroProfileTimelineLeave(token_); }
  TimelineScope(const TimelineScope&) = delete;
  TimelineScope& operator=(const TimelineScope&) = delete;

 private:
  MicroProfileTimelineToken token_;
};

}  // namespace flamelet_microprofile

FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileEnter(MicroProfileToken token) {
  flamelet_site* site = flamelet_microprofile::site_of(token);
  flamelet_shim_push_(flamelet_scope_begin_(site != nullptr ? site : &flamelet_microprofile::no_token_site));
}
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileLeave() {
  flamelet_shim_pop_();
}

#endif  // FLAMELET_MICROPROFILE_API_HPP
