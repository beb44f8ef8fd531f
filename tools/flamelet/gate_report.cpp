// SPDX-License-Identifier: MIT
#include "gate_report.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "display_text.h"
#include "permute_labels.h"
#include "table.h"

namespace flamelet::tools {
namespace {

std::string percent(double share, bool has_sign) {
  return (has_sign && share >= 0 ? "+" : "") + fixed(share * 100, 1) + " %";
}

// From there on it is told how many times as long something takes.
constexpr double kManyTimes = 11;

std::string times(double ratio) {
  return fixed(ratio, ratio < 100 ? 1 : 0);
}

// "5.2 % more than", "1005 times"; `ratio`: of what is to what was.
std::string how_much_more(double ratio) {
  if (ratio >= kManyTimes) return times(ratio) + " times";
  return percent(std::fabs(ratio - 1), false) + (ratio > 1 ? " more than" : " less than");
}

// Without its unit if that is the one of `like`.
std::string short_percent(double share, bool has_sign) {
  const std::string text = percent(share, has_sign);
  return text.substr(0, text.size() - 2);
}

// In a sentence, where nothing stands below it.
std::string took_text(double ns) {
  std::string text = short_duration_text(ns);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string of_runs(const GateReport& report) {
  return std::to_string(report.runs[0].size()) + " and " + std::to_string(report.runs[1].size()) + " runs";
}

size_t runs_needed(double alarms) {
  size_t runs = 2;
  while (least_p(runs, runs) > alarms) ++runs;
  return runs;
}

// "takes 474.1 µs a frame, 5.2 % more than 450.7 µs"
std::string path_sentence(const GateReport& report, const PathChange& change) {
  std::string text = path_text(report, change);
  if (change.after_ns == 0) return text + ", which took " + took_text(change.before_ns) + " a frame, is gone";
  text += " takes " + took_text(change.after_ns) + " a frame";
  if (change.before_ns == 0) return text + " and is new";
  return text + ", " + how_much_more(change.after_ns / change.before_ns) + " " + took_text(change.before_ns);
}

std::string reason_of(const GateReport& report, int direction) {
  const GateResult& result = report.result;
  const std::vector<PathChange>& named = direction > 0 ? result.slower : result.faster;
  if (!named.empty() && !named[0].is_wait) {
    const size_t others = static_cast<size_t>(
        std::count_if(named.begin() + 1, named.end(), [](const PathChange& change) { return !change.is_wait; }));
    return path_sentence(report, named[0]) +
           (others == 0 ? "" : "; " + std::to_string(others) + " more path" + (others == 1 ? "" : "s"));
  }
  if (result.pace.direction == direction)
    return "all paths alike take " + percent(std::fabs(result.pace_change), false) +
           (direction > 0 ? " more" : " less") + ": rather the machine, or how the game was built, than its code";
  for (const FrameFigure figure : frame_figures(report)) {
    if (result.frame_changes[figure].direction != direction) continue;
    const std::string text = frame_figure_name(report, figure) + ": " +
                             value_text(figure, {result.frames.side[1][figure].value, 0, -1}) + " instead of " +
                             value_text(figure, {result.frames.side[0][figure].value, 0, -1});
    return text + (named.empty() ? "; no path explains it" : "; longest wait: " + path_text(report, named[0]));
  }
  return "";
}

// Begins with a space if it says anything.
std::string least_seen_text(const LeastSeen& least) {
  if (least.paths == 0) return "";
  if (least.of_half >= 1)
    return " As much as these runs differ, hardly any change of a path is seen: record more of them.";
  const std::string most =
      least.of_most >= 1 ? "only if it more than doubles" : "from " + percent(least.of_most, false) + " on";
  return " As much as these runs differ, a change is seen every second time from " + percent(least.of_half, false) +
         " on in half of the " + std::to_string(least.paths) +
         " paths that take 1 % of a frame or more, and in nine of ten " + most + ".";
}

}  // namespace

std::vector<FrameFigure> frame_figures(const GateReport& report) {
  std::vector<FrameFigure> figures = {kP50, kP95, kP99};
  if (report.options.budget_ns > 0) figures.push_back(kOverBudget);
  return figures;
}

std::string frame_figure_name(const GateReport& report, FrameFigure figure) {
  constexpr const char* kNames[] = {"frames, p50", "frames, p95", "frames, p99"};
  if (figure == kOverBudget) return "frames over " + duration_text(report.options.budget_ns);
  return kNames[figure];
}

// An interval whose high end lies below its low one is not shown.
std::string value_text(FrameFigure figure, const Interval& value) {
  const bool has_interval = value.low <= value.high;
  if (figure == kOverBudget)
    return percent(value.value, false) +
           (has_interval ? " (" + short_percent(value.low, false) + " to " + short_percent(value.high, false) + ")"
                         : "");
  const TimeUnit unit = unit_for(value.value);
  const auto number = [&](double ns) { return fixed(ns / unit.ns, 2); };
  return number(value.value) + " " + unit.name +
         (has_interval ? " (" + number(value.low) + " to " + number(value.high) + ")" : "");
}

std::string change_text(FrameFigure figure, const Interval& change) {
  if (figure != kOverBudget && 1 + change.value >= kManyTimes)
    return times(1 + change.value) + " times (" + times(1 + change.low) + " to " + times(1 + change.high) + ")";
  return percent(change.value, true) + (figure == kOverBudget ? " of all" : "") + " (" +
         short_percent(change.low, true) + " to " + short_percent(change.high, true) + ")";
}

std::string direction_text(int direction) {
  return direction > 0 ? "slower" : direction < 0 ? "faster" : "no difference seen";
}

std::string p_text(double p) {
  return fixed(p, p < 0.001 ? 4 : p < 0.1 ? 3 : 2);
}

std::string path_change_text(const PathChange& change) {
  if (change.before_ns == 0) return "new";
  if (change.after_ns == 0) return "gone";
  const double ratio = change.after_ns / change.before_ns;
  return ratio < kManyTimes ? percent(ratio - 1, true) : how_much_more(ratio);
}

std::string path_text(const GateReport& report, const PathChange& change) {
  const std::string note = change.is_wait ? " (wait)" : change.is_self ? "" : " with all that it calls";
  if (!change.is_scope) return printable(report.names.text(change.path)) + note;
  const PathNames::Scope& scope = report.names.scopes()[change.path];
  return printable(scope.name) + " in all " + std::to_string(scope.paths.size()) + " call paths" + note;
}

std::string calls_text(const PathChange& change) {
  const auto number = [](double calls) { return fixed(calls, calls < 10 ? 2 : 0); };
  const std::string before = number(change.calls_before), after = number(change.calls_after);
  return before == after ? after : before + " to " + after;
}

std::string side_text(const GateReport& report, size_t side) {
  size_t frames = 0;
  for (const Run& run : report.runs[side]) frames += run.frames_ns.size();
  const size_t runs = report.runs[side].size();
  return std::string(side == 0 ? "BASE: " : "NEW: ") + std::to_string(runs) + (runs == 1 ? " run, " : " runs, ") +
         std::to_string(frames) + (frames == 1 ? " frame" : " frames");
}

std::string gate_sentence(const GateReport& report) {
  if (!report.is_compared()) return "no verdict: " + report.problem;
  const GateResult& result = report.result;
  const std::string verdict = verdict_text(result.verdict);
  switch (result.verdict) {
    case Verdict::kSlower:
      return verdict + ": " + reason_of(report, 1);
    case Verdict::kFaster:
      return verdict + ": " + reason_of(report, -1);
    case Verdict::kNoDifference:
      if (result.moved)
        return verdict + ": time moved between paths, from " + path_text(report, result.faster[0]) + " to " +
               path_text(report, result.slower[0]);
      return verdict + " in " + of_runs(report);
    case Verdict::kNotEnoughRuns: {
      const std::string needed = std::to_string(runs_needed(report.options.alarms));
      return verdict + ": " + of_runs(report) + "; with less than " + needed + " and " + needed +
             ", a change cannot be told from chance";
    }
  }
  return "";
}

std::string footnote(const GateReport& report) {
  const std::string text =
      "In brackets: where 95 % of the drawn runs lie. p: how often chance alone shows a difference as large in any of "
      "the " +
      std::to_string(report.result.figures) + " figures; " + fixed(report.options.alarms * 100, 1) + " % is the limit.";
  return text + least_seen_text(report.result.least_seen);
}

// The figures of the frames. A narrow one is without intervals of the sides, and its titles without how many runs they are.
static Table frame_table(const GateReport& report, bool is_narrow) {
  const GateResult& result = report.result;
  const bool is_tested = result.verdict != Verdict::kNotEnoughRuns;
  Table frames;
  frames.columns = {{"figure", " ", ColumnKind::kText},
                    {"base", is_narrow ? "BASE" : side_text(report, 0), ColumnKind::kText},
                    {"new", is_narrow ? "NEW" : side_text(report, 1), ColumnKind::kText},
                    {"change", "change", ColumnKind::kText},
                    {"p", is_tested ? "p" : "", ColumnKind::kText, 2},
                    {"verdict", is_tested ? "verdict" : "", ColumnKind::kText, 1}};
  for (const FrameFigure figure : frame_figures(report)) {
    std::string sides[2];
    for (size_t side = 0; side < 2; ++side) {
      Interval value = result.frames.side[side][figure];
      if (is_narrow) value.low = 0, value.high = -1;
      sides[side] = value_text(figure, value);
    }
    const FrameChange& change = result.frame_changes[figure];
    frames.rows.push_back({frame_figure_name(report, figure), sides[0], sides[1],
                           change_text(figure, result.frames.change[figure]), p_text(change.p),
                           is_narrow && change.direction == 0 ? "none seen" : direction_text(change.direction)});
  }
  return frames;
}

static bool is_wider(const std::string& text, size_t width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (column_count(line) > width) return true;
  return false;
}

std::string gate_text(const GateReport& report, size_t width) {
  std::string text = wrapped(gate_sentence(report), width) + "\n";
  for (const std::string& doubt : report.doubts) text += wrapped(doubt, width) + "\n";
  if (report.budgets) text += report.budgets->sentence() + "\n";
  if (report.is_over_budget()) text += "\n" + report.budgets->table().text(width);
  if (!report.is_compared()) return text;
  const GateResult& result = report.result;
  const bool is_tested = result.verdict != Verdict::kNotEnoughRuns;
  std::string frames = frame_table(report, false).text(SIZE_MAX / 2);
  if (is_wider(frames, width))
    frames = side_text(report, 0) + "\n" + side_text(report, 1) + "\n\n" + frame_table(report, true).text(width);
  text += "\n" + frames;
  if (!is_tested) return text;
  for (const std::vector<PathChange>* changes : {&result.slower, &result.faster}) {
    if (changes->empty()) continue;
    Table paths;
    paths.columns = {{"path", changes == &result.slower ? "slower call path" : "faster call path", ColumnKind::kPath},
                     {"before", "before", ColumnKind::kNs},
                     {"after", "after", ColumnKind::kNs},
                     {"change", "change", ColumnKind::kText},
                     {"p", "p", ColumnKind::kText, 2},
                     {"calls", "calls a frame", ColumnKind::kText, 1}};
    for (const PathChange& change : *changes)
      paths.rows.push_back({path_text(report, change), change.before_ns, change.after_ns, path_change_text(change),
                            p_text(change.p), calls_text(change)});
    text += "\n" + paths.text(width);
  }
  return text + "\n" + wrapped(footnote(report), width) + "\n";
}

}  // namespace flamelet::tools
