// SPDX-License-Identifier: MIT
//
// write_file.h: files that a program with a window writes. They appear whole, or not at all. Each call throws a
// std::runtime_error that names the file and says why.
#ifndef FLAMELET_DESKTOP_WRITE_FILE_H
#define FLAMELET_DESKTOP_WRITE_FILE_H

#include <string>
#include <string_view>

namespace flamelet::desktop {

void write_file(const std::string& path, std::string_view content);
// The window's framebuffer, as drawn so far, as a PNG file.
void write_screenshot(const std::string& path, int width, int height);

}  // namespace flamelet::desktop

#endif  // FLAMELET_DESKTOP_WRITE_FILE_H
