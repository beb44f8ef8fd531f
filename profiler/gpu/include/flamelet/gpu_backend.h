// SPDX-License-Identifier: MIT
//
// flamelet/gpu_backend.h: how to add a graphics API to the timer of gpu.h. A backend is a header with its config and
// create function, and a source with the functions below. The timer does the rest: assignment of queries, frames in
// flight, nesting, calibration, wrapping clocks, losses, counts.
//
// Threads:   the functions are called on the thread that calls flamelet_gpu_*(), never at the same time.
// Queries:   are numbers from 0 to query_count - 1. Each is written, polled until its time is there or its frame is
//            dropped, and reset; then it may be written again.
// Lifetime:  the table must live as long as the objects that were created with it.
#ifndef FLAMELET_GPU_BACKEND_H
#define FLAMELET_GPU_BACKEND_H

#include "flamelet/gpu.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_gpu_clock {
  double ticks_per_second;  // of the timestamps; above 0, at most 10^15
  uint32_t counter_bits;    // 1 .. 64; below 64 it wraps
} flamelet_gpu_clock;

typedef struct flamelet_gpu_backend {
  // The backend's own memory, aligned to 16 and zeroed: a part of the timer's one allocation.
  size_t state_bytes;
  size_t state_bytes_per_query;

  // Creates the queries, ready to be written. `setup` is that of flamelet_gpu_create(). If the result is not
  // FLAMELET_OK (but FLAMELET_ERROR_NO_GPU_TIMESTAMPS, say), flamelet_gpu_create() returns it; then nothing may be left
  // behind.
  flamelet_result (*create)(void* state, const void* setup, uint32_t query_count, flamelet_gpu_clock* clock);
  void (*destroy)(void* state);  // not called by flamelet_gpu_abandon()

  // Makes the GPU write its time when all commands before this one are done. `context` is that of
  // flamelet_gpu_set_context(), such as a command buffer. Must not wait. May be called inside a render pass.
  void (*write_timestamp)(void* state, void* context, uint32_t query);
  // The time of a query that was written; false = not there yet. Must not wait: if results depend on a fence, test the
  // fence.
  bool (*poll_timestamp)(void* state, uint32_t query, uint64_t* ticks);
  // The GPU's time now; false = unknown now. Called a few times for each calibration.
  bool (*read_clock)(void* state, uint64_t* ticks);

  // NULL if queries need no reset. Called by flamelet_gpu_frame(), so outside render passes. Queries of a frame that
  // was dropped may still be pending.
  void (*reset_queries)(void* state, void* context, uint32_t first, uint32_t count);

  // Debug groups; both NULL if there are none. In pairs, nested, up to FLAMELET_MAX_DEPTH. `name` ends with a zero.
  void (*begin_group)(void* state, void* context, const char* name, size_t length);
  void (*end_group)(void* state, void* context);

  // NULL if the clock is never disturbed. True: since the last call it was, and the times of all queries that were written
  // by now are of no use. Called for each frame whose times have come.
  bool (*was_disturbed)(void* state);
} flamelet_gpu_backend;

// What flamelet_gpu_create() allocates, or 0 if the config is invalid.
FLAMELET_API size_t flamelet_gpu_memory_required(const flamelet_gpu_config* config,
                                                 const flamelet_gpu_backend* backend);

// Sets `*gpu`, to NULL after an error. One allocation. Returns the backend's error or FLAMELET_ERROR_NOT_INITIALIZED
// (no recorder runs), FLAMELET_ERROR_LIMIT (the recorder has no free track), FLAMELET_ERROR_NO_GPU_TIMESTAMPS (the
// clock cannot be read), FLAMELET_ERROR_INVALID_ARGUMENT, FLAMELET_ERROR_OUT_OF_MEMORY.
FLAMELET_API flamelet_result flamelet_gpu_create(const flamelet_gpu_config* config, const flamelet_gpu_backend* backend,
                                                 const void* setup, flamelet_gpu** gpu);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_GPU_BACKEND_H
