// SPDX-License-Identifier: MIT
//
// Dear ImGui with its GLFW and OpenGL backends, and the profiler's overlay in it. Main thread.
#pragma once

#include <flamelet/overlay.h>

#include <optional>
#include <string>

#include "desktop/imgui_host.h"
#include "desktop/saved_settings.h"
#include "options.h"
#include "window.h"

namespace demo {

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
