// SPDX-License-Identifier: MIT
#include "desktop/platform/user_folder.h"

#include "platform/process.h"

namespace flamelet::desktop {

std::string user_folder() {
  const char* const folder = environment_of_user("APPDATA");
  return folder != nullptr ? folder : "";
}

}  // namespace flamelet::desktop
