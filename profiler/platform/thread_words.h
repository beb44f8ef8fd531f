// SPDX-License-Identifier: MIT
//
// thread_words.h: words of each thread, where the compiler's thread-locals are of no use (Windows).
#ifndef FLAMELET_PLATFORM_THREAD_WORDS_H
#define FLAMELET_PLATFORM_THREAD_WORDS_H

#include <stdint.h>

namespace flamelet {

inline constexpr uint32_t kNoThreadSlot = UINT32_MAX;

// The first of `count` slots, one behind the other, that are 0 on every thread; given back when this library is unloaded.
// kNoThreadSlot: none are left. Once.
uint32_t take_thread_words(uint32_t count);
// The calling thread's. NULL: there is no memory for them.
uintptr_t* thread_words(uint32_t first_slot);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_THREAD_WORDS_H
