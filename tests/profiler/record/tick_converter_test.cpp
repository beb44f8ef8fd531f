// SPDX-License-Identifier: MIT
#include "record/clock.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>

namespace flamelet {
namespace {

const double kRates[] = {1,   10,    1000, 32768,          1e6,  1e7, 19.2e6, 1e9 / 3, 999999999.5,
                         1e9, 2.3e9, 3e9,  3.1415926535e9, 1e12, 1e15};

}  // namespace

TEST_CASE("a distance of whole nanoseconds converts exactly") {
  CHECK(TickConverter(0, 1e9).to_ns(uint64_t{1} << 60) == int64_t{1} << 60);
  CHECK(TickConverter(0, 1e6).to_ns(123456789) == 123456789000);
  CHECK(TickConverter(0, 1).to_ns(2000000000) == 2000000000000000000);
  const TickConverter three_to_one(500, 3e9);
  for (uint64_t ns = 0; ns < 100000; ++ns) REQUIRE(three_to_one.to_ns(500 + 3 * ns) == static_cast<int64_t>(ns));
  CHECK(three_to_one.to_ns(500 + 3 * uint64_t{3600000000000}) == 3600000000000);
}

TEST_CASE("a fraction of a nanosecond is rounded towards the origin") {
  const TickConverter converter(1000, 3e9);
  CHECK(converter.to_ns(1002) == 0);
  CHECK(converter.to_ns(1003) == 1);
  CHECK(converter.to_ns(998) == 0);
  CHECK(converter.to_ns(997) == -1);
  CHECK(converter.to_ns(0) == -333);
}

TEST_CASE("no error builds up over decades") {
  const double rate = 2.3e9;
  const uint64_t seconds = 2000000000;  // 63 years
  CHECK(TickConverter(0, rate).to_ns(seconds * 2300000000u) == static_cast<int64_t>(seconds * 1000000000));
  CHECK(TickConverter(0, 1e9).to_ns(TickConverter::kMostNs) == TickConverter::kMostNs);
}

TEST_CASE("time never goes backwards, whatever the rate") {
  std::mt19937_64 random(1);
  for (double rate : kRates) {
    CAPTURE(rate);
    const TickConverter converter(uint64_t{1} << 40, rate);
    for (int i = 0; i < 2000; ++i) {
      const uint64_t ticks = random() >> (random() % 64);
      const uint64_t later = ticks + (random() % 5);
      if (later >= ticks) REQUIRE(converter.to_ns(later) >= converter.to_ns(ticks));
    }
  }
}

TEST_CASE("to_ticks finds the first tick of a nanosecond") {
  std::mt19937_64 random(2);
  for (double rate : kRates) {
    CAPTURE(rate);
    const TickConverter converter(uint64_t{1} << 50, rate);
    for (int i = 0; i < 2000; ++i) {
      const int64_t ns = static_cast<int64_t>(random() >> (24 + random() % 40)) * (i % 2 ? 1 : -1);
      const uint64_t ticks = converter.to_ticks(ns);
      CAPTURE(ns);
      if (ticks != UINT64_MAX) REQUIRE(converter.to_ns(ticks) >= ns);
      if (ticks != 0) REQUIRE(converter.to_ns(ticks - 1) < ns);
    }
  }
}

TEST_CASE("times that no tick has stop at the ends") {
  const TickConverter slow(10, 1);
  CHECK(slow.to_ns(UINT64_MAX) == TickConverter::kMostNs);
  CHECK(slow.to_ticks(INT64_MIN) == 0);
  CHECK(slow.to_ticks(TickConverter::kMostNs) < UINT64_MAX);
  CHECK(slow.to_ticks(TickConverter::kMostNs + 1) == UINT64_MAX);
  const TickConverter fast(10, 1e15);
  CHECK(fast.to_ticks(INT64_MAX) == UINT64_MAX);
  CHECK(fast.to_ticks(INT64_MIN) == 0);
  const TickConverter late(UINT64_MAX, 1);
  CHECK(late.to_ns(0) == -TickConverter::kMostNs);
  CHECK(late.to_ticks(-TickConverter::kMostNs) == 0);
}

#ifdef __SIZEOF_INT128__
TEST_CASE("a processor without integers of 128 bits gives the same times to the last bit" *
          doctest::test_suite("gate")) {
  std::mt19937_64 random(3);
  const auto number = [&] { return random() >> (random() % 64); };
  for (int i = 0; i < 2000; ++i) {
    const double rate = i < 15 ? kRates[i] : std::ldexp(1 + static_cast<double>(random() >> 11) * 0x1p-53, i % 50);
    CAPTURE(rate);
    const uint64_t origin = number();
    const BasicTickConverter<Wide> one(origin, rate);
    const BasicTickConverter<WideInteger> other(origin, rate);
    for (int j = 0; j < 30; ++j) {
      const uint64_t ticks = j % 2 ? origin + number() : origin - number();
      const int64_t ns = j % 3 ? static_cast<int64_t>(number()) : one.to_ns(ticks) + j % 5 - 2;
      CAPTURE(ticks);
      CAPTURE(ns);
      REQUIRE(other.to_ns(ticks) == one.to_ns(ticks));
      REQUIRE(other.to_ticks(ns) == one.to_ticks(ns));
    }
  }
}

TEST_CASE("integers of 128 bits by hand calculate as the compiler's own" * doctest::test_suite("gate")) {
  std::mt19937_64 random(4);
  const auto number = [&] { return random() >> (random() % 64); };
  for (int i = 0; i < 20000; ++i) {
    const uint64_t halves[] = {i % 3 ? number() : 0, number(), i % 5 ? number() : 0, number() | 1};
    const Wide a = Wide{halves[0]} << 64 | halves[1], b = Wide{halves[2]} << 64 | halves[3];
    const WideInteger hand_a = (WideInteger{halves[0]} << 64) + halves[1];
    const WideInteger hand_b = (WideInteger{halves[2]} << 64) + halves[3];
    const int places = i % 128;
    const auto same = [](WideInteger hand, Wide own) {
      return static_cast<uint64_t>(hand) == static_cast<uint64_t>(own) &&
             static_cast<uint64_t>(hand >> 64) == static_cast<uint64_t>(own >> 64);
    };
    CAPTURE(i);
    REQUIRE(same(hand_a + hand_b, a + b));
    REQUIRE(same(hand_a - hand_b, a - b));
    REQUIRE(same(hand_a * hand_b, a * b));
    REQUIRE(same(hand_a / hand_b, a / b));
    REQUIRE(same(hand_a % hand_b, a % b));
    REQUIRE(same(hand_a << places, a << places));
    REQUIRE(same(hand_a >> places, a >> places));
    REQUIRE((hand_a > hand_b) == (a > b));
  }
}
#endif

TEST_CASE("a rate that no clock has is taken for nanoseconds") {
  for (double rate :
       {0.0, -1.0, 0.5, 1e16, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK(TickConverter(0, rate).to_ns(7) == 7);
}

}  // namespace flamelet
