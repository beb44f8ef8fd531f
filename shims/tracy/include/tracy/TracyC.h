// SPDX-License-Identifier: MIT
//
// tracy/TracyC.h: Tracy's macros for C, recorded by Flamelet; from C99 on. docs/tracy.md says what becomes of each.
// Without TRACY_ENABLE every macro is nothing, and its arguments are not evaluated.
#ifndef FLAMELET_TRACY_C_H
#define FLAMELET_TRACY_C_H

#include <stddef.h>
#include <stdint.h>

#include "../flamelet_tracy/start.h"
#include "flamelet_shim/calls.h"

enum TracyPlotFormatEnum {
  TracyPlotFormatNumber,
  TracyPlotFormatMemory,
  TracyPlotFormatPercentage,
  TracyPlotFormatWatt
};

enum TracyMessageSeverity {
  TracyMessageSeverityTrace,
  TracyMessageSeverityDebug,
  TracyMessageSeverityInfo,
  TracyMessageSeverityWarning,
  TracyMessageSeverityError,
  TracyMessageSeverityFatal
};

FLAMELET_EXTERN_C_BEGIN
void ___tracy_set_thread_name(const char* name);
FLAMELET_EXTERN_C_END
#define TracyCSetThreadName(name) ___tracy_set_thread_name(name);

#ifndef TracyConcat
#define TracyConcatIndirect(x, y) x##y
#define TracyConcat(x, y) TracyConcatIndirect(x, y)
#endif
#ifndef TracyFunction
#ifdef __cplusplus
#define TracyFunction __PRETTY_FUNCTION__
#else
#define TracyFunction __func__
#endif
#endif
#ifndef TracyFile
#define TracyFile __FILE__
#endif
#ifndef TracyLine
#define TracyLine __LINE__
#endif

#ifdef TRACY_ENABLE
#include "../flamelet_tracy/c_functions.h"
#else
typedef const void* TracyCZoneCtx;
typedef const void* TracyCLockCtx;
typedef const void* TracyCSharedLockCtx;
#endif
#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED)
#include "../flamelet_tracy/c_macros.h"
#else
#include "../flamelet_tracy/no_c_macros.h"
#endif

#endif  // FLAMELET_TRACY_C_H
