// SPDX-License-Identifier: MIT
//
// page_store.h: the pages that a capture holds: a ring in the order in which they arrived. When it is full, the oldest
// goes. A page is named by a number that is never used again, so that a link to a page that is gone is seen to be dead;
// no link is ever repaired.
//
// The pages of one track are a list from the newest to the oldest. Each page also links back to the one whose ordinal
// is its own with the lowest set bit cleared (as in a Fenwick tree), so a search by time needs O(log^2) steps, adding a
// page O(1) on average, and evicting one nothing. An array of each track's pages, rebuilt after every change, would
// cost in proportion to what is held instead of to what is new.
//
// What was submitted has times of its own, in any order, so no search by time finds it. For it each page also keeps the
// earliest and latest of these times in the pages between that link and itself: a window skips whole runs of pages that
// do not touch it.
#ifndef FLAMELET_SRC_PAGE_STORE_H
#define FLAMELET_SRC_PAGE_STORE_H

#include "record/page.h"
#include "record/replay.h"

namespace flamelet {

using PageId = uint64_t;  // counts pages from 1; 0 = none

// What the capture knows of a page beyond its words.
struct PageInfo {
  uint64_t ticket;
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
  uint32_t lane;
  uint32_t fiber_switches;  // on its track before this page, modulo 2^32
  uint32_t copied_words;    // that arrived
  uint32_t word_count;      // of them: whole events, checked
  uint32_t event_count;     // in them
  uint32_t flow_count;      // of them: ends of flows
  bool closed;              // no more words will come
  bool bad;                 // something that no recorder writes: the rest is skipped
};

// A track's pages.
struct PageList {
  PageId newest = 0;
  uint64_t count = 0;  // ever added
};

class PageStore {
 public:
  // The memory for `capacity` pages, at least 2.
  void attach(Page* pages, PageInfo* infos, uint32_t capacity);
  void clear();

  uint32_t capacity() const { return capacity_; }
  uint32_t held() const { return static_cast<uint32_t>(end_ - first_); }
  bool full() const { return held() == capacity_; }
  bool holds(PageId id) const { return id >= first_ && id < end_; }
  PageId oldest() const { return first_; }  // if anything is held
  PageId end() const { return end_; }       // the name that the next one gets

  PageInfo& info(PageId id) { return infos_[id % capacity_]; }
  const PageInfo& info(PageId id) const { return infos_[id % capacity_]; }
  Page& page(PageId id) { return pages_[id % capacity_]; }
  const Page& page(PageId id) const { return pages_[id % capacity_]; }

  // The page at a place, for links that outlive a rotate(); they compare the ticket.
  uint32_t place(PageId id) const { return static_cast<uint32_t>(id % capacity_); }
  const PageInfo& info_at(uint32_t place) const { return infos_[place]; }
  const Page& page_at(uint32_t place) const { return pages_[place]; }

  // Forgets the oldest page.
  void evict() { ++first_; }
  // Makes the oldest page of a full store the newest, in place, and returns its new name. Only for a page that is the
  // only one of its list.
  PageId rotate(PageList* list);
  // A new page, its info zero, at the end of a list. The store must not be full.
  PageId add(PageList* list);

  // The oldest page of the list for which `holds_for(id)` is true, 0 if none. It must be true for every page after one
  // for which it is true.
  template <class Predicate>
  PageId first_where(const PageList& list, Predicate holds_for) const {
    PageId found = list.newest;
    if (!holds(found) || !holds_for(found)) return 0;
    for (;;) {
      const PageInfo& page = info(found);
      if (holds(page.jump) && holds_for(page.jump)) {
        found = page.jump;
      } else if (holds(page.previous) && holds_for(page.previous)) {
        found = page.previous;
      } else {
        return found;
      }
    }
  }

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

  // Empty unless all of the block has come.
  OpenBlock open_block(PageId id) const { return open_block_at(place(id)); }
  OpenBlock open_block_at(uint32_t place) const {
    const Page& page = page_at(place);
    const uint32_t count = page.header.open_count;
    return {page.words, info_at(place).word_count >= 2 * count ? count : 0};
  }
  WordRun words(PageId id) const { return {page(id).words, info(id).word_count, page(id).header.base_ticks}; }

 private:
  static constexpr uint32_t kMaxRuns = 33 * 34 / 2 + 2 * 33;

  Page* pages_ = nullptr;
  PageInfo* infos_ = nullptr;
  uint32_t capacity_ = 0;
  PageId first_ = 1;
  PageId end_ = 1;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_PAGE_STORE_H
