// SPDX-License-Identifier: MIT
//
// gpu_opengl.cpp: the backend of gpu.h for OpenGL and OpenGL ES. The few functions and constants that timing needs are
// declared here, so that no GL header and no loader library is needed, and so that a test can stand in for a driver.
#include "flamelet/gpu_opengl.h"

#include <cstring>

#include "flamelet/gpu_backend.h"
#include "platform/process.h"

namespace flamelet::opengl {
namespace {

constexpr uint32_t kCookie = 0x4750554Fu;

// Names and values as in the Khronos registry, without the GL_.
constexpr uint32_t kGlVersion = 0x1F02;
constexpr uint32_t kGlExtensions = 0x1F03;
constexpr uint32_t kGlNumExtensions = 0x821D;
constexpr uint32_t kGlDebugSourceApplication = 0x824A;
constexpr uint32_t kGlQueryCounterBits = 0x8864;
constexpr uint32_t kGlQueryResult = 0x8866;
constexpr uint32_t kGlQueryResultAvailable = 0x8867;
constexpr uint32_t kGlTimestamp = 0x8E28;
constexpr uint32_t kGlGpuDisjoint = 0x8FBB;  // of GL_EXT_disjoint_timer_query
constexpr uint32_t kGlMaxDebugMessageLength = 0x9143;

// OpenGL guarantees 64 nested groups. Half of them are left to the program.
constexpr uint32_t kMaxDebugGroups = 32;

struct OpenGl {
  void(FLAMELET_DRIVER_CALL_* gen_queries)(int32_t count, uint32_t* queries);
  void(FLAMELET_DRIVER_CALL_* delete_queries)(int32_t count, const uint32_t* queries);
  void(FLAMELET_DRIVER_CALL_* query_counter)(uint32_t query, uint32_t target);
  void(FLAMELET_DRIVER_CALL_* get_query)(uint32_t target, uint32_t name, int32_t* value);
  void(FLAMELET_DRIVER_CALL_* get_query_object_u32)(uint32_t query, uint32_t name, uint32_t* value);
  void(FLAMELET_DRIVER_CALL_* get_query_object_u64)(uint32_t query, uint32_t name, uint64_t* value);
  void(FLAMELET_DRIVER_CALL_* get_integer_64)(uint32_t name, int64_t* value);
  void(FLAMELET_DRIVER_CALL_* get_integer)(uint32_t name, int32_t* value);  // NULL where times are always good
  // Both NULL where the context has no GL_KHR_debug.
  void(FLAMELET_DRIVER_CALL_* push_debug_group)(uint32_t source, uint32_t id, int32_t length, const char* name);
  void(FLAMELET_DRIVER_CALL_* pop_debug_group)();

  size_t max_debug_name_length;
  uint32_t open_groups;
  uint32_t query_count;

  uint32_t* queries() { return reinterpret_cast<uint32_t*>(this + 1); }
};

OpenGl& gl_of(void* state) {
  return *static_cast<OpenGl*>(state);
}

// ---- What the context can do. Some loaders (GLX) return a function for any name that starts with gl, so a pointer proves
// nothing: the context is asked for the bits of its clock, and for its list of extensions.

template <typename Function>
bool load(flamelet_gl_get_proc get_proc, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(get_proc(name));
  return *function != nullptr;
}

// The calls below are errors to a context that does not know them; its user shall not find them.
void forget_error(flamelet_gl_get_proc get_proc) {
  uint32_t(FLAMELET_DRIVER_CALL_ * get_error)();
  if (load(get_proc, "glGetError", &get_error)) get_error();
}

bool has_extension(flamelet_gl_get_proc get_proc, const OpenGl& gl, const char* wanted) {
  const uint8_t*(FLAMELET_DRIVER_CALL_ * get_string)(uint32_t name, uint32_t index);
  if (!load(get_proc, "glGetStringi", &get_string)) return false;
  int64_t count = 0;
  gl.get_integer_64(kGlNumExtensions, &count);
  if (count == 0) forget_error(get_proc);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t* extension = get_string(kGlExtensions, static_cast<uint32_t>(i));
    if (extension != nullptr && std::strcmp(reinterpret_cast<const char*>(extension), wanted) == 0) return true;
  }
  return false;
}

bool is_es(flamelet_gl_get_proc get_proc) {
  const uint8_t*(FLAMELET_DRIVER_CALL_ * get_string)(uint32_t name);
  if (!load(get_proc, "glGetString", &get_string)) return false;
  const uint8_t* version = get_string(kGlVersion);
  return version != nullptr && std::strncmp(reinterpret_cast<const char*>(version), "OpenGL ES", 9) == 0;
}

// What OpenGL 3.3 and OpenGL ES 3 share.
bool load_queries(flamelet_gl_get_proc get_proc, OpenGl* gl) {
  return load(get_proc, "glGenQueries", &gl->gen_queries) && load(get_proc, "glDeleteQueries", &gl->delete_queries) &&
         load(get_proc, "glGetQueryObjectuiv", &gl->get_query_object_u32) &&
         load(get_proc, "glGetInteger64v", &gl->get_integer_64);
}

bool load_timestamps(flamelet_gl_get_proc get_proc, OpenGl* gl) {
  return load(get_proc, "glQueryCounter", &gl->query_counter) && load(get_proc, "glGetQueryiv", &gl->get_query) &&
         load(get_proc, "glGetQueryObjectui64v", &gl->get_query_object_u64);
}

// Loads the timestamps of OpenGL ES, where they are an extension, and tell when their clock was disturbed. WebGL 2 has it
// under another name.
bool load_es_timestamps(flamelet_gl_get_proc get_proc, OpenGl* gl) {
  if (!has_extension(get_proc, *gl, "GL_EXT_disjoint_timer_query") &&
      !has_extension(get_proc, *gl, "GL_EXT_disjoint_timer_query_webgl2"))
    return false;
  return load(get_proc, "glQueryCounterEXT", &gl->query_counter) && load(get_proc, "glGetQueryivEXT", &gl->get_query) &&
         load(get_proc, "glGetQueryObjectui64vEXT", &gl->get_query_object_u64) &&
         load(get_proc, "glGetIntegerv", &gl->get_integer);
}

bool load_functions(flamelet_gl_get_proc get_proc, OpenGl* gl) {
  if (!load_queries(get_proc, gl)) return false;
  return is_es(get_proc) ? load_es_timestamps(get_proc, gl) : load_timestamps(get_proc, gl);
}

void load_debug_groups(flamelet_gl_get_proc get_proc, OpenGl* gl) {
  const bool es = gl->get_integer != nullptr;  // where these have another name before OpenGL ES 3.2
  if (!has_extension(get_proc, *gl, "GL_KHR_debug") ||
      !load(get_proc, es ? "glPushDebugGroupKHR" : "glPushDebugGroup", &gl->push_debug_group) ||
      !load(get_proc, es ? "glPopDebugGroupKHR" : "glPopDebugGroup", &gl->pop_debug_group)) {
    gl->push_debug_group = nullptr;
    return;
  }
  int64_t limit = 0;  // counts the zero at the end, too
  gl->get_integer_64(kGlMaxDebugMessageLength, &limit);
  gl->max_debug_name_length = limit > INT32_MAX ? INT32_MAX : limit > 1 ? static_cast<size_t>(limit - 1) : 0;
}

// ---- The backend

bool was_disturbed(void* state) {
  int32_t disjoint = 0;
  if (gl_of(state).get_integer != nullptr) gl_of(state).get_integer(kGlGpuDisjoint, &disjoint);
  return disjoint != 0;
}

flamelet_result create(void* state, const void* setup, uint32_t query_count, flamelet_gpu_clock* clock) {
  const flamelet_gpu_opengl_config& config = *static_cast<const flamelet_gpu_opengl_config*>(setup);
  OpenGl& gl = gl_of(state);
  if (!load_functions(config.get_proc, &gl)) return FLAMELET_ERROR_NO_GPU_TIMESTAMPS;
  int32_t bits = 0;
  gl.get_query(kGlTimestamp, kGlQueryCounterBits, &bits);
  if (bits <= 0) {
    forget_error(config.get_proc);
    return FLAMELET_ERROR_NO_GPU_TIMESTAMPS;
  }
  if (config.debug_groups) load_debug_groups(config.get_proc, &gl);
  was_disturbed(state);  // from here on
  gl.query_count = query_count;
  gl.gen_queries(static_cast<int32_t>(query_count), gl.queries());
  *clock = {1e9, bits < 64 ? static_cast<uint32_t>(bits) : 64};
  return FLAMELET_OK;
}

void destroy(void* state) {
  OpenGl& gl = gl_of(state);
  gl.delete_queries(static_cast<int32_t>(gl.query_count), gl.queries());
}

void write_timestamp(void* state, void*, uint32_t query) {
  OpenGl& gl = gl_of(state);
  gl.query_counter(gl.queries()[query], kGlTimestamp);
}

bool poll_timestamp(void* state, uint32_t query, uint64_t* ticks) {
  OpenGl& gl = gl_of(state);
  uint32_t available = 0;
  gl.get_query_object_u32(gl.queries()[query], kGlQueryResultAvailable, &available);
  if (available == 0) return false;
  gl.get_query_object_u64(gl.queries()[query], kGlQueryResult, ticks);
  return true;
}

bool read_clock(void* state, uint64_t* ticks) {
  int64_t now_ns = 0;
  gl_of(state).get_integer_64(kGlTimestamp, &now_ns);
  *ticks = static_cast<uint64_t>(now_ns);
  return true;
}

void begin_group(void* state, void*, const char* name, size_t length) {
  OpenGl& gl = gl_of(state);
  if (gl.push_debug_group == nullptr || ++gl.open_groups > kMaxDebugGroups) return;
  const size_t fitting = length < gl.max_debug_name_length ? length : gl.max_debug_name_length;
  gl.push_debug_group(kGlDebugSourceApplication, 0, static_cast<int32_t>(fitting), name);
}

void end_group(void* state, void*) {
  OpenGl& gl = gl_of(state);
  if (gl.push_debug_group != nullptr && gl.open_groups-- <= kMaxDebugGroups) gl.pop_debug_group();
}

// Queries may be issued again while their result is pending, so there is nothing to reset.
constexpr flamelet_gpu_backend kBackend = {sizeof(OpenGl),  sizeof(uint32_t), create,       destroy,
                                           write_timestamp, poll_timestamp,   read_clock,   nullptr,
                                           begin_group,     end_group,        was_disturbed};

}  // namespace
}  // namespace flamelet::opengl

flamelet_gpu_opengl_config flamelet_gpu_opengl_config_default() {
  using namespace flamelet::opengl;
  flamelet_gpu_opengl_config config = {};
  config.cookie = kCookie;
  config.gpu = flamelet_gpu_config_default();
  config.debug_groups = true;
  return config;
}

size_t flamelet_gpu_opengl_memory_required(const flamelet_gpu_opengl_config* config) {
  using namespace flamelet::opengl;
  if (config == nullptr || config->cookie != kCookie) return 0;
  return flamelet_gpu_memory_required(&config->gpu, &kBackend);
}

flamelet_result flamelet_gpu_opengl_create(const flamelet_gpu_opengl_config* config, flamelet_gpu** gpu) {
  using namespace flamelet::opengl;
  if (gpu != nullptr) *gpu = nullptr;
  if (config == nullptr || config->cookie != kCookie || config->get_proc == nullptr)
    return FLAMELET_ERROR_INVALID_ARGUMENT;
  return flamelet_gpu_create(&config->gpu, &kBackend, config, gpu);
}
