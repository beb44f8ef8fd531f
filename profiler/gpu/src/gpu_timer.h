// SPDX-License-Identifier: MIT
//
// gpu_timer.h: scopes in flight on the GPU.
//
//   scopes  a ring in the order of their begins; sequence numbers only rise, and scope s lies at s % max_scopes. Each
//           place owns two queries for good. A scope is given back with its frame.
//   frames  a ring of runs of scopes: pushed by frame(), the oldest fetched first.
//
// - Nothing waits: a result is read only after the driver said that it is there. Even that is not asked about the frame
//   that just ended, because some drivers (Mesa's iris) flush their commands to answer.
// - Results are not trusted to come in the order of their commands, to come at all, or to be times: each query is asked
//   for itself, a frame that is max_frames old is given up, and a time must lie between its frame's begin and now.
//   Giving up is safe: a query may be issued again while its result is pending, and the older result is lost.
// - Every begin is counted once: submitted, dropped by cause, in flight, or open.
#ifndef FLAMELET_GPU_SRC_GPU_TIMER_H
#define FLAMELET_GPU_SRC_GPU_TIMER_H

#include "flamelet/gpu_opengl.h"
#include "gl_functions.h"
#include "gpu_clock.h"

namespace flamelet {

// Handed to one flamelet_submit(): far below the recorder's default limit, and no more memory than it is worth.
constexpr size_t kSubmitEvents = 256;

constexpr uint64_t kNoSequence = UINT64_MAX;

struct ScopeInFlight {
  flamelet_id id;  // of the CPU scope; 0 = given up
  const char* name;
  const char* category;
  uint64_t begin_raw;  // as the query said, once it did
  uint64_t end_raw;
  uint32_t begin_query;
  uint32_t end_query;
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
  bool debug_group;
};

class GpuTimer {
 public:
  // `arrays`: array_bytes() of memory, aligned to 8. Makes the queries.
  GpuTimer(const flamelet_gpu_opengl_config& config, const GlFunctions& gl, void* arrays);

  static size_t array_bytes(const flamelet_gpu_opengl_config& config) {
    return config.max_scopes * sizeof(ScopeInFlight) + config.max_frames * sizeof(FrameInFlight);
  }

  const flamelet_allocator& allocator() const { return config_.allocator; }
  size_t bytes() const { return sizeof(GpuTimer) + array_bytes(config_); }

  bool open_track();
  void close_track() { flamelet_track_destroy(track_); }
  void delete_queries();

  void begin(flamelet_id id, const char* name, const char* category);
  void end(flamelet_id id);
  void frame();
  void get_stats(flamelet_gpu_opengl_stats* stats) const;

 private:
  ScopeInFlight& scope(uint64_t sequence) { return scopes_[sequence % config_.max_scopes]; }
  FrameInFlight& oldest_frame() { return frames_[oldest_frame_ % config_.max_frames]; }
  void end_top();
  void calibrate();
  bool fetch(uint32_t query, uint64_t* raw);
  bool fetch(ScopeInFlight* scope);
  void fetch_frames();
  void give_up_oldest_frame();
  void release_oldest_frame();
  void submit_scope(const ScopeInFlight& scope, uint64_t frame_begin_ns, uint64_t now_ns);
  void submit_events();

  flamelet_gpu_opengl_config config_;
  GlFunctions gl_;
  GpuClock clock_;
  uint32_t track_ = 0;
  bool calibration_is_due_ = false;
  ScopeInFlight* scopes_;
  FrameInFlight* frames_;
  uint64_t first_scope_ = 0;  // oldest in flight
  uint64_t next_scope_ = 0;
  uint64_t frame_first_scope_ = 0;  // of the frame that runs
  uint64_t frame_begin_ticks_ = 0;  // of the frame that runs, once it has a scope
  uint64_t oldest_frame_ = 0;
  uint64_t next_frame_ = 0;
  uint64_t frame_index_ = 0;               // counts frame()
  flamelet_gpu_opengl_stats counts_ = {};  // get_stats() fills in the rest
  uint32_t open_count_ = 0;
  OpenScope open_[FLAMELET_MAX_DEPTH];
  size_t event_count_ = 0;
  flamelet_event events_[kSubmitEvents];
};

static_assert(sizeof(GpuTimer) % 8 == 0 && sizeof(ScopeInFlight) % 8 == 0, "the arrays need no padding");

}  // namespace flamelet

#endif  // FLAMELET_GPU_SRC_GPU_TIMER_H
