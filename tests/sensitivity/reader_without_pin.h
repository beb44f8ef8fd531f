// SPDX-License-Identifier: MIT
//
// reader_without_pin.h: readers look at a page without holding it.
#include "record/page_ring.h"

namespace flamelet {

template <>
inline PageProtocol<HardwareMemory>::Pin PageProtocol<HardwareMemory>::pin(uint64_t& state, uint64_t ticket) {
  return HardwareMemory::load_acquire(state) >> kTicketShift == ticket ? Pin::kPinned : Pin::kGone;
}
template <>
inline void PageProtocol<HardwareMemory>::unpin(uint64_t&) {}

}  // namespace flamelet
