// SPDX-License-Identifier: MIT
//
// enum_calls.h: each public function that takes an enum, as C calls it, where an enum can hold any number.
#pragma once

#include "flamelet/budgets.h"
#include "flamelet/call_tree.h"
#include "flamelet/capture_builder.h"
#include "flamelet/export.h"
#include "flamelet/lock.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the functions are called with.
typedef struct enum_scene {
  flamelet_capture* capture;
  flamelet_capture_builder* builder;
  uint32_t thread_lane;            // of the builder
  flamelet_call_tree* tree;        // root > 1 > 2
  flamelet_sink sink;              // counts the bytes
  const size_t* bytes;             // that it got
  const char* export_path;         // a file that does not exist
  const flamelet_budget* budgets;  // one, of the frame
} enum_scene;

typedef struct enum_call {
  const char* function;
  int valid;  // a number that it takes
  int count;  // of numbers that have a name
  // Calls it with this number. True if it did nothing and said so, as far as it says anything.
  bool (*refuses)(const enum_scene* scene, int number);
} enum_call;

extern const enum_call enum_calls[];
extern const size_t enum_call_count;

#ifdef __cplusplus
}
#endif
