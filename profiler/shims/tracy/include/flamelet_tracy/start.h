// SPDX-License-Identifier: MIT
//
// start.h: starts the recorder before any code that has one of Tracy's macros, static initializers included.
//
// With TRACY_MANUAL_LIFETIME or FLAMELET_TRACY_NO_START, defined for every file, nothing starts by itself: then nothing
// names what early_start.cpp has, and the linker leaves it out.
//
// The environment configures it:
//   FLAMELET_RECORD=off         the recorder does not start, and no macro records
//   FLAMELET_BUDGET_MIB=128     all memory of the recorder, in MiB (64)
//   FLAMELET_RING_FILE=path     the memory is this file; `flamelet record` sets it
//   FLAMELET_SHIM_REPORT=1      says at exit on stderr what was accepted and ignored
#ifndef FLAMELET_TRACY_START_H
#define FLAMELET_TRACY_START_H

#include "flamelet/base.h"

FLAMELET_EXTERN_C_BEGIN

// Starts the recorder at the first call in this process, and ends it at exit. If one runs already (the program called
// flamelet_init()), that one records, and nothing is done at exit. Returns 1.
int flamelet_tracy_start_at_first_use(void);

// As flamelet_init() with what the environment says, and flamelet_shutdown(); any number of times. False: it did not
// start, and stderr has the reason, or the environment switches it off.
bool flamelet_tracy_start(void);
void flamelet_tracy_stop(void);
bool flamelet_tracy_is_started(void);

FLAMELET_EXTERN_C_END

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED) && !defined(TRACY_MANUAL_LIFETIME) && \
    !defined(FLAMELET_TRACY_NO_START)
#ifdef __cplusplus
namespace tracy {
// Initialized before the variables that follow the include in any file.
inline const int flamelet_started_ = flamelet_tracy_start_at_first_use();
}  // namespace tracy
#elif defined(__GNUC__)
__attribute__((constructor)) static void flamelet_tracy_start_of_file_(void) {
  flamelet_tracy_start_at_first_use();
}
#endif
#endif

#endif  // FLAMELET_TRACY_START_H
