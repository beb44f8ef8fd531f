// SPDX-License-Identifier: MIT
//
// flamelet/gpu.h: times the GPU's work and shows it on a lane of its own, in the recorder's time, linked to the CPU
// scope that submitted it. A backend creates the object: flamelet/gpu_opengl.h, flamelet/gpu_vulkan.h, or your own
// (gpu_backend.h). The rest is the same for every graphics API:
//
//   flamelet_gpu* gpu = ...;                                     // NULL if the backend cannot make one
//   each frame:
//     { FLAMELET_GPU_SCOPE(gpu, "Shadows"); draw_shadows(); }    // C: FLAMELET_GPU_BEGIN() and _END()
//     flamelet_gpu_frame(gpu);                                   // then swap the buffers, and flamelet_frame()
//
// A GPU scope is also a CPU scope of the same name: the span on the GPU's lane has the CPU scope's id. If the API has
// debug groups, it is also a debug group, so RenderDoc and similar tools show the same names.
//
// How:       the GPU writes a timestamp before and after the commands. The results are fetched frames later, when they
//            are there; no call ever waits for the GPU. About every second, both clocks are read at one moment, to
//            convert the GPU's times to the recorder's.
// Threads:   every call on the thread that issues the commands (OpenGL: on which the context is current).
// Lifetime:  create it after flamelet_init(). It may outlive the recorder, if none of its calls runs while that stops or
//            starts: its scopes in flight are dropped then (counted: dropped_recorder), and where a recorder runs again, the
//            next flamelet_gpu_frame() makes the lane anew. Names are copied.
// Cost:      begin and end: one timestamp command each, besides the CPU scope. frame: a poll for each result that is
//            there, and a few reads of the GPU's clock each `calibration_interval_ns`; eight times as often while times are
//            wrong or the clock cannot be read.
// When off:  with gpu == NULL, GPU scopes are CPU scopes only, so a context without timestamps needs no code of its
//            own. While recording is disabled, nothing is queried.
// When full: a scope without a free query keeps its CPU half and is counted. All counts are in the stats.
#ifndef FLAMELET_GPU_H
#define FLAMELET_GPU_H

#include "flamelet/recorder.h"
#include "flamelet/scope.h"

FLAMELET_EXTERN_C_BEGIN

typedef struct flamelet_gpu flamelet_gpu;

// What every backend's config contains. Made by flamelet_gpu_config_default(), then changed.
typedef struct flamelet_gpu_config {
  uint32_t cookie;                  // set by flamelet_gpu_config_default()
  flamelet_allocator allocator;     // used once by create and once by destroy
  const char* name;                 // of the lane; default "GPU"; cut at 63 bytes
  uint32_t max_scopes;              // in flight at one time, 1 .. 65536 (default 1024): two queries and 48 bytes each
  uint32_t max_frames;              // in flight at one time, 1 .. 64 (default 8); later results are dropped
  uint32_t min_frames;              // results are asked for this many frames later, 1 .. max_frames (default 1)
  int64_t calibration_interval_ns;  // default 1 s; 0 = at every frame
} flamelet_gpu_config;

FLAMELET_API flamelet_gpu_config flamelet_gpu_config_default(void);

// Deletes the queries and frees the memory. Scopes in flight are dropped. NULL is fine.
FLAMELET_API void flamelet_gpu_destroy(flamelet_gpu* gpu);

// The same without calls of the graphics API, if the context does not exist any more.
FLAMELET_API void flamelet_gpu_abandon(flamelet_gpu* gpu);

// Names the lane, also that of a recorder that is started later. Cut at 63 bytes.
FLAMELET_API void flamelet_gpu_set_name(flamelet_gpu* gpu, const char* name);

// Sets the command buffer of the next commands, until flamelet_gpu_frame(), for an API that has such. A scope may begin
// in one buffer and end in another. OpenGL does not need this call.
FLAMELET_API void flamelet_gpu_set_context(flamelet_gpu* gpu, void* context);

// Begins a scope on the CPU and on the GPU; returns the CPU scope's id. `name` as in flamelet_begin().
FLAMELET_API flamelet_id flamelet_gpu_begin(flamelet_gpu* gpu, const char* name, const char* category);

// Ends both, and every open GPU scope inside (counted: missing_ends). If `id` is not an open GPU scope, only the CPU
// scope ends (counted: extra_ends).
FLAMELET_API void flamelet_gpu_end(flamelet_gpu* gpu, flamelet_id id);

// Begin and end only the GPU half of the CPU scope `id`: for several passes of one CPU scope, one after the other or
// nested. They do nothing if `id` is 0. detach ends the innermost one with this id.
FLAMELET_API void flamelet_gpu_attach(flamelet_gpu* gpu, flamelet_id id, const char* name, const char* category);
FLAMELET_API void flamelet_gpu_detach(flamelet_gpu* gpu, flamelet_id id);

// Call it once a frame after the last GPU scope. Fetches the results that are there, and calibrates when it is time.
// Open GPU scopes end here on the GPU (counted: missing_ends).
FLAMELET_API void flamelet_gpu_frame(flamelet_gpu* gpu);

// Every scope that began while recording is counted in exactly one of: submitted, a dropped_*, in flight, open.
typedef struct flamelet_gpu_stats {
  size_t memory_bytes;     // taken from the allocator
  uint32_t track;          // flamelet_lane_info.id of the lane
  uint32_t counter_bits;   // of the GPU's clock; below 64 it wraps, which is accounted for
  uint32_t queries_limit;  // 2 * max_scopes
  uint32_t queries_in_flight;
  uint32_t scopes_open;
  uint32_t scopes_in_flight;
  uint32_t frames_in_flight;
  uint32_t lag_frames;  // frame marks between the end of the newest finished work and the fetch of its results
  uint64_t scopes_submitted;
  uint64_t dropped_pool;   // no free query: raise max_scopes
  uint64_t dropped_depth;  // more than FLAMELET_MAX_DEPTH open GPU scopes: some are never ended
  uint64_t dropped_late;   // no result after max_frames frames: a lost context, or the GPU is far behind
  // A time of 0, an end before its begin, or not between the commands and now. In Vulkan also: no command buffer, or its
  // query was still in use.
  uint64_t dropped_invalid;
  uint64_t dropped_disjoint;  // the GPU's clock was disturbed meanwhile (OpenGL ES: GL_GPU_DISJOINT_EXT)
  // flamelet_submit() did not take it: recording is disabled by now, or see flamelet_stats.dropped_submit. Or the recorder
  // was stopped meanwhile.
  uint64_t dropped_recorder;
  uint64_t missing_ends;  // ended by an outer scope or by the frame
  uint64_t extra_ends;    // ends of scopes that were not open
  uint64_t calibrations;
  int64_t calibration_error_ns;  // of the newest calibration, at most
  int64_t calibration_drift_ns;  // how far the GPU's clock ran ahead of the recorder's since the calibration before
} flamelet_gpu_stats;

FLAMELET_API void flamelet_gpu_get_stats(const flamelet_gpu* gpu, flamelet_gpu_stats* stats);

FLAMELET_EXTERN_C_END

FLAMELET_NOT_INSTRUMENTED_ static inline flamelet_id flamelet_gpu_begin_site_(flamelet_gpu* gpu, flamelet_site* site) {
  const flamelet_id id = flamelet_scope_begin_(site);
  flamelet_gpu_attach(gpu, id, site->name != FLAMELET_NULL_ ? site->name : site->function, site->category);
  return id;
}

// A GPU scope with a handle, in C, too. The rules of FLAMELET_BEGIN() hold, but in C++ the handle is a flamelet_id, as in C.
// Unlike flamelet_gpu_begin(), it knows its file and line. `gpu` may be NULL.
#ifndef FLAMELET_DISABLED
#define FLAMELET_GPU_BEGIN(gpu, handle, name)                                                       \
  FLAMELET_STATIC_SITE_(FLAMELET_CONCAT_(flamelet_gpu_site_, handle), name, FLAMELET_CATEGORY, 0u); \
  const flamelet_id handle = flamelet_gpu_begin_site_((gpu), &FLAMELET_CONCAT_(flamelet_gpu_site_, handle))
#define FLAMELET_GPU_END(gpu, handle) flamelet_gpu_end((gpu), (handle))
#else
#define FLAMELET_GPU_BEGIN(gpu, handle, name) FLAMELET_HANDLE_(handle, sizeof(gpu) + FLAMELET_SIZE_STRING_(name))
#define FLAMELET_GPU_END(gpu, handle) ((void)sizeof(gpu), (void)(handle))
#endif

#ifdef __cplusplus

namespace flamelet {

// One open GPU scope with its CPU scope.
class GpuScope {
 public:
  FLAMELET_NOT_INSTRUMENTED_ GpuScope(flamelet_gpu* gpu, flamelet_site* site) noexcept
      : gpu_(gpu), id_(flamelet_gpu_begin_site_(gpu, site)) {}
  FLAMELET_NOT_INSTRUMENTED_ ~GpuScope() noexcept { flamelet_gpu_end(gpu_, id_); }
  GpuScope(const GpuScope&) = delete;
  GpuScope& operator=(const GpuScope&) = delete;

 private:
  flamelet_gpu* gpu_;
  flamelet_id id_;
};

}  // namespace flamelet

// A GPU scope until the end of the enclosing braces. `gpu` may be NULL. The rules of FLAMELET_SCOPE() hold.
#ifndef FLAMELET_DISABLED
#define FLAMELET_GPU_SCOPE(gpu, name) \
  const ::flamelet::GpuScope FLAMELET_UNIQUE_(flamelet_gpu_scope_)((gpu), FLAMELET_SITE_(name, FLAMELET_CATEGORY, 0u))
#else
#define FLAMELET_GPU_SCOPE(gpu, name) \
  ((void)sizeof(static_cast<flamelet_gpu*>(gpu)), FLAMELET_IGNORE_(FLAMELET_SIZE_STRING_(name)))
#endif

#endif  // __cplusplus

#endif  // FLAMELET_GPU_H
