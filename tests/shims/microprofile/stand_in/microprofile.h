// SPDX-License-Identifier: MIT
//
// The stand-in for microprofile.h: counts each call. Only what program.cpp uses.
#pragma once
#include <stdint.h>
#include <stdio.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "counting.h"

using Timer = const char*;
enum { MicroProfileTokenTypeCpu, MicroProfileTokenTypeGpu };
inline Timer MicroProfileGetToken(const char*, const char* name, uint32_t, int, uint32_t) {
  return name;
}

class CountedScope {
 public:
  explicit CountedScope(const char* name, bool wanted = true) : active_(counting_begin(name, wanted)) {}
  ~CountedScope() { counting_end(active_); }

 private:
  int active_;
};

// Values of counters by name.
inline std::map<std::string, int64_t>& values() {
  static std::map<std::string, int64_t> all;
  return all;
}
// What each flip reads, by name.
inline std::map<std::string, std::function<int64_t()>>& watched_values() {
  static std::map<std::string, std::function<int64_t()>> all;
  return all;
}
template <class Integer>
void watch(const char* name, const Integer* value) {
  watched_values()[name] = [value] { return static_cast<int64_t>(*value); };
}
inline void add(const char* name, int64_t count) {
  counting_plot(name, static_cast<double>(values()[name] += count));
}
inline void set(const char* name, int64_t count) {
  counting_plot(name, static_cast<double>(values()[name] = count));
}
template <class... Arguments>
void timeline(const char* format, Arguments... arguments) {
  char text[256];
  snprintf(text, sizeof(text), format, arguments...);
  counting_section(text);
}

inline void MicroProfileOnThreadCreate(const char* name) {
  counting_thread(name);
}
inline void MicroProfileOnThreadExit() {}
inline void MicroProfileSetEnableAllGroups(bool) {}
inline void MicroProfileShutdown() {}
inline void MicroProfileFlip(void*) {
  for (const auto& watched : watched_values())
    counting_plot(watched.first.c_str(), static_cast<double>(watched.second()));
  counting_frame(nullptr);
}

#define STAND_IN_JOIN_(a, b) a##b
#define STAND_IN_JOIN(a, b) STAND_IN_JOIN_(a, b)
#define STAND_IN_SCOPE(...) const CountedScope STAND_IN_JOIN(scope_, __COUNTER__)(__VA_ARGS__)
#define MICROPROFILE_DECLARE(v) extern Timer timer_##v
#define MICROPROFILE_DEFINE(v, g, n, c) Timer timer_##v = n
#define MICROPROFILE_DEFINE_GPU(v, n, c) static_assert(true, "")
#define MICROPROFILE_SCOPE(v) STAND_IN_SCOPE(timer_##v)
#define MICROPROFILE_SCOPE_TOKEN(t) STAND_IN_SCOPE(t)
#define MICROPROFILE_SCOPEI(g, n, c) STAND_IN_SCOPE(n)
#define MICROPROFILE_SCOPE_CSTR(n) STAND_IN_SCOPE(n)
#define MICROPROFILE_CONDITIONAL_SCOPEI(w, g, n, c) STAND_IN_SCOPE(n, w)
#define MICROPROFILE_SECTIONI(n, c) STAND_IN_SCOPE(n)
#define MICROPROFILE_ENTER(v) counting_begin(timer_##v, 1)
#define MICROPROFILE_ENTERI(g, n, c) counting_begin(n, 1)
#define MICROPROFILE_LEAVE() counting_end(1)
#define MICROPROFILE_SCOPEGPU(v)
#define MICROPROFILE_SCOPEGPUI(n, c)
#define MICROPROFILE_META_CPU(n, c)
#define MICROPROFILE_TIMELINE_TOKEN(t)
#define MICROPROFILE_TIMELINE_ENTER(t, c, n) timeline("%s", n)
#define MICROPROFILE_TIMELINE_ENTERF(t, c, ...) timeline(__VA_ARGS__)
#define MICROPROFILE_TIMELINE_LEAVE(t)
#define MICROPROFILE_TIMELINE_ENTER_STATIC(c, n)
#define MICROPROFILE_TIMELINE_LEAVE_STATIC(n) counting_frame_end(n)
#define MICROPROFILE_TIMELINE_SCOPE(c, ...) timeline(__VA_ARGS__)
#define MICROPROFILE_COUNTER_ADD(n, c) add(n, c)
#define MICROPROFILE_COUNTER_SUB(n, c) add(n, -(c))
#define MICROPROFILE_COUNTER_SET(n, c) set(n, c)
#define MICROPROFILE_COUNTER_SET_DOUBLE(n, c) counting_plot(n, c)
#define MICROPROFILE_COUNTER_SET_INT32_PTR(n, p) watch(n, p)
#define MICROPROFILE_COUNTER_SET_INT64_PTR(n, p) watch(n, p)
#define MICROPROFILE_COUNTER_CLEAR_PTR(n) watched_values().erase(n)
#define MICROPROFILE_COUNTER_GET_TOKEN(n, f) n
#define MICROPROFILE_COUNTER_TOKEN_ADD(t, c) add(t, c)
#define MICROPROFILE_COUNTER_TOKEN_SUB(t, c) add(t, -(c))
#define MICROPROFILE_COUNTER_TOKEN_SET(t, c) set(t, c)
#define MICROPROFILE_COUNTER_SET_LIMIT(n, l)
#define MICROPROFILE_COUNTER_CONFIG_ONCE(n, t, l, f)
#define MICROPROFILE_COUNTER_LOCAL_SET(v, c) local_##v = c
#define MICROPROFILE_COUNTER_LOCAL_UPDATE_SET(v) set(name_##v, local_##v), local_##v = 0
#define MICROPROFILE_CONDITIONAL(e) e
#define MICROPROFILE_REGISTER_GROUP(g, c, r)
#define MICROPROFILE_FORCEENABLECPUGROUP(g)
#define MICROPROFILE_FORCEDISABLECPUGROUP(g)
#define MICROPROFILE_DECLARE_GPU(v) static_assert(true, "")
#define MICROPROFILE_SCOPEGPU_TOKEN(t)
#define MICROPROFILE_SCOPEGPU_CSTR(n)
#define MICROPROFILE_GPU_ENTER(v)
#define MICROPROFILE_GPU_ENTERI(g, n, c)
#define MICROPROFILE_GPU_LEAVE()
#define MICROPROFILE_DEFINE_SECTION(v, n, c) MICROPROFILE_DEFINE(v, "", n, c)
#define MICROPROFILE_SECTION(v) MICROPROFILE_SCOPE(v)
#define MICROPROFILE_ENTER_TOKEN(t) counting_begin(t, 1)
#define MICROPROFILE_COUNTER_CONFIG(n, t, l, f)
#define MICROPROFILE_DECLARE_LOCAL_COUNTER(v) static_assert(true, "")
#define MICROPROFILE_DEFINE_LOCAL_COUNTER(v, n) \
  static int64_t local_##v = 0;                 \
  static const char* const name_##v = n
#define MICROPROFILE_COUNTER_LOCAL_ADD(v, c) local_##v += c
#define MICROPROFILE_COUNTER_LOCAL_SUB(v, c) local_##v -= c
#define MICROPROFILE_COUNTER_LOCAL_UPDATE_ADD(v) add(name_##v, local_##v), local_##v = 0
