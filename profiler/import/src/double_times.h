// SPDX-License-Identifier: MIT
//
// double_times.h: times that a program had as doubles of microseconds. Since 1970, two neighbours are 0.25 µs apart, so what
// began and ended at one time may not, as the file has it.
#ifndef FLAMELET_IMPORT_SRC_DOUBLE_TIMES_H
#define FLAMELET_IMPORT_SRC_DOUBLE_TIMES_H

#include <cmath>
#include <cstdint>

namespace flamelet::formats {

// Between two neighbours of this size, if that is more than a nanosecond.
inline int64_t double_grain_ns(int64_t at_ns) {
  const double us = std::fabs(static_cast<double>(at_ns) / 1000);
  const double grain_ns = (std::nextafter(us, HUGE_VAL) - us) * 1000;
  return grain_ns >= 2 ? static_cast<int64_t>(grain_ns) : 1;
}

// Whether a double is written as this time: with all decimal places, as by printf(), or in the 17 digits that tell it from its
// neighbours, as by Python and JavaScript: 0.25 is 0.2 then.
inline bool is_double_time(int64_t at_ns) {
  const int64_t whole_us = at_ns / 1000;
  const auto rest_ns = static_cast<double>(at_ns % 1000);
  const double us = static_cast<double>(whole_us) + rest_ns / 1000;
  const double rest_us = us - static_cast<double>(whole_us);
  double tens = 1e17;  // decimal places that are left of the 17 digits
  for (int64_t left = whole_us; left != 0; left /= 10) tens /= 10;
  return std::fabs(rest_us * 1000 - rest_ns) < 0.75 ||
         std::fabs(std::nearbyint(rest_us * tens) / tens * 1000 - rest_ns) < 0.75;
}

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_DOUBLE_TIMES_H
