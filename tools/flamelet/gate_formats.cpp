// SPDX-License-Identifier: MIT
//
// gate_formats.cpp: what `flamelet gate` found, as JSON, JUnit XML and Markdown.

#include "display_text.h"
#include "gate_report.h"
#include "json_writer.h"
#include "svg.h"

namespace flamelet::tools {
namespace {

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

}  // namespace

std::string gate_json(const GateReport& report) {
  JsonWriter json;
  const GateResult& result = report.result;
  json.text("verdict", report.is_compared() ? verdict_text(result.verdict) : "no verdict");
  json.text("sentence", gate_sentence(report));
  json.objects("doubts", report.doubts, [&](const std::string& doubt) { json.text("text", doubt); });
  for (size_t side = 0; side < 2; ++side) {
    json.objects(side == 0 ? "base" : "new", report.runs[side], [&](const Run& run) {
      json.text("file", run.name);
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

}  // namespace flamelet::tools
