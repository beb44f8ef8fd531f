// SPDX-License-Identifier: MIT
//
// flamelet_shim/start.h: how a shim starts the recorder before any code that has a macro of it, static initializers
// included. start_here.h calls flamelet_shim_start_at_first_use() from a variable; nothing else names what early_start.cpp
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

#include "flamelet/base.h"

FLAMELET_EXTERN_C_BEGIN

// Starts the recorder at the first call in this process, and ends it at exit. If one runs already (the program called
// flamelet_init()), that one records, and nothing is done at exit. Returns 1.
int flamelet_shim_start_at_first_use(void);

// As flamelet_init() with what the environment says, and flamelet_shutdown(); any number of times. False: it did not
// start, and stderr has the reason, or the environment switches it off.
bool flamelet_shim_start(void);
void flamelet_shim_stop(void);
bool flamelet_shim_is_started(void);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_SHIM_START_H
