// SPDX-License-Identifier: MIT
//
// Every macro once, under the warnings that an engine may have switched on: most of it expands in the engine's code.
#include <flamelet/gpu.h>
#include <flamelet/lock.h>
#include <flamelet/perf.h>

namespace {

[[maybe_unused]] int use_scopes(flamelet_gpu* gpu, double value, int count, const char* text, flamelet_site* site) {
  constexpr const char* kName = "a name";
  FLAMELET_FUNCTION();
  FLAMELET_FUNCTION_OBJECT(text);
  FLAMELET_SCOPE("scope");
  FLAMELET_SCOPE(kName);
  FLAMELET_SCOPE_OBJECT("scope", text);
  FLAMELET_SCOPE_COLOR("scope", 0xff0000);
  FLAMELET_SCOPE_DYNAMIC(text);
  FLAMELET_SCOPE_WAIT("wait");
  FLAMELET_BEGIN(phase, "first");
  FLAMELET_NEXT(phase, "second");
  FLAMELET_NEXT_WAIT(phase, "wait");
  phase.end();
  FLAMELET_SCOPE_CATEGORY("scope", "category");
  FLAMELET_SCOPE_SITE(site);
  FLAMELET_BEGIN(a, "quoted");
  if (count != 0)
    FLAMELET_NEXT(a, "one statement");
  else
    FLAMELET_END(a);
  FLAMELET_BEGIN_CATEGORY(b, "quoted", "category");
  FLAMELET_BEGIN_COLOR(c, "quoted", 0xff0000);
  FLAMELET_BEGIN_WAIT(d, "quoted");
  FLAMELET_BEGIN_OBJECT(e, "quoted", text);
  FLAMELET_SIGNAL_GUARD();
  FLAMELET_GPU_SCOPE(gpu, "pass");
  FLAMELET_GPU_BEGIN(gpu, pass, "pass");
  FLAMELET_GPU_END(gpu, pass);
  PERF_FUNCTION();
  PERF_BLOCK(word);
  PERF_BLOCK_END;
  PERF_BLOCK("string");
  if (count != 0) FLAMELET_SCOPE("unbraced");
  FLAMELET_INSTANT("instant");
  FLAMELET_INSTANT_OBJECT("instant", text);
  FLAMELET_COUNTER("value", value);
  FLAMELET_COUNTER("count", count);
  FLAMELET_FRAME();
  FLAMELET_FRAME_NAMED("set");
  FLAMELET_FLOW_BEGIN(text);
  FLAMELET_FLOW_END(count);
  FLAMELET_THREAD_NAME("thread");
  static FLAMELET_LOCKABLE(std::mutex, lock);
  lock.lock();
  lock.unlock();
  return [&] {
    FLAMELET_BEGIN_FUNCTION();
    FLAMELET_BEGIN_LOCAL(local);
    FLAMELET_END_LOCAL(local);
    if (count == 0) return FLAMELET_END_FUNCTION_VALUE(0);
    return FLAMELET_END_FUNCTION_VALUE(count + 1);
  }();
}

}  // namespace
