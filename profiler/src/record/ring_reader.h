// SPDX-License-Identifier: MIT
//
// ring_reader.h: what a reader may see of the running recorder. The capture, flamelet::events and flamelet::perf stand
// on this and on page.h, and on nothing else of the recording side.
//
// Threads: a RingReader belongs to one thread. Any number of them may poll while others record.
// Exported: what those two, libraries of their own, read by. No public header declares it.
#ifndef FLAMELET_SRC_RING_READER_H
#define FLAMELET_SRC_RING_READER_H

#include "flamelet/base.h"
#include "record/page.h"
#include "record/page_ring.h"
#include "record/session.h"

namespace flamelet {

struct Ring;  // track.h

// New words of one page. The pointers are valid during the call that hands the part out.
struct PagePart {
  uint64_t ticket;           // identifies this use of the page; rises in the order in which pages were taken
  const PageHeader* header;  // commit, state, last_ticks and name are not yet written while !closed
  const uint64_t* words;     // the page's words from 0
  uint32_t first;            // words [first, count) are new; earlier ones were handed out before
  uint32_t count;
  bool closed;  // no more words will come; last_ticks and name are final
};

struct TrackRecord {
  uint32_t id;
  uint32_t fiber;  // not 0: this is a fiber's name, and `id` is the fiber's id
  flamelet_track_kind kind;
  uint32_t name;    // string id; 0 = not named
  bool ended;       // its thread has exited: `events` is final
  uint64_t events;  // recorded so far. What a reader misses of an ended track's events after its last page is lost
};

class RingReader {
 public:
  using PartFunction = void (*)(void* user, const PagePart& part);

  // Each open page that was seen needs a place; one per track is enough, because a track owns one page at a time.
  static constexpr uint32_t kMaxOpen = FLAMELET_MAX_TRACKS + 64;

  // Hands out what is new since the last poll: for each track in the order of its events. False if no recorder runs.
  // A new session starts from its beginning (see session()).
  FLAMELET_API bool poll(PartFunction function, void* user);

  // The session that the last poll read; changes with every flamelet_init().
  uint32_t session() const { return session_; }
  // The last poll met the pages with this ticket or a higher one for the first time.
  uint64_t first_ticket() const { return walk_.first_ticket(); }

 private:
  uint32_t session_ = 0;
  RingWalk<Protocol, Ring, kMaxOpen> walk_;
};

// What the running recorder holds at most. False, and all 0, if none runs.
struct RingSize {
  uint32_t pages, sites, strings;
  size_t string_bytes;
  bool has_fibers, has_switches;
};
bool get_ring_size(RingSize* size);

// Tables of the running session. Each returns the number of entries so far; `get` is false for an entry that is still
// being written (ask again later) or that does not exist. To be called under a SessionGuard; poll() has its own.
// Changes with every flamelet_init().
FLAMELET_API uint32_t running_session();
uint32_t string_count();
FLAMELET_API bool get_string(uint32_t id, flamelet_string* text);
uint32_t site_count();
FLAMELET_API bool get_site(uint32_t id, SiteRecord* site);
// Counts an end that a library on top found no begin for. On no track: the calling thread may have none.
FLAMELET_API void count_extra_end();
// By position in the static tables, 0 .. track_slots() - 1; false for an unused place. A slot that was recycled shows
// its newest user.
FLAMELET_API uint32_t track_slots();
// All tracks are in the first of the slots. Grows: to be asked for again before each walk.
uint32_t used_track_slots();
FLAMELET_API bool get_track(uint32_t slot, TrackRecord* track);
// By its id; false if another fiber has its place now.
FLAMELET_API bool get_fiber(uint32_t id, TrackRecord* fiber);
// Events recorded by all tracks that have ended: with those of the live ones, everything. What cannot be attributed to
// a track (its slot was recycled before the reader asked) is what is missing from this sum.
uint64_t ended_events();

// The tracks of a slot that have ended: those up to `id`, which recorded `events` together. If one ends just now, `id` may
// be that one's already and `events` not yet with it; never the other way round.
struct SlotEnds {
  uint32_t id;
  uint64_t events;
};
FLAMELET_API SlotEnds slot_ends(uint32_t slot);

// ---- The pages as they lie in memory, for those who come back to them ------------------------------------------------

struct RingPages {
  Page* pages;
  uint32_t count;
  uint64_t head;  // the next ticket
};
FLAMELET_API RingPages ring_pages();  // under a SessionGuard
// Waits a little while the page has as many readers as it can have. kPinned: call Protocol::unpin.
FLAMELET_API Protocol::Pin pin_ticket(Page* page, uint64_t ticket);

// By address; for callers who are not trusted to name a page of the ring. The pin holds the session until the unpin: the
// shutdown waits for it. False: no page, never used, or held by as many readers as can be.
FLAMELET_API bool pin_page(const void* address);
FLAMELET_API void unpin_page(const void* address);
// Under a SessionGuard. Returns how many words of the page there are; 0: no page, or not in use.
FLAMELET_API uint32_t copy_page(const void* address, PageHeader* header, uint64_t (&words)[kPageWords]);

// How far the cursor of its track is into an open page, or -1.
int64_t page_cursor_words(const Page* page);

}  // namespace flamelet

#endif  // FLAMELET_SRC_RING_READER_H
