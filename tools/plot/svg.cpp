// SPDX-License-Identifier: MIT
#include "svg.h"

#include <algorithm>

#include "display_text.h"

namespace flamelet::tools {
std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string svg_number(double value) {
  std::string text = fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

size_t svg_fitting(double width) {
  return static_cast<size_t>(std::max(width, 0.0) / kSvgCharacter);
}

Svg::Svg(double height) {
  text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + svg_number(kSvgWidth) + "\" height=\"" +
          svg_number(height) + "\" viewBox=\"0 0 " + svg_number(kSvgWidth) + " " + svg_number(height) +
          "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"" + svg_number(kSvgFont) +
          "\">\n";
  rectangle(0, 0, kSvgWidth, height, "fill=\"#ffffff\"");
}

void Svg::rectangle(double x, double y, double width, double height, const std::string& style) {
  text_ += "<rect x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" width=\"" + svg_number(width) +
           "\" height=\"" + svg_number(height) + "\" " + style + "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& style) {
  text_ += "<line x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) + "\" x2=\"" + svg_number(x2) + "\" y2=\"" +
           svg_number(y2) + "\" " + style + "/>\n";
}

void Svg::label(double x, double y, const std::string& text, Anchor anchor, const std::string& style,
                const std::string& full) {
  static const char* const kAnchors[] = {"start", "middle", "end"};
  text_ += "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" text-anchor=\"" +
           kAnchors[static_cast<size_t>(anchor)] + "\" " + style + ">" + xml_text(text);
  if (!full.empty() && full != text) text_ += "<title>" + xml_text(full) + "</title>";
  text_ += "</text>\n";
}

void Svg::shape(const char* element, const std::string& points, const std::string& style) {
  text_ += std::string("<") + element + " points=\"" + points + "\" " + style + "/>\n";
}

void Svg::title(const std::string& text) {
  label(kSvgMargin, kSvgMargin + 12, cut_to(text, svg_fitting((kSvgWidth - 2 * kSvgMargin) * 0.8)), Anchor::kStart,
        "font-size=\"15\"", text);
}

void draw_x_axis(Svg* svg, const std::vector<AxisMark>& marks, const SvgScale& x, double top, double y,
                 const std::string& unit) {
  const double unit_begin = x.to - kSvgCharacter * static_cast<double>(column_count(unit) + 1);
  for (const AxisMark& mark : marks) {
    svg->line(x(mark.value), top, x(mark.value), y + 4, kSvgGrid);
    const double half = kSvgCharacter * static_cast<double>(mark.text.size()) / 2;
    if (x(mark.value) + half < unit_begin)
      svg->label(x(mark.value), y + 4 + kSvgFont, mark.text, Svg::Anchor::kMiddle, kSvgQuiet);
  }
  svg->line(x.from, y, x.to, y, kSvgAxis);
  svg->label(x.to, y + 4 + kSvgFont, unit, Svg::Anchor::kEnd, kSvgQuiet);
}

}  // namespace flamelet::tools
