// SPDX-License-Identifier: MIT
//
// lost_time.h: time in which a thread did not run though it had work to do. The system tells it once a frame and thread,
// and not which scope it hit. It is kept beside the paths of a frame, so that the baseline knows what is usual.
#ifndef FLAMELET_EXPLAIN_SRC_LOST_TIME_H
#define FLAMELET_EXPLAIN_SRC_LOST_TIME_H

#include "explain_data.h"

namespace flamelet::why {

// What more calls add if each takes as long as usual: the thread ran all that time. 0 for other verdicts.
int64_t more_calls_ns(const flamelet_cause& cause);

// Notes the figures of each thread in the frame at this position, which was walked last.
void note_lost_time(flamelet_explain* explain, const flamelet_capture* capture, size_t position);

// The causes that were found blame scopes. Where their thread lost more time than usual, that part of their surplus
// becomes a cause of its own, and what is left of them has to stand out still. Returns how many causes there are then.
uint32_t charge_lost_time(flamelet_explain* explain, double least_ns, const flamelet_explanation& why, uint32_t count);

// Adds to each cause that says "preempted" the threads of the program itself that had the processors meanwhile.
void note_rivals(flamelet_explain* explain, const flamelet_capture* capture, size_t position, uint32_t count);

// Adds to each cause the page faults of its thread, where they are more than usual.
void note_page_faults(flamelet_explain* explain, uint32_t count);

}  // namespace flamelet::why

#endif  // FLAMELET_EXPLAIN_SRC_LOST_TIME_H
