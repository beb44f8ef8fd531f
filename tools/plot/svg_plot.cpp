// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>

#include "axis.h"
#include "display_text.h"
#include "plot.h"

namespace flamelet::tools {
namespace {

constexpr double kWidth = 1000;
constexpr double kMargin = 16;
constexpr double kFont = 12;
// Of a sans-serif font, on the safe side: what a label takes is not known before a viewer has chosen the font.
constexpr double kCharacter = 0.6 * kFont;

const char* const kColors[] = {"#2166ac", "#b35806", "#1b7837", "#762a83", "#8c510a", "#01665e", "#c51b7d", "#4d4d4d"};

std::string escaped(std::string_view text) {
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

std::string number(double value) {
  std::string text = fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

size_t fitting(double width) {
  return static_cast<size_t>(std::max(width, 0.0) / kCharacter);
}

class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };

  explicit Svg(double height) {
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(kWidth) + "\" height=\"" + number(height) +
            "\" viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
            "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"" + number(kFont) + "\">\n";
    rectangle(0, 0, kWidth, height, "fill=\"#ffffff\"");
  }
  void rectangle(double x, double y, double width, double height, const std::string& style) {
    text_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\"" +
             number(height) + "\" " + style + "/>\n";
  }
  void line(double x1, double y1, double x2, double y2, const std::string& style) {
    text_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
             "\" " + style + "/>\n";
  }
  // `full` is shown when the mouse is over a label that was cut.
  void label(double x, double y, const std::string& text, Anchor anchor, const std::string& style = "",
             const std::string& full = "") {
    static const char* const kAnchors[] = {"start", "middle", "end"};
    text_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" +
             kAnchors[static_cast<size_t>(anchor)] + "\" " + style + ">" + escaped(text);
    if (!full.empty() && full != text) text_ += "<title>" + escaped(full) + "</title>";
    text_ += "</text>\n";
  }
  // Points as "x,y x,y ...".
  void shape(const char* element, const std::string& points, const std::string& style) {
    text_ += std::string("<") + element + " points=\"" + points + "\" " + style + "/>\n";
  }
  std::string finish() { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

const std::string kGrid = "stroke=\"#dddddd\" stroke-width=\"1\"";
const std::string kAxis = "stroke=\"#888888\" stroke-width=\"1\"";
const std::string kQuiet = "fill=\"#666666\"";

std::string point_text(double x, double y) {
  return number(x) + "," + number(y) + " ";
}

// A scale from [low, high] to [from, to].
struct Scale {
  double low, high, from, to;
  double operator()(double value) const {
    return high > low ? from + (value - low) / (high - low) * (to - from) : (from + to) / 2;
  }
};

// Marks with labels below y, and lines of the grid up to `top`. Labels keep clear of the unit at the right end.
void draw_x_axis(Svg* svg, const std::vector<AxisMark>& marks, const Scale& x, double top, double y,
                 const std::string& unit) {
  const double unit_begin = x.to - kCharacter * static_cast<double>(character_count(unit) + 1);
  for (const AxisMark& mark : marks) {
    svg->line(x(mark.value), top, x(mark.value), y + 4, kGrid);
    const double half = kCharacter * static_cast<double>(mark.text.size()) / 2;
    if (x(mark.value) + half < unit_begin)
      svg->label(x(mark.value), y + 4 + kFont, mark.text, Svg::Anchor::kMiddle, kQuiet);
  }
  svg->line(x.from, y, x.to, y, kAxis);
  svg->label(x.to, y + 4 + kFont, unit, Svg::Anchor::kEnd, kQuiet);
}

void draw_panel(Svg* svg, const CostPlot& plot, const CostPanel& panel, const char* color, double top) {
  constexpr double kLeft = kMargin + 70;
  constexpr double kHeight = 110;
  const double plot_top = top + 2 * kFont + 14;
  const double bottom = plot_top + kHeight;
  double high_ns = panel.bound_ns;
  for (const CostPoint& point : panel.points) high_ns = std::max(high_ns, point.high_ns);
  const TimeUnit unit = unit_for(high_ns);
  const double y_top = axis_top(high_ns / unit.ns, 4);
  const Scale x = {static_cast<double>(plot.first_frame), static_cast<double>(plot.last_frame), kLeft + 6,
                   kWidth - kMargin - 6};
  const Scale y = {0, y_top, bottom, plot_top};

  svg->label(kMargin, top + kFont, cut_to(panel.name, fitting(kWidth - 2 * kMargin)), Svg::Anchor::kStart,
             "font-weight=\"bold\"", panel.name);
  svg->label(kMargin, top + 2 * kFont + 4, cut_to(panel.note, fitting(kWidth - 2 * kMargin)), Svg::Anchor::kStart,
             kQuiet);
  for (const AxisMark& mark : axis_marks(0, y_top, 4)) {
    svg->line(kLeft, y(mark.value), kWidth - kMargin, y(mark.value), kGrid);
    svg->label(kLeft - 6, y(mark.value) + kFont / 3, mark.text + " " + unit.name, Svg::Anchor::kEnd, kQuiet);
  }
  draw_x_axis(svg, axis_marks(x.low, x.high, 12, 1), x, plot_top, bottom, "frame");

  // Where frames stand together, a band from the fastest to the slowest.
  const auto place = [](const CostPoint& point) {
    return static_cast<double>(point.first_frame) + static_cast<double>(point.last_frame - point.first_frame) / 2;
  };
  const bool has_band = std::any_of(panel.points.begin(), panel.points.end(),
                                    [](const CostPoint& point) { return point.first_frame != point.last_frame; });
  if (has_band) {
    std::string band, back;
    for (const CostPoint& point : panel.points) {
      band += point_text(x(place(point)), y(point.high_ns / unit.ns));
      back = point_text(x(place(point)), y(point.low_ns / unit.ns)) + back;
    }
    svg->shape("polygon", band + back, std::string("fill=\"") + color + "\" fill-opacity=\"0.25\"");
  }
  std::string points;
  for (const CostPoint& point : panel.points) points += point_text(x(place(point)), y(point.mean_ns / unit.ns));
  svg->shape("polyline", points,
             std::string("fill=\"none\" stroke-width=\"1.2\" stroke-linejoin=\"round\" stroke=\"") + color + "\"");
  if (panel.points.size() <= 120) {
    for (const CostPoint& point : panel.points)
      svg->rectangle(x(place(point)) - 2, y(point.mean_ns / unit.ns) - 2, 4, 4,
                     std::string("rx=\"2\" fill=\"") + color + "\"");
  }
  svg->line(kLeft, y(panel.mean_ns / unit.ns), kWidth - kMargin, y(panel.mean_ns / unit.ns),
            std::string("stroke-dasharray=\"2 4\" stroke=\"") + color + "\"");
  if (panel.bound_ns > 0)
    svg->line(kLeft, y(panel.bound_ns / unit.ns), kWidth - kMargin, y(panel.bound_ns / unit.ns),
              "stroke-dasharray=\"8 4\" stroke=\"#cc0000\"");
}

}  // namespace

std::string draw_as_svg(const CostPlot& plot) {
  constexpr double kPanel = 190;
  constexpr double kTop = kMargin + 24;
  Svg svg(kTop + kPanel * static_cast<double>(plot.panels.size()) + kMargin);
  svg.label(kMargin, kMargin + 12, cut_to(plot.title, fitting((kWidth - 2 * kMargin) * 0.8)), Svg::Anchor::kStart,
            "font-size=\"15\"", plot.title);
  for (size_t i = 0; i < plot.panels.size(); ++i)
    draw_panel(&svg, plot, plot.panels[i], kColors[i % std::size(kColors)], kTop + kPanel * static_cast<double>(i));
  return svg.finish();
}

std::string draw_as_svg(const TimelinePlot& plot) {
  constexpr double kRow = 22;
  constexpr double kTop = kMargin + 32;
  size_t longest = 0;
  for (const TimelineRow& row : plot.rows) longest = std::max(longest, character_count(row.name));
  const double name_width = std::min(kCharacter * static_cast<double>(longest), kWidth / 3);
  const double bottom = kTop + kRow * static_cast<double>(plot.rows.size());
  Svg svg(bottom + 2 * kFont + kMargin);
  svg.label(kMargin, kMargin + 12, cut_to(plot.title, fitting((kWidth - 2 * kMargin) * 0.8)), Svg::Anchor::kStart,
            "font-size=\"15\"", plot.title);

  const double range_ns = std::max(plot.end_ns - plot.begin_ns, 1.0);
  const TimeUnit unit = unit_for(range_ns);
  const Scale x = {0, range_ns / unit.ns, kMargin + name_width + 10, kWidth - kMargin};
  draw_x_axis(&svg, axis_marks(x.low, x.high, 10), x, kTop, bottom, unit.name);
  for (size_t i = 0; i < plot.rows.size(); ++i) {
    const TimelineRow& row = plot.rows[i];
    const double y = kTop + kRow * static_cast<double>(i);
    svg.line(kMargin, y, kWidth - kMargin, y, kGrid);
    svg.label(kMargin + name_width, y + kRow / 2 + kFont / 3, cut_to(row.name, fitting(name_width + kCharacter)),
              Svg::Anchor::kEnd, "", row.name);
    for (const TimelineBar& bar : row.bars) {
      const double from = x((bar.begin_ns - plot.begin_ns) / unit.ns);
      const double to = x((bar.end_ns - plot.begin_ns) / unit.ns);
      // A gap of a fifth of a pixel shows where one frame ends and the next begins.
      svg.rectangle(from, y + 4, std::max(to - from - 0.2, 0.4), kRow - 8,
                    std::string("fill=\"") + kColors[i % std::size(kColors)] + "\" fill-opacity=\"" +
                        number(0.25 + 0.6 * std::clamp(bar.busy, 0.0, 1.0)) + "\"");
    }
  }
  return svg.finish();
}

}  // namespace flamelet::tools
