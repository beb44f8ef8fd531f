// SPDX-License-Identifier: MIT
//
// page.h: what a program in a page asks of the page (web/page.js). It needs an ImGui context.
#pragma once

#include "desktop/gl_window.h"

namespace flamelet::desktop {

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
