// SPDX-License-Identifier: MIT
//
// gate_command.cpp: `flamelet gate`: did a change make the game slower, and which call path?
#include <memory>
#include <string>
#include <vector>

#include "capture_input.h"
#include "capture_window.h"
#include "command.h"
#include "command_line.h"
#include "display_text.h"
#include "files.h"
#include "gate_report.h"

namespace flamelet::tools {
namespace {

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
  try {
    return read_capture(options, side, file, report);
  } catch (const CommandError& error) {
    if (error.code() != kExitNothing) throw;
    Run run;
    run.problem = error.what();
    return run;
  }
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
