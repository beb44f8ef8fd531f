// SPDX-License-Identifier: MIT
#include "log_report.h"

#include <algorithm>

#include "display_text.h"
#include "plot.h"

namespace flamelet::tools {
namespace {

std::string ms(double ns) {
  return fixed(ns / 1e6, 3);
}

std::string counted(uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string name_of(const LogReport& report, uint32_t name) {
  const std::string& text = report.names[name];
  return text.empty() ? "(no name)" : printable(text);
}

std::string title(const LogReport& report) {
  return printable(report.file) + ": " + counted(report.analysis.frame_count(), "frame", "frames");
}

std::string figures(const RoutineAnalysis& routine) {
  return counted(routine.frame_count, "frame", "frames") + ", mean " + duration_text(routine.mean_ns) + ", sd " +
         (routine.frame_count < 2 ? "-" : duration_text(routine.deviation_ns())) + ", min " +
         duration_text(static_cast<double>(routine.min_ns)) + ", max " +
         duration_text(static_cast<double>(routine.max_ns));
}

// "9.021 ms in frame 17 (line 102)", as many to a line as fit.
std::string list(const std::string& head, const std::vector<FrameCost>& costs, size_t columns) {
  std::string text = "  " + head;
  size_t used = character_count(text);
  const size_t indent = used;
  for (size_t i = 0; i < costs.size(); ++i) {
    const std::string item = " " + duration_text(static_cast<double>(costs[i].cost_ns)) + " in frame " +
                             std::to_string(costs[i].frame) + " (line " + std::to_string(costs[i].line) + ")" +
                             (i + 1 < costs.size() ? "," : "");
    if (used + character_count(item) > columns && used > indent) {
      text += "\n" + std::string(indent, ' ');
      used = indent;
    }
    text += item;
    used += character_count(item);
  }
  return text + "\n";
}

std::string details(const LogReport& report, const RoutineAnalysis& routine) {
  std::string text;
  if (report.extremes != 0) {
    text += list("largest: ", routine.largest, report.columns);
    text += list("smallest:", routine.smallest, report.columns);
  }
  if (report.has_bound) {
    const std::string head = "above " + fixed(report.bound_ms, 3) + " ms: " + std::to_string(routine.above_count) +
                             " of " + counted(routine.frame_count, "frame", "frames");
    text += routine.above.empty() ? "  " + head + "\n" : list(head + ":", routine.above, report.columns);
    if (routine.above_count > routine.above.size())
      text += "  ... and " + std::to_string(routine.above_count - routine.above.size()) + " more\n";
  }
  return text;
}

// What a reader of the figures should know about them.
std::string remarks(const LogReport& report) {
  std::string text;
  if (report.left_out != 0)
    text += "\n" + counted(report.left_out, "routine that took less is", "routines that took less are") +
            " not shown (--top 0 shows all, -t NAME one)\n";
  const uint64_t partial = report.analysis.partial_count();
  if (partial != 0)
    text += "\n" + counted(partial, "frame is", "frames are") +
            " not whole (cut by the begin or the end of the file, or of a log): costs in it may be too low\n";
  return text;
}

std::string without_times(const LogReport& report) {
  if (report.analysis.untimed_count() == 0) return "";
  return "\n" + counted(report.analysis.untimed_count(), "block has", "blocks have") +
         " no begin and end in this log: they are shown one behind the other\n";
}

CostPlot cost_plot(const LogReport& report) {
  CostPlot plot;
  plot.title = title(report);
  plot.last_frame = report.analysis.frame_count();
  for (const uint32_t name : report.routines) {
    const RoutineAnalysis& routine = report.analysis.routine(name);
    CostPanel panel;
    panel.name = name_of(report, name);
    panel.note = figures(routine);
    panel.mean_ns = routine.mean_ns;
    panel.bound_ns = report.has_bound ? report.bound_ms * 1e6 : 0;
    for (const CostRange& range : routine.points)
      panel.points.push_back({range.first_frame, range.last_frame, static_cast<double>(range.low_ns),
                              range.sum_ns / static_cast<double>(range.count), static_cast<double>(range.high_ns)});
    plot.panels.push_back(std::move(panel));
  }
  return plot;
}

TimelinePlot timeline_plot(const LogReport& report) {
  TimelinePlot plot;
  plot.title = title(report);
  plot.begin_ns = static_cast<double>(report.analysis.begin_ns());
  plot.end_ns = static_cast<double>(report.analysis.end_ns());
  for (const uint32_t name : report.routines) {
    TimelineRow row;
    row.name = name_of(report, name);
    for (const BusyRange& range : report.analysis.routine(name).bars) {
      const double begin_ns = static_cast<double>(range.begin_ns);
      const double end_ns = static_cast<double>(range.end_ns);
      row.bars.push_back(
          {begin_ns, end_ns, end_ns > begin_ns ? std::min(range.busy_ns / (end_ns - begin_ns), 1.0) : 1});
    }
    plot.rows.push_back(std::move(row));
  }
  return plot;
}

}  // namespace

std::string stats_text(const LogReport& report) {
  struct Figure {
    const char* title;
    size_t width;
    int rank;  // as of a Column
  };
  static constexpr Figure kFigures[] = {{"frames", 8, 3},  {"blocks", 9, 4},  {"mean ms", 11, 0}, {"sd ms", 10, 2},
                                        {"min ms", 10, 1}, {"max ms", 11, 0}, {"total ms", 13, 0}};
  constexpr size_t kLeastName = 12;
  size_t longest = kLeastName, numbers = 0;
  for (const uint32_t name : report.routines) longest = std::max(longest, character_count(name_of(report, name)));
  for (const Figure& figure : kFigures) numbers += figure.width;
  int most_rank = 4;
  for (; most_rank > 0 && numbers + kLeastName > report.table_columns; --most_rank)
    for (const Figure& figure : kFigures)
      if (figure.rank == most_rank) numbers -= figure.width;
  const size_t name_width = std::min(longest, std::max(report.table_columns, numbers + kLeastName) - numbers);

  std::string text, left_out;
  const auto put = [&](const std::string& name, const auto& cell_at) {
    text += left(name, name_width);
    for (size_t i = 0; i < std::size(kFigures); ++i)
      if (kFigures[i].rank <= most_rank) text += right(cell_at(i), kFigures[i].width);
    text += "\n";
  };
  put("routine", [](size_t i) { return std::string(kFigures[i].title); });
  for (const uint32_t name : report.routines) {
    const RoutineAnalysis& routine = report.analysis.routine(name);
    const std::string cells[] = {std::to_string(routine.frame_count),
                                 std::to_string(routine.block_count),
                                 ms(routine.mean_ns),
                                 routine.frame_count < 2 ? "-" : ms(routine.deviation_ns()),
                                 ms(static_cast<double>(routine.min_ns)),
                                 ms(static_cast<double>(routine.max_ns)),
                                 ms(routine.total_ns())};
    put(name_of(report, name), [&](size_t i) { return " " + cells[i]; });
  }
  for (const Figure& figure : kFigures)
    if (figure.rank > most_rank) left_out += (left_out.empty() ? "" : ", ") + std::string(figure.title);
  if (!left_out.empty()) text += "(no room for: " + left_out + ")\n";
  if (report.extremes != 0 || report.has_bound) {
    for (const uint32_t name : report.routines)
      text +=
          "\n" + cut_to(name_of(report, name), report.columns) + "\n" + details(report, report.analysis.routine(name));
  }
  return text + remarks(report);
}

std::string cost_text(const LogReport& report) {
  // Each routine's plot with its figures below it.
  const CostPlot plot = cost_plot(report);
  std::string text;
  for (size_t i = 0; i < plot.panels.size(); ++i) {
    CostPlot one = {plot.title, plot.first_frame, plot.last_frame, {plot.panels[i]}};
    if (i != 0) text += "\n";
    text += draw_on_terminal(one, report.columns) + details(report, report.analysis.routine(report.routines[i]));
  }
  return text + remarks(report);
}

std::string cost_svg(const LogReport& report) {
  return draw_as_svg(cost_plot(report));
}

std::string timeline_text(const LogReport& report) {
  return draw_on_terminal(timeline_plot(report), report.columns) + remarks(report) + without_times(report);
}

std::string timeline_svg(const LogReport& report) {
  return draw_as_svg(timeline_plot(report));
}

}  // namespace flamelet::tools
