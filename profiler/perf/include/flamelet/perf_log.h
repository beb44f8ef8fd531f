// SPDX-License-Identifier: MIT
//
// flamelet/perf_log.h: the performance log of the PERF blocks (perf.h), and their statistics while the program runs.
//
// An outermost PERF block, with the PERF blocks that ran inside it on the same thread or fiber, is a frame of the log;
// the block is its routine. One frame looks like this, lines in the order in which blocks ended:
//
//   Frame : Game::update() on thread "Main"
//   2,collect,120400,5008000100,5008120500
//   2,"move<int, 3>",87112,5008121000,5008208112
//   1,Game::update(),310220,5007900100,5008210320
//
// A line is depth (from 1), name, duration, begin and end in nanoseconds. The name of a PERF_FUNCTION is its signature,
// which tells overloads apart. Where the ring overwrote events before they were read, a line says "Lost : 1200 events".
// docs/perf-log.md has the details.
//
// Threads:   one thread at a time uses a log; choose one that is not measured. The log reads the recorder's ring like a
//            capture, so recording threads never wait for it.
// Lifetime:  a log may outlive the recorder. Poll before flamelet_shutdown(): events that were not read by then are
//            lost.
// Units:     nanoseconds; begin and end since the recorder's init.
// Memory:    one allocation at creation.
// Cost:      a poll takes time in proportion to all events of all threads since the last poll.
// When full: flamelet_perf_log_stats counts blocks of routines without room, frames that could not be written, and events that the
//            ring overwrote unread. The program runs on.
#ifndef FLAMELET_PERF_LOG_H
#define FLAMELET_PERF_LOG_H

#include "flamelet/io.h"
#include "flamelet/recorder.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_perf_log flamelet_perf_log;

typedef struct flamelet_perf_log_config {
  uint32_t cookie;  // set by flamelet_perf_log_config_default()
  flamelet_allocator allocator;
  const char* path;    // appended to, made if there is none (mode 0600); NULL = no file
  flamelet_sink sink;  // takes the log instead of a file; write = NULL with a path, or for statistics only
  // Ended blocks of routines that have not ended, and what has ended since the last poll, of all threads (default
  // 65536; 1 .. 2^24). A routine of which one block finds no room is dropped as a whole, and so is one that does not end
  // and has more than half of them when another needs room; its blocks are counted.
  uint32_t max_blocks;
  uint32_t max_names;  // different names (default 4096; 2 .. 2^24); further ones become "(overflow)"
  size_t name_bytes;   // room for their text (default 256 KiB; 16 bytes to 1 TiB)
} flamelet_perf_log_config;

FLAMELET_API flamelet_perf_log_config flamelet_perf_log_config_default(void);
FLAMELET_API size_t flamelet_perf_log_memory_required(const flamelet_perf_log_config* config);

// FLAMELET_ERROR_FILE_OPEN: errno says why. A path that is a symbolic link, or no regular file, is refused.
FLAMELET_API flamelet_result flamelet_perf_log_create(const flamelet_perf_log_config* config, flamelet_perf_log** log);

// Writes the frames that ended since the last poll, in the order of their ends, whatever their threads. Until the rate
// of the CPU's counter is final, at most two seconds after flamelet_init(), frames are held back while there is room.
// FLAMELET_ERROR_FILE_WRITE: some frames were lost and counted; the file ends with a whole frame, and the next poll
// goes on. FLAMELET_ERROR_NOT_INITIALIZED: no recorder runs. After a restart of the recorder, times start from 0 again.
FLAMELET_API flamelet_result flamelet_perf_log_poll(flamelet_perf_log* log);

// Polls a last time, writes the frames that were held back, closes the file and frees everything, even after an error.
// Frames whose routine has not ended are not written. NULL is fine.
FLAMELET_API flamelet_result flamelet_perf_log_destroy(flamelet_perf_log* log);

typedef struct flamelet_perf_log_stats {
  uint64_t frames;            // completed
  uint64_t lines;             // in them
  uint64_t frames_unwritten;  // frames that could not be written
  uint64_t blocks_dropped;    // of routines without room (max_blocks), or of which a block or the end was lost
  uint64_t events_lost;       // overwritten in the ring before they were read
  uint64_t names_overflowed;
  int last_errno;  // of the last failure to write
} flamelet_perf_log_stats;

FLAMELET_API void flamelet_perf_log_get_stats(const flamelet_perf_log* log, flamelet_perf_log_stats* stats);

// ---- Live statistics ------------------------------------------------------------------------------------------------

// The cost of a routine in a frame is the time of all its blocks there; a block inside a block of the same name does
// not count again. The figures are over the frames in which the routine ran.
typedef struct flamelet_perf_routine {
  flamelet_string name;
  uint64_t frame_count;
  uint64_t block_count;
  int64_t last_ns;
  int64_t min_ns;
  int64_t max_ns;
  double mean_ns;
  double deviation_ns;  // of the sample (n - 1), by Welford's method; 0 for fewer than two frames
} flamelet_perf_routine;

// Routines are in the order of their first frames. Names live as long as the log. False past the end.
FLAMELET_API bool flamelet_perf_log_routine(const flamelet_perf_log* log, size_t index, flamelet_perf_routine* routine);

// Prints the routines as a table, most time first, line by line until the sink returns false. `columns` is the width of
// the terminal, at most 1024; names are cut to fit. To watch them in a terminal, poll and print once a second:
//
//   static bool to_terminal(void* file, const void* text, size_t size) {
//     return fwrite(text, 1, size, (FILE*)file) == size;
//   }
//   fputs("\033[H\033[J", stderr);  // clears the screen
//   const flamelet_sink terminal = {to_terminal, stderr};
//   flamelet_perf_log_print(log, 100, terminal);
FLAMELET_API void flamelet_perf_log_print(flamelet_perf_log* log, uint32_t columns, flamelet_sink sink);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_PERF_LOG_H
