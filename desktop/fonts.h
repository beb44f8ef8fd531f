// SPDX-License-Identifier: MIT
//
// fonts.h: the text of our programs. One font travels in the program; what it lacks comes from fonts of the system, when a
// capture has names that need it.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace flamelet::desktop {

class Fonts {
 public:
  // The font of the current ImGui context, in pixels.
  void start(float size);
  // Text in UTF-8 that will be shown. Characters that Dear ImGui cannot name (beyond U+FFFF in most builds) stay '?'.
  void need(std::string_view text);
  // Not between ImGui::NewFrame() and ImGui::Render(). True: the atlas is another one, and the backend has to upload it.
  bool update();

 private:
  void build();
  void add_own_font(const ImWchar* ranges);
  void add_system_fonts(const ImWchar* ranges);
  void draw_what_lacks();

  float size_ = 13;
  std::set<uint32_t> needed_;
  std::set<std::string> files_;  // in the atlas
  bool is_outdated_ = false;
};

}  // namespace flamelet::desktop
