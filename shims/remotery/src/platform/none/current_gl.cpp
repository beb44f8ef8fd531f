// SPDX-License-Identifier: MIT
#include "opengl.h"

flamelet_gl_get_proc flamelet_remotery::current_gl() {
  return nullptr;
}
