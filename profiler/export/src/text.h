// SPDX-License-Identifier: MIT
//
// text.h: names as other programs accept them.
#ifndef FLAMELET_EXPORT_SRC_TEXT_H
#define FLAMELET_EXPORT_SRC_TEXT_H

#include <string>
#include <string_view>

#include "flamelet/base.h"

namespace flamelet::formats {

inline std::string_view view(flamelet_string text) {
  return {text.text, text.size};
}

// A name has no more than this, also where the replacements make it longer: then its end is cut off.
inline constexpr size_t kMaxTextBytes = 65535;

// Appends `text`, with U+FFFD for every byte that is in no UTF-8 sequence. True if there was none.
bool append_utf8(std::string_view text, std::string* to);

// Appends `text` as a JSON string, quotes included. Control characters, quotes and backslashes are escaped.
bool append_json_string(std::string_view text, std::string* to);

// Appends `text` as one frame of a collapsed stack: what separates frames and lines becomes ':' and ' '.
bool append_collapsed_frame(std::string_view text, std::string* to);

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_TEXT_H
