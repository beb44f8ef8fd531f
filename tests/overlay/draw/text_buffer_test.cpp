// SPDX-License-Identifier: MIT
#include "draw/text.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using flamelet::ui::FixedText;
using flamelet::ui::TextWriter;

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

TEST_CASE("overlay text: a time takes the unit that suits it") {
  CHECK(time_text(0) == "0 ns");
  CHECK(time_text(640) == "640 ns");
  CHECK(time_text(81200) == "81.2 us");
  CHECK(time_text(16420000) == "16.42 ms");
  CHECK(time_text(3610000000) == "3.61 s");
}

TEST_CASE("overlay text: a time never rounds up to a thousand of its unit") {
  CHECK(time_text(999) == "999 ns");
  CHECK(time_text(1000) == "1.0 us");
  CHECK(time_text(999949) == "999.9 us");
  CHECK(time_text(999950) == "1.00 ms");
  CHECK(time_text(999994999) == "999.99 ms");
  CHECK(time_text(999995000) == "1.00 s");
}

TEST_CASE("overlay text: negative and extreme times are written") {
  CHECK(time_text(-1500) == "-1.5 us");
  CHECK(time_text(INT64_MIN) == "-9223372036.85 s");
  CHECK(time_text(INT64_MAX) == "9223372036.85 s");
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

TEST_CASE("overlay text: signed numbers cover the whole range") {
  FixedText<64> text;
  text.add_signed(INT64_MIN).add(' ').add_signed(INT64_MAX);
  CHECK(text.view() == "-9223372036854775808 9223372036854775807");
}

TEST_CASE("overlay text: bytes take binary units") {
  FixedText<64> text;
  text.add_bytes(1023).add(' ').add_bytes(1536).add(' ').add_bytes(64u << 20).add(' ').add_bytes(uint64_t{3} << 30);
  CHECK(text.view() == "1023 B 1.5 KiB 64.0 MiB 3.00 GiB");
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
