// SPDX-License-Identifier: MIT
//
// gpu_frames.h: how long the GPU worked for each frame. GPU work runs after the frame that submitted it, often in the
// middle of a later one; it is added to the frame that submitted it, which is known because a GPU span carries the id
// of the CPU scope that was open then. The lag is how many frames later the work began.
#ifndef FLAMELET_OVERLAY_SRC_GPU_FRAMES_H
#define FLAMELET_OVERLAY_SRC_GPU_FRAMES_H

#include "content/memory.h"
#include "flamelet/capture.h"

namespace flamelet::ui {

struct GpuFrame {
  uint64_t index = UINT64_MAX;  // frame
  int64_t busy_ns = 0;          // its GPU spans, all queues; what overlaps on a queue counts once
  uint32_t lag = 0;             // frames
  float share_ns = 0;           // of busy_ns, what ran beside no work of another frame that began before
};

// A scope somewhere in the capture.
struct ScopePlace {
  uint32_t lane = 0;  // of the capture
  int64_t begin_ns = 0;
  uint32_t depth = 0;
  uint64_t frame = UINT64_MAX;  // index; UINT64_MAX = in no complete frame
};

class GpuFrames {
 public:
  static constexpr uint32_t kMostLag = 6;  // frames to look back for the CPU scope

  void carve(Carver* carver, uint32_t max_frames);
  void reset();

  // Takes in the GPU spans that are new since the last call. `scratch` is overwritten.
  void update(const flamelet_capture* capture, Array<flamelet_span>* scratch);

  // False while nothing is known of that frame.
  bool find(uint64_t frame, GpuFrame* gpu) const;
  // It is newer than all of which something is known: what the GPU did for it was not read yet, or not before the end.
  bool waits_for(uint64_t frame) const {
    return newest_frame_ != UINT64_MAX && frame > newest_frame_ && frame - newest_frame_ <= kMostLag;
  }
  bool any_queue() const { return queue_count_ != 0; }
  // The newest frame whose work is known; UINT64_MAX without any.
  uint64_t newest_frame() const { return newest_frame_; }

 private:
  static constexpr uint32_t kMostQueues = 32;
  // A lane of a queue: its own, or one beside it.
  struct Queue {
    uint32_t id;
    uint32_t of;         // the queue's own lane, by its id
    int64_t done_ns;     // the end of the newest outermost span that was taken in
    int64_t reached_ns;  // and of those that wait for the others of their time
    int64_t counted_ns;  // of the queue's own lane: its work up to there is in the share of some frame
    struct Counted {
      uint64_t frame;
      int64_t end_ns;
    } counted[kMostLag + 2];  // of the queue's own lane: so is a frame's in its time, by index modulo the size
  };
  struct Pending {
    flamelet_id id;
    int64_t begin_ns;
    int64_t end_ns;
    int64_t submitted_ns;  // INT64_MIN = not found
    uint32_t queue;        // its own lane, in queues_
  };

  bool collect(const flamelet_capture* capture, int64_t before_ns, Array<flamelet_span>* scratch);
  void resolve(const flamelet_capture* capture, Array<flamelet_span>* scratch);
  void add(const flamelet_capture* capture, const Pending& work);

  Array<GpuFrame> frames_;  // by frame index modulo its size
  Array<Pending> pending_;
  Queue queues_[kMostQueues];
  uint32_t queue_count_ = 0;
  uint64_t newest_frame_ = UINT64_MAX;
  size_t submitting_lane_ = 0;  // where the last one was found: most often all are there
};

// The CPU scope with this id, which began before `before_ns`. Reads up to kMostLag frames of each thread's lane.
bool find_submitting_scope(const flamelet_capture* capture, flamelet_id id, int64_t before_ns,
                           Array<flamelet_span>* scratch, ScopePlace* place);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_GPU_FRAMES_H
