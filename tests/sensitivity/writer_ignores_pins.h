// SPDX-License-Identifier: MIT
//
// writer_ignores_pins.h: writers take pages that readers hold.
#include "record/page_ring.h"

namespace flamelet {

template <>
inline bool PageProtocol<Atomic<uint64_t>>::own(Atomic<uint64_t>& state, uint64_t ticket) {
  const uint64_t seen = state.load_relaxed();
  if ((seen & kOwned) != 0 || seen >> kTicketShift >= ticket) return false;
  return state.cas_acquire(seen, ticket << kTicketShift | kOwned);
}

}  // namespace flamelet
