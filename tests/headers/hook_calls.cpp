// SPDX-License-Identifier: MIT
//
// A program that is compiled in one of the ways in which compilers add code to functions (-finstrument-functions, -pg,
// --coverage, a sanitizer). Its macros record what they should, and call no hook: only its own functions do.
#include <cstdio>

#include "flamelet/perf.h"

#define NOT_INSTRUMENTED __attribute__((no_instrument_function))

namespace {
constexpr int kCalls = 100;
constexpr uint64_t kEvents = 28;  // of a call of work(); a scope has two
uint64_t hook_calls;
}  // namespace

extern "C" {
NOT_INSTRUMENTED void __cyg_profile_func_enter(void*, void*);
NOT_INSTRUMENTED void __cyg_profile_func_exit(void*, void*);
void __cyg_profile_func_enter(void*, void*) {
  ++hook_calls;
}
void __cyg_profile_func_exit(void*, void*) {}
}

__attribute__((noinline)) static void work(flamelet_site* site, int number) {
  FLAMELET_FUNCTION();
  FLAMELET_SCOPE("scope");
  FLAMELET_SCOPE_WAIT("wait");
  FLAMELET_SCOPE_OBJECT("object", nullptr);
  FLAMELET_SCOPE_DYNAMIC("dynamic");
  FLAMELET_SCOPE_SITE(site);
  PERF_FUNCTION();
  PERF_BLOCK(word);
  PERF_BLOCK("string");
  PERF_BLOCK_END;
  FLAMELET_BEGIN(part, "first");
  FLAMELET_NEXT(part, "second");
  FLAMELET_END(part);
  FLAMELET_BEGIN_OBJECT(other, "other", nullptr);
  FLAMELET_BEGIN_LOCAL(local);
  FLAMELET_END_LOCAL(local);
  FLAMELET_INSTANT("instant");
  FLAMELET_COUNTER("counter", number);
  FLAMELET_FLOW_BEGIN(number);
}

NOT_INSTRUMENTED int main() {
  if (flamelet_init(nullptr) != FLAMELET_OK) return 1;
  flamelet_site* site = flamelet_site_create("site", nullptr, nullptr, 0, nullptr, 0);
  flamelet_stats before, after;
  flamelet_get_stats(&before);
  hook_calls = 0;
  for (int i = 0; i < kCalls; ++i) work(site, i);
  const uint64_t called = hook_calls;
  flamelet_get_stats(&after);
  flamelet_shutdown();
  const uint64_t events = after.events_recorded - before.events_recorded;
  std::printf("%d calls: %llu events, %llu of a hook\n", kCalls, static_cast<unsigned long long>(events),
              static_cast<unsigned long long>(called));
  if (events != kCalls * kEvents) return 2;
#ifdef CALLS_HOOK
  return called == kCalls ? 0 : 3;
#else
  return 0;
#endif
}
