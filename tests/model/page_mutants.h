// SPDX-License-Identifier: MIT
//
// page_mutants.h: the page protocol with something left out or swapped. Each is the shipped code but for one function.
// Not among them, because it breaks no promise: logging a ticket before its page is opened. A reader that comes in
// between finds the page not open yet, and comes back.
#pragma once

#include "page_model.h"

namespace model {

template <class Protocol>
using Steps = flamelet::PageSteps<Protocol, ModelRing>;

// Owning
struct OwnsPinned : Shipped {
  static bool own(Word& state, uint64_t ticket) {
    const uint64_t seen = state.load_relaxed();
    if ((seen & kOwned) != 0 || (seen >> kTicketShift) >= ticket) return false;
    return state.cas_acquire(seen, (ticket << kTicketShift) | kOwned);
  }
};
struct OwnsOwned : Shipped {
  static bool own(Word& state, uint64_t ticket) {
    const uint64_t seen = state.load_relaxed();
    if ((seen & kPins) != 0 || (seen >> kTicketShift) >= ticket) return false;
    return state.cas_acquire(seen, (ticket << kTicketShift) | kOwned);
  }
};
struct OwnsNewer : Shipped {
  static bool own(Word& state, uint64_t ticket) {
    const uint64_t seen = state.load_relaxed();
    if ((seen & (kOwned | kPins)) != 0) return false;
    return state.cas_acquire(seen, (ticket << kTicketShift) | kOwned);
  }
};
struct OwnsWithoutCas : Shipped {
  static bool own(Word& state, uint64_t ticket) {
    const uint64_t seen = state.load_acquire();
    if ((seen & (kOwned | kPins)) != 0 || (seen >> kTicketShift) >= ticket) return false;
    state.store_release((ticket << kTicketShift) | kOwned);
    return true;
  }
};
struct NeverDisowns : Shipped {
  static void disown(Word&) {}
};

// Opening, closing and the log
struct NeverOpens : Shipped {
  static void open(Word&, uint64_t) {}
};
struct NeverCloses : Shipped {
  static void close(Word&, uint64_t, uint32_t) {}
};
struct ClosesTooLong : Shipped {
  static void close(Word& commit, uint64_t ticket, uint32_t words) { Shipped::close(commit, ticket, words + 1); }
};
struct NeverLogs : Shipped {
  static void tell(Word&, uint64_t, bool) {}
};
struct NeverLogsSkips : Shipped {
  static void tell(Word& outcome, uint64_t ticket, bool used) {
    if (used) Shipped::tell(outcome, ticket, used);
  }
};
struct LogsDownwards : Shipped {
  static void tell(Word& outcome, uint64_t ticket, bool used) {
    outcome.store_release((ticket << 1) | (used ? 1u : 0u));
  }
};

// Pinning
struct ReadsUnpinned : Shipped {
  static Pin pin(Word& state, uint64_t ticket) {
    return (state.load_acquire() >> kTicketShift) == ticket ? Pin::kPinned : Pin::kGone;
  }
  static void unpin(Word&) {}
};
struct UnpinsAtOnce : Shipped {
  static Pin pin(Word& state, uint64_t ticket) {
    const Pin result = Shipped::pin(state, ticket);
    if (result == Pin::kPinned) Shipped::unpin(state);
    return result;
  }
  static void unpin(Word&) {}
};
struct NeverUnpins : Shipped {
  static void unpin(Word&) {}
};
struct PinsOtherTickets : Shipped {
  static Pin pin(Word& state, uint64_t) {
    const uint64_t seen = state.load_relaxed();
    return state.cas_acquire(seen, seen + 1) ? Pin::kPinned : Pin::kBusy;
  }
};
struct UnpinsEverybody : Shipped {
  static void unpin(Word& state) { state.fetch_and_release(~kPins); }
};

// Counting and looking up
struct CountsOtherTickets : Shipped {
  template <class CursorWords>
  static Count count(Word& commit, uint64_t, CursorWords cursor_words, uint32_t* words) {
    uint64_t seen = commit.load_acquire();
    if ((seen & kCountMask) == 0) {
      const int64_t open_words = cursor_words();
      if (open_words >= 0) {
        *words = static_cast<uint32_t>(open_words);
        return Count::kOpen;
      }
      seen = commit.load_acquire();
      if ((seen & kCountMask) == 0) return Count::kNotOpen;
    }
    *words = static_cast<uint32_t>((seen & kCountMask) - 1);
    return Count::kClosed;
  }
};
struct CountsOnce : Shipped {
  template <class CursorWords>
  static Count count(Word& commit, uint64_t ticket, CursorWords cursor_words, uint32_t* words) {
    const uint64_t seen = commit.load_acquire();
    if ((seen >> kCountShift) != ticket) return Count::kNotOpen;
    const int64_t open_words = cursor_words();
    if ((seen & kCountMask) == 0 && open_words >= 0) {
      *words = static_cast<uint32_t>(open_words);
      return Count::kOpen;
    }
    *words = static_cast<uint32_t>((seen & kCountMask) - 1);
    return Count::kClosed;
  }
};
struct TakesPendingForSkipped : Shipped {
  static Ticket look_up(const Word& entry, uint64_t ticket) {
    const Ticket found = Shipped::look_up(entry, ticket);
    return found == Ticket::kPending ? Ticket::kSkipped : found;
  }
};
struct TakesOverwrittenForSkipped : Shipped {
  static Ticket look_up(const Word& entry, uint64_t ticket) {
    const uint64_t seen = entry.load_acquire();
    if ((seen >> 1) < ticket) return Ticket::kPending;
    return seen == ((ticket << 1) | 1) ? Ticket::kTaken : Ticket::kSkipped;
  }
};

// The order of the writer's steps
struct DisownsBeforeClose : Steps<Shipped> {
  static void leave(uint32_t index, uint64_t ticket, uint32_t words) {
    Shipped::disown(ModelRing::state(index));
    Shipped::close(ModelRing::commit(index), ticket, words);
  }
};
// take() with its steps in another order: once(ticket, index) is one try.
template <class Once>
bool take_with(Once once) {
  for (uint32_t tries = 0; tries < scene.pages; ++tries) {
    const uint64_t ticket = Shipped::take_ticket(ModelRing::next_ticket());
    if (once(ticket, static_cast<uint32_t>(ticket % scene.pages))) return true;
  }
  return false;
}
struct OpensBeforeHeader : Steps<Shipped> {
  template <class Prepare>
  static bool take(Prepare prepare) {
    return take_with([&](uint64_t ticket, uint32_t index) {
      const bool owned = Shipped::own(ModelRing::state(index), ticket);
      if (owned) {
        Shipped::open(ModelRing::commit(index), ticket);
        prepare(index, ticket);
      }
      Shipped::tell(ModelRing::outcome(index), ticket, owned);
      return owned;
    });
  }
};
struct WritesBeforeOwning : Steps<Shipped> {
  template <class Prepare>
  static bool take(Prepare prepare) {
    return take_with([&](uint64_t ticket, uint32_t index) {
      prepare(index, ticket);
      const bool owned = Shipped::own(ModelRing::state(index), ticket);
      if (owned) Shipped::open(ModelRing::commit(index), ticket);
      Shipped::tell(ModelRing::outcome(index), ticket, owned);
      return owned;
    });
  }
};
struct LogsBeforeOwning : Steps<Shipped> {
  template <class Prepare>
  static bool take(Prepare prepare) {
    return take_with([&](uint64_t ticket, uint32_t index) {
      Shipped::tell(ModelRing::outcome(index), ticket, true);
      if (!Shipped::own(ModelRing::state(index), ticket)) return false;
      prepare(index, ticket);
      Shipped::open(ModelRing::commit(index), ticket);
      return true;
    });
  }
};

}  // namespace model
