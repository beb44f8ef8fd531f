// SPDX-License-Identifier: MIT
#ifndef FLAMELET_DESKTOP_WRITE_FILE_H
#define FLAMELET_DESKTOP_WRITE_FILE_H

#include <string>
#include <string_view>

namespace flamelet::desktop {

// A file that appears whole, or not at all. Throws a std::runtime_error that names it and says why.
void write_file(const std::string& path, std::string_view content);

}  // namespace flamelet::desktop

#endif  // FLAMELET_DESKTOP_WRITE_FILE_H
