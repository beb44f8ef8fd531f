// SPDX-License-Identifier: MIT
//
// this_thread.h: what belongs to the calling thread (flamelet_thread_): above all where it points, the head of its track or
// one that stands for none. Only the thread and its signal handlers use it, and each handler puts back what it found.
#ifndef FLAMELET_SRC_THIS_THREAD_H
#define FLAMELET_SRC_THIS_THREAD_H

#include "flamelet/detail/record.h"

namespace flamelet {

// What threads without a track point at: closed gate, busy depth. Its mode says whether it is worth asking.
#ifdef FLAMELET_THREAD_IN_SLOTS_
static constexpr flamelet_track_head_& unregistered_head = flamelet_no_track_;
#else
extern flamelet_track_head_ unregistered_head;
#endif
// ... and those whose track was given back: later destructors of the thread record nothing.
extern flamelet_track_head_ exited_head;

// Before the first session. False: the system has no room for it.
bool prepare_threads();

flamelet_thread_* this_thread();
void set_this_thread(const flamelet_thread_& now);
flamelet_track_head_* current_head();
void set_current_head(flamelet_track_head_* head);
// Returns what it was. No signal handler comes in between.
flamelet_track_head_* exchange_current_head(flamelet_track_head_* head);

}  // namespace flamelet

#endif  // FLAMELET_SRC_THIS_THREAD_H
