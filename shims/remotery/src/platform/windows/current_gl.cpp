// SPDX-License-Identifier: MIT
#include "opengl.h"
#include "platform/windows/windows.h"

namespace flamelet_remotery {
namespace {

using GetProc = PROC(WINAPI*)(const char* name);

template <class Function>
Function of_opengl(const char* name) {
  const HMODULE library = GetModuleHandleW(L"opengl32.dll");
  return library == nullptr ? nullptr
                            : reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(library, name)));
}

// wglGetProcAddress() finds what came after OpenGL 1.1, the library has the rest. Some drivers answer 1, 2, 3 or -1.
flamelet_gl_function find(const char* name) {
  const GetProc get_proc = of_opengl<GetProc>("wglGetProcAddress");
  const intptr_t found = get_proc == nullptr ? 0 : reinterpret_cast<intptr_t>(get_proc(name));
  if (found > 3 || found < -1) return reinterpret_cast<flamelet_gl_function>(found);
  return of_opengl<flamelet_gl_function>(name);
}

}  // namespace

flamelet_gl_get_proc current_gl() {
  const auto get_current = of_opengl<void*(WINAPI*)()>("wglGetCurrentContext");
  return get_current != nullptr && get_current() != nullptr ? find : nullptr;
}

}  // namespace flamelet_remotery
