// SPDX-License-Identifier: MIT
#include "desktop/platform/user_folder.h"

#include <cstdlib>

namespace flamelet::desktop {

std::string user_folder() {
  const char* const folder = std::getenv("XDG_CONFIG_HOME");
  if (folder != nullptr && folder[0] == '/') return folder;  // others are to be ignored, says the XDG specification
  const char* const home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.config" : "";
}

}  // namespace flamelet::desktop
