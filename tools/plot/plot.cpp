// SPDX-License-Identifier: MIT
#include "plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>

#include "display_text.h"

#ifdef FLAMELET_HAS_RSVG
#include <librsvg/rsvg.h>
#endif

namespace flamelet::tools {

// ---- axis

// The distance of at most `most` + 1 marks in a range.
static double axis_step(double range, int most) {
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

// ---- svg

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

static std::string svg_number(double value) {
  std::string text = fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// How many characters surely fit.
static size_t svg_fitting(double width) {
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

// ---- svg plot

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

// ---- histogram plot

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
  const double unit_ns = unit_for(high).ns;
  const double step =
      std::max(std::round(axis_step(std::max(high - least, most / 100) / unit_ns, kBars) * unit_ns), 1.0);
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

// ---- terminal plot

namespace {

constexpr size_t kRows = 6;  // of a panel; each has eight steps

std::string repeated(const char* character, size_t count) {
  std::string result;
  while (count-- > 0) result += character;
  return result;
}

// Text that is written into a row of spaces, and never over other text.
class LabelRow {
 public:
  explicit LabelRow(size_t columns) : cells_(columns, " ") {}
  void put(size_t column, const std::string& text) {
    const size_t length = column_count(text);
    if (length > cells_.size()) return;
    column = std::min(column, cells_.size() - length);
    const size_t from = column == 0 ? 0 : column - 1;
    const size_t to = std::min(column + length + 1, cells_.size());
    for (size_t i = from; i < to; ++i)
      if (cells_[i] != " ") return;
    size_t at = 0;
    for (size_t i = 0; i < length; ++i) {
      size_t end = at + 1;
      while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
      cells_[column + i] = text.substr(at, end - at);
      at = end;
    }
  }
  std::string text() const {
    std::string result;
    for (const std::string& cell : cells_) result += cell;
    result.erase(result.find_last_not_of(' ') + 1);
    return result;
  }

 private:
  std::vector<std::string> cells_;
};

std::string panel_text(const CostPlot& plot, const CostPanel& panel, size_t columns) {
  double high_ns = 0;
  for (const CostPoint& point : panel.points) high_ns = std::max(high_ns, point.high_ns);
  const TimeUnit unit = unit_for(high_ns);
  const double top = axis_top(high_ns / unit.ns, 4);
  const std::vector<AxisMark> marks = axis_marks(0, top, 2);
  size_t label_width = 0;
  for (const AxisMark& mark : marks) label_width = std::max(label_width, column_count(mark.text));
  label_width += 1 + column_count(unit.name);

  // A column stands for one or more frames, or a frame for up to eight columns.
  const size_t room = columns > label_width + 12 ? columns - label_width - 2 : 10;
  const uint64_t more = plot.last_frame - plot.first_frame, frames = std::max(more, more + 1);
  const size_t width =
      frames >= room ? room : static_cast<size_t>(frames) * std::min(room / static_cast<size_t>(frames), size_t{8});
  const auto column_of = [&](uint64_t frame) {
    return static_cast<size_t>(static_cast<double>(frame - plot.first_frame) / static_cast<double>(frames) *
                               static_cast<double>(width));
  };
  std::vector<double> heights(width, -1);  // the slowest frame of each column: a hitch is never averaged away
  for (const CostPoint& point : panel.points) {
    const size_t from = std::min(column_of(point.first_frame), width - 1);
    const size_t to = std::clamp(column_of(std::max(point.last_frame, point.last_frame + 1)), from + 1, width);
    for (size_t i = from; i < to; ++i) heights[i] = std::max(heights[i], point.high_ns / unit.ns / top);
  }

  static const char* const kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (size_t row = kRows; row-- > 0;) {
    std::string label;
    for (const AxisMark& mark : marks)
      if (static_cast<size_t>(std::lround(mark.value / top * kRows)) == row + 1) label = mark.text + " " + unit.name;
    std::string line = right(label, label_width) + (label.empty() ? " │" : " ┤");
    for (const double height : heights) {
      const double eighths =
          height < 0 ? 0 : std::max(1.0, std::round(height * kRows * 8)) - static_cast<double>(row * 8);
      line += kBlocks[static_cast<size_t>(std::clamp(eighths, 0.0, 8.0))];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += right(std::string("0 ") + unit.name, label_width) + " └" + repeated("─", width) + "\n";
  LabelRow labels(std::max(width, std::min(room, size_t{24})));
  labels.put(0, "frame " + std::to_string(plot.first_frame));
  if (plot.last_frame != plot.first_frame) {
    const std::string last = std::to_string(plot.last_frame);
    labels.put(width > last.size() ? width - last.size() : 0, last);
  }
  text += std::string(label_width + 2, ' ') + labels.text() + "\n";
  const double per_column = static_cast<double>(frames) / static_cast<double>(width);
  if (per_column > 1)
    text += std::string(label_width + 2, ' ') + "a column is the slowest of " + fixed(std::ceil(per_column), 0) + "\n";
  return text;
}

}  // namespace

std::string draw_on_terminal(const CostPlot& plot, size_t columns) {
  std::string text;
  for (const CostPanel& panel : plot.panels) {
    if (!text.empty()) text += "\n";
    text += cut_to(panel.name, columns) + "\n";
    if (!panel.note.empty()) text += panel.note + "\n";
    text += panel_text(plot, panel, columns);
  }
  return text;
}

std::string draw_on_terminal(const TimelinePlot& plot, size_t columns) {
  size_t name_width = 0;
  for (const TimelineRow& row : plot.rows) name_width = std::max(name_width, column_count(row.name));
  name_width = std::min(name_width, std::max<size_t>(columns / 3, 8));
  const size_t width = columns > name_width + 12 ? columns - name_width - 2 : 10;
  const double range_ns = std::max(plot.end_ns - plot.begin_ns, 1.0);
  const double cell_ns = range_ns / static_cast<double>(width);

  // The shade of a cell says for which part of its time the routine ran.
  static const char* const kShades[] = {" ", "░", "▒", "▓", "█"};
  std::string text;
  for (const TimelineRow& row : plot.rows) {
    std::vector<double> busy(width, 0);
    for (const TimelineBar& bar : row.bars) {
      const double begin = std::clamp((bar.begin_ns - plot.begin_ns) / cell_ns, 0.0, static_cast<double>(width));
      const double end = std::clamp((bar.end_ns - plot.begin_ns) / cell_ns, begin, static_cast<double>(width));
      for (size_t cell = static_cast<size_t>(begin); cell < width && static_cast<double>(cell) <= end; ++cell) {
        const double from = std::max(begin, static_cast<double>(cell));
        const double to = std::min(end, static_cast<double>(cell + 1));
        busy[cell] += std::max((to - from) * bar.busy, 1e-9);  // the shortest bar leaves a mark
        if (to >= end) break;
      }
    }
    std::string line = left(row.name, name_width) + " │";
    for (const double part : busy)
      line += part <= 0 ? kShades[0] : kShades[1 + static_cast<size_t>(std::clamp(part * 4 - 0.2, 0.0, 3.0))];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }

  const TimeUnit unit = unit_for(range_ns);
  const std::vector<AxisMark> marks =
      axis_marks(0, range_ns / unit.ns, static_cast<int>(std::max<size_t>(width / 12, 1)));
  std::string axis;
  LabelRow labels(width);
  std::vector<bool> is_mark(width, false);
  for (const AxisMark& mark : marks) {
    const size_t column = std::min(static_cast<size_t>(mark.value * unit.ns / cell_ns), width - 1);
    is_mark[column] = true;
    labels.put(column, mark.text + " " + unit.name);
  }
  for (const bool mark : is_mark) axis += mark ? "┬" : "─";
  text += std::string(name_width, ' ') + " └" + axis + "\n";
  text += std::string(name_width + 2, ' ') + labels.text() + "\n";
  return text;
}

// ---- PNG

#ifdef FLAMELET_HAS_RSVG

namespace {

constexpr double kScale = 2;  // pixels for a unit of the SVG: sharp on the screens of today

struct Unref {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(GError* error) const { g_error_free(error); }
};

bool fail(GError* error, std::string* problem) {
  const std::unique_ptr<GError, Unref> owner(error);
  *problem = error != nullptr ? error->message : "librsvg gives no reason";
  return false;
}

}  // namespace

bool can_draw_png() {
  return true;
}

bool svg_to_png(const std::string& svg, std::string* png, std::string* problem) {
  GError* error = nullptr;
  const std::unique_ptr<RsvgHandle, Unref> picture(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (picture == nullptr) return fail(error, problem);
  double width = 0;
  double height = 0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(picture.get(), &width, &height)) {
    *problem = "the picture has no size";
    return false;
  }
  const RsvgRectangle area = {0, 0, width * kScale, height * kScale};
  const std::unique_ptr<cairo_surface_t, Unref> surface(cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, static_cast<int>(std::ceil(area.width)), static_cast<int>(std::ceil(area.height))));
  const std::unique_ptr<cairo_t, Unref> context(cairo_create(surface.get()));
  if (!rsvg_handle_render_document(picture.get(), context.get(), &area, &error)) return fail(error, problem);
  const auto append = [](void* closure, const unsigned char* bytes, unsigned size) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(bytes), size);
    return CAIRO_STATUS_SUCCESS;
  };
  png->clear();
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, png);
  *problem = cairo_status_to_string(status);
  return status == CAIRO_STATUS_SUCCESS;
}

#else

bool can_draw_png() {
  return false;
}

bool svg_to_png(const std::string&, std::string*, std::string* problem) {
  *problem = "this program was built without librsvg, and draws SVG only";
  return false;
}

#endif

}  // namespace flamelet::tools
