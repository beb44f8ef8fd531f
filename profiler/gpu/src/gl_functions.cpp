// SPDX-License-Identifier: MIT
//
// gl_functions.cpp: some loaders (GLX) return a function for any name that starts with gl, so a pointer proves nothing.
// What the context can do is asked of the context: the bits of its clock, and its list of extensions.
#include "gl_functions.h"

#include <cstring>

namespace flamelet {
namespace {

template <typename Function>
bool load(flamelet_gl_get_proc get_proc, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(get_proc(name));
  return *function != nullptr;
}

// The calls below are errors to a context that does not know them; its user shall not find them.
void forget_error(flamelet_gl_get_proc get_proc) {
  uint32_t(FLAMELET_GL_CALL_ * get_error)();
  if (load(get_proc, "glGetError", &get_error)) get_error();
}

bool has_extension(flamelet_gl_get_proc get_proc, const GlFunctions& gl, const char* wanted) {
  const uint8_t*(FLAMELET_GL_CALL_ * get_string)(uint32_t name, uint32_t index);
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

}  // namespace

bool load_gl_functions(flamelet_gl_get_proc get_proc, bool debug_groups, GlFunctions* gl) {
  *gl = {};
  if (!load(get_proc, "glGenQueries", &gl->gen_queries) || !load(get_proc, "glDeleteQueries", &gl->delete_queries) ||
      !load(get_proc, "glQueryCounter", &gl->query_counter) || !load(get_proc, "glGetQueryiv", &gl->get_query) ||
      !load(get_proc, "glGetQueryObjectuiv", &gl->get_query_object_u32) ||
      !load(get_proc, "glGetQueryObjectui64v", &gl->get_query_object_u64) ||
      !load(get_proc, "glGetInteger64v", &gl->get_integer_64))
    return false;

  int32_t bits = 0;
  gl->get_query(kGlTimestamp, kGlQueryCounterBits, &bits);
  if (bits <= 0) {
    forget_error(get_proc);
    return false;
  }
  gl->counter_bits = bits < 64 ? static_cast<uint32_t>(bits) : 64;

  if (debug_groups && has_extension(get_proc, *gl, "GL_KHR_debug") &&
      load(get_proc, "glPushDebugGroup", &gl->push_debug_group) &&
      load(get_proc, "glPopDebugGroup", &gl->pop_debug_group)) {
    int64_t limit = 0;  // counts the zero at the end, too
    gl->get_integer_64(kGlMaxDebugMessageLength, &limit);
    gl->max_debug_name_length = limit > INT32_MAX ? INT32_MAX : limit > 1 ? static_cast<int32_t>(limit - 1) : 0;
  } else {
    gl->push_debug_group = nullptr;
  }
  return true;
}

}  // namespace flamelet
