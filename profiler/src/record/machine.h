// SPDX-License-Identifier: MIT
//
// machine.h: counters of the machine, in the category "machine". Ten times a second whoever marks a frame asks the system,
// and records what has changed in the thread's own track, if it has one.
#ifndef FLAMELET_SRC_MACHINE_H
#define FLAMELET_SRC_MACHINE_H

namespace flamelet {

// With a session: when it starts, after its clock. Off with config.thread_times, and by FLAMELET_MACHINE_COUNTERS=off.
void begin_machine();
// Under the frame lock, behind a mark.
void record_machine();

}  // namespace flamelet

#endif  // FLAMELET_SRC_MACHINE_H
