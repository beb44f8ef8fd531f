// SPDX-License-Identifier: MIT
//
// tick_converter.h: ticks of a clock to nanoseconds since its origin, and back. Integers only, so that the answer is the
// same on every machine and never goes backwards.
//
// ns = distance * (10^9 / rate), with the factor as a fixed-point number of 64 binary places, rounded up. The error
// after any distance is below 1 ns, and a distance that is a whole number of nanoseconds gives just that number.
#ifndef FLAMELET_SRC_TICK_CONVERTER_H
#define FLAMELET_SRC_TICK_CONVERTER_H

#include <math.h>
#include <stdint.h>

#include "record/wide.h"

namespace flamelet {

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

}  // namespace flamelet

#endif  // FLAMELET_SRC_TICK_CONVERTER_H
