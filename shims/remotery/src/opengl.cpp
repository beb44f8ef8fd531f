// SPDX-License-Identifier: MIT
//
// opengl.cpp: Remotery's samples in OpenGL, by flamelet::gpu_opengl. Nobody says when a frame of the GPU ends, so results are
// fetched where an outermost sample ends.
#undef FLAMELET_DISABLED  // the library is whole, also in a build without macros
#define RMT_USE_OPENGL 1
#define FLAMELET_SHIM_NO_START
#include "opengl.h"
#include "Remotery.h"

namespace {

// Without rmt_MarkFrame(), so many outermost samples are a frame of the GPU.
constexpr uint32_t kSamplesInFrame = 16;
// A sample that is open over so many marks of frames has no end.
constexpr uint32_t kMostMarks = 2;

// What belongs to the thread on which the context is current. It ends with the thread, without calls of OpenGL: the
// context may be gone by then.
struct Context {
  ~Context() { flamelet_gpu_abandon(gpu); }

  flamelet_gpu* gpu = nullptr;
  flamelet_id open[FLAMELET_MAX_DEPTH] = {};
  uint32_t open_count = 0;
  uint32_t open_since = 0;  // marks of frames when the outermost one began
  uint32_t samples = 0;     // outermost ones since the last frame
  uint32_t marks = 0;       // of frames, then
};

Context& context() {
  static thread_local Context here;
  return here;
}

// Open samples end on the GPU.
void frame(Context* here, uint32_t marks) {
  flamelet_gpu_frame(here->gpu);
  here->open_count = 0;
  here->samples = 0;
  here->marks = marks;
}

void begin(Context* here, flamelet_id id, const char* name) {
  const uint32_t marks = flamelet_remotery::frame_marks.load_relaxed();
  const bool is_left_open = here->open_count != 0 && marks - here->open_since >= kMostMarks;
  if (is_left_open || here->open_count == FLAMELET_MAX_DEPTH) frame(here, marks);
  if (here->open_count == 0) here->open_since = marks;
  here->open[here->open_count++] = id;
  flamelet_gpu_attach(here->gpu, id, name, "gpu");
}

// Samples inside that have no end of their own end with it.
void end(Context* here, flamelet_id id) {
  uint32_t position = here->open_count;
  while (position != 0 && here->open[position - 1] != id) --position;
  if (position == 0) return;
  flamelet_gpu_detach(here->gpu, id);
  here->open_count = position - 1;
  if (here->open_count != 0) return;
  const uint32_t marks = flamelet_remotery::frame_marks.load_relaxed();
  if (++here->samples >= kSamplesInFrame || marks != here->marks) frame(here, marks);
}

}  // namespace

void flamelet_remotery_bind_opengl_(void) {
  Context& here = context();
  flamelet_gpu_destroy(here.gpu);
  here.gpu = nullptr;
  here.open_count = 0;
  flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
  config.get_proc = flamelet_remotery::current_gl();
  config.debug_groups = false;
  config.gpu.name = "OpenGL";
  config.gpu.max_scopes = 8192;
  config.gpu.max_frames = 64;
  if (config.get_proc != nullptr) flamelet_gpu_opengl_create(&config, &here.gpu);
}

void flamelet_remotery_unbind_opengl_(void) {
  Context& here = context();
  if (here.gpu == nullptr) return;
  flamelet_gpu_frame(here.gpu);
  flamelet_gpu_destroy(here.gpu);
  here.gpu = nullptr;
}

void flamelet_remotery_opengl_begin_(flamelet_id id, const char* name) {
  Context& here = context();
  if (here.gpu == nullptr) flamelet_shim_note_(FLAMELET_SHIM_NOTE_REMOTERY_GPU_);
  if (here.gpu == nullptr || id == 0) return;
  begin(&here, id, name);
}

void flamelet_remotery_opengl_end_(flamelet_id id) {
  Context& here = context();
  if (here.gpu != nullptr && id != 0) end(&here, id);
  flamelet_scope_end_(id);
}
