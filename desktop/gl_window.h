// SPDX-License-Identifier: MIT
//
// gl_window.h: a window with OpenGL 3.3 in it, whose functions are loaded (glad). Main thread. One at a time: it starts
// and ends GLFW.
#pragma once

struct GLFWwindow;

namespace flamelet::desktop {

class GlWindow {
 public:
  // Throws std::runtime_error with a reason that a user can act on. The context is current afterwards.
  GlWindow(const char* title, int width, int height, bool visible);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  GLFWwindow* handle() const { return window_; }
  // Of the framebuffer, in pixels; 0 x 0 while minimised.
  void size(int* width, int* height) const;
  // How much larger than on an ordinary display text has to be.
  float content_scale() const;

 private:
  GLFWwindow* window_ = nullptr;
};

}  // namespace flamelet::desktop
