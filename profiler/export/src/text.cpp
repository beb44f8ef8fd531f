// SPDX-License-Identifier: MIT
#include "text.h"

namespace flamelet::formats {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_tail(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

// Walks over `text` and hands each ASCII character to `ascii`; whole sequences and replacements are appended.
template <class Ascii>
bool append_with(std::string_view text, std::string* to, Ascii ascii) {
  bool whole = true;
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ascii(text[at++]);
      continue;
    }
    const size_t size = utf8_sequence_bytes(text.substr(at));
    whole = whole && size != 0;
    to->append(size != 0 ? text.substr(at, size) : kReplacement);
    at += size != 0 ? size : 1;
  }
  return whole;
}

}  // namespace

size_t utf8_sequence_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const unsigned char second = text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !is_tail(text, 1)) return 0;
  if (first < 0xE0) return 2;
  if (!is_tail(text, 2)) return 0;
  if (first < 0xF0) return (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ? 0 : 3;
  if (!is_tail(text, 3)) return 0;
  return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ? 0 : 4;
}

bool append_utf8(std::string_view text, std::string* to) {
  return append_with(text, to, [to](char c) { to->push_back(c); });
}

bool append_json_string(std::string_view text, std::string* to) {
  static const char digits[] = "0123456789abcdef";
  to->push_back('"');
  const bool whole = append_with(text, to, [to](char c) {
    if (c == '"' || c == '\\') {
      to->push_back('\\');
      to->push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      const auto byte = static_cast<unsigned char>(c);
      to->append("\\u00");
      to->push_back(digits[byte >> 4]);
      to->push_back(digits[byte & 15]);
    } else {
      to->push_back(c);
    }
  });
  to->push_back('"');
  return whole;
}

bool append_collapsed_frame(std::string_view text, std::string* to) {
  return append_with(text, to, [to](char c) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    to->push_back(c == ';' ? ':' : control ? ' ' : c);
  });
}

}  // namespace flamelet::formats
