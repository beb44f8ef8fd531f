// SPDX-License-Identifier: MIT
//
// axis.h: where an axis has its marks: at multiples of 1, 2 or 5 times a power of ten.
#ifndef FLAMELET_TOOLS_AXIS_H
#define FLAMELET_TOOLS_AXIS_H

#include <string>
#include <vector>

namespace flamelet::tools {

struct AxisMark {
  double value;
  std::string text;  // with as many decimals as the distance of the marks needs
};

// The distance of at most `most` + 1 marks in a range.
double axis_step(double range, int most);

// At most `most` + 1 marks within [low, high]. `least_step`: 1 for what is counted, such as frames.
std::vector<AxisMark> axis_marks(double low, double high, int most, double least_step = 0);

// The top of an axis from 0 that shows `high`: the next mark.
double axis_top(double high, int most);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_AXIS_H
