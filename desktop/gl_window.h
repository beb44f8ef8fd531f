// SPDX-License-Identifier: MIT
//
// gl_window.h: a window with OpenGL 3.3 in it, whose functions are loaded (glad); in a browser the page's canvas, with
// WebGL 2 (browser/page.cpp). Main thread. One at a time: it starts and ends GLFW.
#pragma once

#include <string>
#include <string_view>

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

// The first gamepad that has the usual buttons. Dear ImGui's backends read one by the numbers of its driver in old
// versions and in browsers, so that buttons get mixed up; here they have names. Main thread.

// By the places of an Xbox pad's.
enum GamepadButton {
  kPadA,
  kPadB,
  kPadX,
  kPadY,
  kPadL1,
  kPadR1,
  kPadL2,
  kPadR2,
  kPadBack,
  kPadStart,
  kPadL3,
  kPadR3,
  kPadUp,
  kPadDown,
  kPadLeft,
  kPadRight,
  kPadButtonCount
};

struct Gamepad {
  bool down[kPadButtonCount] = {};
  float left_x = 0, left_y = 0, right_x = 0, right_y = 0;  // -1 to 1; right and down are positive
};

// False if there is none. While GLFW runs (gl_window.cpp, browser/page.cpp).
bool read_gamepad(Gamepad* pad);
// Tells ImGui of the pad, or that there is none. Between the backend's NewFrame and ImGui::NewFrame().
void put_gamepad(const Gamepad* pad);

// Files that a program with a window writes. They appear whole, or not at all. Each call throws a
// std::runtime_error that names the file and says why.

void write_file(const std::string& path, std::string_view content);
// The window's framebuffer, as drawn so far, as a PNG file.
void write_screenshot(const std::string& path, int width, int height);

// ---- In a browser: what a program asks of its page (browser/page.cpp, web/page.js). It needs an ImGui context.

// Lets the user choose a file. The page then calls the program's flamelet_open().
void page_choose_file();
// Gives a file of the program's own to the user as a download, and removes it.
void page_download(const char* path);
// Puts the page's address with this behind its "#" into the clipboard.
void page_copy_link(const char* link);
// In place of the canvas: what keeps the program from running.
void page_say(const char* text);
// A picture with a capture in it was drawn.
void page_drawn();

// ImGui's clipboard becomes the user's; and a step of the wheel is one to ImGui, which with GLFW's callback it is not in
// every version of Emscripten.
void page_take_over(const GlWindow& window);

}  // namespace flamelet::desktop
