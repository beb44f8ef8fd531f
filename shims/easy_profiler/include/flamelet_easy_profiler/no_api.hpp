// SPDX-License-Identifier: MIT
//
// no_api.hpp: the functions of easy/profiler.h where it is switched off; none needs the library.
#ifndef FLAMELET_EASY_PROFILER_NO_API_HPP
#define FLAMELET_EASY_PROFILER_NO_API_HPP

#include "types.hpp"

namespace profiler {
inline namespace switched_off {

inline void setEnabled(bool) {}
inline bool isEnabled() {
  return false;
}
inline void endBlock() {}
inline const char* registerThread(const char*) {
  return "";
}
inline bool isMainThread() {
  return false;
}
inline uint32_t dumpBlocksToFile(const char*) {
  return 0;
}
inline timestamp_t now() {
  return 0;
}
inline timestamp_t toNanoseconds(timestamp_t) {
  return 0;
}
inline timestamp_t toMicroseconds(timestamp_t) {
  return 0;
}
inline void startListen(uint16_t = DEFAULT_PORT) {}
inline void stopListen() {}
inline bool isListening() {
  return false;
}
inline void setEventTracingEnabled(bool) {}
inline bool isEventTracingEnabled() {
  return false;
}
inline void setLowPriorityEventTracing(bool) {}
inline bool isLowPriorityEventTracing() {
  return false;
}
inline void setContextSwitchLogFilename(const char*) {}
inline const char* getContextSwitchLogFilename() {
  return "";
}
inline timestamp_t this_thread_frameTime(Duration = MICROSECONDS) {
  return 0;
}
inline timestamp_t this_thread_frameTimeLocalMax(Duration = MICROSECONDS) {
  return 0;
}
inline timestamp_t this_thread_frameTimeLocalAvg(Duration = MICROSECONDS) {
  return 0;
}
inline timestamp_t main_thread_frameTime(Duration = MICROSECONDS) {
  return 0;
}
inline timestamp_t main_thread_frameTimeLocalMax(Duration = MICROSECONDS) {
  return 0;
}
inline timestamp_t main_thread_frameTimeLocalAvg(Duration = MICROSECONDS) {
  return 0;
}
inline uint8_t versionMajor() {
  return 0;
}
inline uint8_t versionMinor() {
  return 0;
}
inline uint16_t versionPatch() {
  return 0;
}
inline uint32_t version() {
  return 0;
}
inline const char* versionName() {
  return "";
}

}  // namespace switched_off
}  // namespace profiler

#endif  // FLAMELET_EASY_PROFILER_NO_API_HPP
