// SPDX-License-Identifier: MIT
//
// current_gl.h: how functions of OpenGL are found. Programs do not tell Remotery, which looks for itself.
#ifndef FLAMELET_REMOTERY_CURRENT_GL_H
#define FLAMELET_REMOTERY_CURRENT_GL_H

#include "flamelet/gpu_opengl.h"

namespace flamelet_remotery {

// For the context that is current on the calling thread; NULL if there is none, or nothing is known about this system.
// Opens no library that the program has not opened.
flamelet_gl_get_proc current_gl();

}  // namespace flamelet_remotery

#endif  // FLAMELET_REMOTERY_CURRENT_GL_H
