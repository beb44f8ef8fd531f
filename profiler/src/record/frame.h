// SPDX-License-Identifier: MIT
//
// frame.h: frame marks, and what is done with them: looking after old pages.
#ifndef FLAMELET_SRC_FRAME_H
#define FLAMELET_SRC_FRAME_H

#include "platform/atomic.h"
#include "record/page.h"

namespace flamelet {

// The frames of one name: flamelet_frame_named().
struct FrameSet {
  Atomic<uint32_t> name;      // string id, plus 1; 0 = free
  Atomic<uint32_t> switches;  // Frames::switches at its newest mark
  Atomic<uint64_t> marks;
};

struct Frames {
  Atomic<uint32_t> lock;
  Atomic<uint32_t> partial;  // the running frame is partial
  Atomic<uint64_t> count;
  Atomic<uint64_t> last_sweep_ticks;
  Atomic<uint64_t> latest_ticks;  // of the marks
  Atomic<uint32_t> switches;      // of recording, on or off
  FrameSet sets[FLAMELET_MAX_FRAME_SETS];
};
extern Frames frame_marks;

// Under the frame lock, or before anyone else can call.
void mark_frame(uint64_t index, bool ended_partial);
// Threads that record rarely may sit on a page for hours. Called with the frame marks, and by readers.
void sweep_old_pages();

}  // namespace flamelet

#endif  // FLAMELET_SRC_FRAME_H
