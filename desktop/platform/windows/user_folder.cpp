// SPDX-License-Identifier: MIT
#include <wchar.h>

#include <filesystem>

#include "desktop/platform/user_folder.h"

namespace flamelet::desktop {

std::string user_folder() {
  const wchar_t* const folder = _wgetenv(L"APPDATA");
  if (folder == nullptr) return "";
  const auto text = std::filesystem::path(folder).u8string();
  return {text.begin(), text.end()};
}

}  // namespace flamelet::desktop
