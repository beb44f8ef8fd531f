// SPDX-License-Identifier: MIT
//
// common/TracySystem.hpp: names of threads. They work without TRACY_ENABLE, too, while a recorder runs. The system's own
// name of the thread stays as it is.
#ifndef FLAMELET_TRACY_SYSTEM_HPP
#define FLAMELET_TRACY_SYSTEM_HPP

#include <stdint.h>

#include "flamelet_shim/calls.h"
#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED) && !defined(TRACY_MANUAL_LIFETIME)
#include "flamelet_shim/start.h"
#endif

namespace tracy {

FLAMELET_NOT_INSTRUMENTED_ inline void SetThreadName(const char* name) {
  flamelet_shim_thread_name(name, 0);
}
// Threads are not grouped: a hint other than 0 is counted.
FLAMELET_NOT_INSTRUMENTED_ inline void SetThreadNameWithHint(const char* name, int32_t group_hint) {
  flamelet_shim_thread_name(name, group_hint);
}
FLAMELET_NOT_INSTRUMENTED_ inline uint32_t GetThreadHandle() {
  return flamelet_thread_id();
}
// Knows only the calling thread; "" for others, and without a name.
FLAMELET_NOT_INSTRUMENTED_ inline const char* GetThreadName(uint32_t id) {
  return id != 0 && id == flamelet_thread_id() ? flamelet_shim_this_thread_name() : "";
}

}  // namespace tracy

#endif  // FLAMELET_TRACY_SYSTEM_HPP
