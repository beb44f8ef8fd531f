// SPDX-License-Identifier: MIT
#include "opengl.h"

#include <dlfcn.h>

namespace flamelet_remotery {
namespace {

// `get_current` of this library says whether one of its contexts is current.
flamelet_gl_get_proc get_proc_of(const char* path, const char* get_current, const char* get_proc) {
  void* const library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  const auto current = reinterpret_cast<void* (*)()>(dlsym(library, get_current));
  const auto found = reinterpret_cast<flamelet_gl_get_proc>(dlsym(library, get_proc));
  dlclose(library);  // the program has it open
  return current != nullptr && current() != nullptr ? found : nullptr;
}

}  // namespace

flamelet_gl_get_proc current_gl() {
  flamelet_gl_get_proc get_proc = nullptr;
  constexpr const char* kEgl[] = {"libEGL.so.1", "libEGL.so"};  // the latter on Android
  for (const char* path : kEgl)
    if (get_proc == nullptr) get_proc = get_proc_of(path, "eglGetCurrentContext", "eglGetProcAddress");
  constexpr const char* kGlx[] = {"libGLX.so.0", "libGL.so.1"};
  for (const char* path : kGlx)
    if (get_proc == nullptr) get_proc = get_proc_of(path, "glXGetCurrentContext", "glXGetProcAddressARB");
  return get_proc;
}

}  // namespace flamelet_remotery
