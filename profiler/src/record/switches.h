// SPDX-License-Identifier: MIT
//
// switches.h: when threads were put on a processor and taken off it. The system notes it; whoever drains copies it into a
// track of its own, with the ids of the threads' tracks and the recorder's time, so threads that record have nothing to do.
#ifndef FLAMELET_SRC_SWITCHES_H
#define FLAMELET_SRC_SWITCHES_H

#include "flamelet/recorder.h"

namespace flamelet {

// With a session: when it starts, after its clock and before anybody can call.
void begin_switches();
// Returns how many were copied; none while another thread does it. The caller keeps the session.
size_t drain_switches();
void end_switches();
// In the child of a fork.
void forget_switches();

void get_switch_stats(flamelet_stats* stats);
flamelet_thread_states switch_states();

}  // namespace flamelet

#endif  // FLAMELET_SRC_SWITCHES_H
