// SPDX-License-Identifier: MIT
//
// flamelet/statistics.h: what the spans of a capture add up to, scope by scope, as a table shows it.
//
//   size_t bytes = flamelet_statistics_memory_required(2000, 65536);
//   flamelet_statistics* statistics = flamelet_statistics_create(my_allocate(bytes), bytes, 2000);
//   for each lane:  flamelet_statistics_add(statistics, spans, count);    // of flamelet_capture_read_spans()
//   flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
//   flamelet_statistics_sort(summary.rows, summary.row_count, FLAMELET_COLUMN_TOTAL, true, NULL, order);
//
// A scope here is a site together with a name, so that the dynamic names of one site get a row each.
//
// Threads:   one thread at a time per flamelet_statistics. No global state.
// Lifetime:  everything lies in the memory that the caller hands in; there is nothing to destroy. Rows are valid until
//            the next call with the same flamelet_statistics other than flamelet_statistics_sort().
// Units:     nanoseconds. Sums stop at INT64_MAX. A span that ends before it begins counts as 0 long.
// Cost:      add: constant for each span, a hash lookup. finish: linear in the spans. No allocation, no system call.
// When full: see flamelet_statistics_summary. The same calls always give the same answer.
//
// Percentiles are by nearest rank: the P-th percentile of n durations is the one at rank ceil(P / 100 * n) in rising
// order, which is always a duration that occurred. The median is P = 50: of an even number, the lower one in the
// middle. (R. J. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50, 1996,
// definition 1.) A duration of more than 2^44 ns (4.8 hours) enters the percentiles as that.
#ifndef FLAMELET_STATISTICS_H
#define FLAMELET_STATISTICS_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_statistics flamelet_statistics;

#define FLAMELET_STATISTICS_MAX_SCOPES 1048575u

// How single durations are distributed. All 0 when there were none.
typedef struct flamelet_distribution {
  int64_t min_ns;
  int64_t mean_ns;  // arithmetic, rounded down
  int64_t median_ns;
  int64_t p95_ns;
  int64_t p99_ns;
  int64_t max_ns;
} flamelet_distribution;

typedef struct flamelet_scope_statistics {
  uint32_t site;              // flamelet_capture_site()
  uint32_t name;              // flamelet_capture_string()
  uint64_t count;             // spans, those inside a span of the same scope included
  uint64_t incomplete_count;  // of them: without a begin or an end of their own (span.flags is not 0)
  uint64_t sample_count;      // durations that the percentiles stand on; equal to count: they are exact
  int64_t total_ns;           // inclusive time. A scope that runs inside itself, directly or through others, counts
                              // once: only its outermost spans are added, so total_ns never exceeds the time passed
  int64_t self_ns;            // of all its spans. The time inside a recursion is in the self time of whoever ran then
  flamelet_distribution duration;  // of all its spans, inner ones of a recursion included
} flamelet_scope_statistics;

typedef struct flamelet_statistics_summary {
  const flamelet_scope_statistics* rows;  // in the order in which the scopes were first met
  size_t row_count;
  uint64_t span_count;  // added since the last clear, those left out included
  // More scopes than max_scopes: the spans of those met last have no row and are counted here. The rows stay exact.
  uint64_t left_out_count;
  // More spans than the memory holds: the percentiles are approximate and stand on one span in `sample_stride` of each
  // scope, evenly spread, its first among them. Everything else in the rows stays exact. 1 = all of it is exact.
  uint64_t sample_stride;
} flamelet_statistics_summary;

// The bytes that exact percentiles of `max_spans` spans in `max_scopes` scopes need: 8 for each span, about 150 for
// each scope. 0 if max_scopes is 0 or more than FLAMELET_STATISTICS_MAX_SCOPES, or if the sum has no room in a size_t.
FLAMELET_API size_t flamelet_statistics_memory_required(uint32_t max_scopes, size_t max_spans);

// Lays empty statistics into `memory`, aligned to 8. What max_scopes leaves of it holds spans. NULL if that is less
// than flamelet_statistics_memory_required(max_scopes, max_scopes) or an argument is invalid.
FLAMELET_API flamelet_statistics* flamelet_statistics_create(void* memory, size_t bytes, uint32_t max_scopes);

// Empty again.
FLAMELET_API void flamelet_statistics_clear(flamelet_statistics* statistics);

// Adds one answer of flamelet_capture_read_spans(): one lane, one window. A span counts whole, also where it reaches
// out of the window; so read neighbouring frames as one window, else a span across their border counts twice. A scope
// that was interrupted by a switch of fibers counts once for each of its pieces on a thread's lane, and once as a whole on
// the fiber's: add the lanes of threads or those of fibers, not both.
FLAMELET_API void flamelet_statistics_add(flamelet_statistics* statistics, const flamelet_span* spans, size_t count);

// The rows of everything added so far. More may be added afterwards, and this called again.
FLAMELET_API flamelet_statistics_summary flamelet_statistics_finish(flamelet_statistics* statistics);

// The distribution of any durations, such as those of frames, in linear time. Reorders `durations_ns`.
FLAMELET_API flamelet_distribution flamelet_summarize_durations(int64_t* durations_ns, size_t count);

typedef enum flamelet_statistics_column {
  FLAMELET_COLUMN_NAME = 0,
  FLAMELET_COLUMN_COUNT,
  FLAMELET_COLUMN_TOTAL,
  FLAMELET_COLUMN_SELF,
  FLAMELET_COLUMN_MIN,
  FLAMELET_COLUMN_MEAN,
  FLAMELET_COLUMN_MEDIAN,
  FLAMELET_COLUMN_P95,
  FLAMELET_COLUMN_P99,
  FLAMELET_COLUMN_MAX,
} flamelet_statistics_column;

// What a row has in a column: nanoseconds, or how often the scope ran; 0 for the name. Any thread; takes no time.
FLAMELET_API int64_t flamelet_statistics_value(const flamelet_scope_statistics* row, flamelet_statistics_column column);

// Writes into order[0 .. count - 1] the indices of `rows`, sorted by a column. Rows that are equal there stand by name
// id, then by site id, rising in both directions, so that a live table does not flicker. Names are compared byte by
// byte as `capture` spells them; by id if it is NULL. Takes n log n comparisons, no memory.
FLAMELET_API void flamelet_statistics_sort(const flamelet_scope_statistics* rows, size_t count,
                                           flamelet_statistics_column column, bool descending,
                                           const flamelet_capture* capture, uint32_t* order);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_STATISTICS_H
