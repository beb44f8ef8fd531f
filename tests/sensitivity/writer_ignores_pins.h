// SPDX-License-Identifier: MIT
//
// writer_ignores_pins.h: writers take pages that readers hold.
#include "record/page_ring.h"

namespace flamelet {

template <>
inline bool PageProtocol<HardwareMemory>::own(uint64_t& state, uint64_t ticket) {
  const uint64_t seen = HardwareMemory::load_relaxed(state);
  if ((seen & kOwned) != 0 || seen >> kTicketShift >= ticket) return false;
  return HardwareMemory::cas_acquire(state, seen, ticket << kTicketShift | kOwned);
}

}  // namespace flamelet
