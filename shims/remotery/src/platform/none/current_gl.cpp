// SPDX-License-Identifier: MIT
#include "current_gl.h"

flamelet_gl_get_proc flamelet_remotery::current_gl() {
  return nullptr;
}
