// SPDX-License-Identifier: MIT
//
// detail/sums.h: sums of durations, bits of a number, search among numbers. C++, and no part of the interface.
#ifndef FLAMELET_DETAIL_SUMS_H
#define FLAMELET_DETAIL_SUMS_H

#include <stdint.h>

namespace flamelet {

// A duration has at most 146 years, so a few of them are more than an int64_t holds: a sum stops at its ends.
constexpr int64_t add_saturating(int64_t a, int64_t b) {
  if (b > 0) return a > INT64_MAX - b ? INT64_MAX : a + b;
  return a < INT64_MIN - b ? INT64_MIN : a + b;
}

// The place of the highest bit of a number, which is not 0.
inline uint32_t highest_bit(uint64_t number) {
  return 63 - static_cast<uint32_t>(__builtin_clzll(number));
}

// The first of the numbers in [low, high) that is not `before` what is looked for; `high` if all are.
template <typename Number, typename Before>
Number first_not(Number low, Number high, Before before) {
  while (low < high) {
    const Number middle = low + (high - low) / 2;
    if (before(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace flamelet

#endif  // FLAMELET_DETAIL_SUMS_H
