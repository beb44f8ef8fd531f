// SPDX-License-Identifier: MIT
//
// A program that is compiled with -finstrument-functions. Its hook records each function, which has scopes by macros, too. The
// functions of Flamelet's headers must not call the hook: it would record in the middle of an event.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <shared_mutex>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "flamelet/lock.h"

#define NOT_INSTRUMENTED __attribute__((no_instrument_function))
#define EXPORTED __attribute__((noinline, visibility("default")))  // dladdr() finds its name

namespace {
thread_local bool is_inside;
bool records;
}  // namespace

extern "C" {
NOT_INSTRUMENTED void __cyg_profile_func_enter(void* function, void*);
NOT_INSTRUMENTED void __cyg_profile_func_exit(void* function, void*);
void step(int number);
void leaf(int number);

void __cyg_profile_func_enter(void* function, void*) {
  if (is_inside || !records) return;
  is_inside = true;
  Dl_info info;
  const char* name = dladdr(function, &info) != 0 && info.dli_sname != nullptr ? info.dli_sname : "?";
  (flamelet_begin)(name, "auto", nullptr);
  is_inside = false;
}
void __cyg_profile_func_exit(void*, void*) {
  if (is_inside || !records) return;
  is_inside = true;
  flamelet_end_top();
  is_inside = false;
}

EXPORTED void leaf(int number) {
  FLAMELET_SCOPE("leaf scope");
  for (volatile int i = 0; i < 50 + number; i = i + 1) continue;
}
EXPORTED void step(int number) {
  FLAMELET_BEGIN(part, "first");
  leaf(number);
  FLAMELET_NEXT(part, "second");
  leaf(number);
  FLAMELET_END(part);
}
}

// So that their templates are compiled.
NOT_INSTRUMENTED static void use_locks() {
  using namespace std::chrono;
  flamelet::Mutex mutex;
  flamelet::SharedMutex shared;
  flamelet::ConditionVariable condition;
  flamelet::Semaphore semaphore(2);
  FLAMELET_LOCKABLE(std::recursive_timed_mutex, timed);
  FLAMELET_LOCKABLE(std::shared_timed_mutex, shared_timed);
  const auto now = steady_clock::now();
  const std::lock_guard one(shared);
  if (timed.try_lock_for(1ms)) timed.unlock();
  if (timed.try_lock_until(now + 1ms)) timed.unlock();
  if (shared_timed.try_lock_shared_for(1ms)) shared_timed.unlock_shared();
  if (shared_timed.try_lock_shared_until(now + 1ms)) shared_timed.unlock_shared();
  std::unique_lock lock(mutex);
  condition.notify_one();
  condition.notify_all();
  condition.wait(lock, []() NOT_INSTRUMENTED { return true; });
  condition.wait_for(lock, 1us);
  condition.wait_for(lock, 1us, []() NOT_INSTRUMENTED { return true; });
  condition.wait_until(lock, now, []() NOT_INSTRUMENTED { return true; });
  semaphore.acquire();
  semaphore.release();
  if (semaphore.try_acquire_for(1us)) semaphore.release();
  if (semaphore.try_acquire_until(now)) semaphore.release();
}

NOT_INSTRUMENTED static bool is_count(const flamelet_capture* capture, const char* name, uint64_t expected) {
  static flamelet_span spans[FLAMELET_CURSOR_LEAST];
  flamelet_span_cursor cursor;
  flamelet_span_cursor_start(&cursor, capture, 0, INT64_MIN, INT64_MAX, spans, FLAMELET_CURSOR_LEAST);
  uint64_t calls = 0;
  while (flamelet_span_cursor_next(&cursor))
    for (size_t i = cursor.again; i < cursor.count; ++i)
      calls += std::strcmp(flamelet_capture_string(capture, cursor.spans[i].name).text, name) == 0;
  if (calls != expected) std::printf("%s: %llu calls\n", name, static_cast<unsigned long long>(calls));
  return calls == expected;
}

NOT_INSTRUMENTED int main() {
  if (flamelet_init(nullptr) != FLAMELET_OK) return 1;
  records = true;
  for (int frame = 0; frame < 1000; ++frame) {
    step(frame % 7);
    flamelet_frame();
  }
  records = false;
  use_locks();
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&config, &capture) != FLAMELET_OK) return 2;
  flamelet_capture_update(capture);
  bool good = stats.dropped_nested == 0 && stats.extra_ends == 0;
  if (!good) std::printf("events were dropped, or have no begin\n");
  for (const char* name : {"step", "first", "second"}) good = is_count(capture, name, 1000) && good;
  for (const char* name : {"leaf", "leaf scope"}) good = is_count(capture, name, 2000) && good;
  flamelet_capture_destroy(capture);
  flamelet_shutdown();
  return good ? 0 : 3;
}
