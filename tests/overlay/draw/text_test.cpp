// SPDX-License-Identifier: MIT
#include "draw/text.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>

using namespace flamelet::ui;

namespace {

std::string time_text(int64_t ns) {
  FixedText<32> text;
  text.add_time(ns);
  return std::string(text.view());
}

std::string fixed_text(double value, int decimals) {
  FixedText<64> text;
  text.add_fixed(value, decimals);
  return std::string(text.view());
}

}  // namespace

TEST_CASE("overlay text: a time takes the unit that suits it, and never rounds up to a thousand of that") {
  const std::pair<int64_t, const char*> times[] = {{0, "0 ns"},
                                                   {640, "640 ns"},
                                                   {81200, "81.2 us"},
                                                   {16420000, "16.42 ms"},
                                                   {3610000000, "3.61 s"},
                                                   {59990000000, "59.99 s"},
                                                   {125000000000, "2 min 5 s"},
                                                   {-5101200000000000, "-59 d 1 h"},
                                                   {999, "999 ns"},
                                                   {1000, "1.0 us"},
                                                   {999949, "999.9 us"},
                                                   {999950, "1.00 ms"},
                                                   {999994999, "999.99 ms"},
                                                   {999995000, "1.00 s"},
                                                   {59995000000, "1 min 0 s"},
                                                   {3599600000000, "1 h 0 min"},
                                                   {-1500, "-1.5 us"},
                                                   {INT64_MIN, "-106752 d 0 h"},
                                                   {INT64_MAX, "106752 d 0 h"}};
  for (const auto& [ns, text] : times) CHECK(time_text(ns) == text);
}

TEST_CASE("overlay text: times that lie close to each other have digits that tell them apart") {
  struct {
    int64_t ns, apart_ns;
    const char* text;
  } const times[] = {{15080, 20, "15.08 us"},     {15100, 20, "15.10 us"},          {15080, 100, "15.1 us"},
                     {3031234, 10, "3.03123 ms"}, {3031234, 0, "3.031234 ms"},      {3031234, 20000, "3.03 ms"},
                     {640, 1, "640 ns"},          {1500000010, 1000, "1.500000 s"}, {125000000000, 1, "2 min 5 s"}};
  for (const auto& time : times) CHECK(FixedText<64>().add_time(time.ns, time.apart_ns).view() == time.text);
}

TEST_CASE("overlay text: fixed decimals round half up and carry") {
  CHECK(fixed_text(0.005, 2) == "0.01");
  CHECK(fixed_text(9.999, 2) == "10.00");
  CHECK(fixed_text(-0.001, 2) == "0.00");
  CHECK(fixed_text(-2.5, 1) == "-2.5");
  CHECK(fixed_text(7, 0) == "7");
}

TEST_CASE("overlay text: what is not a number is a dash") {
  CHECK(fixed_text(std::numeric_limits<double>::quiet_NaN(), 2) == "-");
  CHECK(fixed_text(std::numeric_limits<double>::infinity(), 2) == "-");
  CHECK(fixed_text(1e30, 2) == "-");
}

TEST_CASE("overlay text: counts are grouped by thousands") {
  const auto grouped = [](uint64_t value) {
    FixedText<40> text;
    text.add_grouped(value);
    return std::string(text.view());
  };
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(UINT64_MAX) == "18,446,744,073,709,551,615");
}

TEST_CASE_FIXTURE(FixedText<64>, "overlay text: signed numbers cover the whole range") {
  add_signed(INT64_MIN).add(' ').add_signed(INT64_MAX);
  CHECK(view() == "-9223372036854775808 9223372036854775807");
}

TEST_CASE_FIXTURE(FixedText<64>, "overlay text: bytes take binary units") {
  add_bytes(1023).add(' ').add_bytes(1536).add(' ').add_bytes(64u << 20).add(' ').add_bytes(uint64_t{3} << 30);
  CHECK(view() == "1023 B 1.5 KiB 64.0 MiB 3.00 GiB");
}

TEST_CASE("overlay text: a full buffer keeps its end and counts what it wanted") {
  char memory[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  TextWriter text(memory, 6);
  text.add("abc").add("defgh");
  CHECK(text.view() == "abcde");
  CHECK(memory[5] == 0);
  CHECK(memory[6] == 1);
  CHECK(text.wanted() == 8);
}

TEST_CASE("overlay text: without memory it only counts") {
  TextWriter text(nullptr, 0);
  text.add("abc").add_unsigned(12);
  CHECK(text.wanted() == 5);
  CHECK(text.view().empty());
}

// ---- Text fit -----------------------------------------------------------------------------------------------------

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
