// SPDX-License-Identifier: MIT
//
// other_work.h: what another lane did while a thread was held up, and a cause that passes to it.
#ifndef FLAMELET_EXPLAIN_SRC_OTHER_WORK_H
#define FLAMELET_EXPLAIN_SRC_OTHER_WORK_H

#include "explain_data.h"

namespace flamelet::why {

// A part of a frame, and in it a span of another lane.
struct WorkWindow {
  int64_t begin_ns, end_ns;
};
struct Work {
  uint32_t lane, span;  // kNoIndex: none
  int64_t overlap_ns;
};

// The part of its frame that a cause's longest call took.
WorkWindow window_of(const flamelet_cause& cause, const flamelet_frame_info& frame);

int64_t overlap_ns(const flamelet_span& span, const WorkWindow& window);

// If the work, or the innermost scope with most of its time, took longer than usual by at least half of the cause's surplus,
// it becomes the cause. Else false. Reads frames into explain->lanes: what was there is gone.
bool pass_cause_to(flamelet_explain* explain, const flamelet_capture* capture, size_t position, const Work& work,
                   const WorkWindow& window, flamelet_cause* cause);

}  // namespace flamelet::why

#endif  // FLAMELET_EXPLAIN_SRC_OTHER_WORK_H
