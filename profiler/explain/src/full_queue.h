// SPDX-License-Identifier: MIT
//
// full_queue.h: threads that a GPU queue held up.
#ifndef FLAMELET_EXPLAIN_SRC_FULL_QUEUE_H
#define FLAMELET_EXPLAIN_SRC_FULL_QUEUE_H

#include "explain_data.h"

namespace flamelet::why {

// If the GPU queue that a cause's thread fills held the thread up there, the queue's work becomes the cause. Reads frames
// into explain->lanes: what was there is gone.
void look_for_full_queue(flamelet_explain* explain, const flamelet_capture* capture, const flamelet_explanation& why,
                         size_t position, flamelet_cause* cause);

// Makes one of the causes, `count` of them, that name the same work of a GPU queue: a thread waits for a slow pass first in
// a call, for room in the queue, and then where it presents. Returns how many are left.
uint32_t join_queue_causes(flamelet_cause* causes, uint32_t count);

}  // namespace flamelet::why

#endif  // FLAMELET_EXPLAIN_SRC_FULL_QUEUE_H
