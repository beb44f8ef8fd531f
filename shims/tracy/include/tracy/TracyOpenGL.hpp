// SPDX-License-Identifier: MIT
//
// tracy/TracyOpenGL.hpp: Tracy's zones on the GPU, by flamelet::gpu_opengl. Include it behind your OpenGL loader: the
// macros take OpenGL's functions by the names that are visible where TracyGpuContext stands.
//
// Each thread has a context of its own, as in Tracy. A GPU zone is also a zone of its thread. Without timestamps, or
// without a recorder, it is only that.
#ifndef FLAMELET_TRACY_OPENGL_HPP
#define FLAMELET_TRACY_OPENGL_HPP

#include "Tracy.hpp"

#if defined(TRACY_ENABLE) && !defined(FLAMELET_DISABLED) && !defined(TRACY_OPENGL_DISABLE)

#include <string.h>

#include "flamelet/gpu_opengl.h"

namespace tracy {

// The calling thread's context. It ends with the thread, without calls of OpenGL: that context may be gone by then.
class GpuCtx {
 public:
  FLAMELET_NOT_INSTRUMENTED_ ~GpuCtx() { flamelet_gpu_abandon(gpu_); }

  FLAMELET_NOT_INSTRUMENTED_ void create(flamelet_gl_get_proc get_proc) {
    flamelet_gpu_destroy(gpu_);
    gpu_ = nullptr;
    flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
    config.get_proc = get_proc;
    config.debug_groups = false;
    config.gpu.max_scopes = 8192;
    flamelet_gpu_opengl_create(&config, &gpu_);  // on failure it stays NULL
  }
  FLAMELET_NOT_INSTRUMENTED_ void Name(const char* text, size_t size) {
    flamelet_gpu_set_name(gpu_, flamelet_intern_bytes(text, size));
  }
  FLAMELET_NOT_INSTRUMENTED_ void Collect() {
    if (gpu_ != nullptr) flamelet_gpu_frame(gpu_);
  }
  FLAMELET_NOT_INSTRUMENTED_ flamelet_gpu* gpu() const { return gpu_; }

 private:
  flamelet_gpu* gpu_ = nullptr;
};

FLAMELET_NOT_INSTRUMENTED_ inline GpuCtx& ThisGpuCtx() {
  static thread_local GpuCtx context;
  return context;
}

class GpuCtxScope {
 public:
  FLAMELET_NOT_INSTRUMENTED_ GpuCtxScope(flamelet_site* site, bool active)
      : gpu_(ThisGpuCtx().gpu()), id_(active ? flamelet_scope_begin_(site) : 0) {
    flamelet_gpu_attach(gpu_, id_, site->name, site->category);
  }
  FLAMELET_NOT_INSTRUMENTED_ GpuCtxScope(flamelet_site* site, int32_t depth, bool active) : GpuCtxScope(site, active) {
    if (depth > 0 && id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  }
  FLAMELET_NOT_INSTRUMENTED_ GpuCtxScope(uint32_t line, const char* file, size_t file_size, const char* function,
                                         size_t function_size, const char* name, size_t name_size, int32_t depth,
                                         bool active)
      : gpu_(ThisGpuCtx().gpu()), id_(0) {
    const flamelet_shim_place place = {name, name_size, function, function_size, file, file_size, line, 0};
    if (active) id_ = flamelet_shim_begin_at(&place, nullptr);
    if (id_ != 0) flamelet_gpu_attach(gpu_, id_, flamelet_intern_bytes(name, name_size), "");
    if (depth > 0 && id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  }
  FLAMELET_NOT_INSTRUMENTED_ ~GpuCtxScope() { flamelet_gpu_end(gpu_, id_); }
  GpuCtxScope(const GpuCtxScope&) = delete;
  GpuCtxScope& operator=(const GpuCtxScope&) = delete;

 private:
  flamelet_gpu* gpu_;
  flamelet_id id_;
};

}  // namespace tracy

// Answers by name what the backend asks for: loaders make these names macros, pointers or functions.
#define FLAMELET_TRACY_GL_(text, function) \
  if (strcmp(flamelet_name, text) == 0) return reinterpret_cast<flamelet_gl_function>(function);
#define TracyGpuContext                                                                \
  ::tracy::ThisGpuCtx().create([](const char* flamelet_name) -> flamelet_gl_function { \
    FLAMELET_TRACY_GL_("glGenQueries", glGenQueries)                                   \
    FLAMELET_TRACY_GL_("glDeleteQueries", glDeleteQueries)                             \
    FLAMELET_TRACY_GL_("glQueryCounter", glQueryCounter)                               \
    FLAMELET_TRACY_GL_("glGetQueryiv", glGetQueryiv)                                   \
    FLAMELET_TRACY_GL_("glGetQueryObjectuiv", glGetQueryObjectuiv)                     \
    FLAMELET_TRACY_GL_("glGetQueryObjectui64v", glGetQueryObjectui64v)                 \
    FLAMELET_TRACY_GL_("glGetInteger64v", glGetInteger64v)                             \
    FLAMELET_TRACY_GL_("glGetStringi", glGetStringi)                                   \
    FLAMELET_TRACY_GL_("glGetError", glGetError)                                       \
    return nullptr;                                                                    \
  });
#define TracyGpuContextName(name, size) ::tracy::ThisGpuCtx().Name(name, size);
#define TracyGpuCollect ::tracy::ThisGpuCtx().Collect();

#define FLAMELET_TRACY_GPU_ZONE_(variable, name, color, ...)                                     \
  FLAMELET_TRACY_HIDES_(FLAMELET_TRACY_PLACE_(name, color); const ::tracy::GpuCtxScope variable( \
                            &TracyConcat(flamelet_tracy_place_, TracyLine), __VA_ARGS__))
#define TracyGpuNamedZoneC(variable, name, color, active) FLAMELET_TRACY_GPU_ZONE_(variable, name, color, active)
#define TracyGpuNamedZoneCS(variable, name, color, depth, active) \
  FLAMELET_TRACY_GPU_ZONE_(variable, name, color, depth, active)
#define TracyGpuZoneTransientS(variable, name, depth, active)                                                       \
  FLAMELET_TRACY_HIDES_(const ::tracy::GpuCtxScope variable(TracyLine, TracyFile, strlen(TracyFile), TracyFunction, \
                                                            strlen(TracyFunction), name, strlen(name), depth, active))

#else

#define TracyGpuContext
#define TracyGpuContextName(name, size)
#define TracyGpuCollect
#define TracyGpuNamedZoneC(variable, name, color, active)
#define TracyGpuNamedZoneCS(variable, name, color, depth, active)
#define TracyGpuZoneTransientS(variable, name, depth, active)

#endif

#define TracyGpuNamedZone(variable, name, active) TracyGpuNamedZoneC(variable, name, 0, active)
#define TracyGpuNamedZoneS(variable, name, depth, active) TracyGpuNamedZoneCS(variable, name, 0, depth, active)
#define TracyGpuZone(name) TracyGpuZoneC(name, 0)
#define TracyGpuZoneC(name, color) TracyGpuNamedZoneC(___tracy_gpu_zone, name, color, true)
#define TracyGpuZoneS(name, depth) TracyGpuZoneCS(name, 0, depth)
#define TracyGpuZoneCS(name, color, depth) TracyGpuNamedZoneCS(___tracy_gpu_zone, name, color, depth, true)
#define TracyGpuZoneTransient(variable, name, active) TracyGpuZoneTransientS(variable, name, 0, active)

#endif  // FLAMELET_TRACY_OPENGL_HPP
