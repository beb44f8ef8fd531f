// SPDX-License-Identifier: MIT
//
// system.h: what a program with a window asks of its system: where its user's settings are, and characters of fonts. A
// program reads the files of fonts; a page may not, and lets the browser draw.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace flamelet::desktop {

// The system's folder for settings, in UTF-8: $XDG_CONFIG_HOME or ~/.config; on Windows %APPDATA%. "" if there is none. Not
// in a browser.
std::string user_folder();

struct FontFile {
  std::string path;
  int face = 0;  // in a collection
};

// Outline fonts that have some of these code points, the best first; together they have as many as the system can draw. Empty:
// it has none, or nothing that finds them.
std::vector<FontFile> find_system_fonts(std::set<uint32_t> characters);

struct DrawnCharacter {
  int width = 0;  // pixels; 0: it cannot be drawn
  float advance = 0;
  std::vector<unsigned char> alpha;  // width * height
};

// Draws a character `em` pixels large into `height` pixels, with its base line `ascent` below the top. Only in a browser.
DrawnCharacter draw_character(uint32_t character, float em, float ascent, int height);

}  // namespace flamelet::desktop
