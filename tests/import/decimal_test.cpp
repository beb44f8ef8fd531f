// SPDX-License-Identifier: MIT
#include "importer.h"

#include <doctest/doctest.h>

using flamelet::formats::parse_decimal;
using flamelet::formats::plain_number;

namespace {
int64_t ns(const char* us) {
  int64_t value = -1;
  REQUIRE(parse_decimal(us, 3, &value));
  return value;
}
bool is_refused(const char* text) {
  int64_t value = 0;
  return !parse_decimal(text, 3, &value);
}
}  // namespace

TEST_CASE("decimal: microseconds become nanoseconds without a loss") {
  CHECK(ns("0") == 0);
  CHECK(ns("-0.0") == 0);
  CHECK(ns("1.5") == 1500);
  CHECK(ns("-12.345") == -12345);
  CHECK(ns("9007199254740992.999") == 9007199254740992999);
  CHECK(ns("1700000000123456.789") == 1700000000123456789);
  CHECK(ns("1.25e3") == 1250000);
  CHECK(ns("25E-1") == 2500);
}

TEST_CASE("decimal: what is finer than a nanosecond is rounded") {
  CHECK(ns("0.0010000000000000009") == 1);
  CHECK(ns("0.00149999999999999999999999") == 1);
  CHECK(ns("0.0015") == 2);
  CHECK(ns("-0.0015") == -2);
  CHECK(ns("1.50000000000000000000000000000") == 1500);
  CHECK(ns("18446744073709551615e-20") == 184);
  CHECK(ns("1e-400") == 0);
}

TEST_CASE("decimal: what is too large stops at the limits") {
  CHECK(ns("1e400") == INT64_MAX);
  CHECK(ns("-1e400") == -INT64_MAX);
  CHECK(ns("99999999999999999999999999") == INT64_MAX);
  CHECK(ns("0e999999999999999999999") == 0);
}

TEST_CASE("decimal: what is no number is refused") {
  for (const char* text : {"", "-", ".", "NaN", "Infinity", "1.2.3", "1e", "1e+", "0x10", "12 ", "null", "--1"})
    CHECK(is_refused(text));
}

TEST_CASE("decimal: equal numbers have one text") {
  constexpr struct {
    const char *text, *plain;
  } kCases[] = {{"1", "1"},
                {"1.0", "1"},
                {"1e0", "1"},
                {"10E-1", "1"},
                {"0.1e+1", "1"},
                {"0", "0"},
                {"-0.0", "0"},
                {"0e99", "0"},
                {"-12.50", "-12.5"},
                {"125e-1", "12.5"},
                {"100", "100"},
                {"1e2", "100"},
                {"0.05", "0.05"},
                {"5e-2", "0.05"},
                {"1e400", "1e400"},
                {"10e399", "1e400"},
                {"1e-400", "1e-400"},
                {"18446744073709551615", "18446744073709551615"},
                {"", ""},
                {"-", "-"},
                {"0x10", "0x10"},
                {"1e", "1e"},
                {"1.2.3", "1.2.3"}};
  for (const auto& of : kCases) {
    CAPTURE(of.text);
    CHECK(plain_number(of.text) == of.plain);
  }
}
