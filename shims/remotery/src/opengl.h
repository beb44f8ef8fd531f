// SPDX-License-Identifier: MIT
//
// opengl.h: what remotery.cpp asks of the system.
#pragma once

#include "flamelet/gpu_opengl.h"
#include "platform/atomic.h"

namespace flamelet_remotery {

// How often rmt_MarkFrame() was called.
inline flamelet::Atomic<uint32_t> frame_marks;

// How functions of OpenGL are found: programs do not tell Remotery, which looks for itself.
// For the context that is current on the calling thread; NULL if there is none, or nothing is known about this system.
// Opens no library that the program has not opened.
flamelet_gl_get_proc current_gl();

}  // namespace flamelet_remotery
