// SPDX-License-Identifier: MIT
//
// frame.cpp: frame marks. They are events on a track of their own, so readers get them, and count their loss, like any
// other. Frames are marked while recording is disabled, too: the game goes on, and its frame bars with it.
#include "record/frame.h"

#include "record/names.h"
#include "record/ring_file_writer.h"
#include "record/session.h"
#include "record/switches.h"
#include "record/thread.h"
#include "record/thread_times.h"
#include "record/track.h"

namespace flamelet {

Frames frame_marks = {};

// Before a page's 44-bit times become ambiguous, its thread is sent through the slow path, which takes a new one.
void sweep_old_pages() {
  constexpr uint64_t kSweepTicks = kMaxPageAgeTicks / 16;
  if (!recorder.clock.is_inline()) return;  // the slow path sees to it by itself
  const uint64_t now = recorder.clock.now_ticks();
  if (now - frame_marks.last_sweep_ticks.load_relaxed() < kSweepTicks) return;
  frame_marks.last_sweep_ticks.store_relaxed(now);
  for (Track& track : tracks) {
    if (track.kind.load_relaxed() != FLAMELET_TRACK_THREAD ||
        now - track.base_ticks.load_relaxed() < kMaxPageAgeTicks / 2)
      continue;
    // Only from "inline": any other mode stays what the recorder made it.
    as_atomic(track.head.mode).cas_relaxed(FLAMELET_MODE_INLINE_, FLAMELET_MODE_CALLS_);
  }
}

namespace {

// Whether the clock went back since the latest mark, or further than a frame can be long.
bool clock_jumped(uint64_t now) {
  constexpr double kMostSeconds = 3600;
  const uint64_t latest = frame_marks.latest_ticks.load_relaxed();
  if (now < latest) return true;
  frame_marks.latest_ticks.store_relaxed(now);
  return static_cast<double>(now - latest) > kMostSeconds * recorder.clock.ticks_per_second();
}

}  // namespace

void mark_frame(uint64_t index, bool ended_partial) {
  Track* track = &tracks[kFrameSlot];
  uint64_t now = recorder.clock.now_ticks();
  uint64_t payload[kFramePayloadWords + kThreadTimeWords * kMostThreadTimes];
  payload[1] = this_thread_id();
  const uint32_t times = take_thread_times(&now, payload + kFramePayloadWords);
  payload[0] = index | (ended_partial ? kFramePartialBit : 0) | (clock_jumped(now) ? kFrameClockBit : 0);
  append(track, 0, now, make_code(WordType::kFrame, times), payload, kFramePayloadWords + kThreadTimeWords * times);
  roll_if_full(track, 0);
  sweep_old_pages();
}

namespace {

// The set of this name, or NULL: there are too many.
FrameSet* frame_set(uint32_t string) {
  const uint32_t name = string + 1;
  for (FrameSet& set : frame_marks.sets) {
    // A place is free once, so its name never changes.
    if (set.name.load_relaxed() == name || set.name.cas_relaxed(0, name) || set.name.load_relaxed() == name)
      return &set;
  }
  return nullptr;
}

}  // namespace
}  // namespace flamelet

using namespace flamelet;

void flamelet_frame(void) {
  const SessionGuard guard;
  if (!guard) return;
  // acquire and release: the frame track's fields pass from one frame's thread to the next.
  if (frame_marks.lock.cas_acquire(0, 1)) {
    const uint64_t index = frame_marks.count.load_relaxed() + 1;
    mark_frame(index, frame_marks.partial.exchange_relaxed(0) != 0);
    frame_marks.count.store_relaxed(index);
    frame_marks.lock.store_release(0);
    recorder.clock.calibrate();
    share_clock();
    drain_switches();
  } else {
    recorder.counts.add(kDroppedFrame);
  }
}

// An event of the calling thread and not of the frame track, so that marks of several threads do not meet.
void flamelet_frame_named(const char* name) {
  uint32_t depth;
  Track* track = enter(Entry::kNew, &depth);
  if (track == nullptr) return;
  const uint32_t set_name = intern_string(name);
  FrameSet* set = frame_set(set_name);
  if (set != nullptr) {
    const uint32_t switches = frame_marks.switches.load_relaxed();
    const bool partial = set->switches.exchange_relaxed(switches) != switches;
    const uint64_t payload = named_frame_mark(set_name, set->marks.fetch_add_relaxed(1) + 1, partial);
    append(track, depth, event_ticks(track, recorder.clock.now_ticks()),
           make_code(WordType::kMore, make_more_id(MoreType::kNamedFrame, 1)), &payload, 1);
  } else {
    recorder.counts.add(kDroppedFrame);
  }
  leave(track, depth);
}
