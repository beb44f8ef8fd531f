// SPDX-License-Identifier: MIT
//
// flamelet/adapters/glfw.h: the frame and the waits of a GLFW main loop. C and C++.
//
//   while (!glfwWindowShouldClose(window)) {
//     flamelet_glfw_poll_events();
//     ...
//     flamelet_glfw_swap_buffers(window);
//   }
//
// Each function does what GLFW's of that name does. The swap waits for the display, and ends with the mark of the frame.
// Scopes have the category "glfw", and FLAMELET_WAIT_CATEGORY where the thread waits. Callbacks run inside the scope of the
// events. In a program without OpenGL, call FLAMELET_FRAME() where you present.
// Threads:   as GLFW's functions: the events on the main thread, the swap on the thread of the context, and only one thread
//            that swaps.
// Cost:      of a call: one scope; the swap also marks the frame.
#ifndef FLAMELET_ADAPTERS_GLFW_H
#define FLAMELET_ADAPTERS_GLFW_H

#include <GLFW/glfw3.h>

#include "flamelet/scope.h"

FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_glfw_poll_events(void) {
  FLAMELET_BEGIN_CATEGORY(scope, "glfwPollEvents", "glfw");
  glfwPollEvents();
  FLAMELET_END(scope);
}

// A negative time waits without an end, as glfwWaitEvents() does.
FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_glfw_wait_events(double timeout_seconds) {
  FLAMELET_BEGIN_WAIT(scope, "glfwWaitEvents");
  if (timeout_seconds < 0)
    glfwWaitEvents();
  else
    glfwWaitEventsTimeout(timeout_seconds);
  FLAMELET_END(scope);
}

FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_glfw_swap_buffers(GLFWwindow* window) {
  FLAMELET_BEGIN_WAIT(scope, "glfwSwapBuffers");
  glfwSwapBuffers(window);
  FLAMELET_END(scope);
  FLAMELET_FRAME();
}

#endif  // FLAMELET_ADAPTERS_GLFW_H
