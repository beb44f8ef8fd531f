// SPDX-License-Identifier: MIT
//
// sleep.h: threads that slept in a scope which is not marked as a wait.
#ifndef FLAMELET_EXPLAIN_SRC_SLEEP_H
#define FLAMELET_EXPLAIN_SRC_SLEEP_H

#include "explain_data.h"

namespace flamelet::why {

// Fills in how long the thread of a cause, one of `count`, must have slept in it. If that is most of the surplus, and a
// lane is found whose unusual work ended when the thread can have woken, that work becomes the cause. If the thread slept
// for that long, but perhaps in another one of its scopes, only unusual work of a GPU queue becomes the cause. Reads frames
// into explain->lanes: what was there is gone.
void look_for_sleep(flamelet_explain* explain, const flamelet_capture* capture, const flamelet_explanation& why,
                    size_t position, flamelet_cause* cause, uint32_t count);

}  // namespace flamelet::why

#endif  // FLAMELET_EXPLAIN_SRC_SLEEP_H
