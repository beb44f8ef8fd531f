// SPDX-License-Identifier: MIT
//
// detail/sums.h: sums of durations. C++, and no part of the interface.
#ifndef FLAMELET_DETAIL_SUMS_H
#define FLAMELET_DETAIL_SUMS_H

#include <stdint.h>

namespace flamelet {

// A duration has at most 146 years, so a few of them are more than an int64_t holds: a sum stops at its ends.
constexpr int64_t add_saturating(int64_t a, int64_t b) {
  if (b > 0) return a > INT64_MAX - b ? INT64_MAX : a + b;
  return a < INT64_MIN - b ? INT64_MIN : a + b;
}

}  // namespace flamelet

#endif  // FLAMELET_DETAIL_SUMS_H
