// SPDX-License-Identifier: MIT
#include "draw/text_fit.h"

#include <float.h>

namespace flamelet::ui {

namespace {

constexpr uint32_t kLeastCharacters = 2;  // in front of an ellipsis; a single letter says nothing

struct Character {
  uint32_t bytes;  // 0: a control character
  float width;
};

Character next_character(const FontMetrics& font, std::string_view text, size_t at) {
  const unsigned char lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x20 || lead == 0x7F) return {0, 0};
  if (lead < 0x80) return {1, font.advance[lead]};
  // A sequence that is cut short or malformed counts as one byte: ImGui draws its replacement for it.
  uint32_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  for (uint32_t i = 1; i < bytes; ++i)
    if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) bytes = 1;
  const char* begin = text.data() + at;
  return {bytes, font.measure != nullptr ? font.measure(font.user, begin, begin + bytes) : font.of('?')};
}

}  // namespace

TextFit fit_text(const FontMetrics& font, std::string_view text, float max_width) {
  float width = 0;
  TextFit with_ellipsis;  // the longest that leaves room for the ellipsis
  uint32_t characters = 0;
  size_t at = 0;
  for (; at < text.size(); ++characters) {
    if (characters >= kLeastCharacters && width + font.ellipsis_width <= max_width)
      with_ellipsis = {static_cast<uint32_t>(at), true, width + font.ellipsis_width};
    const Character next = next_character(font, text, at);
    if (next.bytes == 0 || width + next.width > max_width) return with_ellipsis;
    width += next.width;
    at += next.bytes;
  }
  return {static_cast<uint32_t>(at), false, width};
}

size_t fit_words(const FontMetrics& font, std::string_view text, float max_width) {
  float width = 0;
  size_t last_break = 0;
  bool after_word = false;
  for (size_t at = 0; at < text.size();) {
    const Character next = next_character(font, text, at);
    width += next.width;
    if (text[at] != ' ' && width > max_width && last_break != 0) return last_break;
    if (text[at] == ' ' && after_word) last_break = at;
    after_word = text[at] != ' ';
    at += next.bytes != 0 ? next.bytes : 1;
  }
  return text.size();
}

float text_width(const FontMetrics& font, std::string_view text) {
  return fit_text(font, text, FLT_MAX).width;
}

}  // namespace flamelet::ui
