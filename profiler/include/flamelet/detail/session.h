// SPDX-License-Identifier: MIT
//
// flamelet/detail/session.h: which run of the recorder this is. What a library on top of the recorder keeps of it, such as
// tracks and fibers, ends with that run. Not part of the API.
#ifndef FLAMELET_DETAIL_SESSION_H
#define FLAMELET_DETAIL_SESSION_H

#include "flamelet/base.h"

FLAMELET_EXTERN_C_BEGIN

// A number for each run, from flamelet_init() to flamelet_shutdown(); 0 while no recorder runs. Any thread.
FLAMELET_API uint32_t flamelet_session_(void);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_DETAIL_SESSION_H
