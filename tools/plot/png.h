// SPDX-License-Identifier: MIT
//
// png.h: an SVG picture as PNG, by librsvg where this was built with it.
#ifndef FLAMELET_TOOLS_PNG_H
#define FLAMELET_TOOLS_PNG_H

#include <string>

namespace flamelet::tools {

bool can_draw_png();

// False: *problem says why, and *png is of no use.
bool svg_to_png(const std::string& svg, std::string* png, std::string* problem);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PNG_H
