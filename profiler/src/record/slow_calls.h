// SPDX-License-Identifier: MIT
//
// slow_calls.h: what record.cpp does for fast_calls.cpp.
#ifndef FLAMELET_SRC_SLOW_CALLS_H
#define FLAMELET_SRC_SLOW_CALLS_H

#include "flamelet/recorder.h"

namespace flamelet {

// flamelet_begin(), whatever it meets.
__attribute__((cold)) flamelet_id begin_by_name(const char* name, const char* category, const char* object);

// A begin by call gave 0. The thread is not entered.
void count_unrecorded();
// Whether an end by call belongs to a begin that was not recorded. The thread is not entered.
bool ends_unrecorded();

}  // namespace flamelet

#endif  // FLAMELET_SRC_SLOW_CALLS_H
