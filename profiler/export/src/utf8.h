// SPDX-License-Identifier: MIT
//
// utf8.h: what is UTF-8 and what is not.
#ifndef FLAMELET_EXPORT_SRC_UTF8_H
#define FLAMELET_EXPORT_SRC_UTF8_H

#include <cstddef>
#include <string_view>

namespace flamelet::formats {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The bytes of the UTF-8 sequence at the start of `text`, which is not empty; 0 if it is none. Overlong forms,
// surrogates and code points past U+10FFFF are none (Unicode 15, table 3-7).
inline size_t utf8_sequence_bytes(std::string_view text) {
  const auto byte = [text](size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
  const auto is_tail = [&](size_t at) { return (byte(at) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !is_tail(1)) return 0;
  if (first < 0xE0) return 2;
  if (!is_tail(2)) return 0;
  if (first < 0xF0) return (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ? 0 : 3;
  if (!is_tail(3)) return 0;
  return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ? 0 : 4;
}

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_UTF8_H
