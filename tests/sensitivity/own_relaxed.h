// SPDX-License-Identifier: MIT
//
// own_relaxed.h: owning a page orders nothing.
#include "page_ring.h"

namespace flamelet {

template <>
inline bool PageProtocol<HardwareMemory>::own(uint64_t& state, uint64_t ticket) {
  uint64_t seen = HardwareMemory::load_relaxed(state);
  if ((seen & (kOwned | kPins)) != 0 || seen >> kTicketShift >= ticket) return false;
  return __atomic_compare_exchange_n(&state, &seen, ticket << kTicketShift | kOwned, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

}  // namespace flamelet
