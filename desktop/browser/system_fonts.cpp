// SPDX-License-Identifier: MIT
#include "desktop/platform/system_fonts.h"

namespace flamelet::desktop {

// A page may not look for them.
std::vector<FontFile> find_system_fonts(std::set<uint32_t>) {
  return {};
}

}  // namespace flamelet::desktop
