// SPDX-License-Identifier: MIT
//
// frame.cpp: frame marks. They are events on a track of their own, so readers get them, and count their loss, like any
// other. Frames are marked while recording is disabled, too: the game goes on, and its frame bars with it.
#include "record/ring_reader.h"
#include "record/session.h"

namespace flamelet {

// Before a page's 44-bit times become ambiguous, its thread is sent through the slow path, which takes a new one.
void sweep_old_pages() {
  constexpr uint64_t kSweepTicks = kMaxPageAgeTicks / 16;
  if (!recorder.clock.is_inline()) return;  // the slow path sees to it by itself
  const uint64_t now = recorder.clock.now_ticks();
  if (now - peek(&recorder.last_sweep_ticks) < kSweepTicks) return;
  put(&recorder.last_sweep_ticks, now);
  for (Track& track : tracks) {
    if (peek(&track.kind) != FLAMELET_TRACK_THREAD || now - peek(&track.base_ticks) < kMaxPageAgeTicks / 2) continue;
    // Only fast → slow: any other go stays what the mode made it.
    uint32_t fast = FLAMELET_GO_FAST_;
    __atomic_compare_exchange_n(&track.head.go, &fast, FLAMELET_GO_SLOW_, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
}

void mark_frame(uint64_t index, bool ended_partial) {
  Track* track = &tracks[kFrameSlot];
  const uint64_t now = recorder.clock.now_ticks();
  const uint64_t payload = index | (ended_partial ? kFramePartialBit : 0);
  append(track, 0, now, make_code(WordType::kFrame, 0), &payload, 1);
  roll_if_full(track, 0);
  sweep_old_pages();
}

}  // namespace flamelet

using namespace flamelet;

void flamelet_frame(void) {
  if (!begin_read()) return;
  uint32_t unlocked = 0;
  // acquire and release: the frame track's fields pass from one frame's thread to the next.
  if (__atomic_compare_exchange_n(&recorder.frame_lock, &unlocked, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    const uint64_t index = peek(&recorder.frames) + 1;
    mark_frame(index, __atomic_exchange_n(&recorder.frame_partial, 0u, __ATOMIC_RELAXED) != 0);
    put(&recorder.frames, index);
    __atomic_store_n(&recorder.frame_lock, 0u, __ATOMIC_RELEASE);
    recorder.clock.calibrate();
    share_clock();
  } else {
    count(&recorder.dropped_frame);
  }
  end_read();
}
