// SPDX-License-Identifier: MIT
//
// flamelet/capture_file.h: captures in files, and what a crashed process left in its ring's file. What is saved is what a
// capture holds, pages and tables, so a loaded capture gives the same answers to every question of capture.h as the one
// that was saved. docs/capture_format.md describes the bytes.
//
// Threads:   as for every use of a capture: one thread at a time. Saving reads the capture's own copies and nothing of
//            the recorder, so threads that record are never held up; save on any thread.
// Memory:    saving takes one block of about 132 KiB from the capture's allocator and gives it back. Loading takes what
//            the file needs, but never more than the caller's limit.
// Errors:    a file is saved whole or not at all: under a temporary name beside `path`, flushed to the disk, then
//            renamed. Signals interrupt neither saving nor loading. A damaged file loads as far as it is intact, and the
//            report says what is missing.
// Cost:      saving about 6 ns an event, loading about 10, with the file in the system's cache (docs/performance.md).
// Safety:    any bytes may be loaded. No path or pointer in a file is ever followed.
#ifndef FLAMELET_CAPTURE_FILE_H
#define FLAMELET_CAPTURE_FILE_H

#include "flamelet/capture.h"

FLAMELET_EXTERN_C_BEGIN

#define FLAMELET_CAPTURE_FORMAT_VERSION 2u

// Takes the next `count` bytes of a file; false if that failed.
typedef bool (*flamelet_write_function)(void* user, const void* bytes, size_t count);
// Copies `count` bytes from `offset` of a file, all of them below the size that was given; returns how many. Less is an
// error: the caller then answers FLAMELET_ERROR_FILE_READ, and no part of the file is taken for the whole.
typedef size_t (*flamelet_read_function)(void* user, uint64_t offset, void* bytes, size_t count);

// Saves what overlaps [begin_ns, end_ns); INT64_MIN, INT64_MAX save all. Pages are saved whole, so the file reaches a
// little beyond the window. A scope that is still open at the last saved page is open in the file.
// FLAMELET_ERROR_FILE_OPEN, FLAMELET_ERROR_FILE_WRITE: errno says why, and nothing is left behind; a file that was at
// `path` before is still there.
FLAMELET_API flamelet_result flamelet_capture_save(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                                   const char* path);
// The same through the engine's own files: the bytes in order, in a few large writes.
FLAMELET_API flamelet_result flamelet_capture_write(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns,
                                                    flamelet_write_function write, void* user);

// What was found in a file. All counts are 0 in an intact one, but those of what was read.
typedef struct flamelet_load_report {
  uint32_t format_version;
  bool truncated;  // the file ends before its last chunk: it was cut, or is still being copied
  uint64_t file_bytes;
  uint64_t chunks_read;
  uint64_t chunks_damaged;  // a checksum was wrong; the chunk was left out
  uint64_t chunks_unknown;  // of a newer version; skipped
  uint64_t pages_read;
  uint64_t pages_refused;    // that contradict themselves or stand in no order
  uint64_t entries_refused;  // of tables: ids out of bounds, impossible values
  uint64_t duplicates;       // of tables: an id a second time. The first one counts
} flamelet_load_report;

typedef struct flamelet_load_options {
  flamelet_allocator allocator;  // both functions NULL = the C library's
  size_t max_bytes;              // the most memory that the capture may take; 0 = what the file needs
} flamelet_load_options;

// Makes a capture from a file. It never changes: an update succeeds and does nothing. Destroy it like any other.
// `options` and `report` may be NULL. FLAMELET_ERROR_FILE_OPEN, FLAMELET_ERROR_FILE_READ: errno says why.
// FLAMELET_ERROR_FILE_FORMAT: this is not a capture, or one of a later major version (see report).
// FLAMELET_ERROR_BUDGET_TOO_SMALL: it needs more than max_bytes.
FLAMELET_API flamelet_result flamelet_capture_load(const flamelet_load_options* options, const char* path,
                                                   flamelet_capture** capture, flamelet_load_report* report);
FLAMELET_API flamelet_result flamelet_capture_load_bytes(const flamelet_load_options* options, const void* bytes,
                                                         size_t size, flamelet_capture** capture,
                                                         flamelet_load_report* report);
// Through the engine's own files. `size` is the file's.
FLAMELET_API flamelet_result flamelet_capture_read(const flamelet_load_options* options, flamelet_read_function read,
                                                   void* user, uint64_t size, flamelet_capture** capture,
                                                   flamelet_load_report* report);

// ---- What a process left in the file of its ring (flamelet_config::ring_path) --------------------------------------

typedef struct flamelet_recover_report {
  bool shut_down;  // by flamelet_shutdown(): what the file holds is final
  bool truncated;  // the file is shorter than its header says
  uint64_t file_bytes;
  uint64_t pages_read;
  uint64_t pages_open;     // of them: were being written
  uint64_t pages_refused;  // that contradict themselves, or that a live process overwrote meanwhile
  uint64_t names_refused;  // strings and sites that are not there, or contradict themselves
} flamelet_recover_report;

// Makes a capture of all that the ring held: every event whose recording call returned, and its names. A scope that had
// not ended is open. The process may have crashed, ended, or still be running; the file is only read. Anything may be in
// it. Options and errors as for flamelet_capture_load(). Save the capture to keep it: ring files are read by the version of
// Flamelet that wrote them. Names of threads that ended are known until 256 others were there after them.
FLAMELET_API flamelet_result flamelet_capture_recover(const flamelet_load_options* options, const char* path,
                                                      flamelet_capture** capture, flamelet_recover_report* report);
FLAMELET_API flamelet_result flamelet_capture_recover_read(const flamelet_load_options* options,
                                                           flamelet_read_function read, void* user, uint64_t size,
                                                           flamelet_capture** capture, flamelet_recover_report* report);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_CAPTURE_FILE_H
