// SPDX-License-Identifier: MIT
//
// gl_functions.h: the few OpenGL functions and constants that timing needs, so that no GL header and no loader library
// is needed, and so that a test can stand in for a driver.
#ifndef FLAMELET_GPU_SRC_GL_FUNCTIONS_H
#define FLAMELET_GPU_SRC_GL_FUNCTIONS_H

#include "flamelet/gpu_opengl.h"

#if defined(_WIN32) && !defined(_WIN64)
#define FLAMELET_GL_CALL_ __stdcall
#else
#define FLAMELET_GL_CALL_
#endif

namespace flamelet {

// Names and values as in the Khronos registry, without the GL_.
constexpr uint32_t kGlExtensions = 0x1F03;
constexpr uint32_t kGlNumExtensions = 0x821D;
constexpr uint32_t kGlDebugSourceApplication = 0x824A;
constexpr uint32_t kGlQueryCounterBits = 0x8864;
constexpr uint32_t kGlQueryResult = 0x8866;
constexpr uint32_t kGlQueryResultAvailable = 0x8867;
constexpr uint32_t kGlTimestamp = 0x8E28;
constexpr uint32_t kGlMaxDebugMessageLength = 0x9143;

struct GlFunctions {
  void(FLAMELET_GL_CALL_* gen_queries)(int32_t count, uint32_t* queries);
  void(FLAMELET_GL_CALL_* delete_queries)(int32_t count, const uint32_t* queries);
  void(FLAMELET_GL_CALL_* query_counter)(uint32_t query, uint32_t target);
  void(FLAMELET_GL_CALL_* get_query)(uint32_t target, uint32_t name, int32_t* value);
  void(FLAMELET_GL_CALL_* get_query_object_u32)(uint32_t query, uint32_t name, uint32_t* value);
  void(FLAMELET_GL_CALL_* get_query_object_u64)(uint32_t query, uint32_t name, uint64_t* value);
  void(FLAMELET_GL_CALL_* get_integer_64)(uint32_t name, int64_t* value);

  // Both NULL where the context has no GL_KHR_debug.
  void(FLAMELET_GL_CALL_* push_debug_group)(uint32_t source, uint32_t id, int32_t length, const char* name);
  void(FLAMELET_GL_CALL_* pop_debug_group)();
  int32_t max_debug_name_length;

  uint32_t counter_bits;  // of the timestamp clock, 1 .. 64
};

// Finds the functions in the current context. False if it has no timestamp queries, or none that count.
bool load_gl_functions(flamelet_gl_get_proc get_proc, bool debug_groups, GlFunctions* gl);

}  // namespace flamelet

#endif  // FLAMELET_GPU_SRC_GL_FUNCTIONS_H
