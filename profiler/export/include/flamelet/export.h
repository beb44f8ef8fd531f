// SPDX-License-Identifier: MIT
//
// flamelet/export.h: writes a capture in the formats of other tools. docs/formats.md has the details.
//
//   flamelet_export_options options = flamelet_export_options_default();
//   options.begin_ns = frame.begin_ns;  // without these two: the whole capture
//   options.end_ns = frame.end_ns;
//   flamelet_export_report report;
//   if (flamelet_export_file(capture, FLAMELET_EXPORT_CHROME, &options, "slow.trace.json", &report)) ...
//
// Threads:   one thread at a time for each capture, as for all its readers.
// Lifetime:  nothing is kept after a call returns.
// Units:     nanoseconds since the recorder's init, as in capture.h.
// Content:   every lane, span, instant, counter value, interval and frame that overlaps the window, each of them whole,
//            with its true times.
// Cost:      in proportion to the output. bench/file_bench.cpp measures it: 35 to 75 ns a scope (2.6 GHz EPYC, -O3),
//            100 to 370 ns with gzip for the formats that write every scope.
// Memory:    fixed buffers, each distinct name and the intervals of the window; for Perfetto also each scope that a GPU
//            span refers to; for pprof and collapsed stacks also each distinct call path of a lane. It does not grow
//            with the number of spans, unless more than 32,768 of one lane begin in the same nanosecond. 10 million
//            scopes of 200 names take less than 5 MiB.
// Text:      names may contain any bytes. Each byte that is not UTF-8 becomes U+FFFD; such names are counted.
#ifndef FLAMELET_EXPORT_H
#define FLAMELET_EXPORT_H

#include "flamelet/call_tree.h"
#include "flamelet/capture.h"
#include "flamelet/io.h"

FLAMELET_EXTERN_C_BEGIN

typedef enum flamelet_export_format FLAMELET_ANY_ENUM_ {
  FLAMELET_EXPORT_CHROME = 0,  // Chrome trace JSON: DevTools, Perfetto's page, chrome://tracing, speedscope, Tracy
  FLAMELET_EXPORT_PPROF,       // gzipped pprof: go tool pprof, Pyroscope, Parca: calls and time by call path
  FLAMELET_EXPORT_SPEEDSCOPE,  // speedscope's evented profiles, one for each lane
  FLAMELET_EXPORT_COLLAPSED,   // one line for each call path with its self time in ns: flamegraph.pl, inferno
  FLAMELET_EXPORT_PERFETTO,    // Perfetto's protobuf trace: ui.perfetto.dev, trace_processor
} flamelet_export_format;

#define FLAMELET_EXPORT_FORMAT_COUNT 5

// A format's description for menus and commands. Static storage.
typedef struct flamelet_export_format_info {
  const char* name;          // "chrome"
  const char* name_ends[2];  // of files: ".json", ".trace.json"; the second may be NULL
  const char* readers;       // the tools that read it
  bool always_gzip;
} flamelet_export_format_info;

// `format` is a flamelet_export_format. NULL if there is no such format, so count from 0 to list all. Any thread. Allocates
// nothing.
FLAMELET_API const flamelet_export_format_info* flamelet_export_format_get_info(int format);

typedef struct flamelet_export_options {
  uint32_t cookie;   // set by flamelet_export_options_default()
  bool gzip;         // compress the output (pprof always is)
  int64_t begin_ns;  // window, half open; INT64_MIN and INT64_MAX: everything
  int64_t end_ns;
  const char* process_name;  // what the exports call the program (default "program"); UTF-8, never NULL
} flamelet_export_options;

FLAMELET_API flamelet_export_options flamelet_export_options_default(void);

typedef struct flamelet_export_report {
  uint64_t spans;
  uint64_t points;  // instants and counter values
  uint64_t intervals;
  uint64_t frames;            // also of named sets
  uint64_t flows;             // begins and ends of flows
  uint64_t bytes;             // given to the sink
  uint64_t texts_repaired;    // distinct names that were not UTF-8
  uint64_t values_nonfinite;  // counter values that are not finite
  uint64_t spans_clamped;     // shortened or moved so that they nest
  uint64_t paths_dropped;     // pprof, collapsed: spans counted at a caller, or the lane: more than 2^20 call paths
} flamelet_export_report;

// `options` may be NULL (the defaults), and so may `report`. FLAMELET_ERROR_INVALID_ARGUMENT, here and below: there is no
// such format, say. FLAMELET_ERROR_FILE_WRITE: the sink returned false, and
// the output is incomplete.
FLAMELET_API flamelet_result flamelet_export(const flamelet_capture* capture, flamelet_export_format format,
                                             const flamelet_export_options* options, flamelet_sink sink,
                                             flamelet_export_report* report);

// Writes a file: under a temporary name beside `path` that only this user can read, then renamed. So `path` is either
// unchanged or complete.
FLAMELET_API flamelet_result flamelet_export_file(const flamelet_capture* capture, flamelet_export_format format,
                                                  const flamelet_export_options* options, const char* path,
                                                  flamelet_export_report* report);

// A call tree (call_tree.h) as FLAMELET_EXPORT_PPROF or FLAMELET_EXPORT_COLLAPSED: every path from "[root]" on, with
// its calls (pprof only) and its self samples. For pprof, `sample_type` and `sample_unit` describe a sample: "time" and
// "nanoseconds", or "instructions" and "count". calls_are_samples: the tree is of a sampling profiler, and a path's calls
// are the samples that contain it; pprof's are those taken in it, as it adds them up itself. Call it on the tree's thread.
// Takes memory for each block, and for each path of samples. `report` may be NULL.
FLAMELET_API flamelet_result flamelet_export_call_tree(flamelet_call_tree* tree, flamelet_export_format format,
                                                       const char* sample_type, const char* sample_unit,
                                                       bool calls_are_samples, flamelet_sink sink,
                                                       flamelet_export_report* report);

// The format of a file name, and whether it means gzip (a final .gz). False if the name has no known ending.
FLAMELET_API bool flamelet_export_format_of_path(const char* path, flamelet_export_format* format, bool* gzip);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_EXPORT_H
