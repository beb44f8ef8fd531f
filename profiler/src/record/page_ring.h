// SPDX-License-Identifier: MIT
//
// page_ring.h: who owns which page, and when a reader may look. Guarantees:
//   - A writer never waits: it takes the next page that is neither owned nor pinned, within as many tries as there are
//     owned and pinned pages.
//   - A pinned page is not reused, so a reader reads plain memory, and no event is torn.
//   - A reader never sees a word before it is whole, nor a header before it is whole.
//   - The oldest page that can be taken is taken first: tickets go round the ring.
//
// A ticket is one use of one page: ticket t belongs to page t % page_count. Life of a page:
//
//   free ──own──► owned ──open──► owned, readable ──close──► owned, closed ──disown──► free, closed, readable
//                                                                                      (until the next own)
//   A reader may pin it in every state from "readable" on; pinned blocks own, and nothing else. Any number of readers
//   may pin the same page, up to 255.
//
// Memory orders (a name in brackets is the partner):
//   own      CAS acquire on state   [disown, unpin]  what the last owner and readers did with the page is over
//   open     store release on commit  [reader's load]  header and re-open block are whole
//   tell     CAS release on outcome   [reader's load]  says what became of a ticket: used, and then its state is there
//                                     to be seen, or skipped; never an older ticket over a newer one
//   cursor   store release            [reader's load]  the words below it are whole (record.h writes it)
//   close    store release on commit  [reader's load]  the final count; before the writer's cursor leaves the page,
//                                     so a reader that sees the cursor elsewhere sees the count
//   disown   fetch_and release        [own]
//   pin      CAS acquire on state     [disown]         a page without an owner is seen closed; that what is read was
//                                     written, the reader's load of commit says
//   unpin    fetch_add release        [own]            nothing of the page is read after it is unpinned
//   ticket   fetch_add release        [reader's load]  after close of the old page: a reader that sees the ticket of
//                                     a track's next page sees the count of the one before
//
// The operations are templates over the memory they run on, and their sequences over where the words are, so that the
// explorer of tests/model runs this very code.
#ifndef FLAMELET_SRC_PAGE_RING_H
#define FLAMELET_SRC_PAGE_RING_H

#include <stdint.h>

#include "platform/atomic.h"

namespace flamelet {

// AtomicWord: 64 bits with the operations of Atomic (atomic.h).
template <class AtomicWord>
struct PageProtocol {
  using Word = AtomicWord;

  // state: ticket << 9 | owned << 8 | pins
  static constexpr uint64_t kPins = 0xFF;
  static constexpr uint64_t kOwned = 0x100;
  static constexpr uint32_t kTicketShift = 9;
  static constexpr uint32_t kCountShift = 16;
  static constexpr uint64_t kCountMask = (uint64_t{1} << kCountShift) - 1;

  // ---- Writer ----

  static uint64_t take_ticket(Word& next_ticket) { return next_ticket.fetch_add_release(1); }

  // False: the page is owned or pinned; skip the ticket. One try: a state that changes meanwhile means that somebody
  // else just used the page, so it is not the oldest any more.
  static bool own(Word& state, uint64_t ticket) {
    const uint64_t seen = state.load_relaxed();  // relaxed: the CAS checks it
    if ((seen & (kOwned | kPins)) != 0 || (seen >> kTicketShift) >= ticket) return false;
    return state.cas_acquire(seen, (ticket << kTicketShift) | kOwned);
  }
  static void open(Word& commit, uint64_t ticket) { commit.store_release(ticket << kCountShift); }
  // Upwards only: a thread that was stopped for a lap between its ticket and this must not hide what became of a newer
  // ticket, or readers would wait for that one. Again only if another such thread came in between.
  static void tell(Word& outcome, uint64_t ticket, bool used) {
    const uint64_t made = (ticket << 1) | (used ? 1u : 0u);
    for (;;) {
      const uint64_t seen = outcome.load_relaxed();  // relaxed: the CAS checks it
      if (seen >= made || outcome.cas_release(seen, made)) return;
    }
  }
  static void close(Word& commit, uint64_t ticket, uint32_t words) {
    commit.store_release((ticket << kCountShift) | (uint64_t{words} + 1));
  }
  static void disown(Word& state) { state.fetch_and_release(~kOwned); }

  // ---- Reader ----

  enum class Pin { kPinned, kBusy, kGone };

  static Pin pin(Word& state, uint64_t ticket) {
    // Again only if another reader has just pinned or unpinned, or the owner left.
    for (;;) {
      const uint64_t seen = state.load_relaxed();  // relaxed: the CAS checks it
      if ((seen >> kTicketShift) != ticket) return Pin::kGone;
      if ((seen & kPins) == kPins) return Pin::kBusy;
      if (state.cas_acquire(seen, seen + 1)) return Pin::kPinned;
    }
  }
  static void unpin(Word& state) { state.fetch_add_release(~uint64_t{0}); }
  // For callers that are not trusted to have pinned the page. False: nobody has.
  static bool unpin_if_pinned(Word& state) {
    for (;;) {
      const uint64_t seen = state.load_relaxed();  // relaxed: the CAS checks it
      if ((seen & kPins) == 0) return false;
      if (state.cas_release(seen, seen - 1)) return true;
    }
  }

  enum class Count { kNotOpen, kOpen, kClosed };

  // How many words of a pinned page are whole. `cursor_words` answers how far the writer's cursor is into this page,
  // or -1 if it is elsewhere; it loads the cursor with acquire.
  template <class CursorWords>
  static Count count(Word& commit, uint64_t ticket, CursorWords cursor_words, uint32_t* words) {
    uint64_t seen = commit.load_acquire();
    if ((seen >> kCountShift) != ticket) return Count::kNotOpen;
    if ((seen & kCountMask) == 0) {
      const int64_t open_words = cursor_words();
      if (open_words >= 0) {
        *words = static_cast<uint32_t>(open_words);
        return Count::kOpen;
      }
      seen = commit.load_acquire();                          // the cursor has left, so this is the final count
      if ((seen & kCountMask) == 0) return Count::kNotOpen;  // the cursor has not arrived yet
    }
    *words = static_cast<uint32_t>((seen & kCountMask) - 1);
    return Count::kClosed;
  }

  enum class Ticket { kPending, kSkipped, kTaken };

  // What became of a ticket. A page that stays owned for a whole lap has its outcome overwritten by that of the ticket
  // that had to skip it, so kTaken may also mean "long ago": then pin() decides. A thread that is a lap late between its
  // ticket and own() may still get the page after pin() said that it is gone: its events there are lost, and counted.
  static Ticket look_up(const Word& outcome, uint64_t ticket) {
    const uint64_t seen = outcome.load_acquire();
    if ((seen >> 1) < ticket) return Ticket::kPending;
    return seen == ticket << 1 ? Ticket::kSkipped : Ticket::kTaken;
  }
  static uint64_t newest(const Word& next_ticket) { return next_ticket.load_acquire(); }
  // For those who know a page by its place and not by its ticket. relaxed: pin() checks what this says, and an old answer
  // is one that was true a little earlier.
  static uint64_t ticket_of(const Word& state) { return state.load_relaxed() >> kTicketShift; }
};

// The operations in the order that makes the guarantees. Ring says where the words are: page_count(), next_ticket(), and
// state(index), commit(index) and outcome(index) of a page.
template <class Protocol, class Ring>
struct PageSteps {
  // ---- Writer ----

  // Takes the oldest page that can be had. prepare(index, ticket) writes the header and the re-open block, and moves the
  // track's cursor there: before open(), so that a reader that finds the page open finds the cursor in it, or closed.
  // False: of page_count tickets none was good.
  template <class Prepare>
  static bool take(Prepare prepare) {
    for (uint32_t tries = 0; tries < Ring::page_count(); ++tries) {
      const uint64_t ticket = Protocol::take_ticket(Ring::next_ticket());
      const uint32_t index = static_cast<uint32_t>(ticket % Ring::page_count());
      const bool owned = Protocol::own(Ring::state(index), ticket);
      if (owned) {
        prepare(index, ticket);
        Protocol::open(Ring::commit(index), ticket);
      }
      Protocol::tell(Ring::outcome(index), ticket, owned);
      if (owned) return true;
    }
    return false;
  }

  // The closing fields of the header are written before it.
  static void leave(uint32_t index, uint64_t ticket, uint32_t words) {
    Protocol::close(Ring::commit(index), ticket, words);
    Protocol::disown(Ring::state(index));
  }

  // ---- Reader ----

  enum class Read {
    kDone,   // nothing more will come of this ticket
    kAgain,  // more may come
    kBusy,   // more is there, but the page has as many readers as it can have
  };

  // cursor_words(index): see count(). If the page can be read, use(index, words, closed) gets it pinned.
  template <class CursorWords, class Use>
  static Read read(uint64_t ticket, CursorWords cursor_words, Use use) {
    const uint32_t index = static_cast<uint32_t>(ticket % Ring::page_count());
    switch (Protocol::look_up(Ring::outcome(index), ticket)) {
      case Protocol::Ticket::kPending:
        return Read::kAgain;
      case Protocol::Ticket::kSkipped:
        return Read::kDone;
      case Protocol::Ticket::kTaken:
        break;
    }
    switch (Protocol::pin(Ring::state(index), ticket)) {
      case Protocol::Pin::kGone:
        return Read::kDone;
      case Protocol::Pin::kBusy:
        return Read::kBusy;
      case Protocol::Pin::kPinned:
        break;
    }
    uint32_t words = 0;
    const typename Protocol::Count counted = Protocol::count(
        Ring::commit(index), ticket, [&] { return cursor_words(index); }, &words);
    const bool closed = counted == Protocol::Count::kClosed;
    if (counted != Protocol::Count::kNotOpen) use(index, words, closed);
    Protocol::unpin(Ring::state(index));
    return closed ? Read::kDone : Read::kAgain;
  }
};

using Protocol = PageProtocol<Atomic<uint64_t>>;  // the recorder's

// Ring walk: how one reader goes round the ring: which tickets it reads, in which order, and which it has to come back
// to. Guarantees:
//   - The pages of each track are handed out in the order in which the track took them.
//   - Every page that stays in the ring until the reader comes by is handed out whole, also one whose thread has kept it
//     for laps; except to a reader that cannot find it because its thread is a lap late (page_ring.h), or whose list of
//     open pages is full. What is not handed out shows as a gap in the track's sequence numbers.
//   - Nothing is handed out twice.
//
// A template over the steps of page_ring.h, as they are: the explorer of tests/model runs this code, too.

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

#endif  // FLAMELET_SRC_PAGE_RING_H
