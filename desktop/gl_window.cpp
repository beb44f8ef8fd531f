// SPDX-License-Identifier: MIT
#define GLAD_GL_IMPLEMENTATION  // for the header-only form of glad; the other form does not look at it
#include <glad/gl.h>

#include "desktop/gl_window.h"

#include <GLFW/glfw3.h>
#include <flamelet/flamelet.h>

// Static, so that it cannot meet a copy inside another library.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include "platform/file.h"

namespace flamelet::desktop {

GlWindow::GlWindow(const char* title, int width, int height, bool visible) {
  // Without a display the exception below says it better.
  glfwSetErrorCallback([](int code, const char* text) {
    if (code != GLFW_PLATFORM_ERROR) std::fprintf(stderr, "GLFW: %s\n", text);
  });
  if (!glfwInit()) throw std::runtime_error("There is no display to open a window on. Xvfb gives a virtual one.");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // whoever draws in depth has a buffer for it
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(width, height, title, nullptr, nullptr);
  if (window_ == nullptr) {
    glfwTerminate();
    throw std::runtime_error("There is no window with OpenGL 3.3 to be had.");
  }
  glfwMakeContextCurrent(window_);
  if (gladLoadGL(glfwGetProcAddress) < GLAD_MAKE_VERSION(3, 3)) {
    glfwDestroyWindow(window_);
    glfwTerminate();
    throw std::runtime_error("There is no OpenGL 3.3.");
  }
}

GlWindow::~GlWindow() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void GlWindow::size(int* width, int* height) const {
  *width = *height = 0;
  if (!glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) glfwGetFramebufferSize(window_, width, height);
}

float GlWindow::content_scale() const {
  float x = 1.0f;
  float y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  return y;
}

const char* GlWindow::shader_version() const {
  return "#version 330 core";
}

void GlWindow::clear(int width, int height) const {
  glViewport(0, 0, width, height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

bool read_gamepad(Gamepad* pad) {
  static constexpr int kButtons[kPadButtonCount] = {GLFW_GAMEPAD_BUTTON_A,
                                                    GLFW_GAMEPAD_BUTTON_B,
                                                    GLFW_GAMEPAD_BUTTON_X,
                                                    GLFW_GAMEPAD_BUTTON_Y,
                                                    GLFW_GAMEPAD_BUTTON_LEFT_BUMPER,
                                                    GLFW_GAMEPAD_BUTTON_RIGHT_BUMPER,
                                                    -1,
                                                    -1,
                                                    GLFW_GAMEPAD_BUTTON_BACK,
                                                    GLFW_GAMEPAD_BUTTON_START,
                                                    GLFW_GAMEPAD_BUTTON_LEFT_THUMB,
                                                    GLFW_GAMEPAD_BUTTON_RIGHT_THUMB,
                                                    GLFW_GAMEPAD_BUTTON_DPAD_UP,
                                                    GLFW_GAMEPAD_BUTTON_DPAD_DOWN,
                                                    GLFW_GAMEPAD_BUTTON_DPAD_LEFT,
                                                    GLFW_GAMEPAD_BUTTON_DPAD_RIGHT};
  GLFWgamepadstate state;
  for (int joystick = GLFW_JOYSTICK_1; joystick <= GLFW_JOYSTICK_LAST; ++joystick) {
    if (!glfwGetGamepadState(joystick, &state)) continue;
    for (int i = 0; i < kPadButtonCount; ++i)
      pad->down[i] = kButtons[i] >= 0 && state.buttons[kButtons[i]] == GLFW_PRESS;
    pad->down[kPadL2] = state.axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER] > 0;
    pad->down[kPadR2] = state.axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER] > 0;
    pad->left_x = state.axes[GLFW_GAMEPAD_AXIS_LEFT_X];
    pad->left_y = state.axes[GLFW_GAMEPAD_AXIS_LEFT_Y];
    pad->right_x = state.axes[GLFW_GAMEPAD_AXIS_RIGHT_X];
    pad->right_y = state.axes[GLFW_GAMEPAD_AXIS_RIGHT_Y];
    return true;
  }
  return false;
}

void write_file(const std::string& path, std::string_view content) {
  NewFile file;
  if (!file.open(path.c_str(), FileReaders::kAsBefore) || !file.write(content.data(), content.size()) || !file.commit())
    throw std::runtime_error("Cannot write " + path + ": " + std::strerror(errno) + ".");
}

void write_screenshot(const std::string& path, int width, int height) {
  FLAMELET_FUNCTION();
  std::vector<unsigned char> pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  stbi_flip_vertically_on_write(1);  // OpenGL's first row is the lowest
  std::string png;
  const auto append = [](void* to, void* bytes, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), static_cast<size_t>(size));
  };
  if (stbi_write_png_to_func(append, &png, width, height, 3, pixels.data(), width * 3) == 0) throw std::bad_alloc();
  write_file(path, png);
}

}  // namespace flamelet::desktop
