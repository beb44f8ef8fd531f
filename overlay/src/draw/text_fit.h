// SPDX-License-Identifier: MIT
//
// text_fit.h: how much of a text fits into a width. Labels are never cut in half: they fit, or end in an ellipsis, or
// are left out.
//
// Names may hold any bytes. A label ends at the first control character, which ImGui would take for a line break or for
// the end of the text, with an ellipsis in its place.
#ifndef FLAMELET_OVERLAY_SRC_TEXT_FIT_H
#define FLAMELET_OVERLAY_SRC_TEXT_FIT_H

#include <stddef.h>
#include <stdint.h>

#include <string_view>

namespace flamelet::ui {

// The widths of a font at one size. ASCII comes from a table, because nearly every name is ASCII and asking ImGui
// for each character takes longer than drawing it.
struct FontMetrics {
  float size = 0;  // line height in pixels
  float advance[128] = {};
  char ellipsis[4] = {'.', '.', '.', 0};
  float ellipsis_width = 0;
  // The width of one other character, UTF-8 in [begin, end).
  float (*measure)(void* user, const char* begin, const char* end) = nullptr;
  void* user = nullptr;
  const void* font = nullptr;  // whose widths these are

  float of(char ascii) const { return advance[static_cast<unsigned char>(ascii) & 127]; }
};

struct TextFit {
  uint32_t bytes = 0;   // draw these
  bool elided = false;  // and then the ellipsis
  float width = 0;      // of both
};

// bytes == 0 and not elided: there is nothing to draw. An elided text keeps at least two characters.
TextFit fit_text(const FontMetrics& font, std::string_view text, float max_width);

// How many bytes of a text stand on its first line: up to the last space where it fits, and all of them where it fits as it
// is or no space helps. ImGui's own wrapping also breaks a line behind a point, in the middle of a number.
size_t fit_words(const FontMetrics& font, std::string_view text, float max_width);

float text_width(const FontMetrics& font, std::string_view text);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_TEXT_FIT_H
