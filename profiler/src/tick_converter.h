// SPDX-License-Identifier: MIT
//
// tick_converter.h: ticks of a clock to nanoseconds since its origin, and back. Integers only, so that the answer is the
// same on every machine, exact for every rate that divides evenly, and never goes backwards.
//
// ns = (ticks - origin) * multiplier / 2^shift in 128 bits. The multiplier is rounded up: the smallest error that keeps
// ns(k ticks) exact where k ticks are a whole number of nanoseconds, for as long as k < 2^shift / 2^30 or so. It has 62
// significant bits where the shift allows, so the error after 292 years, the most that int64_t nanoseconds hold, is
// below 5 ns.
#ifndef FLAMELET_SRC_TICK_CONVERTER_H
#define FLAMELET_SRC_TICK_CONVERTER_H

#include <math.h>
#include <stdint.h>

namespace flamelet {

__extension__ typedef unsigned __int128 Wide;

class TickConverter {
 public:
  TickConverter() : TickConverter(0, 1e9) {}
  // A rate that no clock has (not a number, zero, negative, beyond 10^15) is taken for 10^9.
  TickConverter(uint64_t origin_ticks, double ticks_per_second) : origin_ticks_(origin_ticks) {
    if (!(ticks_per_second >= 1.0 && ticks_per_second <= 1e15)) ticks_per_second = 1e9;
    // The rate is m * 2^e exactly, with an integer m of 53 bits; so multiplier = ceil(10^9 * 2^(shift - e) / m).
    int exponent = 0;
    const uint64_t mantissa = static_cast<uint64_t>(ldexp(frexp(ticks_per_second, &exponent), 53));
    exponent -= 53;
    const auto multiplier = [&](int shift) {
      return ((Wide{1000000000} << (shift - exponent)) + mantissa - 1) / mantissa;
    };
    // The largest shift whose multiplier has 62 bits; 64 at most, so that to_ticks() fits in 128 bits.
    int shift = 64;
    while (shift - exponent > 96 || (multiplier(shift) >> 62) != 0) --shift;
    shift_ = static_cast<uint32_t>(shift);
    multiplier_ = static_cast<uint64_t>(multiplier(shift));
  }

  // Nanoseconds since the origin, rounded towards it; negative before it. Stops at +-INT64_MAX.
  int64_t to_ns(uint64_t ticks) const {
    if (ticks >= origin_ticks_) return magnitude_ns(ticks - origin_ticks_);
    return -magnitude_ns(origin_ticks_ - ticks);
  }

  // The first tick t with to_ns(t) >= ns. Stops at 0 and UINT64_MAX.
  uint64_t to_ticks(int64_t ns) const {
    if (ns > 0) {
      const Wide distance = ((Wide{static_cast<uint64_t>(ns)} << shift_) + multiplier_ - 1) / multiplier_;
      return distance > UINT64_MAX - origin_ticks_ ? UINT64_MAX : origin_ticks_ + static_cast<uint64_t>(distance);
    }
    // The largest distance before the origin whose nanoseconds are still at most -ns.
    const uint64_t magnitude = uint64_t{0} - static_cast<uint64_t>(ns);
    const Wide distance = (((Wide{magnitude} + 1) << shift_) - 1) / multiplier_;
    return distance > origin_ticks_ ? 0 : origin_ticks_ - static_cast<uint64_t>(distance);
  }

 private:
  int64_t magnitude_ns(uint64_t distance) const {
    const Wide ns = (Wide{distance} * multiplier_) >> shift_;
    return ns > INT64_MAX ? INT64_MAX : static_cast<int64_t>(ns);
  }

  uint64_t origin_ticks_;
  uint64_t multiplier_;
  uint32_t shift_;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_TICK_CONVERTER_H
