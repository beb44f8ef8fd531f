// SPDX-License-Identifier: MIT
//
// detail/text.h: what is UTF-8, what JSON escapes, what a filter finds: for all that reads and writes names. C++, and no part
// of the interface.
#ifndef FLAMELET_DETAIL_TEXT_H
#define FLAMELET_DETAIL_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <string_view>

#include "flamelet/base.h"

namespace flamelet {

// Ends where its text does, also if it holds a zero byte.
inline std::string_view view_of(flamelet_string text) {
  return {text.text, text.size};
}

// Without the spaces around it.
inline std::string_view trimmed(std::string_view text) {
  constexpr const char* kSpaces = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

// Whether a name contains this; ASCII letters match in either case.
inline bool matches(std::string_view name, std::string_view pattern) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const auto same = [=](char a, char b) { return lower(a) == lower(b); };
  return pattern.empty() || std::search(name.begin(), name.end(), pattern.begin(), pattern.end(), same) != name.end();
}

// The order of names: negative where `a` comes first. Without regard to the case of ASCII letters; where that is the only
// difference, by case.
inline int compare_names(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); };
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (lower(a[i]) != lower(b[i])) return lower(a[i]) < lower(b[i]) ? -1 : 1;
  return a.size() != b.size() ? (a.size() < b.size() ? -1 : 1) : a.compare(b);
}

// The value of a digit; -1 if it is none.
inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// At most so many bytes of it, and no part of a UTF-8 sequence at the end.
inline std::string_view whole_start(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  const size_t least = most - std::min<size_t>(most, 3);
  size_t size = most;
  while (size != least && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

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

// The code point of such a sequence.
inline uint32_t utf8_code_point(std::string_view sequence) {
  const auto byte = [sequence](size_t at) { return static_cast<uint32_t>(static_cast<unsigned char>(sequence[at])); };
  if (sequence.size() == 1) return byte(0);
  uint32_t code = byte(0) & (0x7Fu >> sequence.size());
  for (size_t at = 1; at < sequence.size(); ++at) code = code << 6 | (byte(at) & 0x3Fu);
  return code;
}

// Shows nothing, or turns the direction of the text around it, so that a name may look like another one: Unicode's
// default ignorable code points, and its separators of lines and paragraphs. Joiners and variation selectors are none of
// these: scripts and emoji need them.
inline bool is_invisible(uint32_t code) {
  struct Range {
    uint32_t first, last;
  };
  constexpr Range kRanges[] = {
      {0xAD, 0xAD},     {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180E, 0x180E},  {0x200B, 0x200B},
      {0x200E, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0},
      {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE00FF}, {0xE01F0, 0xE0FFF}};
  for (const Range& range : kRanges)
    if (code >= range.first && code <= range.last) return true;
  return false;
}

// A code point as it stands in a JSON string: itself, if it is printable ASCII, or escaped.
class JsonCharacter {
 public:
  explicit JsonCharacter(uint32_t code) {
    if (code >= 0x20 && code < 0x7F) {
      if (code == '"' || code == '\\') text_[size_++] = '\\';
      text_[size_++] = static_cast<char>(code);
    } else if (code < 0x10000) {
      add_unit(code);
    } else {
      add_unit(0xD7C0 + (code >> 10));
      add_unit(0xDC00 | (code & 0x3FF));
    }
  }
  std::string_view view() const { return {text_, size_}; }

 private:
  void add_unit(uint32_t unit) {
    constexpr char kDigits[] = "0123456789abcdef";
    text_[size_++] = '\\';
    text_[size_++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) text_[size_++] = kDigits[unit >> shift & 15];
  }

  char text_[12];
  size_t size_ = 0;
};

// Calls add(part) for each part of the inside of a JSON string that tells `text`: what is no text is replaced; quotes,
// control characters and what is invisible are escaped.
template <typename Add>
void add_json_text(std::string_view text, const Add& add) {
  while (!text.empty()) {
    const size_t size = utf8_sequence_bytes(text);
    const std::string_view sequence = text.substr(0, size);
    const uint32_t code = size == 0 ? 0 : utf8_code_point(sequence);
    if (size == 0)
      add(kReplacement);
    else if (size == 1 || is_invisible(code))
      add(JsonCharacter(code).view());
    else
      add(sequence);
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

}  // namespace flamelet

#endif  // FLAMELET_DETAIL_TEXT_H
