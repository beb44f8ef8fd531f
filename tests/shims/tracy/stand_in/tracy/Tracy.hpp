// SPDX-License-Identifier: MIT
//
// The stand-in for tracy/Tracy.hpp: counts each call. Only what program.cpp uses.
#pragma once
#include <string.h>

#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "../common/TracySystem.hpp"
#include "counting.h"

namespace tracy {
struct Color {
  enum { Red = 0xff0000, Tomato = 0xff6347, SteelBlue4 = 0x36648b, Green = 0xff00 };
};
enum class MessageSeverity { Trace, Debug, Info, Warning, Error, Fatal };
inline const char* severity_name(MessageSeverity severity) {
  static const char* const names[] = {"trace", "debug", "message", "warning", "error", "fatal"};
  return names[static_cast<int>(severity)];
}

class CountedZone {
 public:
  CountedZone(const char* name, bool active) : active_(counting_begin(name, active)) {}
  ~CountedZone() { counting_end(active_); }
  void text(const char* kind, const char* text, size_t size) const { counting_zone(kind, active_, text, size); }
  template <class... Arguments>
  void format(const char* kind, const char* format, Arguments... arguments) const {
    std::string made(100000, ' ');
    made.resize(static_cast<size_t>(snprintf(made.data(), made.size(), format, arguments...)));
    counting_zone(kind, active_, made.data(), made.size());
  }
  void format(const char* kind, const char* plain) const { counting_zone(kind, active_, plain, strlen(plain)); }
  void value(uint64_t value) const { counting_value(active_, value); }
  bool active() const { return active_ != 0; }

 private:
  int active_;
};

template <class T>
class CountedLock {
 public:
  explicit CountedLock(const char* name) : name_(name) {}
  void lock() { lock_.lock(); }
  void unlock() { lock_.unlock(); }
  bool try_lock() { return lock_.try_lock(); }
  void lock_shared() { lock_.lock_shared(); }
  void unlock_shared() { lock_.unlock_shared(); }
  void rename(const char* text, size_t size) { name_.assign(text, size); }
  void mark() { counting_mark(name_.c_str()); }

 private:
  std::string name_;
  T lock_;
};
}  // namespace tracy

#define ZoneNamed(v, a) const tracy::CountedZone v(__func__, a)
#define ZoneNamedN(v, n, a) const tracy::CountedZone v(n, a)
#define ZoneNamedC(v, c, a) ZoneNamed(v, a)
#define ZoneNamedNC(v, n, c, a) ZoneNamedN(v, n, a)
#define ZoneNamedS(v, d, a) ZoneNamed(v, a)
#define ZoneNamedNS(v, n, d, a) ZoneNamedN(v, n, a)
#define ZoneNamedCS(v, c, d, a) ZoneNamed(v, a)
#define ZoneNamedNCS(v, n, c, d, a) ZoneNamedN(v, n, a)
#define ZoneTransient(v, a) ZoneNamed(v, a)
#define ZoneTransientN(v, n, a) ZoneNamedN(v, n, a)
#define ZoneTransientNC(v, n, c, a) ZoneNamedN(v, n, a)
#define ZoneTransientS(v, d, a) ZoneNamed(v, a)
#define ZoneTransientNS(v, n, d, a) ZoneNamedN(v, n, a)
#define ZoneScoped ZoneNamed(zone_, true)
#define ZoneScopedN(n) ZoneNamedN(zone_, n, true)
#define ZoneScopedC(c) ZoneScoped
#define ZoneScopedNC(n, c) ZoneScopedN(n)
#define ZoneScopedS(d) ZoneScoped
#define ZoneScopedNS(n, d) ZoneScopedN(n)
#define ZoneScopedCS(c, d) ZoneScoped
#define ZoneScopedNCS(n, c, d) ZoneScopedN(n)
#define ZoneText(t, s) zone_.text("text", t, s)
#define ZoneTextV(v, t, s) v.text("text", t, s)
#define ZoneTextF(...) zone_.format("text", __VA_ARGS__)
#define ZoneTextVF(v, ...) v.format("text", __VA_ARGS__)
#define ZoneName(t, s) zone_.text("name", t, s)
#define ZoneNameV(v, t, s) v.text("name", t, s)
#define ZoneNameF(...) zone_.format("name", __VA_ARGS__)
#define ZoneNameVF(v, ...) v.format("name", __VA_ARGS__)
#define ZoneColor(c) ((void)(c))
#define ZoneColorV(v, c) ((void)(c))
#define ZoneValue(x) zone_.value(x)
#define ZoneValueV(v, x) v.value(x)
#define ZoneIsActive zone_.active()
#define ZoneIsActiveV(v) v.active()

#define FrameMark counting_frame(nullptr)
#define FrameMarkNamed(n) counting_frame(n)
#define FrameMarkStart(n) ((void)0)
#define FrameMarkEnd(n) counting_frame_end(n)
#define FrameImage(i, w, h, o, f) ((void)(i))
#define TracyPlot(n, v) counting_plot(n, static_cast<double>(v))
#define TracyPlotConfig(n, t, s, f, c) ((void)0)
#define TracyAppInfo(t, s) counting_app_info(t, s)
#define TracyMessage(t, s) counting_message("message", 0, t, s)
#define TracyMessageL(t) counting_message("message", 0, t, strlen(t))
#define TracyMessageC(t, s, c) counting_message("message", c, t, s)
#define TracyMessageLC(t, c) counting_message("message", c, t, strlen(t))
#define TracyMessageS(t, s, d) TracyMessage(t, s)
#define TracyMessageLS(t, d) TracyMessageL(t)
#define TracyMessageCS(t, s, c, d) TracyMessageC(t, s, c)
#define TracyMessageLCS(t, c, d) TracyMessageLC(t, c)
#define TracyLogString(severity, c, d, t) counting_message(tracy::severity_name(severity), c, t, strlen(t))

#define TracyAlloc(p, s) counting_alloc(p, s, nullptr)
#define TracyFree(p) counting_free(p, nullptr)
#define TracyAllocN(p, s, n) counting_alloc(p, s, n)
#define TracyFreeN(p, n) counting_free(p, n)
#define TracyAllocS(p, s, d) counting_alloc(p, s, nullptr)
#define TracyFreeS(p, d) counting_free(p, nullptr)
#define TracyAllocNS(p, s, d, n) counting_alloc(p, s, n)
#define TracyFreeNS(p, d, n) counting_free(p, n)
#define TracySecureAlloc(p, s) counting_alloc(p, s, nullptr)
#define TracySecureFree(p) counting_free(p, nullptr)
#define TracySecureAllocN(p, s, n) counting_alloc(p, s, n)
#define TracySecureFreeN(p, n) counting_free(p, n)
#define TracyMemoryDiscard(n) counting_discard(n)
#define TracyMemoryDiscardS(n, d) counting_discard(n)

#define TracyLockable(t, v) \
  tracy::CountedLock<t> v { \
#t " " #v               \
  }
#define TracyLockableN(t, v, d) \
  tracy::CountedLock<t> v {     \
    d                           \
  }
#define TracySharedLockable(t, v) \
  tracy::CountedLock<t> v {       \
#t " " #v                     \
  }
#define TracySharedLockableN(t, v, d) \
  tracy::CountedLock<t> v {           \
    d                                 \
  }
#define LockableBase(t) tracy::CountedLock<t>
#define SharedLockableBase(t) tracy::CountedLock<t>
#define LockMark(v) v.mark()
#define LockableName(v, t, s) v.rename(t, s)

#define TracyIsConnected true
#define TracyIsStarted true
#define TracyParameterRegister(c, d) ((void)0)
#define TracyParameterSetup(i, n, t, v) ((void)0)
#define TracySourceCallbackRegister(c, d) ((void)0)
#define TracySetProgramName(n) ((void)0)
#define TracySectionEnter(n) (counting_section(n), 1u)
#define TracySectionEnterCategory(c, n) (counting_section(n), 1u)
#define TracySectionLeave(i) ((void)(i))
#define TracySectionSetup(c, n) ((void)0)
#define TracyFiberEnter(n) counting_fiber(n)
#define TracyFiberEnterHint(n, h) counting_fiber(n)
#define TracyFiberLeave counting_fiber(nullptr)
