// SPDX-License-Identifier: MIT
//
// flamelet/events.h: recorded events one by one, for engines that send events elsewhere, or that know an older
// recorder's API (copy, buffer). Link flamelet::events. For frames and spans, use capture.h.
//
//   flamelet_events_config config = flamelet_events_config_default();
//   flamelet_events* events = NULL;
//   flamelet_events_create(&config, &events);
//   ...                                        now and then:
//   flamelet_events_copy(events, dest, next, 1000, &start, &count);
//   lost += start - next;
//   next = start + count;
//
// Order:     every event has a global index, from 0, for the life of the session. Each call first gives indices to new
//            events, track by track, within a track in the order of recording. An event keeps its index. Events that
//            were overwritten unseen have indices, too: recorded = read + lost, exactly, once all threads have ended or
//            are at rest. (A NEXT counts as two events, and an end that ends inner scopes, too, as one for each. If it
//            was overwritten unseen, either is one: nobody knows how many they were.)
// Threads:   one thread at a time for each flamelet_events. Different threads may use different ones at the same time.
//            Recording threads never wait.
// Lifetime:  a flamelet_events may be created before the recorder starts, and survives its stop; a new session starts
//            at index 0. name, category and object point into the recorder and live until flamelet_shutdown().
// Units:     time_ticks is in ticks of the recorder's clock, also for submitted events.
// Memory:    one allocation. It holds an index with 24 bytes an entry, and no copies of events.
// Cost:      a call decodes the events that are new since the last call, and those that it writes.
// When full: events that the ring has overwritten or the index has dropped are lost: actual_start moves up.
#ifndef FLAMELET_EVENTS_H
#define FLAMELET_EVENTS_H

#include "flamelet/recorder.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_events flamelet_events;

typedef struct flamelet_events_config {
  uint32_t cookie;  // set by flamelet_events_config_default()
  flamelet_allocator allocator;
  // Entries of the index, 1 .. 2^24 (default 16384). Each call uses one for each page with new events.
  uint32_t max_parts;
} flamelet_events_config;

FLAMELET_API flamelet_events_config flamelet_events_config_default(void);
// What flamelet_events_create() allocates, or 0 if the config is invalid.
FLAMELET_API size_t flamelet_events_memory_required(const flamelet_events_config* config);
FLAMELET_API flamelet_result flamelet_events_create(const flamelet_events_config* config, flamelet_events** events);
FLAMELET_API void flamelet_events_destroy(flamelet_events* events);  // NULL is fine

// The fields of a flamelet_event (recorder.h) that was copied:
//   type   meaning           id
//   'B'    begin             of the scope; on an external track the submitted one
//   'E'    end               of the scope; the name is repeated
//   'I'    instant           0
//   'C'    counter           the value: flamelet_event_value()
//   'S'    start             of the interval
//   'F'    finish            of the interval; no name
//   'W'    fiber switch      from | to << 32
//   'D'    fiber destroyed   fiber | its open scopes << 32, which end here without ends of their own
//   'M'    frame mark        index of the frame that begins
//   'm'    named frame mark  index of the frame that begins in its set; the name is the set's
//   's'    begin of a flow   of the flow; no name
//   'f'    end of a flow     of the flow; no name
//   'X'    switch of a thread  the thread | processor << 32 | what << 48: 0 runs, 1 waits, 2 was taken off, 3 some were lost
// missing_end: an outer scope's end ended this scope. A submitted 'B' and its 'E' follow each other.
FLAMELET_API double flamelet_event_value(const flamelet_event* event);

// Writes up to `count` events from index `start` on. *actual_start is the index of the first one written; it is more
// than `start` if events are lost. *actual_count is how many were written, without a gap between them. Continue with
// start = *actual_start + *actual_count; the next call skips lost events. 0 events: nothing more was recorded so far. A
// `start` beyond the newest event gives 0 events and *actual_start = the number of events recorded so far.
// FLAMELET_ERROR_NOT_INITIALIZED: no recorder runs.
FLAMELET_API flamelet_result flamelet_events_copy(flamelet_events* events, flamelet_event* dest, uint64_t start,
                                                  size_t count, uint64_t* actual_start, size_t* actual_count);

// ---- Without copying -------------------------------------------------------------------------------------------------

// Ring pages that are contiguous in memory.
typedef struct flamelet_buffer_part {
  const void* pages;  // page_count pages of FLAMELET_PAGE_BYTES; NULL if the part is empty
  size_t page_count;
  uint64_t start;  // global index of the part's oldest event that has one; UINT64_MAX if none has
} flamelet_buffer_part;

// The ring itself, in two parts: before and after the place where it wraps. The first part has the older pages.
typedef struct flamelet_buffer {
  uint64_t total_recorded;  // events that have an index
  flamelet_buffer_part parts[2];
} flamelet_buffer;

// The pages stay readable until flamelet_shutdown(), but recording threads write to them. So stop the threads first, or
// pin a page while you read it.
FLAMELET_API flamelet_result flamelet_events_buffer(flamelet_events* events, flamelet_buffer* buffer);

// These three need no flamelet_events. Any thread.
//
// Pins the page at `page` (an address inside a part). A pinned page is not reused, so the events from
// flamelet_events_decode_page() are whole. False: the page was never used, or another reader has pinned it; try later.
// Pin only a page or two at a time, and only for a short time: the ring skips pinned pages. Unpin before the shutdown,
// which waits for it. Unpinning a page that is not pinned does nothing, but must not run during a shutdown.
FLAMELET_API bool flamelet_events_pin_page(const void* page);
FLAMELET_API void flamelet_events_unpin_page(const void* page);

// Writes the events of a page, oldest first. Returns how many there are; only the first `capacity` are written. A page
// that is not pinned may give wrong events if a thread writes to it, but nothing outside the page is read. Scopes that
// were open at the page's start give no event.
FLAMELET_API size_t flamelet_events_decode_page(const void* page, flamelet_event* events, size_t capacity);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_EVENTS_H
