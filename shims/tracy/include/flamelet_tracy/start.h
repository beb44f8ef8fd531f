// SPDX-License-Identifier: MIT
//
// flamelet_tracy/start.h: starts the recorder, but with TRACY_MANUAL_LIFETIME or FLAMELET_SHIM_NO_START.
#ifndef FLAMELET_TRACY_START_H
#define FLAMELET_TRACY_START_H

#include "flamelet_shim/start.h"

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED) && !defined(TRACY_MANUAL_LIFETIME)
#include "flamelet_shim/start_here.h"
#endif

#endif  // FLAMELET_TRACY_START_H
