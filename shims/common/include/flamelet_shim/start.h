// SPDX-License-Identifier: MIT
//
// flamelet_shim/start.h: starts the recorder before any code of the file that has a macro of a shim, static initializers
// included, but with FLAMELET_SHIM_NO_START. Included by shims whose macros are on. Nothing else names what early_start.cpp
// has, so the linker leaves it out where no header does (FLAMELET_SHIM_NO_START, defined for every file).
//
// The environment configures it:
//   FLAMELET_RECORD=off         the recorder does not start, and no macro records
//   FLAMELET_BUDGET_MIB=128     all memory of the recorder, in MiB (64)
//   FLAMELET_THREAD_TIMES=off   frame marks do not ask the system how long each thread ran
//   FLAMELET_RING_FILE=path     the memory is this file; `flamelet record` sets it
//   FLAMELET_SHIM_REPORT=1      says at exit on stderr what was accepted and ignored
#ifndef FLAMELET_SHIM_START_H
#define FLAMELET_SHIM_START_H

#include "flamelet_shim/calls.h"

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

#endif  // FLAMELET_SHIM_START_H
