// SPDX-License-Identifier: MIT
//
// flamelet/events.h: what was recorded, event by event, in the order in which it became visible: for engines that ship
// events elsewhere, and for those that know the older recorder API (copy, buffer). To look at frames and spans, use
// capture.h.
//
// Order:     every event has a global index, from 0, for the life of the session. A call first gives indices to what is
//            new: track by track, and within a track in the order of recording. An index never changes its event.
//            Events that the ring overwrote before any call saw them have indices too; a NEXT among them counts as one.
// Threads:   any thread; one call at a time, others wait for it. Threads that record never wait.
// Lifetime:  name, category and object point into the recorder and live until flamelet_shutdown().
// Units:     time_ticks is in ticks of the recorder's clock, also for submitted events.
// Memory:    nothing is copied before it is asked for. An index entry takes 24 bytes; config.max_copy_parts (0 turns
//            these calls off) says how many there are. Each call uses at least one for each track with news.
// When full: what the ring has overwritten, or the index has forgotten, is gone: actual_start moves up.
#ifndef FLAMELET_EVENTS_H
#define FLAMELET_EVENTS_H

#include "flamelet/recorder.h"

FLAMELET_EXTERN_C_BEGIN

// flamelet_event (recorder.h) as it is given out:
//   type   meaning           id
//   'B'    begin             of the scope
//   'E'    end               of the scope; the name is repeated
//   'I'    instant           0
//   'C'    counter           the value: flamelet_event_value()
//   'S'    start             of the interval
//   'F'    finish            of the interval; no name
//   'W'    fiber switch      from | to << 32
//   'M'    frame mark        index of the frame that begins
// reserved[0] is 1 for an end that was missing and came with an outer scope's end.
FLAMELET_API double flamelet_event_value(const flamelet_event* event);

// Writes up to `count` events from index `start` on. *actual_start: index of the first one written; more than `start` if
// the oldest are gone. *actual_count: how many were written, without a gap between them. A start in the future gives 0
// events and *actual_start = the number of events recorded so far. FLAMELET_ERROR_LIMIT: config.max_copy_parts is 0.
FLAMELET_API flamelet_result flamelet_copy(flamelet_event* dest, uint64_t start, size_t count, uint64_t* actual_start,
                                           size_t* actual_count);

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

// The pages stay readable until flamelet_shutdown(), but running threads write to them: an unpinned page may change under
// the reader's eyes, so stop the threads first, or pin.
FLAMELET_API flamelet_result flamelet_get_buffer(flamelet_buffer* buffer);

// Pins the page at `page` (an address inside a part): until it is unpinned, it is not reused, and the events that
// flamelet_decode_page() gives are whole. False: never used, or pinned by another reader; try later. Keep a pin short,
// and a page or two at a time: the ring goes round the pinned ones. Unpin before the shutdown, which waits for it. To
// unpin what nobody has pinned does nothing, but must not meet a shutdown on another thread.
FLAMELET_API bool flamelet_pin_page(const void* page);
FLAMELET_API void flamelet_unpin_page(const void* page);

// The events of a page, oldest first. Returns how many there are; the first `capacity` are written. A page that is
// neither pinned nor at rest may give nonsense events, but nothing outside the page is read. Scopes that were open at
// the page's start give no event.
FLAMELET_API size_t flamelet_decode_page(const void* page, flamelet_event* events, size_t capacity);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_EVENTS_H
