// SPDX-License-Identifier: MIT
//
// imgui_host.h: a Dear ImGui context with its GLFW and OpenGL backends, in text as large as the display asks for. Main
// thread; destroyed before its window.
#pragma once

#include "desktop/fonts.h"
#include "desktop/gl_window.h"

namespace flamelet::desktop {

class ImGuiHost {
 public:
  // `scale` is that of text and controls; 0 = what the display asks for. GLFW callbacks that are set before this are
  // called after ImGui's own.
  explicit ImGuiHost(const GlWindow& window, float scale = 0);
  ~ImGuiHost();
  ImGuiHost(const ImGuiHost&) = delete;
  ImGuiHost& operator=(const ImGuiHost&) = delete;

  // Before ImGui::NewFrame(). Reads the gamepad, too.
  void begin_frame();
  // For OverlayHost::needs_characters: this text is shown from the next frame on.
  void need_characters(std::string_view text) { fonts_.need(text); }
  // After ImGui::Render(): into the framebuffer that is bound.
  void draw();

 private:
  Fonts fonts_;
};

}  // namespace flamelet::desktop
