// SPDX-License-Identifier: MIT
//
// flamelet_tracy/start.h: starts the recorder, but with TRACY_MANUAL_LIFETIME or FLAMELET_SHIM_NO_START.
#ifndef FLAMELET_TRACY_START_H
#define FLAMELET_TRACY_START_H

#include "flamelet_shim/start.h"

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED) && !defined(TRACY_MANUAL_LIFETIME) && \
    !defined(FLAMELET_SHIM_NO_START)
#ifdef __cplusplus
namespace tracy {
// Initialized before the variables that follow the include in any file.
inline const int flamelet_started_ = flamelet_shim_start_at_first_use();
}  // namespace tracy
#elif defined(__GNUC__)
__attribute__((constructor)) static void flamelet_tracy_start_of_file_(void) {
  flamelet_shim_start_at_first_use();
}
#endif
#endif

#endif  // FLAMELET_TRACY_START_H
