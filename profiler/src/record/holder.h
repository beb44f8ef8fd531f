// SPDX-License-Identifier: MIT
//
// holder.h: who holds a lock, in words, for the scope of a thread that waits for it.
#ifndef FLAMELET_SRC_HOLDER_H
#define FLAMELET_SRC_HOLDER_H

#include <stdint.h>

namespace flamelet {

// The newest answer, of one thread in one session. Begins as all 0.
struct HolderCache {
  uint64_t thread, scope;
  uint32_t string;
};

// "Loader in Compact log": the thread's name, and the innermost scope that is open there. The string's id; 0: not known.
// `holder` is a flamelet_this_track_() of any thread, perhaps of one that ended. The calling thread is entered.
uint32_t holder_string(const void* holder, HolderCache* cache);

// Gives the recorder to a library that was preloaded (flamelet/detail/preload.h), if there is one.
void connect_preload();

}  // namespace flamelet

#endif  // FLAMELET_SRC_HOLDER_H
