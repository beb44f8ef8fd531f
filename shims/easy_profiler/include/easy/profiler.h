// SPDX-License-Identifier: MIT
//
// easy/profiler.h: easy_profiler's macros, recorded by Flamelet. docs/easy_profiler.md says what becomes of each. As there,
// the macros need BUILD_WITH_EASY_PROFILER. Without it, with DISABLE_EASY_PROFILER or with FLAMELET_DISABLED, every macro
// is nothing, and every function does nothing.
#ifndef FLAMELET_EASY_PROFILER_H
#define FLAMELET_EASY_PROFILER_H

#include "details/profiler_colors.h"

#if defined(BUILD_WITH_EASY_PROFILER) && !defined(DISABLE_EASY_PROFILER) && !defined(FLAMELET_DISABLED)
#ifndef USING_EASY_PROFILER
#define USING_EASY_PROFILER
#endif
#endif
#include "../flamelet_easy_profiler/macros.hpp"

#define EASY_START_CAPTURE EASY_PROFILER_ENABLE
#define EASY_STOP_CAPTURE EASY_PROFILER_DISABLE

#endif  // FLAMELET_EASY_PROFILER_H
