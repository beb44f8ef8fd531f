// SPDX-License-Identifier: MIT
//
// flamelet/gpu_opengl.h: GPU scopes (gpu.h) in an OpenGL context, by timestamp queries (GL_ARB_timer_query, in OpenGL from
// 3.3).
//
//   flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
//   config.get_proc = glfwGetProcAddress;                        // or eglGetProcAddress, wglGetProcAddress, ...
//   flamelet_gpu* gpu = NULL;
//   flamelet_result result = flamelet_gpu_opengl_create(&config, &gpu);      // on failure gpu stays NULL, see gpu.h
//
// Threads:   that of the context, for every call with this object. One object for each context.
// Cost:      besides what gpu.h says, a read of the GPU's clock takes about 2 us on Mesa; a driver that runs a thread of
//            its own may make each of them wait for that thread.
//
// Drivers may keep commands until the buffers are swapped; a program that swaps none calls glFlush() after
// flamelet_gpu_frame(), else its results never come. A context may record timestamps where a tiled or a software renderer
// receives the commands, not where it runs them: Mesa's llvmpipe shows the time of draws only from one render target to the
// next. Give each pass its own target there.
#ifndef FLAMELET_GPU_OPENGL_H
#define FLAMELET_GPU_OPENGL_H

#include "flamelet/gpu.h"

FLAMELET_EXTERN_C_BEGIN

// Any function, and a function that finds one by name in the current context (NULL if it has none of that name).
// glfwGetProcAddress and eglGetProcAddress are of this type; cast the others.
typedef void (*flamelet_gl_function)(void);
typedef flamelet_gl_function (*flamelet_gl_get_proc)(const char* name);

// Made by flamelet_gpu_opengl_config_default(), then changed.
typedef struct flamelet_gpu_opengl_config {
  uint32_t cookie;                // set by flamelet_gpu_opengl_config_default()
  flamelet_gpu_config gpu;        // lane, limits, memory
  flamelet_gl_get_proc get_proc;  // required; used by create only
  bool debug_groups;              // default true; without GL_KHR_debug it changes nothing
} flamelet_gpu_opengl_config;

FLAMELET_API flamelet_gpu_opengl_config flamelet_gpu_opengl_config_default(void);

// Sets `*gpu`, or leaves NULL there. One allocation. Fails with FLAMELET_ERROR_NO_GPU_TIMESTAMPS where the context
// lacks timestamp queries or counts them with 0 bits (then no lane is made), FLAMELET_ERROR_NOT_INITIALIZED without a
// recorder, FLAMELET_ERROR_LIMIT if the recorder's tracks are used up.
FLAMELET_API flamelet_result flamelet_gpu_opengl_create(const flamelet_gpu_opengl_config* config, flamelet_gpu** gpu);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_GPU_OPENGL_H
