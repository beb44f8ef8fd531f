// SPDX-License-Identifier: MIT
//
// The stand-in for easy/profiler.h: counts each call. Only what program.cpp uses.
#pragma once
#include <stdint.h>

#include <string>
#include <vector>

#include "counting.h"

namespace profiler {
enum Status { OFF, ON, FORCE_ON, OFF_RECURSIVE, ON_WITHOUT_CHILDREN, FORCE_ON_WITHOUT_CHILDREN };
namespace colors {
enum Color { Red, Blue500, DeepPurpleA400, Teal, Gold, Navy, Magenta, Lime300, BlueGrey, Coral };
enum MoreColor { RichGreen, Mint, Skin, Silver, Null, Green, Dark };
}  // namespace colors
inline void startListen() {}
inline bool isEnabled() {
  return true;
}
inline void setContextSwitchLogFilename(const char*) {}
}  // namespace profiler

inline bool is_on(profiler::Status status) {
  return status != profiler::OFF && status != profiler::OFF_RECURSIVE;
}
template <class Other>
bool is_on(Other) {
  return true;
}
template <class... Options>
bool all_on(Options... options) {
  return (is_on(options) && ...);
}

// The open blocks of a thread: whether each is on.
// In a function, because mingw-w64 links no inline thread-local with a constructor in two files.
inline std::vector<bool>& open_blocks() {
  static thread_local std::vector<bool> blocks;
  return blocks;
}
inline thread_local bool is_main = false;

inline size_t begin_block(const std::string& name, bool on) {
  open_blocks().push_back(on);
  counting_begin(name.c_str(), on);
  return open_blocks().size();
}
inline void end_block() {
  const bool on = open_blocks().back();
  open_blocks().pop_back();
  counting_end(on);
  if (on && is_main && open_blocks().empty()) counting_frame(nullptr);
}

class CountedBlock {
 public:
  CountedBlock(const std::string& name, bool on) : place_(begin_block(name, on)) {}
  ~CountedBlock() {
    if (open_blocks().size() >= place_) end_block();
  }

 private:
  size_t place_;
};

template <class... Options>
void count_event(const std::string& name, Options... options) {
  if (all_on(options...)) counting_mark(name.c_str());
}
inline void name_thread(const char* name) {
  is_main = std::string(name) == "Main";
  counting_thread(name);
}
template <class... Options>
bool options_on(const std::string&, Options... options) {
  return all_on(options...);
}

#define STAND_IN_JOIN_(a, b) a##b
#define STAND_IN_JOIN(a, b) STAND_IN_JOIN_(a, b)
#define STAND_IN_FIRST_(a, ...) a
#define STAND_IN_FIRST(...) STAND_IN_FIRST_(__VA_ARGS__, 0)
#define EASY_BLOCK(...) \
  CountedBlock STAND_IN_JOIN(block_, __COUNTER__)(STAND_IN_FIRST(__VA_ARGS__), options_on(__VA_ARGS__));
#define EASY_FUNCTION(...) CountedBlock STAND_IN_JOIN(block_, __COUNTER__)(__func__, all_on(__VA_ARGS__));
#define EASY_NONSCOPED_BLOCK(...) begin_block(STAND_IN_FIRST(__VA_ARGS__), options_on(__VA_ARGS__));
#define EASY_END_BLOCK end_block();
#define EASY_EVENT(...) count_event(__VA_ARGS__);
#define EASY_THREAD(n) name_thread(n);
#define EASY_THREAD_SCOPE(n) name_thread(n);
#define EASY_MAIN_THREAD name_thread("Main")
#define EASY_CONST_NAME(n) n
#define EASY_PROFILER_ENABLE
#define EASY_PROFILER_DISABLE
#define EASY_START_CAPTURE
#define EASY_STOP_CAPTURE
#define EASY_SET_EVENT_TRACING_ENABLED(e)
#define EASY_SET_LOW_PRIORITY_EVENT_TRACING(l)
#define EASY_EVENT_TRACING_SET_LOG(f)
#define EASY_EVENT_TRACING_LOG ""
