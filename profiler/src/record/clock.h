// SPDX-License-Identifier: MIT
//
// clock.h: which clock is read, and how fast it runs. The rate of a CPU counter is never taken on trust: it is
// measured against the operating system's monotonic clock, from init on, in the background of calls that come anyway.
#ifndef FLAMELET_SRC_CLOCK_H
#define FLAMELET_SRC_CLOCK_H

#include <math.h>
#include <stdint.h>

#include "flamelet/recorder.h"
#include "platform/atomic.h"

namespace flamelet {

// Wide: unsigned integers of 128 bits. `Wide` is the compiler's own where it has one, and otherwise a class with the
// operators that are used: processors of 32 bits have none, nor has MSVC. Both give the same results to the last bit.

class WideInteger {
 public:
  constexpr WideInteger(uint64_t value = 0) : low_(value) {}
  explicit constexpr operator uint64_t() const { return low_; }

  friend constexpr WideInteger operator+(WideInteger a, WideInteger b) {
    const uint64_t low = a.low_ + b.low_;
    return WideInteger(a.high_ + b.high_ + (low < a.low_), low);
  }
  friend constexpr WideInteger operator-(WideInteger a, WideInteger b) {
    return WideInteger(a.high_ - b.high_ - (a.low_ < b.low_), a.low_ - b.low_);
  }
  friend constexpr WideInteger operator*(WideInteger a, WideInteger b) {
    return product(a.low_, b.low_) + WideInteger(a.high_ * b.low_ + a.low_ * b.high_, 0);
  }
  // As on paper, bit by bit; the divisor is not 0.
  friend constexpr WideInteger operator/(WideInteger a, WideInteger b) {
    WideInteger quotient, rest;
    for (int place = 127; place >= 0; --place) {
      const bool carry = rest.high_ >> 63 != 0;  // a bit that no longer fits, so that b surely does
      rest = (rest << 1) + ((a >> place).low_ & 1);
      quotient = quotient << 1;
      if (!carry && b > rest) continue;
      rest = rest - b;
      quotient = quotient + 1;
    }
    return quotient;
  }
  friend constexpr WideInteger operator%(WideInteger a, WideInteger b) { return a - a / b * b; }
  // By 0 to 127 places.
  friend constexpr WideInteger operator<<(WideInteger a, int places) {
    if (places == 0) return a;
    if (places >= 64) return WideInteger(a.low_ << (places - 64), 0);
    return WideInteger(a.high_ << places | a.low_ >> (64 - places), a.low_ << places);
  }
  friend constexpr WideInteger operator>>(WideInteger a, int places) {
    if (places == 0) return a;
    if (places >= 64) return WideInteger(0, a.high_ >> (places - 64));
    return WideInteger(a.high_ >> places, a.low_ >> places | a.high_ << (64 - places));
  }
  friend constexpr bool operator>(WideInteger a, WideInteger b) {
    return a.high_ > b.high_ || (a.high_ == b.high_ && a.low_ > b.low_);
  }

 private:
  constexpr WideInteger(uint64_t high, uint64_t low) : high_(high), low_(low) {}

  static constexpr WideInteger product(uint64_t a, uint64_t b) {
    constexpr uint64_t kHalf = UINT32_MAX;
    const uint64_t low = (a & kHalf) * (b & kHalf);
    const uint64_t first = (a >> 32) * (b & kHalf) + (low >> 32);
    const uint64_t second = (a & kHalf) * (b >> 32) + (first & kHalf);
    return WideInteger((a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), second << 32 | (low & kHalf));
  }

  uint64_t high_ = 0, low_ = 0;
};

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Wide;
#else
using Wide = WideInteger;
#endif

// Tick converter: ticks of a clock to nanoseconds since its origin, and back. Integers only, so that the answer is the
// same on every machine and never goes backwards.
//
// ns = distance * (10^9 / rate), with the factor as a fixed-point number of 64 binary places, rounded up. The error
// after any distance is below 1 ns, and a distance that is a whole number of nanoseconds gives just that number.

// `Wide` holds 128 bits; the tests also take the one that this processor would not.
template <typename Wide>
class BasicTickConverter {
 public:
  // 73 years. Far below INT64_MAX, so that nobody who subtracts two times has to think of overflow.
  static constexpr int64_t kMostNs = int64_t{1} << 61;

  BasicTickConverter() : BasicTickConverter(0, 1e9) {}
  // A rate that no clock has (not a number, below 1, above 10^15) is taken for 10^9.
  BasicTickConverter(uint64_t origin_ticks, double ticks_per_second) : origin_ticks_(origin_ticks) {
    if (!(ticks_per_second >= 1.0 && ticks_per_second <= 1e15)) ticks_per_second = 1e9;
    // The rate is integer * 2^-places exactly, with an integer of 53 bits and 3 to 52 places.
    int exponent = 0;
    const uint64_t integer = static_cast<uint64_t>(ldexp(frexp(ticks_per_second, &exponent), 53));
    const Wide dividend = Wide{1000000000} << (53 - exponent);
    factor_ = ((dividend / integer) << 64) + (((dividend % integer) << 64) + integer - 1) / integer;
    const Wide farthest = (Wide{static_cast<uint64_t>(kMostNs)} << 64) / factor_;
    farthest_ = farthest > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(farthest);
  }

  // Nanoseconds since the origin, rounded towards it; negative before it. Stops at +-kMostNs.
  int64_t to_ns(uint64_t ticks) const {
    return ticks >= origin_ticks_ ? magnitude_ns(ticks - origin_ticks_) : -magnitude_ns(origin_ticks_ - ticks);
  }

  // The first tick t with to_ns(t) >= ns. Stops at 0 and UINT64_MAX.
  uint64_t to_ticks(int64_t ns) const {
    if (ns > kMostNs) return UINT64_MAX;
    if (ns <= -kMostNs) return 0;
    if (ns > 0) {
      const Wide distance = ((Wide{static_cast<uint64_t>(ns)} << 64) + factor_ - 1) / factor_;
      return distance > UINT64_MAX - origin_ticks_ ? UINT64_MAX : origin_ticks_ + static_cast<uint64_t>(distance);
    }
    // The largest distance before the origin whose nanoseconds are still at most -ns.
    const uint64_t magnitude = uint64_t{0} - static_cast<uint64_t>(ns);
    const Wide distance = (((Wide{magnitude} + 1) << 64) - 1) / factor_;
    return distance > origin_ticks_ ? 0 : origin_ticks_ - static_cast<uint64_t>(distance);
  }

 private:
  int64_t magnitude_ns(uint64_t distance) const {
    if (distance > farthest_) return kMostNs;
    const uint64_t whole = static_cast<uint64_t>(factor_ >> 64);
    const uint64_t fraction = static_cast<uint64_t>(factor_);
    return static_cast<int64_t>(distance * whole + static_cast<uint64_t>((Wide{distance} * fraction) >> 64));
  }

  uint64_t origin_ticks_;
  uint64_t farthest_;  // distance whose nanoseconds fit
  Wide factor_;
};

using TickConverter = BasicTickConverter<Wide>;

class Clock {
 public:
  void start(const flamelet_config& config);

  // Any thread.
  uint64_t now_ticks() const;
  flamelet_clock_kind kind() const { return kind_; }
  // True if the inlined record path reads this clock.
  bool is_inline() const { return kind_ == FLAMELET_CLOCK_TSC || kind_ == FLAMELET_CLOCK_CNTVCT; }

  // Measures the rate once more unless it is final, each time from twice as far as the time before. So a rate is never
  // older than half the session, and most calls only read the clock. Any thread.
  void calibrate();
  // Both calibrate first: nobody gets a rate that was never measured.
  flamelet_clock info();
  double ticks_per_second();

  // This clock and os_clock_ns(), at one moment.
  struct Pair {
    uint64_t ticks;
    uint64_t os_ns;
  };
  Pair read_pair() const;

 private:
  flamelet_clock_kind kind_ = FLAMELET_CLOCK_NONE;
  flamelet_clock_function function_ = nullptr;
  void* user_ = nullptr;
  uint64_t latest_ticks_ = 0;  // an injected clock that says more went back beyond its zero
  Pair origin_ = {0, 0};
  uint64_t origin_unix_ns_ = 0;
  Atomic<uint64_t> rate_bits_;  // the double's
  Atomic<uint64_t> next_at_;    // ticks since the origin at which the rate is measured again
  Atomic<bool> final_;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_CLOCK_H
