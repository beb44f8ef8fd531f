// SPDX-License-Identifier: MIT
//
// thread.h: how a thread gets a track, enters and leaves it, and gives it back when it exits.
#ifndef FLAMELET_SRC_THREAD_H
#define FLAMELET_SRC_THREAD_H

#include "record/this_thread.h"
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

// Whether a thread that points at it has a track, or is about to get one.
bool is_recording_head(const flamelet_track_head_* head);

// The id of the calling thread's track; 0 if it has recorded nothing in this session.
uint32_t this_thread_id();

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
