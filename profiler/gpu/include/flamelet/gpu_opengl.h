// SPDX-License-Identifier: MIT
//
// flamelet/gpu_opengl.h: GPU scopes (gpu.h) in an OpenGL context, by timestamp queries: OpenGL 3.3 (or
// GL_ARB_timer_query), and OpenGL ES 3 or WebGL 2 with GL_EXT_disjoint_timer_query.
//
//   flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
//   config.get_proc = glfwGetProcAddress;                        // or eglGetProcAddress, wglGetProcAddress, ...
//   flamelet_gpu* gpu = NULL;
//   flamelet_result result = flamelet_gpu_opengl_create(&config, &gpu);      // on failure gpu stays NULL, see gpu.h
//
// Threads:   every call with this object on the thread of the context. One object for each context.
// Cost:      as in gpu.h. A read of the GPU's clock takes about 2 us on Mesa; with a driver that has a thread of its
//            own, it may wait for that thread.
//
// Drivers may hold commands back until the buffers are swapped. A program that does not swap must call glFlush() after
// flamelet_gpu_frame(), or its results never come. Tiled and software renderers may take timestamps when they receive
// commands, not when they run them: Mesa's llvmpipe times draws only from one render target to the next. There, give
// each pass its own target.
//
// OpenGL ES tells when the GPU's clock was disturbed, say by a change of its frequency. The scopes in flight are then
// dropped and counted (dropped_disjoint). The context tells it once, so nobody else may ask for GL_GPU_DISJOINT_EXT.
// Browsers give WebGL 2 timestamps of 0 bits, if any.
#ifndef FLAMELET_GPU_OPENGL_H
#define FLAMELET_GPU_OPENGL_H

#include "flamelet/gpu.h"

FLAMELET_EXTERN_C_BEGIN

// Any function, and a function that finds one by name in the current context (NULL if there is none).
// glfwGetProcAddress and eglGetProcAddress have this type; cast the others.
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

// What flamelet_gpu_opengl_create() allocates, or 0 if the config is invalid.
FLAMELET_API size_t flamelet_gpu_opengl_memory_required(const flamelet_gpu_opengl_config* config);

// Sets `*gpu`, to NULL after an error. One allocation. FLAMELET_ERROR_NO_GPU_TIMESTAMPS: the context has no timestamp
// queries, or timestamps of 0 bits (no lane is made). FLAMELET_ERROR_NOT_INITIALIZED: no recorder runs.
// FLAMELET_ERROR_LIMIT: the recorder has no free track. FLAMELET_ERROR_INVALID_ARGUMENT: `config` or `gpu` is NULL, the config
// is not made by its default function, has no get_proc, or a limit that is out of range. FLAMELET_ERROR_OUT_OF_MEMORY.
FLAMELET_API flamelet_result flamelet_gpu_opengl_create(const flamelet_gpu_opengl_config* config, flamelet_gpu** gpu);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_GPU_OPENGL_H
