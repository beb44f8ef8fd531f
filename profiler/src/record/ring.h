// SPDX-License-Identifier: MIT
//
// ring.h: the session's pages, and where the words of page_ring.h are.
#ifndef FLAMELET_SRC_RING_H
#define FLAMELET_SRC_RING_H

#include "record/page.h"
#include "record/page_ring.h"

namespace flamelet {

struct PageRing {
  Page* pages;
  Atomic<uint64_t>* outcomes;  // one for each page: what became of its newest ticket
  uint32_t page_count;
  alignas(64) Atomic<uint64_t> next_ticket;  // alone on its line: every thread that takes a page writes it
  alignas(64) char after[64];
};

extern PageRing page_ring;

struct Ring {
  static uint32_t page_count() { return page_ring.page_count; }
  static Atomic<uint64_t>& next_ticket() { return page_ring.next_ticket; }
  static Atomic<uint64_t>& state(uint32_t index) { return as_atomic(page_ring.pages[index].header.state); }
  static Atomic<uint64_t>& commit(uint32_t index) { return as_atomic(page_ring.pages[index].header.commit); }
  static Atomic<uint64_t>& outcome(uint32_t index) { return page_ring.outcomes[index]; }
};
using Steps = PageSteps<Protocol, Ring>;

}  // namespace flamelet

#endif  // FLAMELET_SRC_RING_H
