// SPDX-License-Identifier: MIT
//
// plot.h: plots on a terminal (Unicode blocks) and as SVG: costs over frames, timelines, histograms. A plot is plain
// data; the functions that draw know nothing of where it came from.
#ifndef FLAMELET_TOOLS_PLOT_H
#define FLAMELET_TOOLS_PLOT_H

#include <cstdint>
#include <string>
#include <vector>

namespace flamelet::tools {

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

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PLOT_H
