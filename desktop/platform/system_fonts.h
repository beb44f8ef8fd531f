// SPDX-License-Identifier: MIT
//
// system_fonts.h: which fonts of the system have characters.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace flamelet::desktop {

struct FontFile {
  std::string path;
  int face = 0;  // in a collection
};

// Outline fonts that have some of these code points, the best first; together they have as many as the system can draw. Empty:
// it has none, or nothing that finds them.
std::vector<FontFile> find_system_fonts(std::set<uint32_t> characters);

}  // namespace flamelet::desktop
