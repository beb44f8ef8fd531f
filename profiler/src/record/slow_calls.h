// SPDX-License-Identifier: MIT
//
// slow_calls.h: what record.cpp does for fast_calls.cpp.
#ifndef FLAMELET_SRC_SLOW_CALLS_H
#define FLAMELET_SRC_SLOW_CALLS_H

#include "record/track.h"

namespace flamelet {

// flamelet_begin(), whatever it meets.
__attribute__((cold)) flamelet_id begin_by_name(const char* name, const char* category, const char* object);

// For flamelet_end_top(): a begin that gave 0, on a thread with that many open scopes (or busy).
inline void count_unrecorded(flamelet_track_head_* head, uint64_t depth) {
  if (depth == FLAMELET_DEPTH_BUSY_)
    ++unrecorded_without_track;
  else
    track_of(head)->unrecorded.begun(head->open, depth);
}

}  // namespace flamelet

#endif  // FLAMELET_SRC_SLOW_CALLS_H
