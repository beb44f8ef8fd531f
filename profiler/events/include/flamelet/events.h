// SPDX-License-Identifier: MIT
//
// flamelet/events.h: what was recorded, event by event: for engines that ship events elsewhere, and for those that know
// an older recorder's API (copy, buffer). Link flamelet::events. To look at frames and spans, use capture.h.
//
//   flamelet_events_config config = flamelet_events_config_default();
//   flamelet_events* events = NULL;
//   flamelet_events_create(&config, &events);
//   ...                                        now and then:
//   flamelet_events_copy(events, dest, next, 1000, &start, &count);
//   lost += start - next;
//   next = start + count;
//
// Order:     every event has a global index, from 0, for the life of the session. A call first gives indices to what is
//            new: track by track, and within a track in the order of recording. An index never changes its event. Events
//            that were overwritten before any call saw them have indices too: recorded = read + lost, exactly, once all
//            threads have ended or are at rest. (A NEXT is two events, and one if it was lost unseen.)
// Threads:   one thread at a time for each flamelet_events; several of them, from different threads, at once. Threads
//            that record never wait.
// Lifetime:  a flamelet_events may be created before the recorder starts, and lives on when it stops; a new session
//            starts at index 0. name, category and object point into the recorder and live until flamelet_shutdown().
// Units:     time_ticks is in ticks of the recorder's clock, also for submitted events.
// Memory:    one allocation. Events are not copied before they are asked for; an entry of the index takes 24 bytes.
// Cost:      a call decodes what is new since the last one, and what it writes.
// When full: what the ring has overwritten, or the index has forgotten, is gone: actual_start moves up.
#ifndef FLAMELET_EVENTS_H
#define FLAMELET_EVENTS_H

#include "flamelet/recorder.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_events flamelet_events;

typedef struct flamelet_events_config {
  uint32_t cookie;  // set by flamelet_events_config_default()
  flamelet_allocator allocator;
  uint32_t max_parts;  // entries of the index, 1 .. 2^24 (default 16384). Each call uses one for each page with news
} flamelet_events_config;

FLAMELET_API flamelet_events_config flamelet_events_config_default(void);
// What flamelet_events_create() allocates, or 0 if the config is invalid.
FLAMELET_API size_t flamelet_events_memory_required(const flamelet_events_config* config);
FLAMELET_API flamelet_result flamelet_events_create(const flamelet_events_config* config, flamelet_events** events);
FLAMELET_API void flamelet_events_destroy(flamelet_events* events);  // NULL is fine

// flamelet_event (recorder.h) as it is given out:
//   type   meaning           id
//   'B'    begin             of the scope; on an external track what was submitted: the link
//   'E'    end               of the scope; the name is repeated
//   'I'    instant           0
//   'C'    counter           the value: flamelet_event_value()
//   'S'    start             of the interval
//   'F'    finish            of the interval; no name
//   'W'    fiber switch      from | to << 32
//   'M'    frame mark        index of the frame that begins
//   'm'    named frame mark  index of the frame that begins in its set; the name is the set's
// missing_end: the end was missing and came with an outer scope's end. A submitted 'B' and its 'E' follow each other.
FLAMELET_API double flamelet_event_value(const flamelet_event* event);

// Writes up to `count` events from index `start` on. *actual_start: index of the first one written; more than `start` if
// events are gone. *actual_count: how many were written, without a gap between them: it ends where events are gone, and
// the next call, from *actual_start + *actual_count, goes on behind them. 0 events: nothing more was recorded so far. A
// start in the future gives 0 events and *actual_start = the number of events recorded so far.
// FLAMELET_ERROR_NOT_INITIALIZED: no recorder runs.
FLAMELET_API flamelet_result flamelet_events_copy(flamelet_events* events, flamelet_event* dest, uint64_t start,
                                                  size_t count, uint64_t* actual_start, size_t* actual_count);

// ---- Without copying -------------------------------------------------------------------------------------------------

// A run of ring pages that lie behind each other in memory.
typedef struct flamelet_buffer_part {
  const void* pages;  // page_count pages of FLAMELET_PAGE_BYTES; NULL if the part is empty
  size_t page_count;
  uint64_t start;  // global index of the part's oldest event that has one; UINT64_MAX if none has
} flamelet_buffer_part;

// The ring as it is, in two parts: before and after the place where it wraps; the first has the older pages.
typedef struct flamelet_buffer {
  uint64_t total_recorded;  // events that have an index
  flamelet_buffer_part parts[2];
} flamelet_buffer;

// The pages stay readable until flamelet_shutdown(), but running threads write to them: an unpinned page may change while
// it is read, so stop the threads first, or pin.
FLAMELET_API flamelet_result flamelet_events_buffer(flamelet_events* events, flamelet_buffer* buffer);

// These three are about the ring and need no flamelet_events. Any thread.
//
// Pins the page at `page` (an address inside a part): until it is unpinned, it is not reused, and the events that
// flamelet_events_decode_page() gives are whole. False: never used, or pinned by another reader; try later. Keep a pin
// short, and a page or two at a time: the ring goes round the pinned ones. Unpin before the shutdown, which waits for it.
// To unpin what nobody has pinned does nothing, but must not meet a shutdown on another thread.
FLAMELET_API bool flamelet_events_pin_page(const void* page);
FLAMELET_API void flamelet_events_unpin_page(const void* page);

// The events of a page, oldest first. Returns how many there are; the first `capacity` are written. A page that is
// neither pinned nor at rest may give nonsense events, but nothing outside the page is read. Scopes that were open at
// the page's start give no event.
FLAMELET_API size_t flamelet_events_decode_page(const void* page, flamelet_event* events, size_t capacity);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_EVENTS_H
