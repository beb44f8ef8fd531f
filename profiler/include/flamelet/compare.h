// SPDX-License-Identifier: MIT
//
// flamelet/compare.h: what changed between two call trees (call_tree.h, span_tree.h), call path by call path.
//
//   flamelet_compare_config config = flamelet_compare_config_default();
//   size_t bytes = flamelet_compare_memory_required(&config);
//   flamelet_compare* compare;
//   if (flamelet_compare_create(&config, my_allocate(bytes), bytes, &compare)) ...   // 0 is success
//   flamelet_compare_add(compare, 0, flamelet_span_tree_calls(before), frames_before);
//   flamelet_compare_add(compare, 1, flamelet_span_tree_calls(after), frames_after);
//   flamelet_compared_path path;
//   for (size_t i = 1; flamelet_compare_path(compare, i, &path); ++i) ...
//
// Paths are joined by their names from the root on, because the same code has other ids in another recording. Two
// scopes of one name below the same caller are one path.
//
// Threads:   one thread at a time per flamelet_compare; adding a tree is a query of that tree.
// Lifetime:  everything lies in the caller's memory; there is nothing to destroy. Names are copied: trees and captures may
//            go once they were added.
// Units:     those of the trees' samples; nanoseconds if they were filled from a capture.
// Cost:      constant for each path of a tree. No call allocates.
// When full: see flamelet_compare_left_out().
#ifndef FLAMELET_COMPARE_H
#define FLAMELET_COMPARE_H

#include "flamelet/call_tree.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_compare flamelet_compare;

typedef struct flamelet_compare_config {
  uint32_t cookie;     // set by flamelet_compare_config_default()
  uint32_t max_paths;  // of both sides together, the root included (default 16384; 2 .. 2^26)
  uint32_t max_text;   // bytes of names, each name once (default 524288; 1 .. 2^30)
  bool by_scope;       // scopes, whoever called them: a scope inside itself counts once in its total (default false)
} flamelet_compare_config;

FLAMELET_API flamelet_compare_config flamelet_compare_config_default(void);
// 0 if the config is NULL, was not made by flamelet_compare_config_default(), or has a limit out of range.
FLAMELET_API size_t flamelet_compare_memory_required(const flamelet_compare_config* config);
// `memory` needs no alignment. Errors as for flamelet_call_tree_create().
FLAMELET_API flamelet_result flamelet_compare_create(const flamelet_compare_config* config, void* memory,
                                                     size_t memory_bytes, flamelet_compare** compare);

// Removes every path of both sides.
FLAMELET_API void flamelet_compare_clear(flamelet_compare* compare);

// Adds a tree to side 0 or 1, its figures divided by `divisor`: the number of frames, say, or 1. Does nothing if an
// argument is NULL, the side another one, or the divisor not above 0.
FLAMELET_API void flamelet_compare_add(flamelet_compare* compare, uint32_t side, flamelet_call_tree* calls,
                                       double divisor);

typedef struct flamelet_compare_figures {
  double total;
  double self;
  double calls;
  bool is_there;  // false: the path is new, or gone
} flamelet_compare_figures;

typedef struct flamelet_compared_path {
  uint32_t parent;  // its number is lower; the root's is 0, as is that of every scope with by_scope
  const char* name;
  flamelet_compare_figures side[2];
} flamelet_compared_path;

// The paths have the numbers 0, which is the root, to count - 1. False for another number.
FLAMELET_API size_t flamelet_compare_count(const flamelet_compare* compare);
FLAMELET_API bool flamelet_compare_path(const flamelet_compare* compare, size_t path, flamelet_compared_path* info);
// How many paths found no room, since the last clear; what they called is among them. Their time is in their callers'
// totals, and nowhere else.
FLAMELET_API uint64_t flamelet_compare_left_out(const flamelet_compare* compare);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_COMPARE_H
