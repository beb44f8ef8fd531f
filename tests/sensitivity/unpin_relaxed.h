// SPDX-License-Identifier: MIT
//
// unpin_relaxed.h: letting go of a page orders nothing.
#include "page_ring.h"

namespace flamelet {

template <>
inline void PageProtocol<HardwareMemory>::unpin(uint64_t& state) {
  __atomic_fetch_sub(&state, uint64_t{1}, __ATOMIC_RELAXED);
}

}  // namespace flamelet
