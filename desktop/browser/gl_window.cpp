// SPDX-License-Identifier: MIT
//
// The canvas of a page ("#canvas"), with WebGL 2. Its size is what the page's style gives it; a pixel of it is one of the
// display.
#include "desktop/gl_window.h"

#include <GLES3/gl3.h>
#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

// Emscripten's glfwSetWindowSize() takes a window as large as the screen for one that wants to be full screen, which a page may
// not do by itself: it would throw in each frame.
// clang-format off
EM_JS(void, flamelet_page_set_size, (int width, int height), {
  Browser.setCanvasSize(width, height);
  GLFW.active.width = width;
  GLFW.active.height = height;
});
// clang-format on

namespace flamelet::desktop {

GlWindow::GlWindow(const char* title, int width, int height, bool) {
  if (!glfwInit()) throw std::runtime_error("This page needs a browser's window.");
  glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_ALPHA_BITS, 0);  // what lies behind the canvas does not shine through
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  window_ = glfwCreateWindow(width, height, title, nullptr, nullptr);
  if (window_ == nullptr) throw std::runtime_error("This page needs WebGL 2, which this browser does not give it.");
  glfwMakeContextCurrent(window_);
}

GlWindow::~GlWindow() {
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

void GlWindow::size(int* width, int* height) const {
  double css_width = 0, css_height = 0;
  emscripten_get_element_css_size("#canvas", &css_width, &css_height);
  const double scale = emscripten_get_device_pixel_ratio();
  *width = static_cast<int>(std::lround(css_width * scale));
  *height = static_cast<int>(std::lround(css_height * scale));
  int old_width = 0, old_height = 0;
  glfwGetWindowSize(window_, &old_width, &old_height);
  if (*width != old_width || *height != old_height) flamelet_page_set_size(*width, *height);
}

float GlWindow::content_scale() const {
  return static_cast<float>(emscripten_get_device_pixel_ratio());
}

const char* GlWindow::shader_version() const {
  return "#version 300 es";
}

void GlWindow::clear(int width, int height) const {
  glViewport(0, 0, width, height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

// The W3C's "standard gamepad" (https://www.w3.org/TR/gamepad/#remapping), in whose order our buttons are.
bool read_gamepad(Gamepad* pad) {
  if (emscripten_sample_gamepad_data() != EMSCRIPTEN_RESULT_SUCCESS) return false;
  EmscriptenGamepadEvent state;
  for (int i = 0; i < emscripten_get_num_gamepads(); ++i) {
    if (emscripten_get_gamepad_status(i, &state) != EMSCRIPTEN_RESULT_SUCCESS) continue;
    if (std::strcmp(state.mapping, "standard") != 0 || state.numButtons < kPadButtonCount || state.numAxes < 4)
      continue;
    for (int button = 0; button < kPadButtonCount; ++button) pad->down[button] = state.digitalButton[button];
    pad->left_x = static_cast<float>(state.axis[0]);
    pad->left_y = static_cast<float>(state.axis[1]);
    pad->right_x = static_cast<float>(state.axis[2]);
    pad->right_y = static_cast<float>(state.axis[3]);
    return true;
  }
  return false;
}

}  // namespace flamelet::desktop
