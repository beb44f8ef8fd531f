// SPDX-License-Identifier: MIT
//
// The stand-in for optick.h: counts each call. Only what program.cpp uses.
#pragma once
#include <stdint.h>
#include <stdio.h>

#include <deque>
#include <string>

#include "counting.h"

namespace Optick {
struct Category {
  enum Type { None, AI, Physics, Rendering, Wait, Audio };
};
struct FrameType {
  enum Type { CPU, GPU, Render };
};
struct EventDescription {
  std::string name;
  static EventDescription* Create(const char* name, const char*, unsigned long, unsigned long = 0) {
    static std::deque<EventDescription> all;  // as Optick's, they live as long as the program
    return &all.emplace_back(EventDescription{name});
  }
  static EventDescription* CreateShared(const char* name) { return Create(name, "", 0); }
};
struct NameOf {
  const char* function;
  const char* operator()() const { return function; }
  const char* operator()(const char* name, Category::Type = Category::None) const { return name; }
  const char* operator()(Category::Type) const { return function; }
};

class CountedEvent {
 public:
  explicit CountedEvent(const char* name) : active_(counting_begin(name, 1)) {}
  ~CountedEvent() { counting_end(active_); }

 private:
  int active_;
};

inline void tag(const char* name, const char* value) {
  counting_tag(name, value);
}
inline void tag(const char* name, const char* value, uint16_t length) {
  counting_tag(name, std::string(value, length).c_str());
}
inline void tag(const char* name, int32_t value) {
  counting_tag(name, std::to_string(value).c_str());
}
inline void tag(const char* name, uint32_t value) {
  counting_tag(name, std::to_string(value).c_str());
}
inline void tag(const char* name, uint64_t value) {
  counting_tag(name, std::to_string(value).c_str());
}
inline void tag(const char* name, float value) {
  char text[32];
  snprintf(text, sizeof(text), "%g", static_cast<double>(value));
  counting_tag(name, text);
}
inline void tag(const char* name, float x, float y, float z) {
  char text[96];
  snprintf(text, sizeof(text), "%g, %g, %g", static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  counting_tag(name, text);
}
inline void frame(FrameType::Type type = FrameType::CPU) {
  counting_frame(type == FrameType::CPU ? nullptr : type == FrameType::GPU ? "GPU" : "render");
}
struct State {
  enum Type { START_CAPTURE, STOP_CAPTURE, DUMP_CAPTURE, CANCEL_CAPTURE };
};
typedef bool (*StateCallback)(State::Type state);
struct File {
  enum Type { OPTICK_IMAGE, OPTICK_TEXT, OPTICK_OTHER };
};
inline bool AttachSummary(const char*, const char*) {
  return true;
}
template <class... Arguments>
bool AttachFile(File::Type, const char*, Arguments...) {
  return true;
}
struct EventStorage {};
inline bool IsActive() {
  return true;
}
}  // namespace Optick

#define STAND_IN_JOIN_(a, b) a##b
#define STAND_IN_JOIN(a, b) STAND_IN_JOIN_(a, b)
#define STAND_IN_EVENT(name) const Optick::CountedEvent STAND_IN_JOIN(event_, __COUNTER__)(name);
#define OPTICK_FUNC __func__
#define OPTICK_EVENT(...) STAND_IN_EVENT(Optick::NameOf{__func__}(__VA_ARGS__))
#define OPTICK_CATEGORY(n, c) STAND_IN_EVENT(n)
#define OPTICK_EVENT_DYNAMIC(n) STAND_IN_EVENT(n)
#define OPTICK_CUSTOM_EVENT(d) STAND_IN_EVENT((d)->name.c_str())
#define OPTICK_PUSH(n) counting_begin(n, 1);
#define OPTICK_PUSH_DYNAMIC(n) counting_begin(n, 1);
#define OPTICK_POP() counting_end(1);
#define OPTICK_TAG(n, ...) Optick::tag(n, __VA_ARGS__);
#define OPTICK_FRAME(n) \
  Optick::frame();      \
  STAND_IN_EVENT("frame")
#define OPTICK_FRAME_EVENT(t) \
  Optick::frame(t);           \
  STAND_IN_EVENT("frame")
#define OPTICK_FRAME_FLIP(...) Optick::frame(__VA_ARGS__);
#define OPTICK_UPDATE()
#define OPTICK_THREAD(n) counting_thread(n);
#define OPTICK_START_THREAD(n) counting_thread(n);
#define OPTICK_STOP_THREAD()
#define OPTICK_APP(n) counting_thread(n);
#define OPTICK_GPU_EVENT(n) STAND_IN_EVENT(n)
#define OPTICK_GPU_CONTEXT(...)
#define OPTICK_GPU_FLIP(s)
#define OPTICK_SET_STATE_CHANGED_CALLBACK(c) (void)(c);
#define OPTICK_STORAGE_REGISTER(n) nullptr
#define OPTICK_STORAGE_EVENT(s, d, b, e)
#define OPTICK_STORAGE_PUSH(s, d, t) (void)(s)
#define OPTICK_STORAGE_POP(s, t)
#define OPTICK_SET_MEMORY_ALLOCATOR(...)
#define OPTICK_GPU_INIT_D3D12(...)
#define OPTICK_GPU_INIT_VULKAN(...)
#define OPTICK_START_CAPTURE()
#define OPTICK_STOP_CAPTURE()
#define OPTICK_SAVE_CAPTURE(p)
#define OPTICK_SHUTDOWN()
