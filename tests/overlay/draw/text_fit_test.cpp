// SPDX-License-Identifier: MIT
#include "draw/text.h"

#include <doctest/doctest.h>

#include <string>

using flamelet::ui::fit_text;
using flamelet::ui::fit_words;
using flamelet::ui::FontMetrics;
using flamelet::ui::TextFit;

namespace {

// Every ASCII character is 10 wide, an ellipsis 8, everything else 20.
FontMetrics test_font() {
  FontMetrics font;
  font.size = 13;
  for (float& advance : font.advance) advance = 10;
  font.ellipsis_width = 8;
  font.measure = [](void*, const char*, const char*) { return 20.0f; };
  return font;
}

}  // namespace

TEST_CASE("overlay labels: a text that fits is left alone") {
  const TextFit fit = fit_text(test_font(), "update", 60);
  CHECK(fit.bytes == 6);
  CHECK_FALSE(fit.elided);
  CHECK(fit.width == 60);
}

TEST_CASE("overlay labels: a text that does not fit ends in an ellipsis within the width") {
  const TextFit fit = fit_text(test_font(), "update", 59);
  CHECK(fit.bytes == 5);
  CHECK(fit.elided);
  CHECK(fit.width == 58);
}

TEST_CASE("overlay labels: fewer than two letters and an ellipsis are nothing") {
  const TextFit fit = fit_text(test_font(), "update", 27);
  CHECK(fit.bytes == 0);
  CHECK_FALSE(fit.elided);
  CHECK(fit.width == 0);
  CHECK(fit_text(test_font(), "update", 28).bytes == 2);
  CHECK(fit_text(test_font(), "a", 10).bytes == 1);
}

TEST_CASE("overlay labels: no width gives the width of whatever fits, at every width") {
  const FontMetrics font = test_font();
  const std::string text = "a\xC3\xA9z\xE2\x82\xAC longer \xF0\x9F\x98\x80 name";
  for (float width = 0; width < 400; width += 0.5f) {
    const TextFit fit = fit_text(font, text, width);
    REQUIRE(fit.width <= width);
    // Never in the middle of a character.
    if (fit.bytes < text.size()) REQUIRE((static_cast<unsigned char>(text[fit.bytes]) & 0xC0) != 0x80);
  }
}

TEST_CASE("overlay labels: a label ends before a line break or a zero byte") {
  CHECK(fit_text(test_font(), "two\nlines", 1000).bytes == 3);
  CHECK(fit_text(test_font(), "two\nlines", 1000).elided);
  CHECK(fit_text(test_font(), std::string_view("zero\0byte", 9), 1000).bytes == 4);
  CHECK(fit_text(test_font(), "\n", 1000).bytes == 0);
}

TEST_CASE("overlay labels: malformed text is walked byte by byte and not read beyond") {
  const char cut[] = {'a', 'b', '\xF0', '\x9F'};
  CHECK(fit_text(test_font(), std::string_view(cut, 4), 1000).bytes == 4);
  CHECK(fit_text(test_font(), "\x80\xBF\xFF", 1000).bytes == 3);
}

TEST_CASE("overlay labels: a width that is not a number draws nothing") {
  CHECK(fit_text(test_font(), "update", -1).bytes == 0);
  CHECK(fit_text(test_font(), "", 100).width == 0);
}

TEST_CASE("overlay labels: lines break at spaces, and never in the middle of a number") {
  const FontMetrics font = test_font();
  CHECK(fit_words(font, "usually 1.4", 110) == 11);
  for (float width = 70; width < 110; ++width) CHECK(fit_words(font, "usually 1.4", width) == 7);
  CHECK(fit_words(font, "a 1.4,  b", 80) == 6);     // before both spaces
  CHECK(fit_words(font, "  +1.4 ms", 65) == 6);     // not behind the indent
  CHECK(fit_words(font, "  long_word", 50) == 11);  // no space helps
  CHECK(fit_words(font, "ab  ", 20) == 4);          // spaces at the end need no room
  CHECK(fit_words(font, "", 20) == 0);
}
