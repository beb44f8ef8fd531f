// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "axis.h"
#include "display_text.h"
#include "plot.h"
#include "svg.h"

namespace flamelet::tools {
namespace {

constexpr int kBars = 16;

uint64_t most_of(const HistogramPlot& plot) {
  uint64_t most = 1;
  for (const HistogramBar& bar : plot.bars) most = std::max(most, bar.count);
  return most;
}

// In the unit of the whole plot.
std::string low_text(const HistogramPlot& plot, const HistogramBar& bar) {
  const TimeUnit unit = unit_for(plot.bars.back().low_ns);
  const double step = (plot.bars.front().high_ns - plot.bars.front().low_ns) / unit.ns;
  const int decimals =
      std::isfinite(step) ? static_cast<int>(std::clamp(-std::floor(std::log10(step) + 1e-9), 0.0, 3.0)) : 3;
  return (std::isinf(bar.high_ns) && plot.bars.size() > 1 ? "≥ " : "") + fixed(bar.low_ns / unit.ns, decimals) + " " +
         unit.name;
}

}  // namespace

HistogramPlot make_histogram(const std::vector<int64_t>& sorted_ns) {
  HistogramPlot plot;
  const double least = static_cast<double>(sorted_ns.front()), most = static_cast<double>(sorted_ns.back());
  const size_t rank = static_cast<size_t>(std::ceil(0.99 * static_cast<double>(sorted_ns.size())));
  const double high = static_cast<double>(sorted_ns[rank - 1]);
  // Where all are alike, a hundredth of them tells more than a nanosecond.
  const double step = std::max(axis_step(std::max(high - least, most / 100), kBars), 1.0);
  for (double low = std::floor(least / step) * step; low <= high; low += step)
    plot.bars.push_back({low, low + step, 0});
  if (most >= plot.bars.back().high_ns)
    plot.bars.push_back({plot.bars.back().high_ns, std::numeric_limits<double>::infinity(), 0});
  size_t bar = 0;
  for (const int64_t duration_ns : sorted_ns) {
    while (static_cast<double>(duration_ns) >= plot.bars[bar].high_ns) ++bar;
    ++plot.bars[bar].count;
  }
  return plot;
}

std::string draw_on_terminal(const HistogramPlot& plot, size_t columns) {
  size_t label_width = 0, count_width = 0;
  for (const HistogramBar& bar : plot.bars) {
    label_width = std::max(label_width, column_count(low_text(plot, bar)));
    count_width = std::max(count_width, std::to_string(bar.count).size());
  }
  const size_t used = label_width + count_width + 3;
  const double room = static_cast<double>(columns > used + 10 ? columns - used : 10);
  const double most = static_cast<double>(most_of(plot));
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  bool bound_shown = plot.bound_ns <= 0;
  std::string text = plot.title.empty() ? "" : cut_to(plot.title, columns) + "\n";
  for (const HistogramBar& bar : plot.bars) {
    if (!bound_shown && bar.high_ns > plot.bound_ns) {
      bound_shown = true;
      // Above the first bar that reaches over the bound.
      if (&bar != &plot.bars.front() || bar.low_ns >= plot.bound_ns)
        text += std::string(label_width, ' ') + " ├╌ " + duration_text(plot.bound_ns) + "\n";
    }
    // Eighths of a character; what is there leaves a mark.
    const size_t eighths =
        bar.count == 0 ? 0 : std::max<size_t>(1, static_cast<size_t>(static_cast<double>(bar.count) / most * room * 8));
    std::string line = right(low_text(plot, bar), label_width) + " │";
    for (size_t i = 0; i < eighths / 8; ++i) line += "█";
    line += kEighths[eighths % 8];
    if (bar.count != 0) line += " " + std::to_string(bar.count);
    text += line + "\n";
  }
  return text;
}

std::string draw_as_svg(const HistogramPlot& plot) {
  constexpr double kHeight = 320;
  constexpr double kTop = kSvgMargin + 40;
  constexpr double kLeft = kSvgMargin + 60;
  const double bottom = kTop + kHeight;
  Svg svg(bottom + 3 * kSvgFont + kSvgMargin);
  svg.title(plot.title);
  const double count_top = axis_top(static_cast<double>(most_of(plot)), 5);
  const SvgScale y = {0, count_top, bottom, kTop};
  for (const AxisMark& mark : axis_marks(0, count_top, 5, 1)) {
    svg.line(kLeft, y(mark.value), kSvgWidth - kSvgMargin, y(mark.value), kSvgGrid);
    svg.label(kLeft - 6, y(mark.value) + kSvgFont / 3, mark.text, Svg::Anchor::kEnd, kSvgQuiet);
  }
  const double bar_width = (kSvgWidth - kSvgMargin - kLeft) / static_cast<double>(plot.bars.size());
  for (size_t i = 0; i < plot.bars.size(); ++i) {
    const HistogramBar& bar = plot.bars[i];
    const double x = kLeft + bar_width * static_cast<double>(i);
    const double top = y(static_cast<double>(bar.count));
    svg.rectangle(x + 1, top, bar_width - 2, bottom - top,
                  plot.bound_ns > 0 && bar.low_ns >= plot.bound_ns ? "fill=\"#b2182b\"" : "fill=\"#2166ac\"");
    if (bar.count != 0)
      svg.label(x + bar_width / 2, top - 4, std::to_string(bar.count), Svg::Anchor::kMiddle, kSvgQuiet);
    svg.label(x, bottom + 4 + kSvgFont, low_text(plot, bar), Svg::Anchor::kStart, kSvgQuiet);
    if (plot.bound_ns >= bar.low_ns && plot.bound_ns < bar.high_ns && std::isfinite(bar.high_ns) && plot.bound_ns > 0) {
      const double at = x + (plot.bound_ns - bar.low_ns) / (bar.high_ns - bar.low_ns) * bar_width;
      svg.line(at, kTop, at, bottom, "stroke-dasharray=\"8 4\" stroke=\"#cc0000\"");
      svg.label(at + 4, kTop + kSvgFont, duration_text(plot.bound_ns), Svg::Anchor::kStart, "fill=\"#cc0000\"");
    }
  }
  svg.line(kLeft, bottom, kSvgWidth - kSvgMargin, bottom, kSvgAxis);
  return svg.finish();
}

}  // namespace flamelet::tools
