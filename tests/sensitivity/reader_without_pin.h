// SPDX-License-Identifier: MIT
//
// reader_without_pin.h: readers look at a page without holding it.
#include "record/page_ring.h"

namespace flamelet {

template <>
inline PageProtocol<Atomic<uint64_t>>::Pin PageProtocol<Atomic<uint64_t>>::pin(Atomic<uint64_t>& state,
                                                                               uint64_t ticket) {
  return state.load_acquire() >> kTicketShift == ticket ? Pin::kPinned : Pin::kGone;
}
template <>
inline void PageProtocol<Atomic<uint64_t>>::unpin(Atomic<uint64_t>&) {}

}  // namespace flamelet
