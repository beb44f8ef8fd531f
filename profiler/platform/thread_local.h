// SPDX-License-Identifier: MIT
//
// thread_local.h: variables of each thread.
#ifndef FLAMELET_PLATFORM_THREAD_LOCAL_H
#define FLAMELET_PLATFORM_THREAD_LOCAL_H

#include <stdint.h>

// A variable of each thread that a signal handler may use: it lies in the thread's static block, so its first use allocates
// nothing. Where the compiler cannot promise that, there are no signals either.
#if defined(__GNUC__) && !defined(_WIN32)
#define FLAMELET_THREAD_LOCAL_ __thread __attribute__((tls_model("initial-exec")))
#else
#define FLAMELET_THREAD_LOCAL_ thread_local
#endif

namespace flamelet {

// Thread words: where the compiler's thread-locals are of no use (Windows).

inline constexpr uint32_t kNoThreadSlot = UINT32_MAX;

// The first of `count` slots, one behind the other, that are 0 on every thread; given back when this library is unloaded.
// kNoThreadSlot: none are left. Once.
uint32_t take_thread_words(uint32_t count);
// The calling thread's. NULL: there is no memory for them.
uintptr_t* thread_words(uint32_t first_slot);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_THREAD_LOCAL_H
