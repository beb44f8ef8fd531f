// SPDX-License-Identifier: MIT
//
// closed_a_word_long.h: the final count of a page is a word too many.
#include "record/page_ring.h"

namespace flamelet {

template <>
inline void PageProtocol<Atomic<uint64_t>>::close(Atomic<uint64_t>& commit, uint64_t ticket, uint32_t words) {
  commit.store_release(ticket << kCountShift | (uint64_t{words} + 2));
}

}  // namespace flamelet
