// SPDX-License-Identifier: MIT
#include "output.h"

#include "flamelet/detail/text.h"

namespace flamelet::formats {

// ---- text

namespace {

// Walks over `text` and hands each ASCII character to `ascii`; whole sequences and replacements are appended.
template <class Ascii>
bool append_with(std::string_view text, std::string* to, Ascii ascii) {
  bool whole = true;
  size_t room = kMaxTextBytes;
  for (size_t at = 0; at < text.size();) {
    const size_t size = utf8_sequence_bytes(text.substr(at));
    const size_t written = size != 0 ? size : kReplacement.size();
    if (written > room) return false;
    room -= written;
    whole = whole && size != 0;
    if (size == 1) {
      ascii(text[at]);
    } else {
      to->append(size != 0 ? text.substr(at, size) : kReplacement);
    }
    at += size != 0 ? size : 1;
  }
  return whole;
}

}  // namespace

bool append_utf8(std::string_view text, std::string* to) {
  return append_with(text, to, [to](char c) { to->push_back(c); });
}

bool append_json_string(std::string_view text, std::string* to) {
  to->push_back('"');
  const bool whole =
      append_with(text, to, [to](char c) { to->append(JsonCharacter(static_cast<unsigned char>(c)).view()); });
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
