// SPDX-License-Identifier: MIT
//
// Compiled twice: with every macro, compiled out, and with no macro at all.
#ifdef SUBJECT_HAS_MACROS
#include "flamelet/flamelet.h"
#include "flamelet/perf.h"
#define MACRO(macro) macro;
#else
#define MACRO(macro)
#endif

int count_up();
const char* next_name();

template <class Number>
Number twice(Number number) {
  MACRO(FLAMELET_FUNCTION())
  MACRO(FLAMELET_SCOPE("one"))
  MACRO(FLAMELET_SCOPE("two"))
  return number + number;
}

int work(int value) {
  MACRO(FLAMELET_FUNCTION_OBJECT(next_name()))
  MACRO(FLAMELET_SCOPE_COLOR("colour", 0xFF8800u))
  MACRO(FLAMELET_SCOPE_VAR(phase, "first"))
  MACRO(FLAMELET_INSTANT("point"))
  MACRO(FLAMELET_INSTANT_OBJECT("point", next_name()))
  MACRO(FLAMELET_COUNTER("count", count_up()))
  MACRO(FLAMELET_NEXT(phase, "second"))
  MACRO(FLAMELET_SIGNAL_GUARD())
  for (int i = 0; i < value; ++i) {
    MACRO(FLAMELET_SCOPE_OBJECT("loop", next_name()))
    MACRO(FLAMELET_SCOPE_DYNAMIC(next_name()))
    value += count_up();
  }
  MACRO(FLAMELET_THREAD_NAME("thread"))
  MACRO(FLAMELET_FRAME())
  return twice(value);
}

int perf_blocks(int value) {
  MACRO(PERF_FUNCTION())
  MACRO(PERF_BLOCK(a_word))
  value += count_up();
  MACRO(PERF_BLOCK_END)
  MACRO(PERF_BLOCK("a string"))
  return value;
}

int c_forms(int value) {
  MACRO(FLAMELET_BEGIN_FUNCTION())
  MACRO(FLAMELET_BEGIN_LOCAL(part))
  value += count_up();
  MACRO(FLAMELET_END_LOCAL(part))
#ifdef SUBJECT_HAS_MACROS
  FLAMELET_END_FUNCTION_RETURN(value * 2);
#else
  return value * 2;
#endif
}
