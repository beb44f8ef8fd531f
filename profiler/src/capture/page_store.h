// SPDX-License-Identifier: MIT
//
// page_store.h: the pages that a capture holds: a ring in the order in which they arrived. When it is full, the oldest
// goes. A page is named by a number that is never used again, so that a link to a page that is gone is seen to be dead;
// no link is ever repaired.
//
// The words of the newest pages lie as they came. Of older ones they are packed (page_pack.cpp), one page behind the other
// in a ring of bytes, and who reads them unpacks them into memory of his own. So the store is never changed by a reader.
//
// The pages of one track are a list with jumps, so a search by time needs O(log^2) steps, adding a page O(1)
// on average, and evicting one nothing. An array of each track's pages, rebuilt after every change, would
// cost in proportion to what is held instead of to what is new.
//
// What was submitted has times of its own, in any order, so no search by time finds it. For it each page also keeps the
// earliest and latest of these times in the pages between that link and itself: a window skips whole runs of pages that
// do not touch it.
#ifndef FLAMELET_SRC_PAGE_STORE_H
#define FLAMELET_SRC_PAGE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "record/replay.h"

namespace flamelet {

// The words of a page in a third of their bytes or less, without loss. Of each event the time since the one
// before is kept in as few bits as the page's times need, and its code (type and site) as one byte, or as part of a
// run of codes that stood on the page before. Payloads are kept as what differs from the last of their kind. A page
// that would not become smaller is kept as it is.
//
// Only memory that pack_page() wrote is unpacked, so nothing is checked again. On a little-endian machine alone.

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

// Search in a list that is linked from its newest item to its oldest. Each item also has a jump, to the one
// whose ordinal is its own with the lowest set bit cleared (as in a Fenwick tree): O(log^2) steps.

// The oldest item of the list for which `holds_for(id)` is true, 0 if none. It must be true for every item after one for
// which it is true. `items` has holds(id), previous(id), jump(id).
template <class Items, class Predicate>
uint64_t first_in_list(const Items& items, uint64_t newest, Predicate holds_for) {
  uint64_t found = newest;
  if (!items.holds(found) || !holds_for(found)) return 0;
  for (;;) {
    const uint64_t jump = items.jump(found), previous = items.previous(found);
    if (items.holds(jump) && holds_for(jump)) {
      found = jump;
    } else if (items.holds(previous) && holds_for(previous)) {
      found = previous;
    } else {
      return found;
    }
  }
}

// Byte ring: pieces of bytes one behind the other in a block of memory that is a ring. They go in about the order in which
// they came: what is dropped out of turn is free once all before it is dropped too.

class ByteRing {
 public:
  static constexpr size_t kAlignment = 8;
  // What a piece takes besides its bytes.
  static constexpr size_t kPieceBytes = 16;

  // `size`: a multiple of kAlignment.
  void attach(unsigned char* bytes, size_t size);
  void clear() { begin_ = end_ = used_ = 0; }

  // Memory for the next piece; NULL if there are not so many bytes in a row.
  unsigned char* room(size_t most_bytes);
  // Keeps what was written there, and returns where it is.
  size_t keep(size_t bytes);
  void drop(size_t piece);
  const unsigned char* at(size_t piece) const { return bytes_ + piece; }
  // The size of a piece, rounded up to kAlignment.
  size_t bytes_of(size_t piece) const { return head_at(piece - sizeof(Head)).bytes - sizeof(Head); }

  size_t size() const { return size_; }
  size_t used() const { return used_; }  // also by pieces that were dropped out of turn

 private:
  struct Head {
    uint32_t bytes;  // with the head, up to the next one
    uint32_t dropped;
  };
  Head head_at(size_t offset) const;
  void append(size_t bytes, uint32_t dropped);

  unsigned char* bytes_ = nullptr;
  size_t size_ = 0;
  size_t begin_ = 0;  // the oldest piece
  size_t end_ = 0;    // behind the newest one
  size_t used_ = 0;
};

using PageId = uint64_t;  // counts pages from 1; 0 = none

// What the capture knows of a page beyond its words.
struct PageInfo {
  uint64_t ticket;       // 0: no page is here
  uint64_t begin_ticks;  // neither before the page's base nor before the end of the track's page before it
  uint64_t end_ticks;    // of the newest event, submitted times included; never goes back along a track
  uint64_t low_ticks;    // first and last time of what was submitted; low > high if nothing was
  uint64_t high_ticks;
  uint64_t range_low_ticks;  // of the pages after `jump` up to this one
  uint64_t range_high_ticks;
  uint64_t run_ticks;  // when the fiber that runs at the page's start was switched to; 0 = it always ran
  PageId previous;     // pages of the same track
  PageId next;
  PageId jump;
  uint64_t ordinal;  // on its track
  // As in its PageHeader.
  uint64_t base_ticks, last_ticks, first_event;
  uint32_t track, fiber;
  uint32_t lane;
  uint32_t fiber_switches;  // on its track before this page, modulo 2^32
  size_t packed;            // where in the ring, if its words are packed
  uint32_t raw;             // where among the raw pages, if they are not; else kPacked
  uint16_t open_count;
  uint16_t copied_words;  // that arrived
  uint16_t kept_words;    // of them: those that are here. What came behind a bad one is not
  uint16_t word_count;    // of them: whole events, checked
  uint16_t event_count;   // in them
  uint16_t flow_count;    // of them: ends of flows
  bool closed;            // no more words will come
  bool bad;               // something that no recorder writes: the rest is skipped

  static constexpr uint32_t kPacked = UINT32_MAX;
  bool is_packed() const { return raw == kPacked; }

  PackedShape shape() const { return {base_ticks, kept_words, word_count, open_count}; }
  // 0 unless all of the open block has come.
  uint32_t whole_open_count() const { return word_count >= 2 * open_count ? open_count : 0u; }
};

// A track's pages.
struct PageList {
  PageId newest = 0;
  uint64_t count = 0;  // ever added
};

// A reader's own memory for a page. It must not outlive a change of the store.
struct PageRoom {
  uint32_t place = UINT32_MAX;  // of the page that is in it
  PageWords page;
};

class PageStore {
 public:
  struct Sizes {
    uint32_t pages;       // at least 2
    uint32_t raw_pages;   // of these, whose words are not packed; at least 2
    size_t packed_bytes;  // for the words of the others
  };
  struct Memory {
    PageWords* raw;         // raw_pages
    uint32_t* owners;       // raw_pages
    PageInfo* infos;        // pages
    uint32_t* places;       // pages
    unsigned char* packed;  // ByteRing::kAlignment
  };
  void attach(const Memory& memory, const Sizes& sizes);
  void clear();

  uint32_t capacity() const { return capacity_; }
  uint32_t held() const { return static_cast<uint32_t>(end_ - first_); }
  // About how many pages there will be when the store is full, if they are like those that it holds.
  uint32_t likely_capacity() const;
  // Memory that stands ready for pages that have not come.
  size_t unused_bytes() const {
    const uint32_t raw_held = held() - packed_count_;
    return (capacity_ - held()) * sizeof(PageInfo) + (raw_count_ - raw_held) * sizeof(PageWords) + packed_.size() -
           packed_.used();
  }
  // So many pages can come before one of those that are held goes.
  uint32_t room() const;
  bool full() const { return held() == capacity_; }
  bool holds(PageId id) const { return id >= first_ && id < end_; }
  PageId oldest() const { return first_; }  // if anything is held
  PageId end() const { return end_; }       // the name that the next one gets

  PageInfo& info(PageId id) { return memory_.infos[place(id)]; }
  const PageInfo& info(PageId id) const { return memory_.infos[place(id)]; }
  // The page's place, for links that outlive a rotate(); they compare the ticket.
  uint32_t place(PageId id) const { return memory_.places[id % capacity_]; }
  const PageInfo& info_at(uint32_t place) const { return memory_.infos[place]; }

  // Forgets the oldest page.
  void evict();
  // Makes the oldest page the newest, in place, and returns its new name. Only for a page that is the only one of its
  // list.
  PageId rotate(PageList* list);
  // Packs the words of an old page, preferably of one that is closed. False: there is no room until more are evicted.
  bool pack_one();
  bool has_raw_page() const { return free_raw_ != kNone; }
  // A new page, its info zero, at the end of a list. The store must not be full, and have a raw page.
  PageId add(PageList* list);
  // The words of a page as memory for more of them. If they are packed there must be a raw page.
  uint64_t* writable_words(PageId id) {
    if (info(id).is_packed()) unpack_in_place(id);
    return memory_.raw[info(id).raw].words;
  }

  // The oldest page of the list for which `holds_for(id)` is true, 0 if none. It must be true for every page after one
  // for which it is true.
  template <class Predicate>
  PageId first_where(const PageList& list, Predicate holds_for) const {
    return first_in_list(*this, list.newest, holds_for);
  }
  PageId previous(PageId id) const { return info(id).previous; }
  PageId jump(PageId id) const { return info(id).jump; }

  // Notes the times of something submitted on the newest page of a list.
  void note_submitted(PageId id, uint64_t begin_ticks, uint64_t end_ticks);

  // Calls visit(id), oldest first, for the pages of the list that hold something submitted between two times, these
  // included. Few pages in many: O(log^2) steps for each of them.
  template <class Visit>
  void visit_submitted(const PageList& list, uint64_t first_ticks, uint64_t last_ticks, Visit visit) const {
    // Runs of pages still to be looked at, the oldest on top; an odd entry is its page alone. A run of 2^k pages leaves
    // k smaller ones at most, and no list holds 2^32.
    uint64_t stack[kMaxRuns];
    uint32_t count = 0;
    for (PageId id = list.newest; holds(id); id = info(id).jump) stack[count++] = id << 1;
    while (count != 0) {
      const uint64_t entry = stack[--count];
      const PageId id = entry >> 1;
      const PageInfo& page = info(id);
      if ((entry & 1) != 0) {
        if (page.low_ticks <= last_ticks && page.high_ticks >= first_ticks) visit(id);
        continue;
      }
      if (page.range_low_ticks > last_ticks || page.range_high_ticks < first_ticks) continue;
      stack[count++] = entry | 1;
      for (PageId part = page.previous; part != page.jump && holds(part); part = info(part).jump)
        stack[count++] = part << 1;
    }
  }

  // The newest page that begins before `ticks`, else the oldest of the list; 0 if the list holds nothing.
  PageId page_before(const PageList& list, uint64_t ticks) const;

  // The words of a page, those that came behind the last whole event included: where they lie, or in the room.
  const uint64_t* words_at(uint32_t place, PageRoom* room) const;
  // The whole events.
  WordRun words(PageId id, PageRoom* room) const {
    return {words_at(place(id), room), info(id).word_count, info(id).base_ticks};
  }
  ReplayCursor start(PageId id) const {
    const PageInfo& page = info(id);
    return {2u * page.open_count, page.open_count, page.base_ticks, 0};
  }
  // The words of a page packed, into kPackRoom bytes: all of them, if the shape is the page's own. Returns their number.
  size_t pack_at(uint32_t place, const PackedShape& shape, bool is_own_shape, unsigned char* bytes) const;
  // What a page like the others takes, and a little more.
  size_t likely_packed_bytes() const;
  // Whether the page begins with a scope open at a level.
  bool shows_at(uint32_t place, uint32_t level, uint64_t scope_id) const;

 private:
  static constexpr uint32_t kMaxRuns = 33 * 34 / 2 + 2 * 33;
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t page_to_pack();
  void take_raw_page(uint32_t place);
  void unpack_in_place(PageId id);
  void free_raw_page(PageInfo* info);

  Memory memory_ = {};
  uint32_t capacity_ = 0;
  uint32_t raw_count_ = 0;
  uint32_t free_raw_ = kNone;  // the first one without a page: `owners` has the next one
  uint32_t hand_ = 0;          // where pack_one() goes on
  ByteRing packed_;
  uint32_t packed_count_ = 0;
  // The places from end_ on are free.
  PageId first_ = 1;
  PageId end_ = 1;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_PAGE_STORE_H
