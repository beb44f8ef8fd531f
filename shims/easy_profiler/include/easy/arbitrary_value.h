// SPDX-License-Identifier: MIT
//
// easy/arbitrary_value.h: easy_profiler's macros for values and texts, recorded by Flamelet.
#ifndef FLAMELET_EASY_PROFILER_ARBITRARY_VALUE_H
#define FLAMELET_EASY_PROFILER_ARBITRARY_VALUE_H

#include "profiler.h"

#ifdef USING_EASY_PROFILER
#include "../flamelet_easy_profiler/values.hpp"
#else
#define EASY_GLOBAL_VIN
#define EASY_UNIQUE_VIN
#define EASY_VIN(...)
#define EASY_VALUE(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__))
#define EASY_ARRAY(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__), FLAMELET_EASY_THIRD_(__VA_ARGS__))
#define EASY_TEXT(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__))
#define EASY_STRING(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__), FLAMELET_EASY_THIRD_(__VA_ARGS__))
#endif

#endif  // FLAMELET_EASY_PROFILER_ARBITRARY_VALUE_H
