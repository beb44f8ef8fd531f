// SPDX-License-Identifier: MIT
//
// Compiled twice: with every macro, compiled out, and with no macro at all.
#ifdef SUBJECT_HAS_MACROS
#include "flamelet/flamelet.h"
#include "flamelet/lock.h"
#include "flamelet/perf.h"
#define MACRO(macro) macro;
using Mutex = flamelet::Mutex;
using SharedMutex = flamelet::SharedMutex;
#else
#include <mutex>
#include <shared_mutex>
#define MACRO(macro)
#define FLAMELET_LOCKABLE(type, name) type name
using Mutex = std::mutex;
using SharedMutex = std::shared_mutex;
#endif

int count_up();
const char* next_name();

template <class Number>
Number twice(Number number) {
  MACRO(FLAMELET_FUNCTION())
  MACRO(FLAMELET_SCOPE("one"))
  MACRO(FLAMELET_SCOPE("two"))
  MACRO(FLAMELET_SCOPE_CATEGORY("three", "category"))
  return number + number;
}

int work(int value) {
  MACRO(FLAMELET_FUNCTION_OBJECT(next_name()))
  MACRO(FLAMELET_SCOPE_COLOR("colour", 0xFF8800u))
  MACRO(FLAMELET_BEGIN(phase, "first"))
  MACRO(FLAMELET_INSTANT("point"))
  MACRO(FLAMELET_INSTANT_OBJECT("point", next_name()))
  MACRO(FLAMELET_COUNTER("count", count_up()))
  MACRO(FLAMELET_NEXT(phase, "second"))
  MACRO(FLAMELET_SIGNAL_GUARD())
  for (int i = 0; i < value; ++i) {
    MACRO(FLAMELET_SCOPE_OBJECT("loop", next_name()))
    MACRO(FLAMELET_SCOPE_DYNAMIC(next_name()))
    value += count_up();
  }
  MACRO(FLAMELET_THREAD_NAME("thread"))
  MACRO(FLAMELET_FRAME())
  MACRO(FLAMELET_FRAME_NAMED(next_name()))
  MACRO(FLAMELET_FLOW_BEGIN(count_up()))
  MACRO(FLAMELET_FLOW_END(next_name()))
  return twice(value);
}

int perf_blocks(int value) {
  MACRO(PERF_FUNCTION())
  MACRO(PERF_BLOCK(a_word))
  value += count_up();
  MACRO(PERF_BLOCK_END)
  MACRO(PERF_BLOCK("a string"))
  return value;
}

int c_forms(int value) {
  MACRO(FLAMELET_BEGIN_FUNCTION())
  MACRO(FLAMELET_BEGIN_LOCAL(part))
  value += count_up();
  MACRO(FLAMELET_END_LOCAL(part))
  MACRO(FLAMELET_BEGIN(handle, "quoted"))
  MACRO(FLAMELET_NEXT_WAIT(handle, "wait"))
  MACRO(FLAMELET_BEGIN_OBJECT(object, "quoted", next_name()))
  MACRO(FLAMELET_END(handle))
#ifdef SUBJECT_HAS_MACROS
  if (value < 0) return FLAMELET_END_FUNCTION_VALUE(count_up());
  return FLAMELET_END_FUNCTION_VALUE(value * 2);
#else
  if (value < 0) return count_up();
  return value * 2;
#endif
}

struct Locks {
  Mutex mutex;
  SharedMutex shared;
  FLAMELET_LOCKABLE(std::mutex, third);
} locks;

int locked(int value) {
  const std::lock_guard<Mutex> guard(locks.mutex);
  const std::shared_lock<SharedMutex> reading(locks.shared);
  std::unique_lock<std::mutex> unlocked(locks.third, std::try_to_lock);
  return value + count_up();
}
