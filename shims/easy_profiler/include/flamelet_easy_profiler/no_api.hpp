// SPDX-License-Identifier: MIT
//
// no_api.hpp: the functions of easy/profiler.h where it is switched off; none needs the library.
#ifndef FLAMELET_EASY_PROFILER_NO_API_HPP
#define FLAMELET_EASY_PROFILER_NO_API_HPP

#include "types.hpp"

// A function that says the same each time.
#define FLAMELET_EASY_ANSWER_(type, name, parameters, answer) \
  inline type name parameters {                               \
    return answer;                                            \
  }

namespace profiler {
inline namespace switched_off {

inline void setEnabled(bool) {}
FLAMELET_EASY_ANSWER_(bool, isEnabled, (), false)
inline void endBlock() {}
FLAMELET_EASY_ANSWER_(const char*, registerThread, (const char*), "")
FLAMELET_EASY_ANSWER_(bool, isMainThread, (), false)
FLAMELET_EASY_ANSWER_(uint32_t, dumpBlocksToFile, (const char*), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, now, (), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, toNanoseconds, (timestamp_t), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, toMicroseconds, (timestamp_t), 0)
inline void startListen(uint16_t = DEFAULT_PORT) {}
inline void stopListen() {}
FLAMELET_EASY_ANSWER_(bool, isListening, (), false)
inline void setEventTracingEnabled(bool) {}
FLAMELET_EASY_ANSWER_(bool, isEventTracingEnabled, (), false)
inline void setLowPriorityEventTracing(bool) {}
FLAMELET_EASY_ANSWER_(bool, isLowPriorityEventTracing, (), false)
inline void setContextSwitchLogFilename(const char*) {}
FLAMELET_EASY_ANSWER_(const char*, getContextSwitchLogFilename, (), "")
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTime, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTimeLocalMax, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, this_thread_frameTimeLocalAvg, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, main_thread_frameTime, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, main_thread_frameTimeLocalMax, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(timestamp_t, main_thread_frameTimeLocalAvg, (Duration = MICROSECONDS), 0)
FLAMELET_EASY_ANSWER_(uint8_t, versionMajor, (), 0)
FLAMELET_EASY_ANSWER_(uint8_t, versionMinor, (), 0)
FLAMELET_EASY_ANSWER_(uint16_t, versionPatch, (), 0)
FLAMELET_EASY_ANSWER_(uint32_t, version, (), 0)
FLAMELET_EASY_ANSWER_(const char*, versionName, (), "")

}  // namespace switched_off
}  // namespace profiler

#undef FLAMELET_EASY_ANSWER_

#endif  // FLAMELET_EASY_PROFILER_NO_API_HPP
