// SPDX-License-Identifier: MIT
//
// scope_frames.h: how long one scope took in each frame of the capture. The newest frames are read first, a piece in each
// frame of the overlay; new ones are read as they come.
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_FRAMES_H
#define FLAMELET_OVERLAY_SRC_SCOPE_FRAMES_H

#include "content/frame_times.h"
#include "content/scope_key.h"
#include "pages/scope/call_choice.h"

namespace flamelet::ui {

struct ScopeFrame {
  uint64_t index = UINT64_MAX;
  int64_t time_ns = 0;
  uint32_t calls = 0;
  uint32_t mark = 0;  // what mark() was told last
};

class ScopeFrames {
 public:
  void carve(Carver* carver, uint32_t max_frames) { carver->take(&frames_, max_frames); }
  void clear();

  // On the threads, or on the GPU.
  void begin(const flamelet_capture* capture, ScopeKey scope, CallChoice calls = CallChoice(), bool on_gpu = false);
  // Reads about `max_zones` spans, and at least one frame; none after `settled`, which counts as in Timeline::follow().
  void step(Array<flamelet_span>* scratch, uint32_t max_zones, uint64_t settled);

  ScopeKey scope() const { return scope_; }
  bool reading() const { return !done_; }
  // The frames from the oldest to the newest were read, if any() was. They change with the generation, and grow at both
  // ends.
  bool any() const { return any_; }
  uint64_t oldest() const { return oldest_; }
  uint64_t newest() const { return newest_; }
  uint64_t generation() const { return generation_; }
  // NULL if the frame was not read, or not held any more.
  const ScopeFrame* find(uint64_t index) const;
  // Sets the mark of a frame that was read. False if it had this mark already, or was not read.
  bool mark(uint64_t index, uint32_t value);

 private:
  uint64_t read(size_t position, Array<flamelet_span>* scratch);

  const flamelet_capture* capture_ = nullptr;
  ScopeKey scope_;
  CallChoice calls_;
  bool on_gpu_ = false;
  Array<ScopeFrame> frames_;  // by index modulo their number
  bool any_ = false;          // a frame was read
  uint64_t newest_ = 0;       // index of the newest that was read
  uint64_t oldest_ = 0;       // of the oldest: those between them are read
  uint64_t generation_ = 0;
  bool done_ = true;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_FRAMES_H
