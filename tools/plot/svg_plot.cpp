// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "display_text.h"
#include "plot.h"
#include "svg.h"

namespace flamelet::tools {
namespace {

const char* const kColors[] = {"#2166ac", "#b35806", "#1b7837", "#762a83", "#8c510a", "#01665e", "#c51b7d", "#4d4d4d"};

std::string point_text(double x, double y) {
  return svg_number(x) + "," + svg_number(y) + " ";
}

void draw_panel(Svg* svg, const CostPlot& plot, const CostPanel& panel, const char* color, double top) {
  constexpr double kLeft = kSvgMargin + 70;
  constexpr double kHeight = 110;
  const double plot_top = top + 2 * kSvgFont + 14;
  const double bottom = plot_top + kHeight;
  double high_ns = panel.bound_ns;
  for (const CostPoint& point : panel.points) high_ns = std::max(high_ns, point.high_ns);
  const TimeUnit unit = unit_for(high_ns);
  const double y_top = axis_top(high_ns / unit.ns, 4);
  const SvgScale x = {static_cast<double>(plot.first_frame), static_cast<double>(plot.last_frame), kLeft + 6,
                      kSvgWidth - kSvgMargin - 6};
  const SvgScale y = {0, y_top, bottom, plot_top};

  svg->label(kSvgMargin, top + kSvgFont, cut_to(panel.name, svg_fitting(kSvgWidth - 2 * kSvgMargin)),
             Svg::Anchor::kStart, "font-weight=\"bold\"", panel.name);
  svg->label(kSvgMargin, top + 2 * kSvgFont + 4, cut_to(panel.note, svg_fitting(kSvgWidth - 2 * kSvgMargin)),
             Svg::Anchor::kStart, kSvgQuiet);
  for (const AxisMark& mark : axis_marks(0, y_top, 4)) {
    svg->line(kLeft, y(mark.value), kSvgWidth - kSvgMargin, y(mark.value), kSvgGrid);
    svg->label(kLeft - 6, y(mark.value) + kSvgFont / 3, mark.text + " " + unit.name, Svg::Anchor::kEnd, kSvgQuiet);
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
  svg->line(kLeft, y(panel.mean_ns / unit.ns), kSvgWidth - kSvgMargin, y(panel.mean_ns / unit.ns),
            std::string("stroke-dasharray=\"2 4\" stroke=\"") + color + "\"");
  if (panel.bound_ns > 0)
    svg->line(kLeft, y(panel.bound_ns / unit.ns), kSvgWidth - kSvgMargin, y(panel.bound_ns / unit.ns),
              "stroke-dasharray=\"8 4\" stroke=\"#cc0000\"");
}

}  // namespace

std::string draw_as_svg(const CostPlot& plot) {
  constexpr double kPanel = 190;
  constexpr double kTop = kSvgMargin + 24;
  Svg svg(kTop + kPanel * static_cast<double>(plot.panels.size()) + kSvgMargin);
  svg.title(plot.title);
  for (size_t i = 0; i < plot.panels.size(); ++i)
    draw_panel(&svg, plot, plot.panels[i], kColors[i % std::size(kColors)], kTop + kPanel * static_cast<double>(i));
  return svg.finish();
}

std::string draw_as_svg(const TimelinePlot& plot) {
  constexpr double kRow = 22;
  constexpr double kTop = kSvgMargin + 32;
  size_t longest = 0;
  for (const TimelineRow& row : plot.rows) longest = std::max(longest, column_count(row.name));
  const double name_width = std::min(kSvgCharacter * static_cast<double>(longest), kSvgWidth / 3);
  const double bottom = kTop + kRow * static_cast<double>(plot.rows.size());
  Svg svg(bottom + 2 * kSvgFont + kSvgMargin);
  svg.title(plot.title);

  const double range_ns = std::max(plot.end_ns - plot.begin_ns, 1.0);
  const TimeUnit unit = unit_for(range_ns);
  const SvgScale x = {0, range_ns / unit.ns, kSvgMargin + name_width + 10, kSvgWidth - kSvgMargin};
  draw_x_axis(&svg, axis_marks(x.low, x.high, 10), x, kTop, bottom, unit.name);
  for (size_t i = 0; i < plot.rows.size(); ++i) {
    const TimelineRow& row = plot.rows[i];
    const double y = kTop + kRow * static_cast<double>(i);
    svg.line(kSvgMargin, y, kSvgWidth - kSvgMargin, y, kSvgGrid);
    svg.label(kSvgMargin + name_width, y + kRow / 2 + kSvgFont / 3,
              cut_to(row.name, svg_fitting(name_width + kSvgCharacter)), Svg::Anchor::kEnd, "", row.name);
    for (const TimelineBar& bar : row.bars) {
      const double from = x((bar.begin_ns - plot.begin_ns) / unit.ns);
      const double to = x((bar.end_ns - plot.begin_ns) / unit.ns);
      // A gap of a fifth of a pixel shows where one frame ends and the next begins.
      svg.rectangle(from, y + 4, std::max(to - from - 0.2, 0.4), kRow - 8,
                    std::string("fill=\"") + kColors[i % std::size(kColors)] + "\" fill-opacity=\"" +
                        svg_number(0.25 + 0.6 * std::clamp(bar.busy, 0.0, 1.0)) + "\"");
    }
  }
  return svg.finish();
}

}  // namespace flamelet::tools
