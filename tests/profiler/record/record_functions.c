// SPDX-License-Identifier: MIT
//
// The C forms of the macros, compiled as C11.
#include "profiler/record/record_functions.h"

#include "flamelet/scope.h"

void record_c_function(void) {
  FLAMELET_BEGIN_FUNCTION();
  FLAMELET_INSTANT("in C");
  FLAMELET_END_FUNCTION();
}

void record_c_object(const char* object) {
  FLAMELET_BEGIN_FUNCTION_OBJECT(object);
  FLAMELET_INSTANT_OBJECT("in C", object);
  FLAMELET_END_FUNCTION();
}

static int evaluated(int* times, int value) {
  ++*times;
  FLAMELET_INSTANT("value");
  return value;
}

int record_c_return(int value, int* times) {
  FLAMELET_BEGIN_FUNCTION();
  if (value < 0) return FLAMELET_END_FUNCTION_VALUE(-1);
  return FLAMELET_END_FUNCTION_VALUE(evaluated(times, value));
}

void record_c_locals(int early) {
  FLAMELET_BEGIN_LOCAL(outer_tag);
  {
    FLAMELET_BEGIN_LOCAL(inner_tag);
    if (early) return;  // both ends are missing
    FLAMELET_END_LOCAL(inner_tag);
  }
  FLAMELET_COUNTER("in C", 3);
  FLAMELET_END_LOCAL(outer_tag);
}

void record_c_calls(void) {
  const flamelet_id id = flamelet_begin("c call", "c", NULL);
  const flamelet_id next = flamelet_next(id, "c next", "c");
  flamelet_end(next);
  FLAMELET_FRAME();
  FLAMELET_THREAD_NAME("c thread");
}

void record_c_handles(void) {
  FLAMELET_BEGIN(outer, "outer");
  FLAMELET_BEGIN_OBJECT(inner, "inner", flamelet_intern("thing"));
  FLAMELET_END(inner);
  FLAMELET_BEGIN(left, "left");
  FLAMELET_NEXT(left, "on");
  FLAMELET_NEXT_WAIT(left, "waiting");
  FLAMELET_END(left);
  FLAMELET_END(outer);
}

void record_c_kinds(void) {
  FLAMELET_BEGIN_CATEGORY(category, "category", "physics");
  FLAMELET_BEGIN_COLOR(color, "color", 0x123456);
  FLAMELET_BEGIN_WAIT(wait, "wait");
  FLAMELET_NEXT_WAIT(wait, "next wait");
  FLAMELET_END(wait);
  FLAMELET_END(color);
  FLAMELET_END(category);
}

const char* record_c_null(void) {
  FLAMELET_BEGIN_FUNCTION();
  return FLAMELET_END_FUNCTION_VALUE(NULL);
}

struct c_struct record_c_struct(int a) {
  FLAMELET_BEGIN_FUNCTION();
  int times = 0;
  if (a < 0) return FLAMELET_END_FUNCTION_VALUE((struct c_struct){0, 0});
  return FLAMELET_END_FUNCTION_VALUE((struct c_struct){a, evaluated(&times, a) + 1});
}
