// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "axis.h"
#include "display_text.h"
#include "plot.h"

namespace flamelet::tools {
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
  const uint64_t frames = plot.last_frame - plot.first_frame + 1;
  const size_t width =
      frames >= room ? room : static_cast<size_t>(frames) * std::min(room / static_cast<size_t>(frames), size_t{8});
  const auto column_of = [&](uint64_t frame) {
    return static_cast<size_t>(static_cast<double>(frame - plot.first_frame) / static_cast<double>(frames) *
                               static_cast<double>(width));
  };
  std::vector<double> heights(width, -1);  // the slowest frame of each column: a hitch is never averaged away
  for (const CostPoint& point : panel.points) {
    const size_t from = std::min(column_of(point.first_frame), width - 1);
    const size_t to = std::clamp(column_of(point.last_frame + 1), from + 1, width);
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

}  // namespace flamelet::tools
