// SPDX-License-Identifier: MIT
//
// imgui_host.h: a Dear ImGui context with its GLFW and OpenGL backends, in text as large as the display asks for. Main
// thread; destroyed before its window.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>

#include "desktop/gl_window.h"

struct GLFWwindow;

namespace flamelet::desktop {

// The text of our programs. One font travels in the program; what it lacks comes from fonts of the system, when a capture
// has names that need it.
class Fonts {
 public:
  // The font of the current ImGui context, in pixels.
  void start(float size);
  // Text in UTF-8 that will be shown. Characters that Dear ImGui cannot name (beyond U+FFFF in most builds) stay '?'.
  void need(std::string_view text);
  // Not between ImGui::NewFrame() and ImGui::Render(). True: the atlas is another one, and the backend has to upload it.
  bool update();
  // How many of the characters that were needed are shown as '?': no font has them, or ImGui cannot name them. Of the last
  // update().
  size_t lacking() const { return lacking_; }
  // "1 letter in names is shown as ?, U+1F525: ...", and what helps; "" if none is lacking.
  std::string lacking_text() const;

 private:
  void build();
  void count_lacking();
  void add_own_font(const ImWchar* ranges);
  void add_system_fonts(const ImWchar* ranges);
  void draw_what_lacks();

  float size_ = 13;
  std::set<uint32_t> needed_;
  std::set<uint32_t> beyond_;    // that Dear ImGui cannot name
  std::set<std::string> files_;  // in the atlas
  bool is_outdated_ = false;
  size_t lacking_ = 0;
  uint32_t first_lacking_ = 0;  // of those that a font could have; 0 = there is none
};

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
  // Keys came faster than frames, and some of them wait for the next one.
  bool has_late_input() const;
  // As if the mouse were nowhere: in a picture, where it happens to be must change nothing.
  void ignore_mouse() { ignores_mouse_ = true; }
  // For OverlayHost::needs_characters: this text is shown from the next frame on.
  void need_characters(std::string_view text) { fonts_.need(text); }
  std::string lacking_text() const { return fonts_.lacking_text(); }
  // After ImGui::Render(): into the framebuffer that is bound.
  void draw();

 private:
  struct KeyEvent {
    int key, scancode, action, modifiers;
    unsigned character;  // that was typed; 0 = the key changed
  };
  void take(const KeyEvent& event);

  GLFWwindow* const window_;
  Fonts fonts_;
  bool ignores_mouse_ = false;
  std::set<int> changed_keys_;      // since the last frame began
  std::deque<KeyEvent> late_keys_;  // which have to wait for the next frame
};

}  // namespace flamelet::desktop
