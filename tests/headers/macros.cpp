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
#include "macros.inc"
  FLAMELET_SIGNAL_GUARD();
  FLAMELET_GPU_SCOPE(gpu, "pass");
  FLAMELET_GPU_BEGIN(gpu, pass, "pass");
  FLAMELET_GPU_END(gpu, pass);
  PERF_FUNCTION();
  PERF_BLOCK(word);
  PERF_BLOCK_END;
  PERF_BLOCK("string");
  if (count != 0) FLAMELET_SCOPE("unbraced");
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
