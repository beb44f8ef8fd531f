// SPDX-License-Identifier: MIT
#include "desktop/platform/system.h"

#include <windows.h>

#include "platform/process.h"

namespace flamelet::desktop {

std::string user_folder() {
  const char* const folder = environment_of_user("APPDATA");
  return folder != nullptr ? folder : "";
}

// Those that come with Windows, by what they are for. Dear ImGui takes from each what the ones before it lack.
std::vector<FontFile> find_system_fonts(std::set<uint32_t> characters) {
  char folder[MAX_PATH];
  const UINT size = GetWindowsDirectoryA(folder, MAX_PATH);
  std::vector<FontFile> files;
  if (size == 0 || size >= MAX_PATH || characters.empty()) return files;
  for (const char* name : {"segoeui.ttf", "arial.ttf", "YuGothM.ttc", "msgothic.ttc", "msyh.ttc", "simsun.ttc",
                           "malgun.ttf", "leelawui.ttf", "Nirmala.ttf", "seguisym.ttf"}) {
    const std::string path = std::string(folder) + "\\Fonts\\" + name;
    if (GetFileAttributesA(path.c_str()) != INVALID_FILE_ATTRIBUTES) files.push_back({path, 0});
  }
  return files;
}

// Fonts are files here.
DrawnCharacter draw_character(uint32_t, float, float, int) {
  return {};
}

}  // namespace flamelet::desktop
