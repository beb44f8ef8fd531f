// SPDX-License-Identifier: MIT
//
// flamelet_shim/start_here.h: starts the recorder before the variables that follow the include in any file, but with
// FLAMELET_SHIM_NO_START. Included by shims whose macros are on.
#ifndef FLAMELET_SHIM_START_HERE_H
#define FLAMELET_SHIM_START_HERE_H

#include "flamelet_shim/start.h"

#ifndef FLAMELET_SHIM_NO_START
#ifdef __cplusplus
namespace flamelet_shim {
inline const int started_ = flamelet_shim_start_at_first_use();
}  // namespace flamelet_shim
#elif defined(__GNUC__)
__attribute__((constructor)) static void flamelet_shim_start_of_file_(void) {
  flamelet_shim_start_at_first_use();
}
#endif
#endif

#endif  // FLAMELET_SHIM_START_HERE_H
