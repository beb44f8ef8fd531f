// SPDX-License-Identifier: MIT
//
// gate_report.h: what `flamelet gate` found, in the forms that people and build servers read.
#ifndef FLAMELET_TOOLS_GATE_REPORT_H
#define FLAMELET_TOOLS_GATE_REPORT_H

#include <optional>
#include <string>
#include <vector>

#include "budget_check.h"
#include "gate.h"

namespace flamelet::tools {

struct GateReport {
  std::vector<Run> runs[2];
  PathNames names;
  GateOptions options;
  std::string problem;  // why there is no verdict; then there is no result
  std::vector<std::string> doubts;
  GateResult result;
  std::optional<BudgetCheck> budgets;  // the runs of NEW against a file

  bool is_compared() const { return problem.empty(); }
  bool is_over_budget() const { return budgets && !budgets->exceeded().empty(); }
};

// "slower: Frame > Physics takes 474.1 µs a frame, 5.2 % more than 450.7 µs". Begins with the verdict.
std::string gate_sentence(const GateReport& report);

std::string gate_text(const GateReport& report, size_t width);
std::string gate_json(const GateReport& report);
// A test suite: a test for each figure of the frames and for each path that is slower.
std::string gate_junit(const GateReport& report);
std::string gate_markdown(const GateReport& report);
// One file with plots, which asks for nothing from the network.
std::string gate_html(const GateReport& report);

// ---- What these share -----------------------------------------------------------------------------------------------

// "p50", "frames over 16.7 ms"
std::string frame_figure_name(const GateReport& report, FrameFigure figure);
// The figures that were asked for.
std::vector<FrameFigure> frame_figures(const GateReport& report);
// "12.61 ms" or "1.2 %", with its interval: "12.61 ms (12.40 to 12.83)"
std::string value_text(FrameFigure figure, const Interval& value);
std::string change_text(FrameFigure figure, const Interval& change);
std::string direction_text(int direction);
std::string p_text(double p);
// "+5.2 %", "new", "gone"
std::string path_change_text(const PathChange& change);
// "Frame > Physics", "Frame > Physics with all that it calls", "Lock (wait)", "Job in all 3 call paths"
std::string path_text(const GateReport& report, const PathChange& change);
std::string calls_text(const PathChange& change);
// "BASE: 10 runs, 5000 frames"
std::string side_text(const GateReport& report, size_t side);
// What a test of so many runs could have found, or why there is no verdict.
std::string footnote(const GateReport& report);

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_GATE_REPORT_H
