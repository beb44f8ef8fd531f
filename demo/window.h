// SPDX-License-Identifier: MIT
//
// window.h: the window and what the player does with it, and Dear ImGui with the profiler's overlay in it. Main thread.
#pragma once

#include <flamelet/overlay.h>

#include <glm/glm.hpp>
#include <optional>
#include <string>

#include "desktop/gl_window.h"
#include "desktop/imgui_host.h"
#include "desktop/saved_settings.h"
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

// Dear ImGui with its GLFW and OpenGL backends, and the profiler's overlay in it.
class OverlayHost {
 public:
  // Shows a capture that somebody updates, and the frames that are kept. Both outlive it. Throws std::runtime_error.
  OverlayHost(const Window& window, const Options& options, flamelet_capture* capture, flamelet_flight* flight);
  ~OverlayHost();
  OverlayHost(const OverlayHost&) = delete;
  OverlayHost& operator=(const OverlayHost&) = delete;

  // Offers a call tree of the game on the overlay's tree pages. It has to outlive this.
  void show_tree(const char* name, flamelet_call_tree* tree);

  // Builds the UI of one frame: the game's line of text, and whatever the overlay shows.
  void build(const std::string& line);
  // Draws it into the framebuffer that is bound.
  void draw();

  // Whether the UI wants what the player types and clicks next.
  bool takes_keyboard() const;
  bool takes_mouse() const;

  // Pauses the overlay on a frame, for a picture: from now on the mouse hovers nothing.
  void show_frame(uint64_t index);
  // Selects a scope of that frame, or the picture's if there is none of this name; a frame after show_frame().
  void select_scope(const std::string& name);
  flamelet::OverlayMode mode() const;
  flamelet::OverlayStats stats() const;

  // Writes what the overlay shows as JSON. The file appears whole: it is written beside its place and then moved there.
  // Throws std::runtime_error.
  void write_dump(const std::string& path) const;

 private:
  flamelet::desktop::ImGuiHost imgui_;
  flamelet::Overlay* overlay_ = nullptr;
  std::optional<flamelet::desktop::SavedSettings> settings_;
  bool ignore_mouse_ = false;
};

}  // namespace demo
