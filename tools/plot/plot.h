// SPDX-License-Identifier: MIT
//
// plot.h: plots on a terminal (Unicode blocks) and as SVG: costs over frames, timelines, histograms. A plot is plain
// data; the functions that draw know nothing of where it came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flamelet::tools {

// Axis: where an axis has its marks: at multiples of 1, 2 or 5 times a power of ten.

struct AxisMark {
  double value;
  std::string text;  // with as many decimals as the distance of the marks needs
};

// At most `most` + 1 marks within [low, high]. `least_step`: 1 for what is counted, such as frames.
std::vector<AxisMark> axis_marks(double low, double high, int most, double least_step = 0);

// The top of an axis from 0 that shows `high`: the next mark.
double axis_top(double high, int most);

// Svg: what the SVG plots are drawn with.

constexpr double kSvgWidth = 1000;
constexpr double kSvgMargin = 16;
constexpr double kSvgFont = 12;
// For a sans-serif font, on the safe side: what a label takes is not known before a viewer has chosen the font.
constexpr double kSvgCharacter = 0.6 * kSvgFont;

constexpr const char* kSvgGrid = "stroke=\"#dddddd\" stroke-width=\"1\"";
constexpr const char* kSvgAxis = "stroke=\"#888888\" stroke-width=\"1\"";
constexpr const char* kSvgQuiet = "fill=\"#666666\"";

// Text inside of an element or of an attribute of XML or HTML.
std::string xml_text(std::string_view text);

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

// Frames that stand together in a plot, because there are more than it can show.
struct CostPoint {
  uint64_t first_frame;
  uint64_t last_frame;
  double low_ns;
  double mean_ns;
  double high_ns;
};

struct CostPanel {
  std::string name;  // printable, as all text here
  std::string note;  // a line below the name
  double mean_ns = 0;
  double bound_ns = 0;  // drawn as a line, if above 0
  std::vector<CostPoint> points;
};

// A line for each routine over the frames of the file, each in a panel with a scale of its own.
struct CostPlot {
  std::string title;
  uint64_t first_frame = 1;
  uint64_t last_frame = 1;
  std::vector<CostPanel> panels;
};

struct TimelineBar {
  double begin_ns;
  double end_ns;
  double busy;  // part of it in which the routine ran: 1 unless several frames stand together
};

struct TimelineRow {
  std::string name;
  std::vector<TimelineBar> bars;  // by begin
};

// A row for each routine, a bar for each frame.
struct TimelinePlot {
  std::string title;
  double begin_ns = 0;
  double end_ns = 0;
  std::vector<TimelineRow> rows;
};

struct HistogramBar {
  double low_ns;   // counted here: low_ns <= duration < high_ns
  double high_ns;  // infinite for the last one, if some are far away from the others
  uint64_t count;
};

// How many durations are how long.
struct HistogramPlot {
  std::string title;
  double bound_ns = 0;  // drawn as a line, if above 0
  std::vector<HistogramBar> bars;
};

// Bars of one width up to the 99th percentile, and one for what is above the last of them. `sorted_ns` is not empty.
HistogramPlot make_histogram(const std::vector<int64_t>& sorted_ns);

std::string draw_on_terminal(const CostPlot& plot, size_t columns);
std::string draw_on_terminal(const TimelinePlot& plot, size_t columns);
std::string draw_as_svg(const CostPlot& plot);
std::string draw_as_svg(const TimelinePlot& plot);
std::string draw_on_terminal(const HistogramPlot& plot, size_t columns);
std::string draw_as_svg(const HistogramPlot& plot);

// An SVG picture as PNG, by librsvg where this was built with it.
bool can_draw_png();
// False: *problem says why, and *png is of no use.
bool svg_to_png(const std::string& svg, std::string* png, std::string* problem);

}  // namespace flamelet::tools
