// SPDX-License-Identifier: MIT
//
// page_pack.h: the words of a page in a third of their bytes or less, without loss. Of each event the time since the one
// before is kept in as few bits as the page's times need, and its code (type and site) as one byte, or as part of a
// run of codes that stood on the page before. Payloads are kept as what differs from the last of their kind. A page
// that would not become smaller is kept as it is.
//
// Only memory that pack_page() wrote is unpacked, so nothing is checked again. On a little-endian machine alone.
#ifndef FLAMELET_SRC_PAGE_PACK_H
#define FLAMELET_SRC_PAGE_PACK_H

#include "record/replay.h"

namespace flamelet {

struct PageWords {
  uint64_t words[kPageWords];
};

// Words [0, count) of a page. Of these, [2 * open_count, whole) are whole events that were checked.
struct PackedShape {
  uint64_t base_ticks;
  uint32_t count;
  uint32_t whole;
  uint32_t open_count;
};

// What pack_page() may write, and how far behind a packed page unpacking reads.
constexpr uint32_t kPackRoom = 8 * 1024;
constexpr uint32_t kPackSlack = 8;
// What it needs at most of what it wrote.
constexpr uint32_t kMostPackedBytes = 1 + sizeof(PageWords) + kPackSlack;

// Returns the number of bytes, kPackSlack included.
uint32_t pack_page(const uint64_t* words, const PackedShape& shape, unsigned char* bytes);
void unpack_page(const unsigned char* bytes, const PackedShape& shape, PageWords* words);
// The first `levels` of the pairs that the page begins with, without the rest.
void unpack_block(const unsigned char* bytes, const PackedShape& shape, uint32_t levels, uint64_t* pairs);

}  // namespace flamelet

#endif  // FLAMELET_SRC_PAGE_PACK_H
