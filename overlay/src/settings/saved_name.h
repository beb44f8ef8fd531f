// SPDX-License-Identifier: MIT
//
// saved_name.h: names that the settings save as text, in arrays with a closing 0.
#ifndef FLAMELET_OVERLAY_SRC_SAVED_NAME_H
#define FLAMELET_OVERLAY_SRC_SAVED_NAME_H

#include <string_view>

namespace flamelet::ui {

// One line, without a 0 in it, that fits into so many bytes. Others could not be read back, or not be found again.
inline bool can_be_saved(std::string_view name, size_t bytes) {
  return !name.empty() && name.size() < bytes &&
         name.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos;
}

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SAVED_NAME_H
