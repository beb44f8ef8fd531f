// SPDX-License-Identifier: MIT
//
// flamelet/waits.h: adds up the waits of a capture (flamelet/lock.h) into a table of locks: how often and how long threads
// waited for each, who held it, who waited. A convoy, many threads that wait for one lock in one stretch, is a row of its own.
//
//   flamelet_waits_begin(waits, capture, begin_ns, end_ns);
//   while (!flamelet_waits_step(waits, spans, 4096, SIZE_MAX)) {}
//   flamelet_waits_summary summary = flamelet_waits_result(waits);
//   flamelet_waits_sort(summary.rows, summary.row_count, FLAMELET_WAITS_TOTAL, true, capture, order);
//
// Threads:   one thread at a time per flamelet_waits. No global state.
// Lifetime:  everything lies in the caller's memory; there is nothing to destroy. Rows are valid until the next begin.
// Units:     nanoseconds. A wait counts with its whole length, also what is outside of the window.
// Cost:      a step reads the spans of a stretch of time on all threads, not more than it is told. No allocation.
#ifndef FLAMELET_WAITS_H
#define FLAMELET_WAITS_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_waits flamelet_waits;

#define FLAMELET_WAITS_CONVOY 3u  // so many threads make a convoy

// A lock: a kind of wait with a name. Or a convoy at one.
typedef struct flamelet_lock_waits {
  uint32_t site;     // flamelet_capture_site(): its name is the kind: "lock", "condition"
  uint32_t name;     // flamelet_capture_string(): of the lock
  bool is_convoy;    // one stretch without a moment in which nobody waited
  uint32_t threads;  // that waited
  uint64_t waits;
  int64_t total_ns;  // of all threads together
  int64_t longest_ns;
  int64_t begin_ns;  // of the first wait
  int64_t end_ns;    // of the last one
  // The longest wait, and who held the lock as it began: "Loader in Compact log"; 0 = not known.
  int64_t longest_begin_ns;
  uint32_t longest_lane;
  uint32_t longest_holder;  // flamelet_capture_string()
  // Who held the lock while threads waited for the longest sum, and who waited the longest.
  uint32_t holder;
  uint32_t waiter;  // a lane
  int64_t holder_ns;
  int64_t waiter_ns;
} flamelet_lock_waits;

typedef struct flamelet_waits_summary {
  const flamelet_lock_waits* rows;  // locks, in the order in which they were first waited for; then convoys
  size_t row_count;
  size_t lock_count;
  uint64_t wait_count;
  uint64_t left_out_count;    // waits of locks for which there is no row, or no room in one moment
  uint64_t convoys_left_out;  // the shortest ones
} flamelet_waits_summary;

// For so many locks, and as many convoys. `max_waits`: that are sorted at a time. 0 if one of them is 0 or more than 2^20.
FLAMELET_API size_t flamelet_waits_memory_required(uint32_t max_locks, uint32_t max_waits);
// FLAMELET_ERROR_INVALID_ARGUMENT, FLAMELET_ERROR_BUDGET_TOO_SMALL. The memory needs no alignment.
FLAMELET_API flamelet_result flamelet_waits_create(uint32_t max_locks, uint32_t max_waits, void* memory,
                                                   size_t memory_bytes, flamelet_waits** waits);

// Begins to read the waits that overlap [begin_ns, end_ns).
FLAMELET_API void flamelet_waits_begin(flamelet_waits* waits, const flamelet_capture* capture, int64_t begin_ns,
                                       int64_t end_ns);
// Goes on, with an array for spans (capacity: FLAMELET_CURSOR_LEAST or more), for about `most` spans. True at the end, also
// where the capture was updated or destroyed meanwhile: begin anew then.
FLAMELET_API bool flamelet_waits_step(flamelet_waits* waits, flamelet_span* spans, size_t capacity, size_t most);
// What was read so far.
FLAMELET_API flamelet_waits_summary flamelet_waits_result(flamelet_waits* waits);

typedef enum flamelet_waits_column FLAMELET_ANY_ENUM_ {
  FLAMELET_WAITS_NAME = 0,
  FLAMELET_WAITS_COUNT,
  FLAMELET_WAITS_TOTAL,
  FLAMELET_WAITS_LONGEST,
  FLAMELET_WAITS_THREADS,
  FLAMELET_WAITS_BEGIN,
} flamelet_waits_column;

// A row's value in a column; 0 for the name, and for a column that does not exist. Any thread.
FLAMELET_API int64_t flamelet_waits_value(const flamelet_lock_waits* row, flamelet_waits_column column);
// Writes the indices of `rows` into order[0 .. count - 1], sorted by a column. Equal rows, as all are by a column that does not
// exist, by where they begin.
FLAMELET_API void flamelet_waits_sort(const flamelet_lock_waits* rows, size_t count, flamelet_waits_column column,
                                      bool descending, const flamelet_capture* capture, uint32_t* order);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_WAITS_H
