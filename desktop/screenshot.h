// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace flamelet::desktop {

// Writes the window's framebuffer, as drawn so far, to a PNG file. It appears whole: it is written beside its place and
// then moved there. Throws std::runtime_error if it cannot be written.
void write_screenshot(const std::string& path, int width, int height);

}  // namespace flamelet::desktop
