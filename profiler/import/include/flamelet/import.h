// SPDX-License-Identifier: MIT
//
// flamelet/import.h: makes captures of other tools' traces. docs/formats.md has the details.
//
//   flamelet_capture* capture;
//   flamelet_import_report report;
//   if (flamelet_import_file(NULL, "slow.trace.json.gz", &capture, &report)) puts(report.message);
//
// Formats:   Chrome trace JSON (array or object) and Perfetto's protobuf, each also gzipped; the content tells the
//            format.
// Threads:   any thread; calls share nothing.
// Lifetime:  the capture is the caller's; flamelet_capture_destroy() destroys it. Updates do not change it.
// Units:     nanoseconds. Flamelet's own exports keep their times; other Chrome traces begin at their first event.
// Memory:    the capture (options.capture; only the filled part of its budget is touched), each distinct name, and
//            events that have begun and not ended. Files of any length are streamed. A full budget evicts the oldest
//            spans. Up to 200 MiB of begins and ends, and 200 of spans, that are put in order.
// Safety:    any bytes may be read. Damaged events are left out and counted, and do not affect others. No path in a
//            trace is ever opened. A truncated file is loaded up to its end.
#ifndef FLAMELET_IMPORT_H
#define FLAMELET_IMPORT_H

#include "flamelet/capture.h"
#include "flamelet/io.h"

FLAMELET_EXTERN_C_BEGIN

typedef enum flamelet_import_format {
  FLAMELET_IMPORT_UNKNOWN = 0,
  FLAMELET_IMPORT_CHROME,
  FLAMELET_IMPORT_PERFETTO,
} flamelet_import_format;

typedef struct flamelet_import_options {
  uint32_t cookie;                  // set by flamelet_import_options_default()
  flamelet_capture_config capture;  // its limits; the default is 1 GiB, which is 24 million spans
  uint64_t max_bytes;               // how much of the decompressed trace is read (default 16 GiB)
} flamelet_import_options;

FLAMELET_API flamelet_import_options flamelet_import_options_default(void);

typedef struct flamelet_import_report {
  flamelet_import_format format;
  bool gzip;
  bool truncated;  // the trace ends in the middle, or goes on beyond max_bytes; the capture has all before that
  // The gzip file is damaged: if truncated, in what is compressed, of which the capture has all before that; else its
  // checksum or length is another one than that of the trace.
  bool gzip_damaged;
  uint64_t bytes;  // of the trace, decompressed

  // Taken
  uint64_t spans;
  uint64_t points;  // instants and counter values
  uint64_t intervals;
  uint64_t frames;  // also of named sets
  uint64_t flows;   // begins and ends of flows

  // Repaired
  uint64_t spans_open;      // begins without an end: open up to the newest time
  uint64_t spans_beside;    // spans that overlap others of their lane in part: on a lane beside it ("stream 7, 2")
  uint64_t spans_cut;       // those that overlap by no more than rounding: shortened to nest (FLAMELET_SPAN_CUT)
  uint64_t times_clamped;   // missing or negative durations, times more than 73 years away
  uint64_t times_too_far;   // of these, the times
  uint64_t texts_repaired;  // events with text that is not UTF-8, bare controls, zeros in names, needless commas
  uint64_t texts_unknown;   // numbers in a Perfetto trace that stand for a text which it does not tell

  // Left out
  uint64_t ends_extra;          // ends without a begin
  uint64_t packets_lost;        // places where a Perfetto trace says that packets were dropped before it was written
  uint64_t packets_unusable;    // packets of a Perfetto trace that need what others said, which were lost
  uint64_t chunks_lost;         // pieces of a Perfetto trace that it says were overwritten or discarded
  uint64_t events_unclocked;    // events on clocks that no snapshot of a Perfetto trace relates to its own
  uint64_t events_damaged;      // events that cannot be read, or lack their time or kind
  uint64_t args_left_out;       // arguments of events that were taken: a span has room for one text, its object
  uint64_t values_left_out;     // values of counters that are no numbers: null, true, NaN, texts
  uint64_t events_unsupported;  // events of kinds for which a capture has no place: samples, object snapshots, …
  uint64_t events_over_limits;  // names, lanes, open spans, frames and intervals beyond the limits
  uint64_t events_evicted;      // events that were taken, then evicted because the budget was full

  uint32_t unknown_clock;  // the first clock of events_unclocked; 0: one of the kernel's that has no number

  // Not where one looks for them
  uint32_t machines_apart;  // machines of a Perfetto trace whose clock it does not bring together with the others'
  uint64_t events_astray;   // taken, but more than an hour before or after the others: flamelet_capture_main_extent()

  char first_damaged
      [96];           // of events_damaged, where that can be told: "at byte 1234: it has no time"; empty if none was
  char message[160];  // what went wrong, for the user; empty if nothing did
} flamelet_import_report;

// `options` and `report` may be NULL. FLAMELET_ERROR_FILE_FORMAT: not a trace of a known format, or damaged before its
// first event. FLAMELET_ERROR_FILE_OPEN, FLAMELET_ERROR_FILE_READ: errno says why.
FLAMELET_API flamelet_result flamelet_import_file(const flamelet_import_options* options, const char* path,
                                                  flamelet_capture** capture, flamelet_import_report* report);
FLAMELET_API flamelet_result flamelet_import(const flamelet_import_options* options, flamelet_source source,
                                             flamelet_capture** capture, flamelet_import_report* report);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_IMPORT_H
