// SPDX-License-Identifier: MIT
//
// ring_walk.h: how one reader goes round the ring: which tickets it reads, in which order, and which it has to come back
// to. Guarantees:
//   - The pages of each track are handed out in the order in which the track took them.
//   - Every page that stays in the ring until the reader comes by is handed out whole, also one whose thread has kept it
//     for laps; except to a reader that cannot find it because its thread is a lap late (page_ring.h), or whose list of
//     open pages is full. What is not handed out shows as a gap in the track's sequence numbers.
//   - Nothing is handed out twice.
//
// A template over the steps of page_ring.h, as they are: the explorer of tests/model runs this code, too.
#ifndef FLAMELET_SRC_RING_WALK_H
#define FLAMELET_SRC_RING_WALK_H

#include "record/page_ring.h"

namespace flamelet {

template <class Protocol, class Ring, uint32_t kMaxOpen>
class RingWalk {
 public:
  using Steps = PageSteps<Protocol, Ring>;

  // Ticket 0 would look like "never used", so the first one is page_count.
  void start() {
    next_ticket_ = Ring::page_count();
    open_count_ = 0;
  }

  // Everything that is new. use(ticket, index, first, words, closed): words [first, words) of the pinned page are; once
  // closed, no more will come.
  template <class CursorWords, class Use>
  void pass(CursorWords cursor_words, Use use) {
    // Before the open pages are read: a track's page that has a smaller ticket than `end` was preceded by the closing
    // of the one before, which the pass over the open pages then sees. So a track's pages come in their order.
    const uint64_t end = Protocol::newest(Ring::next_ticket());
    if (end - next_ticket_ > Ring::page_count()) {
      add_survivors(end - Ring::page_count());
      next_ticket_ = end - Ring::page_count();
    }
    first_ticket_ = next_ticket_;
    uint32_t kept = 0;
    bool busy = false;
    for (uint32_t i = 0; i < open_count_; ++i) {
      OpenPage open = open_[i];
      const typename Steps::Read step = read(&open, cursor_words, use);
      if (step != Steps::Read::kDone) open_[kept++] = open;
      busy |= step == Steps::Read::kBusy;
    }
    open_count_ = kept;
    // A page that could not be read ends the pass, so that none of the same track that comes after it is handed out
    // before it; and so does a full list. The rest is read by the next one, if it is still there.
    while (next_ticket_ != end && open_count_ < kMaxOpen && !busy) {
      OpenPage open = {next_ticket_++, 0};
      const typename Steps::Read step = read(&open, cursor_words, use);
      if (step != Steps::Read::kDone) open_[open_count_++] = open;
      busy = step == Steps::Read::kBusy;
    }
  }

  uint32_t open_count() const { return open_count_; }
  // Where the last pass began: lower tickets were read before, are overwritten, or belong to pages that stayed open.
  uint64_t first_ticket() const { return first_ticket_; }

 private:
  struct OpenPage {
    uint64_t ticket;
    uint32_t words;  // handed out
  };

  template <class CursorWords, class Use>
  static typename Steps::Read read(OpenPage* open, CursorWords cursor_words, Use use) {
    return Steps::read(open->ticket, cursor_words, [&](uint32_t index, uint32_t words, bool closed) {
      // A closed page without news is handed out too: its header has become final.
      if (words > open->words || closed) use(open->ticket, index, open->words, words, closed);
      open->words = words;
    });
  }

  // More than a lap behind: of the tickets before `end`, only those of pages that were owned or pinned all the time are
  // left, at most one for each track and reader. In the order of their tickets, which is that of each track's events.
  void add_survivors(uint64_t end) {
    for (uint32_t i = 0; i < Ring::page_count() && open_count_ < kMaxOpen; ++i) {
      const uint64_t ticket = Protocol::ticket_of(Ring::state(i));
      if (ticket < next_ticket_ || ticket >= end) continue;
      uint32_t at = open_count_++;
      for (; at > 0 && open_[at - 1].ticket > ticket; --at) open_[at] = open_[at - 1];
      open_[at] = {ticket, 0};
    }
  }

  uint64_t next_ticket_ = 0;
  uint64_t first_ticket_ = 0;
  uint32_t open_count_ = 0;
  OpenPage open_[kMaxOpen];
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_RING_WALK_H
