// SPDX-License-Identifier: MIT
//
// svg.h: what the SVG plots are drawn with.
#ifndef FLAMELET_TOOLS_SVG_H
#define FLAMELET_TOOLS_SVG_H

#include <string>
#include <string_view>
#include <vector>

#include "axis.h"

namespace flamelet::tools {

constexpr double kSvgWidth = 1000;
constexpr double kSvgMargin = 16;
constexpr double kSvgFont = 12;
// For a sans-serif font, on the safe side: what a label takes is not known before a viewer has chosen the font.
constexpr double kSvgCharacter = 0.6 * kSvgFont;

constexpr const char* kSvgGrid = "stroke=\"#dddddd\" stroke-width=\"1\"";
constexpr const char* kSvgAxis = "stroke=\"#888888\" stroke-width=\"1\"";
constexpr const char* kSvgQuiet = "fill=\"#666666\"";

std::string svg_number(double value);

// Text inside of an element or of an attribute of XML or HTML.
std::string xml_text(std::string_view text);

// How many characters surely fit.
size_t svg_fitting(double width);

class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };

  explicit Svg(double height);
  void rectangle(double x, double y, double width, double height, const std::string& style);
  void line(double x1, double y1, double x2, double y2, const std::string& style);
  // `full` is shown when the mouse is over a label that was cut.
  void label(double x, double y, const std::string& text, Anchor anchor, const std::string& style = "",
             const std::string& full = "");
  // Points as "x,y x,y ...".
  void shape(const char* element, const std::string& points, const std::string& style);
  // In the first line of a plot.
  void title(const std::string& text);
  std::string finish() { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

// A scale from [low, high] to [from, to].
struct SvgScale {
  double low, high, from, to;
  double operator()(double value) const {
    return high > low ? from + (value - low) / (high - low) * (to - from) : (from + to) / 2;
  }
};

// Marks with labels below y, and lines of the grid up to `top`. Labels keep clear of the unit at the right end.
void draw_x_axis(Svg* svg, const std::vector<AxisMark>& marks, const SvgScale& x, double top, double y,
                 const std::string& unit);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_SVG_H
