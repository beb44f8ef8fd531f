// SPDX-License-Identifier: MIT
//
// user_folder.h: where a program keeps what is this user's.
#pragma once

#include <string>

namespace flamelet::desktop {

// The system's folder for settings, in UTF-8: $XDG_CONFIG_HOME or ~/.config; on Windows %APPDATA%. "" if there is none.
std::string user_folder();

}  // namespace flamelet::desktop
