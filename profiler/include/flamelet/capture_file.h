// SPDX-License-Identifier: MIT
//
// flamelet/capture_file.h: captures in files, and recovery of a crashed process's ring file. A file has the capture's
// pages and tables, so a loaded capture answers every call of capture.h like the saved one. docs/capture_format.md
// describes the bytes.
//
// Threads:   any thread, but one at a time for each capture. Saving reads only the capture's own copies, so recording
//            threads never wait.
// Memory:    saving takes one block of about 132 KiB and 48 bytes a lane from the capture's allocator and frees it.
//            Loading takes what the file needs, but never more than the caller's limit.
// Errors:    a file is saved whole or not at all: it is written under a temporary name beside `path`, flushed to the
//            disk, then renamed. Signals interrupt neither saving nor loading. The intact part of a damaged
//            file is loaded, and the report tells what is missing.
// Cost:      saving about 6 ns an event, loading about 10, with the file in the system's cache (docs/performance.md).
// Safety:    any bytes may be loaded. No path or pointer in a file is ever followed.
#ifndef FLAMELET_CAPTURE_FILE_H
#define FLAMELET_CAPTURE_FILE_H

#include "flamelet/capture.h"
#include "flamelet/io.h"

FLAMELET_EXTERN_C_BEGIN

#define FLAMELET_CAPTURE_FORMAT_VERSION 2u

// Saves what overlaps [begin_ns, end_ns); INT64_MIN, INT64_MAX save all. Pages are saved whole, so the file reaches a
// little beyond the window. A scope that is open at the end of the last saved page is open in the file, until the
// window's end. A scope that reaches out of the saved pages has its times; its self time is that inside of them (of
// submitted spans and of fibers: inside of the window), because its children beyond are not here.
// FLAMELET_ERROR_FILE_OPEN, FLAMELET_ERROR_FILE_WRITE: errno says why. After an error, an older file at `path` is
// unchanged, and no other file is left.
FLAMELET_API flamelet_result flamelet_capture_save(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                                   const char* path);
// The same through a sink: the bytes in order, in a few large writes.
FLAMELET_API flamelet_result flamelet_capture_save_to(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                                      flamelet_sink sink);

// What a load found. In an intact file, all counts except *_bytes and *_read are 0.
typedef struct flamelet_load_report {
  uint32_t format_version;
  bool truncated;  // the file ends before its last chunk: it was cut, or is still being copied
  uint64_t file_bytes;
  uint64_t chunks_read;
  uint64_t chunks_damaged;  // a checksum was wrong; the chunk was left out
  uint64_t chunks_unknown;  // of a newer version; skipped
  uint64_t pages_read;
  uint64_t pages_refused;    // contradict themselves or are out of order
  uint64_t entries_refused;  // table entries with ids out of bounds or impossible values
  uint64_t duplicates;       // table entries with an id that was there already; the first one counts
  // Damaged, missing or unknown places of the file whose capture was saved as this one, and so on. This one counts what it holds.
  uint64_t damaged_before;
} flamelet_load_report;

typedef struct flamelet_load_options {
  uint32_t cookie;               // set by flamelet_load_options_default()
  flamelet_allocator allocator;  // both functions NULL = the C library's
  size_t max_bytes;              // the most memory that the capture may take; 0 = what the file needs
} flamelet_load_options;

FLAMELET_API flamelet_load_options flamelet_load_options_default(void);

// Makes a capture from a file. It never changes: an update succeeds and does nothing. Destroy it like any other.
// `options` and `report` may be NULL. FLAMELET_ERROR_FILE_OPEN, FLAMELET_ERROR_FILE_READ: errno says why.
// FLAMELET_ERROR_FILE_FORMAT: the file is not a capture, or of a later version (see report).
// FLAMELET_ERROR_BUDGET_TOO_SMALL: the capture needs more than max_bytes.
FLAMELET_API flamelet_result flamelet_capture_load(const flamelet_load_options* options, const char* path,
                                                   flamelet_capture** capture, flamelet_load_report* report);
FLAMELET_API flamelet_result flamelet_capture_load_bytes(const flamelet_load_options* options, const void* bytes,
                                                         size_t size, flamelet_capture** capture,
                                                         flamelet_load_report* report);
// The same from a source. A source of unknown size is FLAMELET_ERROR_INVALID_ARGUMENT: read a stream into memory first.
FLAMELET_API flamelet_result flamelet_capture_load_from(const flamelet_load_options* options, flamelet_source source,
                                                        flamelet_capture** capture, flamelet_load_report* report);

// ---- What a process left in the file of its ring (flamelet_config::ring_path) --------------------------------------

typedef struct flamelet_recover_report {
  bool shut_down;  // flamelet_shutdown() was called: the content is final
  bool truncated;  // the file is shorter than its header says
  uint64_t file_bytes;
  uint64_t pages_read;
  uint64_t pages_open;     // among these: pages that a thread was writing
  uint64_t pages_refused;  // contradict themselves, or a live process overwrote them meanwhile
  uint64_t names_refused;  // strings and sites that are missing or contradict themselves
} flamelet_recover_report;

// Makes a capture of all that the ring held: every event whose recording call returned, and its names. A scope that had
// not ended is open. The process may have crashed or ended, or may still run. The file is only read, and may contain
// anything. Options and errors are those of flamelet_capture_load(). Save the capture to keep it: a ring file is read by
// the version of Flamelet that wrote it, and by some later ones (now: versions 3 and 4 of the format). The name of a thread
// that ended is kept until 256 later threads were registered.
FLAMELET_API flamelet_result flamelet_capture_recover(const flamelet_load_options* options, const char* path,
                                                      flamelet_capture** capture, flamelet_recover_report* report);
FLAMELET_API flamelet_result flamelet_capture_recover_from(const flamelet_load_options* options, flamelet_source source,
                                                           flamelet_capture** capture, flamelet_recover_report* report);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CAPTURE_FILE_H
