// SPDX-License-Identifier: MIT
//
// page_never_disowned.h: writers keep every page that they took.
#include "record/page_ring.h"

namespace flamelet {

template <>
inline void PageProtocol<Atomic<uint64_t>>::disown(Atomic<uint64_t>&) {}

}  // namespace flamelet
