// SPDX-License-Identifier: MIT
//
// flamelet/io.h: where bytes go and where they come from, when not through a path: the engine's own files, memory, a
// socket. Captures, exports, imports and the performance log all take these two.
//
//   static bool to_file(void* file, const void* bytes, size_t size) {
//     return fwrite(bytes, 1, size, (FILE*)file) == size;
//   }
//   const flamelet_sink sink = {to_file, file};
//   if (flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, sink)) ...
//
// Threads:   the functions are called on the thread that makes the call, and only while it runs. The performance log
//            keeps its sink until it is destroyed.
// Errors:    a sink that returns false ends the call with FLAMELET_ERROR_FILE_WRITE, a source that returns false with
//            FLAMELET_ERROR_FILE_READ. Neither is called again. One without a function is FLAMELET_ERROR_INVALID_ARGUMENT.
//            The functions must not throw.
#ifndef FLAMELET_IO_H
#define FLAMELET_IO_H

#include "flamelet/base.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_sink {
  // Takes the next `size` bytes, all of them; false = it could not.
  bool (*write)(void* user, const void* bytes, size_t size);
  void* user;
} flamelet_sink;

// The size of a stream: a pipe, a socket.
#define FLAMELET_SIZE_UNKNOWN UINT64_MAX

typedef struct flamelet_source {
  // Copies up to `size` (1 or more) bytes from `offset` on, and sets *count to how many; 0 only at the end. False = they
  // cannot be read.
  bool (*read)(void* user, uint64_t offset, void* bytes, size_t size, size_t* count);
  // All the bytes that there are: nothing behind them is asked for, and an earlier end is FLAMELET_ERROR_FILE_READ. Or
  // FLAMELET_SIZE_UNKNOWN: then offsets rise without gaps, so that `read` may ignore them. Only flamelet_import() takes
  // such a source.
  uint64_t size;
  void* user;
} flamelet_source;

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_IO_H
