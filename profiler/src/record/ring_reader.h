// SPDX-License-Identifier: MIT
//
// ring_reader.h: what a reader may see of the running recorder. The capture stands on this and on page.h, and on
// nothing else of the recording side.
//
// Threads: a RingReader belongs to one thread. Any number of them may poll while others record.
// Exported: what flamelet::perf, a library of its own, reads by. No public header declares it.
#ifndef FLAMELET_SRC_RING_READER_H
#define FLAMELET_SRC_RING_READER_H

#include "flamelet/base.h"
#include "record/page.h"
#include "record/ring_walk.h"

namespace flamelet {

struct Ring;  // session.h

// New words of one page. The pointers are valid during the call that hands the part out.
struct PagePart {
  uint64_t ticket;           // identifies this use of the page; rises in the order in which pages were taken
  const PageHeader* header;  // commit, state, last_ticks and event_count are not yet written while !closed
  const uint64_t* words;     // the page's words from 0
  uint32_t first;            // words [first, count) are new; earlier ones were handed out before
  uint32_t count;
  bool closed;  // no more words will come; last_ticks and event_count are final
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

 private:
  uint32_t session_ = 0;
  RingWalk<Protocol, Ring, kMaxOpen> walk_;
};

// Tables of the running session. Each returns the number of entries so far; `get` is false for an entry that is still
// being written (ask again later) or that does not exist. To be called between begin_read() and end_read(), which
// keep the session's memory alive; begin_read() is false if no recorder runs. poll() does this by itself.
FLAMELET_API bool begin_read();
FLAMELET_API void end_read();
// The session that runs.
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
FLAMELET_API bool get_track(uint32_t slot, TrackRecord* track);
// Events recorded by all tracks that have ended: with those of the live ones, everything. What cannot be attributed to
// a track (its slot was recycled before the reader asked) is what is missing from this sum.
uint64_t ended_events();

}  // namespace flamelet

#endif  // FLAMELET_SRC_RING_READER_H
