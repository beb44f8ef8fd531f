// SPDX-License-Identifier: MIT
#undef FLAMELET_DISABLED  // the library is whole, also in a build without macros
#define RMT_USE_OPENGL 1
#define FLAMELET_SHIM_NO_START
#include "Remotery.h"

#include <stdio.h>
#include <string.h>

#include "opengl.h"
#include "platform/atomic.h"
#include "spin_lock.h"

namespace {

using flamelet::Atomic;
using flamelet::SpinGuard;

rmtSettings settings = {};
char instance;  // a Remotery* is not NULL

rmtProperty* first_known = nullptr;
rmtProperty* last_known = nullptr;
Atomic<uint32_t> lock;

// "Game/Enemies/Count"; a name that is too long keeps its end.
void write_path(const rmtProperty* property, char (&path)[512]) {
  size_t at = sizeof(path) - 1;
  path[at] = 0;
  for (; property != nullptr; property = property->parent) {
    const size_t size = strlen(property->name);
    if (size + 1 > at) break;
    if (path[at] != 0) path[--at] = '/';
    at -= size;
    memcpy(path + at, property->name, size);
  }
  memmove(path, path + at, sizeof(path) - at);
}

double value_of(const rmtProperty& property) {
  switch (property.type) {
    case RMT_PropertyType_rmtGroup:
      return 0;
    case RMT_PropertyType_rmtBool:
      return property.value.Bool != 0;
    case RMT_PropertyType_rmtS32:
      return property.value.S32;
    case RMT_PropertyType_rmtU32:
      return property.value.U32;
    case RMT_PropertyType_rmtF32:
      return static_cast<double>(property.value.F32);
    case RMT_PropertyType_rmtS64:
      return static_cast<double>(property.value.S64);
    case RMT_PropertyType_rmtU64:
      return static_cast<double>(property.value.U64);
    case RMT_PropertyType_rmtF64:
      return property.value.F64;
  }
  return 0;
}

}  // namespace

rmtSettings* flamelet_remotery_settings_(void) {
  return &settings;
}

rmtError flamelet_remotery_create_(Remotery** remotery) {
  if (settings.input_handler != nullptr || settings.sampletree_handler != nullptr ||
      settings.snapshot_callback != nullptr)
    flamelet_shim_note_(FLAMELET_SHIM_NOTE_REMOTERY_CALLBACKS_);
  if (remotery == nullptr) return RMT_ERROR_INVALID_INPUT;
  *remotery = flamelet_remotery_instance_();
  return *remotery != nullptr ? RMT_ERROR_NONE : RMT_ERROR_RESOURCE_CREATE_FAIL;
}

Remotery* flamelet_remotery_instance_(void) {
  return flamelet_shim_is_started() ? reinterpret_cast<Remotery*>(&instance) : nullptr;
}

void flamelet_remotery_log_(rmtPStr text) {
  flamelet_shim_message(2, 0, text, text == nullptr ? 0 : strlen(text));
}

rmtError flamelet_remotery_mark_frame_(void) {
  flamelet_frame();
  flamelet_remotery::frame_marks.fetch_add_relaxed(1u);
  return RMT_ERROR_NONE;
}

void flamelet_remotery_know_(rmtProperty* property) {
  if (property->type == RMT_PropertyType_rmtGroup) return;
  const SpinGuard guard(lock);
  if (property->site != nullptr) return;
  char path[512];
  write_path(property, path);
  property->site = flamelet_site_create(path, "", "", 0, "counter", 0);
  (last_known != nullptr ? last_known->next_known : first_known) = property;
  last_known = property;
}

rmtError flamelet_remotery_snapshot_(void) {
  const SpinGuard guard(lock);
  for (rmtProperty* property = first_known; property != nullptr; property = property->next_known)
    flamelet_site_counter_(property->site, value_of(*property));
  return RMT_ERROR_NONE;
}

void flamelet_remotery_frame_reset_(void) {
  const SpinGuard guard(lock);
  for (rmtProperty* property = first_known; property != nullptr; property = property->next_known)
    if ((property->flags & RMT_PropertyFlags_FrameReset) != 0) property->value = property->defaultValue;
}

// ---- OpenGL ----------------------------------------------------------------------------------------------------------

// Samples by flamelet::gpu_opengl. Nobody says when a frame of the GPU ends, so results are fetched where an outermost
// sample ends.

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
