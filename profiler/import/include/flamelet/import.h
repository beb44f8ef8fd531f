// SPDX-License-Identifier: MIT
//
// flamelet/import.h: other tools' traces as captures. docs/formats.md says what becomes what.
//
//   flamelet_capture* capture;
//   flamelet_import_report report;
//   if (flamelet_import_file("slow.trace.json.gz", NULL, &capture, &report)) puts(report.message);
//
// Formats:   told by content, not by name: Chrome trace JSON (array or object) and Perfetto's protobuf, each also gzipped.
// Threads:   calls share nothing.
// Lifetime:  the capture is the caller's; flamelet_capture_destroy() it. Updates leave it alone.
// Units:     nanoseconds. What our own exporter wrote keeps its times; other Chrome traces begin at their first event.
// Memory:    the capture (options.capture, of whose budget only what is filled is touched), each distinct name once, and
//            what is begun and not yet ended. Files of any length are streamed. When the budget is full the newest spans win.
// Safety:    any bytes may be read. Events that cannot be understood are left out, counted, and do no harm to others; no
//            path in a trace is ever opened. A file that was cut off loads as far as it goes.
#ifndef FLAMELET_IMPORT_H
#define FLAMELET_IMPORT_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

typedef enum flamelet_import_format {
  FLAMELET_IMPORT_UNKNOWN = 0,
  FLAMELET_IMPORT_CHROME,
  FLAMELET_IMPORT_PERFETTO,
} flamelet_import_format;

typedef struct flamelet_import_options {
  uint32_t cookie;                  // set by flamelet_import_options_default()
  flamelet_capture_config capture;  // its limits; default: 1 GiB, which is 24 million spans
  uint64_t max_bytes;               // of the trace, decompressed, that are read (default 16 GiB)
} flamelet_import_options;

FLAMELET_API flamelet_import_options flamelet_import_options_default(void);

// Copies up to `size` of the next bytes and sets *count, to 0 only at the end. False: they cannot be read.
typedef struct flamelet_import_source {
  bool (*read)(void* user, void* to, size_t size, size_t* count);
  void* user;
} flamelet_import_source;

typedef struct flamelet_import_report {
  flamelet_import_format format;
  bool gzip;
  bool truncated;  // the trace ends in the middle, or goes on beyond max_bytes; what was there before is in the capture
  uint64_t bytes;  // of the trace, decompressed

  // Taken
  uint64_t spans;
  uint64_t points;  // instants and counter values
  uint64_t intervals;
  uint64_t frames;

  // Repaired
  uint64_t spans_open;      // begun and never ended: open up to the newest time
  uint64_t spans_cut;       // that overlap others of their lane in part: shortened to nest (FLAMELET_SPAN_CUT)
  uint64_t times_clamped;   // durations that are missing or negative, times that are more than 73 years away
  uint64_t texts_repaired;  // events with text that is not UTF-8, or has bare control characters

  // Left out
  uint64_t ends_extra;          // of nothing that was begun
  uint64_t events_damaged;      // that cannot be read, or lack their time or kind
  uint64_t args_left_out;       // arguments of events that were taken: a span has room for one text, its object
  uint64_t events_unsupported;  // of kinds for which a capture has no place: flows, samples, object snapshots, …
  uint64_t events_over_limits;  // names, lanes, open spans, frames and intervals beyond the limits
  uint64_t events_evicted;      // taken first, and gone again when the budget was full

  char message[160];  // what went wrong, for the user; empty if nothing did
} flamelet_import_report;

// `options` and `report` may be NULL. FLAMELET_ERROR_FILE_FORMAT: this is no trace of a known format, or one that is broken
// before its first event; FLAMELET_ERROR_FILE_OPEN, FLAMELET_ERROR_FILE_READ: errno says why.
FLAMELET_API flamelet_result flamelet_import_file(const char* path, const flamelet_import_options* options,
                                                  flamelet_capture** capture, flamelet_import_report* report);
FLAMELET_API flamelet_result flamelet_import(flamelet_import_source source, const flamelet_import_options* options,
                                             flamelet_capture** capture, flamelet_import_report* report);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_IMPORT_H
