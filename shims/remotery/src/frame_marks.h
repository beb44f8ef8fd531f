// SPDX-License-Identifier: MIT
//
// frame_marks.h: how often rmt_MarkFrame() was called.
#ifndef FLAMELET_REMOTERY_FRAME_MARKS_H
#define FLAMELET_REMOTERY_FRAME_MARKS_H

#include "platform/atomic.h"

namespace flamelet_remotery {

inline flamelet::Atomic<uint32_t> frame_marks;

}  // namespace flamelet_remotery

#endif  // FLAMELET_REMOTERY_FRAME_MARKS_H
