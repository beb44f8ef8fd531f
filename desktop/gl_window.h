// SPDX-License-Identifier: MIT
//
// gl_window.h: a window with OpenGL 3.3 in it, whose functions are loaded (glad); in a browser the page's canvas, with
// WebGL 2 (browser/gl_window.cpp). Main thread. One at a time: it starts and ends GLFW.
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
  // The framebuffer's size in pixels; 0 x 0 while minimised.
  void size(int* width, int* height) const;
  // How much larger than on an ordinary display text has to be.
  float content_scale() const;
  // How a shader of this OpenGL begins: "#version 330 core".
  const char* shader_version() const;
  // All of the framebuffer is drawn to, and black.
  void clear(int width, int height) const;

 private:
  GLFWwindow* window_ = nullptr;
};

}  // namespace flamelet::desktop
