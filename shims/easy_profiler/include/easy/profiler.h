// SPDX-License-Identifier: MIT
//
// easy/profiler.h: easy_profiler's macros, recorded by Flamelet. docs/easy_profiler.md says what becomes of each. As there,
// the macros need BUILD_WITH_EASY_PROFILER. Without it, with DISABLE_EASY_PROFILER or with FLAMELET_DISABLED, every macro
// is nothing, and every function does nothing.
#ifndef FLAMELET_EASY_PROFILER_H
#define FLAMELET_EASY_PROFILER_H

#include "details/profiler_colors.h"

#if defined(BUILD_WITH_EASY_PROFILER) && !defined(DISABLE_EASY_PROFILER) && !defined(FLAMELET_DISABLED)
#ifndef USING_EASY_PROFILER
#define USING_EASY_PROFILER
#endif
#endif
// Each macro ends with a semicolon of its own, so programs may leave theirs out.

#include "../flamelet_easy_profiler/api.hpp"

#ifdef USING_EASY_PROFILER
#include "flamelet_shim/start.h"
#define FLAMELET_EASY_ON_(...) __VA_ARGS__
#define FLAMELET_EASY_USES_(...)
#define FLAMELET_EASY_ELSE_(off, ...) __VA_ARGS__
#else
#include "flamelet_shim/unused.h"
#define FLAMELET_EASY_ON_(...)
#if defined(BUILD_WITH_EASY_PROFILER) && !defined(DISABLE_EASY_PROFILER)
#define FLAMELET_EASY_USES_(...) FLAMELET_SHIM_UNUSED_(__VA_ARGS__);
#else
#define FLAMELET_EASY_USES_(...)
#endif
#define FLAMELET_EASY_ELSE_(off, ...) off
#endif

#ifdef __GNUC__
#define EASY_FUNC_NAME __func__
#endif
#define EASY_CONST_NAME(name) FLAMELET_EASY_ON_(name)

#define FLAMELET_EASY_PASTE0_(a, b) a##b
#define FLAMELET_EASY_PASTE_(a, b) FLAMELET_EASY_PASTE0_(a, b)
// The first argument, and the options that the others are. With one argument there is nothing behind its comma, which
// -Wpedantic would not allow.
#define FLAMELET_EASY_FIRST_(...) FLAMELET_EASY_FIRST0_(__VA_ARGS__, 0)
#define FLAMELET_EASY_FIRST0_(first, ...) first
#define FLAMELET_EASY_SECOND_(...) FLAMELET_EASY_SECOND0_(__VA_ARGS__, 0)
#define FLAMELET_EASY_SECOND0_(first, second, ...) second
#define FLAMELET_EASY_THIRD_(...) FLAMELET_EASY_THIRD0_(__VA_ARGS__, 0)
#define FLAMELET_EASY_THIRD0_(first, second, third, ...) third
#define FLAMELET_EASY_OPTIONS_(...) FLAMELET_EASY_OPTIONS0_(__VA_ARGS__, ::flamelet_easy_profiler::NoMore())
#define FLAMELET_EASY_OPTIONS0_(first, ...) ::flamelet_easy_profiler::make_options(__VA_ARGS__)

// A static place. Where the name is no constant, it is not evaluated here.
#define FLAMELET_EASY_IS_CONSTANT_(name) ::flamelet_easy_profiler::IsConstant<decltype((name))>::value
#define FLAMELET_EASY_PLACE_(number, name, category, options)                                                         \
  static const ::flamelet_easy_profiler::Options FLAMELET_EASY_PASTE_(flamelet_easy_options_, number) = options;      \
  static ::flamelet_easy_profiler::Place<FLAMELET_EASY_IS_CONSTANT_(name)> FLAMELET_EASY_PASTE_(flamelet_easy_place_, \
                                                                                                number) =             \
      ::flamelet_easy_profiler::make_place<FLAMELET_EASY_IS_CONSTANT_(name)>(                                         \
          FLAMELET_EASY_IS_CONSTANT_(name) ? ::flamelet_easy_profiler::constant_name(name) : nullptr, category,       \
          FLAMELET_EASY_PASTE_(flamelet_easy_options_, number), __PRETTY_FUNCTION__, __FILE__, __LINE__)
#define FLAMELET_EASY_BEGIN_(number, name)                                            \
  ::flamelet_easy_profiler::begin(FLAMELET_EASY_PASTE_(flamelet_easy_place_, number), \
                                  FLAMELET_EASY_PASTE_(flamelet_easy_options_, number), name)

// ---- Blocks ----------------------------------------------------------------------------------------------------------

#define FLAMELET_EASY_BLOCK_(number, name, options)                                \
  FLAMELET_EASY_PLACE_(number, name, "", options);                                 \
  const ::flamelet_easy_profiler::Block FLAMELET_EASY_PASTE_(flamelet_easy_block_, \
                                                             number)(FLAMELET_EASY_BEGIN_(number, name));
#define FLAMELET_EASY_FUNCTION_(number, options)                                                                    \
  static const ::flamelet_easy_profiler::Options FLAMELET_EASY_PASTE_(flamelet_easy_options_, number) = options;    \
  static ::flamelet_easy_profiler::Place<true> FLAMELET_EASY_PASTE_(flamelet_easy_place_, number) =                 \
      ::flamelet_easy_profiler::make_place<true>(nullptr, "", FLAMELET_EASY_PASTE_(flamelet_easy_options_, number), \
                                                 __PRETTY_FUNCTION__, __FILE__, __LINE__);                          \
  const ::flamelet_easy_profiler::Block FLAMELET_EASY_PASTE_(flamelet_easy_block_,                                  \
                                                             number)(FLAMELET_EASY_BEGIN_(number, nullptr));
#define FLAMELET_EASY_NONSCOPED_(number, name, options)      \
  {                                                          \
    FLAMELET_EASY_PLACE_(number, name, "", options);         \
    flamelet_shim_push_(FLAMELET_EASY_BEGIN_(number, name)); \
  }

#define EASY_BLOCK(...)                                  \
  FLAMELET_EASY_USES_(FLAMELET_EASY_FIRST_(__VA_ARGS__)) \
  FLAMELET_EASY_ON_(                                     \
      FLAMELET_EASY_BLOCK_(__COUNTER__, FLAMELET_EASY_FIRST_(__VA_ARGS__), FLAMELET_EASY_OPTIONS_(__VA_ARGS__)))
#define EASY_FUNCTION(...) \
  FLAMELET_EASY_ON_(FLAMELET_EASY_FUNCTION_(__COUNTER__, ::flamelet_easy_profiler::make_options(__VA_ARGS__)))
#define EASY_NONSCOPED_BLOCK(...)                        \
  FLAMELET_EASY_USES_(FLAMELET_EASY_FIRST_(__VA_ARGS__)) \
  FLAMELET_EASY_ON_(                                     \
      FLAMELET_EASY_NONSCOPED_(__COUNTER__, FLAMELET_EASY_FIRST_(__VA_ARGS__), FLAMELET_EASY_OPTIONS_(__VA_ARGS__)))
#define EASY_END_BLOCK FLAMELET_EASY_ON_(::profiler::endBlock();)

#define FLAMELET_EASY_EVENT_(number, name, options)                                                    \
  {                                                                                                    \
    FLAMELET_EASY_PLACE_(number, name, "event", options);                                              \
    ::flamelet_easy_profiler::store_event(FLAMELET_EASY_PASTE_(flamelet_easy_place_, number),          \
                                          FLAMELET_EASY_PASTE_(flamelet_easy_options_, number), name); \
  }
#define EASY_EVENT(...)                                  \
  FLAMELET_EASY_USES_(FLAMELET_EASY_FIRST_(__VA_ARGS__)) \
  FLAMELET_EASY_ON_(                                     \
      FLAMELET_EASY_EVENT_(__COUNTER__, FLAMELET_EASY_FIRST_(__VA_ARGS__), FLAMELET_EASY_OPTIONS_(__VA_ARGS__)))

// ---- Threads and control ---------------------------------------------------------------------------------------------

#define EASY_THREAD(name) FLAMELET_EASY_USES_(name) FLAMELET_EASY_ON_(::profiler::registerThread(name);)
#define EASY_THREAD_SCOPE(name) FLAMELET_EASY_USES_(name) FLAMELET_EASY_ON_(::profiler::registerThread(name);)
#define EASY_MAIN_THREAD EASY_THREAD("Main")
#define EASY_PROFILER_ENABLE FLAMELET_EASY_ON_(::profiler::setEnabled(true);)
#define EASY_PROFILER_DISABLE FLAMELET_EASY_ON_(::profiler::setEnabled(false);)

#define EASY_SET_EVENT_TRACING_ENABLED(is_enabled) \
  FLAMELET_EASY_USES_(is_enabled) FLAMELET_EASY_ON_(::profiler::setEventTracingEnabled(is_enabled);)
#define EASY_SET_LOW_PRIORITY_EVENT_TRACING(is_low) \
  FLAMELET_EASY_USES_(is_low) FLAMELET_EASY_ON_(::profiler::setLowPriorityEventTracing(is_low);)
#define EASY_EVENT_TRACING_SET_LOG(filename) \
  FLAMELET_EASY_USES_(filename) FLAMELET_EASY_ON_(::profiler::setContextSwitchLogFilename(filename);)
#define EASY_EVENT_TRACING_LOG FLAMELET_EASY_ELSE_("", ::profiler::getContextSwitchLogFilename();)

#define EASY_START_CAPTURE EASY_PROFILER_ENABLE
#define EASY_STOP_CAPTURE EASY_PROFILER_DISABLE

#endif  // FLAMELET_EASY_PROFILER_H
