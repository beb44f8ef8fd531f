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
#define EASY_VALUE(...)
#define EASY_ARRAY(...)
#define EASY_TEXT(...)
#define EASY_STRING(...)
#endif

#endif  // FLAMELET_EASY_PROFILER_ARBITRARY_VALUE_H
