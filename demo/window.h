// SPDX-License-Identifier: MIT
//
// The window and what the player does with it. Main thread.
#pragma once

#include <glm/glm.hpp>

#include "desktop/gl_window.h"
#include "options.h"

namespace demo {

// What happened since the last poll().
struct Input {
  bool bomb = false;
  bool quake = false;
  bool pause = false;
  bool quit = false;
  bool dump = false;
  bool screenshot = false;
  glm::vec2 turn{0.0f};  // drag with the left button, in pixels
  float wheel = 0.0f;
};

class Window {
 public:
  explicit Window(const Options& options);  // throws std::runtime_error
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Handles events. With `wait` it waits for one, but no longer than a tenth of a second. What the UI takes is not the
  // game's.
  Input poll(bool wait, bool ui_takes_keyboard, bool ui_takes_mouse);
  void present();
  void close();
  bool closing() const;

  // The framebuffer's size in pixels; 0 x 0 while minimised.
  glm::ivec2 size() const;
  // Where the mouse is: -1 .. 1, y up.
  glm::vec2 cursor() const;
  const flamelet::desktop::GlWindow& gl() const { return gl_; }

 private:
  void on_key(int key, int action, int modifiers);

  flamelet::desktop::GlWindow gl_;
  GLFWwindow* window_;
  Input input_;
  glm::vec2 last_cursor_{0.0f};
};

}  // namespace demo
