// SPDX-License-Identifier: MIT
#include "axis.h"

#include <algorithm>
#include <cmath>

#include "display_text.h"

namespace flamelet::tools {
double axis_step(double range, int most) {
  const double least = range / std::max(most, 1);
  if (!(least > 0) || !std::isfinite(least)) return 1;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<AxisMark> axis_marks(double low, double high, int most, double least_step) {
  std::vector<AxisMark> marks;
  const double step = std::max(axis_step(high - low, most), least_step);
  const int decimals = static_cast<int>(std::clamp(-std::floor(std::log10(step) + 1e-9), 0.0, 9.0));
  // By number: a sum of steps would miss the last one.
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= most + 1; ++i) {
    const double value = (first + i) * step;
    if (value > high + step * 1e-6) break;
    marks.push_back({value, fixed(value == 0 ? 0 : value, decimals)});
  }
  return marks;
}

double axis_top(double high, int most) {
  if (!(high > 0)) return 1;
  const double step = axis_step(high, most);
  return std::ceil(high / step - 1e-9) * step;
}

}  // namespace flamelet::tools
