// SPDX-License-Identifier: MIT
#include "desktop/write_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "platform/file.h"

namespace flamelet::desktop {

void write_file(const std::string& path, std::string_view content) {
  NewFile file;
  if (!file.open(path.c_str(), FileReaders::kAsBefore) || !file.write(content.data(), content.size()) || !file.commit())
    throw std::runtime_error("Cannot write " + path + ": " + std::strerror(errno) + ".");
}

}  // namespace flamelet::desktop
