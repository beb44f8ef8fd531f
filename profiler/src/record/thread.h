// SPDX-License-Identifier: MIT
//
// thread.h: how a thread gets a track, enters and leaves it, and gives it back when it exits.
#ifndef FLAMELET_SRC_THREAD_H
#define FLAMELET_SRC_THREAD_H

#include "record/track.h"

namespace flamelet {

enum class Entry {
  kNew,     // something begins: only while recording
  kEnd,     // something that the calling thread began ends: also while switched off
  kFinish,  // something that any thread began ends
};
// The calling thread's track with its depth busy until leave(). NULL: nothing can be recorded now (off, no slot, nested
// in a signal handler); what is dropped by that is counted.
Track* enter(Entry entry, uint32_t* depth);
void leave(Track* track, uint32_t depth);

// What unregistered threads point at: closed gate, busy depth. Its mode says whether it is worth asking.
extern flamelet_track_head_ unregistered_head;

flamelet_thread_* this_thread();
void set_this_thread(const flamelet_thread_& now);
// What the calling thread points at, and whether that is a thread's track, or what stands for one while it is claimed.
flamelet_track_head_* current_head();
void set_current_head(flamelet_track_head_* head);
bool is_recording_head(const flamelet_track_head_* head);

// Claims a track that the calling thread gives back when it exits. NULL: not recording, or none left (counted).
Track* claim_for_this_thread(bool while_disabled);

// The calling thread exits. Later events of it are ignored.
void end_thread();

// For the shutdown, after the mode was cleared everywhere: true once no thread is inside the record path. `barrier`: the
// process-wide barrier was passed since.
bool threads_are_outside(bool barrier);
// In the child of a fork: the other threads do not exist.
void forget_other_threads();

}  // namespace flamelet

#endif  // FLAMELET_SRC_THREAD_H
