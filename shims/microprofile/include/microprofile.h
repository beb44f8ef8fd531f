// SPDX-License-Identifier: MIT
//
// microprofile.h: the macros of microprofile for C++, recorded by Flamelet. docs/microprofile.md says what becomes of
// each. With MICROPROFILE_ENABLED 0, or with FLAMELET_DISABLED, every macro is nothing.
#ifndef FLAMELET_MICROPROFILE_H
#define FLAMELET_MICROPROFILE_H

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "flamelet_shim/calls.h"
#include "flamelet_shim/format.hpp"
#include "flamelet_shim/open_scopes.h"
#include "flamelet_shim/x11_colors.h"

// ---- What programs call without macros, and what the macros stand on ------------------------------------------------------

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
FLAMELET_SHIM_ANSWER_(void, MicroProfileSetEnableAllGroups, (bool enable), flamelet_set_enabled(enable))
FLAMELET_SHIM_ANSWER_(bool, MicroProfileGetEnableAllGroups, (), flamelet_enabled())
FLAMELET_SHIM_ANSWER_(int, MicroProfileEnabled, (), flamelet_enabled())
FLAMELET_SHIM_ANSWER_(uint64_t, MicroProfileTick, (), flamelet_now_ticks())
FLAMELET_SHIM_ANSWER_(int64_t, MicroProfileTicksPerSecondCpu, (),
                      static_cast<int64_t>(flamelet_clock_info().ticks_per_second))

// ---- Ignored: nothing is shown or summed up while the program runs ---------------------------------------------------

FLAMELET_SHIM_ANSWER_(float, MicroProfileGetTime, (const char*, const char*), 0)
FLAMELET_NOT_INSTRUMENTED_ inline void MicroProfileToggleFrozen() {}
FLAMELET_SHIM_ANSWER_(int, MicroProfileIsFrozen, (), 0)
struct MicroProfileThreadLogGpu;
FLAMELET_SHIM_ANSWER_(MicroProfileThreadLogGpu*, MicroProfileThreadLogGpuAlloc, (), nullptr)
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

// ---- Macros ------------------------------------------------------------------------------------------------------------

// The colours of X11 by name, as 0xRRGGBB.
#define FLAMELET_MICROPROFILE_COLOR_(name, NAME, rgb) MP_##NAME = rgb,
#define FLAMELET_MICROPROFILE_SHADES_(name, NAME, rgb1, rgb2, rgb3, rgb4) \
  MP_##NAME##1 = rgb1, MP_##NAME##2 = rgb2, MP_##NAME##3 = rgb3, MP_##NAME##4 = rgb4,
#define FLAMELET_MICROPROFILE_GREY_(number, level) \
  MP_GRAY##number = level * 0x010101, MP_GREY##number = level * 0x010101,
// clang-format off
enum {
  MP_AUTO = 0,  // the viewer chooses
  FLAMELET_SHIM_X11_COLORS_(FLAMELET_MICROPROFILE_COLOR_)
  FLAMELET_SHIM_X11_SHADES_(FLAMELET_MICROPROFILE_SHADES_)
  FLAMELET_SHIM_X11_GREYS_(FLAMELET_MICROPROFILE_GREY_)
};
// clang-format on
#undef FLAMELET_MICROPROFILE_COLOR_
#undef FLAMELET_MICROPROFILE_SHADES_
#undef FLAMELET_MICROPROFILE_GREY_

#ifndef MICROPROFILE_ENABLED
#define MICROPROFILE_ENABLED 1
#endif

#define MICROPROFILE_TOKEN_PASTE0(a, b) a##b
#define MICROPROFILE_TOKEN_PASTE(a, b) MICROPROFILE_TOKEN_PASTE0(a, b)

#if !MICROPROFILE_ENABLED || defined(FLAMELET_DISABLED)
#include "flamelet_shim/unused.h"
#if MICROPROFILE_ENABLED
#define FLAMELET_MICROPROFILE_UNUSED_(...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__)
#else
#define FLAMELET_MICROPROFILE_UNUSED_(...) static_cast<void>(0)
#endif
#define FLAMELET_MICROPROFILE_ON_(...)
#define FLAMELET_MICROPROFILE_ELSE_(off, ...) off
#else
#include "flamelet_shim/start.h"
#define FLAMELET_MICROPROFILE_ON_(...) __VA_ARGS__
#define FLAMELET_MICROPROFILE_ELSE_(off, ...) __VA_ARGS__
#endif

// ---- Scopes ----------------------------------------------------------------------------------------------------------

#define MICROPROFILE_DECLARE(var) FLAMELET_MICROPROFILE_ON_(extern MicroProfileToken g_mp_##var)
#define MICROPROFILE_DEFINE(var, group, name, color)       \
  FLAMELET_MICROPROFILE_ON_(MicroProfileToken g_mp_##var = \
                                MicroProfileGetToken(group, name, color, MicroProfileTokenTypeCpu, 0))
#define MICROPROFILE_REGISTER_GROUP(group, category, color) \
  FLAMELET_MICROPROFILE_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_MICROPROFILE_GROUPS_, group, category, color))

#define FLAMELET_MICROPROFILE_SCOPE_(number, argument) \
  const ::flamelet_microprofile::Scope MICROPROFILE_TOKEN_PASTE(flamelet_microprofile_scope_, number)(argument)
#define FLAMELET_MICROPROFILE_PLACE_(number, group, name, color)                          \
  static flamelet_site MICROPROFILE_TOKEN_PASTE(flamelet_microprofile_place_, number) = { \
      0, name, group, __FILE__, __func__, __LINE__, static_cast<uint32_t>(color)}
#define FLAMELET_MICROPROFILE_SCOPEI_(number, condition, group, name, color) \
  FLAMELET_MICROPROFILE_PLACE_(number, group, name, color);                  \
  FLAMELET_MICROPROFILE_SCOPE_(                                              \
      number, (condition) ? &MICROPROFILE_TOKEN_PASTE(flamelet_microprofile_place_, number) : nullptr)
#define FLAMELET_MICROPROFILE_CSTR_(number, text)                                                      \
  static flamelet_shim_names MICROPROFILE_TOKEN_PASTE(flamelet_microprofile_names_, number);           \
  const ::flamelet_microprofile::Scope MICROPROFILE_TOKEN_PASTE(flamelet_microprofile_scope_, number)( \
      MICROPROFILE_TOKEN_PASTE(flamelet_microprofile_names_, number), text, __func__, __FILE__, __LINE__)

#define MICROPROFILE_SCOPE_TOKEN(token) \
  FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_SCOPE_(__COUNTER__, ::flamelet_microprofile::site_of(token)))
#define MICROPROFILE_SCOPE(var) MICROPROFILE_SCOPE_TOKEN(g_mp_##var)
#define MICROPROFILE_SCOPEI(group, name, color) \
  FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_SCOPEI_(__COUNTER__, true, group, name, color))
#define MICROPROFILE_CONDITIONAL_SCOPEI(condition, group, name, color)  \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(condition), \
                              FLAMELET_MICROPROFILE_SCOPEI_(__COUNTER__, condition, group, name, color))
#define MICROPROFILE_SCOPE_CSTR(text) \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(text), FLAMELET_MICROPROFILE_CSTR_(__COUNTER__, text))

#define MICROPROFILE_ENTER_TOKEN(token) FLAMELET_MICROPROFILE_ON_(MicroProfileEnter(token))
#define MICROPROFILE_ENTER(var) FLAMELET_MICROPROFILE_ON_(MicroProfileEnter(g_mp_##var))
#define MICROPROFILE_ENTERI(group, name, color) \
  FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_ENTERI_(__COUNTER__, group, name, color))
#define FLAMELET_MICROPROFILE_ENTERI_(number, group, name, color)                                                \
  do {                                                                                                           \
    FLAMELET_MICROPROFILE_PLACE_(number, group, name, color);                                                    \
    flamelet_shim_push_(flamelet_scope_begin_(&MICROPROFILE_TOKEN_PASTE(flamelet_microprofile_place_, number))); \
  } while (0)
#define MICROPROFILE_LEAVE() FLAMELET_MICROPROFILE_ON_(MicroProfileLeave())

// Sections are scopes.
#define MICROPROFILE_DEFINE_SECTION(var, name, color) MICROPROFILE_DEFINE(var, "section", name, color)
#define MICROPROFILE_DECLARE_SECTION(var) MICROPROFILE_DECLARE(var)
#define MICROPROFILE_SECTION(var) MICROPROFILE_SCOPE(var)
#define MICROPROFILE_SECTIONI(name, color) MICROPROFILE_SCOPEI("section", name, color)

// ---- Timeline --------------------------------------------------------------------------------------------------------

#define MICROPROFILE_TIMELINE_TOKEN(token) FLAMELET_MICROPROFILE_ON_(MicroProfileTimelineToken token = 0)
#define MICROPROFILE_TIMELINE_ENTER(token, color, name) \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(name), token = MicroProfileTimelineEnter(color, name))
#define MICROPROFILE_TIMELINE_ENTERF(token, color, ...)                   \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(__VA_ARGS__), \
                              token = MicroProfileTimelineEnterf(color, __VA_ARGS__))
#define MICROPROFILE_TIMELINE_LEAVE(token) FLAMELET_MICROPROFILE_ON_(MicroProfileTimelineLeave(token))
#define MICROPROFILE_TIMELINE_ENTER_STATIC(color, name) \
  FLAMELET_MICROPROFILE_ON_(MicroProfileTimelineEnterStatic(color, name))
#define MICROPROFILE_TIMELINE_LEAVE_STATIC(name) FLAMELET_MICROPROFILE_ON_(MicroProfileTimelineLeaveStatic(name))
#define MICROPROFILE_TIMELINE_SCOPE(color, ...)                              \
  FLAMELET_MICROPROFILE_ELSE_(                                               \
      FLAMELET_MICROPROFILE_UNUSED_(__VA_ARGS__),                            \
      const ::flamelet_microprofile::TimelineScope MICROPROFILE_TOKEN_PASTE( \
          flamelet_microprofile_scope_, __COUNTER__)(MicroProfileTimelineEnterf(color, __VA_ARGS__)))

// ---- Counters --------------------------------------------------------------------------------------------------------

// One statement each; the counter of a name is found once.
#define FLAMELET_MICROPROFILE_COUNTER_(name, call, ...)                                      \
  do {                                                                                       \
    static const MicroProfileToken flamelet_counter_ = MicroProfileGetCounterToken(name, 0); \
    call(flamelet_counter_, __VA_ARGS__);                                                    \
  } while (0)
#define MICROPROFILE_COUNTER_ADD(name, count) \
  FLAMELET_MICROPROFILE_ELSE_(                \
      FLAMELET_MICROPROFILE_UNUSED_(count),   \
      FLAMELET_MICROPROFILE_COUNTER_(name, MicroProfileCounterAdd, static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_SUB(name, count) \
  FLAMELET_MICROPROFILE_ELSE_(                \
      FLAMELET_MICROPROFILE_UNUSED_(count),   \
      FLAMELET_MICROPROFILE_COUNTER_(name, MicroProfileCounterAdd, -static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_SET(name, count) \
  FLAMELET_MICROPROFILE_ELSE_(                \
      FLAMELET_MICROPROFILE_UNUSED_(count),   \
      FLAMELET_MICROPROFILE_COUNTER_(name, MicroProfileCounterSet, static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_SET_DOUBLE(name, count) \
  FLAMELET_MICROPROFILE_ELSE_(                       \
      FLAMELET_MICROPROFILE_UNUSED_(count),          \
      FLAMELET_MICROPROFILE_COUNTER_(name, MicroProfileCounterSetDouble, static_cast<double>(count)))
#define MICROPROFILE_COUNTER_SET_INT32_PTR(name, ptr) \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(ptr), MicroProfileCounterSetPtr(name, ptr, sizeof(int32_t)))
#define MICROPROFILE_COUNTER_SET_INT64_PTR(name, ptr) \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(ptr), MicroProfileCounterSetPtr(name, ptr, sizeof(int64_t)))
#define MICROPROFILE_COUNTER_CLEAR_PTR(name) FLAMELET_MICROPROFILE_ON_(MicroProfileCounterSetPtr(name, nullptr, 0))
#define MICROPROFILE_COUNTER_GET_TOKEN(name, flags) \
  FLAMELET_MICROPROFILE_ELSE_(0, MicroProfileGetCounterToken(name, flags))
#define MICROPROFILE_COUNTER_TOKEN_ADD(token, count)                \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              MicroProfileCounterAdd(token, static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_TOKEN_SUB(token, count)                \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              MicroProfileCounterAdd(token, -static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_TOKEN_SET(token, count)                \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              MicroProfileCounterSet(token, static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_SET_LIMIT(name, count)                 \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_MICROPROFILE_COUNTER_CONFIG_, name, count))
#define MICROPROFILE_COUNTER_CONFIG(name, type, limit, flags) \
  FLAMELET_MICROPROFILE_ON_(                                  \
      ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_MICROPROFILE_COUNTER_CONFIG_, name, type, limit, flags))
#define MICROPROFILE_COUNTER_CONFIG_ONCE(name, type, limit, flags) MICROPROFILE_COUNTER_CONFIG(name, type, limit, flags)

#define MICROPROFILE_DECLARE_LOCAL_COUNTER(var) \
  FLAMELET_MICROPROFILE_ON_(extern int64_t g_mp_local_counter##var; extern MicroProfileToken g_mp_counter_token##var)
#define MICROPROFILE_DEFINE_LOCAL_COUNTER(var, name)             \
  FLAMELET_MICROPROFILE_ON_(int64_t g_mp_local_counter##var = 0; \
                            MicroProfileToken g_mp_counter_token##var = MicroProfileGetCounterToken(name, 0))
#define MICROPROFILE_COUNTER_LOCAL_ADD(var, count)                  \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              (g_mp_local_counter##var += static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_LOCAL_SUB(var, count)                  \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              (g_mp_local_counter##var -= static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_LOCAL_SET(var, count)                  \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              (g_mp_local_counter##var = static_cast<int64_t>(count)))
#define MICROPROFILE_COUNTER_LOCAL_UPDATE_ADD(var) \
  FLAMELET_MICROPROFILE_ON_(                       \
      MicroProfileCounterAdd(g_mp_counter_token##var, ::flamelet_microprofile::take(&g_mp_local_counter##var)))
#define MICROPROFILE_COUNTER_LOCAL_UPDATE_SET(var) \
  FLAMELET_MICROPROFILE_ON_(                       \
      MicroProfileCounterSet(g_mp_counter_token##var, ::flamelet_microprofile::take(&g_mp_local_counter##var)))

// What threads change at one time.
#define MICROPROFILE_DECLARE_LOCAL_ATOMIC_COUNTER(var)                           \
  FLAMELET_MICROPROFILE_ON_(extern std::atomic<int64_t> g_mp_local_counter##var; \
                            extern MicroProfileToken g_mp_counter_token##var)
#define MICROPROFILE_DEFINE_LOCAL_ATOMIC_COUNTER(var, name)                  \
  FLAMELET_MICROPROFILE_ON_(std::atomic<int64_t> g_mp_local_counter##var{0}; \
                            MicroProfileToken g_mp_counter_token##var = MicroProfileGetCounterToken(name, 0))
#define MICROPROFILE_COUNTER_LOCAL_ADD_ATOMIC(var, count) MICROPROFILE_COUNTER_LOCAL_ADD(var, count)
#define MICROPROFILE_COUNTER_LOCAL_SUB_ATOMIC(var, count) MICROPROFILE_COUNTER_LOCAL_SUB(var, count)
#define MICROPROFILE_COUNTER_LOCAL_SET_ATOMIC(var, count) MICROPROFILE_COUNTER_LOCAL_SET(var, count)
#define MICROPROFILE_COUNTER_LOCAL_UPDATE_ADD_ATOMIC(var) \
  FLAMELET_MICROPROFILE_ON_(MicroProfileCounterAdd(g_mp_counter_token##var, g_mp_local_counter##var.exchange(0)))
#define MICROPROFILE_COUNTER_LOCAL_UPDATE_SET_ATOMIC(var) \
  FLAMELET_MICROPROFILE_ON_(MicroProfileCounterSet(g_mp_counter_token##var, g_mp_local_counter##var.exchange(0)))

// ---- The rest --------------------------------------------------------------------------------------------------------

#define MICROPROFILE_FORCEENABLECPUGROUP(group) \
  FLAMELET_MICROPROFILE_ON_(::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_MICROPROFILE_GROUPS_, group))
#define MICROPROFILE_FORCEDISABLECPUGROUP(group) MICROPROFILE_FORCEENABLECPUGROUP(group)
#define MICROPROFILE_FORCEENABLEGPUGROUP(group) MICROPROFILE_FORCEENABLECPUGROUP(group)
#define MICROPROFILE_FORCEDISABLEGPUGROUP(group) MICROPROFILE_FORCEENABLECPUGROUP(group)
#define MICROPROFILE_META_CPU(name, count)                          \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(count), \
                              ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_MICROPROFILE_META_, name, count))
#define MICROPROFILE_META_GPU(name, count) MICROPROFILE_META_CPU(name, count)
#define MICROPROFILE_CONDITIONAL(expression) FLAMELET_MICROPROFILE_ON_(expression)

// The GPU's macros, which name what DEFINE_GPU defines.
#define MICROPROFILE_DECLARE_GPU(var) FLAMELET_MICROPROFILE_ON_(extern MicroProfileToken g_mpGPU_##var)
#define MICROPROFILE_DEFINE_GPU(var, name, color)             \
  FLAMELET_MICROPROFILE_ON_(MicroProfileToken g_mpGPU_##var = \
                                MicroProfileGetToken("GPU", name, color, MicroProfileTokenTypeGpu, 0))
#define FLAMELET_MICROPROFILE_GPU_(...) ::flamelet_shim::ignore(FLAMELET_SHIM_NOTE_MICROPROFILE_GPU_, __VA_ARGS__)
#define MICROPROFILE_SCOPEGPU(var) FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_GPU_(g_mpGPU_##var))
#define MICROPROFILE_SCOPEGPU_TOKEN(token) FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_GPU_(token))
#define MICROPROFILE_SCOPEGPUI(name, color) FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_GPU_(name, color))
#define MICROPROFILE_SCOPEGPU_CSTR(text) \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(text), FLAMELET_MICROPROFILE_GPU_(text))
#define MICROPROFILE_GPU_ENTER(var) FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_GPU_(g_mpGPU_##var))
#define MICROPROFILE_GPU_ENTERI(group, name, color) \
  FLAMELET_MICROPROFILE_ON_(FLAMELET_MICROPROFILE_GPU_(group, name, color))
#define MICROPROFILE_GPU_LEAVE() FLAMELET_MICROPROFILE_ON_(((void)0))
#define MICROPROFILE_GPU_ENTER_TOKEN(token) MICROPROFILE_SCOPEGPU_TOKEN(token)
#define MICROPROFILE_DECLARE_SECTION_GPU(var) MICROPROFILE_DECLARE_GPU(var)
#define MICROPROFILE_DEFINE_SECTION_GPU(var, name, color) MICROPROFILE_DEFINE_GPU(var, name, color)
#define MICROPROFILE_SECTIONGPU(var) MICROPROFILE_SCOPEGPU(var)
#define MICROPROFILE_SECTIONGPU_TOKEN(token) MICROPROFILE_SCOPEGPU_TOKEN(token)
#define MICROPROFILE_SECTIONGPUI(name, color) MICROPROFILE_SCOPEGPUI(name, color)

// The same of a log (MicroProfileThreadLogGpu*), and what begins and submits it.
#define FLAMELET_MICROPROFILE_GPU_LOG_(log, what) \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(log), FLAMELET_MICROPROFILE_GPU_(log, what))
#define MICROPROFILE_SCOPEGPU_TOKEN_L(log, token) FLAMELET_MICROPROFILE_GPU_LOG_(log, token)
#define MICROPROFILE_SCOPEGPU_L(log, var) FLAMELET_MICROPROFILE_GPU_LOG_(log, g_mpGPU_##var)
#define MICROPROFILE_SCOPEGPUI_L(log, name, color) FLAMELET_MICROPROFILE_GPU_LOG_(log, name)
#define MICROPROFILE_SCOPEGPU_CSTR_L(log, text) FLAMELET_MICROPROFILE_GPU_LOG_(log, text)
#define MICROPROFILE_SECTIONGPU_TOKEN_L(log, token) FLAMELET_MICROPROFILE_GPU_LOG_(log, token)
#define MICROPROFILE_SECTIONGPU_L(log, var) FLAMELET_MICROPROFILE_GPU_LOG_(log, g_mpGPU_##var)
#define MICROPROFILE_SECTIONGPUI_L(log, name, color) FLAMELET_MICROPROFILE_GPU_LOG_(log, name)
#define MICROPROFILE_GPU_ENTER_L(log, var) FLAMELET_MICROPROFILE_GPU_LOG_(log, g_mpGPU_##var)
#define MICROPROFILE_GPU_ENTER_TOKEN_L(log, token) FLAMELET_MICROPROFILE_GPU_LOG_(log, token)
#define MICROPROFILE_GPU_ENTERI_L(log, name, color) FLAMELET_MICROPROFILE_GPU_LOG_(log, name)
#define MICROPROFILE_GPU_LEAVE_L(log) FLAMELET_MICROPROFILE_GPU_LOG_(log, 0)
#define MICROPROFILE_GPU_BEGIN(context, log) \
  FLAMELET_MICROPROFILE_ELSE_(FLAMELET_MICROPROFILE_UNUSED_(context, log), FLAMELET_MICROPROFILE_GPU_(context, log))
#define MICROPROFILE_GPU_SET_CONTEXT(context, log) MICROPROFILE_GPU_BEGIN(context, log)
#define MICROPROFILE_GPU_END(log) FLAMELET_MICROPROFILE_ELSE_(0, (FLAMELET_MICROPROFILE_GPU_(log), uint64_t{0}))
#define MICROPROFILE_GPU_SUBMIT(queue, work) FLAMELET_MICROPROFILE_GPU_LOG_(work, queue)
#define MICROPROFILE_GPU_INIT_QUEUE(name) FLAMELET_MICROPROFILE_ELSE_(0, (FLAMELET_MICROPROFILE_GPU_(name), 0))
#define MICROPROFILE_GPU_GET_QUEUE(name) MICROPROFILE_GPU_INIT_QUEUE(name)
#define MICROPROFILE_GPU_FREE_QUEUE(queue) FLAMELET_MICROPROFILE_GPU_LOG_(queue, 0)
#define MICROPROFILE_THREADLOGGPURESET(log) FLAMELET_MICROPROFILE_GPU_LOG_(log, 0)
#define MICROPROFILE_PLATFORM_MARKER_BEGIN(color, marker) FLAMELET_MICROPROFILE_GPU_LOG_(marker, color)
#define MICROPROFILE_PLATFORM_MARKER_END() FLAMELET_MICROPROFILE_ON_(((void)0))

#endif  // FLAMELET_MICROPROFILE_H
