// SPDX-License-Identifier: MIT
//
// signal.h: the tracks that a thread's signal handlers record on.
#ifndef FLAMELET_SRC_SIGNAL_H
#define FLAMELET_SRC_SIGNAL_H

#include "record/track.h"

namespace flamelet {

// Is it one of the calling thread's: its own, or one of its signal handlers'?
bool is_own_track(const Track* track);
// For the exit: leaves the handlers that the calling thread ends in; then takes the tracks that handlers had, one by one,
// until there is none (NULL).
void leave_signal_handlers();
Track* take_signal_track();

}  // namespace flamelet

#endif  // FLAMELET_SRC_SIGNAL_H
