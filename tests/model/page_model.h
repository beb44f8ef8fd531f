// SPDX-License-Identifier: MIT
//
// page_model.h: the page protocol of the recorder, page_ring.h, on the machine. The steps and their order are the
// shipped code; the words are the machine's; what stands around them (a track that fills pages, a reader that polls) is
// written here after track.cpp and ring_reader.cpp, as small as it can be.
//
// Properties, checked in every execution:
//   - no plain access races with another: header, words, closing fields
//   - a reader gets no word that was not written for that place
//   - the events of each track come in their order, and a page's header tells exactly how many are missing before it
//   - the end of a page is final, and its closing fields are whole; a page without an owner is seen closed
//   - a writer finds a page where there are enough
//   - once everybody has finished, a reader gets everything that is still in the ring
#pragma once

#include "machine.h"
#include "record/page_ring.h"

namespace model {

constexpr int kMaxPages = 3;
constexpr int kMaxWords = 2;  // of a page
constexpr int kTracks = 2;

// What a run looks like. Fixed before the machine starts.
struct Scene {
  uint32_t pages = 2;                // in the ring
  uint32_t takes[kTracks] = {3, 0};  // pages that each track takes
  uint32_t words = 1;                // that it writes to each
  uint32_t passes = 1;               // of the reader while the writers run
  bool used_before = false;          // page 0 holds an earlier ticket's events
  bool reader = true;
  int pinners = 0;         // threads that pin page 0
  bool stays = false;      // the writers keep their last page open
  bool must_take = false;  // there are enough pages for every take to succeed
};
extern Scene scene;

// What a writer does in the wrong order: what stands in track.cpp and record.h and not in page_ring.h.
enum class Slip { kNone, kCursorAfterOpen, kCursorBeforeWord, kClosingFieldsAfterClose, kCloseAfterTake };
extern Slip slip;

// Which step of the protocol loses its memory order: it becomes relaxed.
enum class Site {
  kNone,
  kTakeTicket,
  kOwn,
  kOpen,
  kLog,
  kCursorStore,
  kClose,
  kDisown,
  kLookUp,
  kPin,
  kCount,
  kCursorLoad,
  kCountAgain,
  kUnpin,
  kHead,
};
extern Site weakened;

// ---- A word of page_ring.h, with the operations of Atomic ------------------------------------------------------------

struct ModelWord {
  uint8_t location;

  static Site site;  // of the step that is taken now
  static Order order(Order wanted) { return site == weakened && site != Site::kNone ? Order::kRelaxed : wanted; }

  uint64_t load_relaxed() const { return Machine::running().load(location, Order::kRelaxed); }
  uint64_t load_acquire() const { return Machine::running().load(location, order(Order::kAcquire)); }
  void store_release(uint64_t value) { Machine::running().store(location, value, order(Order::kRelease)); }
  bool cas_acquire(uint64_t expected, uint64_t desired) {
    return Machine::running().compare_exchange(location, expected, desired, order(Order::kAcquire));
  }
  bool cas_release(uint64_t expected, uint64_t desired) {
    return Machine::running().compare_exchange(location, expected, desired, order(Order::kRelease));
  }
  void fetch_and_release(uint64_t mask) { Machine::running().fetch_and(location, mask, order(Order::kRelease)); }
  uint64_t fetch_add_release(uint64_t value) {
    return Machine::running().fetch_add(location, value, order(Order::kRelease));
  }
};

// ---- Where things are ------------------------------------------------------------------------------------------------

struct ModelRing {
  static uint32_t page_count() { return scene.pages; }
  static ModelWord& next_ticket() { return words[0]; }
  static ModelWord& cursor(uint64_t track) { return words[1 + track]; }
  static ModelWord& state(uint32_t page) { return words[3 + 3 * page]; }
  static ModelWord& commit(uint32_t page) { return words[4 + 3 * page]; }
  static ModelWord& outcome(uint32_t page) { return words[5 + 3 * page]; }
  static ModelWord words[kMaxLocations];
};
// Plain.
inline int header_of(uint32_t page) {
  return static_cast<int>(page * (2 + kMaxWords));
}
inline int closing_of(uint32_t page) {
  return header_of(page) + 1;
}
inline int word_of(uint32_t page, uint32_t word) {
  return header_of(page) + 2 + static_cast<int>(word);
}

// The shipped protocol, each step with its name for `weakened`.
struct Shipped : flamelet::PageProtocol<ModelWord> {
  using Base = flamelet::PageProtocol<ModelWord>;
  static uint64_t take_ticket(Word& next_ticket) {
    return ModelWord::site = Site::kTakeTicket, Base::take_ticket(next_ticket);
  }
  static bool own(Word& state, uint64_t ticket) { return ModelWord::site = Site::kOwn, Base::own(state, ticket); }
  static void open(Word& commit, uint64_t ticket) { ModelWord::site = Site::kOpen, Base::open(commit, ticket); }
  static void tell(Word& outcome, uint64_t ticket, bool used) {
    ModelWord::site = Site::kLog, Base::tell(outcome, ticket, used);
  }
  static void close(Word& commit, uint64_t ticket, uint32_t words) {
    ModelWord::site = Site::kClose, Base::close(commit, ticket, words);
  }
  static void disown(Word& state) { ModelWord::site = Site::kDisown, Base::disown(state); }
  // What readers were told, for check_complete(): see there. Of the body that runs now.
  struct Told {
    uint32_t gone_count;
    uint64_t gone[8];  // tickets that they gave up
    bool unowned;      // the page that was pinned last had no owner then
    uint64_t end;
    uint64_t looked_at[kMaxPages];  // the ticket that add_survivors() found in each page, and the end then
    uint64_t looked_until[kMaxPages];
  };
  static Told told;
  static Pin pin(Word& state, uint64_t ticket) {
    ModelWord::site = Site::kPin;
    const Pin result = Base::pin(state, ticket);
    told.unowned = false;
    if (result == Pin::kGone) told.gone[told.gone_count++] = ticket;
    if (result == Pin::kPinned) told.unowned = (Machine::running().newest(state.location) & kOwned) == 0;
    return result;
  }
  static void unpin(Word& state) { ModelWord::site = Site::kUnpin, Base::unpin(state); }
  template <class CursorWords>
  static Count count(Word& commit, uint64_t ticket, CursorWords cursor_words, uint32_t* words) {
    ModelWord::site = Site::kCount;
    const auto named = [&cursor_words] {
      ModelWord::site = Site::kCursorLoad;
      const int64_t found = cursor_words();
      ModelWord::site = Site::kCountAgain;
      return found;
    };
    const Count result = Base::count(commit, ticket, named, words);
    Machine::running().check(!told.unowned || result == Count::kClosed, "a page without an owner is not closed");
    return result;
  }
  static Ticket look_up(const Word& entry, uint64_t ticket) {
    return ModelWord::site = Site::kLookUp, Base::look_up(entry, ticket);
  }
  static uint64_t newest(const Word& next_ticket) {
    ModelWord::site = Site::kHead;
    return told.end = Base::newest(next_ticket);
  }
  static uint64_t ticket_of(const Word& state) {
    const uint64_t ticket = Base::ticket_of(state);
    const uint32_t page = (state.location - 3u) / 3;
    told.looked_at[page] = ticket;
    told.looked_until[page] = told.end - scene.pages;
    return ticket;
  }
};

// ---- A track, as track.cpp fills pages -------------------------------------------------------------------------

inline uint64_t word_value(uint64_t track, uint64_t event) {
  return 100 * (track + 1) + event;
}
// The cursor: which page it is in, and how far.
inline uint64_t cursor_at(uint32_t page, uint32_t words) {
  return 1 + page * 16 + words;
}
inline void move_cursor(uint32_t track, uint32_t page, uint32_t words) {
  ModelWord::site = Site::kCursorStore;
  ModelRing::cursor(track).store_release(cursor_at(page, words));
}
inline int64_t cursor_words(uint64_t track, uint32_t page) {
  const uint64_t cursor = ModelRing::cursor(track).load_acquire();
  if (cursor < cursor_at(page, 0) || cursor > cursor_at(page, kMaxWords)) return -1;
  return static_cast<int64_t>(cursor - cursor_at(page, 0));
}

template <class Steps, uint32_t kTrack>
void write_pages() {
  Machine& machine = Machine::running();
  uint32_t event = 0;
  uint32_t left_page = kMaxPages;  // of Slip::kCloseAfterTake
  uint64_t left_ticket = 0;
  for (uint32_t i = 0; i < scene.takes[kTrack]; ++i) {
    uint32_t page = 0;
    uint64_t ticket = 0;
    const bool taken = Steps::take([&](uint32_t index, uint64_t of) {
      page = index;
      ticket = of;
      machine.write_plain(header_of(page), kTrack << 16 | event);
      if (slip != Slip::kCursorAfterOpen) move_cursor(kTrack, page, 0);
    });
    if (taken && slip == Slip::kCursorAfterOpen) move_cursor(kTrack, page, 0);
    if (left_page != kMaxPages) Steps::leave(left_page, left_ticket, scene.words);
    left_page = kMaxPages;
    machine.check(taken || !scene.must_take, "there are pages, and none could be taken");
    if (!taken) continue;  // readers that go from page to page as fast as the writer tries: its events are dropped
    for (uint32_t word = 0; word < scene.words; ++word) {
      if (slip == Slip::kCursorBeforeWord) move_cursor(kTrack, page, word + 1);
      machine.write_plain(word_of(page, word), word_value(kTrack, event++));
      if (slip != Slip::kCursorBeforeWord) move_cursor(kTrack, page, word + 1);
    }
    machine.set_ghost(kTrack, event);
    if (scene.stays && i + 1 == scene.takes[kTrack]) return;
    if (slip != Slip::kClosingFieldsAfterClose) machine.write_plain(closing_of(page), ticket);
    if (slip == Slip::kCloseAfterTake && i + 1 != scene.takes[kTrack]) {
      left_page = page;
      left_ticket = ticket;
    } else {
      Steps::leave(page, ticket, scene.words);
    }
    if (slip == Slip::kClosingFieldsAfterClose) machine.write_plain(closing_of(page), ticket);
  }
  // The thread ends, and the next one that gets the track clears its cursor.
  machine.store(ModelRing::cursor(kTrack).location, 0, Order::kRelaxed);
}

// ---- A reader, as ring_reader.cpp polls ------------------------------------------------------------------------------

template <class Protocol>
class Reader {
 public:
  Reader() {
    Shipped::told = {};
    walk_.start();
  }

  void pass() {
    Machine& machine = Machine::running();
    // The header says whose cursor to ask; its own access comes between the two loads of the commit.
    const auto cursor_in = [&](uint32_t page) { return cursor_words(machine.read_plain(header_of(page)) >> 16, page); };
    walk_.pass(cursor_in, [&](uint64_t ticket, uint32_t page, uint32_t first, uint32_t words, bool closed) {
      machine.check(words <= scene.words, "more words than a page has");
      machine.check(words >= first, "a page became shorter");
      const uint64_t header = machine.read_plain(header_of(page));
      const uint64_t track = header >> 16, event = (header & 0xFFFF) + first;
      machine.check(first == 0 ? event >= expected_[track] : event == expected_[track],
                    "a track's events come in another order");
      for (uint32_t word = first; word < words; ++word)
        machine.check(machine.read_plain(word_of(page, word)) == word_value(track, event + word - first),
                      "a word that was not written for this place");
      expected_[track] = event + words - first;
      if (!closed) return;
      machine.check(machine.read_plain(closing_of(page)) == ticket, "the closing fields of another use");
      for (uint32_t i = 0; i < done_count_; ++i) machine.check(done_[i] != ticket, "a page is handed out twice");
      done_[done_count_++] = ticket;
    });
  }

  // After every writer was joined: what the ring still has was read.
  void check_complete() {
    Machine& machine = Machine::running();
    for (uint32_t page = 0; page < scene.pages; ++page) {
      const uint64_t state = machine.newest(ModelRing::state(page).location);
      const uint64_t ticket = state >> Protocol::kTicketShift;
      machine.check((state & Protocol::kPins) == 0 || scene.pinners != 0, "a page stays pinned");
      if (ticket == 0 || scene.stays) continue;
      machine.check(was_read(ticket) || may_be_missed(page, ticket), "a page in the ring was not read to its end");
    }
    if (scene.stays) {
      for (uint32_t track = 0; track < kTracks; ++track)
        machine.check(expected_[track] == machine.ghost(static_cast<int>(track)), "an open page was not read");
    } else {
      machine.check(walk_.open_count() == 0, "a ticket stays open");
    }
  }

 private:
  bool was_read(uint64_t ticket) const {
    for (uint32_t i = 0; i < done_count_; ++i)
      if (done_[i] == ticket) return true;
    return false;
  }

  // A thread that is more than a lap late between its ticket and its page takes the page after readers have looked, and
  // is missed: its events are counted as lost. They have looked if they came a lap late and found an older ticket in the
  // page, or if they gave the ticket up when its place in the log told of a newer one already.
  bool may_be_missed(uint32_t page, uint64_t ticket) const {
    const Shipped::Told& told = Shipped::told;
    if (ticket > told.looked_at[page] && ticket < told.looked_until[page]) return true;
    if (Machine::running().newest(ModelRing::outcome(page).location) >> 1 <= ticket) return false;
    for (uint32_t i = 0; i < told.gone_count; ++i)
      if (told.gone[i] == ticket) return true;
    return false;
  }

  flamelet::RingWalk<Protocol, ModelRing, 8> walk_;
  uint64_t expected_[kTracks] = {};
  uint32_t done_count_ = 0;
  uint64_t done_[12];
};

}  // namespace model
