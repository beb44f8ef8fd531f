// SPDX-License-Identifier: MIT
#include "window.h"

#include <GLFW/glfw3.h>
#include <flamelet/flamelet.h>

#include <utility>

namespace demo {
namespace {

Window& window_of(GLFWwindow* handle) {
  return *static_cast<Window*>(glfwGetWindowUserPointer(handle));
}

glm::vec2 cursor_pixels(GLFWwindow* handle) {
  double x = 0.0;
  double y = 0.0;
  glfwGetCursorPos(handle, &x, &y);
  return {x, y};
}

}  // namespace

Window::Window(const Options& options)
    : gl_("Flamelet demo", options.width, options.height, !options.headless), window_(gl_.handle()) {
  glfwSwapInterval(options.vsync ? 1 : 0);
  glfwSetWindowUserPointer(window_, this);
  // ImGui's backend chains these: they are called after its own.
  glfwSetKeyCallback(window_,
                     [](GLFWwindow* w, int key, int, int action, int mods) { window_of(w).on_key(key, action, mods); });
  glfwSetScrollCallback(window_,
                        [](GLFWwindow* w, double, double y) { window_of(w).input_.wheel += static_cast<float>(y); });
}

void Window::on_key(int key, int action, int modifiers) {
  if (action != GLFW_PRESS) return;
  if (key == GLFW_KEY_B) input_.bomb = true;
  if (key == GLFW_KEY_H) input_.quake = true;
  if (key == GLFW_KEY_P) input_.pause = true;
  if (key == GLFW_KEY_F9) input_.dump = true;
  if (key == GLFW_KEY_F10) input_.screenshot = true;
  // Not Escape: in an active overlay it goes back step by step, and one step too many must not end a recording.
  if (key == GLFW_KEY_Q && (modifiers & GLFW_MOD_CONTROL) != 0) input_.quit = true;
}

Input Window::poll(bool wait, bool ui_takes_keyboard, bool ui_takes_mouse) {
  FLAMELET_SCOPE("Input");
  if (wait) {
    glfwWaitEventsTimeout(0.1);
  } else {
    glfwPollEvents();
  }
  const glm::vec2 cursor = cursor_pixels(window_);
  const bool held = glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
  if (held) input_.turn = cursor - last_cursor_;
  last_cursor_ = cursor;

  Input input = std::exchange(input_, Input{});
  if (ui_takes_keyboard) input.bomb = input.quake = input.pause = false;
  if (ui_takes_mouse) {
    input.turn = glm::vec2(0.0f);
    input.wheel = 0.0f;
  }
  return input;
}

void Window::present() {
  FLAMELET_SCOPE_WAIT("Present");
  glfwSwapBuffers(window_);
}

void Window::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

bool Window::closing() const {
  return glfwWindowShouldClose(window_);
}

glm::ivec2 Window::size() const {
  glm::ivec2 size(0);
  gl_.size(&size.x, &size.y);
  return size;
}

glm::vec2 Window::cursor() const {
  glm::ivec2 size(1);
  glfwGetWindowSize(window_, &size.x, &size.y);
  const glm::vec2 at = cursor_pixels(window_) / glm::vec2(size.x > 0 ? size.x : 1, size.y > 0 ? size.y : 1);
  return glm::clamp(glm::vec2(at.x, 1.0f - at.y) * 2.0f - 1.0f, -1.0f, 1.0f);
}

}  // namespace demo
