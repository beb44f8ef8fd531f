// SPDX-License-Identifier: MIT
//
// flamelet/detail/preload.h: how the library that `flamelet record --locks` and `--files` preload gets the program's recorder: each
// flamelet_init() looks for its function and calls it. Not part of the API.
#ifndef FLAMELET_DETAIL_PRELOAD_H
#define FLAMELET_DETAIL_PRELOAD_H

#include "flamelet/detail/lock_calls.h"
#include "flamelet/file.h"

#define FLAMELET_PRELOAD_VERSION_ 3u
#define FLAMELET_PRELOAD_CONNECT_ "flamelet_preload_connect_"

// What it calls. Valid as long as the process, also while no recorder runs.
typedef struct flamelet_preload_calls_ {
  uint32_t version;
  flamelet_wait (*wait_begin)(flamelet_lock* lock, flamelet_wait_kind kind);
  void (*wait_end)(flamelet_lock* lock, flamelet_wait wait, bool got);
  void (*hand_over)(flamelet_lock* lock);
  // What stands for a thread where it holds a lock, by the system's number of it; NULL: it has recorded nothing.
  void* (*track_of)(uint32_t system_thread);
  flamelet_file_call (*file_begin)(void);
  void (*file_end)(flamelet_file_call call, flamelet_file_kind kind, const char* file, int64_t least_ns);
  // A wait for a thread's end that began with that call, if the caller has recorded nothing since.
  flamelet_wait (*join_begin)(flamelet_lock* lock, flamelet_file_call since);
  // What the program calls the thread, with a 0 behind it. False: it has no name.
  bool (*name_of)(const void* track, char* text, size_t size);
} flamelet_preload_calls_;

typedef void (*flamelet_preload_connect_function_)(const flamelet_preload_calls_* calls);

#endif  // FLAMELET_DETAIL_PRELOAD_H
