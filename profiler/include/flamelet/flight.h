// SPDX-License-Identifier: MIT
//
// flamelet/flight.h: the flight recorder. It watches the frames of a live capture. When one is too slow, or something else
// triggers it, it keeps the frames around it, while the capture forgets them, and can write them to a folder by itself.
//
//   flamelet_flight_config config = flamelet_flight_config_default();
//   config.frame_budget_ns = 33000000;
//   config.folder = "hitches";
//   flamelet_flight* flight;
//   if (flamelet_flight_create(&config, capture, &flight)) ...
//   for each frame:  flamelet_frame(); ... flamelet_capture_update(capture); flamelet_flight_update(flight);
//
// What is kept is a capture: the bytes that flamelet_capture_save() would have written at the end of its last frame, and
// what triggered.
// flamelet_flight_open() makes a flamelet_capture of it, for the overlay, flamelet_explain_frame() and every other reader.
//
// Threads:   flamelet_flight_trigger() on any thread. All other calls on the thread that updates the capture, or one at a
//            time with it. Files are written on a thread that lives as long as one file takes; where there are no threads,
//            in flamelet_flight_update(). No call makes a recording thread wait.
// Lifetime:  destroy it before its capture.
// Sharing:   an overlay can show the same capture (OverlayConfig::shared_capture), so that there is one copy of the pages.
//            While the overlay is paused or saves, the capture is held: then nothing new is seen here, either. Afterwards
//            come the frames that the ring still has; that some are lost, and that many come at once, triggers nothing.
// Memory:    one allocation at creation: flamelet_flight_memory_required(). Nothing else allocates, except opening. Pages are
//            kept packed, as the capture keeps its older ones: 5 to 7 bytes a scope.
// Cost:      update: about a microsecond while nothing happens; scope budgets play the frame's events once more, about
//            3 ns a scope. A trigger costs one update some 20 us. Then copy_bytes are copied by each, until all is (another
//            20 us for the default): no frame pays for 16 MiB at once (docs/performance.md).
// When full: see keep_worst and keep_latest.
#ifndef FLAMELET_FLIGHT_H
#define FLAMELET_FLIGHT_H

#include "flamelet/budgets.h"
#include "flamelet/capture.h"
#include "flamelet/capture_file.h"
#include "flamelet/io.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_flight flamelet_flight;

// Made by flamelet_flight_config_default(), then changed.
typedef struct flamelet_flight_config {
  uint32_t cookie;  // set by flamelet_flight_config_default()
  flamelet_allocator allocator;
  size_t store_bytes;  // for all kept frames (default 12 MiB; 512 KiB to 1 TiB). One trigger gets half of it at most
  uint32_t frames_before;  // kept before the frame that triggered (default 60; up to 2^20), or as many as fit
  uint32_t frames_after;   // and after it (default 8; up to 2^20): those of a GPU come late
  // Kept are the triggers with the longest frames, and the newest ones. If the store is full, the oldest that is kept only
  // as one of the newest goes first, then the shortest.
  uint32_t keep_worst;         // (default 16; 0 .. 512)
  uint32_t keep_latest;        // (default 16; 1 .. 512)
  uint32_t max_scope_budgets;  // (default 64; up to 1024)
  // Triggers; 0 or false = off, and none is negative. Partial frames are not compared.
  int64_t frame_budget_ns;  // a frame is longer (default 0)
  double median_factor;     // a frame is longer than this times the median of the last 120 frames (default 3)
  double ring_share;  // an update brought more than this share of the ring or of the capture (default 0.5; 0 .. 1)
  bool loss;          // an update found that events were lost (default true)
  // After the frame of a trigger, during which other triggers are skipped (default 500; 0 .. 10^12). But a longer frame
  // never is: while the frames after the first one are waited for, it takes that one's place; later, or if the first one
  // is a call, it is kept, too, when that has been copied.
  double dead_time_ms;
  uint64_t max_triggers;  // how many are kept in all; those after it are skipped (default UINT64_MAX)
  size_t copy_bytes;      // copied by one update (default 128 KiB; not 0). More, if it would be lost otherwise
  const char* folder;     // where each is written, too; it must exist. NULL (default) = nowhere. Copied
  // In the folder, also those of earlier runs. Of too many files, the newest quarter stays, and of the others that of the
  // shortest frame is removed first.
  uint32_t max_files;       // (default 64; 0 = none)
  uint64_t max_file_bytes;  // of them together (default 1 GiB)
} flamelet_flight_config;

FLAMELET_API flamelet_flight_config flamelet_flight_config_default(void);
// A store of 1 MiB, for a capture with flamelet_capture_config_small(): one trigger gets half of it, which is some 80,000
// scopes. 16 budgets of scopes.
FLAMELET_API flamelet_flight_config flamelet_flight_config_small(void);
// The exact size of the allocation; 0 if the config is invalid or a pointer NULL.
FLAMELET_API size_t flamelet_flight_memory_required(const flamelet_flight_config* config,
                                                    const flamelet_capture* capture);
FLAMELET_API flamelet_result flamelet_flight_create(const flamelet_flight_config* config,
                                                    const flamelet_capture* capture, flamelet_flight** flight);
// Ends what was triggered with the frames that there are, and waits for its file. NULL is fine.
FLAMELET_API void flamelet_flight_destroy(flamelet_flight* flight);

// Looks at the frames that are complete since the last call: once a frame, after flamelet_capture_update(). An error is
// one of writing a file, said once until a file can be written again (flamelet_flight_stats has its errno); everything
// else goes on. FLAMELET_ERROR_LIMIT: max_files or max_file_bytes let no file be written.
FLAMELET_API flamelet_result flamelet_flight_update(flamelet_flight* flight);

// ---- Triggers -------------------------------------------------------------------------------------------------------

// Keeps the frame in which it is called, because of `why`, a short text. If the one before was not yet looked at, or within
// dead_time_ms of another trigger, it is skipped and counted. Any thread, also in a signal handler; about 20 ns.
FLAMELET_API void flamelet_flight_trigger(flamelet_flight* flight, const char* why);

// Triggers on a frame in which all scopes of this name together take longer; 0 = no more. Threads and GPU queues have a sum
// each. Of nested scopes only the outermost counts. A GPU scope counts in the frame in which it ran; that frame is looked
// at when later results have come, or 8 frames later. FLAMELET_ERROR_LIMIT: there are max_scope_budgets already, or the
// name is longer than 63 bytes.
FLAMELET_API flamelet_result flamelet_flight_set_scope_budget(flamelet_flight* flight, const char* name,
                                                              int64_t budget_ns);
// Sets frame_budget_ns and the scopes' budgets to those of a file (flamelet_budgets_read()); what was set before is gone.
// Each frame is held against those that flamelet_budget_is_watched(). The names are copied. FLAMELET_ERROR_LIMIT, as above: nothing has changed.
FLAMELET_API flamelet_result flamelet_flight_set_budgets(flamelet_flight* flight, const flamelet_budget* budgets,
                                                         size_t count);
// A scope that was over its budget.
typedef struct flamelet_flight_over {
  const char* scope;  // valid until a budget of a scope is set
  int64_t budget_ns;  // in that frame
  int64_t took_ns;    // on the threads or on the GPU queues, where it took longer
  uint64_t frame;     // index of the newest frame in which it was over
} flamelet_flight_over;
// Writes the scopes that were over their budgets in a frame with this index or a later one, furthest over first. Returns how
// many there are; at most max_scope_budgets.
FLAMELET_API size_t flamelet_flight_read_over(const flamelet_flight* flight, uint64_t first_frame,
                                              flamelet_flight_over* over, size_t capacity);

typedef enum flamelet_flight_cause FLAMELET_ANY_ENUM_ {
  FLAMELET_FLIGHT_CALL = 0,      // flamelet_flight_trigger()
  FLAMELET_FLIGHT_SCOPE_BUDGET,  // flamelet_flight_set_scope_budget()
  FLAMELET_FLIGHT_FRAME_BUDGET,  // config.frame_budget_ns
  FLAMELET_FLIGHT_FRAME_MEDIAN,  // config.median_factor
  FLAMELET_FLIGHT_LOSS,          // config.loss
  FLAMELET_FLIGHT_MEMORY,        // config.ring_share
  FLAMELET_FLIGHT_CAUSE_COUNT,
} flamelet_flight_cause;

// "frame over budget", say. "" for another number.
FLAMELET_API const char* flamelet_flight_cause_name(flamelet_flight_cause cause);

// ---- What is kept ---------------------------------------------------------------------------------------------------

enum {
  FLAMELET_FLIGHT_WORST = 1,          // one of the keep_worst longest frames
  FLAMELET_FLIGHT_LATEST = 2,         // one of the keep_latest newest
  FLAMELET_FLIGHT_WRITTEN = 4,        // there is a file of it
  FLAMELET_FLIGHT_CUT = 8,            // fewer frames before it than asked for: the store had no room, or they were gone
  FLAMELET_FLIGHT_MISSED = 16,        // the capture forgot pages before they were copied: the loss shows in it as a gap
  FLAMELET_FLIGHT_FILE_REMOVED = 32,  // there was one, until the limits or somebody removed it; seen with the next file
};

#define FLAMELET_FLIGHT_TEXT_BYTES 64u

typedef struct flamelet_flight_info {
  uint64_t id;  // from 1, in the order of time
  flamelet_flight_cause cause;
  char text[FLAMELET_FLIGHT_TEXT_BYTES];  // what flamelet_flight_trigger() said, or the scope's name; else empty
  flamelet_frame_info frame;              // that triggered
  int64_t limit_ns;                       // the budget that it broke; 0 = none
  uint64_t first_frame, last_frame;       // indices of the frames that are kept
  uint64_t unix_ns;                       // wall-clock time at the frame's begin
  uint64_t bytes;                         // of the capture file
  uint32_t flags;                         // FLAMELET_FLIGHT_*
} flamelet_flight_info;

// Kept frames, the longest first: `position` counts from 0 to count - 1 and is valid until the next update.
FLAMELET_API size_t flamelet_flight_count(const flamelet_flight* flight);
FLAMELET_API bool flamelet_flight_get(const flamelet_flight* flight, size_t position, flamelet_flight_info* info);
// The position of the one with this id; SIZE_MAX if it is not kept any more.
FLAMELET_API size_t flamelet_flight_find(const flamelet_flight* flight, uint64_t id);

// Makes a capture of what is kept, as flamelet_capture_load() does of a file. FLAMELET_ERROR_INVALID_ARGUMENT: there is
// none with this id. Destroy it like any other.
FLAMELET_API flamelet_result flamelet_flight_open(const flamelet_flight* flight, uint64_t id,
                                                  const flamelet_load_options* options, flamelet_capture** capture);
// Why a flight recorder kept the frames of this capture, which it opened or wrote to a file. id, bytes and flags are 0.
// False: it is no such capture, or the frame that triggered was cut from it.
FLAMELET_API bool flamelet_flight_of_capture(const flamelet_capture* capture, flamelet_flight_info* info);
// Its bytes, which are those of a capture file. One at a time, and not from its own sink: all share one buffer.
FLAMELET_API flamelet_result flamelet_flight_save_to(const flamelet_flight* flight, uint64_t id, flamelet_sink sink);

// ---- Numbers --------------------------------------------------------------------------------------------------------

typedef struct flamelet_flight_stats {
  size_t memory_bytes;
  size_t store_bytes, store_used;
  uint64_t triggers;  // in all: kept, skipped, given up, the one that is being copied, and the one that is to come next
  uint64_t kept;      // since creation, also those that had to go since
  uint64_t skipped_dead_time;
  uint64_t skipped_busy;    // another one was waiting for its last frame, or being copied, or took its place
  uint64_t skipped_limit;   // max_triggers
  uint64_t skipped_memory;  // did not fit into the store
  uint64_t given_up;        // the recorder was restarted meanwhile
  uint64_t pages_missed;
  bool busy;  // waits for the last frame of a trigger, or copies
  uint64_t files_written;
  uint64_t files_failed;   // also those that the limits forbid
  uint64_t files_skipped;  // the frames had to go before their file was begun
  uint64_t files_removed;  // because of the limits, also those of earlier runs
  int last_errno;          // of the last file that failed
} flamelet_flight_stats;

FLAMELET_API void flamelet_flight_get_stats(const flamelet_flight* flight, flamelet_flight_stats* stats);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_FLIGHT_H
