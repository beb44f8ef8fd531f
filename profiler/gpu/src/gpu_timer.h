// SPDX-License-Identifier: MIT
//
// gpu_timer.h: scopes in flight on the GPU. It knows no graphics API: a backend (gpu_backend.h) writes and reads times.
//
//   scopes  a ring in the order of their begins; sequence numbers only rise, and scope s lies at s % max_scopes. Place p
//           owns the queries 2p and 2p + 1 for good. A scope is given back with its frame.
//   frames  a ring of runs of scopes: pushed by frame(), the oldest fetched first.
//
// - Nothing waits: a result is read only when it is there. Even that is not asked about frames younger than min_frames:
//   to answer for the frame that just ended, some drivers (Mesa's iris) flush their commands; and Vulkan's validation
//   layer does not know that a query is done before the program has waited for its frame's fence.
// - Results are not trusted to come in the order of their commands, to come at all, or to be times: each query is asked
//   for itself, a frame that is max_frames old is given up, and a time must lie between its frame's begin and now.
// - Every begin is counted once: submitted, dropped by cause, in flight, or open.
// - The recorder may be stopped and started again. The track and the names of what is in flight go with it: the next frame
//   drops these scopes, and makes a new track. Their queries stay in use until they are done.
#ifndef FLAMELET_GPU_SRC_GPU_TIMER_H
#define FLAMELET_GPU_SRC_GPU_TIMER_H

#include <cstdint>

#include "flamelet/gpu_backend.h"

namespace flamelet {

// Gpu clock: the GPU's clock on a 64-bit line, and where it must be at a time of the recorder's clock.
//
// A GPU may count in as few as 30 bits (OpenGL 4.6 core, 4.2.3), so a reading is one of many times. The recorder's clock
// tells which: the prediction from the newest calibration is far better than half a turn, as long as calibrations are
// closer than the clocks need to drift apart by that.

class GpuClock {
 public:
  GpuClock(uint32_t bits, double ticks_per_second) : unused_bits_(64 - bits), rate_(ticks_per_second) {}

  // The time that reads as `raw` and is nearest to `near`. With 64 bits it is `raw` itself.
  uint64_t extend(uint64_t raw, uint64_t near) const {
    const uint64_t ahead = (raw - near) << unused_bits_;
    return near + static_cast<uint64_t>(static_cast<int64_t>(ahead) >> unused_bits_);
  }

  // The GPU's time when the recorder's clock read `recorder_ticks`.
  uint64_t predict(uint64_t recorder_ticks) const;

  // The clock read `raw` at `recorder_ticks`. Returns how many ticks it had gone ahead of the prediction.
  int64_t calibrate(uint64_t raw, uint64_t recorder_ticks, double recorder_rate);

  double ticks_per_second() const { return rate_; }
  // From the newest calibration.
  uint64_t gpu_ticks() const { return gpu_ticks_; }
  uint64_t recorder_ticks() const { return recorder_ticks_; }
  double recorder_ns_per_tick() const { return 1e9 / recorder_rate_; }

 private:
  uint32_t unused_bits_;
  double rate_;
  uint64_t gpu_ticks_ = 0;
  uint64_t recorder_ticks_ = 0;
  double recorder_rate_ = 0;  // 0 = not calibrated yet
};

// Handed to one flamelet_submit(): far below the recorder's default limit, and no more memory than it is worth.
constexpr size_t kSubmitEvents = 256;

constexpr uint64_t kNoSequence = UINT64_MAX;
constexpr size_t kMaxGpuName = 63;  // of the lane

struct ScopeInFlight {
  flamelet_id id;  // of the CPU scope; 0 = given up
  const char* name;
  const char* category;
  uint64_t begin_raw;  // as the query said, once it did
  uint64_t end_raw;
};

struct FrameInFlight {
  uint64_t scopes_end;   // sequence number after its last scope; its first is the oldest scope in flight
  uint64_t fetched_end;  // the scopes before this one have their times
  uint64_t begin_ticks;  // not later than any of its commands
  uint64_t index;        // of the frame() call that ended it
};

struct OpenScope {
  flamelet_id id;
  uint64_t sequence;  // kNoSequence: it found no query
};

class GpuTimer {
 public:
  // Room for max_scopes and max_frames. `state` is the backend's, which has made the queries.
  GpuTimer(const flamelet_gpu_config& config, const flamelet_gpu_backend& backend, const flamelet_gpu_clock& clock,
           ScopeInFlight* scopes, FrameInFlight* frames, void* state);

  const flamelet_gpu_config& config() const { return config_; }
  const flamelet_gpu_backend& backend() const { return *backend_; }

  flamelet_result open_track();
  void close_track();
  void delete_queries();

  void set_context(void* context) { context_ = context; }
  void set_name(const char* name);
  void begin(flamelet_id id, const char* name, const char* category);
  void end(flamelet_id id);
  void frame();
  void get_stats(flamelet_gpu_stats* stats) const;

 private:
  ScopeInFlight& scope(uint64_t sequence) const { return scopes_[sequence % config_.max_scopes]; }
  FrameInFlight& oldest_frame() { return frames_[oldest_frame_ % config_.max_frames]; }
  void end_top();
  void follow_recorder();
  bool is_time_to_calibrate() const;
  void calibrate();
  double error_without_it_ns(uint64_t now_ticks) const;
  uint32_t query_of(uint64_t sequence) const { return 2 * static_cast<uint32_t>(sequence % config_.max_scopes); }
  void write_timestamp(uint32_t query) { backend_->write_timestamp(state_, context_, query); }
  bool fetch(uint64_t sequence);
  void reset_queries(uint64_t first, uint64_t end);
  void fetch_frames();
  void give_up_oldest_frame();
  void release_oldest_frame();
  void submit_scope(uint64_t sequence, uint64_t frame_begin, uint64_t now);
  void submit_events();

  flamelet_gpu_config config_;
  const flamelet_gpu_backend* backend_;
  void* state_;
  void* context_ = nullptr;
  uint32_t counter_bits_;
  GpuClock clock_;
  uint32_t track_ = 0;
  uint32_t session_ = 0;  // of the recorder that has the track
  char name_[kMaxGpuName + 1];
  bool calibration_is_due_ = false;
  bool calibration_failed_ = false;  // the newest try
  uint64_t trouble_ticks_ = 0;       // of the newest try that failed, or was made because of wrong times
  ScopeInFlight* scopes_;
  FrameInFlight* frames_;
  uint64_t first_scope_ = 0;  // oldest in flight
  uint64_t next_scope_ = 0;
  uint64_t disturbed_end_ = 0;      // the clock was disturbed while scopes before this one were in flight
  uint64_t frame_first_scope_ = 0;  // of the frame that runs
  uint64_t frame_begin_ticks_ = 0;  // of the frame that runs, once it has a scope
  uint64_t oldest_frame_ = 0;
  uint64_t next_frame_ = 0;
  uint64_t frame_index_ = 0;        // counts frame()
  flamelet_gpu_stats counts_ = {};  // get_stats() fills in the rest
  uint32_t open_count_ = 0;
  OpenScope open_[FLAMELET_MAX_DEPTH];
  size_t event_count_ = 0;
  flamelet_event events_[kSubmitEvents];
};

}  // namespace flamelet

#endif  // FLAMELET_GPU_SRC_GPU_TIMER_H
