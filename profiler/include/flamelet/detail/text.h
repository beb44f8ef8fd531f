// SPDX-License-Identifier: MIT
//
// detail/text.h: what is UTF-8, what JSON escapes: for all that writes names. C++, and no part of the interface.
#ifndef FLAMELET_DETAIL_TEXT_H
#define FLAMELET_DETAIL_TEXT_H

#include <stddef.h>

#include <string_view>

namespace flamelet {

// U+FFFD, for a byte that is no text.
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

// A code point below 256 as it stands in a JSON string: itself, or escaped.
class JsonCharacter {
 public:
  explicit JsonCharacter(unsigned char c) {
    constexpr char kDigits[] = "0123456789abcdef";
    const bool is_plain = c >= 0x20 && c < 0x7F;
    if (!is_plain) {
      for (const char part : {'\\', 'u', '0', '0', kDigits[c >> 4], kDigits[c & 15]}) text_[size_++] = part;
      return;
    }
    if (c == '"' || c == '\\') text_[size_++] = '\\';
    text_[size_++] = static_cast<char>(c);
  }
  std::string_view view() const { return {text_, size_}; }

 private:
  char text_[6];
  size_t size_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_DETAIL_TEXT_H
