// SPDX-License-Identifier: MIT
//
// flamelet/statistics.h: adds up the spans of a capture into a table of scopes.
//
//   size_t bytes = flamelet_statistics_memory_required(2000, 65536);
//   flamelet_statistics* statistics;
//   if (flamelet_statistics_create(2000, my_allocate(bytes), bytes, &statistics)) ...
//   for each piece: flamelet_statistics_add(statistics, cursor.spans, cursor.count);    // of flamelet_span_cursor
//   flamelet_statistics_summary summary = flamelet_statistics_finish(statistics);
//   flamelet_statistics_sort(summary.rows, summary.row_count, FLAMELET_COLUMN_TOTAL, true, NULL, order);
//
// Here, a scope is a site with a name, so each dynamic name of a site has its own row.
//
// Threads:   one thread at a time per flamelet_statistics. No global state.
// Lifetime:  everything lies in the caller's memory; there is nothing to destroy. Rows are valid until the next call
//            with the same flamelet_statistics, except flamelet_statistics_sort().
// Units:     nanoseconds. Sums stop at INT64_MAX. A span that ends before it begins counts with a duration of 0.
// Cost:      add: a hash lookup for each span. finish: linear in the spans. No allocation, no system call.
// When full: see flamelet_statistics_summary. The same calls always give the same result.
//
// Percentiles are by nearest rank: the P-th percentile of n durations is the one at rank ceil(P / 100 * n) in rising
// order, which is always a duration that occurred. The median is P = 50: the lower of the two middle ones, if n is
// even. (R. J. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50, 1996,
// definition 1.) In percentiles, a duration of more than 2^42 ns (73 minutes) is
// less by up to a part in 10^11.
#ifndef FLAMELET_STATISTICS_H
#define FLAMELET_STATISTICS_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_statistics flamelet_statistics;

#define FLAMELET_STATISTICS_MAX_SCOPES 1048575u

// The distribution of single durations, without those of spans of which only the begin is known (0 ns): open ones, and those
// whose ends were lost. All 0 if there were none.
typedef struct flamelet_distribution {
  int64_t min_ns;
  int64_t mean_ns;  // arithmetic, rounded
  int64_t median_ns;
  int64_t p95_ns;
  int64_t p99_ns;
  int64_t max_ns;
} flamelet_distribution;

typedef struct flamelet_scope_statistics {
  uint32_t site;              // flamelet_capture_site()
  uint32_t name;              // flamelet_capture_string()
  uint64_t count;             // calls, also those inside a span of the same scope; one in pieces counts where it begins
  uint64_t incomplete_count;  // spans without a begin or an end of their own; a switch of fibers is neither
  uint64_t open_count;        // of these, spans without an end yet
  uint64_t sample_count;      // durations behind the percentiles, which are exact if the summary's sample_stride is 1
  int64_t total_ns;  // inclusive time. In a recursion, direct or through others, only the outermost spans count,
                     // so total_ns never exceeds the time that passed. Both stop at INT64_MAX, 292 years
  int64_t self_ns;   // of all its spans; in a recursion, each span's time without its own children
  flamelet_distribution
      duration;  // of all its calls, also the inner ones of a recursion. Of one in pieces, it is their sum
} flamelet_scope_statistics;

typedef struct flamelet_statistics_summary {
  const flamelet_scope_statistics* rows;  // in the order in which the scopes were first added
  size_t row_count;
  uint64_t span_count;  // added since the last clear, also those left out
  // Spans without a row, because there are more than max_scopes scopes; the last ones have no row. The rows stay exact.
  uint64_t left_out_count;
  // 1 = everything is exact. If there are more spans than the memory holds, the percentiles are approximate: they use
  // every sample_stride-th span of each scope, from its first. All else in the rows stays exact, but for calls in pieces:
  // their distributions are those of about one call in sample_stride.
  uint64_t sample_stride;
} flamelet_statistics_summary;

// The bytes for exact percentiles of `max_spans` spans in `max_scopes` scopes: 8 for each span, about 200 for each
// scope. A piece of a call that fibers were switched in takes four spans' room. 0 if max_scopes is 0 or more than
// FLAMELET_STATISTICS_MAX_SCOPES, or if the sum does not fit into a size_t.
FLAMELET_API size_t flamelet_statistics_memory_required(uint32_t max_scopes, size_t max_spans);

// Creates empty statistics in `memory`, which needs no alignment. Memory beyond the scopes holds spans.
// FLAMELET_ERROR_INVALID_ARGUMENT: a NULL, or a max_scopes for which memory_required returns 0.
// FLAMELET_ERROR_BUDGET_TOO_SMALL: memory_bytes is less than flamelet_statistics_memory_required(max_scopes, max_scopes).
// *statistics is NULL after an error.
FLAMELET_API flamelet_result flamelet_statistics_create(uint32_t max_scopes, void* memory, size_t memory_bytes,
                                                        flamelet_statistics** statistics);

// Removes all spans and scopes.
FLAMELET_API void flamelet_statistics_clear(flamelet_statistics* statistics);

// Adds one answer of flamelet_capture_read_spans(), or one piece of a flamelet_span_cursor: one lane, one window. A span
// that reaches out of the window counts with its whole duration. So read neighbouring frames as one window; otherwise a
// span across their border counts twice. If a switch of fibers interrupts a scope, its pieces on the threads' lanes are
// one call (by their ids), and it is whole on the fiber's lane. So add the lanes of threads or those of fibers, not both.
FLAMELET_API void flamelet_statistics_add(flamelet_statistics* statistics, const flamelet_span* spans, size_t count);

// The rows of everything added so far. You may add more afterwards, and call this again.
FLAMELET_API flamelet_statistics_summary flamelet_statistics_finish(flamelet_statistics* statistics);

// The distribution of any durations, such as those of frames, in linear time. Reorders `durations_ns`.
FLAMELET_API flamelet_distribution flamelet_summarize_durations(int64_t* durations_ns, size_t count);

typedef enum flamelet_statistics_column FLAMELET_ANY_ENUM_ {
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

// A row's value in a column: nanoseconds, or the count; 0 for the name, and for a column that does not exist. Any thread.
FLAMELET_API int64_t flamelet_statistics_value(const flamelet_scope_statistics* row, flamelet_statistics_column column);

// Writes the indices of `rows` into order[0 .. count - 1], sorted by a column. Equal rows are sorted by rising name id,
// then by rising site id, in both directions, so that a live table does not flicker. Names are compared byte by byte as
// `capture` has them, or by id if it is NULL. By a column that does not exist, all rows are equal. Takes n log n comparisons and no memory.
FLAMELET_API void flamelet_statistics_sort(const flamelet_scope_statistics* rows, size_t count,
                                           flamelet_statistics_column column, bool descending,
                                           const flamelet_capture* capture, uint32_t* order);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_STATISTICS_H
