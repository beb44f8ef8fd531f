// SPDX-License-Identifier: MIT
//
// Both ways to read and write numbers with a fraction: the one of this build, and the one of C libraries.
#include "platform/number_text.h"

#include <doctest/doctest.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "support/comma_locale.h"

namespace by_c_library {
#include "platform/without_charconv/number_text.cpp"
}

namespace {

using Write = char* (*)(char*, char*, double);
using WriteFixed = char* (*)(char*, char*, double, int);
using Read = bool (*)(const char*, size_t, double*);

struct Way {
  Write write;
  WriteFixed write_fixed, write_general;
  Read read;
};
constexpr Way kWays[] = {
    {flamelet::write_double, flamelet::write_fixed, flamelet::write_general, flamelet::read_double},
    {by_c_library::flamelet::write_double, by_c_library::flamelet::write_fixed, by_c_library::flamelet::write_general,
     by_c_library::flamelet::read_double}};

std::string written(const Way& way, double value) {
  char text[32];
  char* const end = way.write(text, text + sizeof text, value);
  return end == nullptr ? "" : std::string(text, static_cast<size_t>(end - text));
}

std::string by(WriteFixed write, double value, int digits) {
  char text[400];
  char* const end = write(text, text + sizeof text, value, digits);
  return end == nullptr ? "" : std::string(text, static_cast<size_t>(end - text));
}

std::string fixed(const Way& way, double value, int decimals) {
  return by(way.write_fixed, value, decimals);
}

}  // namespace

TEST_CASE("number text: a double that is written is read back as the same") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    for (const Way& way : kWays) {
      const std::string text = written(way, value);
      double back = 0;
      CHECK(way.read(text.data(), text.size(), &back));
      CHECK(back == value);
    }
    if (std::fabs(value) < 1e300) CHECK(fixed(kWays[0], value, 3) == fixed(kWays[1], value, 3));
  }
  for (const double value : {0.0, 0.1, 0.5, 1.5, 2.5, 1.0 / 3, 1e15, 123456.789, -99.995})
    for (int decimals = 0; decimals < 4; ++decimals)
      CHECK(fixed(kWays[0], value, decimals) == fixed(kWays[1], value, decimals));
}

TEST_CASE("number text: both ways refuse the same texts, and read the same numbers") {
  for (const char* text : {"", "-", "+1", " 1", "1 ", "0x10", "1e", "1.5.2", "e5", "abc", "1,5", "--1"}) {
    CAPTURE(text);
    double value = 7;
    for (const Way& way : kWays) CHECK_FALSE(way.read(text, strlen(text), &value));
    CHECK(value == 7);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const struct {
    const char* text;
    double value;
  } kGood[] = {{"0", 0},
               {"-0.5", -0.5},
               {"1e3", 1000},
               {"1e400", infinity},
               {"-1e400", -infinity},
               {"1e-400", 0},
               {"0.1", 0.1},
               {"12345678901234567890", 12345678901234567890.0}};
  for (const auto& good : kGood) {
    CAPTURE(good.text);
    for (const Way& way : kWays) {
      double value = 7;
      CHECK(way.read(good.text, strlen(good.text), &value));
      CHECK(value == good.value);
    }
  }
}

TEST_CASE("number text: what does not fit is not written") {
  char text[4];
  for (const Way& way : kWays) {
    CHECK(way.write(text, text + sizeof text, 0.123456) == nullptr);
    CHECK(way.write_fixed(text, text + sizeof text, 123456, 0) == nullptr);
  }
}

TEST_CASE("number text: a point is written and read, also where the C library has a comma") {
  const struct {
    double value;
    const char *shortest, *fixed, *general;
  } kNumbers[] = {{0, "0", "0.0", "0"},
                  {-0.5, "-0.5", "-0.5", "-0.5"},
                  {1234.5678, "1234.5678", "1234.6", "1234.57"},
                  {1234567.25, "1234567.25", "1234567.2", "1.23457e+06"},
                  {0.000012345, "1.2345e-05", "0.0", "1.2345e-05"}};
  const auto check = [&] {
    for (const auto& number : kNumbers)
      for (const Way& way : kWays) {
        CHECK(written(way, number.value) == number.shortest);
        CHECK(fixed(way, number.value, 1) == number.fixed);
        CHECK(by(way.write_general, number.value, 6) == number.general);
        double back = 7;
        CHECK(way.read(number.shortest, strlen(number.shortest), &back));
        CHECK(back == number.value);
        CHECK_FALSE(way.read("1,5", 3, &back));
      }
  };
  check();
  const flamelet::tests::CommaLocale commas;
  if (commas.is_there()) check();
}
