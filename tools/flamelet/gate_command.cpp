// SPDX-License-Identifier: MIT
//
// gate_command.cpp: `flamelet gate`: did a change make the game slower, and which call path?
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "budgets_command.h"
#include "capture_input.h"
#include "capture_window.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "gate.h"
#include "plot.h"
#include "table.h"

namespace flamelet::tools {
namespace {

// ---- what was found, in the forms that people and build servers read

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

// "5.2 % more than", "1005 times"; `ratio`: of what is to what was.
std::string how_much_more(double ratio) {
  if (ratio >= kManyTimes) return ratio_text(ratio, false);
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

// The figures that were asked for.
std::vector<FrameFigure> frame_figures(const GateReport& report) {
  std::vector<FrameFigure> figures = {kP50, kP95, kP99};
  if (report.options.budget_ns > 0) figures.push_back(kOverBudget);
  return figures;
}

// "p50", "frames over 16.7 ms"
std::string frame_figure_name(const GateReport& report, FrameFigure figure) {
  constexpr const char* kNames[] = {"frames, p50", "frames, p95", "frames, p99"};
  if (figure == kOverBudget) return "frames over " + duration_text(report.options.budget_ns);
  return kNames[figure];
}

// "12.61 ms" or "1.2 %", with its interval: "12.61 ms (12.40 to 12.83)". One whose high end lies below its low one is not
// shown.
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
    return times_text(1 + change.value) + " times (" + times_text(1 + change.low) + " to " +
           times_text(1 + change.high) + ")";
  return percent(change.value, true) + (figure == kOverBudget ? " of all" : "") + " (" +
         short_percent(change.low, true) + " to " + short_percent(change.high, true) + ")";
}

std::string direction_text(int direction) {
  return direction > 0 ? "slower" : direction < 0 ? "faster" : "no difference seen";
}

std::string p_text(double p) {
  return fixed(p, p < 0.001 ? 4 : p < 0.1 ? 3 : 2);
}

// "+5.2 %", "new", "gone"
std::string path_change_text(const PathChange& change) {
  if (change.before_ns == 0) return "new";
  if (change.after_ns == 0) return "gone";
  return ratio_text(change.after_ns / change.before_ns, true);
}

// "Frame > Physics", "Frame > Physics with all that it calls", "Lock (wait)", "Job in all 3 call paths"
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

// "BASE: 10 runs, 5000 frames"
std::string side_text(const GateReport& report, size_t side) {
  size_t frames = 0;
  for (const Run& run : report.runs[side]) frames += run.frames_ns.size();
  const size_t runs = report.runs[side].size();
  return std::string(side == 0 ? "BASE: " : "NEW: ") + counted(runs, "run, ", "runs, ") +
         counted(frames, "frame", "frames");
}

// "takes 474.1 us a frame, 5.2 % more than 450.7 us"
std::string path_sentence(const GateReport& report, const PathChange& change) {
  std::string text = path_text(report, change);
  if (change.after_ns == 0) return text + ", which took " + took_text(change.before_ns) + " a frame, is gone";
  text += " takes " + took_text(change.after_ns) + " a frame";
  if (change.before_ns == 0) return text + " and is new";
  return text + ", " + how_much_more(change.after_ns / change.before_ns) + " " + took_text(change.before_ns) +
         (change.at_one_pace ? ", at one pace" : "");
}

// "all paths alike take 30.0 % more"
std::string pace_text(const GateResult& result) {
  return "all paths alike take " + percent(std::fabs(result.pace_change), false) +
         (result.pace.direction > 0 ? " more" : " less");
}

std::string reason_of(const GateReport& report, int direction) {
  const GateResult& result = report.result;
  const std::vector<PathChange>& named = direction > 0 ? result.slower : result.faster;
  if (!named.empty() && !named[0].is_wait) {
    const size_t others = static_cast<size_t>(
        std::count_if(named.begin() + 1, named.end(), [](const PathChange& change) { return !change.is_wait; }));
    return path_sentence(report, named[0]) +
           (others == 0 ? "" : "; " + std::to_string(others) + " more path" + (others == 1 ? "" : "s")) +
           (result.pace.direction == 0 ? "" : "; " + pace_text(result));
  }
  if (result.pace.direction == direction)
    return pace_text(result) + ": rather the machine, or how the game was built, than its code";
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

// "slower: Frame > Physics takes 474.1 us a frame, 5.2 % more than 450.7 us". Begins with the verdict.
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

// What a test of so many runs could have found, or why there is no verdict.
std::string footnote(const GateReport& report, bool has_brackets = true) {
  const std::string text = std::string(has_brackets ? "In brackets: where 95 % of the drawn runs lie. " : "") +
                           "p: how often chance alone shows a difference as large in any of the " +
                           std::to_string(report.result.figures) + " figures; " +
                           fixed(report.options.alarms * 100, 1) + " % is the limit.";
  const GateResult& result = report.result;
  const bool has_paths = !result.slower.empty() || !result.faster.empty();
  const std::string times =
      !has_paths ? ""
      : result.pace.direction != 0
          ? " Times of a path: the median run's of a usual frame."
          : " Times of a path: the median run's of a usual frame, less what the runs' pace explains.";
  return text + times + least_seen_text(result.least_seen);
}

// The figures of the frames. Narrow: without intervals of the sides, their runs, and "frames" in each name. Narrower: also
// without intervals of the changes, and without BASE where there is no room.
enum class Width { kWide, kNarrow, kNarrower };

Table frame_table(const GateReport& report, Width width) {
  const GateResult& result = report.result;
  const bool is_narrow = width != Width::kWide;
  const bool is_tested = result.verdict != Verdict::kNotEnoughRuns;
  Table frames;
  frames.columns = {
      {"figure", is_narrow ? "frames" : " ", ColumnKind::kText},
      {"base", is_narrow ? "BASE" : side_text(report, 0), ColumnKind::kText, width == Width::kNarrower ? 1 : 0},
      {"new", is_narrow ? "NEW" : side_text(report, 1), ColumnKind::kText},
      {"change", "change", ColumnKind::kText},
      {"p", is_tested ? "p" : "", ColumnKind::kText, 3},
      {"verdict", is_tested ? "verdict" : "", ColumnKind::kText, 2}};
  for (const FrameFigure figure : frame_figures(report)) {
    std::string sides[2];
    for (size_t side = 0; side < 2; ++side) {
      Interval value = result.frames.side[side][figure];
      if (is_narrow) value.low = 0, value.high = -1;
      sides[side] = value_text(figure, value);
    }
    const FrameChange& change = result.frame_changes[figure];
    std::string name = frame_figure_name(report, figure);
    if (is_narrow) name.erase(0, name.find(' ') + 1);
    std::string change_shown = change_text(figure, result.frames.change[figure]);
    if (width == Width::kNarrower) change_shown.erase(change_shown.find(" ("));
    frames.rows.push_back({name, sides[0], sides[1], change_shown, p_text(change.p),
                           is_narrow && change.direction == 0 ? "none seen" : direction_text(change.direction)});
  }
  return frames;
}

bool is_wider(const std::string& text, size_t width) {
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
  std::string frames = frame_table(report, Width::kWide).text(SIZE_MAX / 2);
  bool has_brackets = true;
  if (is_wider(frames, width)) {
    frames = frame_table(report, Width::kNarrow).text(width);
    has_brackets = !is_wider(frames, width);
    if (!has_brackets) frames = frame_table(report, Width::kNarrower).text(width);
    frames = side_text(report, 0) + "\n" + side_text(report, 1) + "\n\n" + frames;
  }
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
  return text + "\n" + wrapped(footnote(report, has_brackets), width) + "\n";
}

// Gate formats: what `flamelet gate` found, as JSON, JUnit XML and Markdown.

constexpr const char* kKeys[] = {"p50_ns", "p95_ns", "p99_ns", "over_budget"};

void interval_json(JsonWriter* json, const char* key, const Interval& interval) {
  json->begin_object(key);
  json->number("value", interval.value);
  json->number("low", interval.low);
  json->number("high", interval.high);
  json->end_object();
}

void paths_json(JsonWriter* json, const char* key, const GateReport& report, const std::vector<PathChange>& changes) {
  json->objects(key, changes, [&](const PathChange& change) {
    json->text("path", change.is_scope ? report.names.scopes()[change.path].name : report.names.text(change.path));
    json->boolean("in_all_paths", change.is_scope);
    json->text("time", change.is_wait ? "wait" : change.is_self ? "self" : "inclusive");
    json->number("before_ns", change.before_ns);
    json->number("after_ns", change.after_ns);
    json->number("calls_before", change.calls_before);
    json->number("calls_after", change.calls_after);
    json->number("p", change.p);
  });
}

// A cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("|\\`*_~<[&").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& each : cells) text += " " + cell(each) + " |";
  return text + "\n";
}

struct TestCase {
  std::string name;
  std::string failure;  // "" if it passed
  bool is_skipped = false;
};

std::string budget_failure(const BudgetCheck::Result& budget) {
  return most_text(budget) + " in " + budget.capture + " instead of " +
         duration_text(static_cast<double>(budget.limit_ns));
}

std::string junit(const std::vector<TestCase>& cases, const std::string& skipped_because, const std::string& text) {
  size_t failures = 0, skipped = 0;
  std::string body;
  for (const TestCase& each : cases) {
    failures += !each.failure.empty();
    skipped += each.is_skipped;
    body += "    <testcase classname=\"flamelet gate\" name=\"" + xml_text(each.name) + "\"";
    if (!each.failure.empty())
      body += ">\n      <failure message=\"" + xml_text(each.failure) + "\"/>\n    </testcase>\n";
    else
      body += each.is_skipped ? "><skipped message=\"" + xml_text(skipped_because) + "\"/></testcase>\n" : "/>\n";
  }
  const std::string counts = " tests=\"" + std::to_string(cases.size()) + "\" failures=\"" + std::to_string(failures) +
                             "\" errors=\"0\" skipped=\"" + std::to_string(skipped) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts + ">\n  <testsuite name=\"flamelet gate\"" +
         counts + ">\n" + body + "    <system-out>" + xml_text(text) + "</system-out>\n  </testsuite>\n</testsuites>\n";
}

std::string gate_json(const GateReport& report) {
  JsonWriter json;
  const GateResult& result = report.result;
  json.text("verdict", report.is_compared() ? verdict_text(result.verdict) : "no verdict");
  json.text("sentence", gate_sentence(report));
  json.objects("doubts", report.doubts, [&](const std::string& doubt) { json.text("text", doubt); });
  for (size_t side = 0; side < 2; ++side) {
    json.objects(side == 0 ? "base" : "new", report.runs[side], [&](const Run& run) {
      json.text("file", run.name);
      if (!run.problem.empty()) json.text("problem", run.problem);
      json.count("frames", run.frames_ns.size());
      json.count("partial_frames", run.partial_frames);
      json.count("lossy_frames", run.lossy_frames);
    });
  }
  if (report.is_compared()) {
    json.begin_object("frames");
    for (const FrameFigure figure : frame_figures(report)) {
      json.begin_object(kKeys[figure]);
      interval_json(&json, "base", result.frames.side[0][figure]);
      interval_json(&json, "new", result.frames.side[1][figure]);
      interval_json(&json, "change", result.frames.change[figure]);
      json.number("p", result.frame_changes[figure].p);
      json.text("verdict", direction_text(result.frame_changes[figure].direction));
      json.end_object();
    }
    json.end_object();
    json.begin_object("pace");
    json.number("change", result.pace_change);
    json.number("p", result.pace.p);
    json.text("verdict", direction_text(result.pace.direction));
    json.end_object();
    paths_json(&json, "slower", report, result.slower);
    paths_json(&json, "faster", report, result.faster);
    json.count("figures", result.figures);
    json.number("least_p", result.least_p);
    json.count("least_seen_paths", result.least_seen.paths);
    json.number("least_seen_of_half", result.least_seen.of_half);
    json.number("least_seen_of_most", result.least_seen.of_most);
  }
  if (report.budgets) report.budgets->json(&json, "budgets");
  json.number("alarms", report.options.alarms);
  json.number("budget_ns", report.options.budget_ns);
  json.count("seed", report.options.seed);
  return json.take();
}

// A test suite: a test for each figure of the frames and for each path that is slower.
std::string gate_junit(const GateReport& report) {
  const GateResult& result = report.result;
  const bool is_tested = report.is_compared() && result.verdict != Verdict::kNotEnoughRuns;
  const bool is_slower = is_tested && result.verdict == Verdict::kSlower;
  std::vector<TestCase> cases = {{"verdict", is_slower ? gate_sentence(report) : "", !is_tested}};
  if (report.is_compared())
    for (const FrameFigure figure : frame_figures(report))
      cases.push_back({frame_figure_name(report, figure),
                       result.frame_changes[figure].direction > 0
                           ? value_text(figure, result.frames.side[1][figure]) + " instead of " +
                                 value_text(figure, result.frames.side[0][figure])
                           : "",
                       !is_tested});
  for (const PathChange& change : result.slower)
    if (is_slower && !change.is_wait)
      cases.push_back({path_text(report, change), short_duration_text(change.after_ns) + " a frame instead of " +
                                                      short_duration_text(change.before_ns) + " (" +
                                                      path_change_text(change) + ")"});
  if (report.budgets)
    for (const BudgetCheck::Result& budget : report.budgets->results())
      cases.push_back({"budget of " + budget_name(budget), budget.exceeded_in == 0 ? "" : budget_failure(budget),
                       report.budgets->captures() == 0});
  constexpr size_t kWidth = 1000;
  return junit(cases, gate_sentence(report), gate_text(report, kWidth));
}

std::string gate_markdown(const GateReport& report) {
  const GateResult& result = report.result;
  std::string text = "**flamelet gate**: " + cell(gate_sentence(report)) + "\n";
  for (const std::string& doubt : report.doubts) text += "\n" + cell(doubt) + "\n";
  if (report.budgets) text += "\n" + cell(report.budgets->sentence()) + "\n";
  if (report.is_over_budget()) {
    text += "\n" + row({"over its budget", "budget", "took", "most in"}) + "|---|--:|--:|---|\n";
    for (const BudgetCheck::Result* budget : report.budgets->exceeded())
      text += row({budget_name(*budget), duration_text(static_cast<double>(budget->limit_ns)), most_text(*budget),
                   budget->capture});
  }
  if (!report.is_compared()) return text;
  text += "\n" + row({"", side_text(report, 0), side_text(report, 1), "change", "p", "verdict"}) +
          "|---|---|---|---|---|---|\n";
  const bool is_tested = result.verdict != Verdict::kNotEnoughRuns;
  for (const FrameFigure figure : frame_figures(report))
    text += row({frame_figure_name(report, figure), value_text(figure, result.frames.side[0][figure]),
                 value_text(figure, result.frames.side[1][figure]), change_text(figure, result.frames.change[figure]),
                 is_tested ? p_text(result.frame_changes[figure].p) : "",
                 is_tested ? direction_text(result.frame_changes[figure].direction) : ""});
  for (const std::vector<PathChange>* changes : {&result.slower, &result.faster}) {
    if (changes->empty()) continue;
    text += "\n" +
            row({changes == &result.slower ? "slower call path" : "faster call path", "before", "after", "change", "p",
                 "calls a frame"}) +
            "|---|--:|--:|--:|--:|--:|\n";
    for (const PathChange& change : *changes)
      text +=
          row({path_text(report, change), short_duration_text(change.before_ns), short_duration_text(change.after_ns),
               path_change_text(change), p_text(change.p), calls_text(change)});
  }
  return text + (is_tested ? "\n<sub>" + footnote(report) + "</sub>\n" : "");
}

// Gate html: what `flamelet gate` found, as one HTML file: the tables, a dot for each run of what changed, and how
// frame times are spread.

constexpr const char* kColors[] = {"#2166ac", "#b35806"};
constexpr const char* kStyle =
    "body{font:15px/1.4 Helvetica,Arial,sans-serif;max-width:1032px;margin:2em auto;padding:0 1em;color:#222}"
    "h1{font-size:1.3em}table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .8em;text-align:left;"
    "border-bottom:1px solid #ddd}svg{max-width:100%;height:auto}.slower{color:#b2182b}.faster{color:#1b7837}"
    "p.note{color:#666;font-size:.85em}";

// What a row of dots shows: a figure of each run.
struct Strip {
  std::string name;
  std::vector<double> values_ns[2];
};

// Two rows, BASE above NEW, with a dot for each run and a line at the median.
std::string draw_strip(const Strip& strip) {
  constexpr double kLeft = kSvgMargin + 50, kRow = 26, kTop = kSvgMargin + 20;
  double low = strip.values_ns[0][0], high = low;
  for (const std::vector<double>& side : strip.values_ns)
    for (const double ns : side) {
      low = std::min(low, ns);
      high = std::max(high, ns);
    }
  const TimeUnit unit = unit_for(high);
  const double room = std::max({(high - low) * 0.05, high * 0.001, 1.0});
  const SvgScale x = {(low - room) / unit.ns, (high + room) / unit.ns, kLeft, kSvgWidth - kSvgMargin - 10};
  const double bottom = kTop + 2 * kRow;
  Svg svg(bottom + 2 * kSvgFont + kSvgMargin);
  svg.title(strip.name);
  draw_x_axis(&svg, axis_marks(x.low, x.high, 10), x, kTop, bottom, unit.name);
  for (size_t side = 0; side < 2; ++side) {
    const double y = kTop + kRow * (static_cast<double>(side) + 0.5);
    const std::string color = std::string("fill=\"") + kColors[side] + "\"";
    svg.label(kLeft - 8, y + kSvgFont / 3, side == 0 ? "BASE" : "NEW", Svg::Anchor::kEnd, color);
    std::vector<double> sorted = strip.values_ns[side];
    std::sort(sorted.begin(), sorted.end());
    for (const double ns : sorted)
      svg.rectangle(x(ns / unit.ns) - 4, y - 4, 8, 8, "rx=\"4\" fill-opacity=\"0.5\" " + color);
    const double median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    svg.rectangle(x(median / unit.ns) - 1, y - 10, 2, 20, color);
  }
  return svg.finish();
}

std::vector<Strip> strips_of(const GateReport& report) {
  std::vector<Strip> strips;
  for (const FrameFigure figure : {kP50, kP95, kP99}) {
    Strip strip;
    strip.name = frame_figure_name(report, figure) + " of each run";
    for (size_t side = 0; side < 2; ++side)
      for (const Run& run : report.runs[side]) {
        std::vector<int64_t> sorted_ns = run.frames_ns;
        std::sort(sorted_ns.begin(), sorted_ns.end());
        strip.values_ns[side].push_back(frame_figure(figure, sorted_ns, 0));
      }
    strips.push_back(std::move(strip));
  }
  constexpr size_t kMostPaths = 12;
  for (const std::vector<PathChange>* changes : {&report.result.slower, &report.result.faster})
    for (size_t i = 0; i < std::min(changes->size(), kMostPaths); ++i) {
      const PathChange& change = (*changes)[i];
      Strip strip;
      strip.name = path_text(report, change) + ", in a usual frame of each run";
      for (size_t side = 0; side < 2; ++side)
        for (const Run& run : report.runs[side]) {
          const RunPath& path = run.path(change.path);
          const FrameTime& time = change.is_scope  ? run.scope(change.path).self
                                  : change.is_self ? path.self
                                                   : path.inclusive;
          strip.values_ns[side].push_back(time.typical_ns);
        }
      strips.push_back(std::move(strip));
    }
  return strips;
}

std::string histogram_of(const GateReport& report, size_t side) {
  std::vector<int64_t> sorted_ns;
  for (const Run& run : report.runs[side])
    sorted_ns.insert(sorted_ns.end(), run.frames_ns.begin(), run.frames_ns.end());
  std::sort(sorted_ns.begin(), sorted_ns.end());
  HistogramPlot plot = make_histogram(sorted_ns);
  plot.title = side_text(report, side);
  plot.bound_ns = report.options.budget_ns;
  return draw_as_svg(plot);
}

std::string table_row(const std::vector<std::string>& cells, const char* element = "td") {
  std::string text = "<tr>";
  for (const std::string& cell : cells)
    text += std::string("<") + element + ">" + xml_text(cell) + "</" + element + ">";
  return text + "</tr>\n";
}

// One file with plots, which asks for nothing from the network.
std::string gate_html(const GateReport& report) {
  const GateResult& result = report.result;
  const bool is_tested = report.is_compared() && result.verdict != Verdict::kNotEnoughRuns;
  const char* const tone = !is_tested                           ? ""
                           : result.verdict == Verdict::kSlower ? "slower"
                           : result.verdict == Verdict::kFaster ? "faster"
                                                                : "";
  std::string text =
      std::string("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">") +
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">" +
      "<title>flamelet gate</title><style>" + kStyle + "</style></head><body>\n<h1 class=\"" + tone + "\">" +
      xml_text(gate_sentence(report)) + "</h1>\n";
  for (const std::string& doubt : report.doubts) text += "<p>" + xml_text(doubt) + "</p>\n";
  if (report.budgets) text += "<p>" + xml_text(report.budgets->sentence()) + "</p>\n";
  if (report.is_over_budget()) {
    text += "<table>\n" + table_row({"over its budget", "budget", "took", "most in"}, "th");
    for (const BudgetCheck::Result* budget : report.budgets->exceeded())
      text += table_row({budget_name(*budget), duration_text(static_cast<double>(budget->limit_ns)), most_text(*budget),
                         budget->capture});
    text += "</table>\n";
  }
  if (!report.is_compared()) return text + "</body></html>\n";
  text += "<table>\n" + table_row({"", side_text(report, 0), side_text(report, 1), "change", "p", "verdict"}, "th");
  for (const FrameFigure figure : frame_figures(report))
    text +=
        table_row({frame_figure_name(report, figure), value_text(figure, result.frames.side[0][figure]),
                   value_text(figure, result.frames.side[1][figure]), change_text(figure, result.frames.change[figure]),
                   is_tested ? p_text(result.frame_changes[figure].p) : "",
                   is_tested ? direction_text(result.frame_changes[figure].direction) : ""});
  text += "</table>\n";
  for (const std::vector<PathChange>* changes : {&result.slower, &result.faster}) {
    if (changes->empty()) continue;
    text += "<table>\n" + table_row({changes == &result.slower ? "slower call path" : "faster call path", "before",
                                     "after", "change", "p", "calls a frame"},
                                    "th");
    for (const PathChange& change : *changes)
      text += table_row({path_text(report, change), short_duration_text(change.before_ns),
                         short_duration_text(change.after_ns), path_change_text(change), p_text(change.p),
                         calls_text(change)});
    text += "</table>\n";
  }
  for (const Strip& strip : strips_of(report)) text += draw_strip(strip);
  for (size_t side = 0; side < 2; ++side) text += histogram_of(report, side);
  if (is_tested) text += "<p class=\"note\">" + xml_text(footnote(report)) + "</p>\n";
  return text + "</body></html>\n";
}

// ---- the command

struct Options {
  std::vector<std::string> files[2];
  bool strict = false;
  std::string frames_of;
  WindowOptions window;
  double budget_ms = 0;
  double alarms_percent = 1;
  double least_percent = 1;
  size_t seed = 1;
  std::string budgets;
  ReportOptions report;
  std::string junit, markdown, html;
};

// One capture at a time: what is kept of it is small.
Run read_capture(const Options& options, size_t side, const std::string& file, GateReport* report) {
  const CaptureInput input({file, options.strict, options.frames_of});
  const size_t frames = flamelet_capture_frame_count(input.get());
  Window window;
  if (frames != 0) window = window_of(input, options.window);
  if (report->budgets && side == 0) report->budgets->add_names(input);
  if (report->budgets && side == 1) report->budgets->add(input, options.window);
  Run run = read_run(input.get(), window.first_frame, window.end_frame, &report->names);
  run.partial_frames += window.start_ns != 0;
  run.name = input.name();
  return run;
}

// A build wants its reports also if one of the runs crashed before its first frame.
Run read(const Options& options, size_t side, const std::string& file, GateReport* report) {
  Run run;
  run.name = file == "-" ? "standard input" : printable(file);
  try {
    return read_capture(options, side, file, report);
  } catch (const EmptyInput& error) {
    run.problem = error.what();
  } catch (const CommandError& error) {
    if (error.code() != kExitNothing) throw;
    run.problem = error.what();
  }
  return run;
}

GateReport make_report(const Options& options) {
  GateReport report;
  report.options.budget_ns = options.budget_ms * 1e6;
  report.options.alarms = options.alarms_percent / 100;
  report.options.least = options.least_percent / 100;
  report.options.seed = options.seed;
  if (!options.budgets.empty()) report.budgets.emplace(options.budgets);
  for (size_t side = 0; side < 2; ++side)
    for (const std::string& file : options.files[side]) report.runs[side].push_back(read(options, side, file, &report));
  if (report.budgets) report.budgets->finish();
  report.problem = problem_with(report.runs);
  report.doubts = doubts_about(report.runs, report.names);
  if (report.is_compared()) report.result = compare_runs(report.runs, report.names, report.options);
  return report;
}

int exit_code_of(const GateReport& report) {
  if (report.is_over_budget()) return kExitSlower;
  if (!report.is_compared() || report.result.verdict == Verdict::kNotEnoughRuns) return kExitUnclear;
  return report.result.verdict == Verdict::kSlower ? kExitSlower : kExitDone;
}

int run(const Options& options) {
  if (options.files[0].empty() || options.files[1].empty())
    throw CommandError(kExitUsage,
                       "give the captures of both sides, with -- between them: flamelet gate BASE... -- NEW...");
  for (const std::string& output : {options.report.output, options.junit, options.markdown, options.html})
    if (!output.empty()) check_output(output);
  const GateReport report = make_report(options);
  if (!options.junit.empty()) write_file(options.junit, gate_junit(report));
  if (!options.markdown.empty()) write_file(options.markdown, gate_markdown(report));
  if (!options.html.empty()) write_file(options.html, gate_html(report));
  put_report(options.report, options.report.format() == ReportFormat::kJson
                                 ? gate_json(report)
                                 : gate_text(report, options.report.table_width()));
  return exit_code_of(report);
}

}  // namespace

void add_gate_command(Command* program) {
  const auto options = std::make_shared<Options>();
  Command gate = program->add_command("gate", "Whether a change made the game slower, and which call path");
  gate.footer(
      "Compares several runs of two builds, at least five of each: record them in turns, all in the same way, and\n"
      "with the same seed. The exit code is 0 (faster, or no difference seen), 5 (slower) or 6 (no verdict: too few\n"
      "runs, a run without frames, or of another clock or machine).\n\n"
      "Examples:\n"
      "  flamelet gate base-*.flamelet -- new-*.flamelet\n"
      "  flamelet gate base-*.flamelet -- new-*.flamelet --frames 60.. --budget 16.7");
  gate.two_lists("BASE... -- NEW", &options->files[0], &options->files[1],
                 "Captures of several runs from before the change, --, and of several from after it");
  gate.flag("--strict", &options->strict, "Exit with 3 if a file is damaged");
  add_frames_of_option(&gate, &options->frames_of);
  add_window_options(&gate, &options->window);
  gate.number("--budget", "MS", &options->budget_ms, 0.0, 1e6, "Also compare how many frames take longer than this");
  gate.text("--budgets", "FILE", &options->budgets, "Also hold NEW against this file of budgets (flamelet budgets)");
  gate.number("--alarms", "PERCENT", &options->alarms_percent, 0.01, 50.0,
              "How often anything may be called changed if nothing is")
      .shows_default();
  gate.number("--min", "PERCENT", &options->least_percent, 0.0, 1000.0, "Changes below this do not matter")
      .shows_default();
  gate.number("--seed", "N", &options->seed, 0, SIZE_MAX, "Of the random draws").shows_default();
  add_json_options(&gate, &options->report, "JSON; times in nanoseconds");
  add_width_option(&gate, &options->report);
  add_report_file(&gate, "--junit", &options->junit, "Also write JUnit XML, for a build server");
  add_report_file(&gate, "--markdown", &options->markdown, "Also write Markdown, for a pull request");
  add_report_file(&gate, "--html", &options->html, "Also write a page with plots");
  gate.run([options] { return run(*options); });
}

}  // namespace flamelet::tools
